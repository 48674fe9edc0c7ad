// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/disk_queue.h"
#include "backend/transfer/file_body.h"
#include "backend/transfer/local_disk.h"
#include "backend/transfer/local_walker.h"
#include "backend/transfer/transfer_info.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace boxdeck;
using namespace boxdeck::transfer;

class TestTransferDisk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void walkFindsHiddenEmptyAndLinkedFiles();
    void walkLeavesOutLinksThatLoopOrLeave();
    void walkListsWhatIsNoFile();
    void walkStopsAtItsLimits();
    void walkFollowsALinkThatWasGiven();

    void partFileTakesTheNameOnlyAtCommit();
    void partFileIsRemovedWhenDropped();
    void commitKeepsTheModeOfTheOldFile();
    void commitDoesNotReplaceUnasked();
    void commitReplacesALinkAndNotItsTarget();
    void foldersBelowTheChosenOneAreNeverLinks();
    void readOnlyFolderIsSaid();
    void fullDiskIsSaid();
    void freeNameCountsUp();

    void bodyGivesTheFileAndRewinds();
    void bodyNeverHoldsMoreThanItsWindow();
    void bodyRefusesTheLastBytesOfAChangedFile_data();
    void bodyRefusesTheLastBytesOfAChangedFile();
    void sourceIsARegularFile();

private:
    QByteArray path(const char *name) const { return QFile::encodeName(m_dir->path()) + '/' + name; }
    void write(const QByteArray &path, const QByteArray &content = "x") const;
    QByteArray read(const QByteArray &path) const;
    LocalTarget target(const QByteArray &name, const QList<QByteArray> &parts = {}) const
    {
        return {.root = QFile::encodeName(m_dir->path()), .parts = parts, .name = name};
    }

    std::unique_ptr<QTemporaryDir> m_dir;
};

void TestTransferDisk::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    QVERIFY(m_dir->isValid());
}

