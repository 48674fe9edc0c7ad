// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/http_transport.h"
#include "tests/support/fault_server.h"
#include "tests/support/waiting.h"

#include <QTest>

using namespace boxdeck;
using namespace boxdeck::net;
using namespace boxdeck::test;
using namespace Qt::StringLiterals;

namespace {

QProcessEnvironment environment(const QMap<QString, QString> &variables)
{
    QProcessEnvironment result;
    for (auto it = variables.begin(); it != variables.end(); ++it)
        result.insert(it.key(), it.value());
    return result;
}

} // namespace

class TestNetProxy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void proxyOfEnvironment_data();
    void proxyOfEnvironment();
    void loopbackIsKnown_data();
    void loopbackIsKnown();
    void loopbackBypassesAClosedProxy();
    void remoteTrafficUsesTheProxy();
    void secureTrafficTunnelsAndShowsTheProxyNothing();
    void gatewayIsReachedDirectlyAndKeepsTheHost();
    void gatewayIsParsed_data();
    void gatewayIsParsed();
};

void TestNetProxy::proxyOfEnvironment_data()
{
    QTest::addColumn<QString>("noProxy");
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("proxy"); // host:port, empty = direct
    const QString plain = u"http.proxy:3128"_s;
    const QString secure = u"https.proxy:8080"_s;
    QTest::newRow("http") << QString() << u"http://api.example.org/"_s << plain;
    QTest::newRow("https") << QString() << u"https://api.example.org/"_s << secure;
    QTest::newRow("localhost") << QString() << u"http://localhost:3000/"_s << QString();
    QTest::newRow("below localhost") << QString() << u"http://49983-i1.localhost/"_s << QString();
    QTest::newRow("127.0.0.1") << QString() << u"http://127.0.0.1:3000/"_s << QString();
    QTest::newRow("::1") << QString() << u"http://[::1]:3000/"_s << QString();
    QTest::newRow("exempt host") << u"example.org"_s << u"http://example.org/"_s << QString();
    QTest::newRow("below an exempt host") << u".example.org, other"_s << u"http://api.example.org/"_s << QString();
    QTest::newRow("star") << u"*.example.org"_s << u"http://api.example.org/"_s << QString();
    QTest::newRow("not the same end") << u"ample.org"_s << u"http://api.example.org/"_s << plain;
    QTest::newRow("everything") << u"*"_s << u"https://api.example.org/"_s << QString();
    QTest::newRow("exempt net") << u"10.0.0.0/8"_s << u"http://10.1.2.3/"_s << QString();
    QTest::newRow("other net") << u"10.0.0.0/8"_s << u"http://192.168.1.1/"_s << plain;
    QTest::newRow("exempt port") << u"example.org:8443"_s << u"https://example.org:8443/"_s << QString();
    QTest::newRow("other port") << u"example.org:8443"_s << u"https://example.org/"_s << secure;
}

void TestNetProxy::proxyOfEnvironment()
{
    QFETCH(QString, noProxy);
    QFETCH(QString, url);
    QFETCH(QString, proxy);
    const ProxyEnvironment proxies(environment({{u"http_proxy"_s, u"http://http.proxy:3128"_s},
                                                {u"HTTPS_PROXY"_s, u"https.proxy:8080"_s},
                                                {u"no_proxy"_s, noProxy}}));
    const QNetworkProxy found = proxies.proxyFor(QUrl(url));
    if (proxy.isEmpty()) {
        QCOMPARE(found.type(), QNetworkProxy::NoProxy);
    } else {
        QCOMPARE(found.type(), QNetworkProxy::HttpProxy);
        QCOMPARE(u"%1:%2"_s.arg(found.hostName()).arg(found.port()), proxy);
    }
}

void TestNetProxy::loopbackIsKnown_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<bool>("loopback");
    for (const char *host : {"localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"})
        QTest::newRow(host) << QString::fromLatin1(host) << true;
    for (const char *host : {"localhost.example.org", "notlocalhost", "128.0.0.1", "::2", "0.0.0.0", ""})
        QTest::newRow(*host ? host : "empty") << QString::fromLatin1(host) << false;
}

void TestNetProxy::loopbackIsKnown()
{
    QFETCH(QString, host);
    QFETCH(bool, loopback);
    QCOMPARE(isLoopback(host), loopback);
}

void TestNetProxy::loopbackBypassesAClosedProxy()
{
    FaultServer server(Script::answer(200, "{}"));
    const QString closed = u"http://127.0.0.1:1"_s;
    HttpTransport transport({.proxies = ProxyEnvironment(environment(
                                 {{u"http_proxy"_s, closed}, {u"https_proxy"_s, closed}, {u"all_proxy"_s, closed}}))});
    for (Lane lane : {Lane::Control, Lane::Bulk, Lane::Stream}) {
        const auto response = outcome(transport.send({.method = "GET", .url = server.url(), .lane = lane}));
        QVERIFY2(response.has_value(), response ? "" : qPrintable(response.error().message));
    }
}

