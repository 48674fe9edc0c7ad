// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/terminal/input_encoder.h"

#include <QTest>

using namespace boxdeck::terminal;

class TestTerminalInput : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keys_data();
    void keys();
    void applicationModes();
    void pasteStaysInItsBrackets();
    void pasteWithoutBracketsLosesControls();
    void judgesPastes();
    void mouseIsSilentUnlessAsked();
    void mouse_data();
    void mouse();
    void typedTextHasNoControls();
    void quotesForAShell_data();
    void quotesForAShell();
};

void TestTerminalInput::keys_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("expected");
    const Qt::KeyboardModifiers none;
    const auto row = [](const char *name, int key, Qt::KeyboardModifiers modifiers, const QString &text,
                        const QByteArray &expected) { QTest::newRow(name) << key << modifiers << text << expected; };
    row("letter", Qt::Key_A, none, QStringLiteral("a"), "a");
    row("umlaut", Qt::Key_Udiaeresis, none, QStringLiteral("\u00fc"), "\xc3\xbc");
    row("enter", Qt::Key_Return, none, QStringLiteral("\r"), "\r");
    row("shift+enter", Qt::Key_Return, Qt::ShiftModifier, QStringLiteral("\r"), "\r");
    row("backspace", Qt::Key_Backspace, none, QStringLiteral("\b"), "\x7f");
    row("ctrl+backspace", Qt::Key_Backspace, Qt::ControlModifier, QString(), "\b");
    row("tab", Qt::Key_Tab, none, QStringLiteral("\t"), "\t");
    row("shift+tab", Qt::Key_Backtab, Qt::ShiftModifier, QString(), "\x1b[Z");
    row("escape", Qt::Key_Escape, none, QStringLiteral("\x1b"), "\x1b");
    row("ctrl+c", Qt::Key_C, Qt::ControlModifier, QStringLiteral("\x03"), "\x03");
    row("ctrl+i", Qt::Key_I, Qt::ControlModifier, QStringLiteral("\t"), "\t");
    row("ctrl+space", Qt::Key_Space, Qt::ControlModifier, QStringLiteral(" "), QByteArray(1, '\0'));
    row("ctrl+\\", Qt::Key_Backslash, Qt::ControlModifier, QString(), "\x1c");
    row("ctrl+/", Qt::Key_Slash, Qt::ControlModifier, QString(), "\x1f");
    row("alt+b", Qt::Key_B, Qt::AltModifier, QStringLiteral("b"),
        "\x1b"
        "b");
    row("alt+enter", Qt::Key_Return, Qt::AltModifier, QStringLiteral("\r"), "\x1b\r");
    row("ctrl+alt+c", Qt::Key_C, Qt::ControlModifier | Qt::AltModifier, QStringLiteral("\x03"), "\x1b\x03");
    row("altgr types its character", Qt::Key_BraceLeft, Qt::ControlModifier | Qt::AltModifier, QStringLiteral("{"),
        "{");
    row("up", Qt::Key_Up, none, QString(), "\x1b[A");
    row("ctrl+right", Qt::Key_Right, Qt::ControlModifier, QString(), "\x1b[1;5C");
    row("shift+alt+home", Qt::Key_Home, Qt::ShiftModifier | Qt::AltModifier, QString(), "\x1b[1;4H");
    row("delete", Qt::Key_Delete, none, QString(), "\x1b[3~");
    row("ctrl+page up", Qt::Key_PageUp, Qt::ControlModifier, QString(), "\x1b[5;5~");
    row("f1", Qt::Key_F1, none, QString(), "\x1bOP");
    row("shift+f1", Qt::Key_F1, Qt::ShiftModifier, QString(), "\x1b[1;2P");
    row("f5", Qt::Key_F5, none, QString(), "\x1b[15~");
    row("ctrl+f12", Qt::Key_F12, Qt::ControlModifier, QString(), "\x1b[24;5~");
    row("shift alone", Qt::Key_Shift, Qt::ShiftModifier, QString(), "");
}

