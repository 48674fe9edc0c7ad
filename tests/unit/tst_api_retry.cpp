// SPDX-License-Identifier: GPL-3.0-or-later
// What is sent again, how often and when; and what never is.
#include "backend/api/control_plane_client.h"
#include "backend/api/envd.h"
#include "backend/api/retry.h"
#include "tests/support/fault_server.h"
#include "tests/support/outcome.h"
#include "tests/support/waiting.h"

#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::net;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;
using std::chrono::milliseconds;

class TestApiRetry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void delays_data();
    void delays();
    void whatMayPassSoon_data();
    void whatMayPassSoon();
    void safeRequestsAreSentAgain_data();
    void safeRequestsAreSentAgain();
    void givesUpWithTheLastReason();
    void waitsAsLongAsTheServerAsks();
    void cancelWhileWaitingSendsNothing();
    void cancelIsNoTimeout();
    void unsafeCallsAreSentOnce_data();
    void unsafeCallsAreSentOnce();
    void safeCallsOfTheControlPlane_data();
    void safeCallsOfTheControlPlane();
    void killWhoseAnswerWasLostIsDone();
    void eachKindOfCallHasItsTime_data();
    void eachKindOfCallHasItsTime();

private:
    static void faults();
};

namespace {

/// Pauses that are over at once and are noted.
struct NoPauses
{
    QList<milliseconds> waited;
    double dice = 0.5;

    Pauses pauses()
    {
        return {.wait =
                    [this](milliseconds pause) {
                        waited.append(pause);
                        return Call<void>::settled({});
                    },
                .dice = [this] { return dice; }};
    }
};

HttpRequest get(const FaultServer &server)
{
    return {.method = "GET", .url = server.url("/v2/sandboxes")};
}

Error busy(std::optional<std::chrono::seconds> retryAfter)
{
    return {.kind = ErrorKind::Capacity, .delivery = Delivery::Answered, .httpStatus = 429, .retryAfter = retryAfter};
}

Script scripted(const QString &fault)
{
    if (fault == u"closed")
        return Script().close();
    if (fault == u"reset")
        return Script().reset();
    if (fault == u"cut")
        return Script().send("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{\"sandb").close();
    if (fault == u"limited")
        return Script::answer(429, R"({"code":429,"message":"Rate limit exceeded"})", {{"Retry-After", "0"}});
    return Script::answer(fault.toInt(), R"({"message":"busy"})");
}

struct Servers
{
    explicit Servers(const FaultServer &server)
        : control(transport, {.apiUrl = server.url(), .apiKey = Secret("k")})
        , envd(transport,
               targetOf({.sandboxUrl = server.url()}, SandboxAccess{.id = {u"i1"_s}, .envdVersion = u"0.6.13"_s}))
    {
    }

    HttpTransport transport{TransportOptions{.proxies = {}}};
    ControlPlaneClient control;
    Envd envd;
};

template <typename T> Call<void> toVoid(Call<T> call)
{
    return std::move(call).map([](Result<T> result) -> Result<void> {
        if (!result)
            return tl::unexpected(result.error());
        return {};
    });
}

} // namespace

void TestApiRetry::faults()
{
    QTest::addColumn<QString>("fault");
    for (const QString &fault :
         {u"closed"_s, u"reset"_s, u"cut"_s, u"500"_s, u"502"_s, u"503"_s, u"504"_s, u"408"_s, u"limited"_s})
        QTest::newRow(qPrintable(fault)) << fault;
}

void TestApiRetry::delays_data()
{
    QTest::addColumn<int>("attempt");
    QTest::addColumn<double>("dice");
    QTest::addColumn<int>("retryAfter"); // -1: none
    QTest::addColumn<int>("delay");      // -1: no repetition
    // The back-off alone, at both ends of the jitter and in its middle.
    QTest::newRow("first") << 2 << 0.5 << -1 << 200;
    QTest::newRow("first, early") << 2 << 0.0 << -1 << 160;
    QTest::newRow("first, late") << 2 << 1.0 << -1 << 240;
    QTest::newRow("doubled") << 3 << 0.5 << -1 << 400;
    QTest::newRow("fifth") << 5 << 0.5 << -1 << 1600;
    QTest::newRow("capped") << 6 << 0.5 << -1 << 2000;
    QTest::newRow("capped, late") << 6 << 1.0 << -1 << 2400;
    QTest::newRow("enough") << 7 << 0.5 << -1 << -1;
    // What the server asks for is the least, and nobody comes back at the same moment.
    QTest::newRow("Retry-After") << 2 << 0.0 << 3 << 3000;
    QTest::newRow("Retry-After, late") << 2 << 1.0 << 3 << 3200;
    QTest::newRow("Retry-After 0") << 2 << 0.5 << 0 << 200;
    QTest::newRow("as long as we wait") << 2 << 0.0 << 10 << 10000;
    QTest::newRow("longer than we wait") << 2 << 0.0 << 11 << -1;
}

