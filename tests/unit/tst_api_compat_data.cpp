// SPDX-License-Identifier: GPL-3.0-or-later
// Servers that differ on the data plane (protocol/compat.md section 3), each scripted as it answers. Which test holds
// which row is in tests/conformance/compat.md.
#include "tests/support/scripted_envd.h"
#include "tests/support/waiting.h"

#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::net;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

class TestApiCompatData : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void processStreams_data();
    void processStreams();
    void lateStartGivesThePidLate();
    void withoutAStartThereIsNothingToKill();
    void silentServersAreLeftAlone();
    void failedStreamsAsStatus_data();
    void failedStreamsAsStatus();
    void statusesOfConnectErrorsDiffer_data();
    void statusesOfConnectErrorsDiffer();
    void entriesOfAnyForm_data();
    void entriesOfAnyForm();
    void changesThatAnswerNothing_data();
    void changesThatAnswerNothing();
    void missingFolderIsRemoved();
    void listingsOfAnyShape_data();
    void listingsOfAnyShape();
    void gatewaysGetBothRoutingHeaders();
    void headersNobodyWants();
    void rangesThatAreIgnored();
    void healthOfAnyForm_data();
    void healthOfAnyForm();
    void proxyWordsAreKept_data();
    void proxyWordsAreKept();
    void accountsThatAreMissing_data();
    void accountsThatAreMissing();
};

namespace {

QByteArray start(int pid = 7)
{
    return eventMessage(R"({"start":{"pid":)" + QByteArray::number(pid) + "}}");
}

QByteArray end(const QByteArray &json)
{
    return eventMessage(R"({"end":)" + json + '}');
}

QByteArray base64(const QByteArray &text)
{
    return text.toBase64();
}

Heard runOn(ScriptedSandbox &sandbox)
{
    return Heard(sandbox.envd.processes().start({.config = {.cmd = u"true"_s}}));
}

bool isOver(const Heard &heard)
{
    return eventually([&] { return !heard.ends.isEmpty(); }, 10s);
}

} // namespace

void TestApiCompatData::processStreams_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("out");
    QTest::addColumn<QByteArray>("err");
    QTest::addColumn<std::optional<int>>("exit");
    QTest::addColumn<StreamEnd::Kind>("kind");
    using Kind = StreamEnd::Kind;
    using Exit = std::optional<int>;
    const auto row = [](const char *name, const QByteArray &bytes, const QByteArray &out, Exit exit, Kind kind,
                        const QByteArray &err = {}) { QTest::newRow(name) << bytes << out << err << exit << kind; };
    const QByteArray hi = outputMessage("hi", "stdout");
    const QByteArray good = end(R"({"exited":true,"status":"exit status 0"})");

    row("the reference", start() + hi + good + endOfStream(), "hi", 0, Kind::Finished);
    row("both outputs in one event",
        start() + eventMessage(R"({"data":{"stdout":")" + base64("o") + R"(","stderr":")" + base64("e") + "\"}}") +
            good + endOfStream(),
        "o", 0, Kind::Finished, "e");
    row("output and end in one message",
        start() + eventMessage(R"({"data":{"stdout":")" + base64("hi") + R"("},"end":{"exited":true}})") +
            endOfStream(),
        "hi", 0, Kind::Finished);
    row("exit code left out", start() + end(R"({"exited":true})") + endOfStream(), "", 0, Kind::Finished);
    row("exit code in the other spelling", start() + end(R"({"exit_code":3,"exited":true})") + endOfStream(), "", 3,
        Kind::Finished);
    row("exit code as text", start() + end(R"({"exitCode":"3","exited":true})") + endOfStream(), "", 3, Kind::Finished);
    row("exit code only in the status", start() + end(R"({"exited":true,"status":"exit status 3"})") + endOfStream(),
        "", 3, Kind::Finished);
    row("an end that says nothing", start() + end("{}") + endOfStream(), "", std::nullopt, Kind::Finished);
    row("an empty payload at the end of the stream", start() + good + endOfStream(""), "", 0, Kind::Finished);
    row("no end of the stream after the process's", start() + hi + good, "hi", 0, Kind::BrokenOff);
    row("no end of the process", start() + hi + endOfStream(), "hi", std::nullopt, Kind::Finished);
    row("neither end", start() + hi, "hi", std::nullopt, Kind::BrokenOff);
    row("nothing", "", "", std::nullopt, Kind::BrokenOff);
    row("one plain message", R"({"event":{"end":{"exitCode":3,"exited":true}}})", "", 3, Kind::Finished);
    row("a plain error", R"({"code":"invalid_argument","message":"cwd '/x' does not exist"})", "", std::nullopt,
        Kind::Failed);
    row("output before the start", hi + start() + good + endOfStream(), "hi", 0, Kind::Finished);
    row("no start", hi + good + endOfStream(), "hi", 0, Kind::Finished);
    row("a keepalive first", eventMessage(R"({"keepalive":{}})") + start() + good + endOfStream(), "", 0,
        Kind::Finished);
    row("an event nobody knows", start() + eventMessage(R"({"stats":{"cpu":1}})") + good + endOfStream(), "", 0,
        Kind::Finished);
    row("compressed envelopes", start() + QByteArray("\x01\0\0\0\x02{}", 7) + endOfStream(), "", std::nullopt,
        Kind::BrokenOff);
    row("bytes in the URL alphabet", start() + eventMessage(R"({"data":{"stdout":"_-_-"}})") + good + endOfStream(),
        QByteArray::fromBase64("_-_-", QByteArray::Base64UrlEncoding), 0, Kind::Finished);
    row("trailers", start() + good + endOfStream(R"({"metadata":{"x":["1"]}})"), "", 0, Kind::Finished);
    row("more behind the end", start() + good + endOfStream() + hi, "", 0, Kind::Finished);
}

