// SPDX-License-Identifier: GPL-3.0-or-later
// Logs and metrics: read tolerantly, put in one order, each line once.
#include "backend/protocol/log_book.h"
#include "backend/protocol/logs_codec.h"
#include "backend/protocol/metrics_codec.h"

#include <QTest>

#include <algorithm>

using namespace boxdeck;
using namespace boxdeck::protocol;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 msInNs = 1'000'000;

LogEntry line(qint64 ms, const QString &message, qint64 below = 0)
{
    return {
        .timestamp = QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC), .timeNs = ms * msInNs + below, .message = message};
}

QStringList messages(const QList<LogEntry> &entries)
{
    QStringList list;
    for (const LogEntry &entry : entries)
        list.append(entry.message);
    return list;
}

/// 250 lines, 40 of them in one millisecond.
QList<LogEntry> longLog()
{
    QList<LogEntry> log;
    for (int i = 0; i < 250; ++i)
        log.append(line(1000 + (i < 100 ? i : i < 140 ? 100 : i), u"line %1"_s.arg(i)));
    return log;
}

} // namespace

class TestProtocolLogs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersOfAllAges_data();
    void answersOfAllAges();
    void nanosecondsAreKept();
    void newestFirstIsTurnedRound();
    void levelsHideNothingByMistake();
    void levelSearchAndLimitAreDoneHere();
    void pagesThatOverlapGiveEachLineOnce_data();
    void pagesThatOverlapGiveEachLineOnce();
    void lateLinesMoveToTheirPlace();
    void equalLinesOfOnePageAllCount();
    void linesWithoutATimeStayInOrder();
    void metricsInEitherTimeForm();
    void latestMetricsLeaveOutWhoHasNone();
    void windowIsInWholeSeconds();
};

void TestProtocolLogs::answersOfAllAges_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("v2")
        << R"({"logs":[{"timestamp":"2026-03-02T10:00:00Z","message":"a","level":"info","fields":{}}]})"_ba
        << QStringList{u"a"_s};
    QTest::newRow("v1 in both forms") << R"({"logs":[{"timestamp":"2026-03-02T10:00:00Z","line":"text"}],
               "logEntries":[{"timestamp":"2026-03-02T10:00:00Z","message":"entry","level":"warn"}]})"_ba
                                      << QStringList{u"entry"_s};
    QTest::newRow("v1, text alone") << R"({"logs":[{"timestamp":"2026-03-02T10:00:00Z","line":"text"}]})"_ba
                                    << QStringList{u"text"_s};
    QTest::newRow("bare lines") << R"({"logs":["one","two"]})"_ba << QStringList{u"one"_s, u"two"_s};
    QTest::newRow("bare array") << R"([{"message":"a"}])"_ba << QStringList{u"a"_s};
    QTest::newRow("null") << R"({"logs":null})"_ba << QStringList();
    QTest::newRow("empty") << "{}"_ba << QStringList();
}

void TestProtocolLogs::answersOfAllAges()
{
    QFETCH(QByteArray, json);
    QFETCH(QStringList, expected);
    const auto logs = decodeLogs(json);
    QVERIFY(logs.has_value());
    QCOMPARE(messages(*logs), expected);
}

void TestProtocolLogs::nanosecondsAreKept()
{
    const auto logs = decodeLogs(R"([{"timestamp":"2026-03-02T10:00:00.123456789Z","message":"b","level":"error",
        "step":"2","fields":{"pid":7}},{"timestamp":"2026-03-02T10:00:00.1234567Z","message":"a"}])");
    QVERIFY(logs.has_value());
    QCOMPARE(messages(*logs), (QStringList{u"a"_s, u"b"_s}));
    QCOMPARE(logs->at(1).timeNs - logs->at(0).timeNs, 89);
    QCOMPARE(logs->at(1).level, LogLevel::Error);
    QCOMPARE(logs->at(1).step, u"2"_s);
    QCOMPARE(logs->at(1).fields.value(u"pid"_s), u"7"_s);
}

void TestProtocolLogs::newestFirstIsTurnedRound()
{
    QList<LogEntry> log = longLog();
    const QStringList inOrder = messages(log);
    std::reverse(log.begin(), log.end());
    putInOrder(log);
    QCOMPARE(messages(log), inOrder); // also within the one millisecond
}

void TestProtocolLogs::levelsHideNothingByMistake()
{
    QCOMPARE(logLevel(u" WARNING "_s), LogLevel::Warn);
    QCOMPARE(logLevel(u"trace"_s), LogLevel::Debug);
    QCOMPARE(logLevel(u"fatal"_s), LogLevel::Error);
    QCOMPARE(logLevel(u"notice"_s), LogLevel::Info);
    QCOMPARE(logLevel({}), LogLevel::Info);
    for (const LogLevel level : {LogLevel::Debug, LogLevel::Info, LogLevel::Warn, LogLevel::Error})
        QCOMPARE(logLevel(levelWord(level)), level);
}

void TestProtocolLogs::levelSearchAndLimitAreDoneHere()
{
    QList<LogEntry> log{line(1, u"Alpha"_s), line(2, u"beta"_s), line(3, u"alpha"_s)};
    log[0].level = LogLevel::Error;
    log[2].level = LogLevel::Debug;
    const auto with = [&](const LogQuery &query) {
        QList<LogEntry> copy = log;
        applyLogQuery(copy, query);
        return messages(copy);
    };
    QCOMPARE(with({.level = LogLevel::Info}), (QStringList{u"Alpha"_s, u"beta"_s}));
    QCOMPARE(with({.search = u"lpha"_s}), (QStringList{u"Alpha"_s, u"alpha"_s}));
    QCOMPARE(with({.search = u"alpha"_s}), QStringList{u"alpha"_s});
    QCOMPARE(with({.limit = 1}), QStringList{u"alpha"_s});
    QCOMPARE(with({.limit = 1, .direction = LogDirection::Forward}), QStringList{u"Alpha"_s});
}

