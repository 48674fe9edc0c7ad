// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/terminal/emulator.h"
#include "backend/terminal/text_query.h"

#include <QRandomGenerator>
#include <QTest>

using namespace boxdeck::terminal;

namespace {

/// The grid as lines, trailing blanks left out, trailing empty lines too.
QStringList grid(const Emulator &emulator)
{
    QStringList lines;
    for (int row = 0; row < emulator.rows(); ++row) {
        QString line;
        const LineView view = emulator.screen().row(row);
        for (int column = 0; column < view.size; ++column) {
            const Cell &cell = view.cells[column];
            if ((cell.style.attributes & WideTail) != 0)
                continue;
            line += cell.code == 0 ? QStringLiteral(" ") : emulator.screen().text(cell);
        }
        while (line.endsWith(u' '))
            line.chop(1);
        lines += line;
    }
    while (!lines.isEmpty() && lines.last().isEmpty())
        lines.removeLast();
    return lines;
}

QString gridText(const Emulator &emulator)
{
    return grid(emulator).join(u'\n');
}

Style styleAt(const Emulator &emulator, int row, int column)
{
    return emulator.screen().cell({row, column}).style;
}

/// Everything one can see or send, to compare two emulators.
QString dump(Emulator &emulator)
{
    QString text = allText(emulator.screen());
    text += QStringLiteral("\n@%1,%2 ").arg(emulator.cursor().row).arg(emulator.cursor().column);
    for (int row = 0; row < emulator.rows(); ++row)
        for (int column = 0; column < emulator.columns(); ++column) {
            const Cell cell = emulator.screen().cell({row, column});
            if (!cell.isBlank())
                text += QStringLiteral("%1.%2:%3/%4/%5/%6 ")
                            .arg(row)
                            .arg(column)
                            .arg(emulator.screen().text(cell))
                            .arg(cell.style.foreground.value)
                            .arg(cell.style.background.value)
                            .arg(cell.style.attributes);
        }
    text += emulator.title() + QString::fromLatin1(emulator.takeReplies().toHex());
    return text;
}

} // namespace

class TestTerminalEmulator : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void drawsWhatWasSent_data();
    void drawsWhatWasSent();
    void survivesEveryCut_data();
    void survivesEveryCut();
    void characterSplitAcrossEnvelopesIsWhole();

    void refusesToReadTheClipboard();
    void writesTheClipboardBounded();
    void titleIsCleanedAndNeverReported();
    void neverRepliesWithTheProgramsWords_data();
    void neverRepliesWithTheProgramsWords();
    void repliesAreBounded();
    void brokenHyperlinkDoesNotCrash();
    void hyperlinksNameTheirTarget();
    void impossibleMarginsAreHarmless();
    void fastResizingSurvives();
    void clearDropsTheScrollbackOnlyWhenAsked();
    void cursorShapeReturnsToTheUsersChoice_data();
    void cursorShapeReturnsToTheUsersChoice();
    void wideCharacterWrapsAtTheMargin();
    void wideCharacterWithoutWrapIsDropped();
    void newSessionStartsWithoutOldModes();
    void modesAreReported();
    void severalModesInOneSequence();
    void colours_data();
    void colours();
    void underlineColourIsNeitherBlinkNorStrike();
    void combiningMarksAreBounded();
    void linksBeyondNumberDoNotPointElsewhere();
    void overwritingHalfOfAWideCharacterBlanksTheOther();
    void alternateScreenKeepsTheMainOne();
    void restoringTheCursorWithoutSavingShowsIt();
    void scrollbackIsBounded();
    void scrollRegionKeepsLinesOutside();
    void damageNamesOnlyChangedLines();
    void synchronisedOutputIsAMode();
    void focusIsReportedOnlyOnRequest();
    void randomBytesDoNoHarm();
};

