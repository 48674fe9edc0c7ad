// SPDX-License-Identifier: GPL-3.0-or-later
// Templates: what a list entry really means, builds, steps and tags.
#include "backend/protocol/template_build_codec.h"
#include "backend/protocol/template_codec.h"
#include "backend/protocol/template_reconcile.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::protocol;
using namespace Qt::StringLiterals;

class TestProtocolTemplates : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void entriesAreSettledByAtMostOneQuestion_data();
    void entriesAreSettledByAtMostOneQuestion();
    void failedQuestionsChangeNothing();
    void stepsHaveTheFormServersTake();
    void registriesNameTheirType_data();
    void registriesNameTheirType();
    void newTemplatesSendWhatWasSet();
    void buildInfoForms_data();
    void buildInfoForms();
    void layersGoWhereTheyAreTold_data();
    void layersGoWhereTheyAreTold();
    void detailHasItsBuilds();
    void changesAnswerNamesOrNothing();
};

void TestProtocolTemplates::entriesAreSettledByAtMostOneQuestion_data()
{
    QTest::addColumn<QByteArray>("entry");
    QTest::addColumn<Unsettled>("question");
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<BuildStatus>("status");
    QTest::addColumn<bool>("spawnable");
    const QByteArray build = R"("buildID":"11111111-1111-4111-8111-111111111111")";
    const QByteArray none = R"("buildID":"00000000-0000-0000-0000-000000000000")";
    const auto row = [](const char *name, const QByteArray &entry, Unsettled question, const QByteArray &answer,
                        BuildStatus status, bool spawnable) {
        QTest::newRow(name) << R"([{"templateID":"t1",)" + entry + "}]" << question << answer << status << spawnable;
    };
    using S = BuildStatus;
    using Q = Unsettled;
    row("ready", build + R"(,"buildStatus":"ready","buildCount":3)", Q::Nothing, {}, S::Ready, true);
    row("rebuild runs, the old one boots", build + R"(,"buildStatus":"building","buildCount":2)", Q::BuildInfo,
        R"({"status":"ready"})", S::Ready, true);
    row("rebuild runs, asked about itself", build + R"(,"buildStatus":"building","buildCount":1)", Q::BuildInfo,
        R"({"status":"building"})", S::Building, true);
    row("waits, and the named one failed", build + R"(,"buildStatus":"waiting","buildCount":1)", Q::BuildInfo,
        R"({"status":"error","reason":{"message":"exit 1"}})", S::Error, true);
    row("first build runs", none + R"(,"buildStatus":"building","buildCount":1)", Q::Nothing, {}, S::Building, false);
    row("first build waits", none + R"(,"buildStatus":"waiting","buildCount":1)", Q::History,
        R"({"templateID":"t1","builds":[{"buildID":"b1","status":"waiting"}]})", S::Waiting, false);
    row("no build has the tag default", none + R"(,"buildStatus":"waiting","buildCount":2)", Q::History,
        R"({"templateID":"t1","builds":[{"buildID":"b2","status":"error"},{"buildID":"b1","status":"ready"}]})",
        S::Untagged, false);
    row("all failed", none + R"(,"buildStatus":"waiting","buildCount":2)", Q::History,
        R"({"templateID":"t1","builds":[{"buildID":"b2","status":"error"}]})", S::Waiting, false);
    row("nothing was ever built", R"("buildID":"","buildStatus":"waiting","buildCount":0)", Q::Nothing, {}, S::Waiting,
        false);
    row("error", build + R"(,"buildStatus":"error","buildCount":2)", Q::Nothing, {}, S::Error, true);
    row("words of another server", none + R"(,"buildStatus":"QUEUED","buildCount":1)", Q::History,
        R"({"templateID":"t1","builds":[{"buildID":"b1","status":"SUCCEEDED"}]})", S::Untagged, false);
}

void TestProtocolTemplates::entriesAreSettledByAtMostOneQuestion()
{
    QFETCH(QByteArray, entry);
    QFETCH(Unsettled, question);
    QFETCH(QByteArray, answer);
    QFETCH(BuildStatus, status);
    QFETCH(bool, spawnable);
    const auto list = decodeTemplateList(entry);
    QVERIFY(list.has_value());
    TemplateSummary settled = list->first();
    QCOMPARE(unsettled(settled), question);
    if (question == Unsettled::BuildInfo)
        settled = settledBy(settled, decodeBuildInfo(answer));
    else if (question == Unsettled::History)
        settled = settledBy(settled, decodeTemplateDetail(answer));
    QCOMPARE(settled.buildStatus, status);
    QCOMPARE(settled.isSpawnable(), spawnable);
    if (answer.contains("exit 1"))
        QCOMPARE(settled.reason, u"exit 1"_s);
}

