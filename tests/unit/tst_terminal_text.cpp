// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/terminal/emulator.h"
#include "backend/terminal/text_query.h"
#include "backend/terminal/unicode_width.h"

#include <QTest>

using namespace boxdeck::terminal;

/// Reading the screen: copying, words, finding, and what a new width does to all of it.
class TestTerminalText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void copyOfAWrappedLineIsOneLine();
    void copyRectangle();
    void copyOfPart();
    void words_data();
    void words();
    void wordAcrossAWrap();
    void wholeLine();
    void finds();
    void reflowJoinsAndCuts();
    void reflowKeepsWideCharactersWhole();
    void reflowKeepsTheCursorOnItsCharacter();
    void growingBringsScrollbackBack();
    void clearedScreenStaysClearWhenTheWidthChanges();
    void widths_data();
    void widths();
};

namespace {

QString everything(const Emulator &emulator)
{
    return allText(emulator.screen());
}

} // namespace

void TestTerminalText::copyOfAWrappedLineIsOneLine()
{
    const QByteArray word(55, 'a');
    Emulator emulator(6, 20);
    emulator.feed(word + "\r\none\r\ntwo");
    const QString expected = QString::fromLatin1(word) + QStringLiteral("\none\ntwo");
    QCOMPARE(everything(emulator), expected);
    emulator.feed(QByteArray("\r\n").repeated(10));
    QVERIFY(emulator.screen().historySize() > 4);
    QCOMPARE(everything(emulator), expected);
}

void TestTerminalText::copyRectangle()
{
    Emulator emulator(4, 20);
    emulator.feed("abcdef\r\nghijkl\r\nmn");
    const long long line = emulator.screen().gridLine();
    QCOMPARE(textOf(emulator.screen(), {{line, 1}, {line + 2, 4}}, true), QStringLiteral("bcd\nhij\nn"));
}

void TestTerminalText::copyOfPart()
{
    Emulator emulator(4, 20);
    emulator.feed("abc   \r\ndef");
    const long long line = emulator.screen().gridLine();
    QCOMPARE(textOf(emulator.screen(), {{line, 1}, {line + 1, 2}}), QStringLiteral("bc\nde"));
    QCOMPARE(textOf(emulator.screen(), {{line, 1}, {line, 1}}), QString());
}

void TestTerminalText::words_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("expected");
    QTest::newRow("word") << QStringLiteral("one two three") << 5 << QStringLiteral("two");
    QTest::newRow("path") << QStringLiteral("open ~/a-b/c_d.txt: no") << 8 << QStringLiteral("~/a-b/c_d.txt");
    QTest::newRow("with a line number") << QStringLiteral("main.c:12: error") << 2 << QStringLiteral("main.c");
    QTest::newRow("punctuation") << QStringLiteral("a ((( b") << 3 << QStringLiteral("(((");
    QTest::newRow("letters") << QStringLiteral("\u00fcber \u4f60\u597d!") << 6 << QStringLiteral("\u4f60\u597d");
    QTest::newRow("second half of a wide one")
        << QStringLiteral("\u4f60\u597d!") << 3 << QStringLiteral("\u4f60\u597d");
    QTest::newRow("nothing") << QStringLiteral("ab") << 10 << QString();
}

void TestTerminalText::words()
{
    QFETCH(QString, line);
    QFETCH(int, column);
    QFETCH(QString, expected);
    Emulator emulator(4, 40);
    emulator.feed(line.toUtf8());
    QCOMPARE(textOf(emulator.screen(), wordAt(emulator.screen(), {emulator.screen().gridLine(), column})), expected);
}

void TestTerminalText::wordAcrossAWrap()
{
    Emulator emulator(4, 10);
    emulator.feed("see abcdefghijklmno now");
    const long long line = emulator.screen().gridLine();
    QCOMPARE(textOf(emulator.screen(), wordAt(emulator.screen(), {line + 1, 2})), QStringLiteral("abcdefghijklmno"));
}

void TestTerminalText::wholeLine()
{
    Emulator emulator(4, 10);
    emulator.feed("first\r\nsee abcdefghijklmno now\r\nlast");
    const long long line = emulator.screen().gridLine();
    QCOMPARE(textOf(emulator.screen(), logicalLineAt(emulator.screen(), {line + 2, 2})),
             QStringLiteral("see abcdefghijklmno now"));
}

void TestTerminalText::finds()
{
    Emulator emulator(4, 10);
    emulator.feed("needle one\r\nxx Nee");
    emulator.feed("dle two\r\nthree\r\nfour\r\nfive\r\nneedle");
    const Screen &screen = emulator.screen();
    const auto first = findText(screen, QStringLiteral("needle"), {screen.firstLine(), 0}, true);
    QVERIFY(first);
    QCOMPARE(first->begin, (TextPosition{screen.firstLine(), 0}));
    const auto second = findText(screen, QStringLiteral("needle"), first->end, true);
    QVERIFY(second);
    QCOMPARE(textOf(screen, *second), QStringLiteral("Needle"));
    const auto third = findText(screen, QStringLiteral("needle"), second->end, true);
    QVERIFY(third);
    QVERIFY(!findText(screen, QStringLiteral("needle"), third->end, true));
    QCOMPARE(findText(screen, QStringLiteral("needle"), third->begin, false).value_or(TextRange{}), *second);
    QCOMPARE(findText(screen, QStringLiteral("needle"), second->begin, false).value_or(TextRange{}), *first);
    QVERIFY(!findText(screen, QStringLiteral("needle"), first->begin, false));
    QVERIFY(!findText(screen, QStringLiteral("Needle"), second->end, true, Qt::CaseSensitive));
}

