// SPDX-License-Identifier: GPL-3.0-or-later
// What a server can do, found out without an object of its own and without changing anything.
#include "backend/api/capabilities.h"
#include "backend/core/clock.h"
#include "tests/support/fault_server.h"
#include "tests/support/outcome.h"

#include <QJsonDocument>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using boxdeck::test::FaultServer;
using boxdeck::test::Outcome;
using boxdeck::test::RecordedRequest;
using boxdeck::test::Script;

namespace {

const net::HeaderList json{{"Content-Type", "application/json"}};

QByteArray errorBody(int code, const QByteArray &message)
{
    return R"({"code":)" + QByteArray::number(code) + R"(,"message":")" + message + R"("})";
}

Script error(int code, const QByteArray &message)
{
    return Script::answer(code, errorBody(code, message), json);
}

/// As the reference server: an unknown object is told by its name, an unknown call by a word of the router.
Script reference(const RecordedRequest &request, int)
{
    const QByteArray path = request.path();
    if (path == "/health")
        return Script::answer(200, "Health check successful", {{"Content-Type", "text/plain"}});
    if (request.header("X-API-Key") != "e2b_good")
        return error(401, "Invalid API key");
    if (path == "/v2/sandboxes" && request.method == "GET")
        return Script::answer(200, "[]", json);
    if (path == "/snapshots" || path == "/v2/templates")
        return Script::answer(200, "[]", json);
    if (path == "/sandboxes/metrics")
        return Script::answer(200, R"({"sandboxes":{}})", json);
    if (path == "/v3/templates")
        return error(400, "validation error: body");
    if (path == "/volumes" || path == "/secrets")
        return error(403, "feature is not enabled for your team");
    if (path == "/api-keys" || path == "/nodes")
        return error(401, "no usable credential");
    const QByteArray last = path.mid(path.lastIndexOf('/') + 1);
    const bool v2 = path.startsWith("/v2/");
    if (!v2 && QList<QByteArray>{"pause", "fork", "network", "metrics", "logs"}.contains(last))
        return error(404, "sandbox \\\"i0000boxdeck0probe00\\\" not found");
    if (v2 && last == "logs")
        return Script::answer(200, R"({"logs":[]})", json); // an unknown sandbox has no logs there
    if (last == "tags")
        return error(404, "template 'i0000boxdeck0probe00' not found");
    return Script::answer(404, "404 page not found", {{"Content-Type", "text/plain"}}); // POST /v2/sandboxes too
}

/// A server with the old list and nothing else, and one sentence for everything it has not.
Script listOnly(const RecordedRequest &request, int)
{
    if (request.path() == "/sandboxes" && request.method == "GET")
        return Script::answer(200, "[]", json);
    if (request.path() == "/health")
        return Script::answer(200, R"({"status":"ok"})", json);
    return error(404, "not found");
}

} // namespace

class TestApiCapabilities : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsTheReferenceServer();
    void saysOfAPoorServerWhatItLacksAndWhatItCantTell();
    void asksNothingMoreWithARefusedKey();
    void stopsAtARateLimit();
    void asksNothingThatCouldChangeAnything();
    void keepsWhatAnAnswerHasTold();
    void learnsFromAnswers_data();
    void learnsFromAnswers();
    void comesBackFromDisk();
    void anUnreadableMemoryIsUnknown();
    void theFingerprintTellsServersApart();

private:
    Capabilities probe(FaultServer &server, const QByteArray &key = "e2b_good", Capabilities known = {});
    net::HttpTransport m_transport;
    SystemClock m_clock;
};