void TestTerminalEmulator::drawsWhatWasSent_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("column");
    const auto row = [](const char *name, const QByteArray &input, const QString &expected, int r, int c) {
        QTest::newRow(name) << input << expected << r << c;
    };
    // Ten columns, four rows.
    row("text", "hi", QStringLiteral("hi"), 0, 2);
    row("line ends", "a\r\nb", QStringLiteral("a\nb"), 1, 1);
    row("line feed keeps the column", "ab\ncd", QStringLiteral("ab\n  cd"), 1, 4);
    row("backspace", "abc\b\bX", QStringLiteral("aXc"), 0, 2);
    row("tab", "a\tb", QStringLiteral("a       b"), 0, 9);
    row("waits in the last column", "0123456789", QStringLiteral("0123456789"), 0, 9);
    row("wraps", "0123456789ab", QStringLiteral("0123456789\nab"), 1, 2);
    row("return after the last column", "0123456789\rX", QStringLiteral("X123456789"), 0, 1);
    row("no wrap", "\x1b[?7l0123456789ab", QStringLiteral("012345678b"), 0, 9);
    row("scrolls", "1\r\n2\r\n3\r\n4\r\n5", QStringLiteral("2\n3\n4\n5"), 3, 1);
    row("cursor motion", "\x1b[2;3Hx\x1b[Ay\x1b[5Gz", QStringLiteral("   yz\n  x"), 0, 5);
    row("erase to the end of line", "abcdef\x1b[3D\x1b[K", QStringLiteral("abc"), 0, 3);
    row("erase to the start", "abcdef\x1b[3D\x1b[1K", QStringLiteral("    ef"), 0, 3);
    row("erase display", "ab\r\ncd\x1b[2J", QString(), 1, 2);
    row("erase characters", "abcdef\r\x1b[2X", QStringLiteral("  cdef"), 0, 0);
    row("insert characters", "abcdef\r\x1b[2@", QStringLiteral("  abcdef"), 0, 0);
    row("delete characters", "abcdef\r\x1b[2P", QStringLiteral("cdef"), 0, 0);
    row("insert mode", "abc\r\x1b[4hXY\x1b[4l", QStringLiteral("XYabc"), 0, 2);
    row("insert line", "a\r\nb\r\nc\x1b[2;1H\x1b[L", QStringLiteral("a\n\nb\nc"), 1, 0);
    row("delete line", "a\r\nb\r\nc\x1b[2;1H\x1b[M", QStringLiteral("a\nc"), 1, 0);
    row("reverse index", "a\r\nb\x1b[H\x1bMx", QStringLiteral("x\na\nb"), 0, 1);
    row("save and restore",
        "ab\x1b"
        "7\r\ncd\x1b"
        "8X",
        QStringLiteral("abX\ncd"), 0, 3);
    row("save and restore by csi", "ab\x1b[s\r\ncd\x1b[uX", QStringLiteral("abX\ncd"), 0, 3);
    row("repeat", "ab\x1b[3b", QStringLiteral("abbbb"), 0, 5);
    row("line drawing", "\x1b(0lqk\x1b(Bq", QStringLiteral("\u250c\u2500\u2510q"), 0, 4);
    row("shift out", "\x1b)0\x0eq\x0fq", QStringLiteral("\u2500q"), 0, 2);
    row("wide", "\xe4\xbd\xa0\xe5\xa5\xbd!", QStringLiteral("\u4f60\u597d!"), 0, 5);
    row("combining", "e\xcc\x81x", QStringLiteral("e\u0301x"), 0, 2);
    row("combining after wide", "\xe4\xbd\xa0\xcc\x81x", QStringLiteral("\u4f60\u0301x"), 0, 3);
    row("combining in the last column", "012345678e\xcc\x81", QStringLiteral("012345678e\u0301"), 0, 9);
    row("combining without base", "\xcc\x81x", QStringLiteral("x"), 0, 1);
    row("emoji", "\xf0\x9f\x98\x80x", QStringLiteral("\U0001f600x"), 0, 3);
    row("unknown sequences vanish", "a\x1b[5;3z\x1b[>4;1m\x1b[=1;1u\x1b%Gb", QStringLiteral("ab"), 0, 2);
    row("alignment test", "\x1b#8", QStringLiteral("EEEEEEEEEE\nEEEEEEEEEE\nEEEEEEEEEE\nEEEEEEEEEE"), 0, 0);
    row("full reset",
        "abc\x1b[31m\x1b"
        "c",
        QString(), 0, 0);
    row("origin mode", "\x1b[2;3r\x1b[?6h\x1b[1;1Hx", QStringLiteral("\nx"), 1, 1);
    row("protected cells", "a\x1b[1\"qb\x1b[0\"qc\r\x1b[?K", QStringLiteral(" b"), 0, 0);
}