void TestTerminalInput::keys()
{
    QFETCH(int, key);
    QFETCH(Qt::KeyboardModifiers, modifiers);
    QFETCH(QString, text);
    QTEST(encodeKey(key, modifiers, text, Modes()), "expected");
}

void TestTerminalInput::applicationModes()
{
    Modes modes;
    modes.applicationCursorKeys = true;
    QCOMPARE(encodeKey(Qt::Key_Up, {}, {}, modes), QByteArray("\x1bOA"));
    QCOMPARE(encodeKey(Qt::Key_Home, {}, {}, modes), QByteArray("\x1bOH"));
    QCOMPARE(encodeKey(Qt::Key_Up, Qt::ControlModifier, {}, modes), QByteArray("\x1b[1;5A"));
    modes.applicationKeypad = true;
    QCOMPARE(encodeKey(Qt::Key_Enter, Qt::KeypadModifier, QStringLiteral("\r"), modes), QByteArray("\x1bOM"));
    QCOMPARE(encodeKey(Qt::Key_5, Qt::KeypadModifier, QStringLiteral("5"), modes), QByteArray("5"));
    modes.newLine = true;
    QCOMPARE(encodeKey(Qt::Key_Return, {}, QStringLiteral("\r"), modes), QByteArray("\r\n"));
}

void TestTerminalInput::pasteStaysInItsBrackets()
{
    Modes modes;
    modes.bracketedPaste = true;
    const QByteArray bytes = encodePaste(QStringLiteral("safe\u001b[201~\rtouch /tmp/pwn\r"), modes);
    QCOMPARE(bytes, QByteArray("\x1b[200~safe[201~\rtouch /tmp/pwn\r\x1b[201~"));
    QCOMPARE(bytes.count('\x1b'), 2);
    // The same through the 8-bit control.
    QCOMPARE(encodePaste(QStringLiteral("a\u009b201~b"), modes), QByteArray("\x1b[200~a201~b\x1b[201~"));
}

void TestTerminalInput::pasteWithoutBracketsLosesControls()
{
    QCOMPARE(encodePaste(QStringLiteral("a\r\nb\nc\rd\te\u0003\u007f\u001b[A"), Modes()),
             QByteArray("a\rb\rc\rd\te[A"));
    QCOMPARE(encodePaste(QStringLiteral("\u00fc\U0001f600"), Modes()), QByteArray("\xc3\xbc\xf0\x9f\x98\x80"));
}

void TestTerminalInput::judgesPastes()
{
    Modes plain;
    Modes bracketed;
    bracketed.bracketedPaste = true;
    QVERIFY(!judgePaste(QStringLiteral("ls -l"), plain).any());
    QVERIFY(judgePaste(QStringLiteral("ls\n"), plain).severalLines);
    QVERIFY(!judgePaste(QStringLiteral("ls\nrm\n"), bracketed).any());
    QVERIFY(judgePaste(QStringLiteral("ls\u001b[201~\n"), bracketed).controls);
    QVERIFY(judgePaste(QStringLiteral("sudo rm -rf /\n"), plain).runsAsRoot);
    QCOMPARE(judgePaste(QStringLiteral("a\nb\nc"), plain).lines, 3);
}

void TestTerminalInput::mouseIsSilentUnlessAsked()
{
    MouseEvent event{.kind = MouseEvent::Kind::Press, .button = Qt::LeftButton};
    QVERIFY(encodeMouse(event, Modes()).isEmpty());
    Modes modes;
    modes.mouse = MouseTracking::Buttons;
    event.kind = MouseEvent::Kind::Move;
    QVERIFY(encodeMouse(event, modes).isEmpty());
    modes.mouse = MouseTracking::Drag;
    QVERIFY(!encodeMouse(event, modes).isEmpty());
    event.button = Qt::NoButton;
    QVERIFY(encodeMouse(event, modes).isEmpty());
    modes.mouse = MouseTracking::Motion;
    QVERIFY(!encodeMouse(event, modes).isEmpty());
}

