// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/terminal/tokenizer.h"

#include <QTest>

using namespace boxdeck::terminal;

namespace {

/// Writes down what it is given, in a form that does not depend on how text was cut.
class Recorder final : public TokenSink
{
public:
    QByteArray log;

    void onAscii(const char *bytes, std::size_t size) override { log.append(bytes, static_cast<qsizetype>(size)); }
    void onText(const char32_t *characters, std::size_t size) override
    {
        for (std::size_t i = 0; i < size; ++i)
            log += "<U+" + QByteArray::number(characters[i], 16) + ">";
    }
    void onControl(char control) override { log += "<" + QByteArray::number(control, 16) + ">"; }
    void onEscape(char intermediate, char final) override
    {
        log += "<ESC";
        if (intermediate)
            log += intermediate;
        log += final;
        log += '>';
    }
    void onControlSequence(const ControlSequence &sequence) override
    {
        log += "<CSI";
        if (sequence.leader)
            log += sequence.leader;
        for (int i = 0; i < sequence.count; ++i) {
            if (i > 0)
                log += sequence.isSubparameter(i) ? ':' : ';';
            if (const int value = sequence.at(i, ControlSequence::Missing); value != ControlSequence::Missing)
                log += QByteArray::number(value);
        }
        if (sequence.intermediate)
            log += sequence.intermediate;
        log += sequence.final;
        log += '>';
    }
    void onOsc(std::string_view body) override { log += "<OSC " + bytes(body) + ">"; }
    void onDcs(std::string_view body) override { log += "<DCS " + bytes(body) + ">"; }

private:
    static QByteArray bytes(std::string_view body)
    {
        return QByteArray(body.data(), static_cast<qsizetype>(body.size()));
    }
};

QByteArray tokens(const QList<QByteArray> &pieces)
{
    Tokenizer tokenizer;
    Recorder recorder;
    for (const QByteArray &piece : pieces)
        tokenizer.feed(piece.constData(), static_cast<std::size_t>(piece.size()), recorder);
    tokenizer.finish(recorder);
    return recorder.log;
}

} // namespace

class TestTerminalTokenizer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void givesTheSameWhereverItIsCut_data();
    void givesTheSameWhereverItIsCut();
    void swallowsWhatIsTooLong();
    void acceptsTheLongestString();
    void unfinishedCharacterAtTheEndBecomesOneReplacement();
    void unfinishedSequenceAtTheEndIsDropped();
};

