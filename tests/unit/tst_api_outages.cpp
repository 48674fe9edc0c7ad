// SPDX-License-Identifier: GPL-3.0-or-later
// What people saw go wrong in clients of this protocol: answers without a body taken for success, lost connections that
// said nothing, quiet streams cut, windows asked for in the wrong unit, ids that became paths.
#include "tests/support/scripted_control.h"
#include "tests/support/scripted_envd.h"
#include "tests/support/waiting.h"

#include <QTest>
#include <QUrlQuery>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::net;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

class TestApiOutages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void errorsWithoutABodyAreFailuresEverywhere_data();
    void errorsWithoutABodyAreFailuresEverywhere();
    void lostConnectionIsToldFromAnEndedSandbox_data();
    void lostConnectionIsToldFromAnEndedSandbox();
    void lookAfterALostConnectionIsShort();
    void tenQuietMinutesAreNoSilence();
    void metricsAreAskedForInSeconds();
    void idsWithSlashesStayOneSegment_data();
    void idsWithSlashesStayOneSegment();
    void tokenFollowsTheSandboxAndNotTheAccount();
};

void TestApiOutages::errorsWithoutABodyAreFailuresEverywhere_data()
{
    QTest::addColumn<Script>("script");
    QTest::newRow("Content-Length 0") << Script::answer(500);
    QTest::newRow("no length") << Script().send("HTTP/1.1 500 Internal Server Error\r\n\r\n").close();
    QTest::newRow("chunked, and no chunk") << Script::chunked(500).lastChunk();
}

void TestApiOutages::errorsWithoutABodyAreFailuresEverywhere()
{
    QFETCH(Script, script);
    FaultServer server(script);
    ControlOf client(server);
    ScriptedSandbox sandbox(server);
    const QList<Error> errors{outcome(client.control.health()).error(),
                        outcome(client.control.create({})).error(),
                        outcome(client.control.kill({u"i1"_s})).error(),
                        outcome(client.control.pause({u"i1"_s})).error(),
                        outcome(client.control.listAllSandboxes()).error(),
                        outcome(sandbox.envd.health()).error(),
                        outcome(sandbox.envd.files().writeSmall(path("/f"), "x")).error(),
                        outcome(sandbox.envd.files().readSmall(path("/f"), 10)).error(),
                        outcome(sandbox.envd.filesystem().makeDir(path("/d"))).error()};
    for (qsizetype i = 0; i < errors.size(); ++i) {
        const Error &error = errors.at(i);
        QVERIFY2(error.httpStatus == 500, qPrintable(QString::number(i) + u' ' + error.code + u' ' + error.message));
        QCOMPARE(error.message, u"HTTP 500 Internal Server Error"_s);
        QVERIFY(!provesGone(error.kind));
    }
}

void TestApiOutages::lostConnectionIsToldFromAnEndedSandbox_data()
{
    QTest::addColumn<Script>("health");
    QTest::addColumn<Pulse>("pulse");
    QTest::newRow("it ended") << Script::answer(502, R"({"sandboxId":"i1","message":"not found","code":502})")
                              << Pulse::Gone;
    QTest::newRow("only the connection was lost") << Script::answer(204) << Pulse::Alive;
    QTest::newRow("nobody knows") << Script::answer(503, "busy") << Pulse::Unknown;
}

