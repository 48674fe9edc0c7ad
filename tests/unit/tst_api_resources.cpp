// SPDX-License-Identifier: GPL-3.0-or-later
// Snapshots, teams, keys, volumes, secrets and nodes: requests byte for byte, answers of servers old and foreign.
#include "backend/net/request_body.h"
#include "tests/support/remote_paths.h"
#include "tests/support/scripted_control.h"
#include "tests/support/waiting.h"
#include "tests/support/wire_calls.h"

#include <QBuffer>
#include <QLoggingCategory>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace Qt::StringLiterals;

namespace {

const QDateTime start = QDateTime::fromSecsSinceEpoch(1772446320, Qt::UTC);
const QByteArray volume = R"({"volumeID":"v-1","name":"data","token":"vtok"})";
const QByteArray secret = R"({"secretID":"sec_1","name":"api","currentVersion":"3","metadata":{"a":"b"},
    "createdAt":"2026-03-02T10:00:00Z","updatedAt":"2026-03-02T11:00:00Z"})";
const QByteArray file = R"({"name":"a b","type":"file","path":"/a b","size":"7","mode":420,"uid":1000,"gid":1000,
    "mtime":"2026-03-02T10:00:00Z"})";

} // namespace

class TestApiResources : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void callsOnTheWire_data();
    void callsOnTheWire();
    void refusedBeforeARequest();
    void goneAlreadyIsDeleted_data();
    void goneAlreadyIsDeleted();
    void keysAreToldOnce();
    void listingTeamsIsNeverRepeated();
    void snapshotsArePaged();
    void pagesWithEverNewTokensEndToo();
    void contentHasItsOwnAddressAndToken_data();
    void contentHasItsOwnAddressAndToken();
    void volumeFilesGoUpAndDown();
    void volumeErrorsHaveWordsForCodes();
    void whatMakesIsSentOnce_data();
    void whatMakesIsSentOnce();
    void secretsStayOutOfTheLog();
};

