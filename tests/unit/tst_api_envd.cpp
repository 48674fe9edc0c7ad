// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripted_envd.h"
#include "tests/support/waiting.h"

#include <QBuffer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <QUrlQuery>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::net;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

QByteArray decodedPath(const RecordedRequest &request)
{
    const QByteArray query = request.query();
    const qsizetype at = query.indexOf("path=");
    const QByteArray value = query.mid(at + 5, query.indexOf('&', at) < 0 ? -1 : query.indexOf('&', at) - at - 5);
    return QByteArray::fromPercentEncoding(value);
}

} // namespace

class TestApiEnvd : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tokenGoesWithEveryCall();
    void tokenIsLeftOutWhenThereIsNone();
    void refusedTokenIsNamed();
    void namesReachTheServerUnchanged_data();
    void namesReachTheServerUnchanged();
    void uploadFormFollowsTheVersion_data();
    void uploadFormFollowsTheVersion();
    void rawUploadFallsBackToAForm_data();
    void rawUploadFallsBackToAForm();
    void uploadAnswers_data();
    void uploadAnswers();
    void downloadAsksForTheRest();
    void filesErrors_data();
    void filesErrors();
    void smallReadsAreBounded();
    void rootIsNeverRemoved();
    void removingAMissingPathIsDone();
    void existingFolderIsAConflict();
    void missingRpcIsNoMissingFile();
    void listingIsCleaned();
    void largeListingIsReadElsewhere();
    void streamCutBeforeItsEndIsBrokenOff_data();
    void streamCutBeforeItsEndIsBrokenOff();
    void exitCountsEvenIfTheStreamBreaks();
    void serverLimitEndsACommandAlwaysTheSame();
    void keepalivesKeepAQuietStream();
    void silentStreamOfAKnownServerIsNoticed();
    void refusedStreamTellsWhy_data();
    void refusedStreamTellsWhy();
    void startIsSentOnce();
    void nothingIsDeliveredAfterClose();
    void closingAnIdleStreamIsImmediate();
    void pausedStreamHoldsTheServerBack();
    void inputIsSentAsBytes();
    void watchTellsChangesAndItsEnd();
    void pulseTellsGoneFromLost_data();
    void pulseTellsGoneFromLost();
};

void TestApiEnvd::tokenGoesWithEveryCall()
{
    FaultServer server([](const RecordedRequest &request, int) {
        return request.path() == "/files" ? Script::answer(200, "[{}]") : Script::answer(200, "{}");
    });
    ScriptedSandbox sandbox(server);
    Envd &envd = sandbox.envd;
    (void)outcome(envd.filesystem().stat(path("/a")));
    (void)outcome(envd.filesystem().list(path("/a")));
    (void)outcome(envd.filesystem().remove(path("/a")));
    (void)outcome(envd.processes().list());
    (void)outcome(envd.processes().resize(7, {80, 24}));
    (void)outcome(envd.files().readSmall(path("/a"), 100));
    (void)outcome(envd.files().writeSmall(path("/a"), "x"));
    const Heard started(envd.processes().start({.config = {.cmd = u"true"_s}}));
    QTRY_COMPARE(server.requestCount(), 8);
    for (const RecordedRequest &request : server.requests()) {
        QCOMPARE(request.header("X-Access-Token"), "4b1d"_ba);
        QCOMPARE(request.header("E2b-Sandbox-Id"), "i1"_ba);
        QCOMPARE(request.header("E2b-Sandbox-Port"), "49983"_ba);
        QCOMPARE(request.header("Authorization"), "Basic dXNlcjo="_ba);
        QVERIFY(request.header("X-API-Key").isEmpty());
        if (request.path() != "/files")
            QCOMPARE(request.header("Connect-Protocol-Version"), "1"_ba);
        else
            QVERIFY(request.query().contains("username=user"));
        QVERIFY(request.header("Connect-Timeout-Ms").isEmpty());
    }
}

