// SPDX-License-Identifier: GPL-3.0-or-later
// Templates, tags and builds against scripted servers, byte for byte; the standard template.
#include "backend/api/standard_template.h"
#include "backend/net/request_body.h"
#include "tests/support/scripted_control.h"
#include "tests/support/waiting.h"

#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace Qt::StringLiterals;

namespace {

const TemplateId oddId{u"my-team/base:v2"_s};
const BuildId buildId{u"b 1"_s};

const StandardTemplate wanted{.name = u"acme"_s, .recipe = {.fromImage = u"acme/sandbox:1"_s}};

QByteArray row(const QByteArray &id, const QByteArray &name, const QByteArray &status,
               const QByteArray &build = "11111111-1111-4111-8111-111111111111")
{
    return R"({"templateID":")" + id + R"(","names":[")" + name + R"("],"buildStatus":")" + status +
           R"(","buildID":")" + build + R"(","buildCount":2})";
}

const QByteArray noBuild = "00000000-0000-0000-0000-000000000000";

} // namespace

class TestApiTemplates : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void callsOnTheWire_data();
    void callsOnTheWire();
    void refusedBeforeARequest();
    void unknownBuildIsGoneWhetherItIs400Or404_data();
    void unknownBuildIsGoneWhetherItIs400Or404();
    void deletionIsDoneWhenNothingIsLeft_data();
    void deletionIsDoneWhenNothingIsLeft();
    void pagedListIsReadWholeAndRemembered();
    void buildsOfADetailArePaged();
    void oldFormsAreUsedOnlyWhereTheNewAreMissing();
    void tagsAreNeverLostInAnOldForm();
    void layerGoesUpWithoutCredentials();
    void layerIsNotRedirected();
    void whoseANameIs_data();
    void whoseANameIs();
    void reconciliationIsBounded();
    void standardNames_data();
    void standardNames();
    void standardTemplateIsEnsured_data();
    void standardTemplateIsEnsured();
    void nothingIsBuiltWhenTheListFails();
    void replacingAlwaysBuilds();
    void supersededOnesGo();
};

void TestApiTemplates::callsOnTheWire_data()
{
    using Do = std::function<bool(TemplatesClient)>;
    QTest::addColumn<Do>("call");
    QTest::addColumn<Script>("answer");
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("body");
    const auto add = [](const char *name, const Do &call, const Script &answer, const char *line,
                        const char *body = "") {
        QTest::newRow(name) << call << answer << QByteArray(line) << QByteArray(body);
    };
    const QString hash(64, u'a');
    using T = TemplatesClient;
    const QByteArray requested =
        R"({"templateID":"t1","buildID":"b1","public":false,"names":["x"],"tags":["default"]})";
    const auto ok = [](const QByteArray &body) { return Script::answer(200, body); };
    add(
        "page", [](T t) { return outcome(t.page(u"a=="_s, 7)).has_value(); }, ok("[]"),
        "GET /v2/templates?limit=7&nextToken=a%3D%3D");
    add(
        "detail", [](T t) { return outcome(t.detail({u"t1"_s}, u"x/y"_s)).has_value(); }, ok(R"({"templateID":"t1"})"),
        "GET /templates/t1?limit=100&nextToken=x%2Fy");
    add(
        "create", [](T t) { return outcome(t.create({.name = u"x"_s, .cpuCount = 2})).has_value(); },
        Script::answer(202, requested), "POST /v3/templates", R"({"cpuCount":2,"name":"x"})");
    add(
        "layer", [hash](T t) { return outcome(t.layer(oddId, hash)).has_value(); },
        Script::answer(201, R"({"present":true})"),
        "GET /templates/my-team%2Fbase%3Av2/files/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    add(
        "start", [](T t) { return outcome(t.startBuild(oddId, buildId, {.fromTemplate = u"base"_s})).has_value(); },
        Script::answer(202), "POST /v2/templates/my-team%2Fbase%3Av2/builds/b%201", R"({"fromTemplate":"base"})");
    add(
        "status", [](T t) { return outcome(t.buildInfo(oddId, buildId, 250, 500, LogLevel::Warn)).has_value(); },
        ok(R"({"status":"building"})"),
        "GET /templates/my-team%2Fbase%3Av2/builds/b%201/status?logsOffset=250&limit=100&level=warn");
    add(
        "logs",
        [](T t) {
            return outcome(t.buildLogs(oddId, buildId,
                                       {.cursor = QDateTime::fromMSecsSinceEpoch(7, Qt::UTC),
                                        .direction = LogDirection::Forward}))
                .has_value();
        },
        ok(R"({"logs":[]})"),
        "GET /templates/my-team%2Fbase%3Av2/builds/b%201/logs?limit=100&direction=forward&cursor=7");
    add(
        "delete", [](T t) { return outcome(t.remove(oddId)).has_value(); }, Script::answer(204),
        "DELETE /templates/my-team%2Fbase%3Av2");
    add(
        "publish",
        [](T t) { return outcome(t.setPublic({u"t1"_s}, true)).value_or(QStringList()) == QStringList{u"a/b"_s}; },
        ok(R"({"names":["a/b"]})"), "PATCH /v2/templates/t1", R"({"public":true})");
    add(
        "assign",
        [](T t) {
            return outcome(t.assignTags(u"a/b:v1"_s, {u"default"_s, u"v2"_s})).has_value();
        },
        Script::answer(201, R"({"tags":["v2","default"],"buildID":"b1"})"), "POST /templates/tags",
        R"({"tags":["default","v2"],"target":"a/b:v1"})");
    add(
        "untag", [](T t) { return outcome(t.removeTags(u"a/b"_s, {u"v1"_s})).has_value(); }, Script::answer(204),
        "DELETE /templates/tags", R"({"name":"a/b","tags":["v1"]})");
    add(
        "tags", [](T t) { return outcome(t.tags(u"a/b"_s)).has_value(); }, ok(R"([{"tag":"v1","buildID":"b1"}])"),
        "GET /templates/a%2Fb/tags");
}

