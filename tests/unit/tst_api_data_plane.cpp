// SPDX-License-Identifier: GPL-3.0-or-later
// What the data plane offers beside files and processes themselves: signed links, joined uploads, notes with files,
// metrics, and following folders on servers of any age.
#include "backend/net/request_body.h"
#include "tests/support/scripted_envd.h"
#include "tests/support/waiting.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::net;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

constexpr WatchPace quick{.events = 10ms, .listing = 10ms};

/// What a watch said.
struct Watched
{
    explicit Watched(std::unique_ptr<WatchStream> opened)
        : watch(std::move(opened))
    {
        QObject::connect(watch.get(), &WatchStream::event, watch.get(), [this](const WatchEvent &e) { events << e; });
        QObject::connect(watch.get(), &WatchStream::ended, watch.get(), [this](const StreamEnd &e) { ends << e; });
    }
    bool saw(WatchEvent::Kind kind, const QByteArray &name) const
    {
        return std::any_of(events.begin(), events.end(),
                           [&](const WatchEvent &e) { return e.kind == kind && e.name == name; });
    }

    std::unique_ptr<WatchStream> watch;
    QList<WatchEvent> events;
    QList<StreamEnd> ends;
};

/// How a server says that it has no such call.
Script unknownCall(int way)
{
    switch (way) {
    case 0:
        return Script::answer(404, "404 page not found\n");
    case 1:
        return Script::answer(405);
    case 2:
        return Script::answer(501, R"({"code":"unimplemented","message":"no"})");
    default:
        return stream(endOfStream(R"({"error":{"code":"unimplemented","message":"no"}})")).lastChunk();
    }
}

} // namespace

class TestApiDataPlane : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void signedLinksAreExact_data();
    void signedLinksAreExact();
    void nothingIsSignedWithoutAToken();
    void partsAreJoined();
    void composeErrors_data();
    void composeErrors();
    void composeIsSentOnce();
    void metadataGoesWithBothForms_data();
    void metadataGoesWithBothForms();
    void badMetadataIsRefused_data();
    void badMetadataIsRefused();
    void metricsOfAnyVersion_data();
    void metricsOfAnyVersion();
    void variablesAreRead();
    void versionsGateWithAReason_data();
    void versionsGateWithAReason();
    void oldServersAreToldTheUser_data();
    void oldServersAreToldTheUser();
    void limitIsSentOnlyIfThereIsOne_data();
    void limitIsSentOnlyIfThereIsOne();
    void inputIsStreamedInOrder();
    void streamedInputTellsItsEnd_data();
    void streamedInputTellsItsEnd();
    void processesAreNamedByTagToo();
    void watchFallsBackToAWatcher_data();
    void watchFallsBackToAWatcher();
    void watcherIsRemovedEvenIfItIsStillBeingMade();
    void lostLookEndsTheWatchAndIsNotRepeated();
    void vanishedWatcherIsNoMissingFolder();
    void watchFallsBackToListing();
    void recursiveWatchOfAnOldServerLists();
    void missingFolderEndsAnyWatch();
};

void TestApiDataPlane::signedLinksAreExact_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<LinkUse>("use");
    QTest::addColumn<QString>("user");
    QTest::addColumn<qint64>("expiry");
    QTest::addColumn<QByteArray>("query");
    // The digests are those of the protocol's worked examples.
    QTest::newRow("read") << "/home/user/a b.txt"_ba << LinkUse::Read << QString() << qint64(0)
                          << "path=%2Fhome%2Fuser%2Fa%20b.txt"
                             "&signature=v1_k6butwZ4R4iYePK4of3yc6Ia3O13T0Zp4wHm9VFfnvY"_ba;
    QTest::newRow("write until") << "/home/user/out+1.bin"_ba << LinkUse::Write << u"user"_s << qint64(1772450000)
                                 << "path=%2Fhome%2Fuser%2Fout%2B1.bin&username=user"
                                    "&signature=v1_ybZScpyu5BqOSZZURGzZXpYmAlwCz%2BytWya9EuwopbA"
                                    "&signature_expiration=1772450000"_ba;
}