void TestApiCompatData::processStreams()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, out);
    QFETCH(QByteArray, err);
    QFETCH(std::optional<int>, exit);
    QFETCH(StreamEnd::Kind, kind);
    FaultServer server(stream(bytes).lastChunk().close());
    ScriptedSandbox sandbox(server);
    const Heard heard = runOn(sandbox);
    QVERIFY(isOver(heard));
    QCOMPARE(heard.text, out);
    QCOMPARE(heard.errors, err);
    QVERIFY2(heard.exitCode() == exit, qPrintable(QString::number(heard.exitCode().value_or(-999))));
    QVERIFY2(heard.ends.first().kind == kind, qPrintable(heard.ends.first().error.message));
    QCOMPARE(heard.ends.size(), 1);
    if (kind != StreamEnd::Kind::Finished)
        QVERIFY(!heard.ends.first().error.message.isEmpty());
}

void TestApiCompatData::lateStartGivesThePidLate()
{
    FaultServer server(stream(outputMessage("hi")).wait(100).chunk(start(9)).stall());
    ScriptedSandbox sandbox(server);
    const Heard heard = runOn(sandbox);
    QTRY_COMPARE(heard.text, "hi"_ba);
    QTRY_COMPARE(heard.stream->pid(), std::optional<quint32>(9));
}

void TestApiCompatData::withoutAStartThereIsNothingToKill()
{
    FaultServer server(stream(outputMessage("hi")).stall());
    ScriptedSandbox sandbox(server);
    const Heard heard = runOn(sandbox);
    QTRY_COMPARE(heard.text, "hi"_ba);
    QVERIFY(!heard.stream->pid());
}

void TestApiCompatData::silentServersAreLeftAlone()
{
    // Whose version is no number may send no keepalives: a quiet command there is no lost one.
    for (const QString &version : {u"test"_s, QString(), u"latest"_s}) {
        FaultServer server(stream(start()).wait(1500).chunk(end(R"({"exited":true})") + endOfStream()).lastChunk());
        HttpTransport transport(TransportOptions{.proxies = {}, .patience = 0.02}); // 30 s of silence are 600 ms
        Envd envd(transport,
                  targetOf({.sandboxUrl = server.url()}, SandboxAccess{.id = {u"i1"_s}, .envdVersion = version}));
        const Heard heard(envd.processes().start({.config = {.cmd = u"sleep"_s}}));
        QVERIFY(isOver(heard));
        QCOMPARE(heard.ends.first().kind, StreamEnd::Kind::Finished);
    }
}

