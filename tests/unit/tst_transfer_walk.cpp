// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/remote_walker.h"

#include <QMap>
#include <QSignalSpy>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::transfer;
using protocol::EntryInfo;
using protocol::FileType;

/// Walks listings a real server can't be asked for: hostile names, endless depth.
class TestTransferWalk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_listings.clear();
        m_listed = 0;
    }

    void findsEverythingOnce();
    void linksToFoldersAreNotWalked();
    void hostileNamesAreRefusedAndTheRestGoesOn();
    void namesAreMappedForWindows();
    void anUnreadableFolderIsOneProblem();
    void aBrokenConnectionEndsTheWalk();
    void depthAndCountAreLimited();
    void endlessFoldersEnd();

private:
    static RemotePath path(const char *text) { return RemotePath::parse(QByteArray(text)).value(); }
    static EntryInfo entry(const QByteArray &name, FileType type, qint64 size = 0,
                           std::optional<QByteArray> link = std::nullopt)
    {
        return {.name = name, .type = type, .size = size, .symlinkTarget = std::move(link)};
    }
    EntryInfo root(const char *where) const
    {
        const RemotePath at = path(where);
        return {.name = at.name(), .path = at, .type = FileType::Directory};
    }
    RemoteScan walk(const QList<EntryInfo> &roots, NameRules rules = NameRules::Linux, WalkLimits limits = {})
    {
        RemoteWalker walker([this](const RemotePath &at) { return list(at); }, rules, limits);
        QSignalSpy finished(&walker, &RemoteWalker::finished);
        walker.start(roots);
        if (!finished.wait())
            qWarning("the walk did not finish");
        return walker.scan();
    }
    Call<QList<EntryInfo>> list(const RemotePath &at)
    {
        ++m_listed;
        const auto found = m_listings.find(at.bytes());
        return Call<QList<EntryInfo>>::settled(found == m_listings.end() ? tl::unexpected(Error{}) : *found);
    }

    QMap<QByteArray, Result<QList<EntryInfo>>> m_listings;
    int m_listed = 0;
};

namespace {

QList<QByteArray> relatives(const RemoteScan &scan)
{
    QList<QByteArray> names;
    for (const RemoteFile &file : scan.files)
        names.append(file.relative());
    return names;
}

QStringList problems(const RemoteScan &scan)
{
    QStringList all;
    for (const Problem &problem : scan.problems)
        all.append(problem.name + QLatin1Char('|') + problem.error.code +
                   (problem.skipped ? QLatin1String() : QLatin1String("|failed")));
    return all;
}

} // namespace

void TestTransferWalk::findsEverythingOnce()
{
    m_listings["/data"] = QList<EntryInfo>{entry(".env", FileType::File, 3), entry("sub", FileType::Directory),
                                           entry("empty", FileType::Directory)};
    m_listings["/data/sub"] = QList<EntryInfo>{entry("a.txt", FileType::File, 5)};
    m_listings["/data/empty"] = QList<EntryInfo>{};
    EntryInfo file = entry("one.bin", FileType::File, 7);
    file.path = path("/other/one.bin");
    const RemoteScan scan = walk({root("/data"), file});
    QCOMPARE(relatives(scan), (QList<QByteArray>{"one.bin", "data/.env", "data/sub/a.txt"}));
    QCOMPARE(scan.folders, (QList<QList<QByteArray>>{{"data"}, {"data", "sub"}, {"data", "empty"}}));
    QCOMPARE(scan.bytes, 15);
    QCOMPARE(scan.files[0].path, path("/other/one.bin"));
    QCOMPARE(scan.files[2].path, path("/data/sub/a.txt"));
    QVERIFY(scan.problems.isEmpty());
}

void TestTransferWalk::linksToFoldersAreNotWalked()
{
    m_listings["/data"] = QList<EntryInfo>{entry("a.txt", FileType::File, 1),
                                           entry("loop", FileType::Directory, 5, QByteArray("/data")),
                                           entry("x", FileType::Unknown, 1, QByteArray("/data/x")),
                                           entry("y", FileType::Unknown, 1, QByteArray("/data/y")),
                                           entry("to-file", FileType::File, 5, QByteArray("/data/a.txt")),
                                           entry("sock", FileType::Unknown)};
    const RemoteScan scan = walk({root("/data")});
    QCOMPARE(relatives(scan), (QList<QByteArray>{"data/a.txt", "data/to-file"}));
    QCOMPARE(scan.bytes, 1); // a link's own size is not the file's
    QVERIFY(scan.files[1].isLink);
    QCOMPARE(problems(scan), (QStringList{QStringLiteral("data/loop|link"), QStringLiteral("data/x|broken_link"),
                                          QStringLiteral("data/y|broken_link"), QStringLiteral("data/sock|special")}));
    QCOMPARE(m_listed, 1);
    // A link that was asked for itself is followed.
    m_listings["/alias"] = QList<EntryInfo>{entry("b", FileType::File, 1)};
    EntryInfo alias = root("/alias");
    alias.symlinkTarget = QByteArray("/data");
    QCOMPARE(relatives(walk({alias})), QList<QByteArray>{"alias/b"});
}

