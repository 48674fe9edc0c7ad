// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/control_plane_client.h"
#include "tests/support/fault_server.h"
#include "tests/support/waiting.h"

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

QByteArray entry(const QByteArray &id, const QByteArray &state = "running")
{
    return R"({"sandboxID":")" + id + R"(","state":")" + state + R"("})";
}

/// A client of a fault server, with a path prefix and a trailing slash in its base.
struct Client
{
    explicit Client(const FaultServer &server)
        : control(transport, {.apiUrl = server.url("/e2b/v1/"), .apiKey = Secret("e2b_0011")})
    {
    }

    HttpTransport transport{TransportOptions{.proxies = {}}};
    ControlPlaneClient control;
};

} // namespace

class TestApiControl : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void twoStatesAreOneParameter();
    void pagesAreFollowedAndTokensEncoded();
    void pagesThatNeverEndAreAnError();
    void serverThatIgnoresFiltersIsFiltered();
    void oldListIsTheFallbackAndRemembered();
    void templatesComeFromEitherList();
    void idsAreOneSegment_data();
    void idsAreOneSegment();
    void blankIdsNeverReachTheServer();
    void createIsSentOnce_data();
    void createIsSentOnce();
    void createAcceptsForeignAnswers_data();
    void createAcceptsForeignAnswers();
    void newCreateIsUsedOnlyWhereTheOldIsMissing();
    void limitIsToldInFullAndNotRepeated_data();
    void limitIsToldInFullAndNotRepeated();
    void emptyErrorsAreFailures_data();
    void emptyErrorsAreFailures();
    void onlyConnectResumes();
    void connectCarriesTheChosenLife();
    void connectAnswerAboutAnotherSandboxIsRefused();
    void killOfAMissingSandboxIsDone_data();
    void killOfAMissingSandboxIsDone();
    void timeoutsBelowASecondAreNeverSent();
    void errorsOfTheControlPlane_data();
    void errorsOfTheControlPlane();
    void emptyKeyIsNotSent();
    void pageForPeopleIsNoServer();
};

void TestApiControl::twoStatesAreOneParameter()
{
    FaultServer server(Script::answer(200, "[]"));
    Client client(server);
    QVERIFY(outcome(client.control.listSandboxes({.states = {SandboxState::Running, SandboxState::Paused}})));
    QVERIFY(outcome(client.control.listSandboxes({.limit = 5000})));
    const auto requests = server.requests();
    QCOMPARE(requests.at(0).path(), "/e2b/v1/v2/sandboxes"_ba);
    QVERIFY2(requests.at(0).query().split('&').contains("state=running,paused"), requests.at(0).query());
    QVERIFY(!requests.at(1).query().contains("state"));
    QVERIFY(requests.at(1).query().split('&').contains("limit=100"));
    QCOMPARE(requests.at(0).header("X-API-Key"), "e2b_0011"_ba);
}

void TestApiControl::pagesAreFollowedAndTokensEncoded()
{
    const QByteArray token = "MjAy+Ni0/w==";
    FaultServer server([&](const RecordedRequest &request, int) {
        if (!request.query().contains("nextToken"))
            return Script::answer(200, '[' + entry("i1") + ',' + entry("i2") + ']',
                                  {{"x-next-token", token}, {"X-Total-Running", "3"}});
        return Script::answer(200, '[' + entry("i3", "paused") + ']');
    });
    Client client(server);
    const auto all = outcome(client.control.listAllSandboxes());
    QVERIFY(all.has_value());
    QCOMPARE(all->size(), 3);
    QCOMPARE(all->at(2).id.value, u"i3"_s);
    QVERIFY2(server.requests().at(1).query().contains("nextToken=MjAy%2BNi0%2Fw%3D%3D"),
             server.requests().at(1).query());

    const auto page = outcome(client.control.listSandboxes());
    QCOMPARE(page->totalRunning, std::optional(3));
    QCOMPARE(page->nextToken, QString::fromLatin1(token));
}

