// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/terminal/input_encoder.h"

#include <QRegularExpression>

#include <algorithm>

namespace boxdeck::terminal {

namespace {

// xterm's modifier parameter: 1 + Shift 1 + Alt 2 + Ctrl 4 + Meta 8.
int modifierCode(Qt::KeyboardModifiers modifiers)
{
    return 1 + (modifiers.testFlag(Qt::ShiftModifier) ? 1 : 0) + (modifiers.testFlag(Qt::AltModifier) ? 2 : 0) +
           (modifiers.testFlag(Qt::ControlModifier) ? 4 : 0);
}

// Cursor keys, Home and End: CSI or, in application mode, SS3; with modifiers always CSI 1 ; m.
QByteArray letterKey(char letter, int modifier, bool application)
{
    if (modifier > 1)
        return "\x1b[1;" + QByteArray::number(modifier) + letter;
    return QByteArray(application ? "\x1bO" : "\x1b[") + letter;
}

QByteArray numberKey(int number, int modifier)
{
    QByteArray bytes = "\x1b[" + QByteArray::number(number);
    if (modifier > 1)
        bytes += ';' + QByteArray::number(modifier);
    return bytes + '~';
}

std::optional<QByteArray> functionKey(int key, int modifier)
{
    if (key >= Qt::Key_F1 && key <= Qt::Key_F4) {
        const char letter = static_cast<char>('P' + (key - Qt::Key_F1));
        return modifier > 1 ? letterKey(letter, modifier, false) : QByteArray("\x1bO") + letter;
    }
    static constexpr int Numbers[] = {15, 17, 18, 19, 20, 21, 23, 24};
    if (key >= Qt::Key_F5 && key <= Qt::Key_F12)
        return numberKey(Numbers[key - Qt::Key_F5], modifier);
    return std::nullopt;
}

std::optional<QByteArray> specialKey(int key, int modifier, const Modes &modes)
{
    const bool application = modes.applicationCursorKeys;
    switch (key) {
    case Qt::Key_Up:
        return letterKey('A', modifier, application);
    case Qt::Key_Down:
        return letterKey('B', modifier, application);
    case Qt::Key_Right:
        return letterKey('C', modifier, application);
    case Qt::Key_Left:
        return letterKey('D', modifier, application);
    case Qt::Key_Home:
        return letterKey('H', modifier, application);
    case Qt::Key_End:
        return letterKey('F', modifier, application);
    case Qt::Key_Insert:
        return numberKey(2, modifier);
    case Qt::Key_Delete:
        return numberKey(3, modifier);
    case Qt::Key_PageUp:
        return numberKey(5, modifier);
    case Qt::Key_PageDown:
        return numberKey(6, modifier);
    default:
        return functionKey(key, modifier);
    }
}

// The keypad in application mode (DECKPAM); digits keep typing digits unless NumLock is off, as users expect.
std::optional<QByteArray> keypadKey(int key)
{
    switch (key) {
    case Qt::Key_Enter:
        return QByteArray("\x1bOM");
    case Qt::Key_Asterisk:
        return QByteArray("\x1bOj");
    case Qt::Key_Plus:
        return QByteArray("\x1bOk");
    case Qt::Key_Minus:
        return QByteArray("\x1bOm");
    case Qt::Key_Slash:
        return QByteArray("\x1bOo");
    default:
        return std::nullopt;
    }
}

// Ctrl with a key that types a character: the control character, by where the key is on an ASCII keyboard.
std::optional<char> controlCharacter(int key)
{
    if (key >= Qt::Key_A && key <= Qt::Key_Z)
        return static_cast<char>(key - Qt::Key_A + 1);
    switch (key) {
    case Qt::Key_Space:
    case Qt::Key_At:
    case Qt::Key_2:
        return '\0';
    case Qt::Key_BracketLeft:
    case Qt::Key_3:
        return '\x1b';
    case Qt::Key_Backslash:
    case Qt::Key_4:
        return '\x1c';
    case Qt::Key_BracketRight:
    case Qt::Key_5:
        return '\x1d';
    case Qt::Key_AsciiCircum:
    case Qt::Key_6:
        return '\x1e';
    case Qt::Key_Underscore:
    case Qt::Key_Slash:
    case Qt::Key_7:
        return '\x1f';
    case Qt::Key_Question:
    case Qt::Key_8:
        return '\x7f';
    default:
        return std::nullopt;
    }
}

bool isControl(QChar c)
{
    return c.unicode() < 0x20 || (c.unicode() >= 0x7f && c.unicode() < 0xa0);
}

// Line ends of every kind become LF; other controls than tab go.
QString cleaned(const QString &text)
{
    QString out;
    out.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (c == u'\r') {
            if (i + 1 == text.size() || text.at(i + 1) != u'\n')
                out += u'\n';
        } else if (c == u'\n' || c == u'\t' || !isControl(c)) {
            out += c;
        }
    }
    return out;
}

} // namespace