void TestApiDataPlane::signedLinksAreExact()
{
    QFETCH(QByteArray, file);
    QFETCH(LinkUse, use);
    QFETCH(QString, user);
    QFETCH(qint64, expiry);
    QFETCH(QByteArray, query);
    HttpTransport transport;
    Envd envd(transport,
              targetOf({}, SandboxAccess{.id = {u"i7m2p9x4c1b8n5v3z6q0d"_s},
                                         .envdAccessToken = Secret(
                                             "4b1d0f6e2a9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e")}));
    const auto until = expiry ? std::optional(QDateTime::fromSecsSinceEpoch(expiry)) : std::nullopt;
    const auto url = envd.files().signedUrl(path(file), use, user, until);
    QVERIFY(url.has_value());
    QCOMPARE(url->toEncoded(), "https://49983-i7m2p9x4c1b8n5v3z6q0d.e2b.app/files?" + query);
}

void TestApiDataPlane::nothingIsSignedWithoutAToken()
{
    FaultServer server(Script::answer(200));
    ScriptedSandbox sandbox(server, u"0.6.13"_s, {});
    const auto url = sandbox.envd.files().signedUrl(path("/f"), LinkUse::Read, {});
    QVERIFY(!url);
    QCOMPARE(url.error().kind, ErrorKind::Unsupported);
    QCOMPARE(url.error().code, u"not_secure"_s);
}

void TestApiDataPlane::partsAreJoined()
{
    FaultServer server(Script::answer(200, R"({"path":"/d/whole","name":"whole","type":"file"})"));
    ScriptedSandbox sandbox(server);
    QVERIFY(outcome(sandbox.envd.files().compose({path("/d/a"), path("/d/b")}, path("/d/whole"))).has_value());
    const RecordedRequest request = server.requests().first();
    QCOMPARE(request.path(), "/files/compose"_ba);
    QCOMPARE(request.header("X-Access-Token"), "4b1d"_ba);
    QCOMPARE(jsonBody(request)["source_paths"_L1].toArray(), QJsonArray({u"/d/a"_s, u"/d/b"_s}));
    QCOMPARE(jsonBody(request)["destination"_L1].toString(), u"/d/whole"_s);
    QCOMPARE(jsonBody(request)["username"_L1].toString(), u"user"_s);
    for (const auto &parts : {QList<RemotePath>(), QList{path("/d/whole")}})
        QCOMPARE(outcome(sandbox.envd.files().compose(parts, path("/d/whole"))).error().kind,
                 ErrorKind::InvalidRequest);
    QCOMPARE(server.requestCount(), 1);
}

void TestApiDataPlane::composeErrors_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<ErrorKind>("kind");
    QTest::newRow("part missing") << 404 << R"({"code":404,"message":"source file not found: /d/a"})"_ba
                                  << ErrorKind::NotFound;
    QTest::newRow("no such call") << 404 << "404 page not found\n"_ba << ErrorKind::Unsupported;
    QTest::newRow("not allowed there") << 405 << ""_ba << ErrorKind::Unsupported;
    QTest::newRow("full") << 507 << R"({"code":507,"message":"not enough disk space available"})"_ba
                          << ErrorKind::Capacity;
    QTest::newRow("not a file") << 400 << R"({"code":400,"message":"not a regular file"})"_ba
                                << ErrorKind::InvalidRequest;
}

void TestApiDataPlane::composeErrors()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(ErrorKind, kind);
    FaultServer server(Script::answer(status, body));
    ScriptedSandbox sandbox(server);
    QCOMPARE(outcome(sandbox.envd.files().compose({path("/a")}, path("/b"))).error().kind, kind);
}

void TestApiDataPlane::composeIsSentOnce()
{
    FaultServer server(Script().close());
    ScriptedSandbox sandbox(server);
    QCOMPARE(outcome(sandbox.envd.files().compose({path("/a")}, path("/b"))).error().delivery, Delivery::Unknown);
    QTest::qWait(100); // a repetition would come at once
    QCOMPARE(server.requestCount(), 1);
}

