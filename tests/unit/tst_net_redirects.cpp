// SPDX-License-Identifier: GPL-3.0-or-later
// Where a server may send us, and that no credential ever goes along.
#include "backend/api/control_plane_client.h"
#include "backend/api/envd.h"
#include "tests/support/fault_server.h"
#include "tests/support/waiting.h"

#include <QBuffer>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::net;
using namespace boxdeck::test;
using namespace Qt::StringLiterals;

namespace {

const HeaderList credentials{{"X-API-Key", "k"},
                             {"X-Access-Token", "t"},
                             {"e2b-traffic-access-token", "v"},
                             {"Authorization", "Basic dXNlcjo="},
                             {"Proxy-Authorization", "Basic eDp5"}};

HttpRequest asking(const QByteArray &method, const QUrl &url, Lane lane = Lane::Control)
{
    HttpRequest request{.method = method, .url = url, .headers = credentials, .lane = lane};
    request.followRedirects = true;
    request.mayRepeat = method == "GET" || method == "DELETE";
    if (method == "POST" || method == "PUT")
        request.body = R"({"a":1})";
    return request;
}

Script redirect(int status, const QByteArray &location)
{
    return Script::answer(status, {}, {{"Location", location}});
}

} // namespace

class TestNetRedirects : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void credentialsStayHome_data();
    void credentialsStayHome();
    void whatIsAnotherOrigin_data();
    void whatIsAnotherOrigin();
    void withinTheOrigin_data();
    void withinTheOrigin();
    void endlessOnesAreEnded();
    void bodyGoesAlongOnce();
    void uploadsThatMayNotRepeatStay();
    void namesInTheLocationAreNotSent();
    void dataPlaneFollowsNone();
    void controlPlaneFollowsASlash();
    void createThatWasSeenElsewhereIsUnknown();
};

void TestNetRedirects::credentialsStayHome_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<Lane>("lane");
    QTest::addColumn<Delivery>("delivery");
    for (const int status : {301, 302, 303, 307, 308}) {
        for (const QByteArray &method : {"GET"_ba, "POST"_ba, "PUT"_ba, "DELETE"_ba}) {
            for (const Lane lane : {Lane::Control, Lane::Bulk, Lane::Stream}) {
                const bool undone = method == "GET" || status != 303;
                QTest::addRow("%d %s lane %d", status, method.constData(), int(lane))
                    << status << method << lane << (undone ? Delivery::Answered : Delivery::Unknown);
            }
        }
    }
}

void TestNetRedirects::credentialsStayHome()
{
    QFETCH(int, status);
    QFETCH(QByteArray, method);
    QFETCH(Lane, lane);
    QFETCH(Delivery, delivery);
    FaultServer thief(Script::answer(200, "{}"));
    FaultServer server(redirect(status, thief.url("/take?secret=1").toEncoded()));
    HttpTransport transport(TransportOptions{.proxies = {}});
    const auto response = outcome(transport.send(asking(method, server.url("/v2/sandboxes"), lane)));
    QVERIFY(!response);
    QCOMPARE(response.error().kind, ErrorKind::Unsupported);
    QCOMPARE(response.error().code, u"redirected"_s);
    QCOMPARE(response.error().httpStatus, status);
    QCOMPARE(response.error().delivery, delivery);
    QVERIFY(response.error().message.startsWith(u"server redirected to http://127.0.0.1:"));
    QVERIFY(!response.error().message.contains(u"secret"));
    QTest::qWait(20); // time enough to follow the redirect, which must not happen
    QCOMPARE(thief.connectionCount(), 0);
    QCOMPARE(server.requestCount(), 1);
}