Capabilities TestApiCapabilities::probe(FaultServer &server, const QByteArray &key, Capabilities known)
{
    Endpoint endpoint;
    endpoint.apiUrl = server.url("");
    endpoint.apiKey = Secret(key);
    Outcome outcome(probeCapabilities(m_transport, endpoint, m_clock, std::move(known)));
    [&] { QTRY_VERIFY_WITH_TIMEOUT(outcome.done(), 20'000); }();
    return outcome.ok() ? outcome.value() : Capabilities();
}

void TestApiCapabilities::readsTheReferenceServer()
{
    FaultServer server(reference);
    const Capabilities found = probe(server);
    QVERIFY(found.probedAt.isValid());
    for (const Feature feature :
         {Feature::SandboxPages, Feature::Pause, Feature::Fork, Feature::NetworkUpdate, Feature::Metrics,
          Feature::BatchMetrics, Feature::LogsV1, Feature::LogsV2, Feature::Snapshots, Feature::TemplatePages,
          Feature::TemplateBuilds, Feature::TemplateTags})
        QVERIFY2(found.of(feature).support == Support::Yes, qPrintable(featureId(feature)));
    QCOMPARE(found.of(Feature::CreateV2).why, Why::NoSuchCall);
    for (const Feature feature : {Feature::Volumes, Feature::Secrets}) {
        QCOMPARE(found.of(feature).why, Why::Gated);
        QCOMPARE(found.of(feature).words, QStringLiteral("feature is not enabled for your team"));
        QVERIFY(found.lacks(feature));
    }
    QCOMPARE(found.of(Feature::ApiKeys).why, Why::OtherLogin);
    QCOMPARE(found.of(Feature::Nodes).why, Why::OtherLogin);
    QCOMPARE(found.of(Feature::Teams).why, Why::SideEffect);
    QVERIFY(!found.lacks(Feature::Teams));
}

void TestApiCapabilities::saysOfAPoorServerWhatItLacksAndWhatItCantTell()
{
    FaultServer server(listOnly);
    const Capabilities found = probe(server);
    QVERIFY(found.lacks(Feature::SandboxPages));
    QCOMPARE(found.of(Feature::SandboxListV1).support, Support::Yes);
    for (const Feature feature : {Feature::Snapshots, Feature::Volumes, Feature::TemplateBuilds, Feature::BatchMetrics})
        QVERIFY2(found.lacks(feature), qPrintable(featureId(feature)));
    // The same words for a missing sandbox and a missing call: nothing is known, so nothing is taken away.
    QCOMPARE(found.of(Feature::Metrics).why, Why::NoObject);
    QVERIFY(!found.lacks(Feature::Metrics));
}

void TestApiCapabilities::asksNothingMoreWithARefusedKey()
{
    FaultServer server(reference);
    const Capabilities found = probe(server, "e2b_bad");
    QCOMPARE(server.requestCount(), 2); // health and the list
    QVERIFY(!found.probedAt.isValid());
    for (const Feature feature : allFeatures())
        QVERIFY2(found.of(feature).why == Why::KeyRefused, qPrintable(featureId(feature)));
}

void TestApiCapabilities::stopsAtARateLimit()
{
    FaultServer server([](const RecordedRequest &request, int nth) {
        return nth < 3 ? reference(request, nth) : error(429, "slow down");
    });
    const Capabilities found = probe(server);
    QCOMPARE(server.requestCount(), 4);
    QVERIFY(!found.probedAt.isValid());
    QCOMPARE(found.of(Feature::Volumes).why, Why::NoAnswer);
    QVERIFY(!found.lacks(Feature::Volumes));
}

void TestApiCapabilities::asksNothingThatCouldChangeAnything()
{
    FaultServer server(reference);
    probe(server);
    const auto requests = server.requests();
    for (const RecordedRequest &request : requests) {
        const QByteArray line = request.method + ' ' + request.target;
        QVERIFY2(request.path() != "/teams", "GET /teams makes a key");
        if (request.method == "GET")
            continue;
        const bool madeUp = request.path().contains("/i0000boxdeck0probe00/");
        QJsonParseError parsed{};
        QJsonDocument::fromJson(request.body, &parsed);
        QVERIFY2(madeUp || parsed.error != QJsonParseError::NoError, line.constData());
        QVERIFY2(request.method != "DELETE", line.constData());
    }
    QCOMPARE(requests.first().header("X-API-Key"), QByteArray()); // GET /health
}

void TestApiCapabilities::keepsWhatAnAnswerHasTold()
{
    FaultServer server(listOnly);
    Capabilities known;
    known.set(Feature::Metrics, {.support = Support::Yes, .why = Why::Answered, .httpStatus = 200});
    known.set(Feature::Volumes, {.support = Support::Yes, .why = Why::Answered, .httpStatus = 200});
    const Capabilities found = probe(server, "e2b_good", known);
    QCOMPARE(found.of(Feature::Metrics).support, Support::Yes); // "can't tell" is no news
    QVERIFY(found.lacks(Feature::Volumes));                     // "no such call" is
}

void TestApiCapabilities::learnsFromAnswers_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("feature"); // empty: teaches nothing
    QTest::addColumn<int>("why");
    const auto row = [](const char *method, const char *path, int status, const char *feature, Why why = {}) {
        QTest::addRow("%s %s %d", method, path, status)
            << QByteArray(method) << QByteArray(path) << status << QString::fromLatin1(feature) << int(why);
    };
    row("GET", "/v2/sandboxes", 200, "sandboxPages", Why::Answered);
    row("GET", "/v2/sandboxes", 405, "sandboxPages", Why::NoSuchCall);
    row("GET", "/sandboxes/isb1/metrics", 200, "metrics", Why::Answered);
    row("GET", "/sandboxes/isb1/metrics", 404, "");
    row("GET", "/sandboxes/isb1/metrics", 405, "metrics", Why::NoSuchCall);
    row("GET", "/sandboxes/isb1/metrics", 501, "metrics", Why::NoSuchCall);
    row("GET", "/v2/sandboxes/isb1/logs", 200, "logsV2", Why::Answered);
    row("GET", "/sandboxes/isb1/logs", 200, "logsV1", Why::Answered);
    row("POST", "/sandboxes/isb1/fork", 201, "fork", Why::Answered);
    row("POST", "/sandboxes/isb1/fork", 500, "");
    row("PUT", "/sandboxes/isb1/network", 204, "networkUpdate", Why::Answered);
    row("POST", "/v2/sandboxes", 201, "createV2", Why::Answered);
    row("POST", "/v2/sandboxes", 404, ""); // perhaps the template
    row("GET", "/volumes", 404, "volumes", Why::NoSuchCall);
    row("GET", "/volumes", 403, "volumes", Why::Gated);
    row("GET", "/volumes", 400, "volumes", Why::Gated);
    row("GET", "/volumes", 401, ""); // the key itself may be wrong
    row("GET", "/volumes", 429, "");
    row("GET", "/volumes", 503, "");
    row("POST", "/v3/templates", 202, "templateBuilds", Why::Answered);
    row("GET", "/sandboxes/isb1", 404, "");
    row("DELETE", "/volumes/v1", 405, "");
}

void TestApiCapabilities::learnsFromAnswers()
{
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, path);
    QFETCH(int, status);
    QFETCH(QString, feature);
    QFETCH(int, why);
    Capabilities known;
    net::HttpResponse response{.status = status, .headers = {}, .body = errorBody(status, "not for you")};
    const auto now = m_clock.now();
    QCOMPARE(known.learn(method, path, response, now), !feature.isEmpty());
    for (const Feature each : allFeatures()) {
        const Why expected = featureId(each) == feature ? Why(why) : Why::NotAsked;
        QVERIFY2(known.of(each).why == expected, qPrintable(featureId(each)));
    }
    QVERIFY(!known.learn(method, path, response, now)); // the same again is no news
}

