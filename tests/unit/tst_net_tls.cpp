// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/http_transport.h"
#include "tests/support/secure_server.h"
#include "tests/support/waiting.h"

#include <QFile>
#include <QSslConfiguration>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::net;
using namespace boxdeck::test;
using namespace Qt::StringLiterals;

namespace {

QByteArray contentOf(const QString &name)
{
    QFile file(QFINDTESTDATA(u"data/"_s + name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

TransportOptions trusting()
{
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.addCaCertificate(QSslCertificate(contentOf(u"tls_certificate.pem"_s)));
    return {.proxies = {}, .tls = configuration};
}

HttpRequest viaGateway(const SecureServer &server, const QString &host, Lane lane)
{
    return {.method = "GET",
            .url = QUrl(u"https://%1/files"_s.arg(host)),
            .mayRepeat = true,
            .lane = lane,
            .gateway = Gateway{.host = u"127.0.0.1"_s, .port = server.port(), .tls = true}};
}

} // namespace

class TestNetTls : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void gatewayKeepsTheSandboxesName_data() { lanes(); }
    void gatewayKeepsTheSandboxesName();
    void wrongNameIsRefused_data() { lanes(); }
    void wrongNameIsRefused();
    void unknownAuthorityIsRefused_data() { lanes(); }
    void unknownAuthorityIsRefused();
    void largeBodiesPassBothWays_data() { lanes(); }
    void largeBodiesPassBothWays();
    void cutAnswerFails_data() { lanes(); }
    void cutAnswerFails();
    void onlyHttp11IsSpoken_data() { lanes(); }
    void onlyHttp11IsSpoken();
    void redirectIntoTheClearIsRefused_data() { lanes(); }
    void redirectIntoTheClearIsRefused();

private:
    static void lanes()
    {
        QTest::addColumn<Lane>("lane");
        QTest::newRow("control") << Lane::Control;
        QTest::newRow("bulk") << Lane::Bulk;
        QTest::newRow("stream") << Lane::Stream;
    }
};

void TestNetTls::gatewayKeepsTheSandboxesName()
{
    QFETCH(Lane, lane);
    SecureServer server(contentOf(u"tls_certificate.pem"_s), contentOf(u"tls_key.pem"_s));
    HttpTransport transport(trusting());
    const auto response = outcome(transport.send(viaGateway(server, u"49983-i7m2.cube.test"_s, lane)));
    QVERIFY2(response.has_value(), response ? "" : qPrintable(response.error().message));
    QCOMPARE(response->body, "hello"_ba);
    QVERIFY2(server.requests.first().contains("\r\nHost: 49983-i7m2.cube.test\r\n"), server.requests.first());
}

void TestNetTls::wrongNameIsRefused()
{
    QFETCH(Lane, lane);
    SecureServer server(contentOf(u"tls_certificate.pem"_s), contentOf(u"tls_key.pem"_s));
    HttpTransport transport(trusting());
    const auto response = outcome(transport.send(viaGateway(server, u"49983-other.cube.test"_s, lane)));
    QVERIFY(!response);
    QCOMPARE(response.error().code, u"tls"_s);
    QCOMPARE(response.error().delivery, Delivery::NotSent);
    QVERIFY(server.requests.isEmpty());
}

void TestNetTls::unknownAuthorityIsRefused()
{
    QFETCH(Lane, lane);
    SecureServer server(contentOf(u"tls_certificate.pem"_s), contentOf(u"tls_key.pem"_s));
    HttpTransport transport(TransportOptions{.proxies = {}});
    const auto response = outcome(transport.send(viaGateway(server, u"49983-i7m2.cube.test"_s, lane)));
    QVERIFY(!response);
    QCOMPARE(response.error().code, u"tls"_s);
    QVERIFY(server.requests.isEmpty());
}

void TestNetTls::largeBodiesPassBothWays()
{
    QFETCH(Lane, lane);
    SecureServer server(contentOf(u"tls_certificate.pem"_s), contentOf(u"tls_key.pem"_s));
    for (int i = 0; i < 3'000'000; ++i)
        server.body.append(static_cast<char>(i * 7 >> 2));
    HttpTransport transport(trusting());
    HttpRequest request = viaGateway(server, u"49983-i7m2.cube.test"_s, lane);
    request.readBuffer = 100'000;
    request.method = "POST";
    request.body = server.body;
    const auto response = outcome(transport.send(request));
    QVERIFY2(response.has_value(), response ? "" : qPrintable(response.error().message));
    QVERIFY(response->body == server.body);
    QVERIFY(server.requests.first().endsWith(server.body));
}

void TestNetTls::cutAnswerFails()
{
    QFETCH(Lane, lane);
    SecureServer server(contentOf(u"tls_certificate.pem"_s), contentOf(u"tls_key.pem"_s));
    server.body = QByteArray(2'000'000, 'x');
    server.cut = true;
    HttpTransport transport(trusting());
    HttpRequest request = viaGateway(server, u"49983-i7m2.cube.test"_s, lane);
    request.mayRepeat = false;
    const auto response = outcome(transport.send(request));
    QVERIFY(!response);
    QCOMPARE(response.error().code, u"closed"_s);
}

/// HTTP/2 loses requests when a server shuts its connection down, in the library below us: so none is ever agreed on.
void TestNetTls::onlyHttp11IsSpoken()
{
    QFETCH(Lane, lane);
    SecureServer server(contentOf(u"tls_certificate.pem"_s), contentOf(u"tls_key.pem"_s));
    HttpTransport transport(trusting());
    QVERIFY(outcome(transport.send(viaGateway(server, u"49983-i7m2.cube.test"_s, lane))).has_value());
    QCOMPARE(server.protocols.size(), 1);
    QVERIFY2(server.protocols.first().isEmpty() || server.protocols.first() == "http/1.1", server.protocols.first());
    QVERIFY2(server.requests.first().contains(" HTTP/1.1\r\n"), server.requests.first());
}

void TestNetTls::redirectIntoTheClearIsRefused()
{
    QFETCH(Lane, lane);
    SecureServer server(contentOf(u"tls_certificate.pem"_s), contentOf(u"tls_key.pem"_s));
    HttpTransport transport(trusting());
    HttpRequest request = viaGateway(server, u"49983-i7m2.cube.test"_s, lane);
    request.followRedirects = true;
    request.headers = {{"X-API-Key", "k"}};
    // The same host without TLS, by name and with the port of the secure one, is another origin.
    for (const QByteArray &location : {"http://49983-i7m2.cube.test/files"_ba, "http://49983-i7m2.cube.test:443/"_ba}) {
        server.location = location;
        server.requests.clear();
        const auto response = outcome(transport.send(request));
        QVERIFY(!response);
        QCOMPARE(response.error().code, u"redirected"_s);
        QCOMPARE(server.requests.size(), 1);
    }
    server.requests.clear();
    server.location = "https://49983-i7m2.cube.test:443/files"; // its own port written out
    const auto loop = outcome(transport.send(request));
    QCOMPARE(loop.error().code, u"redirected"_s);
    QCOMPARE(server.requests.size(), 6);
}

QTEST_GUILESS_MAIN(TestNetTls)
#include "tst_net_tls.moc"