void TestApiEnvd::tokenIsLeftOutWhenThereIsNone()
{
    FaultServer server(Script::answer(200, "{}"));
    ScriptedSandbox sandbox(server, u"0.6.13"_s, {});
    (void)outcome(sandbox.envd.filesystem().list(path("/a")));
    const RecordedRequest request = server.requests().first();
    for (const auto &[name, value] : request.headers)
        QVERIFY(name.compare("X-Access-Token", Qt::CaseInsensitive) != 0);
}

void TestApiEnvd::refusedTokenIsNamed()
{
    FaultServer server(
        Script::answer(401, R"({"code":401,"message":"unauthorized access, please provide a valid token"})"));
    ScriptedSandbox sandbox(server);
    const auto listed = outcome(sandbox.envd.filesystem().list(path("/a")));
    QCOMPARE(listed.error().kind, ErrorKind::Authentication);
    QCOMPARE(listed.error().code, u"http_unauthenticated"_s);
    const auto read = outcome(sandbox.envd.files().readSmall(path("/a"), 10));
    QCOMPARE(read.error().kind, ErrorKind::Authentication);
}

void TestApiEnvd::namesReachTheServerUnchanged_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("quote") << "re\"port.txt"_ba;
    QTest::newRow("backslash at the end") << "end\\"_ba;
    QTest::newRow("line feed") << "a\nX-Evil: 1"_ba;
    QTest::newRow("carriage return") << "a\r\nX-Evil: 1\r\n\r\nboo"_ba;
    QTest::newRow("semicolon") << "semi;x=1"_ba;
    QTest::newRow("200 CJK characters") << QString(200, QChar(0x6f22)).toUtf8();
    QTest::newRow("hash and brackets") << "a#b [1] 100%.txt"_ba;
    QTest::newRow("percent") << "50%25.txt"_ba;
    QTest::newRow("literal escapes") << "%2e%2e"_ba;
    QTest::newRow("plus") << "caf\xc3\xa9 +1.txt"_ba;
    QTest::newRow("ampersand") << "x&y=z.txt"_ba;
    QTest::newRow("question mark") << "what?.txt"_ba;
    QTest::newRow("not UTF-8") << "raw\xff\xfe"_ba;
}

void TestApiEnvd::namesReachTheServerUnchanged()
{
    QFETCH(QByteArray, name);
    FaultServer server(Script::answer(200, R"([{"path":"x"}])"));
    const RemotePath file = path("/home/user").child(name).value();
    for (const QString &version : {u"0.6.13"_s, u"0.5.6"_s}) {
        ScriptedSandbox sandbox(server, version);
        QVERIFY(outcome(sandbox.envd.files().writeSmall(file, "content")).has_value());
        const RecordedRequest upload = server.requests().last();
        QCOMPARE(decodedPath(upload), file.bytes());
        QVERIFY(upload.header("X-Evil").isEmpty());
        QCOMPARE(upload.header("Content-Length").toLongLong(), upload.body.size());
        if (version == u"0.5.6") {
            // One part, whose header has exactly two lines whatever the name holds.
            const QByteArray head = upload.body.left(upload.body.indexOf("\r\n\r\n"));
            QCOMPARE(head.count("\r\n"), 2);
            QVERIFY(head.contains("Content-Disposition: form-data; name=\"file\"; filename=\""));
            QCOMPARE(upload.body.count("content\r\n--boxdeck-"), 1);
        } else {
            QCOMPARE(upload.body, "content"_ba);
        }
        (void)outcome(sandbox.envd.files().readSmall(file, 100));
        QCOMPARE(decodedPath(server.requests().last()), file.bytes());
    }
}

void TestApiEnvd::uploadFormFollowsTheVersion_data()
{
    QTest::addColumn<QString>("version");
    QTest::addColumn<bool>("raw");
    QTest::newRow("new") << u"0.5.7"_s << true;
    QTest::newRow("old") << u"0.5.6"_s << false;
    QTest::newRow("free text") << u"test"_s << false;
    QTest::newRow("none") << QString() << false;
}