void TestApiCompatData::failedStreamsAsStatus_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<ErrorKind>("kind");
    using K = ErrorKind;
    QTest::newRow("Connect error") << 404 << R"({"code":"not_found","message":"no process 9"})"_ba << K::NotFound;
    QTest::newRow("older status of a code") << 412 << R"({"code":"failed_precondition"})"_ba << K::Conflict;
    QTest::newRow("token") << 401 << R"({"code":401,"message":"unauthorized"})"_ba << K::Authentication;
    QTest::newRow("numeric code of a proxy")
        << 502 << R"({"sandboxId":"i1","code":502,"message":"gone"})"_ba << K::Unavailable;
    QTest::newRow("too many connections") << 429 << R"({"code":429,"message":"too many"})"_ba << K::Capacity;
    QTest::newRow("no such method") << 404 << "404 page not found"_ba << K::Unsupported;
    QTest::newRow("another codec wanted") << 415 << ""_ba << K::Unsupported;
    QTest::newRow("a page") << 503 << "<html>maintenance</html>"_ba << K::Unavailable;
}

void TestApiCompatData::failedStreamsAsStatus()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(ErrorKind, kind);
    FaultServer server(Script::answer(status, body, {{"Content-Type", "application/json"}}));
    ScriptedSandbox sandbox(server);
    const Heard heard = runOn(sandbox);
    QVERIFY(isOver(heard));
    QCOMPARE(heard.ends.first().kind, StreamEnd::Kind::Failed);
    QCOMPARE(heard.ends.first().error.kind, kind);
    QVERIFY(!provesGone(kind) || kind == ErrorKind::NotFound); // and that is about the process
    QCOMPARE(server.requestCount(), 1);
}

void TestApiCompatData::statusesOfConnectErrorsDiffer_data()
{
    QTest::addColumn<int>("status");
    for (const int status : {400, 404, 408, 409, 412, 499, 500, 503})
        QTest::addRow("%d", status) << status;
}

void TestApiCompatData::statusesOfConnectErrorsDiffer()
{
    QFETCH(int, status);
    FaultServer server(Script::answer(status, R"({"code":"not_found","message":"file not found"})"));
    ScriptedSandbox sandbox(server);
    const auto entry = outcome(sandbox.envd.filesystem().stat(path("/a")));
    QCOMPARE(entry.error().kind, ErrorKind::NotFound);
    QCOMPARE(entry.error().code, u"not_found"_s);
}

void TestApiCompatData::entriesOfAnyForm_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<FileType>("type");
    QTest::addColumn<qint64>("size");
    QTest::newRow("the reference") << R"("type":"FILE_TYPE_FILE","size":"12","modifiedTime":"2026-03-02T10:00:00Z")"_ba
                                   << FileType::File << qint64(12);
    QTest::newRow("size as a number") << R"("type":"FILE_TYPE_FILE","size":12)"_ba << FileType::File << qint64(12);
    QTest::newRow("a large size") << R"("type":1,"size":"9007199254740993")"_ba << FileType::File
                                  << qint64(9007199254740993);
    QTest::newRow("types in lower case") << R"("type":"directory")"_ba << FileType::Directory << qint64(0);
    QTest::newRow("file in lower case") << R"("type":"file","size":12)"_ba << FileType::File << qint64(12);
    QTest::newRow("types as numbers") << R"("type":2)"_ba << FileType::Directory << qint64(0);
    QTest::newRow("snake case") << R"("type":"FILE_TYPE_FILE","size":3,"modified_time":"2026-03-02T10:00:00Z")"_ba
                                << FileType::File << qint64(3);
    QTest::newRow("a time of another form")
        << R"("type":"FILE_TYPE_FILE","modifiedTime":"yesterday")"_ba << FileType::File << qint64(0);
    QTest::newRow("no type") << R"("size":"4")"_ba << FileType::Unknown << qint64(4);
    QTest::newRow("more than we know") << R"("type":"FILE_TYPE_FILE","inode":7,"acl":[],"size":null)"_ba
                                       << FileType::File << qint64(0);
}

void TestApiCompatData::entriesOfAnyForm()
{
    QFETCH(QByteArray, members);
    QFETCH(FileType, type);
    QFETCH(qint64, size);
    FaultServer server(Script::answer(200, R"({"entry":{"name":"a","path":"/d/a",)" + members + "}}"));
    ScriptedSandbox sandbox(server);
    const auto entry = outcome(sandbox.envd.filesystem().stat(path("/d/a")));
    QVERIFY2(entry.has_value(), entry ? "" : qPrintable(entry.error().message));
    QCOMPARE(entry->type, type);
    QCOMPARE(entry->size, size);
}

void TestApiCompatData::changesThatAnswerNothing_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("the entry") << 200 << R"({"entry":{"name":"a","path":"/d/a"}})"_ba;
    QTest::newRow("an empty object") << 200 << "{}"_ba;
    QTest::newRow("nothing") << 200 << ""_ba;
    QTest::newRow("204") << 204 << ""_ba;
}

