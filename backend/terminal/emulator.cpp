// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/terminal/emulator.h"

#include "backend/terminal/unicode_width.h"

#include <algorithm>
#include <charconv>

namespace boxdeck::terminal {

Emulator::Emulator(int rows, int columns, int historyLines)
    : m_screen(rows, columns, historyLines)
    , m_vterm(m_screen.rows(), m_screen.columns(), *this)
{
}

void Emulator::feed(const char *bytes, qsizetype size)
{
    m_tokenizer.feed(bytes, static_cast<std::size_t>(size), *this);
}

void Emulator::finish()
{
    m_tokenizer.finish(*this);
}

void Emulator::setReportedColors(unsigned foreground, unsigned background)
{
    m_foreground = foreground;
    m_background = background;
}

QByteArray Emulator::takeReplies()
{
    return std::exchange(m_replies, {});
}

EmulatorEvents Emulator::takeEvents()
{
    return std::exchange(m_events, {});
}

QByteArray Emulator::focusReport(bool focused) const
{
    if (!m_modes.focusReports)
        return {};
    return focused ? QByteArrayLiteral("\x1b[I") : QByteArrayLiteral("\x1b[O");
}

void Emulator::reply(std::string_view bytes)
{
    if (m_replies.size() + static_cast<qsizetype>(bytes.size()) <= MaxReplies)
        m_replies.append(bytes.data(), static_cast<qsizetype>(bytes.size()));
}

// --- text ---

void Emulator::onAscii(const char *bytes, std::size_t size)
{
    if (!m_charsets.isPlain() || m_modes.insert) {
        for (std::size_t i = 0; i < size; ++i) {
            const auto set = m_charsets.designated[m_charsets.single != 0 ? m_charsets.single : m_charsets.active];
            m_charsets.single = 0;
            print(Charsets::map(set, static_cast<unsigned char>(bytes[i])));
        }
        return;
    }
    const char *end = bytes + size;
    m_lastPrinted = static_cast<unsigned char>(end[-1]);
    const int columns = m_screen.columns();
    while (bytes != end) {
        if (m_pendingWrap)
            wrap(false);
        const int count = static_cast<int>(std::min<std::ptrdiff_t>(columns - m_column, end - bytes));
        m_screen.putAscii({m_row, m_column}, bytes, count, m_pen.style);
        bytes += count;
        m_column += count;
        if (m_column < columns)
            continue;
        m_column = columns - 1;
        m_pendingWrap = m_modes.autoWrap;
        if (!m_modes.autoWrap && bytes != end) {
            // Without wrap the last column takes every further character; only the last one stays.
            m_screen.putAscii({m_row, m_column}, end - 1, 1, m_pen.style);
            break;
        }
    }
}

void Emulator::onText(const char32_t *characters, std::size_t size)
{
    m_charsets.single = 0;
    for (std::size_t i = 0; i < size; ++i)
        print(characters[i]);
}

void Emulator::print(char32_t character)
{
    const int width = characterWidth(character);
    if (width < 0)
        return;
    if (width == 0) {
        // Belongs to the character left of the cursor, or under it when that waits in the last column.
        m_screen.combine({m_row, m_pendingWrap ? m_column : m_column - 1}, character);
        return;
    }
    const int columns = m_screen.columns();
    if (width > columns)
        return;
    if (m_pendingWrap)
        wrap(false);
    if (m_column + width > columns) {
        if (!m_modes.autoWrap)
            return;
        wrap(true);
    }
    if (m_modes.insert)
        m_screen.scroll({m_row, m_column, m_row + 1, columns}, 0, -width, m_pen.style, false);
    m_screen.put({m_row, m_column}, character, width, m_pen.style);
    m_lastPrinted = character;
    m_column += width;
    if (m_column >= columns) {
        m_column = columns - 1;
        m_pendingWrap = m_modes.autoWrap;
    }
}

void Emulator::wrap(bool padded)
{
    m_pendingWrap = false;
    m_screen.wrapRow(m_row, padded);
    lineFeed();
    m_column = 0;
}

void Emulator::lineFeed()
{
    m_saveScrolled = true;
    m_vterm.write("\n");
}

// REP repeats what was printed last, bounded by what fits on the screen.
void Emulator::repeat(int count)
{
    if (m_lastPrinted == 0)
        return;
    count = std::min(count, m_screen.columns() * m_screen.rows());
    for (int i = 0; i < count; ++i)
        print(m_lastPrinted);
}

void Emulator::onControl(char control)
{
    switch (control) {
    case '\a':
        m_events.bell = true;
        break;
    case '\b':
        m_pendingWrap = false;
        m_column = std::max(0, m_column - 1);
        break;
    case '\t':
        if (!m_pendingWrap)
            toVterm("\t");
        break;
    case '\n':
    case '\v':
    case '\f':
        m_pendingWrap = false;
        lineFeed();
        if (m_modes.newLine)
            m_column = 0;
        break;
    case '\r':
        m_pendingWrap = false;
        m_column = 0;
        break;
    case 0x0e: // LS1
        m_charsets.active = 1;
        break;
    case 0x0f: // LS0
        m_charsets.active = 0;
        break;
    default:
        break;
    }
}

// --- escapes ---

void Emulator::onEscape(char intermediate, char final)
{
    if (intermediate >= '(' && intermediate <= '+') {
        auto &set = m_charsets.designated[static_cast<std::size_t>(intermediate - '(')];
        set = final == '0' ? Charsets::Set::DecGraphics : final == 'A' ? Charsets::Set::British : Charsets::Set::Ascii;
        return;
    }
    if (intermediate == '#') {
        if (final == '8') {
            toVterm("\x1b#8");
            m_screen.touchAll();
        }
        return;
    }
    if (intermediate != 0)
        return;
    switch (final) {
    case '7':
        saveCursor();
        break;
    case '8':
        restoreCursor();
        break;
    case '=':
        m_modes.applicationKeypad = true;
        break;
    case '>':
        m_modes.applicationKeypad = false;
        break;
    case 'D': // IND
    case 'E': // NEL
        m_pendingWrap = false;
        lineFeed();
        if (final == 'E')
            m_column = 0;
        break;
    case 'H': // HTS
        toVterm("\x1bH");
        break;
    case 'M': // RI
        m_pendingWrap = false;
        m_vterm.write("\x1bM");
        break;
    case 'N': // SS2
    case 'O': // SS3
        m_charsets.single = final == 'N' ? 2 : 3;
        break;
    case 'n': // LS2
    case 'o': // LS3
        m_charsets.active = final == 'n' ? 2 : 3;
        break;
    case 'c':
        fullReset();
        break;
    default:
        break;
    }
}

void Emulator::onControlSequence(const ControlSequence &sequence)
{
    if (sequence.leader == 0 && sequence.intermediate == 0) {
        switch (sequence.final) {
        case 'm': {
            const Color before = m_pen.underlineColor;
            applySgr(sequence, m_pen);
            if (before != m_pen.underlineColor)
                updateExtra();
            return;
        }
        case 'b':
            return repeat(std::max(1, sequence.at(0, 1)));
        case 'J':
            if (sequence.at(0, 0) == 3)
                return m_screen.clearHistory();
            return forward(sequence);
        case 'h':
        case 'l':
            for (int i = 0; i < sequence.count; ++i)
                setAnsiMode(sequence.at(i, 0), sequence.final == 'h');
            return;
        case 's':
            if (m_modes.leftRightMargins)
                return forward(sequence);
            return saveCursor();
        case 'u':
            return restoreCursor();
        case 'T':
            if (sequence.count > 1)
                return; // mouse highlighting, not scrolling
            [[fallthrough]];
        case '@':
        case 'A':
        case 'B':
        case 'C':
        case 'D':
        case 'E':
        case 'F':
        case 'G':
        case 'H':
        case 'I':
        case 'K':
        case 'L':
        case 'M':
        case 'P':
        case 'S':
        case 'X':
        case 'Z':
        case '`':
        case 'a':
        case 'c':
        case 'd':
        case 'e':
        case 'f':
        case 'g':
        case 'j':
        case 'k':
        case 'n':
        case 'r':
            return forward(sequence);
        default:
            return; // window reports (t) with the title in them are among what is never answered
        }
    }
    if (sequence.leader == '?' && sequence.intermediate == 0) {
        switch (sequence.final) {
        case 'h':
        case 'l':
            for (int i = 0; i < sequence.count; ++i)
                setPrivateMode(sequence.at(i, 0), sequence.final == 'h');
            return;
        case 'J':
        case 'K':
        case 'n':
            return forward(sequence);
        default:
            return;
        }
    }
    if (sequence.intermediate == '$' && sequence.final == 'p')
        return reportMode(sequence);
    if (sequence.leader == '>' && sequence.intermediate == 0 && sequence.final == 'c')
        return forward(sequence);
    if (sequence.leader != 0)
        return;
    if (sequence.intermediate == ' ' && sequence.final == 'q')
        setCursorStyle(sequence.at(0, 0));
    else if (sequence.intermediate == '!' && sequence.final == 'p')
        softReset();
    else if (sequence.intermediate == '"' && sequence.final == 'q') {
        m_pen.style.attributes &= static_cast<std::uint16_t>(~Protected);
        if (sequence.at(0, 0) == 1)
            m_pen.style.attributes |= Protected;
    } else if (sequence.intermediate == '\'' && (sequence.final == '}' || sequence.final == '~'))
        forward(sequence);
}

// Writes a sequence out again, with numbers that fit the screen and no more of them than libvterm's array holds.
void Emulator::forward(const ControlSequence &sequence)
{
    constexpr int MostForwarded = 4;
    std::array<char, 64> text;
    char *at = text.data();
    *at++ = '\x1b';
    *at++ = '[';
    if (sequence.leader != 0)
        *at++ = sequence.leader;
    for (int i = 0; i < std::min(sequence.count, MostForwarded); ++i) {
        if (i != 0)
            *at++ = ';';
        if (const int value = sequence.at(i, ControlSequence::Missing); value != ControlSequence::Missing)
            at = std::to_chars(at, text.data() + text.size(), std::min(value, 9999)).ptr;
    }
    if (sequence.intermediate != 0)
        *at++ = sequence.intermediate;
    *at++ = sequence.final;
    switch (sequence.final) {
    case 'c':
    case 'g':
    case 'n':
    case 'J':
    case 'K':
    case 'X':
        break; // these leave the cursor, and so the wait for a wrap, where it is
    default:
        m_pendingWrap = false;
    }
    m_saveScrolled = sequence.final == 'S'; // lines deleted at the top (DL) are deleted, not history
    toVterm({text.data(), static_cast<std::size_t>(at - text.data())});
}

void Emulator::toVterm(std::string_view bytes)
{
    syncColumn();
    m_vterm.write(bytes);
}

void Emulator::syncColumn()
{
    if (m_column == m_vtermColumn)
        return;
    std::array<char, 16> text{'\x1b', '['};
    char *at = std::to_chars(text.data() + 2, text.data() + text.size() - 1, m_column + 1).ptr;
    *at++ = 'G';
    const int wanted = m_column;
    m_vterm.write({text.data(), static_cast<std::size_t>(at - text.data())});
    m_column = wanted; // margins may have held libvterm back; text does not care for them
}

void Emulator::moveTo(GridPosition position)
{
    // Rows and columns count from the margins in origin mode, and libvterm knows where those are.
    GridPosition home;
    if (m_modes.origin) {
        m_vterm.write("\x1b[H");
        home = m_vterm.cursor();
    }
    ControlSequence sequence;
    sequence.count = 2;
    sequence.parameters[0] = std::max(0, position.row - home.row) + 1;
    sequence.parameters[1] = std::max(0, position.column - home.column) + 1;
    sequence.final = 'H';
    forward(sequence);
}

// --- libvterm's answers ---

void Emulator::vtermMovedCursor(GridPosition to, bool columnChanged)
{
    if (to.row != m_row) {
        m_screen.touch(m_row);
        m_row = std::clamp(to.row, 0, m_screen.rows() - 1);
    }
    m_vtermColumn = to.column;
    if (columnChanged)
        m_column = std::clamp(to.column, 0, m_screen.columns() - 1);
}

void Emulator::vtermScrolled(const GridRect &rect, int down, int right)
{
    if (!m_resizing)
        m_screen.scroll(rect, down, right, m_pen.style, m_saveScrolled);
}

void Emulator::vtermErased(const GridRect &rect, bool selective)
{
    if (!m_resizing)
        m_screen.erase(rect, m_pen.style, selective);
}

void Emulator::vtermPut(GridPosition at, char32_t character)
{
    m_screen.put(at, character, 1, {});
}

void Emulator::vtermReplied(std::string_view bytes)
{
    reply(bytes);
}

// --- size and sessions ---

void Emulator::resize(int rows, int columns)
{
    rows = std::clamp(rows, 1, Screen::MaxRows);
    columns = std::clamp(columns, 1, Screen::MaxColumns);
    if (rows == m_screen.rows() && columns == m_screen.columns())
        return;
    GridPosition cursor{m_row, m_column + (m_pendingWrap ? 1 : 0)};
    const bool savedOnEntry = m_modes.alternateScreen && m_saved[0].position == m_mainCursor;
    m_screen.resize(rows, columns, cursor, m_mainCursor);
    m_mainCursor.column = std::min(m_mainCursor.column, columns - 1);
    if (savedOnEntry)
        m_saved[0].position = m_mainCursor;
    const bool waits = cursor.column == columns;
    cursor.column = std::min(cursor.column, columns - 1);
    m_resizing = true;
    m_vterm.resize(rows, columns);
    m_vterm.write("\x1b[r\x1b[s"); // margins that no longer fit are worse than none
    m_resizing = false;
    m_vtermColumn = m_vterm.cursor().column;
    m_row = cursor.row;
    m_column = cursor.column;
    moveTo(cursor);
    m_row = cursor.row;
    m_column = cursor.column;
    m_pendingWrap = waits && m_modes.autoWrap;
}

void Emulator::startNewSession()
{
    m_tokenizer.reset();
    setAlternateScreen(false);
    m_screen.scrollOutAll();
    fullReset();
    m_title.clear();
    m_events.title = QString();
    m_replies.clear();
}

void Emulator::softReset()
{
    const bool alternate = m_modes.alternateScreen;
    m_modes = {};
    m_modes.alternateScreen = alternate;
    m_charsets = {};
    m_pen = {};
    m_extra = {};
    m_cursorStyle.reset();
    m_pendingWrap = false;
    m_saved[alternate] = {};
    m_vterm.reset(false);
}

void Emulator::fullReset()
{
    setAlternateScreen(false);
    softReset();
    m_saved[0] = m_saved[1] = {};
    m_lastPrinted = 0;
    m_saveScrolled = false;
    m_vterm.reset(true);
    m_vtermColumn = m_vterm.cursor().column;
    m_row = 0;
    m_column = 0;
    m_screen.touchAll();
}

} // namespace boxdeck::terminal