void TestApiCapabilities::comesBackFromDisk()
{
    FaultServer server(reference);
    const Capabilities found = probe(server);
    const auto text = QJsonDocument(found.toJson()).toJson();
    QVERIFY(!text.contains("e2b_good"));
    Capabilities again = Capabilities::fromJson(QJsonDocument::fromJson(text).object());
    QCOMPARE(again.address, found.address);
    QCOMPARE(again.fingerprint, found.fingerprint);
    for (const Feature feature : allFeatures()) {
        QCOMPARE(again.of(feature).why, found.of(feature).why);
        QCOMPARE(again.of(feature).support, found.of(feature).support);
        QCOMPARE(again.of(feature).words, found.of(feature).words);
    }
}

void TestApiCapabilities::anUnreadableMemoryIsUnknown()
{
    const auto object =
        QJsonDocument::fromJson(R"({"probedAt":7,"findings":{"metrics":[1],"volumes":{"why":"moon","at":"x"},
                                    "fork":{"why":"noSuchCall","status":"404","words":9}}})")
            .object();
    const Capabilities read = Capabilities::fromJson(object);
    QVERIFY(!read.probedAt.isValid());
    QVERIFY(!read.lacks(Feature::Metrics));
    QVERIFY(!read.lacks(Feature::Volumes));
    QVERIFY(read.lacks(Feature::Fork));
}

void TestApiCapabilities::theFingerprintTellsServersApart()
{
    FaultServer one(reference);
    FaultServer other(listOnly);
    QStringList prints;
    for (const FaultServer *server : {&one, &other, &one}) {
        Endpoint endpoint;
        endpoint.apiUrl = server->url("");
        Outcome outcome(serverFingerprint(m_transport, endpoint));
        QTRY_VERIFY(outcome.done());
        QVERIFY(outcome.ok());
        prints << outcome.value();
    }
    QCOMPARE(prints.at(0), prints.at(2));
    QVERIFY(prints.at(0) != prints.at(1));
}

QTEST_GUILESS_MAIN(TestApiCapabilities)
#include "tst_api_capabilities.moc"