void TestTerminalEmulator::drawsWhatWasSent()
{
    QFETCH(QByteArray, input);
    QFETCH(QString, expected);
    QFETCH(int, row);
    QFETCH(int, column);
    Emulator emulator(4, 10);
    emulator.feed(input);
    QCOMPARE(gridText(emulator), expected);
    QCOMPARE(emulator.cursor().row, row);
    QCOMPARE(emulator.cursor().column, column);
}

void TestTerminalEmulator::survivesEveryCut_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::newRow("osc, dcs, apc") << QByteArray("a\x1b]2;ti;tle\x1b\\b\x1bP$qm\x1b\\c\x1b_x\x1b\\d\x1b]52;c;aGk=\x07"
                                                 "e");
    QTest::newRow("colours") << QByteArray("\x1b[1;38;2;1;2;3;48:5:200mX\x1b[58;5;9;4:3mY\x1b[0mZ");
    QTest::newRow("unicode") << QByteArray("e\xcc\x81\xe4\xbd\xa0\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb|\xff|");
    QTest::newRow("modes") << QByteArray("\x1b[?1049h\x1b[?2026h\x1b[2 q\x1b[?1004hx\x1b[?1049l\x1b[?2026ly\x1b[3J");
    QTest::newRow("reports") << QByteArray("\x1b[6n\x1b[c\x1b[>c\x1b[?2004$p\x1b]11;?\x07");
    QTest::newRow("link broken off") << QByteArray("\x1b]8;;http://example.com\x1b\\link\x1b]8;;\x1b\r\nnext");
    QTest::newRow("wrapped and scrolled") << QByteArray("0123456789abcdef\r\n").repeated(6);
}

void TestTerminalEmulator::survivesEveryCut()
{
    QFETCH(QByteArray, input);
    Emulator whole(4, 10);
    whole.feed(input);
    whole.finish();
    const QString expected = dump(whole);
    for (qsizetype cut = 1; cut < input.size(); ++cut) {
        Emulator parts(4, 10);
        parts.feed(input.left(cut));
        parts.feed(input.mid(cut));
        parts.finish();
        QCOMPARE(dump(parts), expected);
    }
}

void TestTerminalEmulator::characterSplitAcrossEnvelopesIsWhole()
{
    const QByteArray bytes = QStringLiteral("\U0001f600\u4f60\u2500\u2500").toUtf8();
    Emulator emulator(4, 20);
    for (const char byte : bytes)
        emulator.feed(QByteArray(1, byte));
    QCOMPARE(gridText(emulator), QString::fromUtf8(bytes));
    emulator.feed("\xe2");
    QVERIFY(!gridText(emulator).contains(QChar(0xfffd)));
    emulator.finish();
    QCOMPARE(gridText(emulator).count(QChar(0xfffd)), 1);
}

void TestTerminalEmulator::refusesToReadTheClipboard()
{
    for (const QByteArray &query :
         {QByteArray("\x1b]52;c;?\x07"), QByteArray("\x1b]52;c;?\x1b\\"), QByteArray("\x1b]52;p;?\x07")}) {
        Emulator emulator;
        emulator.feed(query);
        QVERIFY(emulator.takeReplies().isEmpty());
        const EmulatorEvents events = emulator.takeEvents();
        QVERIFY(events.clipboardReadRefused);
        QVERIFY(!events.bell);
        QVERIFY(!events.clipboard);
    }
}

