// SPDX-License-Identifier: GPL-3.0-or-later
// What sandboxes are told and asked, byte for byte: life, network, metrics and logs.
#include "tests/support/scripted_control.h"
#include "tests/support/waiting.h"
#include "tests/support/wire_calls.h"

#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

const SandboxId odd{u"team/box:1"_s};

QByteArray access(const QByteArray &id)
{
    return R"({"templateID":"t","sandboxID":")" + id + R"(","envdVersion":"0.6.13"})";
}

} // namespace

class TestApiSandboxes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void callsOnTheWire_data();
    void callsOnTheWire();
    void refusedBeforeARequest();
    void whatMakesOrRunsIsSentOnce_data();
    void whatMakesOrRunsIsSentOnce();
    void listAsksForWhatServersReadAlike();
    void everyPageRepeatsTheFilter();
    void batchMetricsAreSplit();
    void metricsOutsideTheWindowAreDropped();
    void oldLogsAreTheFallbackAndRemembered();
    void missingSandboxIsNotAMissingLog();
    void tokensOfAUserGoWithTheirTeam();
};

void TestApiSandboxes::callsOnTheWire_data()
{
    const auto row = wireCalls();
    using C = ControlPlaneClient;
    row(
        "pause", [](C &c) { return outcome(c.pause(odd)).has_value(); }, {}, "POST /sandboxes/team%2Fbox%3A1/pause",
        "{}");
    row(
        "pause, disk only", [](C &c) { return outcome(c.pause(odd, false)).has_value(); }, {},
        "POST /sandboxes/team%2Fbox%3A1/pause", R"({"memory":false})");
    row(
        "connect", [](C &c) { return outcome(c.connect(odd, 1800s)).has_value(); }, access(odd.value.toLatin1()),
        "POST /sandboxes/team%2Fbox%3A1/connect", R"({"timeout":1800})");
    row(
        "connect from disk", [](C &c) { return outcome(c.connect(odd, 60s, false)).has_value(); },
        access(odd.value.toLatin1()), "POST /sandboxes/team%2Fbox%3A1/connect", R"({"memory":false,"timeout":60})");
    row(
        "resume", [](C &c) { return outcome(c.resume(odd, 90s)).has_value(); }, access(odd.value.toLatin1()),
        "POST /sandboxes/team%2Fbox%3A1/resume", R"({"timeout":90})");
    row(
        "fork", [](C &c) { return outcome(c.fork(odd)).has_value(); }, "[]", "POST /sandboxes/team%2Fbox%3A1/fork",
        R"({"count":1})");
    row(
        "three forks for an hour", [](C &c) { return outcome(c.fork(odd, {.count = 3, .timeout = 1h})).has_value(); },
        "[]", "POST /sandboxes/team%2Fbox%3A1/fork", R"({"count":3,"timeout":3600})");
    row(
        "timeout", [](C &c) { return outcome(c.setTimeout(odd, 5min)).has_value(); }, {},
        "POST /sandboxes/team%2Fbox%3A1/timeout", R"({"timeout":300})");
    row(
        "refresh", [](C &c) { return outcome(c.refresh(odd, 15s)).has_value(); }, {},
        "POST /sandboxes/team%2Fbox%3A1/refreshes", R"({"duration":15})");
    row(
        "network cleared", [](C &c) { return outcome(c.updateNetwork(odd, {})).has_value(); }, {},
        "PUT /sandboxes/team%2Fbox%3A1/network", "{}");
    row(
        "network",
        [](C &c) {
            NetworkUpdate update;
            update.denyOut = {u"10.0.0.0/8"_s};
            return outcome(c.updateNetwork(odd, update)).has_value();
        },
        {}, "PUT /sandboxes/team%2Fbox%3A1/network", R"({"denyOut":["10.0.0.0/8"]})");
    row(
        "metrics",
        [](C &c) {
            const QDateTime start = QDateTime::fromSecsSinceEpoch(1772446320, Qt::UTC);
            return outcome(c.telemetry().metrics(odd, {start, start.addSecs(600)})).has_value();
        },
        "[]", "GET /sandboxes/team%2Fbox%3A1/metrics?start=1772446320&end=1772446920", "");
    row(
        "logs",
        [](C &c) {
            return outcome(c.telemetry().logs(odd, {.cursor = QDateTime::fromMSecsSinceEpoch(1772446320123, Qt::UTC),
                                                    .limit = 5000,
                                                    .direction = LogDirection::Forward,
                                                    .level = LogLevel::Warn,
                                                    .search = u"a+b c"_s}))
                .has_value();
        },
        R"({"logs":[]})",
        "GET "
        "/v2/sandboxes/team%2Fbox%3A1/"
        "logs?limit=1000&direction=forward&cursor=1772446320123&level=warn&search=a%2Bb%20c",
        "");
}