void TestApiCompatData::changesThatAnswerNothing()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    FaultServer server(Script::answer(status, body));
    ScriptedSandbox sandbox(server);
    const auto made = outcome(sandbox.envd.filesystem().makeDir(path("/d/a"))); // also of one that exists, there
    QVERIFY2(made.has_value(), made ? "" : qPrintable(made.error().message));
    QCOMPARE(made->path, path("/d/a"));
    QVERIFY(outcome(sandbox.envd.filesystem().move(path("/d/b"), path("/d/a"))).has_value());
    QVERIFY(outcome(sandbox.envd.filesystem().remove(path("/d/a"))).has_value());
}

void TestApiCompatData::missingFolderIsRemoved()
{
    FaultServer server(Script::answer(404, R"({"code":"not_found","message":"no such file"})"));
    ScriptedSandbox sandbox(server);
    QVERIFY(outcome(sandbox.envd.filesystem().remove(path("/d/a"))).has_value());
}

void TestApiCompatData::listingsOfAnyShape_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("count");
    const QByteArray a = R"({"name":"a","path":"/d/a","type":"file"})";
    const QByteArray root = R"({"name":"d","path":"/d","type":"directory"})";
    const QByteArray deep = R"({"name":"x","path":"/d/a/x"})";
    QTest::newRow("nothing in it") << "{}"_ba << 0;
    QTest::newRow("null") << R"({"entries":null})"_ba << 0;
    QTest::newRow("one") << "{\"entries\":[" + a + "]}" << 1;
    QTest::newRow("the folder itself, too") << "{\"entries\":[" + root + ',' + a + "]}" << 1;
    QTest::newRow("the depth is ignored") << "{\"entries\":[" + deep + ',' + a + "]}" << 1;
}

void TestApiCompatData::listingsOfAnyShape()
{
    QFETCH(QByteArray, body);
    QFETCH(int, count);
    FaultServer server(Script::answer(200, body));
    ScriptedSandbox sandbox(server);
    const auto entries = outcome(sandbox.envd.filesystem().list(path("/d")));
    QVERIFY2(entries.has_value(), entries ? "" : qPrintable(entries.error().message));
    QCOMPARE(entries->size(), count);
}

void TestApiCompatData::gatewaysGetBothRoutingHeaders()
{
    FaultServer server(Script::answer(204));
    HttpTransport transport(TransportOptions{.proxies = {}});
    Endpoint endpoint{.domain = u"cube.app"_s};
    endpoint.envdScheme = u"http"_s;
    endpoint.gateway = Gateway{.host = u"127.0.0.1"_s, .port = server.port(), .tls = false};
    Envd envd(transport, targetOf(endpoint, SandboxAccess{.id = {u"my-box"_s}, .trafficAccessToken = Secret("v")}));
    QVERIFY(outcome(envd.health()).has_value());
    (void)outcome(envd.files().readSmall(path("/f"), 10));
    (void)outcome(envd.filesystem().stat(path("/f")));
    QCOMPARE(server.requestCount(), 3);
    for (const RecordedRequest &request : server.requests()) {
        QCOMPARE(request.header("Host"), "49983-my-box.cube.app"_ba);
        QCOMPARE(request.header("E2b-Sandbox-Id"), "my-box"_ba);
        QCOMPARE(request.header("E2b-Sandbox-Port"), "49983"_ba);
        QCOMPARE(request.header("e2b-traffic-access-token"), "v"_ba); // on envd's own port, too
    }
}

void TestApiCompatData::headersNobodyWants()
{
    FaultServer server(Script::answer(200, "{}"));
    ScriptedSandbox sandbox(server);
    (void)outcome(sandbox.envd.filesystem().stat(path("/f")));
    (void)outcome(sandbox.envd.files().readSmall(path("/f"), 10));
    const Heard heard = runOn(sandbox);
    QTRY_COMPARE(server.requestCount(), 3);
    for (const RecordedRequest &request : server.requests()) {
        for (const char *name : {"X-User-ID", "X-API-Key", "Cookie", "Connect-Timeout-Ms", "Origin"})
            QVERIFY2(request.header(name).isEmpty(), name);
        if (request.path() == "/files")
            QCOMPARE(request.header("Accept-Encoding"), "identity"_ba);
        QVERIFY(!request.header("User-Agent").startsWith("Mozilla")); // whom a proxy answers with a page
    }
}