void TestTerminalEmulator::writesTheClipboardBounded()
{
    Emulator emulator;
    emulator.feed("\x1b]52;c;" + QByteArray("hello").toBase64() + "\x07");
    QCOMPARE(emulator.takeEvents().clipboard.value_or(QString()), QStringLiteral("hello"));
    emulator.feed("\x1b]52;c;not base64!\x07\x1b]52;c;\x07");
    QVERIFY(!emulator.takeEvents().clipboard);
    emulator.feed("\x1b]52;c;" + QByteArray(200'000, 'a').toBase64() + "\x07");
    QVERIFY(!emulator.takeEvents().clipboard);
}

void TestTerminalEmulator::titleIsCleanedAndNeverReported()
{
    Emulator emulator;
    emulator.feed("\x1b]2;x; touch /tmp/pwn\x07\x1b[21t\x1b[20t");
    QVERIFY(emulator.takeReplies().isEmpty());
    QCOMPARE(emulator.title(), QStringLiteral("x; touch /tmp/pwn"));
    emulator.feed(QStringLiteral("\x1b]0;a\u202eb\n\tc\u2028d\x07").toUtf8());
    QCOMPARE(emulator.title(), QStringLiteral("abcd"));
    emulator.feed("\x1b]2;" + QByteArray(5000, 'y') + "\x07");
    QCOMPARE(emulator.title().size(), Emulator::MaxTitle);
}

void TestTerminalEmulator::neverRepliesWithTheProgramsWords_data()
{
    QTest::addColumn<QByteArray>("query");
    QTest::newRow("status string") << QByteArray("\x1bP$qtouch /tmp/pwn\r\x1b\\");
    QTest::newRow("terminfo") << QByteArray("\x1bP+q746f756368\x1b\\");
    QTest::newRow("palette") << QByteArray("\x1b]4;1;?touch\x07\x1b]4;touch;?\x07");
    QTest::newRow("answerback") << QByteArray("\x05touch");
    QTest::newRow("rectangle checksum") << QByteArray("touch\x1b[1;1;1;1;5;9*y");
    QTest::newRow("screen copy") << QByteArray("touch\x1b[>0q\x1b[?15n\x1b[?25n");
    QTest::newRow("colour") << QByteArray("\x1b]10;touch\x07\x1b]11;touch;?\x07");
    QTest::newRow("unknown osc") << QByteArray("\x1b]777;notify;touch\x07\x1b]1337;touch\x07");
}

void TestTerminalEmulator::neverRepliesWithTheProgramsWords()
{
    QFETCH(QByteArray, query);
    Emulator emulator;
    emulator.feed(query);
    const QByteArray replies = emulator.takeReplies();
    QVERIFY2(!replies.contains("touch") && !replies.contains('\r') && !replies.contains('\n'), replies.toHex());
}

void TestTerminalEmulator::repliesAreBounded()
{
    Emulator emulator;
    emulator.feed(QByteArray("\x1b[6n").repeated(100'000));
    QVERIFY(emulator.takeReplies().size() <= Emulator::MaxReplies);
    emulator.feed("\x1b[6n");
    QCOMPARE(emulator.takeReplies(), QByteArray("\x1b[1;1R"));
}

void TestTerminalEmulator::brokenHyperlinkDoesNotCrash()
{
    const QByteArray input("\x1b]8;;http://example.com\x1b\\link\x1b]8;;\x1b\r\nnext line");
    for (qsizetype cut = 0; cut <= input.size(); ++cut) {
        Emulator emulator(4, 20);
        emulator.feed(input.left(cut));
        emulator.feed(input.mid(cut));
        QCOMPARE(gridText(emulator), QStringLiteral("link\nnext line"));
    }
}

void TestTerminalEmulator::hyperlinksNameTheirTarget()
{
    Emulator emulator(4, 40);
    emulator.feed("\x1b]8;;https://evil.example/\x1b\\docs\x1b]8;;\x1b\\ see http://plain.example/a(b). ok");
    const long long line = emulator.screen().gridLine();
    const auto docs = linkAt(emulator.screen(), {line, 1});
    QVERIFY(docs);
    QCOMPARE(docs->address, QStringLiteral("https://evil.example/"));
    QVERIFY(docs->hidden);
    QCOMPARE(textOf(emulator.screen(), docs->range), QStringLiteral("docs"));
    const auto plain = linkAt(emulator.screen(), {line, 12});
    QVERIFY(plain);
    QCOMPARE(plain->address, QStringLiteral("http://plain.example/a(b)"));
    QVERIFY(!plain->hidden);
    QVERIFY(!linkAt(emulator.screen(), {line, 5}));

    struct
    {
        QByteArray target;
        bool opens;
    } const cases[] = {{"file:///bin/sh", false},
                       {"javascript:x", false},
                       {"ssh://h", false},
                       {"https://user:pw@h", false},
                       {"https://h/\xe2\x80\xae"
                        "x",
                        false},
                       {"https://h/", true},
                       {"mailto:a@b.example", true},
                       {"http://", false},
                       {"HTTPS://H/x", true}};
    for (const auto &one : cases) {
        Emulator fresh;
        fresh.feed("\x1b]8;;" + one.target + "\x1b\\docs\x1b]8;;\x1b\\");
        const auto link = linkAt(fresh.screen(), {fresh.screen().gridLine(), 0});
        QCOMPARE(link && mayOpen(link->address), one.opens);
    }
}

void TestTerminalEmulator::impossibleMarginsAreHarmless()
{
    Emulator emulator;
    emulator.feed("top\r\n\x1b[10;9r\x1b[S\x1b[0;0r\x1b[T\x1b[999;1000r\n\x1b[5;5r\n\x1b[65535;65535r\x1b[9999L"
                  "\x1b[65535@\x1b[65535P\x1b[65535X\x1b[65535S\x1b[65535T\x1b[65535;65535H\x1b[65535M");
    emulator.feed("\x1b[r\x1b[H\x1b[2Jdone");
    QCOMPARE(gridText(emulator), QStringLiteral("done"));
}

void TestTerminalEmulator::fastResizingSurvives()
{
    Emulator emulator(24, 80);
    QRandomGenerator random(7);
    for (int i = 0; i < 1000; ++i) {
        emulator.feed(QStringLiteral("line %1 \u4f60\u597d\U0001f600 with some more text e\u0301\r\n").arg(i).toUtf8());
        if (i % 50 == 10)
            emulator.feed("\x1b[?1049h\x1b[2;5rfull screen\x1b[999;999Hx");
        if (i % 50 == 30)
            emulator.feed("\x1b[?1049l");
        if (i % 100 == 99)
            emulator.resize(12, 1);
        emulator.resize(random.bounded(1, 61), random.bounded(1, 201));
        QVERIFY(emulator.cursor().row < emulator.rows() && emulator.cursor().column < emulator.columns());
    }
    emulator.feed("\x1b[?1049l\r\nlast words");
    emulator.resize(24, 80);
    QVERIFY(allText(emulator.screen()).endsWith(QStringLiteral("last words")));
    QVERIFY(allText(emulator.screen()).contains(QStringLiteral("line 700 ")));
}

void TestTerminalEmulator::clearDropsTheScrollbackOnlyWhenAsked()
{
    Emulator emulator(24, 80);
    for (int i = 0; i < 200; ++i)
        emulator.feed("line\r\n");
    QVERIFY(emulator.screen().historySize() > 100);
    emulator.feed("\x1b[2J");
    QVERIFY(emulator.screen().historySize() > 100);
    emulator.feed("\x1b[H\x1b[2J\x1b[3J");
    QCOMPARE(emulator.screen().historySize(), 0);
    QCOMPARE(gridText(emulator), QString());
}

void TestTerminalEmulator::cursorShapeReturnsToTheUsersChoice_data()
{
    QTest::addColumn<QByteArray>("restore");
    QTest::newRow("0") << QByteArray("\x1b[0 q");
    QTest::newRow("none") << QByteArray("\x1b[ q");
    QTest::newRow("soft reset") << QByteArray("\x1b[!p");
    QTest::newRow("full reset") << QByteArray("\x1b"
                                              "c");
}

void TestTerminalEmulator::cursorShapeReturnsToTheUsersChoice()
{
    QFETCH(QByteArray, restore);
    Emulator emulator;
    emulator.setDefaultCursorStyle({CursorShape::Bar, true});
    QCOMPARE(emulator.cursorStyle().shape, CursorShape::Bar);
    emulator.feed("\x1b[2 q");
    QCOMPARE(emulator.cursorStyle(), (CursorStyle{CursorShape::Block, false}));
    emulator.feed("\x1b[1 q");
    QCOMPARE(emulator.cursorStyle(), (CursorStyle{CursorShape::Block, true}));
    emulator.feed(restore);
    QCOMPARE(emulator.cursorStyle(), (CursorStyle{CursorShape::Bar, true}));
}

void TestTerminalEmulator::wideCharacterWrapsAtTheMargin()
{
    Emulator emulator(4, 5);
    emulator.feed("abcd\xe4\xbd\xa0x");
    QCOMPARE(gridText(emulator), QStringLiteral("abcd\n\u4f60x"));
    QCOMPARE(allText(emulator.screen()), QStringLiteral("abcd\u4f60x"));
}

void TestTerminalEmulator::wideCharacterWithoutWrapIsDropped()
{
    Emulator emulator(4, 5);
    emulator.feed("\x1b[?7labcd\xe4\xbd\xa0x");
    QCOMPARE(gridText(emulator), QStringLiteral("abcdx"));
    Emulator narrow(4, 1);
    narrow.feed("\xe4\xbd\xa0x");
    QCOMPARE(gridText(narrow), QStringLiteral("x"));
}

void TestTerminalEmulator::newSessionStartsWithoutOldModes()
{
    Emulator emulator(4, 20);
    emulator.feed("old text\r\n\x1b[?1000;1002;1003;1006;1004;2004;1h\x1b[?25l\x1b=\x1b[2;3r\x1b[4 q\x1b(0"
                  "\x1b[?1049h\x1b[31mfull screen\x1b]2;title\x07\x1b]8;;http://x/\x07\x1b[6n\x1b[3");
    emulator.startNewSession();
    QCOMPARE(emulator.modes(), Modes());
    QVERIFY(emulator.takeReplies().isEmpty());
    QCOMPARE(emulator.title(), QString());
    QVERIFY(emulator.focusReport(true).isEmpty());
    QCOMPARE(emulator.cursorStyle(), CursorStyle());
    emulator.feed("1mqnew");
    QCOMPARE(gridText(emulator), QStringLiteral("1mqnew"));
    QCOMPARE(styleAt(emulator, 0, 2), Style());
    QVERIFY(allText(emulator.screen()).startsWith(QStringLiteral("old text")));
}

void TestTerminalEmulator::modesAreReported()
{
    Emulator emulator;
    emulator.feed("\x1b[?2026$p\x1b[?2026h\x1b[?2026$p\x1b[?31337$p\x1b[4$p");
    QCOMPARE(emulator.takeReplies(), QByteArray("\x1b[?2026;2$y\x1b[?2026;1$y\x1b[?31337;0$y\x1b[4;2$y"));
}

void TestTerminalEmulator::severalModesInOneSequence()
{
    Emulator emulator;
    emulator.feed("\x1b[?1002;1006;2004h");
    QCOMPARE(emulator.modes().mouse, MouseTracking::Drag);
    QCOMPARE(emulator.modes().mouseEncoding, MouseEncoding::Sgr);
    QVERIFY(emulator.modes().bracketedPaste);
    emulator.feed("\x1b[?1002;1006;2004l");
    QCOMPARE(emulator.modes(), Modes());
}

void TestTerminalEmulator::colours_data()
{
    QTest::addColumn<QByteArray>("sgr");
    QTest::addColumn<Style>("expected");
    const auto style = [](Color foreground, Color background, unsigned attributes = 0) {
        return Style{foreground, background, static_cast<std::uint16_t>(attributes)};
    };
    QTest::newRow("16") << QByteArray("31;42") << style(Color::indexed(1), Color::indexed(2));
    QTest::newRow("bright") << QByteArray("91;102") << style(Color::indexed(9), Color::indexed(10));
    QTest::newRow("256") << QByteArray("38;5;200;48;5;17") << style(Color::indexed(200), Color::indexed(17));
    QTest::newRow("256 by colons") << QByteArray("38:5:200") << style(Color::indexed(200), {});
    QTest::newRow("true") << QByteArray("38;2;1;2;3;48;2;4;5;6") << style(Color::rgb(1, 2, 3), Color::rgb(4, 5, 6));
    QTest::newRow("true by colons") << QByteArray("38:2:1:2:3") << style(Color::rgb(1, 2, 3), {});
    QTest::newRow("true with colour space") << QByteArray("38:2::1:2:3") << style(Color::rgb(1, 2, 3), {});
    QTest::newRow("too large") << QByteArray("38;2;999;0;0") << style(Color::rgb(255, 0, 0), {});
    QTest::newRow("cut short") << QByteArray("1;38;2;5") << style({}, {}, Bold);
    QTest::newRow("attributes") << QByteArray("1;2;3;5;7;8;9;53")
                                << style({}, {}, Bold | Faint | Italic | Blink | Inverse | Conceal | Strike | Overline);
    QTest::newRow("off again") << QByteArray("1;2;3;5;7;8;9;53;22;23;25;27;28;29;55") << style({}, {});
    QTest::newRow("curly") << QByteArray("4:3") << style({}, {}, 3U << UnderlineShift);
    QTest::newRow("double") << QByteArray("21") << style({}, {}, 2U << UnderlineShift);
    QTest::newRow("no underline") << QByteArray("4;4:0") << style({}, {});
    QTest::newRow("unknown with subparameters") << QByteArray("77:1:4;1") << style({}, {}, Bold);
    QTest::newRow("reset") << QByteArray("1;31;0") << style({}, {});
    QTest::newRow("default") << QByteArray("31;42;39;49") << style({}, {});
}

void TestTerminalEmulator::colours()
{
    QFETCH(QByteArray, sgr);
    QFETCH(Style, expected);
    Emulator emulator;
    emulator.feed("\x1b[" + sgr + "mX");
    QVERIFY(styleAt(emulator, 0, 0) == expected);
}

void TestTerminalEmulator::underlineColourIsNeitherBlinkNorStrike()
{
    Emulator emulator;
    emulator.feed("\x1b[58;5;9mX\x1b[4:3mY\x1b[59mZ");
    QCOMPARE(styleAt(emulator, 0, 0).attributes, std::uint16_t(0));
    QCOMPARE(styleAt(emulator, 0, 1).underline(), UnderlineStyle::Curly);
    QVERIFY(emulator.screen().extra(emulator.screen().cell({0, 1})).underline == Color::indexed(9));
    QVERIFY(emulator.screen().extra(emulator.screen().cell({0, 2})).underline.isDefault());
}

void TestTerminalEmulator::combiningMarksAreBounded()
{
    Emulator emulator;
    emulator.feed("e" + QByteArray("\xcc\x81").repeated(1'000'000) + "x");
    QVERIFY(emulator.screen().text(emulator.screen().cell({0, 0})).size() <= 16);
    QCOMPARE(emulator.cursor().column, 2);
}

void TestTerminalEmulator::linksBeyondNumberDoNotPointElsewhere()
{
    Emulator emulator(24, 80, 200);
    for (int i = 0; i < 150'000; ++i)
        emulator.feed("\x1b]8;;http://h/" + QByteArray::number(i) + "\x07" + QByteArray::number(i) +
                      "\x1b]8;;\x07\r\n");
    int links = 0;
    const Screen &screen = emulator.screen();
    for (long long line = screen.firstLine(); line < screen.endLine(); ++line)
        if (const auto link = linkAt(screen, {line, 0})) {
            QCOMPARE(link->address, QStringLiteral("http://h/") + textOf(screen, link->range));
            ++links;
        }
    QVERIFY(links > 100);
}

void TestTerminalEmulator::overwritingHalfOfAWideCharacterBlanksTheOther()
{
    Emulator emulator(4, 10);
    emulator.feed("\xe4\xbd\xa0\xe5\xa5\xbd\x1b[2Gx");
    QCOMPARE(gridText(emulator), QStringLiteral(" x\u597d"));
    emulator.feed("\x1b[3Gy");
    QCOMPARE(gridText(emulator), QStringLiteral(" xy"));
    emulator.feed("\r\x1b[2K\xe4\xbd\xa0\xe5\xa5\xbd\x1b[2G\x1b[X");
    QCOMPARE(gridText(emulator), QStringLiteral("  \u597d"));
    emulator.feed("\x1b[4G\x1b[P!");
    QCOMPARE(gridText(emulator), QStringLiteral("   !"));
}

void TestTerminalEmulator::alternateScreenKeepsTheMainOne()
{
    Emulator emulator(4, 10);
    emulator.feed("one\r\ntwo\x1b[?1049hfull\x1b[Hscreen");
    QCOMPARE(grid(emulator).value(0), QStringLiteral("screen"));
    QCOMPARE(emulator.screen().historySize(), 0);
    emulator.resize(6, 5);
    emulator.resize(4, 10);
    emulator.feed("\x1b[?1049l!");
    QCOMPARE(gridText(emulator), QStringLiteral("one\ntwo!"));
}

void TestTerminalEmulator::restoringTheCursorWithoutSavingShowsIt()
{
    Emulator emulator;
    emulator.feed("abc\x1b"
                  "8\x1b[?1049l\x1b[u");
    QVERIFY(emulator.modes().cursorVisible);
}

void TestTerminalEmulator::scrollbackIsBounded()
{
    Emulator emulator(24, 80, 500);
    for (int i = 0; i < 5000; ++i)
        emulator.feed(QByteArray::number(i) + "\r\n");
    QCOMPARE(emulator.screen().historySize(), 500);
    QCOMPARE(emulator.screen().firstLine(), 5000 - 500 - 23);
    QVERIFY(allText(emulator.screen()).startsWith(QStringLiteral("4477\n")));
    // Very wide lines are bounded by memory instead.
    Emulator wide(10, 2000, 100'000);
    const QByteArray line(2000, 'w');
    for (int i = 0; i < 5000; ++i)
        wide.feed(line + "\r\n");
    QVERIFY(static_cast<std::size_t>(wide.screen().historySize()) * 2000 <= History::MaxCells);
}

void TestTerminalEmulator::scrollRegionKeepsLinesOutside()
{
    Emulator emulator(4, 10);
    emulator.feed("1\r\n2\r\n3\r\n4\x1b[2;3r\x1b[3;1H\na");
    QCOMPARE(gridText(emulator), QStringLiteral("1\n3\na\n4"));
    QCOMPARE(emulator.screen().historySize(), 0);
}

void TestTerminalEmulator::damageNamesOnlyChangedLines()
{
    Emulator emulator(10, 20);
    emulator.takeDamage();
    emulator.feed("\x1b[3;1Hx\x1b[4;1Hy\x1b[8;1Hz");
    Damage damage = emulator.takeDamage();
    QVERIFY(!damage.everything);
    const auto touched = [&damage](int row) {
        return std::any_of(damage.rows.begin(), damage.rows.end(),
                           [row](const auto &range) { return range.first <= row && row <= range.second; });
    };
    QVERIFY(touched(2) && touched(3) && touched(7));
    QVERIFY(!touched(5) && !touched(9));
    QVERIFY(emulator.takeDamage().isEmpty());
    emulator.feed("\x1b[10;1H\n\n");
    damage = emulator.takeDamage();
    QCOMPARE(damage.scrolled, 2);
    emulator.resize(11, 20);
    QVERIFY(emulator.takeDamage().everything);
}

void TestTerminalEmulator::synchronisedOutputIsAMode()
{
    Emulator emulator;
    emulator.feed("\x1b[?2026hhalf");
    QVERIFY(emulator.modes().synchronizedOutput);
    emulator.feed("\x1b[?2026l");
    QVERIFY(!emulator.modes().synchronizedOutput);
    emulator.feed("\x1b[?2026h");
    emulator.endSynchronizedOutput();
    QVERIFY(!emulator.modes().synchronizedOutput);
}

void TestTerminalEmulator::focusIsReportedOnlyOnRequest()
{
    Emulator emulator;
    QVERIFY(emulator.focusReport(true).isEmpty());
    emulator.feed("\x1b[?1004h");
    QCOMPARE(emulator.focusReport(true), QByteArray("\x1b[I"));
    QCOMPARE(emulator.focusReport(false), QByteArray("\x1b[O"));
}

void TestTerminalEmulator::randomBytesDoNoHarm()
{
    // The fuzz target does this for longer; here it is part of every run, sanitized ones included.
    QRandomGenerator random(11);
    static const QByteArray alphabet(
        "\x1b\x1b\x1b[[]];;::??0123456789hlmHJKLMPX@rstuSTbfq !\"$'\\\x07\r\n\t\bPab\xe4\xbd\xa0"
        "\xcc\x81\xf0\x9f\x98\x80\xff");
    for (int round = 0; round < 60; ++round) {
        Emulator emulator(random.bounded(1, 30), random.bounded(1, 100), 100);
        for (int chunk = 0; chunk < 20; ++chunk) {
            QByteArray bytes;
            for (int i = 0; i < 2000; ++i)
                bytes += alphabet.at(random.bounded(static_cast<int>(alphabet.size())));
            emulator.feed(bytes);
            if (chunk % 5 == 4)
                emulator.resize(random.bounded(1, 40), random.bounded(1, 120));
            QVERIFY(emulator.cursor().row >= 0 && emulator.cursor().row < emulator.rows());
            QVERIFY(emulator.cursor().column >= 0 && emulator.cursor().column < emulator.columns());
            QVERIFY(emulator.takeReplies().size() <= Emulator::MaxReplies);
            for (int row = 0; row < emulator.rows(); ++row)
                QVERIFY(emulator.screen().row(row).size <= emulator.columns());
            QVERIFY(allText(emulator.screen()).size() < 1'000'000);
        }
        emulator.finish();
    }
}

QTEST_GUILESS_MAIN(TestTerminalEmulator)
#include "tst_terminal_emulator.moc"
