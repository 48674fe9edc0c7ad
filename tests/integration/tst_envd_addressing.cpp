// SPDX-License-Identifier: GPL-3.0-or-later
// The ways to one real sandbox: told by headers at one address, or by its name through a gateway. Every kind of
// exchange goes each way: short calls, streams, uploads and downloads.
#include "backend/api/command_run.h"
#include "tests/support/real_host.h"
#include "tests/support/remote_paths.h"
#include "tests/support/waiting.h"

#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::net;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace Qt::StringLiterals;

class TestEnvdAddressing : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void everyWayLeadsThere_data();
    void everyWayLeadsThere();
    void anotherNameLeadsNowhere();

private:
    RealHost m_host;
    SandboxAccess m_access;
};

void TestEnvdAddressing::initTestCase()
{
    QVERIFY2(m_host.isUp(), qPrintable(m_host.failure()));
    const auto access = outcome(m_host.control().create({}), std::chrono::seconds(60));
    QVERIFY(access.has_value());
    m_access = *access;
}

void TestEnvdAddressing::everyWayLeadsThere_data()
{
    const QUrl address = *m_host.process().endpoint().sandboxUrl;
    const Gateway gateway{.host = address.host(), .port = static_cast<quint16>(address.port()), .tls = false};
    QTest::addColumn<Endpoint>("endpoint");
    QTest::addColumn<QString>("host"); // what the sandbox is called on this way; empty: it has no name
    QTest::newRow("headers") << Endpoint{.sandboxUrl = address} << QString();
    QTest::newRow("name, plain gateway for https names") << Endpoint{.domain = u"boxes.test"_s, .gateway = gateway}
                                                         << u"49983-"_s + m_access.id.value + u".boxes.test"_s;
    QTest::newRow("name with a port, plain gateway")
        << Endpoint{.domain = u"boxes.test:8443"_s, .envdScheme = u"http"_s, .gateway = gateway}
        << u"49983-"_s + m_access.id.value + u".boxes.test"_s;
    QTest::newRow("gateway wins over one address for all")
        << Endpoint{.sandboxUrl = QUrl(u"http://192.0.2.1:1/"_s), .domain = u"boxes.test"_s, .gateway = gateway}
        << u"49983-"_s + m_access.id.value + u".boxes.test"_s;
}

void TestEnvdAddressing::everyWayLeadsThere()
{
    QFETCH(Endpoint, endpoint);
    QFETCH(QString, host);
    HttpTransport transport;
    Envd envd(transport, targetOf(endpoint, m_access));
    if (!host.isEmpty())
        QCOMPARE(envd.target().base.host(), host);
    QVERIFY(outcome(envd.health()).has_value());
    const auto ran = outcome(runCommand(envd.processes(), {.line = u"cat; echo $E2B_SANDBOX_ID"_s, .input = "in "_ba}));
    QVERIFY2(ran.has_value(), ran ? "" : qPrintable(ran.error().message));
    QCOMPARE(ran->out, "in " + m_access.id.value.toUtf8() + '\n');

    const QByteArray content(1'000'000, 'x');
    QVERIFY(outcome(envd.files().writeSmall(path("/tmp/way"), content)).has_value());
    QVERIFY(outcome(envd.files().readSmall(path("/tmp/way"), 2'000'000)).value() == content);
    const auto watch = envd.filesystem().watch(path("/tmp"), false);
    bool started = false;
    bool told = false;
    connect(watch.get(), &WatchStream::event, this, [&](const WatchEvent &event) {
        started = started || event.kind == WatchEvent::Kind::Started;
        told = told || event.name == "way";
    });
    QTRY_VERIFY_WITH_TIMEOUT(started, 20'000);
    QVERIFY(outcome(envd.filesystem().remove(path("/tmp/way"))).has_value());
    QTRY_VERIFY_WITH_TIMEOUT(told, 20'000);
}

void TestEnvdAddressing::anotherNameLeadsNowhere()
{
    const QUrl address = *m_host.process().endpoint().sandboxUrl;
    const Gateway gateway{.host = address.host(), .port = static_cast<quint16>(address.port()), .tls = false};
    SandboxAccess other = m_access;
    other.id = {u"i000000000000000000zz"_s};
    HttpTransport transport;
    Envd envd(transport, targetOf({.domain = u"boxes.test"_s, .gateway = gateway}, other));
    QCOMPARE(outcome(envd.pulse()).value(), Pulse::Gone);
    QCOMPARE(outcome(envd.filesystem().list(path("/"))).error().code, u"http_bad_gateway"_s);
}

QTEST_GUILESS_MAIN(TestEnvdAddressing)
#include "tst_envd_addressing.moc"