void TestApiRetry::delays()
{
    QFETCH(int, attempt);
    QFETCH(double, dice);
    QFETCH(int, retryAfter);
    QFETCH(int, delay);
    const RetryPolicy policy{.attempts = 6};
    Error error{.kind = ErrorKind::Unavailable, .delivery = Delivery::Unknown};
    if (retryAfter >= 0)
        error = busy(std::chrono::seconds(retryAfter));
    const auto given = policy.delayBefore(attempt, error, dice);
    QCOMPARE(given ? int(given->count()) : -1, delay);
}

void TestApiRetry::whatMayPassSoon_data()
{
    QTest::addColumn<Error>("error");
    QTest::addColumn<bool>("may");
    using K = ErrorKind;
    const auto row = [](const char *name, const Error &error, bool may) { QTest::newRow(name) << error << may; };
    row("lost connection", {.kind = K::Unavailable, .delivery = Delivery::Unknown, .code = u"closed"_s}, true);
    row("refused", {.kind = K::Unavailable, .code = u"refused"_s}, true);
    row("503", {.kind = K::Unavailable, .delivery = Delivery::Answered, .httpStatus = 503}, true);
    row("certificate", {.kind = K::Unavailable, .code = u"tls"_s}, false);
    row("no such name", {.kind = K::Unavailable, .code = u"host_not_found"_s}, false);
    row("proxy", {.kind = K::Unavailable, .code = u"proxy"_s}, false);
    row("504", {.kind = K::Timeout, .delivery = Delivery::Answered, .httpStatus = 504}, true);
    row("our own limit", {.kind = K::Timeout, .delivery = Delivery::Unknown, .code = u"first_byte_timeout"_s}, false);
    row("429 with a time", busy(1s), true);
    row("429 without: a limit of what runs", busy({}), false);
    row("507", {.kind = K::Capacity, .httpStatus = 507, .retryAfter = 1s}, false);
    for (const K kind : {K::NotFound, K::Terminal, K::Authentication, K::InvalidRequest, K::Unsupported, K::Conflict,
                         K::Internal, K::Local})
        row(kindName(kind).data(), {.kind = kind, .delivery = Delivery::Answered}, false);
}

void TestApiRetry::whatMayPassSoon()
{
    QFETCH(Error, error);
    QFETCH(bool, may);
    QCOMPARE(mayPassSoon(error), may);
    QCOMPARE(RetryPolicy().delayBefore(2, error, 0.5).has_value(), may);
}

void TestApiRetry::safeRequestsAreSentAgain_data()
{
    faults();
}

void TestApiRetry::safeRequestsAreSentAgain()
{
    QFETCH(QString, fault);
    // Not from the second on: a stack that sends again by itself would hide a missing repetition of ours.
    FaultServer server(
        [&](const RecordedRequest &, int nth) { return nth < 2 ? scripted(fault) : Script::answer(200, "[]"); });
    HttpTransport transport(TransportOptions{.proxies = {}});
    NoPauses none;
    const auto response = outcome(sendRepeatedly(transport, get(server), {}, none.pauses()));
    QVERIFY2(response.has_value(), response ? "" : qPrintable(response.error().message));
    QCOMPARE(response->status, 200);
    QVERIFY(!none.waited.isEmpty());
    QCOMPARE(none.waited.first(), 200ms);
}

void TestApiRetry::givesUpWithTheLastReason()
{
    FaultServer server(
        [](const RecordedRequest &, int nth) { return Script::answer(503, "try " + QByteArray::number(nth + 1)); });
    HttpTransport transport(TransportOptions{.proxies = {}});
    NoPauses none;
    const auto response = outcome(sendRepeatedly(transport, get(server), {}, none.pauses()));
    QVERIFY(response.has_value());
    QCOMPARE(response->body, "try 3"_ba);
    QCOMPARE(server.requestCount(), 3);
    QCOMPARE(none.waited, (QList<milliseconds>{200ms, 400ms}));

    FaultServer refusing(Script::answer(401, "{}"));
    QCOMPARE(outcome(sendRepeatedly(transport, get(refusing), {}, none.pauses()))->status, 401);
    QCOMPARE(refusing.requestCount(), 1);
}