void TestApiDataPlane::metadataGoesWithBothForms_data()
{
    QTest::addColumn<QString>("version");
    QTest::newRow("raw") << u"0.6.2"_s;
    QTest::newRow("form") << u"test"_s;
}

void TestApiDataPlane::metadataGoesWithBothForms()
{
    QFETCH(QString, version);
    FaultServer server(Script::answer(200, R"([{"path":"/f"}])"));
    ScriptedSandbox sandbox(server, version);
    QVERIFY(outcome(sandbox.envd.files().upload(path("/f"), sourceOf("x"), {},
                                                {{u"Origin"_s, u"demo 1"_s}, {u"run"_s, u""_s}}))
                .has_value());
    const RecordedRequest request = server.requests().first();
    QCOMPARE(request.header("X-Metadata-Origin"), "demo 1"_ba);
    QVERIFY(std::any_of(request.headers.begin(), request.headers.end(),
                        [](const auto &header) { return header.first == "X-Metadata-run"; }));
}

void TestApiDataPlane::badMetadataIsRefused_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::newRow("line break in a value") << u"a"_s << u"x\r\nX-Evil: 1"_s;
    QTest::newRow("line break in a key") << u"a\r\nX-Evil"_s << u"x"_s;
    QTest::newRow("colon in a key") << u"a:b"_s << u"x"_s;
    QTest::newRow("empty key") << QString() << u"x"_s;
    QTest::newRow("not ASCII") << u"a"_s << u"caf\u00e9"_s;
    QTest::newRow("long key") << QString(247, u'k') << u"x"_s;
    QTest::newRow("too much") << u"a"_s << QString(4096, u'v');
}

void TestApiDataPlane::badMetadataIsRefused()
{
    QFETCH(QString, key);
    QFETCH(QString, value);
    FaultServer server(Script::answer(200, "[{}]"));
    ScriptedSandbox sandbox(server);
    const auto sent = outcome(sandbox.envd.files().upload(path("/f"), sourceOf("x"), {}, {{key, value}}));
    QVERIFY(!sent);
    QCOMPARE(sent.error().kind, ErrorKind::InvalidRequest);
    QCOMPARE(server.requestCount(), 0);
}

void TestApiDataPlane::metricsOfAnyVersion_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<EnvdMetrics>("expected");
    const QDateTime time = QDateTime::fromSecsSinceEpoch(1772450000, Qt::UTC);
    QTest::newRow("new") << R"({"ts":1772450000,"cpu_count":2,"cpu_used_pct":12.34,"mem_total":1000,"mem_used":400,
                               "mem_cache":50,"mem_total_mib":0,"disk_used":7,"disk_total":9})"_ba
                         << EnvdMetrics{time, 2, 12.34, 1000, 400, 50, 7, 9};
    QTest::newRow("old") << R"({"ts":1772450000,"cpu_count":2,"cpu_used_pct":0,"mem_total_mib":512,
                               "mem_used_mib":100})"_ba
                         << EnvdMetrics{time, 2, 0, 512LL << 20, 100LL << 20, 0, {}, {}};
    QTest::newRow("nothing") << "{}"_ba << EnvdMetrics{};
}

void TestApiDataPlane::metricsOfAnyVersion()
{
    QFETCH(QByteArray, json);
    QFETCH(EnvdMetrics, expected);
    FaultServer server(Script::answer(200, json));
    ScriptedSandbox sandbox(server);
    const auto metrics = outcome(sandbox.envd.metrics());
    QVERIFY(metrics.has_value());
    QVERIFY(*metrics == expected);
    QCOMPARE(server.requests().first().path(), "/metrics"_ba);
    FaultServer without(Script::answer(404, "404 page not found"));
    ScriptedSandbox other(without);
    QCOMPARE(outcome(other.envd.metrics()).error().kind, ErrorKind::Unsupported);
}