void TestApiSandboxes::callsOnTheWire()
{
    QFETCH(ControlCall, call);
    QFETCH(QByteArray, answer);
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, body);
    ScriptedControl scripted(answer.isEmpty() ? Script::answer(204) : Script::answer(200, answer));
    QVERIFY(call(scripted.control));
    QCOMPARE(scripted.server.requestCount(), 1);
    QCOMPARE(scripted.line(0), line);
    QCOMPARE(scripted.body(0), body);
    const RecordedRequest request = scripted.server.requests().first();
    QCOMPARE(request.header("X-API-Key"), "e2b_0011"_ba);
    if (!body.isEmpty())
        QCOMPARE(request.header("Content-Type"), "application/json"_ba);
}

void TestApiSandboxes::refusedBeforeARequest()
{
    ScriptedControl scripted(Script::answer(204));
    ControlPlaneClient &control = scripted.control;
    const SandboxId blank{u" "_s};
    const auto refused = ErrorKind::InvalidRequest;
    QCOMPARE(kindOf(outcome(control.resume(blank, 60s))), refused);
    QCOMPARE(kindOf(outcome(control.resume(odd, 0s))), refused);
    QCOMPARE(kindOf(outcome(control.fork(blank))), refused);
    QCOMPARE(kindOf(outcome(control.fork(odd, {.count = 0}))), refused);
    QCOMPARE(kindOf(outcome(control.fork(odd, {.count = 101}))), refused);
    QCOMPARE(kindOf(outcome(control.fork(odd, {.timeout = 0s}))), refused);
    QCOMPARE(kindOf(outcome(control.refresh(blank, 60s))), refused);
    QCOMPARE(kindOf(outcome(control.refresh(odd, 2h))), refused);
    QCOMPARE(kindOf(outcome(control.updateNetwork(blank, {}))), refused);
    NetworkUpdate domain;
    domain.denyOut = {u"a.example"_s};
    QCOMPARE(kindOf(outcome(control.updateNetwork(odd, domain))), refused);
    QCOMPARE(kindOf(outcome(control.telemetry().metrics(blank))), refused);
    QCOMPARE(kindOf(outcome(control.telemetry().logs(blank))), refused);
    QCOMPARE(kindOf(outcome(control.create({.autoResume = true}))), refused);
    QVERIFY(outcome(control.telemetry().latest({})).has_value());
    QCOMPARE(scripted.server.requestCount(), 0);
}

void TestApiSandboxes::whatMakesOrRunsIsSentOnce_data()
{
    QTest::addColumn<QString>("call");
    for (const char *call : {"fork", "resume", "pause", "snapshot"})
        QTest::newRow(call) << QString::fromLatin1(call);
}

void TestApiSandboxes::whatMakesOrRunsIsSentOnce()
{
    QFETCH(QString, call);
    ScriptedControl scripted(Script().close());
    const SandboxId id{u"i1"_s};
    Error error;
    const auto keep = [&](const auto &result) {
        QVERIFY(!result);
        error = result.error();
    };
    if (call == u"fork")
        keep(outcome(scripted.control.fork(id)));
    else if (call == u"resume")
        keep(outcome(scripted.control.resume(id, 60s)));
    else if (call == u"pause")
        keep(outcome(scripted.control.pause(id)));
    else
        keep(outcome(scripted.control.snapshots().create(id)));
    QCOMPARE(error.delivery, Delivery::Unknown);
    QTest::qWait(300); // a repetition would have come by now
    QCOMPARE(scripted.server.requestCount(), 1);
}

void TestApiSandboxes::listAsksForWhatServersReadAlike()
{
    ScriptedControl scripted(Script::answer(200, "[]"));
    QVERIFY(
        outcome(scripted.control.listSandboxes({.states = {SandboxState::Running, SandboxState::Paused},
                                                .limit = 50,
                                                .metadata = {{u"owner"_s, u"ci-17"_s}, {u"team"_s, u"a b"_s}},
                                                .order = ListOrder::OldestFirst,
                                                .startedAfter = QDateTime::fromMSecsSinceEpoch(1772446320123, Qt::UTC),
                                                .templateName = u"acme/base"_s}))
            .has_value());
    QCOMPARE(scripted.line(0), "GET /v2/sandboxes?limit=50&state=running,paused&metadata=owner%3Dci-17&order=asc"
                               "&startedAfter=2026-03-02T10%3A12%3A00.123Z&template=acme%2Fbase"_ba);
}

void TestApiSandboxes::everyPageRepeatsTheFilter()
{
    ScriptedControl scripted([](const RecordedRequest &request, int) {
        if (request.query().contains("nextToken"))
            return Script::answer(200, R"([{"sandboxID":"i2","metadata":{"owner":"me"}}])");
        return Script::answer(200, R"([{"sandboxID":"i1","metadata":{"owner":"you"}}])", {{"X-Next-Token", "a=="}});
    });
    const auto mine = outcome(scripted.control.listAllSandboxes({.metadata = {{u"owner"_s, u"me"_s}}}));
    QVERIFY(mine.has_value());
    QCOMPARE(mine->size(), 1);
    QCOMPARE(mine->first().id.value, u"i2"_s);
    QCOMPARE(scripted.lines(), (QByteArrayList{"GET /v2/sandboxes?limit=100&metadata=owner%3Dme",
                                               "GET /v2/sandboxes?limit=100&nextToken=a%3D%3D&metadata=owner%3Dme"}));
}