void TestTransferDisk::write(const QByteArray &path, const QByteArray &content) const
{
    // By its bytes: QFile can't make a name that is not UTF-8.
    const Fd file(::open(path.constData(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    QVERIFY(file.isOpen());
    QCOMPARE(::write(file.get(), content.constData(), static_cast<size_t>(content.size())), content.size());
}

QByteArray TestTransferDisk::read(const QByteArray &path) const
{
    QFile file(QFile::decodeName(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(no file)");
}

namespace {

QList<QByteArray> relatives(const LocalScan &scan)
{
    QList<QByteArray> names;
    for (const LocalFile &file : scan.files)
        names.append(file.relative);
    std::sort(names.begin(), names.end());
    return names;
}

QString problemCode(const LocalScan &scan, const QString &name)
{
    for (const Problem &problem : scan.problems) {
        if (problem.name == name)
            return problem.error.code;
    }
    return QStringLiteral("(none)");
}

} // namespace

void TestTransferDisk::walkFindsHiddenEmptyAndLinkedFiles()
{
    QVERIFY(QDir(m_dir->path()).mkpath(QStringLiteral("p/.git")));
    QVERIFY(QDir(m_dir->path()).mkpath(QStringLiteral("p/empty")));
    write(path("p/.env"), "A=1");
    write(path("p/.git/config"), "[core]");
    QCOMPARE(::symlink(".env", path("p/link").constData()), 0);
    const std::atomic_bool stop = false;
    const LocalScan scan = scanLocal({path("p")}, stop);
    QCOMPARE(relatives(scan), (QList<QByteArray>{"p/.env", "p/.git/config", "p/link"}));
    QCOMPARE(scan.folders, (QList<QByteArray>{"p", "p/.git", "p/empty"}));
    QCOMPARE(scan.bytes, 3 + 6 + 3);
    QVERIFY(scan.problems.isEmpty());
}

void TestTransferDisk::walkLeavesOutLinksThatLoopOrLeave()
{
    QVERIFY(QDir(m_dir->path()).mkpath(QStringLiteral("data")));
    write(path("data/a.txt"));
    write(path("private.key"));
    QCOMPARE(::symlink(path("data").constData(), path("data/loop").constData()), 0);
    QCOMPARE(::symlink("y", path("data/x").constData()), 0);
    QCOMPARE(::symlink("x", path("data/y").constData()), 0);
    QCOMPARE(::symlink("../private.key", path("data/notes").constData()), 0);
    const std::atomic_bool stop = false;
    const LocalScan scan = scanLocal({path("data")}, stop);
    QCOMPARE(relatives(scan), QList<QByteArray>{"data/a.txt"});
    QCOMPARE(scan.problems.size(), 4);
    QCOMPARE(problemCode(scan, QStringLiteral("data/loop")), QString(code::link));
    QCOMPARE(problemCode(scan, QStringLiteral("data/x")), QString(code::brokenLink));
    QCOMPARE(problemCode(scan, QStringLiteral("data/y")), QString(code::brokenLink));
    QCOMPARE(problemCode(scan, QStringLiteral("data/notes")), QString(code::link));
    QVERIFY(std::all_of(scan.problems.begin(), scan.problems.end(), [](const Problem &p) { return p.skipped; }));
}

void TestTransferDisk::walkListsWhatIsNoFile()
{
    QVERIFY(QDir(m_dir->path()).mkpath(QStringLiteral("d")));
    QCOMPARE(::mkfifo(path("d/pipe").constData(), 0600), 0);
    write(path("d/\xff\xfe.bin"));
    write(path("d/ok"));
    const std::atomic_bool stop = false;
    const LocalScan scan = scanLocal({path("d"), path("missing")}, stop);
    QCOMPARE(relatives(scan), QList<QByteArray>{"d/ok"});
    QCOMPARE(problemCode(scan, QStringLiteral("d/pipe")), QString(code::special));
    QCOMPARE(problemCode(scan, QString::fromUtf8("d/\xff\xfe.bin")), QString(code::badName));
    QCOMPARE(problemCode(scan, QStringLiteral("missing")), QString(code::vanished));
    QCOMPARE(::unlink(path("d/\xff\xfe.bin").constData()), 0); // QTemporaryDir can't
}

void TestTransferDisk::walkStopsAtItsLimits()
{
    QVERIFY(QDir(m_dir->path()).mkpath(QStringLiteral("d/1/2/3")));
    write(path("d/1/2/3/deep"));
    write(path("d/a"));
    write(path("d/b"));
    std::atomic_bool stop = false;
    const LocalScan shallow = scanLocal({path("d")}, stop, {.depth = 3});
    QCOMPARE(problemCode(shallow, QStringLiteral("d/1/2/3")), QString(code::tooMuch));
    QCOMPARE(relatives(shallow), (QList<QByteArray>{"d/a", "d/b"}));
    const LocalScan few = scanLocal({path("d")}, stop, {.entries = 5});
    QCOMPARE(problemCode(few, QStringLiteral("d/b")), QString(code::tooMuch));
    stop = true;
    QVERIFY(scanLocal({path("d")}, stop).files.isEmpty());
}

void TestTransferDisk::walkFollowsALinkThatWasGiven()
{
    QVERIFY(QDir(m_dir->path()).mkpath(QStringLiteral("real")));
    write(path("real/a"));
    QCOMPARE(::symlink("real", path("alias").constData()), 0);
    const std::atomic_bool stop = false;
    const LocalScan scan = scanLocal({path("alias")}, stop);
    QCOMPARE(relatives(scan), QList<QByteArray>{"alias/a"});
    QVERIFY(scan.problems.isEmpty());
}

void TestTransferDisk::partFileTakesTheNameOnlyAtCommit()
{
    write(path("a.txt"), "old");
    auto part = PartFile::create(target("a.txt"));
    QVERIFY(part.has_value());
    QVERIFY((*part)->append("new content").has_value());
    QCOMPARE(read(path("a.txt")), QByteArray("old"));
    QVERIFY((*part)->restart().has_value());
    QVERIFY((*part)->append("new").has_value());
    QCOMPARE((*part)->size(), 3);
    QVERIFY((*part)->commit("a.txt", true).has_value());
    QCOMPARE(read(path("a.txt")), QByteArray("new"));
    part->reset();
    QCOMPARE(QDir(m_dir->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             QStringList{QStringLiteral("a.txt")});
}

void TestTransferDisk::partFileIsRemovedWhenDropped()
{
    {
        auto part = PartFile::create(target("a.txt", {"new", "folder"}));
        QVERIFY(part.has_value());
        QVERIFY((*part)->append("half").has_value());
        QCOMPARE(QDir(m_dir->path() + QStringLiteral("/new/folder")).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }
    QVERIFY(QDir(m_dir->path() + QStringLiteral("/new/folder")).entryList(QDir::Files | QDir::Hidden).isEmpty());
}

void TestTransferDisk::commitKeepsTheModeOfTheOldFile()
{
    write(path("run.sh"), "old");
    QCOMPARE(::chmod(path("run.sh").constData(), 0750), 0);
    auto part = PartFile::create(target("run.sh"));
    QVERIFY((*part)->append("new").has_value());
    QVERIFY((*part)->commit("run.sh", true).has_value());
    struct stat info = {};
    QCOMPARE(::stat(path("run.sh").constData(), &info), 0);
    QCOMPARE(static_cast<int>(info.st_mode & 0777), 0750);
}

void TestTransferDisk::commitDoesNotReplaceUnasked()
{
    auto part = PartFile::create(target("a.txt"));
    QVERIFY((*part)->append("mine").has_value());
    write(path("a.txt"), "appeared meanwhile");
    const auto refused = (*part)->commit("a.txt", false);
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, QString(code::exists));
    QCOMPARE(read(path("a.txt")), QByteArray("appeared meanwhile"));
    QVERIFY((*part)->commit("a (2).txt", false).has_value());
    QCOMPARE(read(path("a (2).txt")), QByteArray("mine"));
}

void TestTransferDisk::commitReplacesALinkAndNotItsTarget()
{
    write(path("precious"), "precious");
    QCOMPARE(::symlink("precious", path("link").constData()), 0);
    const auto facts = localFacts(target("link"));
    QVERIFY(facts.has_value() && facts->has_value());
    auto part = PartFile::create(target("link"));
    QVERIFY((*part)->append("from the sandbox").has_value());
    QVERIFY((*part)->commit("link", true).has_value());
    QCOMPARE(read(path("precious")), QByteArray("precious"));
    QCOMPARE(read(path("link")), QByteArray("from the sandbox"));
}

void TestTransferDisk::foldersBelowTheChosenOneAreNeverLinks()
{
    QTemporaryDir outside;
    QCOMPARE(::symlink(QFile::encodeName(outside.path()).constData(), path("sub").constData()), 0);
    const auto part = PartFile::create(target("evil", {"sub"}));
    QVERIFY(!part.has_value());
    QCOMPARE(part.error().code, QString(code::inTheWay));
    QVERIFY(QDir(outside.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
    // The folder the user chose may itself be reached through a link.
    LocalTarget through = target("fine");
    through.root = path("sub");
    QVERIFY(PartFile::create(through).has_value());
}

void TestTransferDisk::readOnlyFolderIsSaid()
{
    // /proc refuses new files to everybody, root included.
    const auto part = PartFile::create({.root = "/proc/self", .parts = {}, .name = "x"});
    QVERIFY(!part.has_value());
    QVERIFY(part.error().code == code::readOnly || part.error().code == code::vanished);
    const auto missing = PartFile::create({.root = path("not there"), .parts = {}, .name = "x"});
    QCOMPARE(missing.error().code, QString(code::vanished));
}

void TestTransferDisk::fullDiskIsSaid()
{
    QCOMPARE(diskError(ENOSPC, "/x").code, QString(code::diskFull));
    QCOMPARE(diskError(EDQUOT, "/x").code, QString(code::diskFull));
    QCOMPARE(diskError(EROFS, "/x").code, QString(code::readOnly));
    QCOMPARE(diskError(ENOSPC, "/x").kind, ErrorKind::Local);
}

void TestTransferDisk::freeNameCountsUp()
{
    write(path("a.txt"));
    write(path("a (2).txt"));
    QCOMPARE(freeName(target("a.txt")).value(), QByteArray("a (3).txt"));
}

void TestTransferDisk::bodyGivesTheFileAndRewinds()
{
    QByteArray content;
    for (int i = 0; i < 300000; ++i)
        content += QByteArray::number(i) + '\n';
    write(path("big"), content);
    QThreadPool pool;
    QObject home;
    DiskQueue disk(pool, home);
    FileBody body(SourceFile::open(path("big")).value(), disk);
    QCOMPARE(body.size(), content.size());
    QByteArray got;
    QTRY_VERIFY((got += body.read(700000)).size() >= 1000000);
    QCOMPARE(got, content.left(got.size()));
    QVERIFY(body.seek(0));
    got.clear();
    QTRY_VERIFY((got += body.read(100000)).size() == content.size());
    QCOMPARE(got, content);
    QVERIFY(body.atEnd());
    pool.waitForDone();
}

void TestTransferDisk::bodyNeverHoldsMoreThanItsWindow()
{
    // A sparse file of 600 MB: the body must not read on while nobody takes its bytes.
    QFile file(QFile::decodeName(path("sparse")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.resize(600000000));
    file.close();
    QThreadPool pool;
    QObject home;
    DiskQueue disk(pool, home);
    FileBody body(SourceFile::open(path("sparse")).value(), disk);
    QSignalSpy ready(&body, &QIODevice::readyRead);
    QTRY_COMPARE(ready.size(), 4);
    pool.waitForDone();
    QCoreApplication::sendPostedEvents();
    QCOMPARE(ready.size(), 4);
    QCOMPARE(body.read(100000000).size(), 4 * 512 * 1024);
    pool.waitForDone();
}

void TestTransferDisk::bodyRefusesTheLastBytesOfAChangedFile_data()
{
    QTest::addColumn<qint64>("newSize");
    QTest::newRow("grew") << qint64(7000000);
    QTest::newRow("cut to half") << qint64(3000000);
}

void TestTransferDisk::bodyRefusesTheLastBytesOfAChangedFile()
{
    QFETCH(qint64, newSize);
    write(path("log"), QByteArray(6000000, 'l'));
    QThreadPool pool;
    QObject home;
    DiskQueue disk(pool, home);
    FileBody body(SourceFile::open(path("log")).value(), disk);
    QSignalSpy failed(&body, &FileBody::failed);
    qint64 given = 0;
    QTRY_VERIFY((given += body.read(100000).size()) >= 100000);
    QFile file(QFile::decodeName(path("log")));
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.resize(newSize));
    file.close();
    QTRY_VERIFY((given += body.read(1000000).size(), failed.size() == 1));
    QVERIFY(given < 6000000);
    QCOMPARE(failed.first().first().value<Error>().code, QString(code::sourceChanged));
    char byte = 0;
    QCOMPARE(body.read(&byte, 1), -1);
    pool.waitForDone();
}

void TestTransferDisk::sourceIsARegularFile()
{
    QCOMPARE(::mkfifo(path("pipe").constData(), 0600), 0);
    QCOMPARE(SourceFile::open(path("pipe")).error().code, QString(code::special)); // and does not hang
    QCOMPARE(SourceFile::open(path("gone")).error().code, QString(code::vanished));
}

QTEST_GUILESS_MAIN(TestTransferDisk)
#include "tst_transfer_disk.moc"