void TestApiTemplates::callsOnTheWire()
{
    using Do = std::function<bool(TemplatesClient)>;
    QFETCH(Do, call);
    QFETCH(Script, answer);
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, body);
    ScriptedControl scripted(answer);
    QVERIFY(call(scripted.control.templates()));
    QCOMPARE(scripted.lines(), QByteArrayList{line});
    QCOMPARE(scripted.body(0), body);
}

void TestApiTemplates::refusedBeforeARequest()
{
    ScriptedControl scripted(Script::answer(204));
    TemplatesClient templates = scripted.control.templates();
    const auto code = [](const auto &result) { return result ? u"sent"_s : result.error().code; };
    QCOMPARE(code(outcome(templates.create({.name = u" "_s}))), u"bad_name"_s);
    QCOMPARE(code(outcome(templates.create({.name = QString(129, u'x')}))), u"bad_name"_s);
    QCOMPARE(code(outcome(templates.layer({u"t"_s}, u"ABC"_s))), u"bad_hash"_s);
    QCOMPARE(code(outcome(templates.startBuild({u"t"_s}, {u"b"_s}, {}))), u"bad_source"_s);
    QCOMPARE(code(outcome(templates.startBuild({u"t"_s}, {u"b"_s}, {.fromImage = u"i"_s, .fromTemplate = u"t"_s}))),
             u"bad_source"_s);
    QCOMPARE(code(outcome(templates.startBuild({u"t"_s}, {u"b"_s},
                                               {.fromImage = u"i"_s, .steps = {BuildStep::copy(u"a"_s, u"b"_s, {})}}))),
             u"bad_hash"_s);
    QCOMPARE(code(outcome(templates.removeTags(u"t"_s, {u"default"_s}))), u"default_tag"_s);
    QCOMPARE(code(outcome(templates.removeTags(u"t:v1"_s, {u"v1"_s}))), u"bad_request"_s);
    QCOMPARE(code(outcome(templates.assignTags(u"t:v1"_s, {}))), u"bad_request"_s);
    QCOMPARE(code(outcome(templates.remove({}))), u"bad_request"_s);
    QCOMPARE(code(outcome(templates.detail({u" "_s}))), u"bad_request"_s);
    QCOMPARE(code(outcome(templates.buildInfo({u"t"_s}, {}))), u"bad_request"_s);
    QCOMPARE(scripted.server.requestCount(), 0);
}