void TestTerminalText::reflowJoinsAndCuts()
{
    const QByteArray text = "0123456789abcdefghij0123456789\r\nshort\r\n\r\n$ ";
    Emulator emulator(10, 80);
    emulator.feed(text);
    const QString before = everything(emulator);
    for (const int width : {7, 30, 29, 31, 1, 2, 200, 80}) {
        emulator.resize(10, width);
        QCOMPARE(everything(emulator), before);
    }
    QCOMPARE(emulator.cursor(), (GridPosition{3, 2}));
}

void TestTerminalText::reflowKeepsWideCharactersWhole()
{
    Emulator emulator(10, 20);
    const QString text = QStringLiteral("a\u4f60\u597d\u4e16\u754cb\U0001f600c");
    emulator.feed(text.toUtf8());
    for (const int width : {2, 3, 4, 5, 6, 7, 20}) {
        emulator.resize(10, width);
        QCOMPARE(everything(emulator), text);
        for (int row = 0; row < 10; ++row) {
            const LineView line = emulator.screen().row(row);
            if (line.size > 0) {
                QVERIFY((line.cells[line.size - 1].style.attributes & Wide) == 0);
                QVERIFY((line.cells[0].style.attributes & WideTail) == 0);
            }
        }
    }
}

void TestTerminalText::reflowKeepsTheCursorOnItsCharacter()
{
    Emulator emulator(10, 20);
    emulator.feed("0123456789abcdefghijABC\x1b[1;6H");
    for (const int width : {3, 7, 50, 20}) {
        emulator.resize(10, width);
        QCOMPARE(emulator.screen().cell(emulator.cursor()).code, U'5');
    }
}

void TestTerminalText::growingBringsScrollbackBack()
{
    Emulator emulator(5, 20);
    for (int i = 1; i <= 10; ++i)
        emulator.feed(QByteArray::number(i) + (i < 10 ? "\r\n" : ""));
    emulator.resize(8, 20);
    QCOMPARE(emulator.screen().historySize(), 2);
    QCOMPARE(emulator.cursor().row, 7);
    emulator.resize(3, 20);
    QCOMPARE(emulator.screen().historySize(), 7);
    QCOMPARE(emulator.screen().cell({2, 0}).code, U'1');
    QCOMPARE(emulator.cursor(), (GridPosition{2, 2}));
}

void TestTerminalText::clearedScreenStaysClearWhenTheWidthChanges()
{
    Emulator emulator(5, 20);
    for (int i = 1; i <= 10; ++i)
        emulator.feed(QByteArray::number(i) + "\r\n");
    emulator.feed("\x1b[H\x1b[2J$ ");
    emulator.resize(5, 30);
    QCOMPARE(emulator.cursor(), (GridPosition{0, 2}));
    QCOMPARE(emulator.screen().row(1).size, 0);
    emulator.resize(9, 30);
    QCOMPARE(emulator.cursor(), (GridPosition{0, 2}));
}

void TestTerminalText::widths_data()
{
    QTest::addColumn<uint>("character");
    QTest::addColumn<int>("width");
    QTest::newRow("letter") << 0x41U << 1;
    QTest::newRow("umlaut") << 0xe4U << 1;
    QTest::newRow("soft hyphen") << 0xadU << 1;
    QTest::newRow("control") << 0x85U << -1;
    QTest::newRow("combining") << 0x301U << 0;
    QTest::newRow("box") << 0x2500U << 1;
    QTest::newRow("han") << 0x4f60U << 2;
    QTest::newRow("hangul") << 0xac00U << 2;
    QTest::newRow("jamo vowel") << 0x1161U << 0;
    QTest::newRow("fullwidth") << 0xff21U << 2;
    QTest::newRow("emoji") << 0x1f600U << 2;
    QTest::newRow("check mark emoji") << 0x2705U << 2;
    QTest::newRow("joiner") << 0x200dU << 0;
    QTest::newRow("variation selector") << 0xfe0fU << 0;
    QTest::newRow("extension b") << 0x20000U << 2;
    QTest::newRow("replacement") << 0xfffdU << 1;
    QTest::newRow("last") << 0x10ffffU << 1;
}

void TestTerminalText::widths()
{
    QFETCH(uint, character);
    QTEST(characterWidth(character), "width");
}

QTEST_GUILESS_MAIN(TestTerminalText)
#include "tst_terminal_text.moc"