void TestApiRetry::waitsAsLongAsTheServerAsks()
{
    QByteArray asked = "2";
    FaultServer server([&](const RecordedRequest &, int nth) {
        return nth == 0 ? Script::answer(429, "{}", {{"Retry-After", asked}}) : Script::answer(200, "[]");
    });
    HttpTransport transport(TransportOptions{.proxies = {}});
    NoPauses none;
    none.dice = 0;
    QCOMPARE(outcome(sendRepeatedly(transport, get(server), {}, none.pauses()))->status, 200);
    QCOMPARE(none.waited, QList<milliseconds>{2000ms});

    asked = "3600"; // nobody looks at a window for an hour
    FaultServer slow(Script::answer(429, "{}", {{"Retry-After", asked}}));
    QCOMPARE(outcome(sendRepeatedly(transport, get(slow), {}, none.pauses()))->status, 429);
    QCOMPARE(slow.requestCount(), 1);
}

void TestApiRetry::cancelWhileWaitingSendsNothing()
{
    FaultServer server(Script::answer(503, "{}"));
    HttpTransport transport(TransportOptions{.proxies = {}});
    {
        Outcome waiting(sendRepeatedly(transport, get(server), {.first = 300ms}));
        QTRY_COMPARE(server.requestCount(), 1);
        QTest::qWait(50); // into the pause
    }
    QTest::qWait(600); // twice as long as the pause: nothing may come
    QCOMPARE(server.requestCount(), 1);
}

void TestApiRetry::cancelIsNoTimeout()
{
    FaultServer server(Script().stall());
    HttpTransport transport(TransportOptions{.proxies = {}, .patience = 0.01});
    QObject owner;
    int told = 0;
    Call<HttpResponse> call = sendRepeatedly(transport, get(server));
    call.then(&owner, [&](const Result<HttpResponse> &) { ++told; });
    QTRY_COMPARE(server.requestCount(), 1);
    call.cancel();
    QTRY_COMPARE(server.openConnections(), 0);
    QTest::qWait(900); // longer than the limit: a timeout would be told now
    QCOMPARE(told, 0);

    const auto timedOut = outcome(sendRepeatedly(transport, get(server)));
    QCOMPARE(timedOut.error().kind, ErrorKind::Timeout);
    QCOMPARE(timedOut.error().delivery, Delivery::Unknown);
    QCOMPARE(server.requestCount(), 2); // it has had its time
}

void TestApiRetry::unsafeCallsAreSentOnce_data()
{
    faults();
}

void TestApiRetry::unsafeCallsAreSentOnce()
{
    QFETCH(QString, fault);
    const RemotePath path = RemotePath::parse(QByteArray("/d")).value();
    using Ask = std::function<Call<void>(Servers &)>;
    const QList<std::pair<const char *, Ask>> calls{
        {"create", [](Servers &s) { return toVoid(s.control.create({})); }},
        {"pause", [](Servers &s) { return s.control.pause({u"i1"_s}); }},
        {"upload", [&](Servers &s) { return s.envd.files().writeSmall(path, "x"); }},
        {"input", [](Servers &s) { return s.envd.processes().sendInput(7, InputKind::Pty, "x"); }},
        {"signal", [](Servers &s) { return s.envd.processes().signal(7, ProcessSignal::Kill); }},
        {"make a folder", [&](Servers &s) { return toVoid(s.envd.filesystem().makeDir(path)); }},
        {"move", [&](Servers &s) { return toVoid(s.envd.filesystem().move(path, path.parent())); }},
    };
    for (const auto &[name, ask] : calls) {
        FaultServer server(scripted(fault));
        Servers servers(server);
        QVERIFY2(!outcome(ask(servers)), name);
        QTest::qWait(20); // a stack's own repetition comes at once
        // A refused raw upload is sent a second time as a form: the first wrote nothing.
        const int expected = fault == u"500" && QLatin1String(name) == "upload"_L1 ? 2 : 1;
        QVERIFY2(server.requestCount() == expected, name);
    }
    FaultServer server(scripted(fault));
    Servers servers(server);
    std::optional<StreamEnd> end;
    const auto stream = servers.envd.processes().start({.config = {.cmd = u"true"_s}});
    connect(stream.get(), &ProcessStream::ended, this, [&](const StreamEnd &e) { end = e; });
    QTRY_VERIFY(end);
    QVERIFY(end->kind != StreamEnd::Kind::Finished);
    QCOMPARE(server.requestCount(), 1);
}

