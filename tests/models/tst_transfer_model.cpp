// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/clock.h"
#include "models/transfer_model.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QSignalSpy>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::transfer;
using models::TransferModel;

class TestTransferModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rowsFollowTheEngine();
    void percentIsOfBytesThenOfFiles_data();
    void percentIsOfBytesThenOfFiles();
    void namesAreSafeToShow();
};

void TestTransferModel::rowsFollowTheEngine()
{
    SystemClock clock;
    TransferEngine engine(clock);
    TransferModel model(engine);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const EnvdSource paused = [] {
        return Call<std::shared_ptr<api::Envd>>::settled(
            tl::unexpected(Error{.kind = ErrorKind::Conflict, .code = QString(code::paused)}));
    };
    const TransferId first = engine.upload(paused, {QStringLiteral("/tmp/a")}, RemotePath(), QStringLiteral("web-1"));
    const TransferId second = engine.upload(paused, {QStringLiteral("/tmp/b"), QStringLiteral("/tmp/c")}, RemotePath());
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0, TransferModel::Name).data().toString(), QStringLiteral("a"));
    QCOMPARE(model.index(0, TransferModel::Sandbox).data().toString(), QStringLiteral("web-1"));
    const QPersistentModelIndex row = model.indexOf(second);
    // A paused sandbox pauses the transfer, and the row says so.
    QTRY_COMPARE(row.data(TransferModel::StateRole).toInt(), static_cast<int>(JobState::Paused));
    QVERIFY(!row.data(TransferModel::PercentRole).isValid());
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    engine.remove(first);
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(row.row(), 0);
    engine.cancel(second);
    QTRY_COMPARE(row.data(TransferModel::StateRole).toInt(), static_cast<int>(JobState::Cancelled));
    engine.clearFinished();
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(!row.isValid());
    QCOMPARE(resets.size(), 0);
}

void TestTransferModel::percentIsOfBytesThenOfFiles_data()
{
    QTest::addColumn<qint64>("done");
    QTest::addColumn<qint64>("total");
    QTest::addColumn<int>("filesDone");
    QTest::addColumn<int>("files");
    QTest::addColumn<int>("percent"); // -1: not known
    QTest::newRow("before the scan") << qint64(0) << qint64(0) << 0 << 0 << -1;
    QTest::newRow("half") << qint64(50) << qint64(100) << 0 << 1 << 50;
    QTest::newRow("never 100 too early") << qint64(999) << qint64(1000) << 0 << 1 << 99;
    QTest::newRow("more than announced") << qint64(1200) << qint64(1000) << 0 << 1 << 100;
    QTest::newRow("only empty files") << qint64(0) << qint64(0) << 1 << 4 << 25;
    QTest::newRow("beyond 32 bits") << (qint64(1) << 40) << (qint64(1) << 41) << 0 << 1 << 50;
}

void TestTransferModel::percentIsOfBytesThenOfFiles()
{
    QFETCH(qint64, done);
    QFETCH(qint64, total);
    QFETCH(int, filesDone);
    QFETCH(int, files);
    QFETCH(int, percent);
    TransferInfo info;
    info.state = JobState::Running;
    info.bytesDone = done;
    info.bytesTotal = total;
    info.filesDone = filesDone;
    info.filesTotal = files;
    QCOMPARE(TransferModel::percent(info).value_or(-1), percent);
}

void TestTransferModel::namesAreSafeToShow()
{
    TransferInfo info;
    info.name = QStringLiteral("exe\u202etxt\n");
    QCOMPARE(TransferModel::nameText(info), QStringLiteral("exe\\u202etxt\\u000a"));
}

QTEST_GUILESS_MAIN(TestTransferModel)
#include "tst_transfer_model.moc"