void TestTransferWalk::hostileNamesAreRefusedAndTheRestGoesOn()
{
    const QList<QByteArray> hostile = {"..",        ".", "../../evil", "/tmp/abs", "a/b", QByteArray("n\0ul", 4),
                                       QByteArray()};
    QList<EntryInfo> listing{entry("first", FileType::File, 1)};
    for (const QByteArray &name : hostile) {
        listing.append(entry(name, FileType::File, 1));
        listing.append(entry(name, FileType::Directory));
    }
    listing.append(entry("back\\slash", FileType::File, 1));
    m_listings["/d"] = listing;
    const RemoteScan scan = walk({root("/d")});
    QCOMPARE(relatives(scan), (QList<QByteArray>{"d/first", "d/back\\slash"}));
    QCOMPARE(scan.folders.size(), 1);
    QCOMPARE(scan.problems.size(), 2 * hostile.size());
    QCOMPARE(m_listed, 1);
    for (const Problem &problem : scan.problems)
        QCOMPARE(problem.error.code, QString(code::badName));
}

void TestTransferWalk::namesAreMappedForWindows()
{
    m_listings["/d"] = QList<EntryInfo>{entry("aux", FileType::Directory), entry("Readme", FileType::File),
                                        entry("README", FileType::File)};
    m_listings["/d/aux"] = QList<EntryInfo>{entry("a:b", FileType::File)};
    const RemoteScan scan = walk({root("/d")}, NameRules::Windows);
    QCOMPARE(relatives(scan), (QList<QByteArray>{"d/Readme", "d/README (2)", "d/aux_/a_b"}));
    QCOMPARE(scan.files[2].path, path("/d/aux/a:b"));
    QCOMPARE(scan.renamed.size(), 3);
}

void TestTransferWalk::anUnreadableFolderIsOneProblem()
{
    m_listings["/d"] = QList<EntryInfo>{entry("secret", FileType::Directory), entry("ok", FileType::Directory)};
    m_listings["/d/secret"] = tl::unexpected(Error{.kind = ErrorKind::Internal, .code = QStringLiteral("internal")});
    m_listings["/d/ok"] = QList<EntryInfo>{entry("f", FileType::File)};
    const RemoteScan scan = walk({root("/d")});
    QCOMPARE(relatives(scan), QList<QByteArray>{"d/ok/f"});
    QCOMPARE(problems(scan), QStringList{QStringLiteral("d/secret|internal|failed")});
}

void TestTransferWalk::aBrokenConnectionEndsTheWalk()
{
    m_listings["/d"] = tl::unexpected(Error{.kind = ErrorKind::Unavailable});
    RemoteWalker walker([this](const RemotePath &at) { return list(at); }, NameRules::Linux);
    QSignalSpy failed(&walker, &RemoteWalker::failed);
    walker.start({root("/d")});
    QVERIFY(failed.wait());
    QCOMPARE(failed.first().first().value<Error>().kind, ErrorKind::Unavailable);
}

void TestTransferWalk::depthAndCountAreLimited()
{
    m_listings["/d"] =
        QList<EntryInfo>{entry("1", FileType::Directory), entry("a", FileType::File), entry("b", FileType::File)};
    m_listings["/d/1"] = QList<EntryInfo>{entry("2", FileType::Directory)};
    const RemoteScan shallow = walk({root("/d")}, NameRules::Linux, {.depth = 2});
    QCOMPARE(problems(shallow), QStringList{QStringLiteral("d/1/2|too_much|failed")});
    const RemoteScan few = walk({root("/d")}, NameRules::Linux, {.entries = 3});
    QCOMPARE(problems(few), QStringList{QStringLiteral("d/b|too_much|failed")});
    QCOMPARE(relatives(few), QList<QByteArray>{"d/a"});
}

void TestTransferWalk::endlessFoldersEnd()
{
    // A server that answers every folder with another one.
    RemoteWalker walker(
        [this](const RemotePath &) {
            ++m_listed;
            return Call<QList<EntryInfo>>::settled(QList<EntryInfo>{entry("d", FileType::Directory)});
        },
        NameRules::Linux);
    QSignalSpy finished(&walker, &RemoteWalker::finished);
    m_listed = 0;
    walker.start({root("/d")});
    QVERIFY(finished.wait());
    QCOMPARE(m_listed, WalkLimits().depth);
    QCOMPARE(walker.scan().problems.last().error.code, QString(code::tooMuch));
}

QTEST_GUILESS_MAIN(TestTransferWalk)
#include "tst_transfer_walk.moc"