void TestApiOutages::lostConnectionIsToldFromAnEndedSandbox()
{
    QFETCH(Script, health);
    QFETCH(Pulse, pulse);
    FaultServer server([&](const RecordedRequest &request, int) {
        if (request.path() == "/health")
            return health;
        if (request.path() == "/files")
            return Script().send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nsome").wait(30).reset();
        const bool watch = request.path().endsWith("WatchDir");
        return stream(watch ? encodeEnvelope(R"({"start":{}})") : eventMessage(R"({"start":{"pid":7}})"))
            .wait(30)
            .reset();
    });
    ScriptedSandbox sandbox(server);
    const Heard heard(sandbox.envd.processes().connect(7));
    const auto watch = sandbox.envd.filesystem().watch(path("/d"), false);
    const auto download = sandbox.envd.files().download(path("/f"));
    std::optional<StreamEnd> watched;
    std::optional<Error> failed;
    connect(watch.get(), &WatchStream::ended, this, [&](const StreamEnd &end) { watched = end; });
    connect(download.get(), &ByteStream::failed, this, [&](const Error &error) { failed = error; });
    QTRY_VERIFY(!heard.ends.isEmpty() && watched && failed);
    QCOMPARE(heard.ends.first().kind, StreamEnd::Kind::BrokenOff);
    QCOMPARE(watched->kind, StreamEnd::Kind::BrokenOff);
    for (const Error &error : {heard.ends.first().error, watched->error, *failed}) {
        QCOMPARE(error.kind, ErrorKind::Unavailable);
        QCOMPARE(error.code, u"closed"_s);
    }
    // Nothing asks by itself; who wants to know asks once.
    QCOMPARE(server.requestCount(), 3);
    QCOMPARE(outcome(sandbox.envd.pulse()).value(), pulse);
    QCOMPARE(server.requestCount(), 4);
}

void TestApiOutages::lookAfterALostConnectionIsShort()
{
    FaultServer server(Script().stall());
    HttpTransport transport(TransportOptions{.proxies = {}, .patience = 0.1});
    Envd envd(transport, targetOf({.sandboxUrl = server.url()}, SandboxAccess{.id = {u"i1"_s}}));
    QElapsedTimer elapsed;
    elapsed.start();
    QCOMPARE(outcome(envd.pulse()).value(), Pulse::Unknown);
    QVERIFY(elapsed.elapsed() < 2000); // a tenth of five seconds, and a late machine
}

void TestApiOutages::tenQuietMinutesAreNoSilence()
{
    // Time runs 200 times faster: 30 s without anything are 150 ms, 15 s between keepalives 75 ms, ten minutes 3 s.
    constexpr double hurry = 1.0 / 200;
    const QByteArray alive = eventMessage(R"({"keepalive":{}})");
    const QByteArray chunk = QByteArray::number(alive.size(), 16) + "\r\n" + alive + "\r\n";
    FaultServer server([&](const RecordedRequest &request, int) {
        if (request.path().endsWith("Connect"))
            return stream(eventMessage(R"({"start":{"pid":9}})")).repeat(chunk, 40, 75).stall();
        return Script().stall();
    });
    HttpTransport transport(TransportOptions{.proxies = {}, .patience = hurry});
    const SandboxAccess access{.id = {u"i1"_s}, .envdVersion = u"0.6.13"_s};
    Envd envd(transport, targetOf({.sandboxUrl = server.url()}, access));
    ControlPlaneClient control(transport, {.apiUrl = server.url()});
    const Heard heard(envd.processes().connect(9));
    // Meanwhile a call that is never answered ends by its own limit.
    QCOMPARE(outcome(control.listAllSandboxes()).error().kind, ErrorKind::Timeout);
    QVERIFY(eventually([&] { return heard.events.size() == 41 || !heard.ends.isEmpty(); }, 30s));
    QCOMPARE(heard.events.size(), 41);
    // And when they stop, that is noticed.
    QVERIFY(eventually([&] { return !heard.ends.isEmpty(); }, 10s));
    QCOMPARE(heard.ends.first().error.code, u"silent"_s);
}

