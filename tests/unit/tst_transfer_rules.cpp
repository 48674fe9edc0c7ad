// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/conflict_policy.h"
#include "backend/transfer/job_state.h"
#include "backend/transfer/local_names.h"
#include "backend/transfer/rate_meter.h"
#include "backend/transfer/retry_policy.h"
#include "backend/transfer/transfer_info.h"

#include <QSet>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::transfer;
using namespace std::chrono_literals;

class TestTransferRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stateFollowsTheTable_data();
    void stateFollowsTheTable();
    void everyUnlistedEventIsRefused();
    void aPauseIsPossibleWheneverWorkGoesOn();

    void conflictIsDecided_data();
    void conflictIsDecided();
    void numberedNameKeepsTheExtension_data();
    void numberedNameKeepsTheExtension();

    void linuxKeepsNamesExactly();
    void windowsGetsSafeDistinctNames();
    void windowsNameNeverTakesAGoodOnesPlace();
    void namesThatLeaveTheFolderAreRefused_data();
    void namesThatLeaveTheFolderAreRefused();

    void rateIsMeasuredOverTheWindow();
    void rateForgetsARestart();
    void timeLeftIsUnknownWithoutSpeed();

    void delayDoublesUpToItsBound();
    void delayObeysTheServer();
    void onlyPassingFaultsAreRetried_data();
    void onlyPassingFaultsAreRetried();
};

Q_DECLARE_METATYPE(boxdeck::transfer::JobState)
Q_DECLARE_METATYPE(boxdeck::transfer::JobEvent)

namespace {

using S = JobState;
using E = JobEvent;

const QList<S> allStates = {S::Queued,   S::Scanning, S::Running, S::Paused,   S::Retrying,
                            S::Conflict, S::Done,     S::Failed,  S::Cancelled};
const QList<E> allEvents = {E::Start, E::Scanned,  E::Conflict, E::Answer, E::Fault,  E::Resumed,
                            E::Pause, E::Continue, E::Finish,   E::Fail,   E::Cancel, E::Retry};

struct Move
{
    S from;
    E event;
    S to;
};

const Move moves[] = {
    {S::Queued, E::Start, S::Scanning},     {S::Queued, E::Pause, S::Paused},
    {S::Queued, E::Cancel, S::Cancelled},   {S::Queued, E::Fail, S::Failed},
    {S::Scanning, E::Scanned, S::Running},  {S::Scanning, E::Pause, S::Paused},
    {S::Scanning, E::Fault, S::Retrying},   {S::Scanning, E::Fail, S::Failed},
    {S::Scanning, E::Cancel, S::Cancelled}, {S::Running, E::Conflict, S::Conflict},
    {S::Running, E::Fault, S::Retrying},    {S::Running, E::Pause, S::Paused},
    {S::Running, E::Finish, S::Done},       {S::Running, E::Fail, S::Failed},
    {S::Running, E::Cancel, S::Cancelled},  {S::Conflict, E::Answer, S::Running},
    {S::Conflict, E::Pause, S::Paused},     {S::Conflict, E::Fail, S::Failed},
    {S::Conflict, E::Cancel, S::Cancelled}, {S::Retrying, E::Resumed, S::Running},
    {S::Retrying, E::Start, S::Scanning},   {S::Retrying, E::Pause, S::Paused},
    {S::Retrying, E::Fail, S::Failed},      {S::Retrying, E::Cancel, S::Cancelled},
    {S::Retrying, E::Retry, S::Queued},     {S::Paused, E::Continue, S::Queued},
    {S::Paused, E::Fail, S::Failed},        {S::Paused, E::Cancel, S::Cancelled},
    {S::Failed, E::Retry, S::Queued},       {S::Cancelled, E::Retry, S::Queued},
};

Error errorOf(ErrorKind kind, int status = 0)
{
    return {.kind = kind, .httpStatus = status};
}

} // namespace

