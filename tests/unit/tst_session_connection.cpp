// SPDX-License-Identifier: GPL-3.0-or-later
// The test button: which step of reaching a server fails.
#include "backend/session/connection_test.h"
#include "tests/support/fault_server.h"
#include "tests/support/outcome.h"
#include "tests/support/secure_server.h"

#include <QFile>
#include <QTcpServer>
#include <QTemporaryDir>
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
    const QStringList steps{QStringLiteral("ca"),   QStringLiteral("dns"), QStringLiteral("tcp"),
                            QStringLiteral("tls"),  QStringLiteral("key"), QStringLiteral("list"),
                            QStringLiteral("boxes")};
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
    void triesTheWayToSandboxes_data();
    void triesTheWayToSandboxes();
    void trustsTheAccountsOwnAuthorityOnly_data();
    void trustsTheAccountsOwnAuthorityOnly();
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
    row("all is well", "http://127.0.0.1:PORT", 200, "[]", "dns+ tcp+ tls0 key+ list+ boxes0");
    row("by name, with a prefix", "http://localhost:PORT/e2b/v1", 200, "[]", "dns+ tcp+ tls0 key+ list+ boxes0");
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

void TestSessionConnection::triesTheWayToSandboxes_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<int>("status"); // 0: nobody listens
    QTest::addColumn<QString>("expected");
    for (const char *what : {"address", "gateway"}) {
        QTest::addRow("%s, says that nobody is there", what) << QString::fromLatin1(what) << 502 << QStringLiteral("+");
        QTest::addRow("%s, closed", what) << QString::fromLatin1(what) << 0 << QStringLiteral("-");
    }
    QTest::newRow("a domain without a name") << QStringLiteral("domain") << 0 << QStringLiteral("-");
}

void TestSessionConnection::triesTheWayToSandboxes()
{
    QFETCH(QString, what);
    QFETCH(int, status);
    QFETCH(QString, expected);
    const FaultServer api(Script::answer(200, "[]", {{"Content-Type", "application/json"}}));
    auto sandboxes = std::make_unique<FaultServer>(Script::answer(status == 0 ? 200 : status, "{}"));
    ConnectionProfile profile = profileFor(api.url(QByteArray()));
    if (what == QLatin1String("address"))
        profile.sandboxUrl = sandboxes->url(QByteArray());
    else
        profile.domain = QStringLiteral("box.invalid");
    if (what == QLatin1String("gateway"))
        profile.gateway = sandboxes->url(QByteArray());
    if (status == 0)
        sandboxes.reset();
    Outcome test(testConnection(profile, Secret("e2b_key"), m_transport));
    QTRY_VERIFY_WITH_TIMEOUT(test.done(), 15000);
    QCOMPARE(summary(test.value()), QStringLiteral("dns+ tcp+ tls0 key+ list+ boxes") + expected);
    QCOMPARE(test.value().passed(), expected == QLatin1String("+"));
    if (!sandboxes)
        return;
    const auto request = sandboxes->requests().constFirst();
    QCOMPARE(request.target, QByteArray("/health"));
    QCOMPARE(request.header("X-API-Key"), QByteArray()); // the key is for the API alone
    if (what == QLatin1String("gateway"))
        QVERIFY2(request.header("Host").endsWith(".box.invalid"), request.header("Host").constData());
}

void TestSessionConnection::trustsTheAccountsOwnAuthorityOnly_data()
{
    QTest::addColumn<QString>("caFile"); // RIGHT, EMPTY, MISSING or nothing
    QTest::addColumn<QString>("expected");
    QTest::newRow("the right one") << QStringLiteral("RIGHT") << QStringLiteral("ca+ dns+ tcp+ tls+ key+ list+ boxes+");
    QTest::newRow("none") << QString() << QStringLiteral("dns+ tcp+ tls-");
    QTest::newRow("no certificate in it") << QStringLiteral("EMPTY") << QStringLiteral("ca-");
    QTest::newRow("not there") << QStringLiteral("MISSING") << QStringLiteral("ca-");
}

void TestSessionConnection::trustsTheAccountsOwnAuthorityOnly()
{
    QFETCH(QString, caFile);
    QFETCH(QString, expected);
    const auto contentOf = [](const QString &path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QString certificate = QFINDTESTDATA("data/tls_certificate.pem");
    test::SecureServer server(contentOf(certificate), contentOf(QFINDTESTDATA("data/tls_key.pem")));
    server.body = "[]";
    QTemporaryDir folder;
    QFile empty(folder.filePath(QStringLiteral("empty.pem")));
    QVERIFY(empty.open(QIODevice::WriteOnly));
    empty.write("-----BEGIN NOTHING-----");
    empty.close();
    ConnectionProfile profile = profileFor(QUrl(QStringLiteral("https://localhost:%1").arg(server.port())));
    profile.sandboxUrl = profile.apiUrl;
    profile.caFile = caFile == QLatin1String("RIGHT")     ? certificate
                     : caFile == QLatin1String("EMPTY")   ? empty.fileName()
                     : caFile == QLatin1String("MISSING") ? folder.filePath(QStringLiteral("missing.pem"))
                                                          : QString();
    Outcome test(testConnection(profile, Secret("e2b_key"), m_transport));
    QTRY_VERIFY_WITH_TIMEOUT(test.done(), 15000);
    QCOMPARE(summary(test.value()), expected);
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
