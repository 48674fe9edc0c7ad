// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/filesystem_codec.h"
#include "backend/protocol/process_codec.h"
#include "backend/protocol/sandbox_codec.h"
#include "backend/protocol/template_codec.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::protocol;
using namespace Qt::StringLiterals;

namespace {

RemotePath path(const char *text)
{
    return RemotePath::parse(QByteArray(text)).value();
}

QJsonObject object(const QByteArray &json)
{
    return QJsonDocument::fromJson(json).object();
}

} // namespace

class TestProtocolCodecs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void listAnswerForms_data();
    void listAnswerForms();
    void summaryIsReadWhole();
    void statesAreNeutral_data();
    void statesAreNeutral();
    void detailKeepsWhatItDoesNotKnow();
    void accessNeedsOnlyTheId();
    void createSendsOnlyWhatWasSet();
    void templatesAreReadTolerantly();
    void buildStatusWords_data();
    void buildStatusWords();
    void entryTypes_data();
    void entryTypes();
    void entryIsReadWhole();
    void hostileEntriesAreMarked_data();
    void hostileEntriesAreMarked();
    void watchEvents_data();
    void watchEvents();
    void exitCodeLeftOutIsZero_data();
    void exitCodeLeftOutIsZero();
    void oneMessageMayHoldSeveralEvents();
    void inputIsBase64OfBytes_data();
    void inputIsBase64OfBytes();
    void startMatchesTheProtocolExample();
    void processListLeavesOutNothingItNeeds();
};

void TestProtocolCodecs::listAnswerForms_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<int>("count");
    QTest::addColumn<QString>("message");
    QTest::newRow("array") << QByteArray(R"([{"sandboxID":"i1"},{"sandboxID":"i2"}])") << 2 << QString();
    QTest::newRow("null") << QByteArray("null") << 0 << QString();
    QTest::newRow("empty") << QByteArray("[]") << 0 << QString();
    QTest::newRow("wrapped") << QByteArray(R"({"data":[{"sandboxID":"i1"}],"total":1})") << 1 << QString();
    QTest::newRow("no list") << QByteArray(R"({"ok":true})") << -1 << u"no list in the answer"_s;
    QTest::newRow("two lists") << QByteArray(R"({"a":[],"b":[]})") << -1
                               << u"several arrays where one list was expected"_s;
    QTest::newRow("no id") << QByteArray(R"([{"sandboxID":"i1"},{"templateID":"t"}])") << -1
                           << u"[1].sandboxID: missing"_s;
    QTest::newRow("blank id") << QByteArray(R"([{"sandboxID":" "}])") << -1 << u"[0].sandboxID: missing"_s;
}

void TestProtocolCodecs::listAnswerForms()
{
    QFETCH(QByteArray, json);
    QFETCH(int, count);
    QFETCH(QString, message);
    const auto list = decodeSandboxList(json);
    QCOMPARE(list.has_value(), count >= 0);
    if (list)
        QCOMPARE(list->size(), count);
    else
        QCOMPARE(list.error().message, message);
}

void TestProtocolCodecs::summaryIsReadWhole()
{
    const auto list = decodeSandboxList(
        R"([{"templateID":"k3v9","alias":"base","sandboxID":"i7m2","clientID":"6532622b",
             "startedAt":"2026-03-02T10:11:12.345678Z","endAt":null,"cpuCount":2,"memoryMB":"512","diskSizeMB":1024,
             "metadata":{"owner":"ci-17"},"state":" Running ","envdVersion":"0.6.13","future":{"x":1}}])");
    QVERIFY(list.has_value());
    const SandboxSummary expected{.id = {u"i7m2"_s},
                                  .templateId = {u"k3v9"_s},
                                  .alias = u"base"_s,
                                  .state = SandboxState::Running,
                                  .rawState = u" Running "_s,
                                  .startedAt = QDateTime::fromString(u"2026-03-02T10:11:12.345Z"_s, Qt::ISODateWithMs),
                                  .cpuCount = 2,
                                  .memoryMB = 512,
                                  .diskSizeMB = 1024,
                                  .metadata = {{u"owner"_s, u"ci-17"_s}},
                                  .envdVersion = u"0.6.13"_s};
    QVERIFY(list->at(0) == expected);
    QVERIFY(!list->at(0).endAt.isValid());
}