void TestTransferRules::stateFollowsTheTable_data()
{
    QTest::addColumn<JobState>("from");
    QTest::addColumn<JobEvent>("event");
    QTest::addColumn<JobState>("to");
    for (const Move &move : moves) {
        QTest::addRow("%s, event %d", stateName(move.from).data(), static_cast<int>(move.event))
            << move.from << move.event << move.to;
    }
}

void TestTransferRules::stateFollowsTheTable()
{
    QFETCH(JobState, from);
    QFETCH(JobEvent, event);
    QFETCH(JobState, to);
    QCOMPARE(nextState(from, event), std::optional(to));
}

void TestTransferRules::everyUnlistedEventIsRefused()
{
    int listed = 0;
    for (const S state : allStates) {
        for (const E event : allEvents) {
            const bool known = std::any_of(std::begin(moves), std::end(moves),
                                           [&](const Move &move) { return move.from == state && move.event == event; });
            listed += known ? 1 : 0;
            QCOMPARE(nextState(state, event).has_value(), known);
        }
    }
    QCOMPARE(listed, static_cast<int>(std::size(moves)));
}

void TestTransferRules::aPauseIsPossibleWheneverWorkGoesOn()
{
    for (const S state : allStates) {
        if (isActive(state) || state == S::Queued) {
            QCOMPARE(nextState(state, E::Pause), std::optional(S::Paused));
            QCOMPARE(nextState(state, E::Cancel), std::optional(S::Cancelled));
        }
        QVERIFY(!(isActive(state) && isFinal(state)));
    }
}

void TestTransferRules::conflictIsDecided_data()
{
    QTest::addColumn<int>("choice");
    QTest::addColumn<qint64>("sourceSize");
    QTest::addColumn<qint64>("newerByMs");
    QTest::addColumn<int>("action");
    const auto row = [](const char *name, ConflictChoice choice, qint64 size, qint64 newer, ConflictAction action) {
        QTest::newRow(name) << static_cast<int>(choice) << size << newer << static_cast<int>(action);
    };
    row("overwrite", ConflictChoice::Overwrite, 10, -5000, ConflictAction::Write);
    row("skip", ConflictChoice::Skip, 11, 5000, ConflictAction::Skip);
    row("rename", ConflictChoice::Rename, 10, 0, ConflictAction::Rename);
    row("newer", ConflictChoice::IfNewer, 10, 1000, ConflictAction::Write);
    row("older", ConflictChoice::IfNewer, 10, -1000, ConflictAction::Skip);
    row("newer by less than clocks show", ConflictChoice::IfNewer, 10, 400, ConflictAction::Skip);
    row("size differs", ConflictChoice::IfSizeDiffers, 11, 0, ConflictAction::Write);
    row("same size", ConflictChoice::IfSizeDiffers, 10, 9000, ConflictAction::Skip);
}

void TestTransferRules::conflictIsDecided()
{
    QFETCH(int, choice);
    QFETCH(qint64, sourceSize);
    QFETCH(qint64, newerByMs);
    QFETCH(int, action);
    const QDateTime then = QDateTime::fromSecsSinceEpoch(1790000000, Qt::UTC);
    const FileFacts source{.size = sourceSize, .modified = then.addMSecs(newerByMs)};
    const FileFacts target{.size = 10, .modified = then};
    QCOMPARE(static_cast<int>(decideConflict(static_cast<ConflictChoice>(choice), source, target)), action);
}

void TestTransferRules::numberedNameKeepsTheExtension_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("plain") << QByteArray("a.txt") << QByteArray("a (2).txt");
    QTest::newRow("none") << QByteArray("README") << QByteArray("README (2)");
    QTest::newRow("hidden") << QByteArray(".env") << QByteArray(".env (2)");
    QTest::newRow("tar") << QByteArray("x.tar.gz") << QByteArray("x (2).tar.gz");
    QTest::newRow("only tar") << QByteArray(".tar.gz") << QByteArray(".tar (2).gz");
    QTest::newRow("full length") << QByteArray(255, 'n') << QByteArray(251, 'n') + " (2)";
    const QByteArray cjk = QString(85, QChar(0x6587)).toUtf8();
    QTest::newRow("full length of three-byte characters") << cjk << QString(83, QChar(0x6587)).toUtf8() + " (2)";
}

