// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/sandbox_target.h"

#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::net;
using namespace boxdeck::protocol;
using namespace Qt::StringLiterals;

class TestApiTarget : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sandboxesAreAddressed_data();
    void sandboxesAreAddressed();
    void answeredDomainWins();
    void gatewayWinsOverOneAddress();
    void portsOfUsersKeepTheirNumber();
    void tokensAreSentOnlyWhenThereAreSome();
    void userIsSentUnlessSwitchedOff();
    void basesAreJoinedWithOneSlash_data();
    void basesAreJoinedWithOneSlash();
};

void TestApiTarget::sandboxesAreAddressed_data()
{
    QTest::addColumn<Endpoint>("endpoint");
    QTest::addColumn<QString>("url");
    const auto row = [](const char *name, const Endpoint &endpoint, const QString &url) {
        QTest::newRow(name) << endpoint << url;
    };
    row("cloud", {}, u"https://49983-i7m2.e2b.app/health"_s);
    row("own domain", {.domain = u" box.example.org. "_s}, u"https://49983-i7m2.box.example.org/health"_s);
    row("host:port with http", {.domain = u"lab.local:8080"_s, .envdScheme = u"http"_s},
        u"http://49983-i7m2.lab.local:8080/health"_s);
    row("an IP has no names below it", {.domain = u"10.0.0.5:3002"_s, .envdScheme = u"http"_s},
        u"http://10.0.0.5:3002/health"_s);
    row("an IPv6 address", {.domain = u"[fd00::1]:3002"_s, .envdScheme = u"http"_s}, u"http://[fd00::1]:3002/health"_s);
    row("localhost", {.domain = u"localhost:3000"_s, .envdScheme = u"http"_s},
        u"http://49983-i7m2.localhost:3000/health"_s);
    row("one address", {.sandboxUrl = QUrl(u"http://127.0.0.1:3002"_s), .domain = u"ignored.example"_s},
        u"http://127.0.0.1:3002/health"_s);
    row("one address with a prefix", {.sandboxUrl = QUrl(u"http://gw/e2b/"_s)}, u"http://gw/e2b/health"_s);
    row("other port", {.domain = u"x.test"_s, .envdPort = 50000}, u"https://50000-i7m2.x.test/health"_s);
    row("blank scheme", {.domain = u"x.test"_s, .envdScheme = u" "_s}, u"https://49983-i7m2.x.test/health"_s);
}

void TestApiTarget::sandboxesAreAddressed()
{
    QFETCH(Endpoint, endpoint);
    QFETCH(QString, url);
    const SandboxTarget target = targetOf(endpoint, SandboxAccess{.id = {u"i7m2"_s}});
    QCOMPARE(target.url("/health").toString(QUrl::FullyEncoded), url);
    // Always, as some ways in look at nothing else.
    QCOMPARE(headerValue(target.headers(), "E2b-Sandbox-Id"), "i7m2"_ba);
    QCOMPARE(headerValue(target.headers(), "E2b-Sandbox-Port"), QByteArray::number(endpoint.envdPort));
}

void TestApiTarget::answeredDomainWins()
{
    const SandboxTarget target =
        targetOf({.domain = u"configured.test"_s}, SandboxAccess{.id = {u"i1"_s}, .domain = u"answered.test"_s});
    QCOMPARE(target.base.host(), u"49983-i1.answered.test"_s);
    SandboxDetail detail;
    detail.id = {u"i1"_s};
    QCOMPARE(targetOf({.domain = u"configured.test"_s}, detail).base.host(), u"49983-i1.configured.test"_s);
}

void TestApiTarget::gatewayWinsOverOneAddress()
{
    const Endpoint endpoint{.sandboxUrl = QUrl(u"http://127.0.0.1:3002"_s),
                            .domain = u"cube.app"_s,
                            .gateway = Gateway{u"127.0.0.1"_s, 80, false}};
    const SandboxTarget target = targetOf(endpoint, SandboxAccess{.id = {u"i1"_s}});
    QCOMPARE(target.base.host(), u"49983-i1.cube.app"_s);
    QVERIFY(target.gateway.has_value());
}

void TestApiTarget::portsOfUsersKeepTheirNumber()
{
    QCOMPARE(portUrl({.domain = u"x.test"_s}, {u"i1"_s}, {}, 8080).toString(), u"https://8080-i1.x.test"_s);
    QCOMPARE(portUrl({}, {u"i1"_s}, u"y.test"_s, 3000).toString(), u"https://3000-i1.y.test"_s);
}

void TestApiTarget::tokensAreSentOnlyWhenThereAreSome()
{
    const SandboxTarget bare = targetOf({}, SandboxAccess{.id = {u"i1"_s}});
    for (const auto &[name, value] : bare.headers()) {
        QVERIFY(name.compare("X-Access-Token", Qt::CaseInsensitive) != 0);
        QVERIFY(name.compare("e2b-traffic-access-token", Qt::CaseInsensitive) != 0);
    }
    const SandboxTarget secure = targetOf(
        {}, SandboxAccess{.id = {u"i1"_s}, .envdAccessToken = Secret("4b1d"), .trafficAccessToken = Secret("9e8d")});
    QCOMPARE(headerValue(secure.headers(), "X-Access-Token"), "4b1d"_ba);
    QCOMPARE(headerValue(secure.headers(), "e2b-traffic-access-token"), "9e8d"_ba);
    // After a restart: the envd token comes again with the detail, the traffic token must have been kept.
    SandboxDetail detail;
    detail.envdAccessToken = Secret("4b1d");
    QCOMPARE(headerValue(targetOf({}, detail, Secret("9e8d")).headers(), "e2b-traffic-access-token"), "9e8d"_ba);
}

void TestApiTarget::userIsSentUnlessSwitchedOff()
{
    QCOMPARE(headerValue(targetOf({}, SandboxAccess{}).headers(), "Authorization"), "Basic dXNlcjo="_ba);
    QCOMPARE(headerValue(targetOf({.user = u"root"_s}, SandboxAccess{}).headers(), "Authorization"),
             "Basic " + "root:"_ba.toBase64());
    QVERIFY(headerValue(targetOf({.user = u" "_s}, SandboxAccess{}).headers(), "Authorization").isEmpty());
}

void TestApiTarget::basesAreJoinedWithOneSlash_data()
{
    QTest::addColumn<QString>("base");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QString>("joined");
    QTest::newRow("bare") << u"https://api.e2b.app"_s << "/v2/sandboxes"_ba << u"https://api.e2b.app/v2/sandboxes"_s;
    QTest::newRow("slash") << u"https://api.e2b.app/"_s << "/v2/sandboxes"_ba << u"https://api.e2b.app/v2/sandboxes"_s;
    QTest::newRow("prefix") << u"http://h:18080/e2b/v1"_s << "/sandboxes"_ba << u"http://h:18080/e2b/v1/sandboxes"_s;
    QTest::newRow("prefix, slash") << u"http://h/e2b/v1//"_s << "/sandboxes"_ba << u"http://h/e2b/v1/sandboxes"_s;
    QTest::newRow("encoded stays") << u"http://h"_s << "/sandboxes/a%2Fb%253A"_ba << u"http://h/sandboxes/a%2Fb%253A"_s;
}

void TestApiTarget::basesAreJoinedWithOneSlash()
{
    QFETCH(QString, base);
    QFETCH(QByteArray, path);
    QFETCH(QString, joined);
    QCOMPARE(joinUrl(QUrl(base), path).toString(QUrl::FullyEncoded), joined);
}

QTEST_GUILESS_MAIN(TestApiTarget)
#include "tst_api_target.moc"