void TestApiTemplates::unknownBuildIsGoneWhetherItIs400Or404_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<ErrorKind>("kind");
    QTest::newRow("400") << 400 << ErrorKind::NotFound;
    QTest::newRow("404") << 404 << ErrorKind::NotFound;
    QTest::newRow("403") << 403 << ErrorKind::Authentication;
    QTest::newRow("500") << 500 << ErrorKind::Unavailable;
}

void TestApiTemplates::unknownBuildIsGoneWhetherItIs400Or404()
{
    QFETCH(int, status);
    QFETCH(ErrorKind, kind);
    ScriptedControl scripted(Script::answer(status, R"({"code":400,"message":"Build 'b1' not found"})"));
    const auto info = outcome(scripted.control.templates().buildInfo({u"t"_s}, {u"b1"_s}));
    QVERIFY(!info);
    QCOMPARE(info.error().kind, kind);
    QCOMPARE(info.error().httpStatus, status);
}

void TestApiTemplates::deletionIsDoneWhenNothingIsLeft_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<std::optional<ErrorKind>>("kind");
    using Kind = std::optional<ErrorKind>;
    QTest::newRow("204") << 204 << Kind();
    QTest::newRow("200 with a body") << 200 << Kind();
    QTest::newRow("404") << 404 << Kind();
    QTest::newRow("410") << 410 << Kind();
    QTest::newRow("400, in use") << 400 << Kind(ErrorKind::Conflict);
    QTest::newRow("403") << 403 << Kind(ErrorKind::Authentication);
}

void TestApiTemplates::deletionIsDoneWhenNothingIsLeft()
{
    QFETCH(int, status);
    QFETCH(std::optional<ErrorKind>, kind);
    ScriptedControl scripted(Script::answer(status, R"({"message":"there are paused sandboxes"})"));
    for (const auto &removed : {outcome(scripted.control.templates().remove(oddId)),
                                outcome(scripted.control.snapshots().remove({oddId.value}))}) {
        QCOMPARE(removed.has_value(), !kind.has_value());
        if (kind)
            QCOMPARE(removed.error().kind, *kind);
    }
    QCOMPARE(scripted.lines(), (QByteArrayList(2, "DELETE /templates/my-team%2Fbase%3Av2")));
}

void TestApiTemplates::pagedListIsReadWholeAndRemembered()
{
    ScriptedControl scripted([](const RecordedRequest &request, int) {
        if (!request.path().endsWith("/v2/templates"))
            return Script::answer(404, "");
        return request.query().contains("nextToken")
                   ? Script::answer(200, R"([{"templateID":"t2"}])")
                   : Script::answer(200, R"([{"templateID":"t1"}])", {{"X-Next-Token", "n="}});
    });
    for (int i = 0; i < 2; ++i) {
        const auto list = outcome(scripted.control.templates().list());
        QVERIFY(list.has_value());
        QCOMPARE(list->size(), 2);
    }
    QCOMPARE(
        scripted.lines(),
        (QByteArrayList{"GET /templates", "GET /v2/templates?limit=100", "GET /v2/templates?limit=100&nextToken=n%3D",
                        "GET /v2/templates?limit=100", "GET /v2/templates?limit=100&nextToken=n%3D"}));
}

void TestApiTemplates::buildsOfADetailArePaged()
{
    ScriptedControl scripted([](const RecordedRequest &request, int) {
        if (request.query().contains("nextToken"))
            return Script::answer(200, R"({"templateID":"t1","names":["later"],"builds":[{"buildID":"b1"}]})");
        return Script::answer(200, R"({"templateID":"t1","names":["t"],"builds":[{"buildID":"b3"},{"buildID":"b2"}]})",
                              {{"X-Next-Token", "2"}});
    });
    const auto detail = outcome(scripted.control.templates().wholeDetail({u"t1"_s}));
    QVERIFY(detail.has_value());
    QCOMPARE(detail->names, QStringList{u"t"_s});
    QCOMPARE(detail->builds.size(), 3);
    QCOMPARE(detail->builds.last().id.value, u"b1"_s);
    QVERIFY(detail->nextToken.isEmpty());
}