void TestProtocolCodecs::statesAreNeutral_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<SandboxState>("state");
    for (const char *word : {"running", "RUNNING", "available"})
        QTest::newRow(word) << QString::fromLatin1(word) << SandboxState::Running;
    QTest::newRow("paused") << u"paused"_s << SandboxState::Paused;
    for (const char *word : {"pending", "creating", "provisioning", "starting", "pausing", "resuming"})
        QTest::newRow(word) << QString::fromLatin1(word) << SandboxState::Transitioning;
    for (const char *word : {"killed", "killing", "stopped", "terminated", "deleted", "failed", "error"})
        QTest::newRow(word) << QString::fromLatin1(word) << SandboxState::Terminal;
    QTest::newRow("unheard of") << u"hibernating"_s << SandboxState::Unknown;
    QTest::newRow("none") << QString() << SandboxState::Unknown;
}

void TestProtocolCodecs::statesAreNeutral()
{
    QFETCH(QString, word);
    QFETCH(SandboxState, state);
    QCOMPARE(sandboxState(word), state);
}

void TestProtocolCodecs::detailKeepsWhatItDoesNotKnow()
{
    const auto detail = decodeSandboxDetail(
        R"({"templateID":"t","sandboxID":"i1","state":"paused","envdAccessToken":"4b1d","domain":null,
            "allowInternetAccess":false,"lifecycle":{"autoResume":true,"onTimeout":"pause"},
            "limits":{"processes":512},"startedAt":"2026-03-02T10:11:12Z","endAt":"2026-03-02T10:11:13Z"})");
    QVERIFY(detail.has_value());
    QCOMPARE(detail->state, SandboxState::Paused);
    QCOMPARE(detail->envdAccessToken.reveal(), "4b1d"_ba);
    QVERIFY(detail->domain.isEmpty());
    QCOMPARE(detail->allowInternetAccess, std::optional(false));
    QVERIFY(detail->autoResume);
    QCOMPARE(detail->onTimeout, u"pause"_s);
    QCOMPARE(detail->extras, object(R"({"limits":{"processes":512}})"));
}

void TestProtocolCodecs::accessNeedsOnlyTheId()
{
    const auto bare = decodeSandboxAccess(R"({"sandboxID":"i1"})", {u"base"_s});
    QVERIFY(bare.has_value());
    QCOMPARE(bare->id.value, u"i1"_s);
    QCOMPARE(bare->templateId.value, u"base"_s);
    QVERIFY(bare->envdAccessToken.isEmpty());

    const auto full = decodeSandboxAccess(R"({"sandboxID":"i1","templateID":"k3","trafficAccessToken":"9e8d",
        "envdAccessToken":"4b1d","domain":"x.test","envdVersion":"0.6.13"})",
                                          {u"base"_s});
    QCOMPARE(full->templateId.value, u"k3"_s);
    QCOMPARE(full->trafficAccessToken.reveal(), "9e8d"_ba);
    QCOMPARE(full->domain, u"x.test"_s);

    QVERIFY(!decodeSandboxAccess("{}"));
    QVERIFY(!decodeSandboxAccess(R"({"sandboxID":""})"));
}

void TestProtocolCodecs::createSendsOnlyWhatWasSet()
{
    QCOMPARE(object(encodeNewSandbox({})), object(R"({"templateID":"base","timeout":300,"secure":true})"));
    const NewSandbox full{.templateId = u"t"_s,
                          .timeout = std::chrono::seconds(1800),
                          .autoPause = true,
                          .autoResume = true,
                          .secure = false,
                          .allowInternetAccess = false,
                          .metadata = {{u"a"_s, u"b"_s}},
                          .envVars = {{u"K"_s, u"V"_s}}};
    QCOMPARE(object(encodeNewSandbox(full)),
             object(R"({"templateID":"t","timeout":1800,"secure":false,"autoPause":true,"autoResume":{"enabled":true},
                        "allow_internet_access":false,"metadata":{"a":"b"},"envVars":{"K":"V"}})"));
}

