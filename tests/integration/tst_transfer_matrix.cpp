// SPDX-License-Identifier: GPL-3.0-or-later
// Transfers of whole files against every way for a server to go wrong, once and always: a file arrives whole or not at
// all, and nothing is done more often than it may be.
#include "backend/core/clock.h"
#include "backend/transfer/transfer_engine.h"
#include "tests/integration/hasty_client.h"
#include "tests/support/fault.h"
#include "tests/support/remote_paths.h"
#include "tests/support/waiting.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <atomic>

using namespace boxdeck;
using namespace boxdeck::net;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

GoodAnswer rightDownload()
{
    return GoodAnswer::counted(200, content, {{"Content-Type", "application/octet-stream"}});
}

GoodAnswer rightUpload()
{
    return GoodAnswer::counted(200, R"([{"name":"f","path":"/home/user/f","type":"file"}])",
                               {{"Content-Type", "application/json"}});
}

void faultsOnceAndAlways()
{
    QTest::addColumn<Fault>("fault");
    QTest::addColumn<bool>("always");
    for (const Fault fault : allFaults) {
        QTest::addRow("%s once", qPrintable(faultName(fault))) << fault << false;
        QTest::addRow("%s always", qPrintable(faultName(fault))) << fault << true;
    }
}

/// A transfer of one file with an engine of its own.
struct Transfer
{
    explicit Transfer(const FaultServer &server)
        : client(server, patience / 2)
        , engine(clock, transfer::EngineOptions{.firstRetry = 10ms})
        , source([this] {
            return Call<std::shared_ptr<api::Envd>>::settled(
                std::make_shared<api::Envd>(client.transport, client.envd.target()));
        })
    {
    }

    /// True if it came to a state that does not change by itself.
    bool isOver(transfer::TransferId id) const
    {
        return eventually(
            [&] {
                const auto state = engine.info(id)->state;
                return state == transfer::JobState::Done || state == transfer::JobState::Failed;
            },
            60s);
    }
    QStringList files() const { return QDir(dir.path()).entryList(QDir::Files | QDir::Hidden, QDir::Name); }

    SystemClock clock;
    HastyClient client;
    transfer::TransferEngine engine;
    transfer::EnvdSource source;
    QTemporaryDir dir;
};

} // namespace

class TestTransferMatrix : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void downloadsOfFilesEndWhole_data();
    void downloadsOfFilesEndWhole();
    void uploadsOfFilesEndWhole_data();
    void uploadsOfFilesEndWhole();
};

void TestTransferMatrix::downloadsOfFilesEndWhole_data()
{
    faultsOnceAndAlways();
}

void TestTransferMatrix::downloadsOfFilesEndWhole()
{
    QFETCH(Fault, fault);
    QFETCH(bool, always);
    std::atomic<int> asked = 0;
    FaultServer server([&](const RecordedRequest &request, int) {
        if (request.path() != "/files")
            return Script::answer(404, R"({"code":"not_found","message":"no"})");
        // No ranges: what was read before a fault is read again, and must not be appended to.
        const GoodAnswer good = rightDownload();
        return asked++ == 0 || always ? withFault(fault, At::Middle, good, 20)
                                      : withFault(Fault::Slow, At::Middle, good, 0);
    });
    Transfer transfer(server);
    EntryInfo entry{.name = "f", .path = path("/home/user/f"), .type = FileType::File, .size = content.size()};
    const auto id = transfer.engine.download(transfer.source, {entry}, transfer.dir.path());
    QVERIFY(transfer.isOver(id));
    const bool harmless = fault == Fault::Slow || fault == Fault::Replay;
    const bool passes = harmless || (!always && fault != Fault::Garbage);
    const auto info = transfer.engine.info(id);
    QCOMPARE(info->state, passes ? transfer::JobState::Done : transfer::JobState::Failed);
    // Whole or not at all: no part file, no half one under the real name.
    if (passes) {
        QTRY_COMPARE(transfer.files(), QStringList{u"f"_s});
        QFile file(transfer.dir.filePath(u"f"_s));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll() == content);
    } else {
        QTRY_VERIFY(!transfer.files().contains(u"f"_s));
        QVERIFY(info->error);
    }
    const int tries = fault == Fault::Garbage ? 1 : 8;
    if (harmless)
        QCOMPARE(int(asked), 1);
    else if (passes)
        QCOMPARE(int(asked), 2);
    else
        QVERIFY2(asked <= tries, qPrintable(QString::number(asked)));
}

void TestTransferMatrix::uploadsOfFilesEndWhole_data()
{
    faultsOnceAndAlways();
}

void TestTransferMatrix::uploadsOfFilesEndWhole()
{
    QFETCH(Fault, fault);
    QFETCH(bool, always);
    std::atomic<int> asked = 0;
    std::atomic<bool> moved = false;
    std::atomic<bool> stored = false; // the temporary file is there, all of it
    FaultServer server([&](const RecordedRequest &request, int) {
        const QByteArray json = "application/json";
        const bool temporary = request.body.contains(".boxdeck-");
        if (request.path() == "/files") {
            const bool bad = (asked++ == 0 || always) && fault != Fault::Slow && fault != Fault::Replay;
            stored = stored || !bad;
            return asked == 1 || always ? withFault(fault, At::Middle, rightUpload(), 20)
                                        : withFault(Fault::Slow, At::Middle, rightUpload(), 0);
        }
        if (request.path().endsWith("/Stat")) {
            if (temporary ? !stored || moved : !moved)
                return Script::answer(404, R"({"code":"not_found","message":"no"})", {{"Content-Type", json}});
            const QString asks = jsonBody(request)["path"_L1].toString();
            const QJsonObject entry{{u"name"_s, asks.section(u'/', -1)},
                                    {u"path"_s, asks},
                                    {u"type"_s, u"FILE_TYPE_FILE"_s},
                                    {u"size"_s, QString::number(content.size())},
                                    {u"mode"_s, 0644}};
            return Script::answer(200, QJsonDocument(QJsonObject{{u"entry"_s, entry}}).toJson(),
                                  {{"Content-Type", json}});
        }
        if (request.path().endsWith("/Move"))
            moved = true;
        return Script::answer(200, "{}", {{"Content-Type", json}});
    });
    Transfer transfer(server);
    QTemporaryDir from;
    QFile file(from.filePath(u"up"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
    file.close();
    const auto id = transfer.engine.upload(transfer.source, {file.fileName()}, path("/home/user"));
    QVERIFY(transfer.isOver(id));
    const bool harmless = fault == Fault::Slow || fault == Fault::Replay;
    const bool passes = harmless || (!always && fault != Fault::Garbage);
    QCOMPARE(transfer.engine.info(id)->state, passes ? transfer::JobState::Done : transfer::JobState::Failed);
    QCOMPARE(bool(moved), passes); // never to its name before it is all there
    int moves = 0;
    for (const RecordedRequest &request : server.requests()) {
        moves += request.path().endsWith("/Move") ? 1 : 0;
        if (request.path() == "/files")
            QVERIFY2(request.query().contains(".boxdeck-"), request.query()); // only ever under a name of its own
    }
    QCOMPARE(moves, passes ? 1 : 0);
    if (harmless)
        QCOMPARE(int(asked), 1);
    else if (passes)
        QCOMPARE(int(asked), 2);
    else
        QVERIFY2(asked <= 8, qPrintable(QString::number(asked)));
}

QTEST_GUILESS_MAIN(TestTransferMatrix)
#include "tst_transfer_matrix.moc"