void TestNetProxy::remoteTrafficUsesTheProxy()
{
    FaultServer proxy(Script::answer(200, "{}"));
    HttpTransport transport({.proxies = ProxyEnvironment(environment(
                                 {{u"http_proxy"_s, u"http://me:pass@127.0.0.1:%1"_s.arg(proxy.port())}}))});
    HttpTransport closed({.proxies = ProxyEnvironment(environment({{u"http_proxy"_s, u"http://127.0.0.1:1"_s}}))});
    for (Lane lane : {Lane::Control, Lane::Bulk, Lane::Stream}) {
        const HttpRequest request{
            .method = "GET", .url = QUrl(u"http://api.invalid/v2/sandboxes?a=%2B"_s), .lane = lane};
        const auto response = outcome(transport.send(request));
        QVERIFY2(response.has_value(), response ? "" : qPrintable(response.error().message));
        QCOMPARE(proxy.requests().last().target, "http://api.invalid/v2/sandboxes?a=%2B"_ba);
        QCOMPARE(proxy.requests().last().header("Host"), "api.invalid"_ba);
        if (lane != Lane::Control)
            QCOMPARE(proxy.requests().last().header("Proxy-Authorization"), "Basic " + "me:pass"_ba.toBase64());

        const auto failed = outcome(closed.send(request));
        QVERIFY(!failed);
        QCOMPARE(failed.error().code, u"proxy"_s);
        QCOMPARE(failed.error().delivery, Delivery::NotSent);
    }
}

void TestNetProxy::secureTrafficTunnelsAndShowsTheProxyNothing()
{
    FaultServer proxy(Script::answer(403, "not allowed"));
    HttpTransport transport(
        {.proxies = ProxyEnvironment(environment({{u"https_proxy"_s, u"http://127.0.0.1:%1"_s.arg(proxy.port())}}))});
    for (Lane lane : {Lane::Control, Lane::Bulk, Lane::Stream}) {
        HttpRequest request{.method = "GET", .url = QUrl(u"https://api.invalid/v2/sandboxes"_s), .lane = lane};
        request.headers = {{"X-API-Key", "e2b_0011"}, {"X-Access-Token", "4b1d"}};
        const auto failed = outcome(transport.send(request));
        QVERIFY(!failed);
        QCOMPARE(failed.error().kind, ErrorKind::Unavailable);
        QCOMPARE(failed.error().delivery, Delivery::NotSent);
        const RecordedRequest seen = proxy.requests().last();
        QCOMPARE(seen.method, "CONNECT"_ba);
        QCOMPARE(seen.target, "api.invalid:443"_ba);
        QVERIFY(seen.header("X-API-Key").isEmpty() && seen.header("X-Access-Token").isEmpty());
    }
}

void TestNetProxy::gatewayIsReachedDirectlyAndKeepsTheHost()
{
    FaultServer gateway(Script::answer(200, "{}"));
    const QString closed = u"http://127.0.0.1:1"_s;
    HttpTransport transport(
        {.proxies = ProxyEnvironment(environment({{u"http_proxy"_s, closed}, {u"https_proxy"_s, closed}}))});
    for (Lane lane : {Lane::Control, Lane::Bulk, Lane::Stream}) {
        HttpRequest request{.method = "GET",
                            .url = QUrl(u"https://49983-i7m2.cube.invalid/files?path=%2Fa"_s),
                            .lane = lane,
                            .gateway = Gateway{.host = u"127.0.0.1"_s, .port = gateway.port(), .tls = false}};
        const auto response = outcome(transport.send(request));
        QVERIFY2(response.has_value(), response ? "" : qPrintable(response.error().message));
        QCOMPARE(gateway.requests().last().header("Host"), "49983-i7m2.cube.invalid"_ba);
        QCOMPARE(gateway.requests().last().target, "/files?path=%2Fa"_ba);
    }
}

void TestNetProxy::gatewayIsParsed_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<std::optional<Gateway>>("expected");
    using G = std::optional<Gateway>;
    QTest::newRow("https") << u"https://gw.example"_s << G(Gateway{u"gw.example"_s, 443, true});
    QTest::newRow("https with port") << u"https://gw.example:8443/"_s << G(Gateway{u"gw.example"_s, 8443, true});
    QTest::newRow("http") << u"http://10.0.0.5"_s << G(Gateway{u"10.0.0.5"_s, 80, false});
    QTest::newRow("no scheme") << u" gw:8080 "_s << G(Gateway{u"gw"_s, 8080, false});
    QTest::newRow("empty") << QString() << G();
    QTest::newRow("other scheme") << u"ftp://gw"_s << G();
    QTest::newRow("no host") << u"https://"_s << G();
}

void TestNetProxy::gatewayIsParsed()
{
    QFETCH(QString, text);
    QFETCH(std::optional<Gateway>, expected);
    QVERIFY(Gateway::parse(text) == expected);
}

QTEST_GUILESS_MAIN(TestNetProxy)
#include "tst_net_proxy.moc"