void TestApiResources::callsOnTheWire_data()
{
    const auto row = wireCalls();
    using C = ControlPlaneClient;
    const QByteArray key =
        R"({"id":"k1","name":"ci","key":"e2b_00","mask":{"prefix":"e2b_"},"createdAt":"2026-03-02T10:00:00Z"})";
    const QByteArray snapshot = R"({"snapshotID":"acme/s:v2","names":["acme/s"]})";
    row(
        "snapshot",
        [](C &c) { return outcome(c.snapshots().create({u"i/1"_s}, u" acme/s:v2 "_s))->id.value == u"acme/s:v2"; },
        snapshot, "POST /sandboxes/i%2F1/snapshots", R"({"name":"acme/s:v2"})");
    row(
        "snapshot without a name", [](C &c) { return outcome(c.snapshots().create({u"i1"_s})).has_value(); },
        R"({"snapshotID":"t:x"})", "POST /sandboxes/i1/snapshots", "{}");
    row(
        "snapshots of a sandbox",
        [](C &c) {
            return outcome(c.snapshots().list({.source = {u"i1"_s}, .name = u"a/b:c"_s, .limit = 500})).has_value();
        },
        "[" + snapshot + "]", "GET /snapshots?limit=100&sandboxID=i1&name=a%2Fb%3Ac");
    row(
        "delete a snapshot", [](C &c) { return outcome(c.snapshots().remove({u"acme/after-setup:v2"_s})).has_value(); },
        {}, "DELETE /templates/acme%2Fafter-setup%3Av2");

    row(
        "teams", [](C &c) { return outcome(c.teams().list())->first().isDefault; },
        R"([{"teamID":"t1","name":"n","apiKey":"e2b_1","isDefault":true}])", "GET /teams");
    row(
        "team metrics",
        [](C &c) {
            return outcome(c.teams().metrics(u"t/1"_s, {start, start.addSecs(60)}))->size() == 1;
        },
        R"([{"timestampUnix":1772446330,"concurrentSandboxes":3,"sandboxStartRate":0.5},{"timestampUnix":1}])",
        "GET /teams/t%2F1/metrics?start=1772446320&end=1772446380");
    row(
        "team peak",
        [](C &c) {
            return outcome(c.teams().peak(u"t1"_s, TeamMetricKind::SandboxStartRate, {.start = start}))->value == 1.5;
        },
        R"({"timestampUnix":1772446330,"value":1.5})",
        "GET /teams/t1/metrics/max?start=1772446320&metric=sandbox_start_rate");
    row(
        "keys", [](C &c) { return outcome(c.teams().apiKeys())->first().mask.prefix == u"e2b_"; }, "[" + key + "]",
        "GET /api-keys");
    row(
        "new key", [](C &c) { return outcome(c.teams().createApiKey(u" ci "_s)).has_value(); }, key, "POST /api-keys",
        R"({"name":"ci"})");
    row(
        "rename a key", [](C &c) { return outcome(c.teams().renameApiKey(u"k/1"_s, u"x"_s)).has_value(); }, {},
        "PATCH /api-keys/k%2F1", R"({"name":"x"})");
    row(
        "delete a key", [](C &c) { return outcome(c.teams().removeApiKey(u"k1"_s)).has_value(); }, {},
        "DELETE /api-keys/k1");
    row(
        "new access token", [](C &c) { return outcome(c.teams().createAccessToken(u"x"_s)).has_value(); },
        R"({"id":"a1","name":"x","token":"sk_e2b_00"})", "POST /access-tokens", R"({"name":"x"})");
    row(
        "delete an access token", [](C &c) { return outcome(c.teams().removeAccessToken(u"a1"_s)).has_value(); }, {},
        "DELETE /access-tokens/a1");

    row(
        "volumes", [](C &c) { return outcome(c.volumes().list())->size() == 1; },
        R"([{"volumeID":"v-1","name":"data"}])", "GET /volumes");
    row(
        "new volume", [](C &c) { return outcome(c.volumes().create(u"data"_s)).has_value(); }, volume, "POST /volumes",
        R"({"name":"data"})");
    row(
        "open a volume", [](C &c) { return !outcome(c.volumes().access({u"v-1"_s}))->token.isEmpty(); }, volume,
        "GET /volumes/v-1");
    row(
        "delete a volume", [](C &c) { return outcome(c.volumes().remove({u"v 1"_s})).has_value(); }, {},
        "DELETE /volumes/v%201");

    row(
        "secrets", [](C &c) { return outcome(c.secrets().list(u"a="_s, 5))->items.first().version == 3; },
        "[" + secret + "]", "GET /secrets?limit=5&nextToken=a%3D");
    row(
        "new secret",
        [](C &c) {
            return outcome(
                       c.secrets().create({.name = u"api"_s, .value = Secret("s\"x"), .metadata = {{u"a"_s, u"b"_s}}}))
                .has_value();
        },
        secret, "POST /secrets", R"({"metadata":{"a":"b"},"name":"api","value":"s\"x"})");
    row(
        "secret by name", [](C &c) { return outcome(c.secrets().secret({u"api"_s})).has_value(); }, secret,
        "GET /secrets/api");
    row(
        "new version",
        [](C &c) { return outcome(c.secrets().update({u"sec_1"_s}, {.value = Secret("y")})).has_value(); }, secret,
        "POST /secrets/sec_1", R"({"value":"y"})");
    row(
        "new version without metadata",
        [](C &c) {
            return outcome(
                       c.secrets().update({u"sec_1"_s}, {.value = Secret("y"), .metadata = QMap<QString, QString>()}))
                .has_value();
        },
        secret, "POST /secrets/sec_1", R"({"metadata":{},"value":"y"})");
    row(
        "delete a secret", [](C &c) { return outcome(c.secrets().remove({u"sec_1"_s})).has_value(); }, {},
        "DELETE /secrets/sec_1");

    const QByteArray node = R"({"id":"n1","clusterID":"c","status":"DRAINING","sandboxCount":3,"createSuccesses":"7",
        "machineInfo":{"cpuModelName":"X"},"metrics":{"cpuCount":8,"memoryTotalBytes":17179869184,
        "disks":[{"mountPoint":"/","usedBytes":1}]}})";
    row(
        "nodes",
        [](C &c) {
            const auto nodes = outcome(c.admin().nodes(u"c 1"_s));
            return nodes->first().status == NodeStatus::Draining && nodes->first().memoryTotal == 17179869184 &&
                   nodes->first().disks.size() == 1;
        },
        "[" + node + "]", "GET /nodes?clusterID=c%201");
    row(
        "node", [](C &c) { return outcome(c.admin().node({u"n/1"_s}))->createSuccesses == 7; }, node,
        "GET /nodes/n%2F1");
    row(
        "drain", [](C &c) { return outcome(c.admin().setNodeStatus({u"n1"_s}, NodeStatus::Draining)).has_value(); }, {},
        "POST /nodes/n1", R"({"status":"draining"})");
    row(
        "kill a team's sandboxes", [](C &c) { return outcome(c.admin().killSandboxes(u"t1"_s))->done == 4; },
        R"({"killedCount":4,"failedCount":0})", "POST /admin/teams/t1/sandboxes/kill", "{}");
    row(
        "cancel a team's builds", [](C &c) { return outcome(c.admin().cancelBuilds(u"t1"_s))->failed == 1; },
        R"({"cancelledCount":2,"failedCount":1})", "POST /admin/teams/t1/builds/cancel", "{}");
    row(
        "counts", [](C &c) { return outcome(c.admin().runningCounts())->value(u"t1"_s) == 9; }, R"({"t1":9})",
        "GET /admin/sandboxes/running-counts");
    row(
        "key for a team", [](C &c) { return outcome(c.admin().createApiKey(u"t1"_s, u"x"_s)).has_value(); }, key,
        "POST /admin/teams/t1/api-keys", R"({"name":"x"})");
    row(
        "key of a team", [](C &c) { return outcome(c.admin().removeApiKey(u"t1"_s, u"k1"_s)).has_value(); }, {},
        "DELETE /admin/teams/t1/api-keys/k1");
}