void TestProtocolCodecs::templatesAreReadTolerantly()
{
    const auto list = decodeTemplateList(R"([
        {"templateID":"t1","buildID":"00000000-0000-0000-0000-000000000000","names":[],"aliases":["old"],
         "buildStatus":"BUILDING","cpuCount":0,"envdVersion":"","lastSpawnedAt":null,"createdBy":null},
        {"templateID":"t2","image":"debian:12","status":"failed","reason":{"message":"disk full"}},
        {"templateID":"t3","buildID":"6f1e","names":["acme/x"],"aliases":["x"],"buildStatus":"ready","public":true,
         "spawnCount":"5000000000","buildCount":3}])");
    QVERIFY(list.has_value());
    QCOMPARE(list->at(0).displayName(), u"old"_s);
    QVERIFY(list->at(0).buildId.isEmpty());
    QVERIFY(!list->at(0).isSpawnable());
    QCOMPARE(list->at(0).buildStatus, BuildStatus::Building);
    QCOMPARE(list->at(1).displayName(), u"debian:12"_s);
    QCOMPARE(list->at(1).buildStatus, BuildStatus::Error);
    QCOMPARE(list->at(1).reason, u"disk full"_s);
    QCOMPARE(list->at(2).displayName(), u"acme/x"_s);
    QCOMPARE(list->at(2).spawnCount, qint64(5'000'000'000));
    QVERIFY(list->at(2).isPublic && list->at(2).isSpawnable());
    QCOMPARE(decodeTemplateList(R"([{"templateID":"t9"}])")->at(0).displayName(), u"t9"_s);
}

void TestProtocolCodecs::buildStatusWords_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<BuildStatus>("status");
    QTest::newRow("READY") << u"READY"_s << BuildStatus::Ready;
    QTest::newRow("succeeded") << u"succeeded"_s << BuildStatus::Ready;
    QTest::newRow("processing") << u"processing"_s << BuildStatus::Building;
    QTest::newRow("uploaded") << u"uploaded"_s << BuildStatus::Waiting;
    QTest::newRow("canceled") << u"canceled"_s << BuildStatus::Error;
    QTest::newRow("unheard of") << u"snapshotting"_s << BuildStatus::Other;
}

void TestProtocolCodecs::buildStatusWords()
{
    QFETCH(QString, word);
    QFETCH(BuildStatus, status);
    QCOMPARE(buildStatus(word), status);
}

void TestProtocolCodecs::entryTypes_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<FileType>("expected");
    QTest::newRow("enum name") << "\"FILE_TYPE_DIRECTORY\""_ba << FileType::Directory;
    QTest::newRow("plain word") << "\"file\""_ba << FileType::File;
    QTest::newRow("dir") << "\"dir\""_ba << FileType::Directory;
    QTest::newRow("number") << "2"_ba << FileType::Directory;
    QTest::newRow("number as text") << "\"1\""_ba << FileType::File;
    QTest::newRow("unspecified") << "\"FILE_TYPE_UNSPECIFIED\""_ba << FileType::Unknown;
    QTest::newRow("symlink") << "\"FILE_TYPE_SYMLINK\""_ba << FileType::Unknown;
    QTest::newRow("null") << "null"_ba << FileType::Unknown;
    QTest::newRow("new one") << "\"FILE_TYPE_SOCKET\""_ba << FileType::Unknown;
}

void TestProtocolCodecs::entryTypes()
{
    QFETCH(QByteArray, type);
    QFETCH(FileType, expected);
    const auto entry = decodeEntry(R"({"entry":{"name":"x","path":"/x","type":)" + type + "}}");
    QVERIFY(entry.has_value());
    QCOMPARE((*entry)->type, expected);
}

void TestProtocolCodecs::entryIsReadWhole()
{
    const auto entry = decodeEntry(
        R"({"entry":{"name":"lib","type":"FILE_TYPE_DIRECTORY","path":"/home/user//lib","size":"8589934592","mode":493,
            "permissions":"Lrwxrwxrwx","owner":"user","group":"user","modifiedTime":"2026-03-02T10:11:12.345678901Z",
            "symlinkTarget":"/usr/lib","metadata":{"origin":"demo"}}})");
    QVERIFY(entry.has_value() && entry->has_value());
    const EntryInfo expected{.name = "lib",
                             .path = path("/home/user/lib"),
                             .type = FileType::Directory,
                             .size = 8'589'934'592,
                             .mode = 0755,
                             .permissions = u"Lrwxrwxrwx"_s,
                             .owner = u"user"_s,
                             .group = u"user"_s,
                             .modified = QDateTime::fromString(u"2026-03-02T10:11:12.345Z"_s, Qt::ISODateWithMs),
                             .symlinkTarget = "/usr/lib"_ba,
                             .metadata = {{u"origin"_s, u"demo"_s}}};
    QVERIFY(**entry == expected);
    QVERIFY((*entry)->isDirectChildOf(path("/home/user")));

    const auto none = decodeEntry("{}");
    QVERIFY(none.has_value() && !none->has_value());
}

