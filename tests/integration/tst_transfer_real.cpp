// SPDX-License-Identifier: GPL-3.0-or-later
// Transfers to and from a real sandbox of a real boxdeck-host.
#include "backend/core/clock.h"
#include "backend/transfer/transfer_engine.h"
#include "tests/support/real_host.h"
#include "tests/support/waiting.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTest>
#include <QtEndian>

#include <sys/stat.h>
#include <unistd.h>

using namespace boxdeck;
using namespace boxdeck::transfer;
using protocol::EntryInfo;

namespace {

#define WAIT_FOR_STATE(id, wanted)                                                                                     \
    QVERIFY2(test::eventually([&] { return m_engine->info(id)->state == wanted; }),                                    \
             stateName(m_engine->info(id)->state).data())

RemotePath remote(const QByteArray &path)
{
    return RemotePath::parse(path).value();
}

/// The memory this process holds, in bytes.
qint64 residentBytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toLongLong() * ::sysconf(_SC_PAGESIZE);
}

} // namespace

class TestTransferReal : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void cleanupTestCase();

    void aFolderGoesUpAndComesBackByteForByte();
    void hiddenEmptyAndLinkedArrive();
    void percentSignsAreNames();
    void namesThatSpoilHeadersArrive();
    void savingOverAFileKeepsItsMode();
    void savingOverALinkWritesThroughIt();
    void theRealNameIsNeverHalf();
    void cancelLeavesNothing();
    void conflictIsAskedOnceForTheRest();
    void conflictChoices_data();
    void conflictChoices();
    void parallelUploadsIntoANewFolder();
    void linksToParentsEndTheDownload();
    void aFolderInTheWayIsSaid();
    void aVanishedSourceIsSaid();
    void aFileThatGrowsIsNotDone();
    void aReadOnlyFolderIsSaid();
    void aFileThatVanishedInTheSandboxIsSaid();
    void pauseAndContinueADownload();
    void pauseAndContinueAnUpload();
    void aPausedSandboxPausesTheTransfer();
    void downloadGoesOnAfterTheHostDied();
    void uploadSurvivesTheHostsDeath();
    void memoryStaysSmall();

private:
    QString local(const QString &name) const { return m_dir->filePath(name); }
    void write(const QString &name, const QByteArray &content) const;
    QByteArray read(const QString &name) const;
    void writeRandom(const QString &name, qint64 size) const;
    QByteArray hashOf(const QString &name) const;
    QByteArray remoteHash(const QByteArray &path);
    QStringList problems(TransferId id) const;
    QList<QByteArray> remoteNames(const QByteArray &folder);
    EntryInfo entry(const QByteArray &path);
    TransferId upload(const QStringList &names, const QByteArray &folder);
    TransferId download(const QByteArray &path, const QString &folder);

    SystemClock m_clock;
    std::unique_ptr<test::RealHost> m_host;
    std::shared_ptr<api::Envd> m_envd;
    protocol::SandboxId m_sandbox;
    std::unique_ptr<TransferEngine> m_engine;
    std::unique_ptr<QTemporaryDir> m_dir;
    EnvdSource m_source;
    QByteArray m_home; ///< a folder of the test's own in the sandbox
    int m_number = 0;
};

void TestTransferReal::initTestCase()
{
    m_host = std::make_unique<test::RealHost>();
    QVERIFY2(m_host->isUp(), qPrintable(m_host->failure()));
    m_envd = m_host->newSandbox({.timeout = std::chrono::seconds(3600)});
    QVERIFY2(m_envd, qPrintable(m_host->failure()));
    m_sandbox = m_envd->target().id;
    m_source = [this] {
        // As a session does it: by the detail, which wakes nothing.
        return m_host->control().sandbox(m_sandbox).map(
            [this](Result<protocol::SandboxDetail> detail) -> Result<std::shared_ptr<api::Envd>> {
                if (!detail)
                    return tl::unexpected(detail.error());
                if (detail->state != protocol::SandboxState::Running)
                    return tl::unexpected(Error{.kind = ErrorKind::Conflict, .code = QString(code::paused)});
                return std::make_shared<api::Envd>(m_host->transport(),
                                                   api::targetOf(m_host->process().endpoint(), *detail));
            });
    };
}