void TestNetRedirects::whatIsAnotherOrigin_data()
{
    QTest::addColumn<QByteArray>("location"); // PORT is the server's own
    QTest::newRow("another name of this host") << "http://localhost:PORT/x"_ba;
    QTest::newRow("its IPv6 address") << "http://[::1]:PORT/x"_ba;
    QTest::newRow("the same with TLS") << "https://127.0.0.1:PORT/x"_ba;
    QTest::newRow("the port of its scheme") << "http://127.0.0.1/x"_ba;
    QTest::newRow("without a scheme") << "//127.0.0.2:PORT/x"_ba;
    QTest::newRow("a name that looks like it") << "http://127.0.0.1:PORT@localhost/x"_ba;
    QTest::newRow("another scheme") << "file:///etc/passwd"_ba;
    QTest::newRow("no address") << "http://"_ba;
}

void TestNetRedirects::whatIsAnotherOrigin()
{
    QFETCH(QByteArray, location);
    QByteArray where;
    FaultServer server([&](const RecordedRequest &, int) { return redirect(307, where); });
    where = location.replace("PORT", QByteArray::number(server.port()));
    HttpTransport transport(TransportOptions{.proxies = {}});
    for (const QByteArray &method : {"GET"_ba, "POST"_ba}) {
        const auto response = outcome(transport.send(asking(method, server.url("/old"))));
        QVERIFY(!response);
        QCOMPARE(response.error().code, u"redirected"_s);
    }
    QCOMPARE(server.requestCount(), 2);
}

void TestNetRedirects::withinTheOrigin_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<bool>("followed");
    for (const int status : {301, 302, 303, 307, 308}) {
        QTest::addRow("%d GET", status) << status << "GET"_ba << true;
        // The others would have to become a GET, which is another question.
        QTest::addRow("%d POST", status) << status << "POST"_ba << (status >= 307);
        QTest::addRow("%d DELETE", status) << status << "DELETE"_ba << (status >= 307);
    }
}

void TestNetRedirects::withinTheOrigin()
{
    QFETCH(int, status);
    QFETCH(QByteArray, method);
    QFETCH(bool, followed);
    FaultServer server([&](const RecordedRequest &request, int) {
        return request.path() == "/old" ? redirect(status, "/new?x=%2F") : Script::answer(200, request.target);
    });
    HttpTransport transport(TransportOptions{.proxies = {}});
    const auto response = outcome(transport.send(asking(method, server.url("/old"))));
    QCOMPARE(response.has_value(), followed);
    if (!followed) {
        QCOMPARE(response.error().code, u"redirected"_s);
        QCOMPARE(server.requestCount(), 1);
        return;
    }
    QCOMPARE(response->body, "/new?x=%2F"_ba);
    QCOMPARE(server.requests().last().method, method);
    QCOMPARE(server.requests().last().header("X-API-Key"), "k"_ba);
}

void TestNetRedirects::endlessOnesAreEnded()
{
    FaultServer server(redirect(302, "/loop"));
    HttpTransport transport(TransportOptions{.proxies = {}});
    QCOMPARE(outcome(transport.send(asking("GET", server.url("/loop")))).error().code, u"redirected"_s);
    QCOMPARE(server.requestCount(), 6);
}

void TestNetRedirects::bodyGoesAlongOnce()
{
    FaultServer server([&](const RecordedRequest &request, int) {
        return request.path() == "/old" ? redirect(308, "/new") : Script::answer(201, "{}");
    });
    HttpTransport transport(TransportOptions{.proxies = {}});
    QVERIFY(outcome(transport.send(asking("POST", server.url("/old")))).has_value());
    QCOMPARE(server.requestCount(), 2);
    QCOMPARE(server.requests().last().body, R"({"a":1})"_ba);
}

void TestNetRedirects::uploadsThatMayNotRepeatStay()
{
    FaultServer server(redirect(307, "/new"));
    HttpTransport transport(TransportOptions{.proxies = {}});
    HttpRequest request = asking("PUT", server.url("/old"), Lane::Bulk);
    int opened = 0;
    request.upload = UploadSource{.open = [&opened]() -> std::unique_ptr<QIODevice> {
                                      ++opened;
                                      auto buffer = std::make_unique<QBuffer>();
                                      buffer->setData("content");
                                      buffer->open(QIODevice::ReadOnly);
                                      return buffer;
                                  },
                                  .size = 7};
    QCOMPARE(outcome(transport.send(request)).error().code, u"redirected"_s);
    QCOMPARE(opened, 1);
    QCOMPARE(server.requestCount(), 1);
}