void TestApiEnvd::uploadFormFollowsTheVersion()
{
    QFETCH(QString, version);
    QFETCH(bool, raw);
    FaultServer server(Script::answer(200, R"([{"path":"x"}])"));
    ScriptedSandbox sandbox(server, version);
    QVERIFY(outcome(sandbox.envd.files().writeSmall(path("/f"), {})).has_value());
    QCOMPARE(server.requests().first().header("Content-Type") == "application/octet-stream", raw);
    QCOMPARE(server.requests().first().header("Content-Type").startsWith("multipart/form-data; boundary="), !raw);
}

void TestApiEnvd::rawUploadFallsBackToAForm_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("requests");
    QTest::newRow("415") << 415 << 2;
    QTest::newRow("500") << 500 << 2;
    QTest::newRow("507 is the disk") << 507 << 1;
    QTest::newRow("401 is the token") << 401 << 1;
}

void TestApiEnvd::rawUploadFallsBackToAForm()
{
    QFETCH(int, status);
    QFETCH(int, requests);
    FaultServer server([&](const RecordedRequest &request, int) {
        return request.header("Content-Type").startsWith("multipart/") ? Script::answer(200, R"([{"path":"x"}])")
                                                                       : Script::answer(status, "no");
    });
    ScriptedSandbox sandbox(server);
    const auto written = outcome(sandbox.envd.files().writeSmall(path("/f"), "content"));
    QCOMPARE(written.has_value(), requests == 2);
    QCOMPARE(server.requestCount(), requests);
    if (requests == 2)
        QVERIFY(server.requests().last().body.contains("\r\n\r\ncontent\r\n"));
}

void TestApiEnvd::uploadAnswers_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("good");
    QTest::newRow("array") << 200 << R"([{"name":"f","path":"/f","type":"file"}])"_ba << true;
    QTest::newRow("object") << 200 << R"({"path":"/f"})"_ba << true;
    QTest::newRow("empty") << 200 << ""_ba << true;
    QTest::newRow("204") << 204 << ""_ba << true;
    QTest::newRow("text") << 201 << "ok"_ba << true;
    QTest::newRow("empty array: nothing was written") << 200 << "[]"_ba << false;
    QTest::newRow("500 without a body") << 503 << ""_ba << false;
}

void TestApiEnvd::uploadAnswers()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(bool, good);
    FaultServer server(Script::answer(status, body, {{"Content-Type", "text/plain"}}));
    ScriptedSandbox sandbox(server);
    QCOMPARE(outcome(sandbox.envd.files().writeSmall(path("/f"), "content")).has_value(), good);
}

void TestApiEnvd::downloadAsksForTheRest()
{
    FaultServer server([](const RecordedRequest &request, int) {
        return request.header("Range") == "bytes=6-" ? Script::answer(206, "world")
                                                     : Script::answer(200, "hello world");
    });
    ScriptedSandbox sandbox(server);
    for (const qint64 offset : {qint64(0), qint64(6)}) {
        const auto stream = sandbox.envd.files().download(path("/f"), offset);
        int status = 0;
        bool finished = false;
        connect(stream.get(), &ByteStream::head, this, [&](int code, const HeaderList &) { status = code; });
        connect(stream.get(), &ByteStream::finished, this, [&] { finished = true; });
        QTRY_VERIFY(finished);
        QCOMPARE(status, offset ? 206 : 200);
        QCOMPARE(stream->read(100), offset ? "world"_ba : "hello world"_ba);
    }
    QCOMPARE(server.requests().first().header("Accept-Encoding"), "identity"_ba);
}