void TestTransferRules::numberedNameKeepsTheExtension()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, expected);
    QCOMPARE(numberedName(name, 2), expected);
    QVERIFY(numberedName(name, 2).size() <= 255);
}

void TestTransferRules::linuxKeepsNamesExactly()
{
    const QList<QByteArray> remote = {"CON.txt", "aux",    "nul.log",  "a:b",         "dot.",
                                      "space ",  "Readme", "README",   "back\\slash", "report%20name.txt",
                                      "%2e%2e",  "...",    "\xff\xfe", "line\nfeed"};
    const auto names = localNames(remote, NameRules::Linux);
    QCOMPARE(names.size(), remote.size());
    for (qsizetype i = 0; i < remote.size(); ++i) {
        QVERIFY2(names[i].has_value(), remote[i].constData());
        QCOMPARE(*names[i], remote[i]);
    }
}

void TestTransferRules::windowsGetsSafeDistinctNames()
{
    const QList<QByteArray> remote = {"CON.txt",
                                      "aux",
                                      "nul.log",
                                      "a:b",
                                      "dot.",
                                      "space ",
                                      "Readme",
                                      "README",
                                      "a?b",
                                      "com1.x",
                                      "LPT9",
                                      "com10",
                                      "a\x01"
                                      "b",
                                      "back\\slash",
                                      "Con .txt",
                                      "plain.txt"};
    const QList<QByteArray> expected = {"CON_.txt", "aux_",       "nul_.log",  "a_b",      "dot_",  "space_",
                                        "Readme",   "README (2)", "a_b (2)",   "com1_.x",  "LPT9_", "com10",
                                        "a_b (3)",  "back_slash", "Con _.txt", "plain.txt"};
    const auto names = localNames(remote, NameRules::Windows);
    QSet<QByteArray> folded;
    for (qsizetype i = 0; i < remote.size(); ++i) {
        QVERIFY2(names[i].has_value(), remote[i].constData());
        QCOMPARE(*names[i], expected[i]);
        folded.insert(QString::fromUtf8(*names[i]).toCaseFolded().toUtf8());
    }
    QCOMPARE(folded.size(), remote.size());
}

void TestTransferRules::windowsNameNeverTakesAGoodOnesPlace()
{
    // The changed name comes first in the listing and would be that of the second.
    const auto names = localNames({"a:b", "a_b"}, NameRules::Windows);
    QCOMPARE(*names[1], QByteArray("a_b"));
    QCOMPARE(*names[0], QByteArray("a_b (2)"));
}

void TestTransferRules::namesThatLeaveTheFolderAreRefused_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("dot dot") << QByteArray("..");
    QTest::newRow("dot") << QByteArray(".");
    QTest::newRow("climbs") << QByteArray("../../evil");
    QTest::newRow("absolute") << QByteArray("/tmp/abs");
    QTest::newRow("slash") << QByteArray("a/b");
    QTest::newRow("nul") << QByteArray("a\0b", 3);
    QTest::newRow("empty") << QByteArray();
}

void TestTransferRules::namesThatLeaveTheFolderAreRefused()
{
    QFETCH(QByteArray, name);
    for (const NameRules rules : {NameRules::Linux, NameRules::Windows}) {
        const auto names = localNames({"good", name, "also good"}, rules);
        QVERIFY(names[0].has_value());
        QVERIFY(names[2].has_value());
        QVERIFY(!names[1].has_value());
        QCOMPARE(names[1].error().code, QString(code::badName));
    }
}