void TestProtocolTemplates::failedQuestionsChangeNothing()
{
    const TemplateSummary entry{.id = {u"t1"_s}, .buildId = {u"b1"_s}, .buildStatus = BuildStatus::Waiting};
    const Error error{.kind = ErrorKind::NotFound};
    QVERIFY(settledBy(entry, Result<BuildInfo>(tl::unexpected(error))) == entry);
    QVERIFY(settledBy(entry, Result<TemplateDetail>(tl::unexpected(error))) == entry);
}

void TestProtocolTemplates::stepsHaveTheFormServersTake()
{
    const QString hash(64, u'a');
    const BuildStart start{.fromImage = u"debian:12"_s,
                           .force = true,
                           .steps = {BuildStep::run(u"apt-get update"_s, u"root"_s), BuildStep::run(u"true"_s),
                                     BuildStep::copy(u"src"_s, u"/app/"_s, hash),
                                     BuildStep::copy(u"a"_s, u"b"_s, hash, u"user:user"_s, u"0644"_s),
                                     BuildStep::env({{u"A"_s, u"1=2"_s}, {u"B"_s, QString()}}),
                                     BuildStep::workdir(u"/app"_s), BuildStep::user(u"dev"_s, true),
                                     BuildStep::user(u"user"_s)},
                           .startCmd = u"serve"_s,
                           .readyCmd = u"curl -f localhost"_s};
    const QByteArray h = hash.toLatin1();
    const QByteArray expected = R"({"fromImage":"debian:12","force":true,"steps":[
        {"type":"RUN","args":["apt-get update","root"],"force":false},{"type":"RUN","args":["true"],"force":false},
        {"type":"COPY","args":["src","/app/","",""],"force":false,"filesHash":")" +
                                h + R"("},
        {"type":"COPY","args":["a","b","user:user","0644"],"force":false,"filesHash":")" +
                                h + R"("},
        {"type":"ENV","args":["A","1=2","B",""],"force":false},{"type":"WORKDIR","args":["/app"],"force":false},
        {"type":"USER","args":["dev","true"],"force":false},{"type":"USER","args":["user"],"force":false}],
        "startCmd":"serve","readyCmd":"curl -f localhost"})";
    QVERIFY(QJsonDocument::fromJson(expected).isObject());
    QCOMPARE(QJsonDocument::fromJson(encodeBuildStart(start)).object(), QJsonDocument::fromJson(expected).object());
    QCOMPARE(encodeBuildStart({.fromTemplate = u"base"_s}), R"({"fromTemplate":"base"})"_ba);
}

void TestProtocolTemplates::registriesNameTheirType_data()
{
    QTest::addColumn<ImageRegistry>("registry");
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("general") << ImageRegistry(GeneralRegistry{.username = u"u"_s, .password = Secret("p")})
                             << R"({"type":"registry","username":"u","password":"p"})"_ba;
    QTest::newRow("aws") << ImageRegistry(AwsRegistry{
                                .accessKeyId = Secret("a"), .secretAccessKey = Secret("s"), .region = u"eu"_s})
                         << R"({"type":"aws","awsAccessKeyId":"a","awsSecretAccessKey":"s","awsRegion":"eu"})"_ba;
    QTest::newRow("gcp") << ImageRegistry(GcpRegistry{.serviceAccountJson = Secret("{}")})
                         << R"({"type":"gcp","serviceAccountJson":"{}"})"_ba;
    QTest::newRow("none") << ImageRegistry() << "{}"_ba;
}

void TestProtocolTemplates::registriesNameTheirType()
{
    QFETCH(ImageRegistry, registry);
    QFETCH(QByteArray, json);
    const QJsonObject body =
        QJsonDocument::fromJson(encodeBuildStart({.fromImage = u"i"_s, .registry = registry})).object();
    QCOMPARE(body.value("fromImageRegistry"_L1).toObject(), QJsonDocument::fromJson(json).object());
    QCOMPARE(body.contains("fromImageRegistry"_L1), json != "{}");
}

void TestProtocolTemplates::newTemplatesSendWhatWasSet()
{
    QCOMPARE(encodeNewTemplate({.name = u"acme/tools:v1"_s}), R"({"name":"acme/tools:v1"})"_ba);
    QCOMPARE(encodeNewTemplate(
                 {.name = u"t"_s, .tags = {u"default"_s}, .cpuCount = 2, .memoryMB = 2048, .minFreeDiskMB = 0}),
             R"({"cpuCount":2,"memoryMB":2048,"minFreeDiskMb":0,"name":"t","tags":["default"]})"_ba);
    QCOMPARE(encodeNewTemplateV2({.name = u"t"_s, .tags = {u"default"_s}, .cpuCount = 2}),
             R"({"alias":"t","cpuCount":2})"_ba);
}