void TestTerminalTokenizer::givesTheSameWhereverItIsCut_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const QByteArray &input, const QByteArray &expected) {
        QTest::newRow(name) << input << expected;
    };
    row("plain", "hello, world 0123456789", "hello, world 0123456789");
    row("controls", QByteArray("a\r\n\tb\0\x7f\x07", 8), "a<d><a><9>b<7>");
    row("csi", "\x1b[1;31mred\x1b[m", "<CSI1;31m>red<CSIm>");
    row("empty parameters", "\x1b[;5H", "<CSI;5H>");
    row("subparameters", "\x1b[4:3m\x1b[58:2::1:2:3m", "<CSI4:3m><CSI58:2::1:2:3m>");
    row("private", "\x1b[?1049;2004h", "<CSI?1049;2004h>");
    row("intermediate", "\x1b[0 q\x1b[!p", "<CSI0 q><CSI!p>");
    row("control inside a sequence", "\x1b[3\n1m", "<a><CSI31m>");
    row("escape begins anew", "\x1b[31\x1b[32mx", "<CSI32m>x");
    row("cancelled", "\x1b[31\x18mx", "mx");
    row("huge number", "\x1b[99999999999999999999C", "<CSI65535C>");
    row("leader in the wrong place", "\x1b[1?hx", "x");
    row("parameter behind an intermediate", "\x1b[ 1qx", "x");
    row("byte above ASCII ends a sequence", "\x1b[3\xc3\xa4", "<U+e4>");
    row("escapes",
        "\x1b"
        "7\x1b(0\x1b#8",
        "<ESC7><ESC(0><ESC#8>");
    row("osc with bel", "\x1b]2;title\x07x", "<OSC 2;title>x");
    row("osc with st", "\x1b]8;;http://a/\x1b\\x", "<OSC 8;;http://a/>x");
    row("osc holds utf-8", "\x1b]2;\xc3\x9c\xe2\x80\x9c\x07", "<OSC 2;\xc3\x9c\xe2\x80\x9c>");
    row("osc broken by another sequence", "\x1b]2;title\x1b[31mx", "<CSI31m>x");
    row("osc broken by a bare escape and a line end", "\x1b]8;;\x1b\r\nnext", "<d><a>next");
    row("osc cancelled", "\x1b]2;rm -rf\x18x", "x");
    row("dcs", "\x1bP$qm\x1b\\x", "<DCS $qm>x");
    row("apc, pm and sos are swallowed", "\x1b_a\x1b\\\x1b^b\x1b\\\x1bXc\x1b\\x", "x");
    row("utf-8 of every length", "\xc3\xa4\xe2\x94\x80\xf0\x9f\x98\x80", "<U+e4><U+2500><U+1f600>");
    row("combining mark", "e\xcc\x81x", "e<U+301>x");
    row("overlong", "\xc0\xafx", "<U+fffd><U+fffd>x");
    row("overlong of three", "\xe0\x80\xafx", "<U+fffd><U+fffd><U+fffd>x");
    row("surrogate", "\xed\xa0\x80x", "<U+fffd><U+fffd><U+fffd>x");
    row("beyond unicode", "\xf4\x90\x80\x80x", "<U+fffd><U+fffd><U+fffd><U+fffd>x");
    row("lone continuation", "\x80x", "<U+fffd>x");
    row("broken off by ascii", "\xe2\x94x", "<U+fffd>x");
    row("broken off by an escape", "\xf0\x9f\x1b[31mx", "<U+fffd><CSI31m>x");
    row("broken off by a new character", "\xe2\x94\xc3\xa4", "<U+fffd><U+e4>");
    row("c1 controls are not controls",
        "\xc2\x9b"
        "31mx",
        "31mx");
    row("delete inside a sequence",
        "\x1b[3\x7f"
        "1m",
        "<CSI31m>");
    row("more parameters than there is room for", "\x1b[" + QByteArray("1;").repeated(40) + "1mx", "x");
}

void TestTerminalTokenizer::givesTheSameWhereverItIsCut()
{
    QFETCH(QByteArray, input);
    QFETCH(QByteArray, expected);
    QCOMPARE(tokens({input}), expected);
    for (qsizetype cut = 1; cut < input.size(); ++cut)
        QCOMPARE(tokens({input.left(cut), input.mid(cut)}), expected);
    QList<QByteArray> single;
    for (const char byte : input)
        single.append(QByteArray(1, byte));
    QCOMPARE(tokens(single), expected);
}

void TestTerminalTokenizer::swallowsWhatIsTooLong()
{
    const QByteArray body(static_cast<qsizetype>(Tokenizer::MaxStringBytes) + 1, 'a');
    QCOMPARE(tokens({"\x1b]52;c;", body, body, "\x07x"}), QByteArray("x"));
    QCOMPARE(tokens({"\x1bP", body, body, "\x1b\\x"}), QByteArray("x"));
}

void TestTerminalTokenizer::acceptsTheLongestString()
{
    const QByteArray body(static_cast<qsizetype>(Tokenizer::MaxStringBytes), 'a');
    QCOMPARE(tokens({"\x1b]", body, "\x07x"}), "<OSC " + body + ">x");
}

void TestTerminalTokenizer::unfinishedCharacterAtTheEndBecomesOneReplacement()
{
    QCOMPARE(tokens({"a\xe2"}), QByteArray("a<U+fffd>"));
    QCOMPARE(tokens({"a\xf0\x9f\x98"}), QByteArray("a<U+fffd>"));
}

void TestTerminalTokenizer::unfinishedSequenceAtTheEndIsDropped()
{
    QCOMPARE(tokens({"a\x1b[31"}), QByteArray("a"));
    QCOMPARE(tokens({"a\x1b]2;x"}), QByteArray("a"));
}

QTEST_GUILESS_MAIN(TestTerminalTokenizer)
#include "tst_terminal_tokenizer.moc"
