// SPDX-License-Identifier: GPL-3.0-or-later
// When a server is asked what it can do, and what is remembered of it.
#include "backend/session/capability_store.h"
#include "tests/support/fake_clock.h"

#include <QSignalSpy>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::session;
using api::Capabilities;
using api::Feature;
using api::Support;
using api::Why;

namespace {

Capabilities found(const QString &address, const QString &fingerprint, const QDateTime &at)
{
    Capabilities result;
    result.address = address;
    result.fingerprint = fingerprint;
    result.probedAt = at;
    result.set(Feature::Volumes, {.support = Support::No, .why = Why::Gated, .httpStatus = 403});
    return result;
}

} // namespace

class TestSessionCapabilities : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void asksAServerItDoesNotKnow();
    void remembersForAWeek();
    void asksAgainWhenAnotherServerAnswers();
    void forgetsAServerOfAnotherAddress();
    void asksAgainOnDemand();
    void learnsMeanwhile();
    void aMissingCallIsTakenAway();

private:
    std::unique_ptr<CapabilityStore> store();

    test::FakeClock m_clock;
    QString m_address;
    QString m_fingerprint;
    int m_probes = 0;
    int m_looks = 0;
    std::optional<Promise<Capabilities>> m_held;
    bool m_hold = false;
};

void TestSessionCapabilities::init()
{
    m_address = QStringLiteral("https://a.example");
    m_fingerprint = QStringLiteral("nginx|200");
    m_probes = 0;
    m_looks = 0;
    m_hold = false;
    m_held.reset();
}

std::unique_ptr<CapabilityStore> TestSessionCapabilities::store()
{
    return std::make_unique<CapabilityStore>(
        CapabilityStore::Source{.probe =
                                    [this](const Capabilities &) {
                                        ++m_probes;
                                        if (m_hold) {
                                            m_held.emplace();
                                            return m_held->call();
                                        }
                                        return Call<Capabilities>::settled(
                                            found(m_address, m_fingerprint, m_clock.now()));
                                    },
                                .fingerprint =
                                    [this] {
                                        ++m_looks;
                                        return Call<QString>::settled(m_fingerprint);
                                    },
                                .address = [this] { return m_address; }},
        m_clock);
}

void TestSessionCapabilities::asksAServerItDoesNotKnow()
{
    const auto known = store();
    QSignalSpy changed(known.get(), &CapabilityStore::changed);
    QSignalSpy checking(known.get(), &CapabilityStore::checkingChanged);
    QVERIFY(!known->lacks(Feature::Volumes)); // what is not known is offered
    known->checkIfNeeded();
    QVERIFY(known->checking());
    QTRY_COMPARE(changed.count(), 1);
    QVERIFY(known->lacks(Feature::Volumes));
    QVERIFY(!known->checking());
    QCOMPARE(checking.count(), 2);
    known->checkIfNeeded(); // asks at once or not at all
    QCOMPARE(m_probes, 1);
    QCOMPARE(m_looks, 0);
}

void TestSessionCapabilities::remembersForAWeek()
{
    for (const int days : {6, 8}) {
        init();
        const auto known = store();
        known->restore(found(m_address, m_fingerprint, m_clock.now().addDays(-days)));
        QVERIFY(known->lacks(Feature::Volumes));
        known->checkIfNeeded();
        QTRY_COMPARE(m_looks, days < 7 ? 1 : 0);
        QTRY_COMPARE(m_probes, days < 7 ? 0 : 1);
    }
}

void TestSessionCapabilities::asksAgainWhenAnotherServerAnswers()
{
    const auto known = store();
    Capabilities old = found(m_address, QStringLiteral("other|200"), m_clock.now());
    old.set(Feature::Fork, {.support = Support::Yes, .why = Why::Answered, .httpStatus = 201});
    known->restore(old);
    known->checkIfNeeded();
    QTRY_COMPARE(m_probes, 1);
    QTRY_COMPARE(known->known().fingerprint, m_fingerprint);
    QCOMPARE(known->find(Feature::Fork).support, Support::Unknown); // that was the other one
}

void TestSessionCapabilities::forgetsAServerOfAnotherAddress()
{
    const auto known = store();
    known->restore(found(QStringLiteral("https://b.example"), m_fingerprint, m_clock.now()));
    QVERIFY(!known->lacks(Feature::Volumes));
    known->checkIfNeeded();
    QTRY_VERIFY(known->lacks(Feature::Volumes));
    m_address = QStringLiteral("https://c.example");
    known->reconnected();
    QVERIFY(!known->lacks(Feature::Volumes));
    known->checkIfNeeded();
    QTRY_COMPARE(m_probes, 2);
}

void TestSessionCapabilities::asksAgainOnDemand()
{
    const auto known = store();
    known->restore(found(m_address, m_fingerprint, m_clock.now()));
    known->check();
    known->check(); // one at a time
    QTRY_VERIFY(!known->checking());
    QCOMPARE(m_probes, 1);
}

void TestSessionCapabilities::learnsMeanwhile()
{
    m_hold = true;
    const auto known = store();
    known->check();
    net::HttpResponse forked{.status = 201, .headers = {}, .body = "[]"};
    known->learn("POST", "/sandboxes/isb1/fork", forked);
    QCOMPARE(known->find(Feature::Fork).support, Support::Yes);
    m_held->settle(found(m_address, m_fingerprint, m_clock.now()));
    QTRY_VERIFY(known->lacks(Feature::Volumes));
    QCOMPARE(known->find(Feature::Fork).support, Support::Yes);
}

void TestSessionCapabilities::aMissingCallIsTakenAway()
{
    const auto known = store();
    QSignalSpy changed(known.get(), &CapabilityStore::changed);
    known->learnMissing(Feature::Metrics, 404);
    known->learnMissing(Feature::Metrics, 404);
    QCOMPARE(changed.count(), 1);
    QVERIFY(known->lacks(Feature::Metrics));
}

QTEST_GUILESS_MAIN(TestSessionCapabilities)
#include "tst_session_capabilities.moc"
