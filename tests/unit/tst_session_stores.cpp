// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sandbox_store.h"
#include "backend/session/template_store.h"
#include "tests/support/fake_clock.h"
#include "tests/support/outcome.h"

#include <QSignalSpy>
#include <QTest>

#include <chrono>

using namespace boxdeck;
using namespace boxdeck::session;
using namespace std::chrono_literals;
using namespace boxdeck::protocol;
using boxdeck::test::FakeClock;
using boxdeck::test::Outcome;

namespace {

SandboxId id(const char *text)
{
    return {QString::fromLatin1(text)};
}

SandboxSummary sandbox(const char *name, SandboxState state = SandboxState::Running)
{
    SandboxSummary summary;
    summary.id = id(name);
    summary.state = state;
    return summary;
}

SandboxDetail detailOf(const SandboxSummary &summary)
{
    SandboxDetail detail;
    static_cast<SandboxSummary &>(detail) = summary;
    return detail;
}

Failure failure(ErrorKind kind)
{
    return Failure(Error{.kind = kind, .delivery = Delivery::Answered});
}

QStringList idsOf(const SandboxStore &store)
{
    QStringList ids;
    for (const SandboxSummary &item : store.items())
        ids.append(item.id.value);
    return ids;
}

} // namespace

class TestSessionStores : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void saysWhatChangedById();
    void keepsWhatAListLeavesOutUntilItsDetailSaysGone_data();
    void keepsWhatAListLeavesOutUntilItsDetailSaysGone();
    void asksForMissingSandboxesAFewAtATime();
    void doesNotAskInEachPollForTheSameMissingSandbox_data();
    void doesNotAskInEachPollForTheSameMissingSandbox();
    void dropsAListOlderThanALocalChange();
    void keepsRowsWhenAPollFails();
    void passesOverTwinsAndNamelessEntries();
    void tellsTimeByTheServersClock();
    void takesWhatOneDetailSays();
    void templatesComeChangeAndGo();

private:
    /// Waits for the next list to be asked for, and answers it.
    void answerList(Result<QList<SandboxSummary>> list);
    Result<SandboxDetail> m_detail = failure(ErrorKind::NotFound);

    FakeClock m_clock;
    QList<Promise<QList<SandboxSummary>>> m_lists;
    QStringList m_detailsAsked;
    QList<Promise<SandboxDetail>> m_heldDetails;
    bool m_holdDetails = false;
    std::optional<qint64> m_offset;
    std::unique_ptr<SandboxStore> m_store;
};

void TestSessionStores::init()
{
    m_lists.clear();
    m_detailsAsked.clear();
    m_heldDetails.clear();
    m_holdDetails = false;
    m_offset.reset();
    m_detail = failure(ErrorKind::NotFound);
    m_store =
        std::make_unique<SandboxStore>(SandboxStore::Source{.list =
                                                                [this] {
                                                                    m_lists.append(Promise<QList<SandboxSummary>>());
                                                                    return m_lists.back().call();
                                                                },
                                                            .detail =
                                                                [this](const SandboxId &asked) {
                                                                    m_detailsAsked.append(asked.value);
                                                                    if (m_holdDetails) {
                                                                        m_heldDetails.append(Promise<SandboxDetail>());
                                                                        return m_heldDetails.back().call();
                                                                    }
                                                                    return Call<SandboxDetail>::settled(m_detail);
                                                                },
                                                            .clockOffsetMs = [this] { return m_offset; }},
                                       m_clock);
    m_store->setPace({.visible = 1h});
    m_store->start();
}

void TestSessionStores::answerList(Result<QList<SandboxSummary>> list)
{
    if (!m_store->loading())
        m_store->refresh();
    QTRY_VERIFY(m_store->loading());
    m_lists.back().settle(std::move(list));
    QTRY_VERIFY(!m_store->loading());
}

