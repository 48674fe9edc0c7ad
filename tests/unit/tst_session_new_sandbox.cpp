// SPDX-License-Identifier: GPL-3.0-or-later
// What a new sandbox is before the person chose anything, and how an account's server is told of it; and that the list
// of templates tells the truth about builds under way.
#include "backend/protocol/new_sandbox_check.h"
#include "backend/session/new_sandbox.h"
#include "backend/session/session.h"
#include "tests/support/fault_server.h"
#include "tests/support/outcome.h"

#include <QJsonDocument>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::session;
using namespace std::chrono_literals;
using boxdeck::test::FaultServer;
using boxdeck::test::Outcome;
using boxdeck::test::RecordedRequest;
using boxdeck::test::Script;

namespace {

const net::HeaderList json{{"Content-Type", "application/json"}};

ConnectionProfile profileFor(const QUrl &url)
{
    return ConnectionProfile::selfHosted(QStringLiteral("test"), url);
}

} // namespace

class TestSessionNewSandbox : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sendsNothingNobodySet();
    void beginsAsTheAccountSays();
    void leavesOutWakingWhereTheEndIsNoPause();
    void refusesDefaultsThatNoServerTakes();
    void takesLifetimesAsServersDo_data();
    void takesLifetimesAsServersDo();
    void aStrictServerGetsPlainFieldsOnly_data();
    void aStrictServerGetsPlainFieldsOnly();
    void templatesUnderWayAreAskedFor();

private:
    net::HttpTransport m_transport;
    SystemClock m_clock;
};

void TestSessionNewSandbox::sendsNothingNobodySet()
{
    const auto wanted = newSandboxFor(profileFor(QUrl(QStringLiteral("https://a.example"))), {});
    QCOMPARE(wanted, protocol::NewSandbox()); // base, 300 s, secure, and nothing else
    ConnectionProfile blank = profileFor(QUrl(QStringLiteral("https://a.example")));
    blank.defaultTemplate = QStringLiteral("  ");
    QCOMPARE(newSandboxFor(blank, {}).templateId, QStringLiteral("base"));
}

void TestSessionNewSandbox::beginsAsTheAccountSays()
{
    ConnectionProfile profile = profileFor(QUrl(QStringLiteral("https://a.example")));
    profile.defaultTemplate = QStringLiteral("python");
    profile.lifetime = 900s;
    profile.secure = false;
    profile.allowInternetAccess = false;
    profile.autoPause = true;
    profile.autoResume = true;
    CreateDefaults defaults;
    defaults.metadata.insert(QStringLiteral("team"), QStringLiteral("a"));
    defaults.envVars.insert(QStringLiteral("A"), QStringLiteral("1"));
    defaults.network = QJsonDocument::fromJson(R"({"allowPublicTraffic":true,"allowOut":["1.1.1.1"]})").object();
    defaults.mcp = QJsonDocument::fromJson(R"({"x":{}})").object();
    defaults.volumeMounts = QJsonDocument::fromJson(R"([{"name":"v","path":"/v"}])").array();
    auto wanted = newSandboxFor(profile, defaults);
    QCOMPARE(wanted.templateId, QStringLiteral("python"));
    QCOMPARE(wanted.timeout, 900s);
    QCOMPARE(wanted.secure, false);
    QCOMPARE(wanted.allowInternetAccess, std::optional(false));
    QVERIFY(wanted.autoPause && wanted.autoResume);
    QCOMPARE(wanted.metadata, defaults.metadata);
    QCOMPARE(wanted.network->allowOut, QStringList{QStringLiteral("1.1.1.1")});
    QCOMPARE(wanted.mcp.reveal(), QByteArray(R"({"x":{}})"));
    QCOMPARE(wanted.volumeMounts.size(), 1);
    wanted.envVars.insert(QStringLiteral("B"), QStringLiteral("2")); // a copy: the defaults stay
    QCOMPARE(defaults.envVars.size(), 1);
}

void TestSessionNewSandbox::leavesOutWakingWhereTheEndIsNoPause()
{
    ConnectionProfile profile = profileFor(QUrl(QStringLiteral("https://a.example")));
    profile.autoResume = true;
    const auto wanted = newSandboxFor(profile, {});
    QVERIFY(!wanted.autoResume);
    QVERIFY(!protocol::checkNewSandbox(wanted));
}