void TestTransferRules::rateIsMeasuredOverTheWindow()
{
    RateMeter meter;
    QCOMPARE(meter.bytesPerSecond(0), 0.0);
    for (int i = 0; i <= 100; ++i)
        meter.add(i * 100, i * 100000); // 1 MB/s for 10 s
    QVERIFY(qAbs(meter.bytesPerSecond(10000) - 1e6) < 1e4);
    QCOMPARE(meter.secondsLeft(10000, 3000000), std::optional<qint64>(3));
    for (int i = 1; i <= 60; ++i)
        meter.add(10000 + i * 100, 10000000 + i * 10000); // then 0.1 MB/s for 6 s
    QVERIFY(qAbs(meter.bytesPerSecond(16000) - 1e5) < 1e4);
    // A stall brings the speed down without another sample.
    QVERIFY(meter.bytesPerSecond(60000) < 2e4);
}

void TestTransferRules::rateForgetsARestart()
{
    RateMeter meter;
    meter.add(0, 0);
    meter.add(1000, 5000000);
    meter.add(1100, 0); // began again
    meter.add(2100, 1000000);
    QVERIFY(qAbs(meter.bytesPerSecond(2100) - 1e6) < 1e4);
}

void TestTransferRules::timeLeftIsUnknownWithoutSpeed()
{
    RateMeter meter;
    meter.add(0, 100);
    QCOMPARE(meter.secondsLeft(5000, 10), std::nullopt);
    QCOMPARE(meter.secondsLeft(5000, 0), std::optional<qint64>(0));
    meter.add(100, 1000000);
    QCOMPARE(meter.bytesPerSecond(100), 0.0); // a first burst says nothing
}

void TestTransferRules::delayDoublesUpToItsBound()
{
    const RetryPolicy policy{.maxAttempts = 6, .first = 500ms, .longest = 3000ms};
    const Error cut = errorOf(ErrorKind::Unavailable);
    QCOMPARE(policy.delayBefore(2, cut), std::optional(500ms));
    QCOMPARE(policy.delayBefore(3, cut), std::optional(1000ms));
    QCOMPARE(policy.delayBefore(4, cut), std::optional(2000ms));
    QCOMPARE(policy.delayBefore(5, cut), std::optional(3000ms));
    QCOMPARE(policy.delayBefore(6, cut), std::optional(3000ms));
    QCOMPARE(policy.delayBefore(7, cut), std::nullopt);
}

void TestTransferRules::delayObeysTheServer()
{
    Error busy = errorOf(ErrorKind::Capacity, 429);
    busy.retryAfter = 20s;
    QCOMPARE(RetryPolicy{}.delayBefore(2, busy), std::optional<std::chrono::milliseconds>(20s));
}

void TestTransferRules::onlyPassingFaultsAreRetried_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("passes");
    QTest::newRow("cut") << static_cast<int>(ErrorKind::Unavailable) << 0 << true;
    QTest::newRow("stalled") << static_cast<int>(ErrorKind::Timeout) << 0 << true;
    QTest::newRow("busy") << static_cast<int>(ErrorKind::Capacity) << 429 << true;
    QTest::newRow("disk full there") << static_cast<int>(ErrorKind::Capacity) << 507 << false;
    QTest::newRow("no right to write there") << static_cast<int>(ErrorKind::Unavailable) << 500 << false;
    QTest::newRow("gateway without a node") << static_cast<int>(ErrorKind::Unavailable) << 502 << true;
    QTest::newRow("wrong key") << static_cast<int>(ErrorKind::Authentication) << 401 << false;
    QTest::newRow("missing") << static_cast<int>(ErrorKind::NotFound) << 404 << false;
    QTest::newRow("disk full here") << static_cast<int>(ErrorKind::Local) << 0 << false;
    QTest::newRow("paused") << static_cast<int>(ErrorKind::Conflict) << 0 << false;
}

void TestTransferRules::onlyPassingFaultsAreRetried()
{
    QFETCH(int, kind);
    QFETCH(int, status);
    QFETCH(bool, passes);
    const Error error = errorOf(static_cast<ErrorKind>(kind), status);
    QCOMPARE(mayPass(error), passes);
    QCOMPARE(RetryPolicy{}.delayBefore(2, error).has_value(), passes);
}

QTEST_GUILESS_MAIN(TestTransferRules)
#include "tst_transfer_rules.moc"