void TestApiDataPlane::variablesAreRead()
{
    FaultServer server(Script::answer(200, R"({"E2B_SANDBOX":"true","N":5})"));
    ScriptedSandbox sandbox(server);
    const auto variables = outcome(sandbox.envd.environment());
    QCOMPARE(*variables, (QMap<QString, QString>{{u"E2B_SANDBOX"_s, u"true"_s}, {u"N"_s, u"5"_s}}));
}

void TestApiDataPlane::versionsGateWithAReason_data()
{
    QTest::addColumn<QString>("version");
    QTest::addColumn<QString>("needed");
    QTest::addColumn<int>("call");
    QTest::newRow("compose") << u"0.5.4"_s << u"0.5.5"_s << 0;
    QTest::newRow("metadata") << u"0.6.1"_s << u"0.6.2"_s << 1;
    QTest::newRow("metrics") << u"0.1.4"_s << u"0.1.5"_s << 2;
    QTest::newRow("end of input") << u"0.5.1"_s << u"0.5.2"_s << 3;
    QTest::newRow("network mounts") << u"0.6.3"_s << u"0.6.4"_s << 4;
    QTest::newRow("recursive watcher") << u"0.1.3"_s << u"0.1.4"_s << 5;
}

void TestApiDataPlane::versionsGateWithAReason()
{
    QFETCH(QString, version);
    QFETCH(QString, needed);
    QFETCH(int, call);
    FaultServer server(Script::answer(200, R"({"watcherId":"w1"})"));
    const auto ask = [&](const QString &has) {
        ScriptedSandbox sandbox(server, has);
        Envd &envd = sandbox.envd;
        const auto errorOf = [](const auto &result) { return result ? Error() : result.error(); };
        switch (call) {
        case 0:
            return errorOf(outcome(envd.files().compose({path("/a")}, path("/b"))));
        case 1:
            return errorOf(outcome(envd.files().upload(path("/f"), sourceOf("x"), {}, {{u"a"_s, u"b"_s}})));
        case 2:
            return errorOf(outcome(envd.metrics()));
        case 3:
            return errorOf(outcome(envd.processes().closeStdin(9)));
        case 4:
            return errorOf(outcome(envd.filesystem().createWatcher(path("/d"), {.allowNetworkMounts = true})));
        default:
            return errorOf(outcome(envd.filesystem().createWatcher(path("/d"), {.recursive = true})));
        }
    };
    const Error error = ask(version);
    QCOMPARE(error.kind, ErrorKind::Unsupported);
    QCOMPARE(error.code, u"too_old"_s);
    QVERIFY2(error.message.contains(needed) && error.message.contains(version), qPrintable(error.message));
    QCOMPARE(server.requestCount(), 0);
    QCOMPARE(ask(needed), Error());
    QCOMPARE(ask(u"test"_s), Error()); // a foreign server may well have it
    QCOMPARE(server.requestCount(), 2);
}

void TestApiDataPlane::oldServersAreToldTheUser_data()
{
    QTest::addColumn<QString>("version");
    QTest::addColumn<QByteArray>("header");
    QTest::newRow("chooses nobody") << u"0.3.9"_s << "Basic dXNlcjo="_ba;
    QTest::newRow("chooses itself") << u"0.4.0"_s << ""_ba;
    QTest::newRow("unknown") << u"test"_s << ""_ba;
}

void TestApiDataPlane::oldServersAreToldTheUser()
{
    QFETCH(QString, version);
    QFETCH(QByteArray, header);
    FaultServer server(Script::answer(200, "{}"));
    ScriptedSandbox sandbox(server, version, {}, {});
    (void)outcome(sandbox.envd.filesystem().list(path("/d")));
    QCOMPARE(server.requests().last().header("Authorization"), header);
    (void)outcome(sandbox.envd.files().readSmall(path("/f"), 10));
    QCOMPARE(server.requests().last().query().contains("username=user"), !header.isEmpty());
}