void TestApiSandboxes::batchMetricsAreSplit()
{
    ScriptedControl scripted([](const RecordedRequest &request, int) {
        QByteArrayList samples;
        for (const QByteArray &id : request.query().mid(qstrlen("sandbox_ids=")).split(','))
            samples.append('"' + id + R"(":{"timestampUnix":1772446320,"cpuCount":2})");
        return Script::answer(200, R"({"sandboxes":{)" + samples.join(',') + "}}");
    });
    QList<SandboxId> ids;
    for (int i = 0; i < 250; ++i)
        ids.append({u"i%1"_s.arg(i)});
    const auto latest = outcome(scripted.control.telemetry().latest(ids + ids.mid(0, 40)));
    QVERIFY(latest.has_value());
    QCOMPARE(latest->size(), 250);
    QCOMPARE(scripted.server.requestCount(), 3);
    for (int i = 0; i < 3; ++i) {
        QVERIFY2(scripted.line(i).startsWith("GET /sandboxes/metrics?sandbox_ids="), scripted.line(i));
        QVERIFY(scripted.line(i).count(',') < 100);
        QCOMPARE(scripted.line(i).count("sandbox_ids"), 1);
    }
}

void TestApiSandboxes::metricsOutsideTheWindowAreDropped()
{
    ScriptedControl scripted(Script::answer(
        200, R"([{"timestampUnix":1772446000},{"timestampUnix":1772446400},{"timestampUnix":1772449999}])"));
    const QDateTime start = QDateTime::fromSecsSinceEpoch(1772446320, Qt::UTC);
    const auto samples = outcome(scripted.control.telemetry().metrics({u"i1"_s}, {start, start.addSecs(600)}));
    QVERIFY(samples.has_value());
    QCOMPARE(samples->size(), 1);
    QCOMPARE(samples->first().at.toSecsSinceEpoch(), 1772446400);
}

void TestApiSandboxes::oldLogsAreTheFallbackAndRemembered()
{
    ScriptedControl scripted(routes(
        {{"GET /sandboxes/i1/logs", Script::answer(200, R"({"logs":[{"timestamp":"2026-03-02T10:00:01Z","line":"late"},
              {"timestamp":"2026-03-02T10:00:00Z","line":"early"},{"timestamp":"2026-03-02T10:00:02Z","line":"x"}]})")}}));
    for (int i = 0; i < 2; ++i) {
        const auto lines = outcome(scripted.control.telemetry().logs({u"i1"_s}, {.search = u"l"_s}));
        QVERIFY(lines.has_value());
        QCOMPARE(lines->size(), 2);
        QCOMPARE(lines->first().message, u"early"_s);
    }
    QCOMPARE(scripted.lines(),
             (QByteArrayList{"GET /v2/sandboxes/i1/logs?limit=1000&direction=backward&search=l",
                             "GET /sandboxes/i1/logs?limit=1000", "GET /sandboxes/i1/logs?limit=1000"}));
}

void TestApiSandboxes::missingSandboxIsNotAMissingLog()
{
    ScriptedControl scripted(Script::answer(404, R"({"code":404,"message":"sandbox not found"})"));
    const auto lines = outcome(scripted.control.telemetry().logs({u"gone"_s}));
    QVERIFY(!lines);
    QCOMPARE(lines.error().kind, ErrorKind::NotFound);
    // Nothing was learned from it: the newer call is asked again.
    QVERIFY(!outcome(scripted.control.telemetry().logs({u"other"_s})));
    QVERIFY(scripted.line(2).startsWith("GET /v2/"));
}

void TestApiSandboxes::tokensOfAUserGoWithTheirTeam()
{
    ScriptedControl scripted(Script::answer(200, "[]"),
                             {.userToken = Secret("u-token"), .teamId = u"team-1"_s, .adminToken = Secret("a-token")});
    QVERIFY(outcome(scripted.control.listSandboxes()).has_value());
    QVERIFY(outcome(scripted.control.teams().apiKeys()).has_value());
    QVERIFY(outcome(scripted.control.admin().nodes()).has_value());
    const auto requests = scripted.server.requests();
    QCOMPARE(requests.at(0).header("X-API-Key"), "e2b_0011"_ba);
    QCOMPARE(requests.at(0).header("Authorization"), ""_ba);
    QCOMPARE(requests.at(1).header("X-API-Key"), ""_ba);
    QCOMPARE(requests.at(1).header("Authorization"), "Bearer u-token"_ba);
    QCOMPARE(requests.at(1).header("X-Team-ID"), "team-1"_ba);
    QCOMPARE(requests.at(2).header("X-Admin-Token"), "a-token"_ba);
    QCOMPARE(requests.at(2).header("X-API-Key"), ""_ba);
    QCOMPARE(requests.at(2).header("Authorization"), ""_ba);
}

QTEST_GUILESS_MAIN(TestApiSandboxes)
#include "tst_api_sandboxes.moc"