void TestTransferReal::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_engine = std::make_unique<TransferEngine>(m_clock, EngineOptions{.firstRetry = std::chrono::milliseconds(100)});
    m_home = "/home/user/t" + QByteArray::number(++m_number);
    QVERIFY(test::outcome(m_envd->filesystem().makeDir(remote(m_home))).has_value());
}

void TestTransferReal::cleanup()
{
    m_engine.reset();
    if (m_envd)
        test::outcome(m_envd->filesystem().remove(remote(m_home)));
}

void TestTransferReal::cleanupTestCase()
{
    m_envd.reset();
    m_host.reset();
}

void TestTransferReal::write(const QString &name, const QByteArray &content) const
{
    QVERIFY(QDir().mkpath(QFileInfo(local(name)).path()));
    QFile file(local(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

QByteArray TestTransferReal::read(const QString &name) const
{
    QFile file(local(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(no file)");
}

void TestTransferReal::writeRandom(const QString &name, qint64 size) const
{
    QFile file(local(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QByteArray block(1 << 20, Qt::Uninitialized);
    for (qint64 done = 0; done < size; done += block.size()) {
        for (qsizetype i = 0; i < block.size(); i += 8)
            qToLittleEndian<qint64>((done + i) * 0x5851f42d4c957f2dLL + 1, block.data() + i);
        const qint64 part = qMin<qint64>(block.size(), size - done);
        QCOMPARE(file.write(block.constData(), part), part);
    }
}

QByteArray TestTransferReal::hashOf(const QString &name) const
{
    QFile file(local(name));
    QCryptographicHash hash(QCryptographicHash::Sha256);
    return file.open(QIODevice::ReadOnly) && hash.addData(&file) ? hash.result().toHex() : QByteArray();
}

QByteArray TestTransferReal::remoteHash(const QByteArray &path)
{
    return m_host->run(*m_envd, QStringLiteral("sha256sum < '%1'").arg(QString::fromUtf8(path)))
        .value_or(QByteArray())
        .left(64);
}

QStringList TestTransferReal::problems(TransferId id) const
{
    QStringList all;
    const QList<Problem> told = m_engine->info(id)->problems;
    for (const Problem &problem : told)
        all.append(problem.name + QLatin1Char('|') + problem.error.code);
    return all;
}

QList<QByteArray> TestTransferReal::remoteNames(const QByteArray &folder)
{
    QList<QByteArray> names;
    if (const auto entries = test::outcome(m_envd->filesystem().list(remote(folder)))) {
        for (const EntryInfo &found : *entries)
            names.append(found.name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

EntryInfo TestTransferReal::entry(const QByteArray &path)
{
    auto found = test::outcome(m_envd->filesystem().stat(remote(path)));
    if (!found)
        return {};
    found->path = remote(path);
    found->name = found->path.name();
    return *found;
}

TransferId TestTransferReal::upload(const QStringList &names, const QByteArray &folder)
{
    QStringList paths;
    for (const QString &name : names)
        paths.append(local(name));
    return m_engine->upload(m_source, paths, remote(folder));
}

TransferId TestTransferReal::download(const QByteArray &path, const QString &folder)
{
    QDir().mkpath(local(folder));
    return m_engine->download(m_source, {entry(path)}, local(folder));
}

void TestTransferReal::aFolderGoesUpAndComesBackByteForByte()
{
    const QStringList names = {QStringLiteral("a#b [1] 100%.txt"),
                               QStringLiteral("50%25.txt"),
                               QStringLiteral("caf\u00e9 +1.txt"),
                               QStringLiteral("x&y=z.txt"),
                               QStringLiteral("back\\slash"),
                               QStringLiteral("sub/deep/ name with spaces "),
                               QStringLiteral("-rf"),
                               QStringLiteral("~"),
                               QStringLiteral("CON.txt"),
                               QStringLiteral("\u6587\u4ef6.bin")};
    for (const QString &name : names)
        write(QStringLiteral("up/") + name, name.toUtf8() + QByteArray("\x89PNG\x00\xff\xfe\n", 8));
    write(QStringLiteral("up/empty.txt"), {});
    const TransferId up = upload({QStringLiteral("up")}, m_home);
    WAIT_FOR_STATE(up, JobState::Done);
    QCOMPARE(m_engine->info(up)->filesDone, static_cast<int>(names.size()) + 1);
    const TransferId down = download(m_home + "/up", QStringLiteral("back"));
    WAIT_FOR_STATE(down, JobState::Done);
    for (const QString &name : names)
        QCOMPARE(read(QStringLiteral("back/up/") + name), read(QStringLiteral("up/") + name));
    QCOMPARE(read(QStringLiteral("back/up/empty.txt")), QByteArray());
    QDirIterator left(local(QStringLiteral("back")), {QStringLiteral("*.part")}, QDir::Files | QDir::Hidden,
                      QDirIterator::Subdirectories);
    QVERIFY(!left.hasNext());
}

void TestTransferReal::hiddenEmptyAndLinkedArrive()
{
    write(QStringLiteral("p/.env"), "A=1");
    write(QStringLiteral("p/.git/config"), "[core]");
    QVERIFY(QDir().mkpath(local(QStringLiteral("p/empty"))));
    QCOMPARE(::symlink(".env", qPrintable(local(QStringLiteral("p/link")))), 0);
    const TransferId id = upload({QStringLiteral("p")}, m_home);
    WAIT_FOR_STATE(id, JobState::Done);
    QCOMPARE(remoteNames(m_home + "/p"), (QList<QByteArray>{".env", ".git", "empty", "link"}));
    QCOMPARE(test::outcome(m_envd->files().readSmall(remote(m_home + "/p/link"), 100)).value(), QByteArray("A=1"));
    QVERIFY(entry(m_home + "/p/empty").isDirectory());
    QCOMPARE(m_engine->info(id)->filesDone, 3);
    QCOMPARE(entry(m_home + "/p/.git").owner, QStringLiteral("user"));
}

void TestTransferReal::percentSignsAreNames()
{
    write(QStringLiteral("report%20name.txt"), "percent");
    write(QStringLiteral("report name.txt"), "space");
    write(QStringLiteral("%2e%2e"), "dots");
    write(QStringLiteral("100%.txt"), "hundred");
    const TransferId id = upload({QStringLiteral("report%20name.txt"), QStringLiteral("report name.txt"),
                                  QStringLiteral("%2e%2e"), QStringLiteral("100%.txt")},
                                 m_home);
    WAIT_FOR_STATE(id, JobState::Done);
    const auto content = [this](const QByteArray &name) {
        return test::outcome(m_envd->files().readSmall(remote(m_home + '/' + name), 100)).value_or(QByteArray());
    };
    QCOMPARE(content("report%20name.txt"), QByteArray("percent"));
    QCOMPARE(content("report name.txt"), QByteArray("space"));
    QCOMPARE(content("%2e%2e"), QByteArray("dots"));
    QCOMPARE(content("100%.txt"), QByteArray("hundred"));
    QCOMPARE(remoteNames(m_home).size(), 4);
}

void TestTransferReal::namesThatSpoilHeadersArrive()
{
    const QStringList names = {QStringLiteral("re\"port.txt"), QStringLiteral("ends\\"),
                               QStringLiteral("line\nfeed\r\nX: y"), QStringLiteral("semi;x=1"),
                               QString(85, QChar(0x6587))};
    for (const QString &name : names)
        write(name, name.toUtf8());
    const TransferId id = upload(names, m_home);
    WAIT_FOR_STATE(id, JobState::Done);
    QCOMPARE(remoteNames(m_home).size(), names.size());
    for (const QString &name : names) {
        const auto back = test::outcome(m_envd->files().readSmall(remote(m_home + '/' + name.toUtf8()), 1000));
        QVERIFY2(back.has_value(), qPrintable(name));
        QCOMPARE(*back, name.toUtf8());
    }
}

void TestTransferReal::savingOverAFileKeepsItsMode()
{
    QVERIFY(m_host->run(
        *m_envd, QStringLiteral("cd %1 && echo old > run.sh && chmod 0751 run.sh").arg(QString::fromUtf8(m_home))));
    write(QStringLiteral("run.sh"), "new content");
    const TransferId id = upload({QStringLiteral("run.sh")}, m_home);
    WAIT_FOR_STATE(id, JobState::Conflict);
    QCOMPARE(m_engine->info(id)->conflict->target.size, 4);
    QCOMPARE(m_engine->info(id)->conflict->source.size, 11);
    m_engine->resolveConflict(id, ConflictChoice::Overwrite, false);
    WAIT_FOR_STATE(id, JobState::Done);
    QCOMPARE(*m_host->run(*m_envd, QStringLiteral("cd %1 && stat -c %a run.sh && cat run.sh && ls -A | wc -l")
                                       .arg(QString::fromUtf8(m_home))),
             QByteArray("751\nnew content1\n"));
}

void TestTransferReal::savingOverALinkWritesThroughIt()
{
    QVERIFY(
        m_host->run(*m_envd, QStringLiteral("cd %1 && mkdir real && echo old > real/file && chmod 0600 real/file && "
                                            "ln -s real/file link && ln -s nowhere broken")
                                 .arg(QString::fromUtf8(m_home))));
    write(QStringLiteral("link"), "through");
    write(QStringLiteral("broken"), "instead");
    const TransferId id = upload({QStringLiteral("link"), QStringLiteral("broken")}, m_home);
    WAIT_FOR_STATE(id, JobState::Conflict);
    m_engine->resolveConflict(id, ConflictChoice::Overwrite, true);
    WAIT_FOR_STATE(id, JobState::Done);
    QCOMPARE(*m_host->run(*m_envd,
                          QStringLiteral("cd %1 && readlink link && stat -c %a real/file && cat real/file && echo && "
                                         "cat broken && echo && ls -A . real")
                              .arg(QString::fromUtf8(m_home))),
             QByteArray("real/file\n600\nthrough\ninstead\n.:\nbroken\nlink\nreal\n\nreal:\nfile\n"));
}

void TestTransferReal::theRealNameIsNeverHalf()
{
    constexpr qint64 size = 300LL << 20;
    writeRandom(QStringLiteral("big"), size);
    const TransferId id = upload({QStringLiteral("big")}, m_home);
    // Whenever the name is looked at it is not there or complete.
    bool seenUnderWay = false;
    QVERIFY(test::eventually([&] {
        const EntryInfo now = entry(m_home + "/big");
        const bool there = now.type == protocol::FileType::File;
        if (there && now.size != size)
            QTest::qFail("half a file under the real name", __FILE__, __LINE__);
        seenUnderWay = seenUnderWay || (!there && m_engine->info(id)->bytesDone > 0);
        return m_engine->info(id)->state == JobState::Done;
    }));
    QVERIFY(seenUnderWay);
    QCOMPARE(remoteHash(m_home + "/big"), hashOf(QStringLiteral("big")));
    QCOMPARE(remoteNames(m_home), QList<QByteArray>{"big"});
}

void TestTransferReal::cancelLeavesNothing()
{
    writeRandom(QStringLiteral("big"), 300LL << 20);
    const TransferId up = upload({QStringLiteral("big")}, m_home);
    QVERIFY(test::eventually([&] { return m_engine->info(up)->bytesDone > 10 << 20; }));
    m_engine->cancel(up);
    QCOMPARE(m_engine->info(up)->state, JobState::Cancelled);
    QVERIFY(test::eventually([&] { return remoteNames(m_home).isEmpty(); }));

    const TransferId again = upload({QStringLiteral("big")}, m_home);
    WAIT_FOR_STATE(again, JobState::Done);
    const TransferId down = download(m_home + "/big", QStringLiteral("back"));
    QVERIFY(test::eventually([&] { return m_engine->info(down)->bytesDone > 10 << 20; }));
    m_engine->cancel(down);
    QVERIFY(test::eventually([&] {
        return QDir(local(QStringLiteral("back"))).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    }));
    // A retry of a cancelled one starts over.
    m_engine->retry(down);
    WAIT_FOR_STATE(down, JobState::Done);
    QCOMPARE(hashOf(QStringLiteral("back/big")), hashOf(QStringLiteral("big")));
}

void TestTransferReal::conflictIsAskedOnceForTheRest()
{
    QStringList names;
    for (int i = 0; i < 6; ++i) {
        names.append(QStringLiteral("f%1").arg(i));
        write(names.last(), "old" + QByteArray::number(i));
    }
    const TransferId first = upload(names, m_home);
    WAIT_FOR_STATE(first, JobState::Done);
    for (const QString &name : names)
        write(name, "newer " + name.toUtf8());
    const TransferId id = upload(names, m_home);
    WAIT_FOR_STATE(id, JobState::Conflict);
    QCOMPARE(m_engine->info(id)->conflict->name, QStringLiteral("f0"));
    m_engine->resolveConflict(id, ConflictChoice::Skip, false);
    QVERIFY(test::eventually(
        [&] { return m_engine->info(id)->conflict && m_engine->info(id)->conflict->name == QStringLiteral("f1"); }));
    m_engine->resolveConflict(id, ConflictChoice::Overwrite, true);
    WAIT_FOR_STATE(id, JobState::Done);
    QCOMPARE(problems(id), QStringList{QStringLiteral("f0|exists")});
    QCOMPARE(test::outcome(m_envd->files().readSmall(remote(m_home + "/f0"), 100)).value(), QByteArray("old0"));
    for (int i = 1; i < 6; ++i) {
        const QByteArray name = "f" + QByteArray::number(i);
        QCOMPARE(test::outcome(m_envd->files().readSmall(remote(m_home + '/' + name), 100)).value(), "newer " + name);
    }
}

void TestTransferReal::conflictChoices_data()
{
    QTest::addColumn<int>("choice");
    QTest::addColumn<QByteArray>("expected"); // of a, of "a (2)"
    QTest::newRow("overwrite") << static_cast<int>(ConflictChoice::Overwrite) << QByteArray("source|");
    QTest::newRow("skip") << static_cast<int>(ConflictChoice::Skip) << QByteArray("target!|");
    QTest::newRow("rename") << static_cast<int>(ConflictChoice::Rename) << QByteArray("target!|source");
    QTest::newRow("if size differs") << static_cast<int>(ConflictChoice::IfSizeDiffers) << QByteArray("source|");
    QTest::newRow("if newer, is older") << static_cast<int>(ConflictChoice::IfNewer) << QByteArray("target!|");
}

void TestTransferReal::conflictChoices()
{
    QFETCH(int, choice);
    QFETCH(QByteArray, expected);
    const auto old = [](const QString &path) {
        QFile file(path);
        return file.open(QIODevice::ReadWrite) &&
               file.setFileTime(QDateTime::currentDateTime().addDays(-1), QFileDevice::FileModificationTime);
    };
    // Up.
    QVERIFY(test::outcome(m_envd->files().writeSmall(remote(m_home + "/a"), "target!")).has_value());
    write(QStringLiteral("a"), "source");
    QVERIFY(old(local(QStringLiteral("a"))));
    const TransferId up = upload({QStringLiteral("a")}, m_home);
    WAIT_FOR_STATE(up, JobState::Conflict);
    m_engine->resolveConflict(up, static_cast<ConflictChoice>(choice), false);
    WAIT_FOR_STATE(up, JobState::Done);
    const auto content = [this](const QByteArray &name) {
        return test::outcome(m_envd->files().readSmall(remote(m_home + '/' + name), 100)).value_or(QByteArray());
    };
    QCOMPARE(content("a") + '|' + content("a (2)"), expected);
    // Down.
    QVERIFY(test::outcome(m_envd->files().writeSmall(remote(m_home + "/b"), "source")).has_value());
    QVERIFY(m_host->run(*m_envd, QStringLiteral("touch -d yesterday %1/b").arg(QString::fromUtf8(m_home))));
    write(QStringLiteral("back/b"), "target!");
    const TransferId down = download(m_home + "/b", QStringLiteral("back"));
    WAIT_FOR_STATE(down, JobState::Conflict);
    m_engine->resolveConflict(down, static_cast<ConflictChoice>(choice), false);
    WAIT_FOR_STATE(down, JobState::Done);
    const QByteArray second = read(QStringLiteral("back/b (2)"));
    QCOMPARE(read(QStringLiteral("back/b")) + '|' + (second == "(no file)" ? QByteArray() : second), expected);
}

void TestTransferReal::parallelUploadsIntoANewFolder()
{
    m_engine = std::make_unique<TransferEngine>(m_clock, EngineOptions{.parallelJobs = 16, .parallelFiles = 1});
    for (int i = 0; i < 16; ++i)
        write(QStringLiteral("new/a/b/f%1").arg(i), QByteArray::number(i));
    for (int round = 0; round < 10; ++round) {
        const QByteArray folder = m_home + "/r" + QByteArray::number(round);
        QList<TransferId> ids;
        for (int i = 0; i < 16; ++i)
            ids.append(upload({QStringLiteral("new/a/b/f%1").arg(i)}, folder + "/new/a/b"));
        for (const TransferId id : ids)
            WAIT_FOR_STATE(id, JobState::Done);
        QCOMPARE(remoteNames(folder + "/new/a/b").size(), 16);
    }
    QCOMPARE(*m_host->run(*m_envd, QStringLiteral("find %1 ! -user user").arg(QString::fromUtf8(m_home))),
             QByteArray());
}

void TestTransferReal::linksToParentsEndTheDownload()
{
    QVERIFY(m_host->run(*m_envd,
                        QStringLiteral("cd %1 && mkdir data && echo a > data/a.txt && ln -s %1/data data/loop && "
                                       "ln -s y data/x && ln -s x data/y && ln -s a.txt data/good && mkfifo data/pipe")
                            .arg(QString::fromUtf8(m_home))));
    const TransferId id = download(m_home + "/data", QStringLiteral("back"));
    WAIT_FOR_STATE(id, JobState::Done);
    QStringList found = problems(id);
    found.sort();
    QCOMPARE(found, (QStringList{QStringLiteral("data/loop|link"), QStringLiteral("data/pipe|special"),
                                 QStringLiteral("data/x|broken_link"), QStringLiteral("data/y|broken_link")}));
    QCOMPARE(QDir(local(QStringLiteral("back/data")))
                 .entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot),
             (QStringList{QStringLiteral("a.txt"), QStringLiteral("good")}));
    QCOMPARE(read(QStringLiteral("back/data/good")), QByteArray("a\n"));
    QVERIFY(!QFileInfo(local(QStringLiteral("back/data/good"))).isSymLink());
}

void TestTransferReal::aFolderInTheWayIsSaid()
{
    QVERIFY(test::outcome(m_envd->filesystem().makeDir(remote(m_home + "/a"))).has_value());
    write(QStringLiteral("a"), "file");
    write(QStringLiteral("b"), "file");
    const TransferId id = upload({QStringLiteral("a"), QStringLiteral("b")}, m_home);
    WAIT_FOR_STATE(id, JobState::Failed);
    QCOMPARE(problems(id), QStringList{QStringLiteral("a|in_the_way")});
    QCOMPARE(remoteNames(m_home), (QList<QByteArray>{"a", "b"}));
    QVERIFY(entry(m_home + "/a").isDirectory());
    // What was in the way is taken away, and only what is missing is tried again.
    QVERIFY(test::outcome(m_envd->filesystem().remove(remote(m_home + "/a"))).has_value());
    m_engine->retry(id);
    WAIT_FOR_STATE(id, JobState::Done);
    QVERIFY(problems(id).isEmpty());
    QCOMPARE(entry(m_home + "/a").size, 4);
}

void TestTransferReal::aVanishedSourceIsSaid()
{
    write(QStringLiteral("here"), "x");
    const TransferId id = upload({QStringLiteral("gone"), QStringLiteral("here")}, m_home);
    WAIT_FOR_STATE(id, JobState::Failed);
    QCOMPARE(problems(id), QStringList{QStringLiteral("gone|vanished")});
    QCOMPARE(remoteNames(m_home), QList<QByteArray>{"here"});
}

void TestTransferReal::aFileThatGrowsIsNotDone()
{
    writeRandom(QStringLiteral("log"), 200LL << 20);
    const TransferId id = upload({QStringLiteral("log")}, m_home);
    QVERIFY(test::eventually([&] { return m_engine->info(id)->bytesDone > 5 << 20; }));
    QFile file(local(QStringLiteral("log")));
    QVERIFY(file.open(QIODevice::Append));
    QCOMPARE(file.write(QByteArray(1 << 20, 'x')), 1 << 20);
    file.close();
    // It is done again from its start, with what the file is now.
    WAIT_FOR_STATE(id, JobState::Done);
    QCOMPARE(entry(m_home + "/log").size, 201LL << 20);
    QCOMPARE(remoteHash(m_home + "/log"), hashOf(QStringLiteral("log")));
    QCOMPARE(m_engine->info(id)->bytesTotal, 201LL << 20);
}

void TestTransferReal::aReadOnlyFolderIsSaid()
{
    write(QStringLiteral("a"), "x");
    const TransferId up = upload({QStringLiteral("a")}, "/usr");
    WAIT_FOR_STATE(up, JobState::Failed);
    QCOMPARE(m_engine->info(up)->problems.size(), 1);
    QCOMPARE(m_engine->info(up)->problems.first().error.httpStatus, 500);
    QVERIFY(!remoteNames("/usr").contains("a"));
    // And on this computer: nobody can make a file in /proc.
    QVERIFY(test::outcome(m_envd->files().writeSmall(remote(m_home + "/b"), "x")).has_value());
    const TransferId down = m_engine->download(m_source, {entry(m_home + "/b")}, QStringLiteral("/proc/self/fdinfo"));
    WAIT_FOR_STATE(down, JobState::Failed);
    QVERIFY(!m_engine->info(down)->problems.first().error.message.isEmpty());
    QCOMPARE(m_engine->info(down)->problems.first().error.kind, ErrorKind::Local);
}

void TestTransferReal::aFileThatVanishedInTheSandboxIsSaid()
{
    QVERIFY(test::outcome(m_envd->files().writeSmall(remote(m_home + "/b"), "x")).has_value());
    const EntryInfo listed = entry(m_home + "/b");
    QVERIFY(test::outcome(m_envd->filesystem().remove(remote(m_home + "/b"))).has_value());
    write(QStringLiteral("back/b"), "good");
    const TransferId id = m_engine->download(m_source, {listed}, local(QStringLiteral("back")));
    WAIT_FOR_STATE(id, JobState::Conflict);
    m_engine->resolveConflict(id, ConflictChoice::Overwrite, false);
    WAIT_FOR_STATE(id, JobState::Failed);
    QCOMPARE(m_engine->info(id)->problems.first().error.kind, ErrorKind::NotFound);
    QCOMPARE(read(QStringLiteral("back/b")), QByteArray("good"));
}

void TestTransferReal::pauseAndContinueADownload()
{
    constexpr qint64 size = 400LL << 20;
    QVERIFY(m_host->run(*m_envd,
                        QStringLiteral("head -c %1 /dev/urandom > %2/big").arg(size).arg(QString::fromUtf8(m_home))));
    const TransferId id = download(m_home + "/big", QStringLiteral("back"));
    QVERIFY(test::eventually([&] { return m_engine->info(id)->bytesDone > 20 << 20; }));
    m_engine->pause(id);
    QCOMPARE(m_engine->info(id)->state, JobState::Paused);
    const qint64 before = m_engine->info(id)->bytesDone;
    QVERIFY(before < size);
    m_engine->resume(id);
    QVERIFY(test::eventually([&] { return m_engine->info(id)->state == JobState::Running; }));
    QVERIFY(test::eventually([&] { return m_engine->info(id)->bytesDone >= before; })); // goes on, does not start over
    WAIT_FOR_STATE(id, JobState::Done);
    QCOMPARE(hashOf(QStringLiteral("back/big")), remoteHash(m_home + "/big"));
}

void TestTransferReal::pauseAndContinueAnUpload()
{
    writeRandom(QStringLiteral("big"), 300LL << 20);
    const TransferId id = upload({QStringLiteral("big")}, m_home);
    QVERIFY(test::eventually([&] { return m_engine->info(id)->bytesDone > 10 << 20; }));
    m_engine->pause(id);
    QCOMPARE(m_engine->info(id)->state, JobState::Paused);
    QCOMPARE(entry(m_home + "/big").type, protocol::FileType::Unknown);
    m_engine->resume(id);
    WAIT_FOR_STATE(id, JobState::Done);
    QCOMPARE(remoteHash(m_home + "/big"), hashOf(QStringLiteral("big")));
    QCOMPARE(remoteNames(m_home), QList<QByteArray>{"big"});
}

void TestTransferReal::aPausedSandboxPausesTheTransfer()
{
    writeRandom(QStringLiteral("big"), 300LL << 20);
    const TransferId id = upload({QStringLiteral("big")}, m_home);
    QVERIFY(test::eventually([&] { return m_engine->info(id)->bytesDone > 10 << 20; }));
    QVERIFY(test::outcome(m_host->control().pause(m_sandbox)).has_value());
    WAIT_FOR_STATE(id, JobState::Paused);
    QCOMPARE(m_engine->info(id)->error->code, QString(code::paused));
    // It did not wake it, and does not when asked to go on while it is paused.
    QCOMPARE(test::outcome(m_host->control().sandbox(m_sandbox))->state, protocol::SandboxState::Paused);
    m_engine->resume(id);
    QVERIFY(
        test::eventually([&] { return m_engine->info(id)->state == JobState::Paused && m_engine->info(id)->error; }));
    QCOMPARE(test::outcome(m_host->control().sandbox(m_sandbox))->state, protocol::SandboxState::Paused);
    QVERIFY(test::outcome(m_host->control().connect(m_sandbox, std::chrono::seconds(3600))).has_value());
    m_engine->resume(id);
    WAIT_FOR_STATE(id, JobState::Done);
    QCOMPARE(remoteHash(m_home + "/big"), hashOf(QStringLiteral("big")));
}

void TestTransferReal::downloadGoesOnAfterTheHostDied()
{
    constexpr qint64 size = 400LL << 20;
    QVERIFY(m_host->run(*m_envd,
                        QStringLiteral("head -c %1 /dev/urandom > %2/big").arg(size).arg(QString::fromUtf8(m_home))));
    const QByteArray hash = remoteHash(m_home + "/big");
    const TransferId id = download(m_home + "/big", QStringLiteral("back"));
    QVERIFY(test::eventually([&] { return m_engine->info(id)->bytesDone > 20 << 20; }));
    m_host->process().kill();
    QVERIFY(test::eventually([&] { return m_engine->info(id)->state == JobState::Retrying; }));
    const qint64 before = m_engine->info(id)->bytesDone;
    QVERIFY(m_host->process().start());
    WAIT_FOR_STATE(id, JobState::Done);
    QVERIFY(before > 0);
    QCOMPARE(hashOf(QStringLiteral("back/big")), hash);
}

void TestTransferReal::uploadSurvivesTheHostsDeath()
{
    writeRandom(QStringLiteral("big"), 300LL << 20);
    const TransferId id = upload({QStringLiteral("big")}, m_home);
    QVERIFY(test::eventually([&] { return m_engine->info(id)->bytesDone > 10 << 20; }));
    m_host->process().kill();
    QVERIFY(test::eventually([&] { return m_engine->info(id)->state == JobState::Retrying; }));
    QVERIFY(m_host->process().start());
    WAIT_FOR_STATE(id, JobState::Done);
    QCOMPARE(remoteHash(m_home + "/big"), hashOf(QStringLiteral("big")));
    QCOMPARE(remoteNames(m_home), QList<QByteArray>{"big"});
}

void TestTransferReal::memoryStaysSmall()
{
    QFile file(local(QStringLiteral("sparse")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.resize(600LL << 20));
    file.close();
    const qint64 before = residentBytes();
    qint64 most = before;
    const auto sample = [&] {
        most = qMax(most, residentBytes());
        return true;
    };
    const TransferId up = upload({QStringLiteral("sparse")}, m_home);
    QVERIFY(test::eventually([&] { return sample() && m_engine->info(up)->state == JobState::Done; }));
    const TransferId down = download(m_home + "/sparse", QStringLiteral("back"));
    QVERIFY(test::eventually([&] { return sample() && m_engine->info(down)->state == JobState::Done; }));
    qInfo("grew by %lld MiB", static_cast<long long>((most - before) >> 20));
    QVERIFY2(most - before < 64LL << 20, qPrintable(QString::number(most - before)));
}

QTEST_GUILESS_MAIN(TestTransferReal)
#include "tst_transfer_real.moc"
