// SPDX-License-Identifier: GPL-3.0-or-later
// Packing what a sandbox begins with, and preparing a sandbox that answers too early.
#include "backend/session/workspace_init.h"
#include "tests/support/scripted_envd.h"
#include "tests/support/waiting.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace boxdeck;
using namespace boxdeck::session;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

const QByteArray started = eventMessage(R"({"start":{"pid":5}})");
const Script good = stream(started + eventMessage(R"({"end":{"exited":true}})") + endOfStream()).lastChunk();

QByteArray fileBytes(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : "(no file)"_ba;
}

} // namespace

class TestSessionBootstrap : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void archiveIsTheSameForTheSame();
    void archiveGoesWithItsLastHolder();
    void linksMoveWithTheirTree_data();
    void linksMoveWithTheirTree();
    void badSourcesAreRefused_data();
    void badSourcesAreRefused();
    void limitsHold_data();
    void limitsHold();
    void changesUnderWayAreNoticed_data();
    void changesUnderWayAreNoticed();

    void manifestsAreCompared_data();
    void manifestsAreCompared();
    void exitCodesHaveNames();

    void passingFaultsAreTriedAgain_data();
    void passingFaultsAreTriedAgain();
    void pausesGrowAndAreJittered();
    void sandboxThatCantBePreparedIsDeleted_data();
    void sandboxThatCantBePreparedIsDeleted();

private:
    void write(const QString &name, const QByteArray &content) const;
    void shell(const QString &line) const;
    QString at(const QString &name) const { return m_dir->filePath(name); }
    BootstrapTree tree(const QByteArray &name = "workspace") const
    {
        return {.name = name, .localFolder = QFile::encodeName(at(u"src"_s)), .target = path("/home/user/place")};
    }
    QString listing(const BootstrapArchivePtr &archive) const;

    std::unique_ptr<QTemporaryDir> m_dir;
};

void TestSessionBootstrap::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(m_dir->path()).mkpath(u"src/sub"_s));
    write(u"src/b.txt"_s, "bee");
    write(u"src/a.sh"_s, "#!/bin/sh\n");
    write(u"src/sub/caf\u00e9 +1"_s, QByteArray(1'000'000, 'x'));
    QCOMPARE(::chmod(QFile::encodeName(at(u"src/a.sh"_s)).constData(), 04750), 0);
    QCOMPARE(::chmod(QFile::encodeName(at(u"src/sub"_s)).constData(), 0700), 0);
}

