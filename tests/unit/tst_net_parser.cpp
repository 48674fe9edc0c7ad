// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/response_parser.h"

#include <QTest>

using namespace boxdeck::net;
using namespace Qt::StringLiterals;
using State = ResponseParser::State;

class TestNetParser : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answers_data();
    void answers();
    void bodyIsReadInAnyPieces();
    void keptConnections_data();
    void keptConnections();
};

void TestNetParser::answers_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<State>("open");   // before the peer closes
    QTest::addColumn<State>("closed"); // after
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char *name, const char *bytes, State open, State closed, int status, const char *body) {
        QTest::newRow(name) << QByteArray(bytes) << open << closed << status << QByteArray(body);
    };
    row("counted", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", State::Done, State::Done, 200, "hello");
    row("counted, cut", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", State::Body, State::Body, 200, "hell");
    row("empty", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", State::Done, State::Done, 200, "");
    row("no reason phrase", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", State::Done, State::Done, 200, "");
    row("204", "HTTP/1.1 204 No Content\r\n\r\n", State::Done, State::Done, 204, "");
    row("304 with a length", "HTTP/1.1 304 Not\r\nContent-Length: 9\r\n\r\n", State::Done, State::Done, 304, "");
    row("until close", "HTTP/1.0 200 OK\r\n\r\nhello", State::Body, State::Done, 200, "hello");
    row("bare line feeds", "HTTP/1.1 200 OK\nContent-Length: 2\n\nhi", State::Done, State::Done, 200, "hi");
    row("continue first", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nhi",
        State::Done, State::Done, 201, "hi");
    row("chunked", "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
        State::Done, State::Done, 200, "abcde");
    row("chunked with trailers",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n0\r\nX: y\r\n\r\n", State::Done,
        State::Done, 200, "0123456789");
    row("no last chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", State::Body, State::Body,
        200, "abc");
    row("no end of trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", State::Body, State::Body,
        200, "");
    row("cut head", "HTTP/1.1 200 OK\r\nContent-Le", State::Head, State::Head, 200, "");
    row("nothing", "", State::Head, State::Head, 0, "");
    const auto broken = [&](const char *name, const char *bytes) {
        QTest::newRow(name) << QByteArray(bytes) << State::Broken << State::Broken << -1 << QByteArray();
    };
    broken("garbage", "\x15\x03\x01 hello\n");
    broken("other protocol", "SSH-2.0-OpenSSH_9\r\n");
    broken("HTTP/2", "HTTP/2.0 200 OK\r\n\r\n");
    broken("status of two digits", "HTTP/1.1 20 OK\r\n\r\n");
    broken("status below 100", "HTTP/1.1 099 OK\r\n\r\n");
    broken("switching protocols", "HTTP/1.1 101 Switching\r\n\r\n");
    broken("header without colon", "HTTP/1.1 200 OK\r\nnonsense\r\n\r\n");
    broken("blank before the colon", "HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\n");
    broken("folded header", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n");
    broken("negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n");
    broken("length with a sign", "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\n");
    broken("huge length", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n");
    broken("two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n");
    broken("unknown coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n");
    broken("chunk size that is none", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
    broken("chunk size empty", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n");
    broken("negative chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n");
    broken("endless chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffffff\r\n");
    broken("chunk longer than said", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n");
    QTest::newRow("endless head") << "HTTP/1.1 200 OK\r\n"_ba + QByteArray("A: b\r\n").repeated(100'000)
                                  << State::Broken << State::Broken << -1 << QByteArray();
    QTest::newRow("endless line") << QByteArray(1'000'000, 'x') << State::Broken << State::Broken << -1 << QByteArray();
}

void TestNetParser::answers()
{
    QFETCH(QByteArray, bytes);
    QFETCH(State, open);
    QFETCH(State, closed);
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    // Whole, then in pieces of every size up to 40: cuts change nothing.
    for (qsizetype step = 0; step <= 40; ++step) {
        if (bytes.size() > 100'000 && step > 0 && step < 40)
            continue;
        ResponseParser parser("GET");
        const qsizetype size = step == 0 ? qMax<qsizetype>(1, bytes.size()) : step;
        for (qsizetype at = 0; at < bytes.size(); at += size)
            parser.feed(bytes.mid(at, size));
        QCOMPARE(parser.state(), open);
        parser.close();
        QCOMPARE(parser.state(), closed);
        if (status >= 0) {
            QCOMPARE(parser.head().status, status);
            QCOMPARE(parser.available(), body.size());
            QCOMPARE(parser.read(1'000'000), body);
        }
    }
}

void TestNetParser::bodyIsReadInAnyPieces()
{
    ResponseParser parser("GET");
    parser.feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    QByteArray expected;
    QByteArray got;
    for (int i = 1; i < 200; ++i) {
        const QByteArray piece(i, static_cast<char>('a' + i % 26));
        expected += piece;
        parser.feed(QByteArray::number(i, 16) + "\r\n" + piece + "\r\n");
        const qint64 before = parser.available();
        const QByteArray part = parser.read(i * 37 % 150);
        QCOMPARE(parser.available(), before - part.size());
        got += part;
    }
    parser.feed("0\r\n\r\n");
    QCOMPARE(got + parser.read(1 << 30), expected);
    QCOMPARE(parser.available(), 0);
    QCOMPARE(parser.state(), State::Done);
}

void TestNetParser::keptConnections_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("keep");
    QTest::newRow("plain") << "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"_ba << true;
    QTest::newRow("asked to close") << "HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 1\r\n\r\nx"_ba << false;
    QTest::newRow("HTTP/1.0") << "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx"_ba << false;
    QTest::newRow("more than it should be") << "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 200"_ba << false;
    QTest::newRow("not done") << "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx"_ba << false;
    QTest::newRow("length and chunks")
        << "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"_ba << false;
}

void TestNetParser::keptConnections()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, keep);
    ResponseParser parser("GET");
    parser.feed(bytes);
    QCOMPARE(parser.mayKeepConnection(), keep);
}

QTEST_GUILESS_MAIN(TestNetParser)
#include "tst_net_parser.moc"