void TestApiControl::pagesThatNeverEndAreAnError()
{
    FaultServer server([](const RecordedRequest &, int nth) {
        return Script::answer(200, "[]", {{"X-Next-Token", nth % 2 ? "b" : "a"}});
    });
    Client client(server);
    const auto all = outcome(client.control.listAllSandboxes());
    QVERIFY(!all);
    QCOMPARE(all.error().kind, ErrorKind::Internal);
    QCOMPARE(all.error().code, u"bad_paging"_s);
    QCOMPARE(server.requestCount(), 3);
}

void TestApiControl::serverThatIgnoresFiltersIsFiltered()
{
    FaultServer server(
        Script::answer(200, '[' + entry("i1") + ',' + entry("i2", "paused") + ',' + entry("i3", "creating") + ']'));
    Client client(server);
    const auto paused = outcome(client.control.listSandboxes({.states = {SandboxState::Paused}}));
    QCOMPARE(paused->items.size(), 1);
    QCOMPARE(paused->items.first().id.value, u"i2"_s);
    QCOMPARE(outcome(client.control.listSandboxes())->items.size(), 3);
    // States no server can be asked for match nothing, without a call.
    QVERIFY(outcome(client.control.listSandboxes({.states = {SandboxState::Terminal}}))->items.isEmpty());
    QCOMPARE(server.requestCount(), 2);
}

void TestApiControl::oldListIsTheFallbackAndRemembered()
{
    FaultServer server([](const RecordedRequest &request, int) {
        return request.path() == "/e2b/v1/sandboxes" ? Script::answer(200, R"([{"sandboxID":"i1"}])")
                                                     : Script::answer(405, "");
    });
    Client client(server);
    for (int i = 0; i < 2; ++i) {
        const auto all = outcome(client.control.listAllSandboxes());
        QVERIFY(all.has_value());
        QCOMPARE(all->first().state, SandboxState::Running);
    }
    QCOMPARE(server.requestCount(), 3); // v2, v1, v1

    FaultServer neither(Script::answer(404, "<html>"));
    Client lost(neither);
    const auto all = outcome(lost.control.listAllSandboxes());
    QVERIFY(!all);
    QCOMPARE(all.error().kind, ErrorKind::Unsupported);
}

void TestApiControl::templatesComeFromEitherList()
{
    for (const QByteArray &only : {"/e2b/v1/templates"_ba, "/e2b/v1/v2/templates"_ba}) {
        FaultServer server([&](const RecordedRequest &request, int) {
            return request.path() == only ? Script::answer(200, R"([{"templateID":"t1"}])") : Script::answer(404, "");
        });
        Client client(server);
        const auto templates = outcome(client.control.listTemplates());
        QVERIFY(templates.has_value());
        QCOMPARE(templates->size(), 1);
    }
    FaultServer neither(Script::answer(404, ""));
    Client client(neither);
    QCOMPARE(outcome(client.control.listTemplates()).error().kind, ErrorKind::Unsupported);
}

void TestApiControl::idsAreOneSegment_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QByteArray>("segment");
    QTest::newRow("plain") << u"i7m2p9x4c1b8n5v3z6q0d"_s << "i7m2p9x4c1b8n5v3z6q0d"_ba;
    QTest::newRow("slash and colon") << u"my-team/base:v2"_s << "my-team%2Fbase%3Av2"_ba;
    QTest::newRow("percent") << u"100%25"_s << "100%2525"_ba;
    QTest::newRow("climbs") << u"../../health"_s << "..%2F..%2Fhealth"_ba;
    QTest::newRow("query") << u"a?b#c"_s << "a%3Fb%23c"_ba;
    QTest::newRow("space and plus") << u"a b+c"_s << "a%20b%2Bc"_ba;
    QTest::newRow("unicode") << u"caf\u00e9"_s << "caf%C3%A9"_ba;
    QTest::newRow("unreserved") << u"A-z_0.~"_s << "A-z_0.~"_ba;
}

