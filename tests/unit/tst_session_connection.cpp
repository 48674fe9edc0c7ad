// SPDX-License-Identifier: GPL-3.0-or-later
// The test button: which step of reaching a server fails.
#include "backend/session/connection_test.h"
#include "tests/support/fault_server.h"
#include "tests/support/outcome.h"

#include <QTcpServer>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::session;
using boxdeck::test::FaultServer;
using boxdeck::test::Outcome;
using boxdeck::test::Script;

using Step = TestReport::Step;
using Verdict = TestReport::Verdict;

namespace {

/// The report in one line: "dns+ tcp+ tls0 key-": passed, skipped, failed.
QString summary(const TestReport &report)
{
    const QStringList steps{QStringLiteral("dns"), QStringLiteral("tcp"), QStringLiteral("tls"), QStringLiteral("key"),
                            QStringLiteral("list")};
    QStringList words;
    for (const TestReport::Line &line : report.lines) {
        const QChar mark = line.verdict == Verdict::Passed ? u'+' : line.verdict == Verdict::Failed ? u'-' : u'0';
        words.append(steps.at(int(line.step)) + mark);
    }
    return words.join(u' ');
}

ConnectionProfile profileFor(const QUrl &url)
{
    return ConnectionProfile::selfHosted(QStringLiteral("test"), url);
}

} // namespace

class TestSessionConnection : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhichStepFailed_data();
    void saysWhichStepFailed();
    void endsWhenNobodyWaits();
    void sendsTheKeyToTheServerOnly();

private:
    net::HttpTransport m_transport;
};

void TestSessionConnection::saysWhichStepFailed_data()
{
    QTest::addColumn<QString>("url"); // PORT: of the scripted server, CLOSED: of nobody
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *url, int status, const QByteArray &body, const char *expected) {
        QTest::newRow(name) << QString::fromLatin1(url) << status << body << QString::fromLatin1(expected);
    };
    row("all is well", "http://127.0.0.1:PORT", 200, "[]", "dns+ tcp+ tls0 key+ list+");
    row("by name, with a prefix", "http://localhost:PORT/e2b/v1", 200, "[]", "dns+ tcp+ tls0 key+ list+");
    row("no such name", "http://nothing-here.invalid", 0, {}, "dns-");
    row("nobody listens", "http://127.0.0.1:CLOSED", 0, {}, "dns+ tcp-");
    row("no TLS there", "https://127.0.0.1:PORT", 400, "what?", "dns+ tcp+ tls-");
    row("wrong key", "http://127.0.0.1:PORT", 401, R"({"code":401,"message":"Invalid API key"})",
        "dns+ tcp+ tls0 key-");
    row("team blocked", "http://127.0.0.1:PORT", 403, R"({"code":403,"message":"blocked"})", "dns+ tcp+ tls0 key-");
    row("a web page", "http://127.0.0.1:PORT", 200, "<html><body>Welcome to nginx!</body></html>",
        "dns+ tcp+ tls0 key0 list-");
    row("nothing of E2B", "http://127.0.0.1:PORT", 404, "404 page not found", "dns+ tcp+ tls0 key0 list-");
    row("out of order", "http://127.0.0.1:PORT", 503, "Service is unavailable", "dns+ tcp+ tls0 key0 list-");
}

void TestSessionConnection::saysWhichStepFailed()
{
    QFETCH(QString, url);
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QString, expected);
    const FaultServer server(Script::answer(status, body, {{"Content-Type", "application/json"}}));
    QTcpServer closed;
    QVERIFY(closed.listen(QHostAddress::LocalHost));
    const quint16 closedPort = closed.serverPort();
    closed.close();
    url.replace(QLatin1String("PORT"), QString::number(server.port()));
    url.replace(QLatin1String("CLOSED"), QString::number(closedPort));

    Outcome test(testConnection(profileFor(QUrl(url)), Secret("e2b_key"), m_transport));
    QTRY_VERIFY_WITH_TIMEOUT(test.done(), 15000);
    QVERIFY(test.ok());
    QCOMPARE(summary(test.value()), expected);
    QCOMPARE(test.value().passed(), !expected.contains(u'-'));
    if (const auto failure = test.value().failure()) {
        QVERIFY(failure->error);
        QVERIFY(!failure->error->message.isEmpty());
    }
}

void TestSessionConnection::endsWhenNobodyWaits()
{
    const FaultServer server(Script().stall());
    auto test = testConnection(profileFor(server.url(QByteArray())), Secret("e2b_key"), m_transport);
    QTRY_VERIFY(server.requestCount() > 0);
    test.cancel();
    QTRY_COMPARE(server.openConnections(), 0);
}

void TestSessionConnection::sendsTheKeyToTheServerOnly()
{
    const FaultServer elsewhere(Script::answer(200, "[]"));
    const FaultServer server(Script::answer(302, {}, {{"Location", elsewhere.url("/v2/sandboxes").toEncoded()}}));
    Outcome test(testConnection(profileFor(server.url(QByteArray())), Secret("e2b_key"), m_transport));
    QTRY_VERIFY(test.ok());
    QVERIFY(!test.value().passed());
    QCOMPARE(server.requests().constFirst().header("X-API-Key"), QByteArray("e2b_key"));
    QCOMPARE(elsewhere.requestCount(), 0);
}

QTEST_GUILESS_MAIN(TestSessionConnection)
#include "tst_session_connection.moc"