void TestApiTemplates::oldFormsAreUsedOnlyWhereTheNewAreMissing()
{
    ScriptedControl scripted(routes({{"PATCH /templates/t1", Script::answer(200, "null")},
                                     {"POST /v2/templates", Script::answer(202, R"({"templateID":"t1","buildID":"b1",
                                        "aliases":["x"]})")}}));
    TemplatesClient templates = scripted.control.templates();
    QVERIFY(outcome(templates.setPublic({u"t1"_s}, true)).has_value());
    QVERIFY(outcome(templates.setPublic({u"t1"_s}, false)).has_value());
    const auto made = outcome(templates.create({.name = u"x"_s, .tags = {u"default"_s}}));
    QVERIFY(made.has_value());
    QCOMPARE(made->names, QStringList{u"x"_s});
    QCOMPARE(scripted.lines(), (QByteArrayList{"PATCH /v2/templates/t1", "PATCH /templates/t1", "PATCH /templates/t1",
                                               "POST /v3/templates", "POST /v2/templates"}));
    QCOMPARE(scripted.body(4), R"({"alias":"x"})"_ba);
    // A template that is missing in both forms is missing, and teaches nothing.
    ScriptedControl gone(Script::answer(404, R"({"code":404,"message":"template not found"})"));
    const auto missing = outcome(gone.control.templates().setPublic({u"t9"_s}, true));
    QVERIFY(!missing);
    QCOMPARE(missing.error().kind, ErrorKind::NotFound);
    QVERIFY(!outcome(gone.control.templates().setPublic({u"t9"_s}, true)));
    QCOMPARE(gone.line(2), "PATCH /v2/templates/t9"_ba);
}

void TestApiTemplates::tagsAreNeverLostInAnOldForm()
{
    ScriptedControl scripted(
        routes({{"POST /v2/templates", Script::answer(202, R"({"templateID":"t","buildID":"b"})")}}));
    QVERIFY(!outcome(scripted.control.templates().create({.name = u"x:v1"_s})));
    QVERIFY(!outcome(scripted.control.templates().create({.name = u"x"_s, .tags = {u"v1"_s}})));
    QCOMPARE(scripted.lines(), (QByteArrayList{"POST /v3/templates", "POST /v3/templates"}));
}

void TestApiTemplates::layerGoesUpWithoutCredentials()
{
    FaultServer storage(Script::answer(200));
    ScriptedControl scripted(Script::answer(500));
    const QByteArray archive(300'000, 'x');
    const LayerUpload target{.url = storage.url("/bucket/a%2Fb?sig=x%2By"), .headers = {{"x-goog-meta", "1"}}};
    qint64 sent = 0;
    QVERIFY(outcome(scripted.control.templates().uploadLayer(target, net::sourceOf(archive), [&](qint64 bytes, qint64) {
                sent = bytes;
            })).has_value());
    const RecordedRequest request = storage.requests().first();
    QCOMPARE(request.method, "PUT"_ba);
    QCOMPARE(request.target, "/bucket/a%2Fb?sig=x%2By"_ba);
    QCOMPARE(request.body, archive);
    QCOMPARE(request.header("Content-Length"), QByteArray::number(archive.size()));
    QCOMPARE(request.header("x-goog-meta"), "1"_ba);
    QCOMPARE(sent, archive.size());
    for (const auto &[name, value] : request.headers) {
        const QByteArray lower = name.toLower();
        QVERIFY2(lower != "x-api-key" && lower != "authorization" && lower != "content-type" &&
                     lower != "transfer-encoding",
                 name);
    }
    // What storage refuses is told in its words.
    FaultServer full(Script::answer(507, "<Error>no space</Error>"));
    const auto failed = outcome(scripted.control.templates().uploadLayer({.url = full.url("/")}, net::sourceOf("x")));
    QVERIFY(!failed);
    QCOMPARE(failed.error().kind, ErrorKind::Capacity);
}

void TestApiTemplates::layerIsNotRedirected()
{
    FaultServer elsewhere(Script::answer(200));
    FaultServer storage([&](const RecordedRequest &, int) {
        return Script::answer(307, {}, {{"Location", elsewhere.url("/x").toEncoded()}});
    });
    ScriptedControl scripted(Script::answer(500));
    const auto sent =
        outcome(scripted.control.templates().uploadLayer({.url = storage.url("/")}, net::sourceOf("abc")));
    QVERIFY(!sent);
    QCOMPARE(sent.error().code, u"redirected"_s);
    QCOMPARE(elsewhere.requestCount(), 0);
}

void TestApiTemplates::whoseANameIs_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<NameOwner>("owner");
    QTest::newRow("ours") << 200 << NameOwner::Us;
    QTest::newRow("somebody else's") << 403 << NameOwner::SomebodyElse;
    QTest::newRow("free") << 404 << NameOwner::Nobody;
}

void TestApiTemplates::whoseANameIs()
{
    QFETCH(int, status);
    QFETCH(NameOwner, owner);
    ScriptedControl scripted(Script::answer(status, R"({"templateID":"t1","public":true})"));
    const auto alias = outcome(scripted.control.templates().lookUpName(u"acme/t"_s));
    QVERIFY(alias.has_value());
    QCOMPARE(alias->owner, owner);
    QCOMPARE(alias->templateId.isEmpty(), owner != NameOwner::Us);
    QCOMPARE(scripted.line(0), "GET /templates/aliases/acme%2Ft"_ba);
}

void TestApiTemplates::reconciliationIsBounded()
{
    ScriptedControl scripted([](const RecordedRequest &, int nth) {
        return nth == 1 ? Script::answer(503) : Script::answer(200, R"({"status":"ready"})");
    });
    QList<TemplateSummary> list;
    for (int i = 0; i < 5; ++i)
        list.append({.id = {u"t%1"_s.arg(i)}, .buildId = {u"b"_s}, .buildStatus = BuildStatus::Building});
    list.insert(2, {.id = {u"good"_s}, .buildId = {u"b"_s}, .buildStatus = BuildStatus::Ready});
    const auto settled = outcome(scripted.control.templates().reconcileAll(list, 3), std::chrono::seconds(20));
    QVERIFY(settled.has_value());
    QCOMPARE(settled->at(0).buildStatus, BuildStatus::Ready);
    QCOMPARE(settled->at(1).buildStatus, BuildStatus::Ready); // after a short outage
    QCOMPARE(settled->at(2), list.at(2));
    QCOMPARE(settled->at(3).buildStatus, BuildStatus::Ready);
    QCOMPARE(settled->at(4), list.at(4)); // not asked any more
    QCOMPARE(scripted.server.requestCount(), 4);
    QCOMPARE(scripted.line(0), "GET /templates/t0/builds/b/status?limit=0"_ba);
}

void TestApiTemplates::standardNames_data()
{
    QTest::addColumn<QStringList>("names");
    QTest::addColumn<QStringList>("aliases");
    QTest::addColumn<bool>("standard");
    QTest::newRow("the name") << QStringList{u"acme"_s} << QStringList() << true;
    QTest::newRow("in another case") << QStringList{u"ACME"_s} << QStringList() << true;
    QTest::newRow("with the team before") << QStringList{u"team/acme"_s} << QStringList() << true;
    QTest::newRow("slashes around") << QStringList{u"/acme/"_s} << QStringList() << true;
    QTest::newRow("an alias") << QStringList{u"other"_s} << QStringList{u"acme"_s} << true;
    QTest::newRow("part of a name") << QStringList{u"acme-2"_s, u"my-acme"_s} << QStringList() << false;
    QTest::newRow("the team's name") << QStringList{u"acme/other"_s} << QStringList() << false;
    QTest::newRow("none") << QStringList() << QStringList{QString()} << false;
}

void TestApiTemplates::standardNames()
{
    QFETCH(QStringList, names);
    QFETCH(QStringList, aliases);
    QFETCH(bool, standard);
    QCOMPARE(isStandard({.names = names, .aliases = aliases}, u"/acme"_s), standard);
    QVERIFY(!isStandard({.names = names, .aliases = aliases}, u" "_s));
}

void TestApiTemplates::standardTemplateIsEnsured_data()
{
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QString>("id"); // of what is found; "new" is built
    const QByteArray other = row("t0", "other", "ready");
    QTest::newRow("there") << other + ',' + row("t1", "acme", "ready") << u"t1"_s;
    QTest::newRow("first that is good") << row("t1", "acme", "error") + ',' + row("t2", "team/acme", "ready")
                                        << u"t2"_s;
    QTest::newRow("building is not built twice") << row("t1", "acme", "building", noBuild) << u"t1"_s;
    QTest::newRow("untagged") << row("tu", "acme", "waiting", noBuild) << u"new"_s;
    QTest::newRow("failed") << row("t1", "acme", "FAILED") << u"new"_s;
    QTest::newRow("missing") << other << u"new"_s;
}

void TestApiTemplates::standardTemplateIsEnsured()
{
    QFETCH(QByteArray, list);
    QFETCH(QString, id);
    ScriptedControl scripted(routes(
        {{"GET /templates", Script::answer(200, '[' + list + ']')},
         {"GET /templates/tu",
          Script::answer(200, R"({"templateID":"tu","builds":[{"buildID":"b","status":"ready"}]})")},
         {"POST /v3/templates", Script::answer(202, R"({"templateID":"new","buildID":"nb","names":["team/acme"]})")},
         {"POST /v2/templates/new/builds/nb", Script::answer(202)}}));
    const auto ensured = outcome(ensureStandardTemplate(scripted.control.templates(), wanted));
    QVERIFY(ensured.has_value());
    QCOMPARE(ensured->id.value, id);
    const bool built = id == u"new";
    QCOMPARE(scripted.lines().contains("POST /v3/templates"), built);
    if (!built)
        return;
    QCOMPARE(ensured->buildStatus, BuildStatus::Building);
    const int last = scripted.server.requestCount() - 1;
    QCOMPARE(scripted.body(last - 1), R"({"cpuCount":2,"memoryMB":2048,"name":"acme","tags":["default"]})"_ba);
    QCOMPARE(scripted.body(last), R"({"fromImage":"acme/sandbox:1"})"_ba);
}

void TestApiTemplates::nothingIsBuiltWhenTheListFails()
{
    ScriptedControl scripted(Script::answer(403, R"({"message":"team is blocked"})"));
    const auto ensured = outcome(ensureStandardTemplate(scripted.control.templates(), wanted));
    QVERIFY(!ensured);
    QCOMPARE(ensured.error().kind, ErrorKind::Authentication);
    QCOMPARE(scripted.lines(), QByteArrayList{"GET /templates"});
    QVERIFY(!outcome(ensureStandardTemplate(scripted.control.templates(), {.name = u"/"_s})));
    QCOMPARE(scripted.server.requestCount(), 1);
}

void TestApiTemplates::replacingAlwaysBuilds()
{
    ScriptedControl scripted(
        routes({{"POST /v3/templates", Script::answer(202, R"({"templateID":"new","buildID":"nb"})")},
                {"POST /v2/templates/new/builds/nb", Script::answer(202)}}));
    const auto replaced = outcome(replaceStandardTemplate(scripted.control.templates(), wanted));
    QVERIFY(replaced.has_value());
    QCOMPARE(replaced->names, QStringList{u"acme"_s});
    QCOMPARE(scripted.lines(), (QByteArrayList{"POST /v3/templates", "POST /v2/templates/new/builds/nb"}));
}

void TestApiTemplates::supersededOnesGo()
{
    ScriptedControl scripted(
        routes({{"GET /templates",
                 Script::answer(200, '[' + row("keep", "acme", "ready") + ',' + row("gone", "acme", "error") + ',' +
                                         row("used", "team/acme", "ready") + ',' + row("old", "ACME", "ready") + ',' +
                                         row("x", "other", "ready") + ']')},
                {"DELETE /templates/used", Script::answer(400, R"({"message":"sandboxes depend on it"})")},
                {"DELETE /templates/old", Script::answer(204)}}));
    const auto removed = outcome(removeSuperseded(scripted.control.templates(), u"acme"_s, {u"keep"_s}));
    QVERIFY(removed.has_value());
    QCOMPARE(removed->size(), 1);
    QCOMPARE(removed->value({u"used"_s}).kind, ErrorKind::Conflict);
    QCOMPARE(scripted.lines(), (QByteArrayList{"GET /templates", "DELETE /templates/gone", "DELETE /templates/used",
                                               "DELETE /templates/old"}));
    QCOMPARE(outcome(removeSuperseded(scripted.control.templates(), u"acme"_s, {u" "_s})).error().kind,
             ErrorKind::InvalidRequest);
    QCOMPARE(scripted.server.requestCount(), 4);
}

QTEST_GUILESS_MAIN(TestApiTemplates)
#include "tst_api_templates.moc"