void TestApiDataPlane::limitIsSentOnlyIfThereIsOne_data()
{
    QTest::addColumn<qint64>("limit");
    QTest::addColumn<QByteArray>("header");
    QTest::newRow("none") << qint64(0) << ""_ba; // 0 would end the stream at once
    QTest::newRow("negative") << qint64(-5) << ""_ba;
    QTest::newRow("a minute") << qint64(60000) << "60000"_ba;
    QTest::newRow("more than ten digits") << qint64(1) * 99'999'999'999 << "9999999999"_ba;
}

void TestApiDataPlane::limitIsSentOnlyIfThereIsOne()
{
    QFETCH(qint64, limit);
    QFETCH(QByteArray, header);
    FaultServer server(stream(endOfStream()).lastChunk());
    ScriptedSandbox sandbox(server);
    Heard heard(sandbox.envd.processes().start({.config = {.cmd = u"true"_s}}, std::chrono::milliseconds(limit)));
    QTRY_COMPARE(heard.ends.size(), 1);
    QCOMPARE(server.requests().first().header("Connect-Timeout-Ms"), header);
}

void TestApiDataPlane::inputIsStreamedInOrder()
{
    FaultServer server(stream(encodeEnvelope("{}") + endOfStream()).lastChunk());
    ScriptedSandbox sandbox(server);
    QByteArray data;
    for (int i = 0; i < 200'000; ++i)
        data.append(static_cast<char>((i * 2654435761u) >> 13));
    QVERIFY(outcome(sandbox.envd.processes().streamInput(9, InputKind::Stdin, data)).has_value());
    EnvelopeDecoder decoder;
    decoder.feed(server.requests().first().body);
    const auto first = decoder.next();
    QCOMPARE(QJsonDocument::fromJson((*first)->payload).toJson(QJsonDocument::Compact),
             R"({"start":{"process":{"pid":9}}})"_ba);
    QByteArray got;
    for (auto next = decoder.next(); next && *next; next = decoder.next()) {
        QVERIFY(!(*next)->isEnd); // the end of the body is the end of the stream
        const QJsonObject message = QJsonDocument::fromJson((*next)->payload).object();
        got += QByteArray::fromBase64(message["data"_L1]["input"_L1]["stdin"_L1].toString().toLatin1());
    }
    QVERIFY(got == data);
}

void TestApiDataPlane::streamedInputTellsItsEnd_data()
{
    QTest::addColumn<Script>("script");
    QTest::addColumn<std::optional<ErrorKind>>("kind");
    QTest::addColumn<Delivery>("delivery");
    using Kind = std::optional<ErrorKind>;
    QTest::newRow("refused")
        << stream(endOfStream(R"({"error":{"code":"internal","message":"stdin is closed"}})")).lastChunk()
        << Kind(ErrorKind::Internal) << Delivery::Answered;
    QTest::newRow("no end") << stream(encodeEnvelope("{}")).lastChunk() << Kind(ErrorKind::Unavailable)
                            << Delivery::Unknown;
    QTest::newRow("no such call") << unknownCall(0) << Kind(ErrorKind::Unsupported) << Delivery::Answered;
    QTest::newRow("no message") << stream(endOfStream()).lastChunk() << Kind() << Delivery::Answered;
    QTest::newRow("plain JSON") << Script::answer(200, "{}") << Kind() << Delivery::Answered;
    QTest::newRow("plain error") << Script::answer(200, R"({"code":"not_found","message":"no such process"})")
                                 << Kind(ErrorKind::NotFound) << Delivery::Answered;
}

void TestApiDataPlane::streamedInputTellsItsEnd()
{
    QFETCH(Script, script);
    QFETCH(std::optional<ErrorKind>, kind);
    QFETCH(Delivery, delivery);
    FaultServer server(script);
    ScriptedSandbox sandbox(server);
    const auto sent = outcome(sandbox.envd.processes().streamInput(9, InputKind::Stdin, "x"));
    QCOMPARE(sent.has_value(), !kind);
    if (kind) {
        QCOMPARE(sent.error().kind, *kind);
        QCOMPARE(sent.error().delivery, delivery);
    }
    QCOMPARE(server.requestCount(), 1);
}

void TestApiDataPlane::processesAreNamedByTagToo()
{
    FaultServer server(Script::answer(200, "{}"));
    ScriptedSandbox sandbox(server);
    const auto tagged = ProcessSelector::byTag(u"job 7"_s);
    QVERIFY(outcome(sandbox.envd.processes().signal(tagged, ProcessSignal::Term)).has_value());
    QCOMPARE(server.requests().first().body, R"({"process":{"tag":"job 7"},"signal":"SIGNAL_SIGTERM"})"_ba);
}

void TestApiDataPlane::watchFallsBackToAWatcher_data()
{
    QTest::addColumn<int>("way");
    QTest::newRow("404") << 0;
    QTest::newRow("405") << 1;
    QTest::newRow("501") << 2;
    QTest::newRow("in the stream") << 3;
}

void TestApiDataPlane::watchFallsBackToAWatcher()
{
    QFETCH(int, way);
    std::atomic<int> looks = 0;
    FaultServer server([&](const RecordedRequest &request, int) {
        if (request.path().endsWith("/WatchDir"))
            return unknownCall(way);
        if (request.path().endsWith("/CreateWatcher"))
            return Script::answer(200, R"({"watcherId":"w123"})");
        if (request.path().endsWith("/GetWatcherEvents") && looks++ == 1)
            return Script::answer(200, R"({"events":[{"name":"a","type":"EVENT_TYPE_CREATE"},
                                                     {"name":"a","type":"EVENT_TYPE_WRITE"}]})");
        return Script::answer(200, "{}");
    });
    ScriptedSandbox sandbox(server);
    {
        Watched watched(sandbox.envd.filesystem().watch(path("/d"), true, quick));
        QTRY_VERIFY(watched.saw(WatchEvent::Kind::Write, "a"));
        QCOMPARE(watched.events.first().kind, WatchEvent::Kind::Started);
        QCOMPARE(watched.events.size(), 3);
        QVERIFY(watched.ends.isEmpty());
        QVERIFY(jsonBody(server.requests().at(1))["recursive"_L1].toBool());
        QCOMPARE(jsonBody(server.requests().at(2))["watcherId"_L1].toString(), u"w123"_s);
    }
    QTRY_VERIFY(server.requests().last().path().endsWith("/RemoveWatcher"));
    QCOMPARE(jsonBody(server.requests().last())["watcherId"_L1].toString(), u"w123"_s);
}