void TestApiControl::idsAreOneSegment()
{
    QFETCH(QString, id);
    QFETCH(QByteArray, segment);
    FaultServer server(Script::answer(404, R"({"code":404,"message":"not found"})"));
    Client client(server);
    const SandboxId sandbox{id};
    QCOMPARE(outcome(client.control.sandbox(sandbox)).error().kind, ErrorKind::NotFound);
    QVERIFY(outcome(client.control.kill(sandbox)).has_value());
    QVERIFY(!outcome(client.control.pause(sandbox)));
    for (const RecordedRequest &request : server.requests())
        QVERIFY2(request.target == "/e2b/v1/sandboxes/" + segment ||
                     request.target == "/e2b/v1/sandboxes/" + segment + "/pause",
                 request.target);
}

void TestApiControl::blankIdsNeverReachTheServer()
{
    FaultServer server(Script::answer(204));
    Client client(server);
    const SandboxId blank{u" "_s};
    QCOMPARE(outcome(client.control.kill(blank)).error().kind, ErrorKind::InvalidRequest);
    QCOMPARE(outcome(client.control.pause(blank)).error().kind, ErrorKind::InvalidRequest);
    QCOMPARE(outcome(client.control.sandbox({})).error().kind, ErrorKind::InvalidRequest);
    QCOMPARE(outcome(client.control.connect({}, 300s)).error().kind, ErrorKind::InvalidRequest);
    QCOMPARE(outcome(client.control.setTimeout({}, 300s)).error().kind, ErrorKind::InvalidRequest);
    QCOMPARE(outcome(client.control.create({.templateId = u"  "_s})).error().kind, ErrorKind::InvalidRequest);
    QCOMPARE(server.requestCount(), 0);
}

void TestApiControl::createIsSentOnce_data()
{
    QTest::addColumn<QString>("fault");
    QTest::addColumn<Delivery>("delivery");
    QTest::newRow("closed before an answer") << u"close"_s << Delivery::Unknown;
    QTest::newRow("reset") << u"reset"_s << Delivery::Unknown;
    QTest::newRow("answer cut") << u"cut"_s << Delivery::Unknown;
    QTest::newRow("503") << u"503"_s << Delivery::Answered;
    QTest::newRow("success that can't be read") << u"html"_s << Delivery::Unknown;
}

void TestApiControl::createIsSentOnce()
{
    QFETCH(QString, fault);
    QFETCH(Delivery, delivery);
    FaultServer server([&](const RecordedRequest &, int) {
        if (fault == u"close")
            return Script().close();
        if (fault == u"reset")
            return Script().reset();
        if (fault == u"cut")
            return Script().send("HTTP/1.1 201 Created\r\nContent-Length: 90\r\n\r\n{\"sandboxID\":").close();
        if (fault == u"503")
            return Script::answer(503, R"({"code":503,"error_code":"sandbox_capacity_unavailable","message":"full"})");
        return Script::answer(200, "<html>Sign in</html>");
    });
    Client client(server);
    const auto created = outcome(client.control.create({}));
    QVERIFY(!created);
    QCOMPARE(created.error().delivery, delivery);
    QTest::qWait(200); // a repetition would come at once
    QCOMPARE(server.requestCount(), 1);
    if (fault == u"503") {
        QCOMPARE(created.error().code, u"sandbox_capacity_unavailable"_s);
        QCOMPARE(created.error().kind, ErrorKind::Unavailable);
    }
}

void TestApiControl::createAcceptsForeignAnswers_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("good");
    QTest::newRow("201") << 201 << R"({"sandboxID":"i1","templateID":"t"})"_ba << true;
    QTest::newRow("200 with the id alone") << 200 << R"({"sandboxID":"i1"})"_ba << true;
    QTest::newRow("202 with an id") << 202 << R"({"sandboxID":"i1"})"_ba << true;
    QTest::newRow("202 without") << 202 << "{}"_ba << false;
    QTest::newRow("201 with a blank id") << 201 << R"({"sandboxID":""})"_ba << false;
    QTest::newRow("204") << 204 << ""_ba << false;
}

