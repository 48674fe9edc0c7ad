// SPDX-License-Identifier: GPL-3.0-or-later
// A log as rows, and what of it is shown.
#include "models/log_model.h"
#include "ui/logs/logs_page.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>
#include <QTimeZone>

using namespace boxdeck;
using models::LogModel;
using protocol::LogEntry;
using protocol::LogLevel;

namespace {

LogEntry line(int second, const QString &message, LogLevel level = LogLevel::Info)
{
    const QDateTime at({2026, 3, 2}, {10, 0, second}, QTimeZone::utc());
    return {.timestamp = at, .timeNs = at.toMSecsSinceEpoch() * 1'000'000, .message = message, .level = level};
}

QStringList messagesOf(const QAbstractItemModel &model)
{
    QStringList messages;
    for (int row = 0; row < model.rowCount(); ++row)
        messages << model.index(row, LogModel::Message).data().toString();
    return messages;
}

} // namespace

class TestLogs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void linesThatComeTwiceStandOnce();
    void newLinesAreAddedWithoutAReset();
    void aLateLineStandsWhereItBelongs();
    void textIsSafeToShow();
    void onlyLinesOfTheLeastLevelWithTheTextAreShown();
};

void TestLogs::linesThatComeTwiceStandOnce()
{
    LogModel model;
    QAbstractItemModelTester tester(&model);
    model.add({line(1, QStringLiteral("one")), line(2, QStringLiteral("two"))});
    model.add({line(2, QStringLiteral("two")), line(3, QStringLiteral("three"))});
    QCOMPARE(messagesOf(model), QStringList({QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three")}));
    model.clear();
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(!model.newest().isValid());
}

void TestLogs::newLinesAreAddedWithoutAReset()
{
    LogModel model;
    QAbstractItemModelTester tester(&model);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    model.add({line(1, QStringLiteral("one"))});
    const QPersistentModelIndex read = model.index(0, LogModel::Message);
    for (int second = 2; second < 50; ++second)
        model.add({line(second, QString::number(second))});
    QCOMPARE(model.rowCount(), 49);
    QCOMPARE(reset.count(), 0);
    QCOMPARE(removed.count(), 0);
    QCOMPARE(read.data().toString(), QStringLiteral("one"));
}

void TestLogs::aLateLineStandsWhereItBelongs()
{
    LogModel model;
    QAbstractItemModelTester tester(&model);
    model.add({line(1, QStringLiteral("one")), line(3, QStringLiteral("three"))});
    model.add({line(2, QStringLiteral("two")), line(3, QStringLiteral("three"))});
    QCOMPARE(messagesOf(model), QStringList({QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three")}));
    QCOMPARE(model.newest(), line(3, {}).timestamp);
}

void TestLogs::textIsSafeToShow()
{
    LogModel model;
    model.add({line(1, QStringLiteral("a\x1b[31mb\nc<img src=x>"))});
    const QModelIndex index = model.index(0, LogModel::Message);
    QVERIFY(!index.data().toString().contains(QChar(0x1b)));
    QVERIFY(!index.data().toString().contains(u'\n'));
    QVERIFY(!index.data(Qt::ToolTipRole).toString().contains(QLatin1String("<img")));
    QVERIFY(!model.data({}, Qt::DisplayRole).isValid());
    // A line of a mebibyte would be laid out whole as soon as the pointer rests on it.
    model.add({line(2, QStringLiteral("\u202e<b>").repeated(1024 * 256))});
    const QString tip = model.index(1, LogModel::Message).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.size() < 64 * 1024, qPrintable(QString::number(tip.size())));
    QVERIFY(!tip.contains(QChar(0x202e)));
}

void TestLogs::onlyLinesOfTheLeastLevelWithTheTextAreShown()
{
    LogModel model;
    ui::LogFilter filter;
    QAbstractItemModelTester tester(&filter);
    filter.setSourceModel(&model);
    model.add({line(1, QStringLiteral("Started"), LogLevel::Debug), line(2, QStringLiteral("started the shell")),
               line(3, QStringLiteral("no room"), LogLevel::Error)});
    QCOMPARE(filter.rowCount(), 3);
    filter.setLeastLevel(LogLevel::Info);
    QCOMPARE(filter.rowCount(), 2);
    filter.setText(QStringLiteral("STARTED"));
    QCOMPARE(messagesOf(filter), QStringList(QStringLiteral("started the shell")));
    filter.setLeastLevel(LogLevel::Debug);
    QCOMPARE(filter.rowCount(), 2);
    model.add({line(4, QStringLiteral("started again"), LogLevel::Warn)});
    QCOMPARE(filter.rowCount(), 3);
}

QTEST_GUILESS_MAIN(TestLogs)
#include "tst_logs.moc"