void TestApiOutages::metricsAreAskedForInSeconds()
{
    // Points only for ten digits in both, as a server reads that takes them for seconds.
    FaultServer server([](const RecordedRequest &request, int) {
        const QUrlQuery query(QString::fromLatin1(request.query()));
        const QString start = query.queryItemValue(u"start"_s);
        const QString end = query.queryItemValue(u"end"_s);
        if (start.size() != 10 || end.size() != 10)
            return Script::answer(200, "[]");
        if (start.toLongLong() < 1772446000)
            return Script::answer(200, "null");
        return Script::answer(200, R"([{"timestampUnix":)" + start.toLatin1() + R"(,"cpuUsedPct":1.5}])");
    });
    ControlOf client(server);
    const QDateTime start = QDateTime::fromMSecsSinceEpoch(1772446320'999, Qt::UTC);
    const auto metrics = outcome(client.control.telemetry().metrics({u"i1"_s}, {start, start.addSecs(600)}));
    QVERIFY2(metrics.has_value(), metrics ? "" : qPrintable(metrics.error().message));
    QCOMPARE(metrics->size(), 1);
    QCOMPARE(metrics->first().at.toSecsSinceEpoch(), 1772446320);
    const QDateTime before = QDateTime::fromSecsSinceEpoch(1500000000, Qt::UTC);
    const auto none = outcome(client.control.telemetry().metrics({u"i1"_s}, {before, before.addSecs(600)}));
    QVERIFY(none.has_value());
    QVERIFY(none->isEmpty());
}

void TestApiOutages::idsWithSlashesStayOneSegment_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QByteArray>("segment");
    QTest::newRow("team, name and tag") << u"my-team/base:v2"_s << "my-team%2Fbase%3Av2"_ba;
    QTest::newRow("a percent sign") << u"100%"_s << "100%25"_ba;
    QTest::newRow("what looks encoded") << u"a%2Fb"_s << "a%252Fb"_ba;
}

void TestApiOutages::idsWithSlashesStayOneSegment()
{
    QFETCH(QString, id);
    QFETCH(QByteArray, segment);
    FaultServer server(Script::answer(404, R"({"code":404,"message":"not found"})"));
    ControlOf client(server);
    QVERIFY(outcome(client.control.snapshots().remove({id})).has_value()); // already gone is done
    QVERIFY(outcome(client.control.templates().remove({id})).has_value());
    QCOMPARE(outcome(client.control.templates().detail({id})).error().kind, ErrorKind::NotFound);
    QVERIFY(!outcome(client.control.templates().tags(id)));
    for (const RecordedRequest &request : server.requests())
        QVERIFY2(request.path() == "/templates/" + segment || request.path() == "/templates/" + segment + "/tags",
                 request.target);
    QVERIFY(server.requestCount() >= 4);
}

void TestApiOutages::tokenFollowsTheSandboxAndNotTheAccount()
{
    FaultServer server([](const RecordedRequest &request, int) {
        if (request.path() == "/sandboxes/secure")
            return Script::answer(200, R"({"sandboxID":"secure","state":"running","envdAccessToken":"4b1d"})");
        if (request.path() == "/sandboxes/open")
            return Script::answer(200, R"({"sandboxID":"open","state":"running"})");
        const bool secure = request.header("E2b-Sandbox-Id") == "secure";
        if (secure && request.header("X-Access-Token") != "4b1d")
            return Script::answer(401, R"({"code":401,"message":"unauthorized access"})");
        for (const auto &[name, value] : request.headers) {
            if (!secure && name.compare("X-Access-Token", Qt::CaseInsensitive) == 0)
                return Script::answer(401, R"({"code":401,"message":"wrong token"})");
        }
        return Script::answer(200, R"({"entries":[]})");
    });
    ControlOf client(server);
    // As after a restart of the app: nothing is known but what the list and the detail tell.
    for (const QString &id : {u"secure"_s, u"open"_s, u"secure"_s}) {
        const auto detail = outcome(client.control.sandbox({id}));
        QVERIFY(detail.has_value());
        Envd envd(client.transport, targetOf({.sandboxUrl = server.url(), .apiKey = Secret("k")}, *detail));
        const auto entries = outcome(envd.filesystem().list(path("/home/user")));
        QVERIFY2(entries.has_value(), entries ? "" : qPrintable(entries.error().message));
        QVERIFY(server.requests().last().header("X-API-Key").isEmpty());
    }
    // Without it, the token is what is wrong, and not the folder.
    Envd blind(client.transport, targetOf({.sandboxUrl = server.url()}, SandboxAccess{.id = {u"secure"_s}}));
    const auto refused = outcome(blind.filesystem().list(path("/home/user")));
    QCOMPARE(refused.error().kind, ErrorKind::Authentication);
    QCOMPARE(refused.error().message, u"unauthorized access"_s);
}

QTEST_GUILESS_MAIN(TestApiOutages)
#include "tst_api_outages.moc"