void TestNetRedirects::namesInTheLocationAreNotSent()
{
    QByteArray where;
    FaultServer server([&](const RecordedRequest &request, int) {
        return request.path() == "/old" ? redirect(302, where) : Script::answer(200, "{}");
    });
    where = "http://eve:pw@" + server.authority() + "/new";
    HttpTransport transport(TransportOptions{.proxies = {}});
    for (const Lane lane : {Lane::Control, Lane::Bulk}) {
        HttpRequest request = asking("GET", server.url("/old"), lane);
        request.headers = {};
        QVERIFY(outcome(transport.send(request)).has_value());
        QVERIFY(server.requests().last().header("Authorization").isEmpty());
    }
}

void TestNetRedirects::dataPlaneFollowsNone()
{
    FaultServer server([&](const RecordedRequest &request, int) {
        return request.path().startsWith("/elsewhere") ? Script::answer(200, "{}") : redirect(307, "/elsewhere");
    });
    HttpTransport transport(TransportOptions{.proxies = {}});
    api::Envd envd(transport,
                   api::targetOf({.sandboxUrl = server.url()},
                                 protocol::SandboxAccess{
                                     .id = {u"i1"_s}, .envdVersion = u"0.6.13"_s, .envdAccessToken = Secret("t")}));
    const RemotePath file = RemotePath::parse(QByteArray("/f")).value();
    QCOMPARE(outcome(envd.health()).error().code, u"redirected"_s);
    QCOMPARE(outcome(envd.filesystem().stat(file)).error().code, u"redirected"_s);
    QCOMPARE(outcome(envd.processes().list()).error().code, u"redirected"_s);
    QCOMPARE(outcome(envd.files().readSmall(file, 10)).error().code, u"redirected"_s);
    QCOMPARE(outcome(envd.files().writeSmall(file, "x")).error().code, u"redirected"_s);
    const auto stream = envd.filesystem().watch(file, false);
    std::optional<StreamEnd> end;
    connect(stream.get(), &api::WatchStream::ended, this, [&](const StreamEnd &e) { end = e; });
    QTRY_VERIFY(end);
    QCOMPARE(end->error.code, u"redirected"_s);
    for (const RecordedRequest &request : server.requests())
        QVERIFY2(!request.path().startsWith("/elsewhere"), request.target);
}

void TestNetRedirects::controlPlaneFollowsASlash()
{
    // Frameworks that want a slash at the end, or none.
    FaultServer server([](const RecordedRequest &request, int) {
        if (!request.path().endsWith('/'))
            return redirect(307, request.path() + "/?" + request.query());
        return request.method == "GET" ? Script::answer(200, "[]") : Script::answer(201, R"({"sandboxID":"i1"})");
    });
    HttpTransport transport(TransportOptions{.proxies = {}});
    api::ControlPlaneClient control(transport, {.apiUrl = server.url(), .apiKey = Secret("k")});
    QVERIFY(outcome(control.listAllSandboxes()).has_value());
    QVERIFY(outcome(control.create({})).has_value());
    QCOMPARE(server.requestCount(), 4);
    QVERIFY(server.requests().last().body.contains("templateID"));
}

void TestNetRedirects::createThatWasSeenElsewhereIsUnknown()
{
    FaultServer server(redirect(303, "/sandboxes/i1"));
    HttpTransport transport(TransportOptions{.proxies = {}});
    api::ControlPlaneClient control(transport, {.apiUrl = server.url(), .apiKey = Secret("k")});
    const auto created = outcome(control.create({}));
    QVERIFY(!created);
    QCOMPARE(created.error().delivery, Delivery::Unknown); // so it is looked for in the list
    QCOMPARE(server.requestCount(), 1);
}

QTEST_GUILESS_MAIN(TestNetRedirects)
#include "tst_net_redirects.moc"