void TestApiEnvd::filesErrors_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("code");
    using K = ErrorKind;
    QTest::newRow("missing") << 404 << R"({"code":404,"message":"path '/f' does not exist"})"_ba << K::NotFound
                             << u"http_not_found"_s;
    QTest::newRow("directory") << 400 << R"({"code":400,"message":"path '/f' is a directory"})"_ba << K::InvalidRequest
                               << u"http_invalid_argument"_s;
    QTest::newRow("full") << 507 << R"({"code":507,"message":"no space left"})"_ba << K::Capacity << u"http_unknown"_s;
    QTest::newRow("not running") << 502 << R"({"sandboxId":"i1","message":"The sandbox was not found","code":502})"_ba
                                 << K::Unavailable << u"http_bad_gateway"_s;
    QTest::newRow("node lost") << 502 << "Failed to route request to sandbox"_ba << K::Unavailable
                               << u"http_unavailable"_s;
    QTest::newRow("traffic token") << 403 << R"({"sandboxId":"i1","message":"x","code":403})"_ba << K::Authentication
                                   << u"http_permission_denied"_s;
    QTest::newRow("changing") << 409 << R"({"sandboxId":"i1","message":"x","code":409})"_ba << K::Conflict
                              << u"http_already_exists"_s;
    QTest::newRow("too many") << 429 << R"({"sandboxId":"i1","code":429,"connectionLimit":5})"_ba << K::Capacity
                              << u"http_resource_exhausted"_s;
    QTest::newRow("unknown user") << 401 << R"({"code":"unauthenticated","message":"invalid username: 'x'"})"_ba
                                  << K::Authentication << u"unauthenticated"_s;
    QTest::newRow("range") << 416 << ""_ba << K::InvalidRequest << u"http_unknown"_s;
    QTest::newRow("500 without a body") << 500 << ""_ba << K::Unavailable << u"http_internal"_s;
}

void TestApiEnvd::filesErrors()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, code);
    FaultServer server(Script::answer(status, body));
    ScriptedSandbox sandbox(server);
    const auto stream = sandbox.envd.files().download(path("/f"));
    std::optional<Error> error;
    bool head = false;
    connect(stream.get(), &ByteStream::failed, this, [&](const Error &e) { error = e; });
    connect(stream.get(), &ByteStream::head, this, [&] { head = true; });
    QTRY_VERIFY(error);
    QVERIFY(!head);
    QCOMPARE(error->kind, kind);
    QCOMPARE(error->code, code);
    QCOMPARE(error->httpStatus, status);
    QCOMPARE(outcome(sandbox.envd.files().readSmall(path("/f"), 10)).error(), *error);
}

void TestApiEnvd::smallReadsAreBounded()
{
    FaultServer server(Script::answer(200, QByteArray(1000, 'x')));
    ScriptedSandbox sandbox(server);
    QCOMPARE(outcome(sandbox.envd.files().readSmall(path("/f"), 1000))->size(), 1000);
    const auto read = outcome(sandbox.envd.files().readSmall(path("/f"), 999));
    QCOMPARE(read.error().kind, ErrorKind::Capacity);
    QCOMPARE(read.error().code, u"too_large"_s);
}

void TestApiEnvd::rootIsNeverRemoved()
{
    FaultServer server(Script::answer(200, "{}"));
    ScriptedSandbox sandbox(server);
    QCOMPARE(outcome(sandbox.envd.filesystem().remove(RemotePath())).error().kind, ErrorKind::InvalidRequest);
    QCOMPARE(outcome(sandbox.envd.filesystem().remove(path("/a/.."))).error().kind, ErrorKind::InvalidRequest);
    QCOMPARE(server.requestCount(), 0);
}

void TestApiEnvd::removingAMissingPathIsDone()
{
    FaultServer server(Script::answer(404, R"({"code":"not_found","message":"no such file"})"));
    ScriptedSandbox sandbox(server);
    QVERIFY(outcome(sandbox.envd.filesystem().remove(path("/a"))).has_value());
    QCOMPARE(outcome(sandbox.envd.filesystem().stat(path("/a"))).error().kind, ErrorKind::NotFound);
}