void TestApiControl::createAcceptsForeignAnswers()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(bool, good);
    FaultServer server(Script::answer(status, body));
    Client client(server);
    const auto created = outcome(client.control.create({.templateId = u"mine"_s, .timeout = 1800s}));
    QCOMPARE(created.has_value(), good);
    if (created)
        QVERIFY(!created->templateId.isEmpty());
    else
        QCOMPARE(created.error().kind, ErrorKind::Internal);
    const RecordedRequest request = server.requests().first();
    QCOMPARE(request.target, "/e2b/v1/sandboxes"_ba);
    QCOMPARE(jsonBody(request)["timeout"_L1].toInt(), 1800);
    QCOMPARE(jsonBody(request)["secure"_L1].toBool(), true);
}

void TestApiControl::newCreateIsUsedOnlyWhereTheOldIsMissing()
{
    FaultServer server([](const RecordedRequest &request, int) {
        return request.path() == "/e2b/v1/v2/sandboxes" ? Script::answer(201, R"({"sandboxID":"i1"})")
                                                        : Script::answer(405, "");
    });
    Client client(server);
    QVERIFY(outcome(client.control.create({})).has_value());
    QVERIFY(outcome(client.control.create({})).has_value());
    QCOMPARE(server.requestCount(), 3); // old, new, new
    QVERIFY(!jsonBody(server.requests().at(1)).contains("secure"_L1));

    // An unknown template says the same in both forms, in the words of the first.
    FaultServer unknown([](const RecordedRequest &, int nth) {
        return nth == 0 ? Script::answer(404, R"({"code":404,"message":"template 'x' not found"})")
                        : Script::answer(404, "404 page not found");
    });
    Client other(unknown);
    const auto created = outcome(other.control.create({.templateId = u"x"_s}));
    QVERIFY(!created);
    QCOMPARE(created.error().kind, ErrorKind::InvalidRequest);
    QCOMPARE(created.error().message, u"template 'x' not found"_s);
}

void TestApiControl::limitIsToldInFullAndNotRepeated_data()
{
    QTest::addColumn<bool>("retryAfter");
    QTest::newRow("with Retry-After") << true;
    QTest::newRow("without") << false;
}

void TestApiControl::limitIsToldInFullAndNotRepeated()
{
    QFETCH(bool, retryAfter);
    const QByteArray message = "you have reached the maximum number of concurrent sandboxes (20)";
    HeaderList headers;
    if (retryAfter)
        headers.emplace_back("Retry-After", "7");
    FaultServer server(Script::answer(429, R"({"code":429,"message":")" + message + "\"}", headers));
    Client client(server);
    const auto created = outcome(client.control.create({}));
    QVERIFY(!created);
    QCOMPARE(created.error().kind, ErrorKind::Capacity);
    QCOMPARE(created.error().message, QString::fromLatin1(message));
    QCOMPARE(created.error().retryAfter.has_value(), retryAfter);
    QCOMPARE(server.requestCount(), 1);
}

void TestApiControl::emptyErrorsAreFailures_data()
{
    QTest::addColumn<bool>("counted");
    QTest::newRow("Content-Length 0") << true;
    QTest::newRow("no length") << false;
}

void TestApiControl::emptyErrorsAreFailures()
{
    QFETCH(bool, counted);
    FaultServer server(counted ? Script::answer(500, {}) : Script().send("HTTP/1.1 500 No\r\n\r\n").close());
    Client client(server);
    const SandboxId id{u"i1"_s};
    QVERIFY(!outcome(client.control.health()));
    QVERIFY(!outcome(client.control.create({})));
    QVERIFY(!outcome(client.control.kill(id)));
    QVERIFY(!outcome(client.control.pause(id)));
    const auto list = outcome(client.control.listAllSandboxes());
    QVERIFY(!list);
    QCOMPARE(list.error().kind, ErrorKind::Unavailable);
    QCOMPARE(list.error().message, u"HTTP 500 Internal Server Error"_s);
}