void TestSessionStores::saysWhatChangedById()
{
    QSignalSpy inserted(m_store.get(), &SandboxStore::inserted);
    QSignalSpy changed(m_store.get(), &SandboxStore::changed);
    QSignalSpy updated(m_store.get(), &SandboxStore::updated);
    QVERIFY(!m_store->hasLoaded());
    answerList(QList{sandbox("a"), sandbox("b")});
    QCOMPARE(inserted.count(), 2);
    QCOMPARE(m_store->asOf(), m_clock.time);
    answerList(QList{sandbox("a"), sandbox("b")});
    QCOMPARE(changed.count(), 0);
    QCOMPARE(updated.count(), 2);
    // The server lists newest first; what was known keeps its place.
    answerList(QList{sandbox("c"), sandbox("b", SandboxState::Paused), sandbox("a")});
    QCOMPARE(inserted.count(), 3);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed.first().first().value<SandboxId>(), id("b"));
    QCOMPARE(idsOf(*m_store), (QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")}));
    QCOMPARE(m_store->find(id("b"))->state, SandboxState::Paused);
    QVERIFY(!m_store->find(id("zz")));
}

void TestSessionStores::keepsWhatAListLeavesOutUntilItsDetailSaysGone_data()
{
    QTest::addColumn<QString>("answer");
    QTest::addColumn<bool>("kept");
    QTest::newRow("404") << QStringLiteral("not_found") << false;
    QTest::newRow("410") << QStringLiteral("terminal") << false;
    QTest::newRow("detail: running") << QStringLiteral("running") << true;
    QTest::newRow("detail: paused") << QStringLiteral("paused") << true;
    QTest::newRow("detail: an unknown word") << QStringLiteral("unknown") << true;
    QTest::newRow("detail: killed") << QStringLiteral("killed") << false;
    QTest::newRow("500") << QStringLiteral("unavailable") << true;
    QTest::newRow("401") << QStringLiteral("authentication") << true;
    QTest::newRow("429") << QStringLiteral("capacity") << true;
    QTest::newRow("nonsense") << QStringLiteral("internal") << true;
}

void TestSessionStores::keepsWhatAListLeavesOutUntilItsDetailSaysGone()
{
    QFETCH(QString, answer);
    QFETCH(bool, kept);
    const QMap<QString, Result<SandboxDetail>> answers{
        {QStringLiteral("not_found"), failure(ErrorKind::NotFound)},
        {QStringLiteral("terminal"), failure(ErrorKind::Terminal)},
        {QStringLiteral("running"), detailOf(sandbox("b"))},
        {QStringLiteral("paused"), detailOf(sandbox("b", SandboxState::Paused))},
        {QStringLiteral("unknown"), detailOf(sandbox("b", SandboxState::Unknown))},
        {QStringLiteral("killed"), detailOf(sandbox("b", SandboxState::Terminal))},
        {QStringLiteral("unavailable"), failure(ErrorKind::Unavailable)},
        {QStringLiteral("authentication"), failure(ErrorKind::Authentication)},
        {QStringLiteral("capacity"), failure(ErrorKind::Capacity)},
        {QStringLiteral("internal"), failure(ErrorKind::Internal)}};
    m_detail = answers.value(answer, failure(ErrorKind::Internal));
    answerList(QList{sandbox("a"), sandbox("b")});
    QSignalSpy removed(m_store.get(), &SandboxStore::removed);
    answerList(QList{sandbox("a")});
    QCOMPARE(m_detailsAsked, QStringList{QStringLiteral("b")});
    if (!kept) {
        QTRY_COMPARE(removed.count(), 1);
        QCOMPARE(removed.first().first().value<SandboxId>(), id("b"));
    }
    answerList(QList{sandbox("a")}); // by now the detail's answer has been taken
    QCOMPARE(m_store->find(id("b")).has_value(), kept);
    QCOMPARE(removed.count(), kept ? 0 : 1);
}

void TestSessionStores::asksForMissingSandboxesAFewAtATime()
{
    QList<SandboxSummary> many;
    for (int i = 0; i < 30; ++i)
        many.append(sandbox(qPrintable(QStringLiteral("s%1").arg(i))));
    answerList(many);
    m_holdDetails = true;
    answerList(QList<SandboxSummary>());
    QCOMPARE(m_detailsAsked.size(), 8);
    QCOMPARE(m_store->items().size(), 30);
    // One by one they are found to be gone, and the next ones are asked for without waiting for another list.
    for (int i = 0; i < 30; ++i) {
        QTRY_VERIFY(!m_heldDetails.isEmpty());
        m_heldDetails.takeFirst().settle(failure(ErrorKind::NotFound));
    }
    QTRY_COMPARE(m_store->items().size(), 0);
    QCOMPARE(m_detailsAsked.size(), 30);
}

void TestSessionStores::doesNotAskInEachPollForTheSameMissingSandbox_data()
{
    QTest::addColumn<bool>("alive");
    QTest::addColumn<int>("seconds");
    QTest::newRow("alive, but never listed") << true << 30;
    QTest::newRow("no answer") << false << 10;
}

void TestSessionStores::doesNotAskInEachPollForTheSameMissingSandbox()
{
    QFETCH(bool, alive);
    QFETCH(int, seconds);
    answerList(QList{sandbox("a", SandboxState::Paused)});
    if (alive)
        m_detail = detailOf(sandbox("a", SandboxState::Paused));
    else
        m_detail = failure(ErrorKind::Unavailable);
    for (int i = 0; i < 4; ++i) {
        answerList(QList<SandboxSummary>());
        m_clock.time = m_clock.time.addSecs(2);
    }
    QCOMPARE(m_detailsAsked.size(), 1);
    m_clock.time = m_clock.time.addSecs(seconds);
    m_detail = failure(ErrorKind::NotFound);
    answerList(QList<SandboxSummary>());
    QTRY_COMPARE(m_store->items().size(), 0);
    QCOMPARE(m_detailsAsked.size(), 2);
}

void TestSessionStores::dropsAListOlderThanALocalChange()
{
    answerList(QList{sandbox("a"), sandbox("b")});
    m_store->refresh();
    QTRY_VERIFY(m_store->loading());
    m_store->forget(id("a"));                           // killed here, while a list is on its way
    m_store->apply(sandbox("b", SandboxState::Paused)); // and paused
    QSignalSpy inserted(m_store.get(), &SandboxStore::inserted);
    QSignalSpy changed(m_store.get(), &SandboxStore::changed);
    const auto asked = m_lists.size();
    m_lists.back().settle(QList{sandbox("a"), sandbox("b")}); // … which knows nothing of it
    QTRY_COMPARE(m_lists.size(), asked + 1);                  // asked again at once
    QCOMPARE(inserted.count(), 0);
    QCOMPARE(changed.count(), 0);
    QCOMPARE(idsOf(*m_store), QStringList{QStringLiteral("b")});
    QCOMPARE(m_store->find(id("b"))->state, SandboxState::Paused);
    answerList(QList{sandbox("b", SandboxState::Paused)});
    QCOMPARE(m_store->items().size(), 1);
}

void TestSessionStores::keepsRowsWhenAPollFails()
{
    answerList(QList{sandbox("a")});
    const QDateTime asOf = m_store->asOf();
    m_clock.time = m_clock.time.addSecs(60);
    QSignalSpy failed(m_store.get(), &SandboxStore::failed);
    answerList(failure(ErrorKind::Unavailable));
    QCOMPARE(failed.count(), 1);
    QCOMPARE(m_store->lastError()->kind, ErrorKind::Unavailable);
    QCOMPARE(m_store->asOf(), asOf);
    QCOMPARE(m_store->items().size(), 1);
    answerList(QList{sandbox("a")});
    QVERIFY(!m_store->lastError());
    QCOMPARE(m_store->asOf(), m_clock.time);
}

void TestSessionStores::passesOverTwinsAndNamelessEntries()
{
    answerList(QList{sandbox("a", SandboxState::Paused), sandbox(""), sandbox("a")});
    QCOMPARE(m_store->items().size(), 1);
    QCOMPARE(m_store->find(id("a"))->state, SandboxState::Paused);
}

void TestSessionStores::tellsTimeByTheServersClock()
{
    SandboxSummary running = sandbox("a");
    running.endAt = m_clock.time.addSecs(300);
    QCOMPARE(m_store->secondsLeft(running), std::optional<qint64>(300));
    m_offset = 120'000; // the server's clock is two minutes ahead
    QCOMPARE(m_store->secondsLeft(running), std::optional<qint64>(180));
    m_offset = 400'000;
    QCOMPARE(m_store->secondsLeft(running), std::optional<qint64>(0));
    running.endAt = QDateTime();
    QVERIFY(!m_store->secondsLeft(running));
    SandboxSummary paused = sandbox("p", SandboxState::Paused);
    paused.endAt = m_clock.time; // when it was paused, not when it ends
    QVERIFY(!m_store->secondsLeft(paused));
}

void TestSessionStores::takesWhatOneDetailSays()
{
    answerList(QList{sandbox("a")});
    m_detail = detailOf(sandbox("a", SandboxState::Paused));
    Outcome paused(m_store->refreshOne(id("a")));
    QTRY_VERIFY(paused.ok());
    QCOMPARE(m_store->find(id("a"))->state, SandboxState::Paused);
    m_detail = failure(ErrorKind::NotFound);
    Outcome gone(m_store->refreshOne(id("a")));
    QTRY_VERIFY(gone.failed());
    QVERIFY(!m_store->find(id("a")));
}

void TestSessionStores::templatesComeChangeAndGo()
{
    QList<Promise<QList<TemplateSummary>>> lists;
    TemplateStore store(
        [&] {
            lists.append(Promise<QList<TemplateSummary>>());
            return lists.back().call();
        },
        m_clock);
    QSignalSpy inserted(&store, &TemplateStore::inserted);
    QSignalSpy changed(&store, &TemplateStore::changed);
    QSignalSpy removed(&store, &TemplateStore::removed);
    const auto answer = [&](const QList<TemplateSummary> &list) {
        if (!store.loading())
            store.refresh();
        QTRY_VERIFY(store.loading());
        lists.back().settle(list);
        QTRY_VERIFY(!store.loading());
    };
    TemplateSummary base;
    base.id = {QStringLiteral("t1")};
    base.names = {QStringLiteral("base")};
    base.buildStatus = BuildStatus::Ready;
    TemplateSummary other;
    other.id = {QStringLiteral("t2")};
    other.buildStatus = BuildStatus::Building;
    store.start();
    answer({base, other});
    QCOMPARE(inserted.count(), 2);
    QCOMPARE(store.findByName(QStringLiteral("base"))->id, base.id);
    other.buildStatus = BuildStatus::Ready;
    answer({base, other});
    QCOMPARE(changed.count(), 1);
    answer({other});
    QCOMPARE(removed.count(), 1);
    QCOMPARE(store.items(), QList{other});
    QVERIFY(store.find(other.id));
    QVERIFY(!store.find(base.id));
}

QTEST_GUILESS_MAIN(TestSessionStores)
#include "tst_session_stores.moc"