void TestApiEnvd::existingFolderIsAConflict()
{
    FaultServer server([](const RecordedRequest &, int nth) {
        return nth == 0 ? Script::answer(409, R"({"code":"already_exists","message":"directory already exists"})")
                        : Script::answer(200, "{}");
    });
    ScriptedSandbox sandbox(server);
    const auto first = outcome(sandbox.envd.filesystem().makeDir(path("/a/b")));
    QCOMPARE(first.error().kind, ErrorKind::Conflict);
    QCOMPARE(first.error().code, u"already_exists"_s);
    // A server that calls it a success, and forgets the entry.
    const auto second = outcome(sandbox.envd.filesystem().makeDir(path("/a/b")));
    QCOMPARE(second->path, path("/a/b"));
    QVERIFY(second->isDirectory());
}

void TestApiEnvd::missingRpcIsNoMissingFile()
{
    FaultServer server(Script::answer(404, "404 page not found"));
    ScriptedSandbox sandbox(server);
    QCOMPARE(outcome(sandbox.envd.filesystem().stat(path("/a"))).error().kind, ErrorKind::Unsupported);
    QVERIFY(!outcome(sandbox.envd.filesystem().remove(path("/a"))));
}

void TestApiEnvd::listingIsCleaned()
{
    FaultServer server(Script::answer(200, R"({"entries":[
        {"name":"d","path":"/d","type":2},
        {"name":"b","path":"/d/b"},
        {"name":"deep","path":"/d/b/deep"},
        {"name":"..","path":"/d/.."},
        {"name":"../../evil","path":"/evil"},
        {"name":"a","path":"/d/a"}]})"));
    ScriptedSandbox sandbox(server);
    const auto entries = outcome(sandbox.envd.filesystem().list(path("/d")));
    QStringList good;
    int bad = 0;
    for (const EntryInfo &entry : *entries) {
        if (entry.isDirectChildOf(path("/d")))
            good << QString::fromUtf8(entry.name);
        else
            ++bad;
    }
    QCOMPARE(good, QStringList({u"b"_s, u"a"_s}));
    QCOMPARE(bad, 2); // refused by whoever uses them, so that they are reported
}

void TestApiEnvd::largeListingIsReadElsewhere()
{
    QByteArray json = R"({"entries":[)";
    for (int i = 0; i < 100'000; ++i)
        json += (i ? "," : "") + R"({"name":"file-)"_ba + QByteArray::number(i) + R"(","path":"/d/file-)" +
                QByteArray::number(i) + R"(","type":"FILE_TYPE_FILE","size":"12","mode":420})";
    json += "]}";
    FaultServer server(Script::answer(200, json));
    ScriptedSandbox sandbox(server);
    // The window's thread must go on meanwhile: no gap between two ticks above 100 ms.
    qint64 longest = 0;
    QElapsedTimer since;
    QTimer tick;
    connect(&tick, &QTimer::timeout, this, [&] { longest = qMax(longest, since.restart()); });
    since.start();
    tick.start(5);
    const auto entries = outcome(sandbox.envd.filesystem().list(path("/d")));
    longest = qMax(longest, since.elapsed());
    QCOMPARE(entries->size(), 100'000);
    QVERIFY2(longest < 100, QByteArray::number(longest).constData());
}

void TestApiEnvd::streamCutBeforeItsEndIsBrokenOff_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("reset");
    QTest::addColumn<QByteArray>("text");
    const QByteArray started = eventMessage(R"({"start":{"pid":512}})");
    QTest::newRow("after output") << started + outputMessage("so far") << false << "so far"_ba;
    QTest::newRow("after output, reset") << started + outputMessage("so far") << true << "so far"_ba;
    QTest::newRow("after the start") << started << false << ""_ba;
    QTest::newRow("end cut after 3 bytes") << started + endOfStream().left(3) << false << ""_ba;
    QTest::newRow("zero envelopes") << QByteArray() << false << ""_ba;
    QTest::newRow("much output") << started + outputMessage(QByteArray(2'000'000, 'x')) << false
                                 << QByteArray(2'000'000, 'x');
}