void TestSessionNewSandbox::refusesDefaultsThatNoServerTakes()
{
    ConnectionProfile profile = profileFor(QUrl(QStringLiteral("https://a.example")));
    CreateDefaults defaults;
    defaults.network = QJsonDocument::fromJson(R"({"allowOut":["example.com"]})").object();
    const auto refused = protocol::checkNewSandbox(newSandboxFor(profile, defaults));
    QVERIFY(refused);
    QCOMPARE(refused->code, QStringLiteral("domains_need_deny_all"));
}

void TestSessionNewSandbox::takesLifetimesAsServersDo_data()
{
    QTest::addColumn<qint64>("milliseconds");
    QTest::addColumn<qint64>("seconds"); // -1: refused
    QTest::newRow("zero is the usual") << qint64(0) << qint64(300);
    QTest::newRow("a second") << qint64(1000) << qint64(1);
    QTest::newRow("fractions go up") << qint64(61'500) << qint64(62);
    QTest::newRow("a hair above") << qint64(1001) << qint64(2);
    QTest::newRow("too short") << qint64(999) << qint64(-1);
    QTest::newRow("never") << qint64(-1) << qint64(-1);
}

void TestSessionNewSandbox::takesLifetimesAsServersDo()
{
    QFETCH(qint64, milliseconds);
    QFETCH(qint64, seconds);
    const auto life = createLifetime(std::chrono::milliseconds(milliseconds), 300s);
    QCOMPARE(life ? qint64(life->count()) : qint64(-1), seconds);
    if (!life)
        QCOMPARE(life.error().kind, ErrorKind::InvalidRequest);
}

void TestSessionNewSandbox::aStrictServerGetsPlainFieldsOnly_data()
{
    QTest::addColumn<bool>("strict");
    QTest::newRow("tolerant") << false;
    QTest::newRow("strict") << true;
}

void TestSessionNewSandbox::aStrictServerGetsPlainFieldsOnly()
{
    QFETCH(bool, strict);
    const FaultServer server(Script::answer(201, R"({"sandboxID":"isb1","templateID":"base"})", json));
    ConnectionProfile profile = profileFor(server.url(QByteArray()));
    profile.strict = strict;
    profile.autoPause = true;
    profile.autoResume = true;
    CreateDefaults defaults;
    defaults.network = QJsonDocument::fromJson(R"({"allowOut":["1.1.1.1"]})").object();
    Session session(profile, Secret("e2b_key"), m_transport, m_clock);
    Outcome created(session.create(newSandboxFor(profile, defaults)));
    QTRY_VERIFY(created.ok());
    const QJsonObject body = QJsonDocument::fromJson(server.requests().constFirst().body).object();
    QVERIFY(body.contains(QLatin1String("autoPause")));
    for (const char *field : {"network", "autoResume"})
        QVERIFY2(body.contains(QLatin1String(field)) != strict, field);
    QVERIFY(!body.contains(QLatin1String("autoPauseMemory")));
}

void TestSessionNewSandbox::templatesUnderWayAreAskedFor()
{
    const FaultServer server([](const RecordedRequest &request, int) {
        if (request.path() == "/templates") {
            return Script::answer(200, R"([{"templateID":"untagged","buildID":"00000000-0000-0000-0000-000000000000",
                "buildStatus":"waiting","buildCount":2,"names":["t/untagged"]},
                {"templateID":"rebuilt","buildID":"b1","buildStatus":"building","buildCount":2,"names":["t/rebuilt"]},
                {"templateID":"good","buildID":"b2","buildStatus":"ready","buildCount":1,"names":["t/good"]}])",
                                  json);
        }
        if (request.path() == "/templates/untagged")
            return Script::answer(200, R"({"templateID":"untagged","builds":[{"buildID":"b9","status":"ready"}]})",
                                  json);
        if (request.path() == "/templates/rebuilt/builds/b1/status")
            return Script::answer(200, R"({"templateID":"rebuilt","buildID":"b1","status":"ready","logEntries":[]})",
                                  json);
        if (request.path() == "/v2/sandboxes")
            return Script::answer(200, "[]", json);
        return Script::answer(404, "{}", json);
    });
    Session session(profileFor(server.url(QByteArray())), Secret("e2b_key"), m_transport, m_clock);
    session.start();
    QTRY_COMPARE(session.templates().items().size(), 3);
    const auto statusOf = [&](const char *id) { return session.templates().find({QLatin1String(id)})->buildStatus; };
    QCOMPARE(statusOf("untagged"), protocol::BuildStatus::Untagged);
    QCOMPARE(statusOf("rebuilt"), protocol::BuildStatus::Ready);
    QCOMPARE(statusOf("good"), protocol::BuildStatus::Ready);
}

QTEST_GUILESS_MAIN(TestSessionNewSandbox)
#include "tst_session_new_sandbox.moc"