void TestProtocolCodecs::hostileEntriesAreMarked_data()
{
    QTest::addColumn<QByteArray>("entry");
    QTest::addColumn<bool>("good");
    QTest::newRow("good") << R"({"name":"a","path":"/d/a"})"_ba << true;
    QTest::newRow("backslash") << R"({"name":"back\\slash","path":"/d/back\\slash"})"_ba << true;
    QTest::newRow("percent") << R"({"name":"%2e%2e","path":"/d/%2e%2e"})"_ba << true;
    QTest::newRow("dot dot") << R"({"name":"..","path":"/d/.."})"_ba << false;
    QTest::newRow("climbs") << R"({"name":"../../evil","path":"/d/../../evil"})"_ba << false;
    QTest::newRow("absolute") << R"({"name":"/tmp/abs","path":"/tmp/abs"})"_ba << false;
    QTest::newRow("nul") << R"({"name":"a\u0000b","path":"/d/a\u0000b"})"_ba << false;
    QTest::newRow("empty") << R"({"name":"","path":"/d"})"_ba << false;
    QTest::newRow("relative path") << R"({"name":"a","path":"d/a"})"_ba << false;
    QTest::newRow("elsewhere") << R"({"name":"a","path":"/etc/a"})"_ba << false;
    QTest::newRow("name and path differ") << R"({"name":"b","path":"/d/a"})"_ba << false;
    QTest::newRow("the folder itself") << R"({"name":"d","path":"/d"})"_ba << false;
}

void TestProtocolCodecs::hostileEntriesAreMarked()
{
    QFETCH(QByteArray, entry);
    QFETCH(bool, good);
    // One bad entry never hides the others.
    const auto entries = decodeEntries(R"({"entries":[)" + entry + R"(,{"name":"ok","path":"/d/ok"}]})");
    QVERIFY(entries.has_value());
    QCOMPARE(entries->size(), 2);
    QCOMPARE(entries->at(0).isDirectChildOf(path("/d")), good);
    QVERIFY(entries->at(1).isDirectChildOf(path("/d")));
}

void TestProtocolCodecs::watchEvents_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<WatchEvent::Kind>("kind");
    QTest::newRow("start") << R"({"start":{}})"_ba << WatchEvent::Kind::Started;
    QTest::newRow("keepalive") << R"({"keepalive":{}})"_ba << WatchEvent::Kind::KeepAlive;
    QTest::newRow("create") << R"({"filesystem":{"name":"a/b","type":"EVENT_TYPE_CREATE"}})"_ba
                            << WatchEvent::Kind::Create;
    QTest::newRow("number") << R"({"filesystem":{"name":"a/b","type":4}})"_ba << WatchEvent::Kind::Rename;
    QTest::newRow("new kind") << R"({"filesystem":{"name":"a/b","type":"EVENT_TYPE_CLOSE"}})"_ba
                              << WatchEvent::Kind::Other;
    QTest::newRow("new message") << R"({"overflow":{}})"_ba << WatchEvent::Kind::Other;
}

void TestProtocolCodecs::watchEvents()
{
    QFETCH(QByteArray, json);
    QFETCH(WatchEvent::Kind, kind);
    const auto event = decodeWatchEvent(json);
    QVERIFY(event.has_value());
    QCOMPARE(event->kind, kind);
    QCOMPARE(event->name, json.contains("filesystem") ? "a/b"_ba : QByteArray());
}

void TestProtocolCodecs::exitCodeLeftOutIsZero_data()
{
    QTest::addColumn<QByteArray>("end");
    QTest::addColumn<std::optional<int>>("code");
    const auto row = [](const char *name, const char *end, std::optional<int> code) {
        QTest::newRow(name) << QByteArray(end) << code;
    };
    row("left out", R"({"exited":true,"status":"exit status 0"})", 0);
    row("left out, no status", R"({"exited":true})", 0);
    row("written out", R"({"exitCode":0,"exited":true,"status":"exit status 0"})", 0);
    row("three", R"({"exitCode":3,"exited":true,"status":"exit status 3","error":"exit status 3"})", 3);
    row("three, snake case", R"({"exit_code":3,"exited":true})", 3);
    row("three, only in the status", R"({"exited":true,"status":"exit status 3"})", 3);
    row("status without exited", R"({"status":"exit status 0"})", 0);
    row("killed", R"({"exitCode":-1,"status":"signal: killed","error":"signal: killed"})", -1);
    row("killed, code left out", R"({"status":"signal: terminated"})", -1);
    row("nothing said", "{}", std::nullopt);
    row("unreadable status", R"({"status":"gone"})", std::nullopt);
}

void TestProtocolCodecs::exitCodeLeftOutIsZero()
{
    QFETCH(QByteArray, end);
    QFETCH(std::optional<int>, code);
    const auto events = decodeProcessEvents(R"({"event":{"end":)" + end + "}}");
    QVERIFY(events.has_value());
    QCOMPARE(events->size(), 1);
    QVERIFY(std::get<ProcessEnded>(events->at(0)).exitCode == code);
}