void TestApiControl::onlyConnectResumes()
{
    FaultServer server([](const RecordedRequest &request, int) {
        if (request.method == "GET" && request.path().endsWith("/i1"))
            return Script::answer(200, R"({"sandboxID":"i1","state":"paused"})");
        if (request.method == "GET")
            return Script::answer(200, "[]");
        if (request.path().endsWith("/connect"))
            return Script::answer(201, R"({"sandboxID":"i1"})");
        return Script::answer(204);
    });
    Client client(server);
    const SandboxId id{u"i1"_s};
    QVERIFY(outcome(client.control.sandbox(id)).has_value());
    QVERIFY(outcome(client.control.listAllSandboxes()).has_value());
    QVERIFY(outcome(client.control.listTemplates()).has_value());
    QVERIFY(outcome(client.control.probe()).has_value());
    QVERIFY(outcome(client.control.pause(id)).has_value());
    QVERIFY(outcome(client.control.setTimeout(id, 60s)).has_value());
    QVERIFY(outcome(client.control.kill(id)).has_value());
    for (const RecordedRequest &request : server.requests())
        QVERIFY2(!request.target.contains("connect") && !request.target.contains("resume"), request.target);
    QVERIFY(outcome(client.control.connect(id, 60s)).has_value());
}

void TestApiControl::connectCarriesTheChosenLife()
{
    FaultServer server(Script::answer(200, R"({"sandboxID":"i1","envdAccessToken":"4b1d","envdVersion":"0.6.13"})"));
    Client client(server);
    const auto access = outcome(client.control.connect({u"i1"_s}, 1800s));
    QVERIFY(access.has_value());
    QCOMPARE(access->envdAccessToken.reveal(), "4b1d"_ba);
    QCOMPARE(jsonBody(server.requests().first())["timeout"_L1].toInt(), 1800);
}

void TestApiControl::connectAnswerAboutAnotherSandboxIsRefused()
{
    FaultServer server(Script::answer(200, R"({"sandboxID":"i1"})"));
    Client client(server);
    QCOMPARE(outcome(client.control.connect({u"i2"_s}, 60s)).error().kind, ErrorKind::Internal);
    QVERIFY(outcome(client.control.connect({u"i1-6532622b"_s}, 60s)).has_value());
}

void TestApiControl::killOfAMissingSandboxIsDone_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("good");
    QTest::newRow("204") << 204 << ""_ba << true;
    QTest::newRow("200 with a body") << 200 << "{}"_ba << true;
    QTest::newRow("404") << 404 << R"({"code":404,"message":"gone"})"_ba << true;
    QTest::newRow("404 plain") << 404 << "sandbox not found"_ba << true;
    QTest::newRow("400 invalid id") << 400 << R"({"code":400,"message":"Invalid sandbox ID"})"_ba << true;
    QTest::newRow("410") << 410 << ""_ba << true;
    QTest::newRow("403") << 403 << ""_ba << false;
    QTest::newRow("500") << 500 << ""_ba << false;
    QTest::newRow("409") << 409 << ""_ba << false;
}

void TestApiControl::killOfAMissingSandboxIsDone()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(bool, good);
    FaultServer server(Script::answer(status, body));
    Client client(server);
    QCOMPARE(outcome(client.control.kill({u"i1"_s})).has_value(), good);
}

void TestApiControl::timeoutsBelowASecondAreNeverSent()
{
    FaultServer server(Script::answer(204));
    Client client(server);
    for (const auto timeout : {0s, -1s, -3600s}) {
        QCOMPARE(outcome(client.control.create({.timeout = timeout})).error().kind, ErrorKind::InvalidRequest);
        QCOMPARE(outcome(client.control.connect({u"i1"_s}, timeout)).error().kind, ErrorKind::InvalidRequest);
        QCOMPARE(outcome(client.control.setTimeout({u"i1"_s}, timeout)).error().kind, ErrorKind::InvalidRequest);
    }
    QCOMPARE(server.requestCount(), 0);
}