void TestApiEnvd::streamCutBeforeItsEndIsBrokenOff()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, reset);
    QFETCH(QByteArray, text);
    Script script = Script::chunked();
    if (!bytes.isEmpty())
        script.chunk(bytes);
    FaultServer server(reset ? script.wait(50).reset() : script.close());
    ScriptedSandbox sandbox(server);
    Heard heard(sandbox.envd.processes().start({.config = {.cmd = u"sh"_s}}));
    QTRY_COMPARE(heard.ends.size(), 1);
    QCOMPARE(heard.ends.first().kind, StreamEnd::Kind::BrokenOff);
    QCOMPARE(heard.ends.first().error.kind, ErrorKind::Unavailable);
    QVERIFY(heard.text == text);
    QVERIFY(!heard.stream->exit());
    if (!bytes.isEmpty())
        QCOMPARE(heard.stream->pid(), std::optional(512u));
}

void TestApiEnvd::exitCountsEvenIfTheStreamBreaks()
{
    FaultServer server(
        stream(eventMessage(R"({"start":{"pid":9}})") + eventMessage(R"({"end":{"exited":true}})")).close());
    ScriptedSandbox sandbox(server);
    Heard heard(sandbox.envd.processes().start({.config = {.cmd = u"true"_s}}));
    QTRY_COMPARE(heard.ends.size(), 1);
    QCOMPARE(heard.ends.first().kind, StreamEnd::Kind::BrokenOff);
    QVERIFY(heard.stream->exit());
    QCOMPARE(heard.stream->exit()->exitCode, std::optional(0));
}

void TestApiEnvd::serverLimitEndsACommandAlwaysTheSame()
{
    FaultServer server(stream(eventMessage(R"({"start":{"pid":9}})"))
                           .wait(100)
                           .chunk(endOfStream(R"({"error":{"code":"deadline_exceeded","message":"over"}})"))
                           .lastChunk());
    ScriptedSandbox sandbox(server);
    for (int i = 0; i < 5; ++i) {
        Heard heard(sandbox.envd.processes().start({.config = {.cmd = u"sleep"_s}}));
        QTRY_COMPARE(heard.ends.size(), 1);
        QCOMPARE(heard.ends.first().kind, StreamEnd::Kind::Failed);
        QCOMPARE(heard.ends.first().error.code, u"deadline_exceeded"_s);
    }
}

void TestApiEnvd::keepalivesKeepAQuietStream()
{
    const QByteArray alive = eventMessage(R"({"keepalive":{}})");
    const QByteArray chunk = QByteArray::number(alive.size(), 16) + "\r\n" + alive + "\r\n";
    FaultServer server(stream(eventMessage(R"({"start":{"pid":9}})")).repeat(chunk, 30, 20).stall());
    ScriptedSandbox sandbox(server);
    Heard heard(sandbox.envd.processes().connect(9));
    QTRY_COMPARE(heard.events.size(), 31);
    QVERIFY(heard.ends.isEmpty());
    const RecordedRequest request = server.requests().first();
    QVERIFY(request.header("Keepalive-Ping-Interval").toInt() > 0);
    QVERIFY(request.header("Keepalive-Ping-Interval").toInt() < 60);
}

void TestApiEnvd::silentStreamOfAKnownServerIsNoticed()
{
    FaultServer server(stream(eventMessage(R"({"start":{"pid":9}})")).stall());
    HttpTransport transport(TransportOptions{.proxies = {}});
    HttpRequest request{.method = "POST", .url = server.url(), .body = "{}", .lane = Lane::Stream};
    request.timeouts = Timeouts::stream();
    Heard heard(
        std::make_unique<ProcessStream>(std::make_unique<ConnectStream>(transport.open(request), 150ms), 150ms));
    QTRY_COMPARE(heard.ends.size(), 1);
    QCOMPARE(heard.ends.first().kind, StreamEnd::Kind::BrokenOff);
    QCOMPARE(heard.ends.first().error.code, u"silent"_s);
}