void TestApiResources::callsOnTheWire()
{
    QFETCH(ControlCall, call);
    QFETCH(QByteArray, answer);
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, body);
    // 202 stands for every other success a server may choose.
    ScriptedControl scripted(answer.isEmpty() ? Script::answer(202) : Script::answer(201, answer));
    QVERIFY(call(scripted.control));
    QCOMPARE(scripted.lines(), QByteArrayList{line});
    QCOMPARE(scripted.body(0), body);
}

void TestApiResources::refusedBeforeARequest()
{
    ScriptedControl scripted(Script::answer(200, "{}"));
    ControlPlaneClient &c = scripted.control;
    const auto refused = [](const auto &result) { return !result && result.error().kind == ErrorKind::InvalidRequest; };
    QVERIFY(refused(outcome(c.snapshots().create({u" "_s}))));
    QVERIFY(refused(outcome(c.snapshots().remove({}))));
    QVERIFY(refused(outcome(c.teams().metrics({}))));
    QVERIFY(refused(outcome(c.teams().createApiKey(u" "_s))));
    QVERIFY(refused(outcome(c.teams().removeApiKey({}))));
    QVERIFY(refused(outcome(c.teams().renameApiKey(u"k"_s, {}))));
    QVERIFY(refused(outcome(c.volumes().create(u"a/b"_s))));
    QVERIFY(refused(outcome(c.volumes().create({}))));
    QVERIFY(refused(outcome(c.volumes().remove({}))));
    QVERIFY(refused(outcome(c.secrets().create({.name = u"sec_x"_s}))));
    QVERIFY(refused(outcome(c.secrets().create({.name = u"a b"_s}))));
    QVERIFY(refused(outcome(c.secrets().create({.name = u"a"_s, .metadata = {{u"k"_s, QString(1025, u'x')}}}))));
    QVERIFY(refused(outcome(c.secrets().remove({}))));
    QVERIFY(refused(outcome(c.admin().node({}))));
    QVERIFY(refused(outcome(c.admin().setNodeStatus({u"n"_s}, NodeStatus::Other))));
    QVERIFY(refused(outcome(c.admin().killSandboxes(u" "_s))));
    QCOMPARE(scripted.server.requestCount(), 0);
}

void TestApiResources::goneAlreadyIsDeleted_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("done");
    QTest::newRow("404 in plain text") << 404 << "id not found"_ba << true;
    QTest::newRow("404") << 404 << R"({"code":404,"message":"x"})"_ba << true;
    QTest::newRow("204") << 204 << ""_ba << true;
    QTest::newRow("403") << 403 << ""_ba << false;
    QTest::newRow("409") << 409 << ""_ba << false;
}