void TestApiCompatData::rangesThatAreIgnored()
{
    FaultServer server(Script::answer(200, "all of it", {{"Accept-Ranges", "none"}}));
    ScriptedSandbox sandbox(server);
    const auto bytes = sandbox.envd.files().download(path("/f"), 4);
    int status = 0;
    bool over = false;
    connect(bytes.get(), &ByteStream::head, this, [&](int told, const HeaderList &) { status = told; });
    connect(bytes.get(), &ByteStream::finished, this, [&] { over = true; });
    QTRY_VERIFY(over);
    QCOMPARE(server.requests().first().header("Range"), "bytes=4-"_ba);
    QCOMPARE(status, 200); // so that its reader starts over
    QCOMPARE(bytes->read(100), "all of it"_ba);
}

void TestApiCompatData::healthOfAnyForm_data()
{
    QTest::addColumn<Script>("script");
    QTest::addColumn<bool>("good");
    QTest::newRow("204") << Script::answer(204) << true;
    QTest::newRow("200 with a body") << Script::answer(200, R"({"status":"ok"})") << true;
    QTest::newRow("200 with text") << Script::answer(200, "healthy") << true;
    QTest::newRow("401 of an unknown user") << Script::answer(401, "{}") << false;
    QTest::newRow("502") << Script::answer(502, R"({"sandboxId":"i1","code":502})") << false;
}

void TestApiCompatData::healthOfAnyForm()
{
    QFETCH(Script, script);
    QFETCH(bool, good);
    FaultServer server(script);
    ScriptedSandbox sandbox(server);
    QCOMPARE(outcome(sandbox.envd.health()).has_value(), good);
}

void TestApiCompatData::proxyWordsAreKept_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("message");
    using K = ErrorKind;
    QTest::newRow("not running") << 502 << R"({"sandboxId":"i1","message":"The sandbox was not found","code":502})"_ba
                                 << K::Unavailable << u"The sandbox was not found"_s;
    QTest::newRow("its machine is lost") << 502 << "Failed to route request to sandbox"_ba << K::Unavailable
                                         << u"Failed to route request to sandbox"_s;
    QTest::newRow("traffic token") << 403
                                   << R"({"sandboxId":"i1","message":"Missing traffic access token","code":403})"_ba
                                   << K::Authentication << u"Missing traffic access token"_s;
    QTest::newRow("a load balancer") << 504 << "<html>504</html>"_ba << K::Timeout << u"HTTP 504 Gateway Timeout"_s;
}

void TestApiCompatData::proxyWordsAreKept()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, message);
    FaultServer server(Script::answer(status, body));
    ScriptedSandbox sandbox(server);
    for (const Error &error :
         {outcome(sandbox.envd.filesystem().stat(path("/f"))).error(),
          outcome(sandbox.envd.files().readSmall(path("/f"), 10)).error(), outcome(sandbox.envd.health()).error()}) {
        QCOMPARE(error.kind, kind);
        QCOMPARE(error.message, message);
    }
}

void TestApiCompatData::accountsThatAreMissing_data()
{
    QTest::addColumn<Script>("script");
    QTest::addColumn<ErrorKind>("kind");
    const QByteArray refusal = R"({"code":"unauthenticated","message":"invalid username: 'user'"})";
    QTest::newRow("as a status") << Script::answer(401, refusal) << ErrorKind::Authentication;
    QTest::newRow("in the stream") << stream(endOfStream(R"({"error":)" + refusal + '}')).lastChunk()
                                   << ErrorKind::Authentication;
    QTest::newRow("no shell") << stream(endOfStream(R"({"error":{"code":"invalid_argument",
        "message":"fork/exec /bin/bash: no such file or directory"}})"))
                                     .lastChunk()
                              << ErrorKind::InvalidRequest;
}

void TestApiCompatData::accountsThatAreMissing()
{
    QFETCH(Script, script);
    QFETCH(ErrorKind, kind);
    FaultServer server(script);
    ScriptedSandbox sandbox(server);
    const Heard heard = runOn(sandbox);
    QVERIFY(isOver(heard));
    QCOMPARE(heard.ends.first().error.kind, kind);
    // The server's words name the account or the shell, so that another can be chosen.
    QVERIFY(heard.ends.first().error.message.contains(u"user"_s) ||
            heard.ends.first().error.message.contains(u"bash"_s));
}

QTEST_GUILESS_MAIN(TestApiCompatData)
#include "tst_api_compat_data.moc"