void TestProtocolLogs::pagesThatOverlapGiveEachLineOnce_data()
{
    QTest::addColumn<LogDirection>("read");
    QTest::addColumn<int>("step"); // lines between the starts of two pages of 100
    for (const int step : {100, 99, 70, 50}) {
        QTest::addRow("forwards, %d new a page", step) << LogDirection::Forward << step;
        QTest::addRow("backwards, %d new a page", step) << LogDirection::Backward << step;
    }
}

void TestProtocolLogs::pagesThatOverlapGiveEachLineOnce()
{
    QFETCH(LogDirection, read);
    QFETCH(int, step);
    const QList<LogEntry> log = longLog();
    // A cursor in milliseconds repeats the lines of the last millisecond on the next page, and a page may end in the
    // middle of them.
    LogBook book;
    for (int done = 0; done < log.size() + 100; done += step) {
        const qsizetype from = read == LogDirection::Forward ? done : log.size() - 100 - done;
        const qsizetype to = qMin(from + 100, log.size());
        if (to > 0)
            book.add(log.mid(qMax<qsizetype>(0, from), to - qMax<qsizetype>(0, from)), read);
    }
    QCOMPARE(messages(book.entries()), messages(log));
}

void TestProtocolLogs::lateLinesMoveToTheirPlace()
{
    LogBook book;
    QCOMPARE(book.add({line(1, u"a"_s), line(5, u"e"_s), line(7, u"g"_s)}), 0);
    QCOMPARE(book.add({line(3, u"c"_s), line(9, u"i"_s)}), 1);
    QCOMPARE(book.add({line(9, u"i"_s)}), 5); // nothing new
    QCOMPARE(book.add({line(9, u"j"_s)}), 5);
    QCOMPARE(messages(book.entries()), (QStringList{u"a"_s, u"c"_s, u"e"_s, u"g"_s, u"i"_s, u"j"_s}));
}

void TestProtocolLogs::equalLinesOfOnePageAllCount()
{
    LogBook book;
    book.add({line(1, u"."_s), line(1, u"."_s), line(1, u"."_s, 10)});
    QCOMPARE(book.entries().size(), 3);
    book.add({line(1, u"."_s), line(1, u"."_s), line(1, u"."_s, 10)});
    QCOMPARE(book.entries().size(), 3);
}

void TestProtocolLogs::linesWithoutATimeStayInOrder()
{
    LogBook book;
    book.add({{.message = u"b"_s}, {.message = u"a"_s}});
    book.add({{.message = u"a"_s}});
    QCOMPARE(messages(book.entries()), (QStringList{u"b"_s, u"a"_s, u"a"_s}));

    LogBook mixed;
    mixed.add({line(5, u"5"_s), {.message = u"5b"_s}, line(7, u"7"_s), {.message = u"7b"_s}});
    mixed.add({line(3, u"3"_s), line(6, u"6"_s)});
    QCOMPARE(messages(mixed.entries()), (QStringList{u"3"_s, u"5"_s, u"5b"_s, u"6"_s, u"7"_s, u"7b"_s}));
}

void TestProtocolLogs::metricsInEitherTimeForm()
{
    const auto metrics = decodeMetrics(
        R"([{"timestamp":"2026-03-02T10:12:05Z","cpuCount":2,"cpuUsedPct":"12.5","memUsed":"104857600","memTotal":536870912,
             "memCache":7,"diskUsed":8,"diskTotal":9},{"timestampUnix":1772446320,"cpuUsedPct":99.75}])");
    QVERIFY(metrics.has_value());
    QCOMPARE(metrics->at(0).at.toSecsSinceEpoch(), 1772446320);
    QCOMPARE(metrics->at(0).cpuUsedPct, 99.75);
    QCOMPARE(metrics->at(1).at.toSecsSinceEpoch(), 1772446325);
    QCOMPARE(metrics->at(1).cpuUsedPct, 12.5);
    QCOMPARE(metrics->at(1).memUsed, 104857600);
    QCOMPARE(metrics->at(1).memTotal, 536870912);
    QVERIFY(!decodeMetrics(R"([{"cpuUsedPct":"much"}])"));
    QVERIFY(decodeMetrics("null")->isEmpty());
}

void TestProtocolLogs::latestMetricsLeaveOutWhoHasNone()
{
    const auto latest =
        decodeLatestMetrics(R"({"sandboxes":{"i1":{"timestampUnix":1772446320,"cpuCount":2},"i2":null}})");
    QVERIFY(latest.has_value());
    QCOMPARE(latest->keys(), QList<SandboxId>{SandboxId{u"i1"_s}});
    QCOMPARE(latest->value({u"i1"_s}).cpuCount, 2);
    QVERIFY(decodeLatestMetrics("{}")->isEmpty());
    QVERIFY(!decodeLatestMetrics(R"({"sandboxes":[1]})"));
}

void TestProtocolLogs::windowIsInWholeSeconds()
{
    const QDateTime start = QDateTime::fromMSecsSinceEpoch(1772446320'999, Qt::UTC);
    QCOMPARE(windowQuery({.start = start, .end = start.addSecs(600)}), "start=1772446320&end=1772446920"_ba);
    QCOMPARE(windowQuery({.end = start}), "end=1772446320"_ba);
    QCOMPARE(windowQuery({}), ""_ba);
}

QTEST_APPLESS_MAIN(TestProtocolLogs)
#include "tst_protocol_logs.moc"