void TestApiResources::goneAlreadyIsDeleted()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(bool, done);
    ScriptedControl scripted(Script::answer(status, body));
    ControlPlaneClient &c = scripted.control;
    const VolumeContentClient content = c.volumes().content({{u"v"_s, u"v"_s}, Secret("t"), {}});
    QCOMPARE(outcome(c.teams().removeApiKey(u"k"_s)).has_value(), done);
    QCOMPARE(outcome(c.teams().removeAccessToken(u"k"_s)).has_value(), done);
    QCOMPARE(outcome(c.volumes().remove({u"v"_s})).has_value(), done);
    QCOMPARE(outcome(c.secrets().remove({u"s"_s})).has_value(), done);
    QCOMPARE(outcome(c.admin().removeApiKey(u"t"_s, u"k"_s)).has_value(), done);
    QCOMPARE(outcome(VolumeContentClient(content).remove(path("/x"))).has_value(), done);
}

void TestApiResources::keysAreToldOnce()
{
    ScriptedControl scripted(
        Script::answer(201, R"({"id":"k1","name":"ci","key":"e2b_0123","createdBy":{"id":"u1","email":null},
        "mask":{"prefix":"e2b_","valueLength":40,"maskedValuePrefix":"01","maskedValueSuffix":"2345"},"lastUsed":null})"));
    const auto key = outcome(scripted.control.teams().createApiKey(u"ci"_s));
    QVERIFY(key.has_value());
    QVERIFY(key->value == Secret("e2b_0123"));
    QCOMPARE(key->createdBy, u"u1"_s);
    QCOMPARE(key->mask.valueLength, 40);
    QVERIFY(!key->lastUsed.isValid());
    // A success without a value made a key that nobody has.
    ScriptedControl silent(Script::answer(201, R"({"id":"k1"})"));
    const auto lost = outcome(silent.control.teams().createApiKey(u"ci"_s));
    QVERIFY(!lost);
    QCOMPARE(lost.error().delivery, Delivery::Unknown);
}

void TestApiResources::listingTeamsIsNeverRepeated()
{
    ScriptedControl scripted(Script::answer(503));
    QVERIFY(!outcome(scripted.control.teams().list()));
    QTest::qWait(300); // a repetition would have come by now
    QCOMPARE(scripted.server.requestCount(), 1);
}

void TestApiResources::snapshotsArePaged()
{
    ScriptedControl scripted([](const RecordedRequest &request, int) {
        return request.query().contains("nextToken")
                   ? Script::answer(200, R"([{"snapshotID":"s2","names":null}])")
                   : Script::answer(200, R"([{"snapshotID":"s1"}])", {{"X-Next-Token", "p+1/="}});
    });
    const auto all = outcome(scripted.control.snapshots().listAll({.source = {u"i1"_s}}));
    QVERIFY(all.has_value());
    QCOMPARE(all->size(), 2);
    QCOMPARE(scripted.line(1), "GET /snapshots?limit=100&nextToken=p%2B1%2F%3D&sandboxID=i1"_ba);

    ScriptedControl looping(Script::answer(200, "[]", {{"X-Next-Token", "same"}}));
    const auto never = outcome(looping.control.snapshots().listAll());
    QVERIFY(!never);
    QCOMPARE(never.error().code, u"bad_paging"_s);
    QCOMPARE(looping.server.requestCount(), 2);
    const auto secrets = outcome(looping.control.secrets().listAll());
    QCOMPARE(secrets.error().code, u"bad_paging"_s);

    ScriptedControl blank(Script::answer(200, R"([{"snapshotID":" "}])"));
    QCOMPARE(outcome(blank.control.snapshots().listAll()).error().code, u"bad_answer"_s);
}

void TestApiResources::pagesWithEverNewTokensEndToo()
{
    ScriptedControl scripted([](const RecordedRequest &, int nth) {
        return Script::answer(200, R"([{"snapshotID":"s"}])", {{"X-Next-Token", QByteArray::number(nth)}});
    });
    const auto all = outcome(scripted.control.snapshots().listAll(), std::chrono::seconds(60));
    QVERIFY(!all);
    QCOMPARE(all.error().code, u"bad_paging"_s);
    QCOMPARE(scripted.server.requestCount(), 1000);
}

void TestApiResources::contentHasItsOwnAddressAndToken_data()
{
    QTest::addColumn<QString>("from"); // where the address of the content comes from
    QTest::newRow("the account") << u"account"_s;
    QTest::newRow("the answer, a whole address") << u"answer"_s;
    QTest::newRow("the control plane's own host") << u"same host"_s;
    QTest::newRow("nothing") << u"nothing"_s;
}