void TestProtocolTemplates::buildInfoForms_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<BuildStatus>("status");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<int>("lines");
    QTest::newRow("building") << R"({"templateID":"t","buildID":"b","status":"building","logs":[],
        "logEntries":[{"timestamp":"2026-03-02T10:00:00Z","message":"x","level":"info","step":"base"}]})"_ba
                              << BuildStatus::Building << QString() << 1;
    QTest::newRow("failed") << R"({"status":"error","reason":{"message":"exit 1","step":"2","logEntries":[]}})"_ba
                            << BuildStatus::Error << u"exit 1"_s << 0;
    QTest::newRow("a bare reason") << R"({"status":"FAILED","reason":"no image"})"_ba << BuildStatus::Error
                                   << u"no image"_s << 0;
    QTest::newRow("old lines") << R"({"status":"ready","logs":["a","b"],"logEntries":null})"_ba << BuildStatus::Ready
                               << QString() << 2;
    QTest::newRow("a word nobody knows") << R"({"status":"optimizing"})"_ba << BuildStatus::Other << QString() << 0;
}

void TestProtocolTemplates::buildInfoForms()
{
    QFETCH(QByteArray, json);
    QFETCH(BuildStatus, status);
    QFETCH(QString, reason);
    QFETCH(int, lines);
    const auto info = decodeBuildInfo(json);
    QVERIFY(info.has_value());
    QCOMPARE(info->status, status);
    QCOMPARE(info->reason.message, reason);
    QCOMPARE(info->logEntries.size(), lines);
    QVERIFY(!decodeBuildInfo("{}")); // no status is no answer
}

void TestProtocolTemplates::layersGoWhereTheyAreTold_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<bool>("good");
    QTest::addColumn<int>("headers");
    QTest::newRow("present") << R"({"present":true})"_ba << true << 0;
    QTest::newRow("present, and a place anyway") << R"({"present":true,"url":"https://s.example/x"})"_ba << true << 0;
    QTest::newRow("a place") << R"({"present":false,"url":"https://s.example/x?sig=a%2Fb"})"_ba << true << 0;
    QTest::newRow("headers")
        << R"({"present":false,"url":"https://s.example/x","headers":{"x-goog-a":"1","Content-Length":"7","Host":"h"}})"_ba
        << true << 1;
    QTest::newRow("nowhere") << R"({"present":false})"_ba << false << 0;
    QTest::newRow("a place that is none") << R"({"present":false,"url":"/relative"})"_ba << false << 0;
}

void TestProtocolTemplates::layersGoWhereTheyAreTold()
{
    QFETCH(QByteArray, json);
    QFETCH(bool, good);
    QFETCH(int, headers);
    const auto layer = decodeLayerUpload(json);
    QCOMPARE(layer.has_value(), good);
    if (!layer)
        return;
    QCOMPARE(layer->headers.size(), headers);
    if (json.contains("sig"))
        QCOMPARE(layer->url.toEncoded(), "https://s.example/x?sig=a%2Fb"_ba);
}

void TestProtocolTemplates::detailHasItsBuilds()
{
    const auto detail = decodeTemplateDetail(
        R"({"templateID":"t1","public":true,"names":["acme/t"],"aliases":["t"],"createdAt":"2026-03-02T10:00:00Z",
            "lastSpawnedAt":null,"spawnCount":"12","builds":[{"buildID":"b1","status":"ready","cpuCount":2,"memoryMB":512,
            "diskSizeMB":1024,"finishedAt":"2026-03-02T10:05:00Z","envdVersion":"0.6.13"},{"buildID":"b0","status":"x"}]})");
    QVERIFY(detail.has_value());
    QCOMPARE(detail->spawnCount, 12);
    QVERIFY(detail->isPublic && !detail->lastSpawnedAt.isValid());
    QCOMPARE(detail->builds.size(), 2);
    QCOMPARE(detail->builds.at(0).status, BuildStatus::Ready);
    QCOMPARE(detail->builds.at(0).diskSizeMB, 1024);
    QCOMPARE(detail->builds.at(1).status, BuildStatus::Other);
    QVERIFY(!decodeTemplateDetail(R"({"templateID":"t1","builds":[{}]})"));
}

void TestProtocolTemplates::changesAnswerNamesOrNothing()
{
    QCOMPARE(decodeTemplateNames(R"({"names":["acme/t"]})").value(), QStringList{u"acme/t"_s});
    QVERIFY(decodeTemplateNames("")->isEmpty());
    QVERIFY(decodeTemplateNames("null")->isEmpty());
    QCOMPARE(encodeAssignTags(u"t:v1"_s, {u"default"_s}), R"({"tags":["default"],"target":"t:v1"})"_ba);
    QCOMPARE(encodeRemoveTags(u"t"_s, {u"v1"_s}), R"({"name":"t","tags":["v1"]})"_ba);
    QCOMPARE(encodeVisibility(false), R"({"public":false})"_ba);
}

QTEST_APPLESS_MAIN(TestProtocolTemplates)
#include "tst_protocol_templates.moc"