void TestApiDataPlane::watcherIsRemovedEvenIfItIsStillBeingMade()
{
    FaultServer server([](const RecordedRequest &request, int) {
        if (request.path().endsWith("/WatchDir"))
            return unknownCall(0);
        if (request.path().endsWith("/CreateWatcher"))
            return Script().wait(100).send("HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\n{\"watcherId\":\"w9\"}");
        return Script::answer(200, "{}");
    });
    ScriptedSandbox sandbox(server);
    {
        Watched watched(sandbox.envd.filesystem().watch(path("/d"), false, quick));
        QTRY_COMPARE(server.requestCount(), 2);
    }
    QTRY_COMPARE(server.requestCount(), 3);
    QVERIFY(server.requests().last().path().endsWith("/RemoveWatcher"));
    QCOMPARE(jsonBody(server.requests().last())["watcherId"_L1].toString(), u"w9"_s);
}

void TestApiDataPlane::lostLookEndsTheWatchAndIsNotRepeated()
{
    FaultServer server([](const RecordedRequest &request, int) {
        if (request.path().endsWith("/WatchDir"))
            return unknownCall(0);
        if (request.path().endsWith("/CreateWatcher"))
            return Script::answer(200, R"({"watcherId":"w123"})");
        if (request.path().endsWith("/GetWatcherEvents"))
            return Script().close(); // it may have taken events along
        return Script::answer(200, "{}");
    });
    ScriptedSandbox sandbox(server);
    Watched watched(sandbox.envd.filesystem().watch(path("/d"), false, quick));
    QTRY_COMPARE(watched.ends.size(), 1);
    QCOMPARE(watched.ends.first().kind, StreamEnd::Kind::BrokenOff);
    QTRY_VERIFY(server.requests().last().path().endsWith("/RemoveWatcher"));
    QCOMPARE(server.requestCount(), 4);
}