void TestSessionBootstrap::write(const QString &name, const QByteArray &content) const
{
    QFile file(at(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

void TestSessionBootstrap::shell(const QString &line) const
{
    QProcess process;
    process.setWorkingDirectory(at(u"src"_s));
    process.start(u"/bin/sh"_s, {u"-c"_s, line});
    QVERIFY(process.waitForFinished());
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
}

QString TestSessionBootstrap::listing(const BootstrapArchivePtr &archive) const
{
    QProcess tar;
    tar.start(u"tar"_s, {u"-tvf"_s, archive->path(), u"--numeric-owner"_s, u"--full-time"_s, u"--utc"_s});
    if (!tar.waitForFinished() || tar.exitCode() != 0)
        return u"tar can't read it"_s;
    return QString::fromUtf8(tar.readAllStandardOutput()).simplified();
}

void TestSessionBootstrap::archiveIsTheSameForTheSame()
{
    shell(u"ln -s sub/../b.txt link"_s);
    const auto first = buildBootstrapArchive({tree("workspace"), tree("second")});
    QVERIFY2(first.has_value(), first ? "" : qPrintable(first.error().message));
    shell(u"touch -d '2001-01-01' b.txt sub; touch link"_s); // times don't count
    const auto second = buildBootstrapArchive({tree("workspace"), tree("second")});
    QVERIFY(fileBytes((*first)->path()) == fileBytes((*second)->path()));
    const QByteArray bytes = fileBytes((*first)->path());
    QCOMPARE((*first)->size(), bytes.size());
    QCOMPARE((*first)->sha256().toLatin1(), QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex());
    QVERIFY(bytes.mid(257, 8) == "ustar  \0"_ba); // GNU
    const QString list = listing(*first);
    QVERIFY2(list.startsWith(u"drwxr-xr-x 0/0 0 1970-01-01 00:00:00 workspace/ "
                             "-rwsr-x--- 0/0 10 1970-01-01 00:00:00 workspace/a.sh "
                             "-rw-r--r-- 0/0 3 1970-01-01 00:00:00 workspace/b.txt "
                             "lrwxrwxrwx 0/0 0 1970-01-01 00:00:00 workspace/link -> sub/../b.txt "
                             "drwx------ 0/0 0 1970-01-01 00:00:00 workspace/sub/ "
                             "-rw-r--r-- 0/0 1000000 1970-01-01 00:00:00 workspace/sub/"_s),
             qPrintable(list));
    write(u"src/b.txt"_s, "bed");
    const auto third = buildBootstrapArchive({tree("workspace"), tree("second")});
    QVERIFY((*third)->sha256() != (*first)->sha256());
}

void TestSessionBootstrap::archiveGoesWithItsLastHolder()
{
    QString file;
    {
        const auto archive = outcome(packBootstrapArchive({tree()}));
        QVERIFY(archive.has_value());
        const BootstrapArchivePtr other = *archive;
        file = other->path();
        QCOMPARE(QFile::permissions(file) & (QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther), 0);
    }
    QVERIFY(!QFile::exists(file));
    // Also when it was not finished.
    const QDir temp(QDir::tempPath());
    const qsizetype before = temp.entryList({u"boxdeck-bootstrap-*"_s}).size();
    QVERIFY(!buildBootstrapArchive({tree()}, {.entries = 3}));
    QCOMPARE(temp.entryList({u"boxdeck-bootstrap-*"_s}).size(), before);
}

void TestSessionBootstrap::linksMoveWithTheirTree_data()
{
    QTest::addColumn<QString>("make");
    QTest::addColumn<QString>("says"); // empty: refused
    QTest::newRow("relative") << u"ln -s b.txt l"_s << u"b.txt"_s;
    QTest::newRow("up and down") << u"ln -s ../b.txt sub/l"_s << u"../b.txt"_s;
    QTest::newRow("absolute") << u"ln -s \"$PWD/sub\" l"_s << u"/home/user/place/sub"_s;
    QTest::newRow("absolute, the tree itself") << u"ln -s \"$PWD\" l"_s << u"/home/user/place"_s;
    QTest::newRow("to nothing") << u"ln -s none l"_s << QString();
    QTest::newRow("out") << u"ln -s ../../.. l"_s << QString();
    QTest::newRow("absolute out") << u"ln -s /etc/passwd l"_s << QString();
    QTest::newRow("through another link out") << u"ln -s /etc sub/m; ln -s sub/m/passwd l"_s << QString();
    QTest::newRow("out and back in") << u"ln -s \"../$(basename \"$PWD\")/b.txt\" l"_s << QString();
    QTest::newRow("a sibling with a longer name")
        << u"mkdir ../src2; echo x > ../src2/f; ln -s ../src2/f l"_s << QString();
}

void TestSessionBootstrap::linksMoveWithTheirTree()
{
    QFETCH(QString, make);
    QFETCH(QString, says);
    shell(make);
    const auto archive = buildBootstrapArchive({tree()});
    QCOMPARE(archive.has_value(), !says.isEmpty());
    if (archive) {
        QVERIFY2(listing(*archive).contains(u"l -> "_s + says), qPrintable(listing(*archive)));
    } else {
        QCOMPARE(archive.error().code, u"bad_path"_s);
        QCOMPARE(archive.error().kind, ErrorKind::InvalidRequest);
    }
}

void TestSessionBootstrap::badSourcesAreRefused_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("folder"); // starting with / or below the test's folder
    QTest::addColumn<QString>("make");
    QTest::newRow("relative") << "w"_ba
                              << "src"_ba << QString();
    QTest::newRow("missing") << "w"_ba
                             << "@/none"_ba << QString();
    QTest::newRow("a file") << "w"_ba
                            << "@/src/b.txt"_ba << QString();
    QTest::newRow("the root") << "w"_ba
                              << "/"_ba << QString();
    QTest::newRow("pipe") << "w"_ba
                          << "@/src"_ba << u"mkfifo p"_s;
    QTest::newRow("name with a slash") << "a/b"_ba
                                       << "@/src"_ba << QString();
    QTest::newRow("name that climbs") << ".."_ba
                                      << "@/src"_ba << QString();
    QTest::newRow("empty name") << ""_ba
                                << "@/src"_ba << QString();
}

void TestSessionBootstrap::badSourcesAreRefused()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, folder);
    QFETCH(QString, make);
    if (!make.isEmpty())
        shell(make);
    folder.replace("@", QFile::encodeName(m_dir->path()));
    const auto archive =
        buildBootstrapArchive({{.name = name, .localFolder = folder, .target = path("/home/user/place")}});
    QVERIFY(!archive);
    QCOMPARE(archive.error().code, u"bad_path"_s);
    const auto twice = buildBootstrapArchive({tree("a"), tree("a")});
    QVERIFY(!twice);
}