void TestApiResources::contentHasItsOwnAddressAndToken()
{
    QFETCH(QString, from);
    FaultServer content(Script::answer(200, file));
    Endpoint endpoint;
    if (from == u"account")
        endpoint.volumeUrl = content.url("/vol/");
    ScriptedControl scripted(Script::answer(200, file), endpoint);
    VolumeAccess access{{u"v/1"_s, u"data"_s}, Secret("vtok"), {}};
    if (from == u"answer")
        access.domain = QString::fromLatin1(content.url("/").toEncoded());
    else if (from == u"same host")
        access.domain = QString::fromLatin1(scripted.server.authority());
    VolumeContentClient client = scripted.control.volumes().content(access);
    const auto entry = outcome(client.stat(path("/a b/100%")));
    QVERIFY(entry.has_value());
    QCOMPARE(entry->size, 7);
    QCOMPARE(entry->mode, 420U);
    const bool own = from == u"account" || from == u"answer";
    const RecordedRequest request = (own ? content : scripted.server).requests().value(0);
    const QByteArray prefix = from == u"account" ? "/vol" : own ? "" : "/e2b/v1";
    QCOMPARE(request.target, prefix + "/volumecontent/v%2F1/path?path=%2Fa%20b%2F100%25");
    QCOMPARE(request.header("Authorization"), "Bearer vtok"_ba);
    QCOMPARE(request.header("X-API-Key"), ""_ba);
}

void TestApiResources::volumeFilesGoUpAndDown()
{
    ScriptedControl scripted([](const RecordedRequest &request, int) {
        if (request.method == "GET" && request.path().endsWith("/file"))
            return Script::answer(200, "content", {{"Content-Type", "application/octet-stream"}});
        return Script::answer(request.method == "GET" ? 200 : 201,
                              request.path().endsWith("/dir") && request.method == "GET" ? '[' + file + ']' : file);
    });
    VolumeContentClient client = scripted.control.volumes().content({{u"v"_s, u"v"_s}, Secret("t"), {}});
    const VolumeOwnership owner{.uid = 0, .mode = 0755};
    QCOMPARE(outcome(client.list(path("/"), 3))->size(), 1);
    QVERIFY(outcome(client.makeFolder(path("/d"), true, owner)).has_value());
    QVERIFY(outcome(client.setOwnership(path("/d"), owner)).has_value());
    const auto source = net::sourceOf("bytes");
    QVERIFY(outcome(client.upload(path("/f"), source, false)).has_value());
    const auto stream = client.download(path("/f"));
    QByteArray got;
    bool finished = false;
    connect(stream.get(), &net::ByteStream::readyRead, this, [&] { got += stream->read(100); });
    connect(stream.get(), &net::ByteStream::finished, this, [&] { finished = true; });
    QVERIFY(eventually([&] { return finished; }));
    QCOMPARE(got + stream->read(100), "content"_ba);
    QCOMPARE(scripted.lines(),
             (QByteArrayList{"GET /volumecontent/v/dir?path=%2F&depth=3",
                             "POST /volumecontent/v/dir?path=%2Fd&force=true&uid=0&mode=493",
                             "PATCH /volumecontent/v/path?path=%2Fd", "PUT /volumecontent/v/file?path=%2Ff&force=false",
                             "GET /volumecontent/v/file?path=%2Ff"}));
    QCOMPARE(scripted.body(2), R"({"mode":493,"uid":0})"_ba);
    QCOMPARE(scripted.body(3), "bytes"_ba);
    QCOMPARE(scripted.server.requests().at(3).header("Content-Type"), "application/octet-stream"_ba);
}

void TestApiResources::volumeErrorsHaveWordsForCodes()
{
    ScriptedControl scripted(Script::answer(404, R"({"code":"not_found","message":"no such file"})"));
    VolumeContentClient client = scripted.control.volumes().content({{u"v"_s, u"v"_s}, Secret("t"), {}});
    const auto entry = outcome(client.stat(path("/x")));
    QVERIFY(!entry);
    QCOMPARE(entry.error().kind, ErrorKind::NotFound);
    QCOMPARE(entry.error().code, u"not_found"_s);
    std::optional<Error> failed;
    const auto stream = client.download(path("/x"));
    connect(stream.get(), &net::ByteStream::failed, this, [&](const Error &error) { failed = error; });
    QVERIFY(eventually([&] { return failed.has_value(); }));
    QCOMPARE(failed->message, u"no such file"_s);
}