void TestProtocolCodecs::oneMessageMayHoldSeveralEvents()
{
    const auto both = decodeProcessEvents(R"({"event":{"data":{"stderr":"ZQ==","stdout":"bw=="}}})");
    const QList<ProcessEvent> expected{ProcessOutput{.stream = ProcessOutput::Stream::Stdout, .data = "o"},
                                       ProcessOutput{.stream = ProcessOutput::Stream::Stderr, .data = "e"}};
    QVERIFY(both.has_value());
    QVERIFY(*both == expected);
    QVERIFY(decodeProcessEvents(R"({"event":{"future":{}}})")->isEmpty());
    QVERIFY(*decodeProcessEvents(R"({"event":{"start":{"pid":512}}})") == QList<ProcessEvent>{ProcessStarted{512}});
    QVERIFY(!decodeProcessEvents(R"({"event":{"data":{"pty":"not base64!"}}})"));
}

void TestProtocolCodecs::inputIsBase64OfBytes_data()
{
    QTest::addColumn<QByteArray>("typed");
    QTest::newRow("exit is valid base64 by chance") << "exit"_ba;
    QTest::newRow("line") << "echo hi\r"_ba;
    QTest::newRow("emoji") << "\xf0\x9f\x98\x80"_ba;
    QTest::newRow("control C") << "\x03"_ba;
    QTest::newRow("lone byte") << "\xff"_ba;
    QTest::newRow("nul") << QByteArray("a\0b", 3);
}

void TestProtocolCodecs::inputIsBase64OfBytes()
{
    QFETCH(QByteArray, typed);
    const QJsonObject pty = object(encodeInput(7, InputKind::Pty, typed));
    QCOMPARE(pty["process"_L1].toObject()["pid"_L1].toInt(), 7);
    const QString text = pty["input"_L1].toObject()["pty"_L1].toString();
    QCOMPARE(QByteArray::fromBase64(text.toLatin1(), QByteArray::AbortOnBase64DecodingErrors), typed);
    QVERIFY(object(encodeInput(7, InputKind::Stdin, typed))["input"_L1].toObject().contains("stdin"_L1));
}

void TestProtocolCodecs::startMatchesTheProtocolExample()
{
    const ProcessStart start{.config = {.cmd = u"/bin/bash"_s, .args = {u"-l"_s, u"-c"_s, u"echo hi; exit 3"_s}}};
    QCOMPARE(object(encodeStart(start)),
             object(R"({"process":{"cmd":"/bin/bash","args":["-l","-c","echo hi; exit 3"]},"stdin":false})"));
    const ProcessStart shell{
        .config = {.cmd = u"/bin/bash"_s, .envs = {{u"TERM"_s, u"xterm-256color"_s}}, .cwd = u"/tmp"_s},
        .pty = PtySize{132, 43},
        .tag = u"tab-1"_s};
    QCOMPARE(object(encodeStart(shell)),
             object(R"({"process":{"cmd":"/bin/bash","args":[],"envs":{"TERM":"xterm-256color"},"cwd":"/tmp"},
                        "pty":{"size":{"cols":132,"rows":43}},"tag":"tab-1"})"));
    QCOMPARE(object(encodeResize(7, {100, 30})),
             object(R"({"process":{"pid":7},"pty":{"size":{"cols":100,"rows":30}}})"));
    QCOMPARE(object(encodeSignal(7, ProcessSignal::Kill)),
             object(R"({"process":{"pid":7},"signal":"SIGNAL_SIGKILL"})"));
}

void TestProtocolCodecs::processListLeavesOutNothingItNeeds()
{
    const auto list = decodeProcessList(
        R"({"processes":[{"config":{"cmd":"/bin/bash","args":["-l"],"cwd":"/tmp"},"pid":512,"tag":"t"},{"pid":9}]})");
    QVERIFY(list.has_value());
    QCOMPARE(list->size(), 2);
    QCOMPARE(list->at(0).pid, 512u);
    QCOMPARE(list->at(0).config.cwd, std::optional(u"/tmp"_s));
    QCOMPARE(list->at(0).tag, u"t"_s);
    QVERIFY(!list->at(1).config.cwd);
    QVERIFY(decodeProcessList("{}")->isEmpty());
}

QTEST_GUILESS_MAIN(TestProtocolCodecs)
#include "tst_protocol_codecs.moc"
