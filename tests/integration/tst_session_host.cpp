// SPDX-License-Identifier: GPL-3.0-or-later
// A session's doings on real sandboxes: the host started here by LocalHost, looked at by a second session as well.
#include "backend/session/local_host.h"
#include "backend/session/session.h"
#include "models/sandbox_model.h"
#include "tests/support/outcome.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>

using namespace boxdeck;
using namespace boxdeck::session;
using namespace boxdeck::protocol;
using namespace std::chrono_literals;
using boxdeck::test::Outcome;

namespace {

constexpr int patience = 30'000; // ms; a loaded machine starts a sandbox slowly

} // namespace

class TestSessionHost : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void createsASandboxThatTheListAndTheModelShow();
    void pausesAndResumesWithTheChosenLifetime();
    void extendsALease();
    void aLeaseThatEndsTakesTheRowAway();
    void seesWhatAnotherSessionDoes();
    void tellsAWrongKey();

private:
    std::unique_ptr<Session> makeSession(const Secret &key)
    {
        ConnectionProfile profile = ConnectionProfile::selfHosted(QStringLiteral("host"), m_host->apiUrl());
        profile.sandboxUrl = m_host->sandboxUrl();
        auto session = std::make_unique<Session>(profile, key, m_transport, m_clock);
        session->sandboxes().setPace({.visible = 200ms});
        session->start();
        return session;
    }
    /// The id of a new sandbox; empty if it could not be created.
    SandboxId create(NewSandbox wanted = {})
    {
        Outcome created(m_session->create(wanted));
        (void)QTest::qWaitFor([&] { return created.done(); }, patience);
        if (created.ok())
            return created.value().id;
        qWarning("create: %s", qPrintable(created.error().message));
        return {};
    }
    SandboxState stateOf(const SandboxId &id)
    {
        const auto sandbox = m_session->sandboxes().find(id);
        return sandbox ? sandbox->state : SandboxState::Terminal;
    }
    qint64 secondsLeft(const SandboxId &id)
    {
        const auto sandbox = m_session->sandboxes().find(id);
        return sandbox ? m_session->sandboxes().secondsLeft(*sandbox).value_or(-1) : -1;
    }

    QTemporaryDir m_dir;
    net::HttpTransport m_transport;
    SystemClock m_clock;
    std::unique_ptr<LocalHost> m_host;
    std::unique_ptr<Session> m_session;
};

void TestSessionHost::initTestCase()
{
    m_host = std::make_unique<LocalHost>(LocalHost::Options{.dataDir = m_dir.path()}, m_transport);
    m_host->start();
    QTRY_COMPARE_WITH_TIMEOUT(m_host->state(), LocalHost::State::Ready, patience);
    m_session = makeSession(m_host->apiKey());
    QTRY_VERIFY(m_session->sandboxes().hasLoaded());
    QCOMPARE(m_session->sandboxes().items().size(), 0);
}

void TestSessionHost::cleanupTestCase()
{
    m_session.reset();
    m_host->stop();
    QTRY_COMPARE_WITH_TIMEOUT(m_host->state(), LocalHost::State::Off, patience);
}

void TestSessionHost::createsASandboxThatTheListAndTheModelShow()
{
    models::SandboxModel model(m_session->sandboxes(), &m_session->templates());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    NewSandbox wanted;
    wanted.timeout = 600s;
    wanted.metadata = {{QStringLiteral("name"), QStringLiteral("爬虫 a&b=c%2F+")}};
    const SandboxId id = create(wanted);
    QVERIFY(!id.isEmpty());
    QTRY_VERIFY(model.indexOf(id).isValid());
    const auto cell = [&](models::SandboxModel::Column column) { return model.indexOf(id, column).data().toString(); };
    QTRY_COMPARE(cell(models::SandboxModel::Template), QStringLiteral("base"));
    QCOMPARE(cell(models::SandboxModel::State), QStringLiteral("Running"));
    QCOMPARE(cell(models::SandboxModel::Name), QStringLiteral("爬虫 a&b=c%2F+"));
    QVERIFY(!cell(models::SandboxModel::Metadata).contains(Session::createMark()));
    const qint64 left = secondsLeft(id);
    QVERIFY2(left > 560 && left <= 601, qPrintable(QString::number(left)));

    Outcome envd(m_session->envd(id));
    QTRY_VERIFY(envd.ok());
    Outcome entries(envd.value()->filesystem().list(RemotePath()));
    QTRY_VERIFY2(entries.ok(), qPrintable(entries.error().message));
    QVERIFY(!entries.value().isEmpty());

    Outcome killed(m_session->kill(id));
    QTRY_VERIFY_WITH_TIMEOUT(killed.ok(), patience);
    QVERIFY(!model.indexOf(id).isValid());
    Outcome afterwards(m_session->envd(id));
    QTRY_COMPARE(afterwards.error().kind, ErrorKind::NotFound);
}