void TestSessionBootstrap::limitsHold_data()
{
    QTest::addColumn<BootstrapLimits>("limits");
    QTest::addColumn<bool>("fits");
    // 5 entries, 1,000,013 bytes, the largest file 1,000,000.
    QTest::newRow("just") << BootstrapLimits{5, 1'000'000, 1'000'013} << true;
    QTest::newRow("entries") << BootstrapLimits{4, 1'000'000, 1'000'013} << false;
    QTest::newRow("file") << BootstrapLimits{5, 999'999, 1'000'013} << false;
    QTest::newRow("total") << BootstrapLimits{5, 1'000'000, 1'000'012} << false;
}

void TestSessionBootstrap::limitsHold()
{
    QFETCH(BootstrapLimits, limits);
    QFETCH(bool, fits);
    const auto archive = buildBootstrapArchive({tree()}, limits);
    QCOMPARE(archive.has_value(), fits);
    if (!fits) {
        QCOMPARE(archive.error().code, u"too_large"_s);
        QCOMPARE(archive.error().kind, ErrorKind::Capacity);
    }
}

void TestSessionBootstrap::changesUnderWayAreNoticed_data()
{
    QTest::addColumn<QByteArray>("when");
    QTest::addColumn<QString>("change");
    QTest::newRow("file grows") << "workspace/b.txt"_ba << u"echo more >> b.txt"_s;
    QTest::newRow("same size") << "workspace/b.txt"_ba << u"printf bed > b.txt"_s;
    QTest::newRow("file is replaced") << "workspace/b.txt"_ba << u"cp b.txt c; mv c b.txt"_s;
    QTest::newRow("file becomes a link") << "workspace/b.txt"_ba << u"rm b.txt; ln -s a.sh b.txt"_s;
    QTest::newRow("mode") << "workspace/a.sh"_ba << u"chmod 600 a.sh"_s;
    QTest::newRow("a folder gets a file after it was listed") << "workspace/sub/"_ba << u"sleep 0.05; echo x > new"_s;
    QTest::newRow("a listed file goes") << "workspace/a.sh"_ba << u"rm b.txt"_s;
}

void TestSessionBootstrap::changesUnderWayAreNoticed()
{
    QFETCH(QByteArray, when);
    QFETCH(QString, change);
    int times = 0;
    const auto archive = buildBootstrapArchive({tree()}, {}, [&](const QByteArray &entry) {
        if (entry == when && times++ == 0)
            shell(change);
    });
    QCOMPARE(times, 1);
    QVERIFY(!archive);
    QCOMPARE(archive.error().code, u"source_changed"_s);
    QCOMPARE(archive.error().kind, ErrorKind::Conflict);
}

void TestSessionBootstrap::manifestsAreCompared_data()
{
    QTest::addColumn<Script>("script");
    QTest::addColumn<QString>("code"); // empty: the same
    QTest::newRow("same") << Script::answer(200, R"({"version":1,"archive_sha256":"ab","binding":"other"})")
                          << QString();
    QTest::newRow("archive") << Script::answer(200, R"({"version":1,"archive_sha256":"cd","binding":"b"})")
                             << u"bootstrap_differs"_s;
    QTest::newRow("version") << Script::answer(200, R"({"version":2,"archive_sha256":"ab","binding":"b"})")
                             << u"bootstrap_differs"_s;
    QTest::newRow("none") << Script::answer(404, R"({"code":404,"message":"does not exist"})") << u"http_not_found"_s;
    QTest::newRow("unreadable") << Script::answer(200, "{") << u"bad_answer"_s;
}

void TestSessionBootstrap::manifestsAreCompared()
{
    QFETCH(Script, script);
    QFETCH(QString, code);
    FaultServer server(script);
    ScriptedSandbox sandbox(server);
    const auto checked = outcome(checkBootstrap(sandbox.envd, {.archiveSha256 = u"ab"_s, .binding = u"b"_s}));
    QCOMPARE(checked.has_value(), code.isEmpty());
    if (!checked)
        QCOMPARE(checked.error().code, code);
    QVERIFY(server.requests().first().query().contains("path=%2Fhome%2Fuser%2F.boxdeck%2Fbootstrap%2Fmanifest.json"));
}

void TestSessionBootstrap::exitCodesHaveNames()
{
    QCOMPARE(bootstrapExitError(41, {}).code, u"digest_mismatch"_s);
    QCOMPARE(bootstrapExitError(42, {}).code, u"tree_missing"_s);
    QCOMPARE(bootstrapExitError(44, {}).code, u"rolled_back"_s);
    QCOMPARE(bootstrapExitError(45, "tar: no space").code, u"not_prepared"_s);
    QVERIFY(bootstrapExitError(45, "tar: no space\n").message.contains(u"45: tar: no space"_s));
    QCOMPARE(bootstrapExitError(46, {}).code, u"not_rolled_back"_s);
    QCOMPARE(bootstrapExitError(std::nullopt, {}).code, u"bootstrap_failed"_s);
}

void TestSessionBootstrap::passingFaultsAreTriedAgain_data()
{
    QTest::addColumn<Script>("fault");
    QTest::addColumn<bool>("again");
    QTest::newRow("502, node lost") << Script::answer(502, "Failed to route request to sandbox") << true;
    QTest::newRow("502, not running") << Script::answer(502, R"({"sandboxId":"i1","code":502})") << true;
    QTest::newRow("503") << Script::answer(503) << true;
    QTest::newRow("500") << Script::answer(500) << true;
    QTest::newRow("429") << Script::answer(429, {}, {{"Retry-After", "1"}}) << true;
    QTest::newRow("closed") << Script().close() << true;
    QTest::newRow("cut") << stream(started).close() << true;
    QTest::newRow("ends without an end") << stream(started).lastChunk() << true;
    QTest::newRow("401") << Script::answer(401, R"({"code":401,"message":"unauthorized"})") << false;
    QTest::newRow("400") << Script::answer(400, "no") << false;
    QTest::newRow("says no")
        << stream(started + eventMessage(R"({"end":{"exitCode":1,"exited":true}})") + endOfStream()).lastChunk()
        << false;
    QTest::newRow("unreadable") << stream(net::encodeEnvelope("{nonsense") + endOfStream()).lastChunk() << false;
}

void TestSessionBootstrap::passingFaultsAreTriedAgain()
{
    QFETCH(Script, fault);
    QFETCH(bool, again);
    std::atomic<int> starts = 0;
    FaultServer server([&](const RecordedRequest &, int) { return starts++ < 2 ? fault : good; });
    ScriptedSandbox sandbox(server);
    const api::Pauses pauses{.wait = [](std::chrono::milliseconds) { return Call<void>::settled({}); },
                             .dice = [] { return 0.5; }};
    const WorkspacePlan plan{.folders = {path("/home/user/w x"), path("/tmp")}};
    const auto done = outcome(makeWorkspaceFolders(sandbox.envd.processes(), plan, pauses));
    QCOMPARE(done.has_value(), again);
    QCOMPARE(starts.load(), again ? 3 : 1);
    QVERIFY(server.requests().first().body.contains("mkdir -p -- '/home/user/w x' /tmp"));
}

void TestSessionBootstrap::pausesGrowAndAreJittered()
{
    for (const auto &[dice, factor] : {std::pair(0.0, 0.8), std::pair(0.5, 1.0), std::pair(1.0, 1.2)}) {
        FaultServer server(Script::answer(503, "busy"));
        ScriptedSandbox sandbox(server);
        QList<qint64> waited;
        const api::Pauses pauses{.wait =
                                     [&](std::chrono::milliseconds pause) {
                                         waited << pause.count();
                                         return Call<void>::settled({});
                                     },
                                 .dice = [dice = dice] { return dice; }};
        const auto done =
            outcome(makeWorkspaceFolders(sandbox.envd.processes(), {.folders = {path("/home/user/w")}}, pauses));
        QCOMPARE(done.error().httpStatus, 503); // the first cause, not "gave up"
        QCOMPARE(server.requestCount(), 6);
        QCOMPARE(waited.size(), 5);
        const QList<double> plain{200, 400, 800, 1600, 2000};
        for (int i = 0; i < 5; ++i)
            QVERIFY2(qAbs(static_cast<double>(waited[i]) - plain[i] * factor) <= 1,
                     QByteArray::number(waited[i]).constData());
    }
}

void TestSessionBootstrap::sandboxThatCantBePreparedIsDeleted_data()
{
    QTest::addColumn<int>("deleteStatus");
    QTest::newRow("deleted") << 204;
    QTest::newRow("gone already") << 404;
    QTest::newRow("not even that works") << 500;
}

void TestSessionBootstrap::sandboxThatCantBePreparedIsDeleted()
{
    QFETCH(int, deleteStatus);
    FaultServer server([&](const RecordedRequest &request, int) {
        if (request.method == "DELETE")
            return Script::answer(deleteStatus);
        if (request.path() == "/files")
            return Script::answer(507, R"({"code":507,"message":"not enough disk space available"})");
        return good;
    });
    ScriptedSandbox sandbox(server);
    api::ControlPlaneClient control(sandbox.transport, {.apiUrl = server.url(), .apiKey = Secret("e2b_1")});
    const auto envd = std::make_shared<api::Envd>(sandbox.transport, sandbox.envd.target());
    const WorkspacePlan plan{.folders = {path("/home/user/w")}, .archive = buildBootstrapArchive({tree()}).value()};
    const auto done = outcome(prepareSandbox(control, envd, plan));
    QVERIFY(!done);
    QCOMPARE(done.error().code, u"initialisation_failed"_s);
    QCOMPARE(done.error().httpStatus, 507);
    QVERIFY(done.error().message.contains(u"not enough disk space"));
    const auto all = server.requests();
    const auto isDelete = [](const RecordedRequest &r) { return r.method == "DELETE"; };
    QVERIFY(std::count_if(all.begin(), all.end(), isDelete) >= 1);
    const auto deleted = std::find_if(all.begin(), all.end(), isDelete);
    QCOMPARE(deleted->path(), "/sandboxes/i1"_ba);
    QCOMPARE(std::count_if(all.begin(), all.end(), [](const RecordedRequest &r) { return r.path() == "/files"; }), 1);

    // What works is left alone.
    FaultServer fine(good);
    ScriptedSandbox other(fine);
    api::ControlPlaneClient otherControl(other.transport, {.apiUrl = fine.url(), .apiKey = Secret("e2b_1")});
    const auto otherEnvd = std::make_shared<api::Envd>(other.transport, other.envd.target());
    QVERIFY(outcome(prepareSandbox(otherControl, otherEnvd, {.folders = {path("/w")}})).has_value());
    QCOMPARE(fine.requestCount(), 1);
}

QTEST_GUILESS_MAIN(TestSessionBootstrap)
#include "tst_session_bootstrap.moc"
