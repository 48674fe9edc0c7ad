// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/poller.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <chrono>

using namespace boxdeck;
using namespace boxdeck::session;
using namespace std::chrono_literals;

namespace {

Error unreachable()
{
    return Error{.kind = ErrorKind::Unavailable, .delivery = Delivery::NotSent};
}

Error answered(ErrorKind kind)
{
    return Error{.kind = kind, .delivery = Delivery::Answered};
}

} // namespace

class TestSessionPoller : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void hasOneQuestionInFlight();
    void asksAgainAfterThePause();
    void backsOffAfterFailures();
    void seesAServerThatComesBackSoon();
    void obeysRetryAfterEvenWhenHurried();
    void isSlowWhileHiddenAndQuickOnReturn();
    void pausesAreNotAllAlike();
    void stopsForGood();
    void diesWithAQuestionInFlight();

private:
    std::unique_ptr<Poller> make(const Poller::Pace &pace);
    /// Answers the question in flight.
    void answer(Result<void> result) { m_asked.back().settle(std::move(result)); }
    /// Milliseconds from the answer to the next question.
    qint64 pauseAfter(Result<void> result);

    QList<Promise<void>> m_asked;
};

void TestSessionPoller::init()
{
    m_asked.clear();
}

std::unique_ptr<Poller> TestSessionPoller::make(const Poller::Pace &pace)
{
    auto poller = std::make_unique<Poller>(
        [this] {
            m_asked.append(Promise<void>());
            return m_asked.back().call();
        },
        pace);
    poller->start();
    return poller;
}

qint64 TestSessionPoller::pauseAfter(Result<void> result)
{
    const auto count = m_asked.size();
    QElapsedTimer timer;
    timer.start();
    answer(std::move(result));
    return QTest::qWaitFor([&] { return m_asked.size() > count; }, 4000) ? timer.elapsed() : -1;
}

void TestSessionPoller::hasOneQuestionInFlight()
{
    const auto poller = make({.visible = 1ms});
    QCOMPARE(m_asked.size(), 1);
    for (int i = 0; i < 5; ++i)
        poller->pollNow();
    QVERIFY(poller->inFlight());
    QCOMPARE(m_asked.size(), 1);
    answer({});
    QTRY_COMPARE(m_asked.size(), 2); // the hurry is answered by one more, not by five
    QVERIFY(poller->inFlight());
    QCOMPARE(m_asked.size(), 2);
}

void TestSessionPoller::asksAgainAfterThePause()
{
    const auto poller = make({.visible = 80ms, .jitter = 0});
    QSignalSpy flight(poller.get(), &Poller::inFlightChanged);
    QVERIFY(pauseAfter({}) >= 75);
    QCOMPARE(flight.count(), 2);
}

void TestSessionPoller::backsOffAfterFailures()
{
    const auto poller = make({.visible = 1ms, .firstBackoff = 100ms, .maxBackoff = 800ms, .jitter = 0});
    QList<qint64> pauses;
    for (int i = 0; i < 5; ++i)
        pauses.append(pauseAfter(Failure(answered(ErrorKind::Internal))));
    const QList<qint64> least{100, 200, 400, 800, 800};
    for (int i = 0; i < least.size(); ++i) // Qt's coarse timers may be 5 % early
        QVERIFY2(pauses.at(i) >= least.at(i) * 9 / 10,
                 qPrintable(QStringLiteral("%1: %2 ms").arg(i).arg(pauses.at(i))));
    // A loaded machine may be late, but not by as much as the back-off would be.
    QVERIFY2(pauses.last() < 1600, "the back-off has a limit");
    const qint64 afterSuccess = pauseAfter({});
    QVERIFY2(afterSuccess >= 0 && afterSuccess < 700, "a success ends the back-off");
    const qint64 first = pauseAfter(Failure(answered(ErrorKind::Internal)));
    QVERIFY2(first >= 90 && first < 700, "which then begins anew");
}

void TestSessionPoller::seesAServerThatComesBackSoon()
{
    const auto poller =
        make({.visible = 1ms, .firstBackoff = 40ms, .maxBackoff = 60s, .maxUnreachable = 50ms, .jitter = 0});
    for (int i = 0; i < 8; ++i) {
        const qint64 pause = pauseAfter(Failure(unreachable()));
        QVERIFY2(pause >= 35 && pause < 2000, "an unreachable server is tried again after a short while, always");
    }
}

void TestSessionPoller::obeysRetryAfterEvenWhenHurried()
{
    const auto poller = make({.visible = 1ms, .firstBackoff = 1ms, .jitter = 0});
    Error limited = answered(ErrorKind::Capacity);
    limited.retryAfter = std::chrono::seconds(1);
    QElapsedTimer timer;
    timer.start();
    answer(Failure(limited));
    QTRY_VERIFY(!poller->inFlight());
    poller->pollNow();
    QTRY_COMPARE(m_asked.size(), 2);
    QVERIFY2(timer.elapsed() >= 950, qPrintable(QString::number(timer.elapsed())));
}

void TestSessionPoller::isSlowWhileHiddenAndQuickOnReturn()
{
    const auto poller = make({.visible = 1ms, .hidden = 60s});
    poller->setVisible(false);
    answer({});
    QTRY_VERIFY(!poller->inFlight());
    QVERIFY2(!QTest::qWaitFor([&] { return m_asked.size() > 1; }, 150), "nobody looks");
    poller->setVisible(true);
    QTRY_COMPARE(m_asked.size(), 2);
}

void TestSessionPoller::pausesAreNotAllAlike()
{
    const auto poller = make({.visible = 60ms, .jitter = 0.9});
    QSet<qint64> pauses;
    for (int i = 0; i < 8; ++i) {
        const qint64 pause = pauseAfter({});
        QVERIFY(pause >= 0);
        pauses.insert(pause / 5);
    }
    QVERIFY(pauses.size() > 1);
}

void TestSessionPoller::stopsForGood()
{
    const auto poller = make({.visible = 1ms});
    bool aborted = false;
    m_asked.back().onAbort([&] { aborted = true; });
    poller->stop();
    QVERIFY(aborted);
    QVERIFY(!poller->inFlight());
    poller->pollNow();
    QVERIFY(!QTest::qWaitFor([&] { return m_asked.size() > 1; }, 50));
    poller->start();
    QCOMPARE(m_asked.size(), 2);
}

void TestSessionPoller::diesWithAQuestionInFlight()
{
    auto poller = make({.visible = 1ms});
    bool aborted = false;
    m_asked.back().onAbort([&] { aborted = true; });
    poller.reset();
    QVERIFY(aborted);
    answer({});
}

QTEST_GUILESS_MAIN(TestSessionPoller)
#include "tst_session_poller.moc"