void TestApiEnvd::refusedStreamTellsWhy_data()
{
    QTest::addColumn<Script>("script");
    QTest::addColumn<ErrorKind>("kind");
    QTest::newRow("in the end envelope")
        << stream(endOfStream(R"({"error":{"code":"invalid_argument","message":"cwd '/nope' does not exist"}})"))
               .lastChunk()
        << ErrorKind::InvalidRequest;
    QTest::newRow("as HTTP 401") << Script::answer(401, R"({"code":401,"message":"unauthorized access"})")
                                 << ErrorKind::Authentication;
    QTest::newRow("as a Connect error") << Script::answer(404, R"({"code":"not_found","message":"process with pid 9"})")
                                        << ErrorKind::NotFound;
    QTest::newRow("by the proxy") << Script::answer(502, R"({"sandboxId":"i1","message":"not found","code":502})")
                                  << ErrorKind::Unavailable;
    QTest::newRow("redirected") << Script::answer(302, {}, {{"Location", "http://127.0.0.1:1/"}})
                                << ErrorKind::Unsupported;
}

void TestApiEnvd::refusedStreamTellsWhy()
{
    QFETCH(Script, script);
    QFETCH(ErrorKind, kind);
    FaultServer server(script);
    ScriptedSandbox sandbox(server);
    Heard heard(sandbox.envd.processes().connect(9));
    QTRY_COMPARE(heard.ends.size(), 1);
    QCOMPARE(heard.ends.first().kind, StreamEnd::Kind::Failed);
    QCOMPARE(heard.ends.first().error.kind, kind);
    QVERIFY(heard.events.isEmpty());
}

void TestApiEnvd::startIsSentOnce()
{
    FaultServer server(Script().close());
    ScriptedSandbox sandbox(server);
    Heard heard(sandbox.envd.processes().start({.config = {.cmd = u"rm"_s}}));
    QTRY_COMPARE(heard.ends.size(), 1);
    QCOMPARE(heard.ends.first().error.delivery, Delivery::Unknown);
    QVERIFY(!outcome(sandbox.envd.processes().sendInput(9, InputKind::Stdin, "y\n")));
    QVERIFY(!outcome(sandbox.envd.filesystem().move(path("/a"), path("/b"))));
    QTest::qWait(200); // a repetition would come at once
    QCOMPARE(server.requestCount(), 3);
}

void TestApiEnvd::nothingIsDeliveredAfterClose()
{
    const QByteArray piece = outputMessage("tick");
    const QByteArray chunk = QByteArray::number(piece.size() * 20, 16) + "\r\n" + piece.repeated(20) + "\r\n";
    FaultServer server(stream(eventMessage(R"({"start":{"pid":9}})")).repeat(chunk, 1000, 1).lastChunk());
    ScriptedSandbox sandbox(server);
    Heard heard(sandbox.envd.processes().connect(9));
    qsizetype atClose = 0;
    connect(heard.stream.get(), &ProcessStream::event, this, [&] {
        if (heard.events.size() == 30) {
            heard.stream->close();
            atClose = heard.events.size();
        }
    });
    QTRY_VERIFY(atClose > 0);
    QTest::qWait(100); // the server keeps printing meanwhile
    QCOMPARE(heard.events.size(), atClose);
    QVERIFY(heard.ends.isEmpty());
    QTRY_COMPARE(server.openConnections(), 0);
}

void TestApiEnvd::closingAnIdleStreamIsImmediate()
{
    FaultServer server(stream(eventMessage(R"({"start":{"pid":9}})")).stall());
    ScriptedSandbox sandbox(server);
    Heard heard(sandbox.envd.processes().connect(9));
    QTRY_COMPARE(heard.events.size(), 1);
    QElapsedTimer timer;
    timer.start();
    heard.stream->close();
    heard.stream.reset();
    QVERIFY(timer.elapsed() < 50);
    QTRY_COMPARE(server.openConnections(), 0);
}