void TestTerminalInput::mouse_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("button");
    QTest::addColumn<int>("encoding");
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("column");
    QTest::addColumn<QByteArray>("expected");
    using Kind = MouseEvent::Kind;
    const auto row = [](const char *name, Kind kind, Qt::MouseButton button, MouseEncoding encoding, int r, int c,
                        const QByteArray &expected) {
        QTest::newRow(name) << static_cast<int>(kind) << static_cast<int>(button) << static_cast<int>(encoding) << r
                            << c << expected;
    };
    row("sgr press", Kind::Press, Qt::LeftButton, MouseEncoding::Sgr, 4, 9, "\x1b[<0;10;5M");
    row("sgr release", Kind::Release, Qt::RightButton, MouseEncoding::Sgr, 4, 9, "\x1b[<2;10;5m");
    row("sgr drag", Kind::Move, Qt::LeftButton, MouseEncoding::Sgr, 0, 0, "\x1b[<32;1;1M");
    row("sgr hover", Kind::Move, Qt::NoButton, MouseEncoding::Sgr, 0, 0, "\x1b[<35;1;1M");
    row("sgr wheel", Kind::WheelDown, Qt::NoButton, MouseEncoding::Sgr, 0, 300, "\x1b[<65;301;1M");
    row("x10 press", Kind::Press, Qt::MiddleButton, MouseEncoding::X10, 0, 0, "\x1b[M!!!");
    row("x10 release", Kind::Release, Qt::LeftButton, MouseEncoding::X10, 0, 0, "\x1b[M#!!");
    row("x10 out of reach", Kind::Press, Qt::LeftButton, MouseEncoding::X10, 0, 230, "");
    row("utf-8", Kind::Press, Qt::LeftButton, MouseEncoding::Utf8, 0, 230, "\x1b[M \xc4\x87!");
    row("urxvt", Kind::Press, Qt::LeftButton, MouseEncoding::Urxvt, 4, 9, "\x1b[32;10;5M");
    row("button without a number", Kind::Press, Qt::BackButton, MouseEncoding::Sgr, 0, 0, "");
}

void TestTerminalInput::mouse()
{
    QFETCH(int, kind);
    QFETCH(int, button);
    QFETCH(int, encoding);
    QFETCH(int, row);
    QFETCH(int, column);
    Modes modes;
    modes.mouse = MouseTracking::Motion;
    modes.mouseEncoding = static_cast<MouseEncoding>(encoding);
    QTEST(encodeMouse({.kind = static_cast<MouseEvent::Kind>(kind),
                       .button = static_cast<Qt::MouseButton>(button),
                       .at = {row, column}},
                      modes),
          "expected");
}

void TestTerminalInput::typedTextHasNoControls()
{
    QCOMPARE(encodeTyped(QStringLiteral("\u4f60\u001b[A\r")), QByteArray("\xe4\xbd\xa0[A"));
}

void TestTerminalInput::quotesForAShell_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("plain") << QByteArray("/home/user/a.txt") << QByteArray("/home/user/a.txt");
    QTest::newRow("blank") << QByteArray("a b") << QByteArray("'a b'");
    QTest::newRow("quote") << QByteArray("it's") << QByteArray("'it'\\''s'");
    QTest::newRow("command") << QByteArray("$(touch x);`y`") << QByteArray("'$(touch x);`y`'");
    QTest::newRow("line end") << QByteArray("a\ntouch 'x'") << QByteArray("$'a\\012touch \\'x\\''");
    QTest::newRow("empty") << QByteArray() << QByteArray("''");
}

void TestTerminalInput::quotesForAShell()
{
    QFETCH(QByteArray, name);
    QTEST(shellQuoted(name), "expected");
}

QTEST_GUILESS_MAIN(TestTerminalInput)
#include "tst_terminal_input.moc"