void TestSessionHost::pausesAndResumesWithTheChosenLifetime()
{
    const SandboxId id = create({.timeout = 1800s});
    QVERIFY(!id.isEmpty());
    Outcome paused(m_session->pause(id));
    QTRY_VERIFY_WITH_TIMEOUT(paused.ok(), patience);
    QCOMPARE(stateOf(id), SandboxState::Paused);
    Outcome again(m_session->pause(id));
    QTRY_VERIFY_WITH_TIMEOUT(again.ok(), patience); // paused already

    // Looking at it, more than once and for longer than a poll, leaves it paused.
    for (int i = 0; i < 3; ++i) {
        Outcome envd(m_session->envd(id));
        QTRY_COMPARE(envd.code(), QStringLiteral("paused"));
    }
    QSignalSpy updated(&m_session->sandboxes(), &SandboxStore::updated);
    QTRY_VERIFY(updated.count() >= 2);
    QCOMPARE(stateOf(id), SandboxState::Paused);
    Outcome extended(m_session->extend(id, 60s));
    QTRY_COMPARE(extended.code(), QStringLiteral("paused"));

    Outcome resumed(m_session->resume(id, 1800s));
    QTRY_VERIFY_WITH_TIMEOUT(resumed.ok(), patience);
    QTRY_COMPARE(stateOf(id), SandboxState::Running);
    const qint64 left = secondsLeft(id);
    QVERIFY2(left > 1760 && left <= 1801, qPrintable(QString::number(left)));
    Outcome envd(m_session->envd(id));
    QTRY_VERIFY(envd.ok());
    Outcome health(envd.value()->health());
    QTRY_VERIFY_WITH_TIMEOUT(health.ok(), patience);
    QVERIFY(secondsLeft(id) > 1750); // attaching made it no earlier
    Outcome killed(m_session->kill(id));
    QTRY_VERIFY_WITH_TIMEOUT(killed.ok(), patience);
}

void TestSessionHost::extendsALease()
{
    const SandboxId id = create({.timeout = 120s});
    QVERIFY(!id.isEmpty());
    QTRY_VERIFY(secondsLeft(id) > 0);
    const QDateTime end = m_session->sandboxes().find(id)->endAt;
    Outcome extended(m_session->extend(id, 900s));
    QTRY_VERIFY2(extended.ok(), qPrintable(extended.code()));
    const qint64 gained = end.secsTo(extended.value());
    QVERIFY2(gained >= 899 && gained <= 902, qPrintable(QString::number(gained)));
    Outcome killed(m_session->kill(id));
    QTRY_VERIFY_WITH_TIMEOUT(killed.ok(), patience);
}

void TestSessionHost::aLeaseThatEndsTakesTheRowAway()
{
    QSignalSpy removed(&m_session->sandboxes(), &SandboxStore::removed);
    const SandboxId id = create({.timeout = 3s});
    QVERIFY(!id.isEmpty());
    QTRY_VERIFY(m_session->sandboxes().find(id) || removed.count() > 0);
    QTRY_COMPARE_WITH_TIMEOUT(removed.count(), 1, patience);
    QCOMPARE(removed.first().first().value<SandboxId>(), id);
    QVERIFY(!m_session->sandboxes().lastError());
}

void TestSessionHost::seesWhatAnotherSessionDoes()
{
    const auto other = makeSession(m_host->apiKey());
    const SandboxId id = create();
    QVERIFY(!id.isEmpty());
    QTRY_VERIFY(other->sandboxes().find(id));
    Outcome paused(other->pause(id));
    QTRY_VERIFY_WITH_TIMEOUT(paused.ok(), patience);
    QTRY_COMPARE(stateOf(id), SandboxState::Paused);
    QSignalSpy removed(&m_session->sandboxes(), &SandboxStore::removed);
    Outcome killed(other->kill(id));
    QTRY_VERIFY_WITH_TIMEOUT(killed.ok(), patience);
    QTRY_COMPARE(removed.count(), 1);
    QVERIFY(!m_session->sandboxes().lastError());
}

void TestSessionHost::tellsAWrongKey()
{
    const auto other = makeSession(Secret("e2b_0000000000000000000000000000000000000000"));
    QSignalSpy failed(&other->sandboxes(), &SandboxStore::failed);
    QTRY_VERIFY(failed.count() > 0);
    QCOMPARE(other->sandboxes().lastError()->kind, ErrorKind::Authentication);
    QVERIFY(!other->sandboxes().hasLoaded());
}

QTEST_GUILESS_MAIN(TestSessionHost)
#include "tst_session_host.moc"