void TestApiResources::whatMakesIsSentOnce_data()
{
    using Do = std::function<Error(ControlPlaneClient &)>;
    QTest::addColumn<Do>("call");
    const auto errorOf = [](const auto &result) { return result ? Error() : result.error(); };
    using C = ControlPlaneClient;
    QTest::newRow("key") << Do([=](C &c) { return errorOf(outcome(c.teams().createApiKey(u"x"_s))); });
    QTest::newRow("volume") << Do([=](C &c) { return errorOf(outcome(c.volumes().create(u"x"_s))); });
    QTest::newRow("secret") << Do([=](C &c) { return errorOf(outcome(c.secrets().create({.name = u"x"_s}))); });
    QTest::newRow("version") << Do([=](C &c) { return errorOf(outcome(c.secrets().update({u"x"_s}, {}))); });
    QTest::newRow("template") << Do([=](C &c) { return errorOf(outcome(c.templates().create({.name = u"x"_s}))); });
    QTest::newRow("build") << Do(
        [=](C &c) { return errorOf(outcome(c.templates().startBuild({u"t"_s}, {u"b"_s}, {.fromImage = u"i"_s}))); });
    QTest::newRow("sweep") << Do([=](C &c) { return errorOf(outcome(c.admin().killSandboxes(u"t"_s))); });
}

void TestApiResources::whatMakesIsSentOnce()
{
    using Do = std::function<Error(ControlPlaneClient &)>;
    QFETCH(Do, call);
    ScriptedControl scripted(Script().close());
    const Error error = call(scripted.control);
    QCOMPARE(error.delivery, Delivery::Unknown);
    QTest::qWait(300); // a repetition would have come by now
    QCOMPARE(scripted.server.requestCount(), 1);
}

namespace {

QStringList *heard = nullptr;

void listen(QtMsgType, const QMessageLogContext &, const QString &message)
{
    heard->append(message);
}

} // namespace

void TestApiResources::secretsStayOutOfTheLog()
{
    QStringList log;
    heard = &log;
    QLoggingCategory::setFilterRules(u"*=true"_s);
    const auto before = qInstallMessageHandler(listen);
    ScriptedControl scripted(
        Script::answer(500, "no"),
        {.apiKey = Secret("e2b_KEYKEY"), .userToken = Secret("USERTOKEN"), .adminToken = Secret("ADMINTOKEN")});
    ControlPlaneClient &c = scripted.control;
    (void)outcome(c.secrets().create({.name = u"x"_s, .value = Secret("SECRETVALUE")}));
    (void)outcome(c.teams().createApiKey(u"x"_s));
    (void)outcome(c.admin().killSandboxes(u"x"_s));
    NewSandbox sandbox{.mcp = Secret(R"({"t":"MCPTOKEN"})")};
    sandbox.network.emplace();
    sandbox.network->egressProxy = EgressProxy{u"p:1"_s, u"u"_s, Secret("PROXYPASS")};
    (void)outcome(c.create(sandbox));
    VolumeContentClient content = c.volumes().content({{u"v"_s, u"v"_s}, Secret("VOLTOKEN"), {}});
    (void)outcome(content.setOwnership(path("/x"), {}));
    FaultServer storage(Script::answer(403, "no"));
    (void)outcome(
        c.templates().uploadLayer({.url = storage.url("/x?sig=SIGNATURE"), .headers = {{"x", "HEADERSECRET"}}},
                                  {.open = [] { return std::make_unique<QBuffer>(); }, .size = 0}));
    qInstallMessageHandler(before);
    QLoggingCategory::setFilterRules({});
    QVERIFY2(log.size() >= 6, "the requests were not logged at all");
    const QString all = log.join(u'\n');
    for (const char *word : {"KEYKEY", "USERTOKEN", "ADMINTOKEN", "SECRETVALUE", "MCPTOKEN", "PROXYPASS", "VOLTOKEN",
                             "SIGNATURE", "HEADERSECRET"})
        QVERIFY2(!all.contains(QLatin1String(word)), word);
}

QTEST_GUILESS_MAIN(TestApiResources)
#include "tst_api_resources.moc"