QByteArray encodeKey(int key, Qt::KeyboardModifiers modifiers, const QString &text, const Modes &modes)
{
    const int modifier = modifierCode(modifiers);
    const bool alt = modifiers.testFlag(Qt::AltModifier);
    const bool control = modifiers.testFlag(Qt::ControlModifier);
    const QByteArray prefix = alt ? QByteArray("\x1b") : QByteArray();
    if (modes.applicationKeypad && modifiers.testFlag(Qt::KeypadModifier))
        if (const auto bytes = keypadKey(key))
            return *bytes;
    switch (key) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return prefix + (modes.newLine ? "\r\n" : "\r");
    case Qt::Key_Escape:
        return prefix + "\x1b";
    case Qt::Key_Backspace:
        return prefix + (control ? "\b" : "\x7f");
    case Qt::Key_Tab:
        return prefix + "\t";
    case Qt::Key_Backtab:
        return prefix + "\x1b[Z";
    default:
        break;
    }
    if (const auto bytes = specialKey(key, modifier, modes))
        return *bytes;
    // AltGr arrives as Ctrl+Alt on some systems, but then the key types a printable character.
    const bool typesText = !text.isEmpty() && !isControl(text.at(0));
    if (control && !(alt && typesText))
        if (const auto character = controlCharacter(key))
            return prefix + *character;
    if (text.isEmpty())
        return {};
    if (!typesText)
        return prefix + text.toUtf8();
    return (control ? QByteArray() : prefix) + text.toUtf8();
}

QByteArray encodeTyped(const QString &text)
{
    QString typed;
    for (const QChar c : text)
        if (!isControl(c))
            typed += c;
    return typed.toUtf8();
}

QByteArray encodeMouse(const MouseEvent &event, const Modes &modes)
{
    using Kind = MouseEvent::Kind;
    const bool moved = event.kind == Kind::Move;
    if (modes.mouse == MouseTracking::Off || (moved && modes.mouse == MouseTracking::Buttons) ||
        (moved && modes.mouse == MouseTracking::Drag && event.button == Qt::NoButton))
        return {};
    int code = 0;
    switch (event.kind) {
    case Kind::WheelUp:
        code = 64;
        break;
    case Kind::WheelDown:
        code = 65;
        break;
    case Kind::WheelLeft:
        code = 66;
        break;
    case Kind::WheelRight:
        code = 67;
        break;
    default:
        code = event.button == Qt::LeftButton     ? 0
               : event.button == Qt::MiddleButton ? 1
               : event.button == Qt::RightButton  ? 2
                                                  : 3;
        if (code == 3 && !moved)
            return {}; // a button that has no number
    }
    const bool released = event.kind == Kind::Release;
    if (released && modes.mouseEncoding != MouseEncoding::Sgr)
        code = 3;
    if (moved)
        code += 32;
    code += (event.modifiers.testFlag(Qt::ShiftModifier) ? 4 : 0) +
            (event.modifiers.testFlag(Qt::AltModifier) ? 8 : 0) +
            (event.modifiers.testFlag(Qt::ControlModifier) ? 16 : 0);
    const int column = event.at.column + 1;
    const int row = event.at.row + 1;
    const auto numbers = [&](int first) {
        return QByteArray::number(first) + ';' + QByteArray::number(column) + ';' + QByteArray::number(row);
    };
    switch (modes.mouseEncoding) {
    case MouseEncoding::Sgr:
        return "\x1b[<" + numbers(code) + (released ? 'm' : 'M');
    case MouseEncoding::Urxvt:
        return "\x1b[" + numbers(code + 32) + 'M';
    case MouseEncoding::Utf8: {
        const auto place = [](int value) { return QString(QChar(static_cast<char16_t>(std::min(value + 32, 2047)))); };
        return "\x1b[M" + (place(code) + place(column) + place(row)).toUtf8();
    }
    case MouseEncoding::X10:
        break;
    }
    if (column > 223 || row > 223)
        return {}; // can't be written in one byte
    return QByteArray("\x1b[M") + static_cast<char>(code + 32) + static_cast<char>(column + 32) +
           static_cast<char>(row + 32);
}

PasteRisk judgePaste(const QString &text, const Modes &modes)
{
    static const QRegularExpression asRoot(QStringLiteral("\\b(sudo|doas|pkexec|su)\\b"));
    PasteRisk risk;
    const QString clean = cleaned(text);
    risk.controls = std::any_of(text.begin(), text.end(),
                                [](QChar c) { return isControl(c) && c != u'\n' && c != u'\r' && c != u'\t'; });
    risk.lines = clean.count(u'\n') + (clean.endsWith(u'\n') ? 0 : 1);
    risk.severalLines = !modes.bracketedPaste && clean.contains(u'\n');
    risk.runsAsRoot = risk.severalLines && asRoot.match(clean).hasMatch();
    return risk;
}

QByteArray encodePaste(const QString &text, const Modes &modes)
{
    QByteArray bytes = cleaned(text).toUtf8();
    bytes.replace('\n', '\r');
    return modes.bracketedPaste ? "\x1b[200~" + bytes + "\x1b[201~" : bytes;
}

QByteArray shellQuoted(const QByteArray &name)
{
    static const QByteArray plain("-_./,:=+@%");
    const bool safe = !name.isEmpty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || plain.contains(c);
    });
    if (safe)
        return name;
    const auto isControlByte = [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; };
    if (std::any_of(name.begin(), name.end(), isControlByte)) {
        // Typed as it is, a line end would run what was typed so far, quotes or not.
        QByteArray escaped = "$'";
        for (const char c : name) {
            if (isControlByte(c))
                escaped += '\\' + QByteArray::number(c, 8).rightJustified(3, '0');
            else if (c == '\'' || c == '\\')
                escaped += QByteArray("\\") + c;
            else
                escaped += c;
        }
        return escaped + '\'';
    }
    QByteArray quoted = name;
    quoted.replace("'", "'\\''");
    return '\'' + quoted + '\'';
}

} // namespace boxdeck::terminal