void TestApiRetry::safeCallsOfTheControlPlane_data()
{
    faults();
}

void TestApiRetry::safeCallsOfTheControlPlane()
{
    QFETCH(QString, fault);
    using Ask = std::function<Call<void>(Servers &)>;
    const QList<std::pair<const char *, Ask>> calls{
        {"get", [](Servers &s) { return toVoid(s.control.sandbox({u"i1"_s})); }},
        {"kill", [](Servers &s) { return s.control.kill({u"i1"_s}); }},
        {"connect", [](Servers &s) { return toVoid(s.control.connect({u"i1"_s}, 300s)); }},
        {"timeout", [](Servers &s) { return s.control.setTimeout({u"i1"_s}, 300s); }},
        {"next page", [](Servers &s) { return toVoid(s.control.listSandboxes({.nextToken = u"t"_s})); }},
    };
    for (const auto &[name, ask] : calls) {
        FaultServer server([&](const RecordedRequest &request, int nth) {
            if (nth == 0)
                return scripted(fault);
            return Script::answer(200, request.query().contains("nextToken") ? "[]" : R"({"sandboxID":"i1"})");
        });
        Servers servers(server);
        const auto result = outcome(ask(servers));
        QVERIFY2(result.has_value(), name);
        QVERIFY2(server.requestCount() == 2, name);
    }
}

void TestApiRetry::killWhoseAnswerWasLostIsDone()
{
    FaultServer server([](const RecordedRequest &, int nth) {
        return nth == 0 ? Script().close() : Script::answer(404, R"({"code":404,"message":"sandbox not found"})");
    });
    Servers servers(server);
    QVERIFY(outcome(servers.control.kill({u"i1"_s})).has_value());
}

void TestApiRetry::eachKindOfCallHasItsTime_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<int>("seconds");
    QTest::newRow("a call of the control plane: more than the 70 s of a handler") << u"list"_s << 75;
    QTest::newRow("a pause writes memory out first") << u"pause"_s << 180;
    QTest::newRow("health") << u"health"_s << 10;
    QTest::newRow("a call of the data plane") << u"stat"_s << 60;
    QTest::newRow("the end of an upload is flushed") << u"upload"_s << 120;
    QTest::newRow("a look after a lost connection") << u"pulse"_s << 5;
}

void TestApiRetry::eachKindOfCallHasItsTime()
{
    QFETCH(QString, what);
    QFETCH(int, seconds);
    FaultServer server(Script().stall());
    Servers servers(server);
    HttpTransport transport(TransportOptions{.proxies = {}, .patience = 0.01});
    ControlPlaneClient control(transport, servers.control.endpoint());
    Envd envd(transport, servers.envd.target());
    const RemotePath path = RemotePath::parse(QByteArray("/d")).value();
    QElapsedTimer elapsed;
    elapsed.start();
    if (what == u"list")
        QCOMPARE(outcome(control.listAllSandboxes()).error().kind, ErrorKind::Timeout);
    else if (what == u"pause")
        QCOMPARE(outcome(control.pause({u"i1"_s})).error().kind, ErrorKind::Timeout);
    else if (what == u"health")
        QCOMPARE(outcome(control.health()).error().kind, ErrorKind::Timeout);
    else if (what == u"stat")
        QCOMPARE(outcome(envd.filesystem().stat(path)).error().kind, ErrorKind::Timeout);
    else if (what == u"upload")
        QCOMPARE(outcome(envd.files().writeSmall(path, "x")).error().kind, ErrorKind::Timeout);
    else
        QVERIFY(outcome(envd.pulse()).value() == Pulse::Unknown);
    // The machine may be late, and Qt's timers a twentieth early.
    QVERIFY2(elapsed.elapsed() >= seconds * 94 / 10, qPrintable(QString::number(elapsed.elapsed())));
    QVERIFY2(elapsed.elapsed() < seconds * 10 + 2000, qPrintable(QString::number(elapsed.elapsed())));
    QCOMPARE(server.requestCount(), 1);
}

QTEST_GUILESS_MAIN(TestApiRetry)
#include "tst_api_retry.moc"