void TestApiEnvd::pausedStreamHoldsTheServerBack()
{
    const QByteArray piece = outputMessage(QByteArray(48 * 1024, 'x'));
    Script script = stream(eventMessage(R"({"start":{"pid":9}})"));
    for (int i = 0; i < 1000; ++i)
        script.chunk(piece);
    script.chunk(endOfStream()).lastChunk();
    FaultServer server(script);
    ScriptedSandbox sandbox(server);
    Heard heard(sandbox.envd.processes().connect(9));
    connect(heard.stream.get(), &ProcessStream::event, this, [&] {
        if (heard.events.size() == 5)
            heard.stream->pause();
    });
    QTRY_COMPARE(heard.events.size(), 5);
    QTest::qWait(200); // nothing may come meanwhile
    QCOMPARE(heard.events.size(), 5);
    QVERIFY(heard.ends.isEmpty());
    QCOMPARE(server.openConnections(), 1); // 64 MB are not in our memory: the server is still sending
    heard.stream->resume();
    QTRY_COMPARE_WITH_TIMEOUT(heard.ends.size(), 1, 20000);
    QCOMPARE(heard.ends.first().kind, StreamEnd::Kind::Finished);
    QCOMPARE(heard.text.size(), 1000 * 48 * 1024);
}

void TestApiEnvd::inputIsSentAsBytes()
{
    FaultServer server(Script::answer(200, "{}"));
    ScriptedSandbox sandbox(server);
    const QList<QByteArray> typed{"exit", "echo hi\r", "\xf0\x9f\x98\x80", "\x03", "\xff"};
    for (const QByteArray &bytes : typed)
        QVERIFY(outcome(sandbox.envd.processes().sendInput(9, InputKind::Pty, bytes)).has_value());
    const auto requests = server.requests();
    for (int i = 0; i < typed.size(); ++i) {
        const QJsonObject body = QJsonDocument::fromJson(requests.at(i).body).object();
        const QString sent = body["input"_L1].toObject()["pty"_L1].toString();
        QCOMPARE(QByteArray::fromBase64(sent.toLatin1(), QByteArray::AbortOnBase64DecodingErrors), typed.at(i));
    }
}

void TestApiEnvd::watchTellsChangesAndItsEnd()
{
    FaultServer server(stream(encodeEnvelope(R"({"start":{}})") + encodeEnvelope(R"({"keepalive":{}})") +
                              encodeEnvelope(R"({"filesystem":{"name":"a","type":"EVENT_TYPE_CREATE"}})"))
                           .close());
    ScriptedSandbox sandbox(server);
    const auto watch = sandbox.envd.filesystem().watch(path("/d"), false);
    QList<WatchEvent::Kind> kinds;
    std::optional<StreamEnd> end;
    connect(watch.get(), &WatchStream::event, this, [&](const WatchEvent &e) { kinds << e.kind; });
    connect(watch.get(), &WatchStream::ended, this, [&](const StreamEnd &e) { end = e; });
    QTRY_VERIFY(end);
    QCOMPARE(kinds, QList({WatchEvent::Kind::Started, WatchEvent::Kind::KeepAlive, WatchEvent::Kind::Create}));
    QCOMPARE(end->kind, StreamEnd::Kind::BrokenOff);
}

void TestApiEnvd::pulseTellsGoneFromLost_data()
{
    QTest::addColumn<Script>("script");
    QTest::addColumn<Pulse>("pulse");
    QTest::newRow("204") << Script::answer(204) << Pulse::Alive;
    QTest::newRow("200 with a body") << Script::answer(200, "ok") << Pulse::Alive;
    QTest::newRow("not running") << Script::answer(502, R"({"sandboxId":"i1","message":"not found","code":502})")
                                 << Pulse::Gone;
    QTest::newRow("node lost") << Script::answer(502, "Failed to route request to sandbox") << Pulse::Unknown;
    QTest::newRow("no answer") << Script().close() << Pulse::Unknown;
}

void TestApiEnvd::pulseTellsGoneFromLost()
{
    QFETCH(Script, script);
    QFETCH(Pulse, pulse);
    FaultServer server(script);
    ScriptedSandbox sandbox(server);
    QCOMPARE(outcome(sandbox.envd.pulse()).value(), pulse);
}

QTEST_GUILESS_MAIN(TestApiEnvd)
#include "tst_api_envd.moc"