void TestApiDataPlane::vanishedWatcherIsNoMissingFolder()
{
    FaultServer server([](const RecordedRequest &request, int) {
        if (request.path().endsWith("/WatchDir"))
            return unknownCall(0);
        if (request.path().endsWith("/CreateWatcher"))
            return Script::answer(200, R"({"watcherId":"w123"})");
        return Script::answer(404, R"({"code":"not_found","message":"watcher with id w123 not found"})");
    });
    ScriptedSandbox sandbox(server);
    Watched watched(sandbox.envd.filesystem().watch(path("/d"), false, quick));
    QTRY_COMPARE(watched.ends.size(), 1);
    QCOMPARE(watched.ends.first().kind, StreamEnd::Kind::BrokenOff);
    QCOMPARE(watched.ends.first().error.kind, ErrorKind::Unavailable);
}

void TestApiDataPlane::watchFallsBackToListing()
{
    std::atomic<int> lists = 0;
    FaultServer server([&](const RecordedRequest &request, int) {
        if (!request.path().endsWith("/ListDir"))
            return unknownCall(0);
        switch (lists++) {
        case 0:
            return Script::answer(200, R"({"entries":[{"name":"a","path":"/d/a","size":"1"},
                {"name":"b","path":"/d/b"},{"name":"c","path":"/d/c","mode":420}]})");
        case 1:
            return Script::answer(200, R"({"entries":[{"name":"a","path":"/d/a","size":"2"},
                {"name":"c","path":"/d/c","mode":384},{"name":"n","path":"/d/n"}]})");
        default:
            return Script().close();
        }
    });
    ScriptedSandbox sandbox(server);
    Watched watched(sandbox.envd.filesystem().watch(path("/d"), false, quick));
    QTRY_COMPARE(watched.ends.size(), 1);
    QCOMPARE(watched.ends.first().kind, StreamEnd::Kind::BrokenOff);
    QCOMPARE(watched.events.first().kind, WatchEvent::Kind::Started);
    QVERIFY(watched.saw(WatchEvent::Kind::Write, "a"));
    QVERIFY(watched.saw(WatchEvent::Kind::Remove, "b"));
    QVERIFY(watched.saw(WatchEvent::Kind::Chmod, "c"));
    QVERIFY(watched.saw(WatchEvent::Kind::Create, "n"));
    QCOMPARE(watched.events.size(), 5);
}

void TestApiDataPlane::recursiveWatchOfAnOldServerLists()
{
    FaultServer server(Script::answer(200, R"({"entries":[{"name":"x","path":"/d/a/x"}]})"));
    ScriptedSandbox sandbox(server, u"0.1.3"_s);
    Watched watched(sandbox.envd.filesystem().watch(path("/d"), true, quick));
    QTRY_VERIFY(!watched.events.isEmpty());
    for (const RecordedRequest &request : server.requests()) {
        QVERIFY(request.path().endsWith("/ListDir"));
        QVERIFY(jsonBody(request)["depth"_L1].toInt() > 1);
    }
}

void TestApiDataPlane::missingFolderEndsAnyWatch()
{
    FaultServer server([](const RecordedRequest &request, int) {
        return request.path().endsWith("/ListDir")
                   ? Script::answer(404, R"({"code":"not_found","message":"directory not found"})")
                   : unknownCall(1);
    });
    ScriptedSandbox sandbox(server);
    Watched watched(sandbox.envd.filesystem().watch(path("/d"), false, quick));
    QTRY_COMPARE(watched.ends.size(), 1);
    QCOMPARE(watched.ends.first().kind, StreamEnd::Kind::Failed);
    QCOMPARE(watched.ends.first().error.kind, ErrorKind::NotFound);
}

QTEST_GUILESS_MAIN(TestApiDataPlane)
#include "tst_api_data_plane.moc"