void TestApiControl::errorsOfTheControlPlane_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<Operation>("operation");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("code");
    const auto row = [](const char *name, int status, const char *body, Operation operation, ErrorKind kind,
                        const char *code = "") {
        QTest::newRow(name) << status << QByteArray(body) << operation << kind << QString::fromLatin1(code);
    };
    using K = ErrorKind;
    using O = Operation;
    row("400", 400, R"({"code":400,"message":"validation error: x"})", O::Other, K::InvalidRequest);
    row("422", 422, "", O::Other, K::InvalidRequest);
    row("401", 401, "", O::Other, K::Authentication);
    row("403", 403, "", O::Other, K::Authentication);
    row("404", 404, "id not found", O::Other, K::NotFound);
    row("404 of a create", 404, R"({"code":404,"message":"template 'x' not found"})", O::Create, K::InvalidRequest);
    row("404 of a list", 404, "", O::List, K::Unsupported);
    row("405", 405, "", O::Other, K::Unsupported);
    row("501", 501, "", O::Other, K::Unsupported);
    row("408", 408, "", O::Other, K::Timeout);
    row("504", 504, R"({"code":504,"error_code":"sandbox_placement_timeout","message":"x"})", O::Create, K::Timeout,
        "sandbox_placement_timeout");
    row("409", 409, "", O::Other, K::Conflict);
    row("410", 410, "", O::Other, K::Terminal);
    row("429", 429, "", O::Other, K::Capacity);
    row("507", 507, "", O::Other, K::Capacity);
    row("500", 500, "", O::Other, K::Unavailable);
    row("503", 503, R"({"code":503,"error_code":"sandbox_capacity_unavailable","message":"x"})", O::Create,
        K::Unavailable, "sandbox_capacity_unavailable");
    row("invalid id of connect", 400, R"({"code":400,"message":"Invalid sandbox ID"})", O::Connect, K::NotFound);
    row("invalid id of get", 400, R"({"code":400,"message":"Invalid sandbox ID"})", O::Get, K::NotFound);
    row("invalid id elsewhere", 400, R"({"code":400,"message":"Invalid sandbox ID"})", O::Create, K::InvalidRequest);
    row("code as text", 409, R"({"code":"conflict","message":"x"})", O::Other, K::Conflict, "conflict");
    row("an odd one", 418, "", O::Other, K::Internal);
    row("a redirect without a place", 304, "", O::Other, K::Internal);
}

void TestApiControl::errorsOfTheControlPlane()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(Operation, operation);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, code);
    const Error error = controlError({.status = status, .body = body}, operation);
    QCOMPARE(error.kind, kind);
    QCOMPARE(error.code, code);
    QCOMPARE(error.httpStatus, status);
    QCOMPARE(error.delivery, Delivery::Answered);
    QVERIFY(!error.message.isEmpty());
}

void TestApiControl::emptyKeyIsNotSent()
{
    FaultServer server(Script::answer(200, "[]"));
    HttpTransport transport(TransportOptions{.proxies = {}});
    ControlPlaneClient control(transport, {.apiUrl = server.url()});
    QVERIFY(outcome(control.listAllSandboxes()).has_value());
    QVERIFY(outcome(control.health()).has_value());
    for (const RecordedRequest &request : server.requests()) {
        for (const auto &[name, value] : request.headers)
            QVERIFY(name.compare("X-API-Key", Qt::CaseInsensitive) != 0);
    }
    QCOMPARE(server.requests().last().target, "/health"_ba);
}

void TestApiControl::pageForPeopleIsNoServer()
{
    FaultServer server(Script::answer(200, "<!doctype html><title>Router login</title>"));
    Client client(server);
    const auto probed = outcome(client.control.probe());
    QVERIFY(!probed);
    QCOMPARE(probed.error().kind, ErrorKind::Internal);
    QCOMPARE(probed.error().code, u"bad_answer"_s);
}

QTEST_GUILESS_MAIN(TestApiControl)
#include "tst_api_control.moc"
