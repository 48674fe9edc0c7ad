// SPDX-License-Identifier: GPL-3.0-or-later
// Installing what a sandbox begins with, in a real sandbox: all of it or nothing, and nothing left behind, whichever
// step fails. The steps are made to fail by commands of the same names that come first in PATH.
#include "backend/session/workspace_init.h"
#include "tests/support/real_host.h"
#include "tests/support/remote_paths.h"
#include "tests/support/waiting.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::session;
using namespace boxdeck::test;
using namespace Qt::StringLiterals;

class TestSessionBootstrapHost : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();

    void newSandboxIsPrepared();
    void secondArchiveReplacesTheFirst();
    void damagedArchiveChangesNothing();
    void missingTreeChangesNothing();
    void failingMoveIsTakenBack();
    void failingPreparationLeavesNothing_data();
    void failingPreparationLeavesNothing();
    void folderWithoutRightsChangesNothing();
    void foldersNobodyMayWriteInAreInstalledAndReplaced();
    void moveThatCantBeTakenBackIsTold();
    void sandboxThatFailsIsDeleted();

private:
    api::Envd &envd() { return *m_envd; }
    QByteArray run(const QString &line);
    /// Everything that could have changed, or be left: names, modes, links and contents below home and /tmp.
    QByteArray state()
    {
        return run(u"cd /home/user && find . /tmp -path ./shim -prune -o -path ./.cache -prune -o "
                   "-printf '%p %y %m %l\\n' | sort; find . -type f -not -path './shim/*' "
                   "-exec sha256sum {} + | sort"_s);
    }
    BootstrapArchivePtr pack(const QByteArray &mark, bool withSkills = true);
    Result<void> install(const BootstrapArchivePtr &archive)
    {
        return outcome(installBootstrap(m_envd, archive, u"b"_s));
    }
    /// Uploads an archive and runs the command with `shim` in front of PATH; gives its error, or none.
    Error installWith(const BootstrapArchivePtr &archive, const QMap<QString, QString> &envs, QString digest = {});
    void shim(const QByteArray &name, const QByteArray &body);

    RealHost m_host;
    std::shared_ptr<api::Envd> m_envd;
    std::unique_ptr<QTemporaryDir> m_dir;
};

void TestSessionBootstrapHost::initTestCase()
{
    QVERIFY2(m_host.isUp(), qPrintable(m_host.failure()));
}

void TestSessionBootstrapHost::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_envd = m_host.newSandbox();
    QVERIFY2(m_envd, qPrintable(m_host.failure()));
}

void TestSessionBootstrapHost::cleanup()
{
    if (m_envd)
        (void)outcome(m_host.control().kill(m_envd->target().id));
    m_envd.reset();
}

QByteArray TestSessionBootstrapHost::run(const QString &line)
{
    return m_host.run(envd(), line).value_or("(failed)");
}

BootstrapArchivePtr TestSessionBootstrapHost::pack(const QByteArray &mark, bool withSkills)
{
    const QDir dir(m_dir->path());
    const auto write = [&](const QString &name, const QByteArray &content) {
        QFile file(dir.filePath(name));
        if (file.open(QIODevice::WriteOnly))
            file.write(content);
    };
    const QString at = QString::fromUtf8(mark);
    dir.mkpath(at + u"/w/sub"_s);
    dir.mkpath(at + u"/s"_s);
    write(at + u"/w/which"_s, mark);
    write(at + u"/w/only-"_s + at, "x");
    write(at + u"/w/sub/deep"_s, QByteArray(300'000, mark.at(0)));
    write(at + u"/s/skill"_s, "skill of " + mark);
    QFile::link(u"sub/deep"_s, dir.filePath(at + u"/w/link"_s));
    QList<BootstrapTree> trees{{.name = "workspace",
                                .localFolder = QFile::encodeName(dir.filePath(at + u"/w"_s)),
                                .target = path("/home/user/work space/here")}};
    if (withSkills)
        trees.append({.name = "skills",
                      .localFolder = QFile::encodeName(dir.filePath(at + u"/s"_s)),
                      .target = path("/home/user/.boxdeck/skills")});
    return buildBootstrapArchive(trees).value();
}

Error TestSessionBootstrapHost::installWith(const BootstrapArchivePtr &archive, const QMap<QString, QString> &envs,
                                            QString digest)
{
    const BootstrapFiles files{.nonce = "n1",
                               .archive = path("/tmp/boxdeck-bootstrap-n1.tar"),
                               .manifest = path("/home/user/.boxdeck/.bootstrap-manifest-n1.json")};
    QFile file(archive->path());
    if (!file.open(QIODevice::ReadOnly) || !outcome(envd().files().writeSmall(files.archive, file.readAll())) ||
        !outcome(envd().files().writeSmall(files.manifest, "{}")))
        return {.code = u"no upload"_s};
    if (digest.isEmpty())
        digest = archive->sha256();
    api::Command command = bootstrapCommand(files, digest, archive->trees(), {});
    command.envs = envs;
    const auto ran = outcome(api::runCommand(envd().processes(), command), std::chrono::seconds(60));
    if (!ran)
        return ran.error();
    return ran->succeeded() ? Error{.code = u"ok"_s} : bootstrapExitError(ran->exitCode, ran->err);
}

void TestSessionBootstrapHost::shim(const QByteArray &name, const QByteArray &body)
{
    const RemotePath file = path("/home/user/shim/" + name);
    QVERIFY(outcome(envd().files().writeSmall(file, "#!/bin/sh\n" + body)).has_value());
    QCOMPARE(run(u"chmod 755 "_s + file.toString() + u"; echo ok"_s), "ok\n"_ba);
}

void TestSessionBootstrapHost::newSandboxIsPrepared()
{
    const auto archive = pack("one");
    const WorkspacePlan plan{
        .folders = {path("/home/user/work space"), path("/tmp/mine")}, .archive = archive, .binding = u"project 7"_s};
    const auto done = outcome(prepareSandbox(m_host.control(), m_envd, plan), std::chrono::seconds(60));
    QVERIFY2(done.has_value(), done ? "" : qPrintable(done.error().message));
    QCOMPARE(
        run(u"cat '/home/user/work space/here/which' /home/user/.boxdeck/skills/skill; test -d /tmp/mine && echo"_s),
        "oneskill of one\n"_ba);
    QCOMPARE(run(u"wc -c < '/home/user/work space/here/link'; stat -c %U '/home/user/work space/here/which'"_s),
             "300000\nuser\n"_ba);
    const auto manifest = outcome(readBootstrapManifest(envd()));
    QVERIFY(manifest.has_value());
    QCOMPARE(manifest->archiveSha256, archive->sha256());
    QCOMPARE(manifest->binding, u"project 7"_s);
    QVERIFY(outcome(checkBootstrap(envd(), *manifest)).has_value());
    QVERIFY(!outcome(checkBootstrap(envd(), {.archiveSha256 = u"00"_s})));
    QCOMPARE(run(u"ls -A /home/user/.boxdeck /tmp '/home/user/work space'"_s),
             "/home/user/.boxdeck:\nbootstrap\nskills\n\n/home/user/work space:\nhere\n\n/tmp:\nmine\n"_ba);
}

void TestSessionBootstrapHost::secondArchiveReplacesTheFirst()
{
    QVERIFY(install(pack("one")).has_value());
    QCOMPARE(run(u"echo mine > '/home/user/work space/here/added'; echo ok"_s), "ok\n"_ba);
    const auto second = pack("two");
    const auto done = install(second);
    QVERIFY2(done.has_value(), done ? "" : qPrintable(done.error().message));
    QCOMPARE(run(u"cd '/home/user/work space/here' && cat which && ls"_s), "twolink\nonly-two\nsub\nwhich\n"_ba);
    QCOMPARE(outcome(readBootstrapManifest(envd()))->archiveSha256, second->sha256());
    QCOMPARE(run(u"ls -A /home/user/.boxdeck '/home/user/work space' /tmp"_s),
             "/home/user/.boxdeck:\nbootstrap\nskills\n\n/home/user/work space:\nhere\n\n/tmp:\n"_ba);
}

void TestSessionBootstrapHost::damagedArchiveChangesNothing()
{
    QVERIFY(install(pack("one")).has_value());
    const QByteArray before = state();
    const Error error = installWith(pack("two"), {}, QString(64, u'0'));
    QCOMPARE(error.code, u"digest_mismatch"_s);
    QCOMPARE(state(), before);
}

void TestSessionBootstrapHost::missingTreeChangesNothing()
{
    QVERIFY(install(pack("one")).has_value());
    const QByteArray before = state();
    const auto whole = pack("two");
    const auto part = pack("two", false);
    // The command of one archive with the content of the other.
    QFile file(part->path());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const BootstrapFiles files{.nonce = "n2",
                               .archive = path("/tmp/boxdeck-bootstrap-n2.tar"),
                               .manifest = path("/home/user/.boxdeck/.bootstrap-manifest-n2.json")};
    QVERIFY(outcome(envd().files().writeSmall(files.archive, file.readAll())).has_value());
    QVERIFY(outcome(envd().files().writeSmall(files.manifest, "{}")).has_value());
    const auto ran =
        outcome(api::runCommand(envd().processes(), bootstrapCommand(files, part->sha256(), whole->trees(), {})));
    QCOMPARE(ran->exitCode, std::optional(42));
    QVERIFY2(ran->err.contains("skills"), ran->err.constData());
    QCOMPARE(state(), before);
}

void TestSessionBootstrapHost::failingMoveIsTakenBack()
{
    QVERIFY(install(pack("one")).has_value());
    // Fails at its FAIL-th run, without having done anything, as on a full or vanished disk; works at all others.
    shim("mv", "n=$(cat /home/user/shim/count); n=$((n + 1)); echo $n > /home/user/shim/count\n"
               "[ $n = \"$FAIL\" ] && { echo 'mv: no' >&2; exit 1; }\nexec /bin/mv \"$@\"\n");
    const QByteArray before = state();
    const auto second = pack("two");
    int fails = 0;
    for (int nth = 1; nth < 20; ++nth) {
        QCOMPARE(run(u"echo 0 > /home/user/shim/count; echo ok"_s), "ok\n"_ba);
        const Error error =
            installWith(second, {{u"PATH"_s, u"/home/user/shim:/usr/bin:/bin"_s}, {u"FAIL"_s, QString::number(nth)}});
        if (error.code == u"ok")
            break;
        ++fails;
        // The first two put the trees beside their targets; from then on there is something to take back.
        QCOMPARE(error.code, nth <= 2 ? u"not_prepared"_s : u"rolled_back"_s);
        const QByteArray after = state();
        QVERIFY2(after == before, qPrintable(u"move %1 left something:\n%2"_s.arg(nth).arg(QString::fromUtf8(after))));
    }
    // Two beside, two aside, two in, one manifest.
    QCOMPARE(fails, 7);
    QCOMPARE(run(u"cat '/home/user/work space/here/which'; ls -A /tmp"_s), "two"_ba);
}

void TestSessionBootstrapHost::failingPreparationLeavesNothing_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("tar stops half way") << "tar"_ba
                                        << "/bin/tar \"$@\"; echo 'tar: no space left' >&2; exit 2\n"_ba;
    QTest::newRow("no staging folder") << "mktemp"_ba
                                       << "exit 1\n"_ba;
    QTest::newRow("no digest") << "sha256sum"_ba
                               << "exit 127\n"_ba;
    QTest::newRow("no folder") << "mkdir"_ba
                               << "exit 1\n"_ba;
}

void TestSessionBootstrapHost::failingPreparationLeavesNothing()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, body);
    QVERIFY(install(pack("one")).has_value());
    shim(name, body);
    const QByteArray before = state();
    const Error error = installWith(pack("two"), {{u"PATH"_s, u"/home/user/shim:/usr/bin:/bin"_s}});
    QCOMPARE(error.code, u"not_prepared"_s);
    QCOMPARE(state(), before);
}

void TestSessionBootstrapHost::folderWithoutRightsChangesNothing()
{
    QVERIFY(install(pack("one")).has_value());
    // The second tree's folder can be read but not changed, so its tree can't be put beside it.
    QCOMPARE(run(u"chmod 555 '/home/user/work space'; echo ok"_s), "ok\n"_ba);
    const QByteArray before = state();
    const Error error = installWith(pack("two"), {});
    QCOMPARE(error.code, u"not_prepared"_s);
    QCOMPARE(state(), before);
    QCOMPARE(run(u"chmod 755 '/home/user/work space'; echo ok"_s), "ok\n"_ba);
    QCOMPARE(installWith(pack("two"), {}).code, u"ok"_s);
}

void TestSessionBootstrapHost::foldersNobodyMayWriteInAreInstalledAndReplaced()
{
    const auto archive = pack("one");
    for (const QString &folder : {u"/one/w/sub"_s, u"/one/w"_s})
        QVERIFY(QFile::setPermissions(m_dir->path() + folder, QFile::ReadOwner | QFile::ExeOwner));
    const auto locked = buildBootstrapArchive(archive->trees());
    QVERIFY(locked.has_value());
    QVERIFY(install(*locked).has_value());
    QCOMPARE(run(u"stat -c %a '/home/user/work space/here' '/home/user/work space/here/sub'"_s), "500\n500\n"_ba);
    const auto done = install(pack("two"));
    QVERIFY2(done.has_value(), done ? "" : qPrintable(done.error().message));
    QCOMPARE(run(u"cat '/home/user/work space/here/which'; ls -A '/home/user/work space'"_s), "twohere\n"_ba);
    for (const QString &folder : {u"/one/w"_s, u"/one/w/sub"_s})
        QVERIFY(QFile::setPermissions(m_dir->path() + folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
}

void TestSessionBootstrapHost::moveThatCantBeTakenBackIsTold()
{
    QVERIFY(install(pack("one")).has_value());
    // From the first move into place on nothing works any more.
    shim("mv", "n=$(cat /home/user/shim/count); n=$((n + 1)); echo $n > /home/user/shim/count\n"
               "[ $n -ge 4 ] && exit 1\nexec /bin/mv \"$@\"\n");
    QCOMPARE(run(u"echo 0 > /home/user/shim/count; echo ok"_s), "ok\n"_ba);
    const Error error = installWith(pack("two"), {{u"PATH"_s, u"/home/user/shim:/usr/bin:/bin"_s}});
    QCOMPARE(error.code, u"not_rolled_back"_s);
    // It says where the old tree is, and there it is.
    const QString old = u"/home/user/work space/here.boxdeck-old-n1"_s;
    QVERIFY2(error.message.contains(old), qPrintable(error.message));
    QCOMPARE(run(u"cat '"_s + old + u"/which'"_s), "one"_ba);
}

void TestSessionBootstrapHost::sandboxThatFailsIsDeleted()
{
    const protocol::SandboxId id = m_envd->target().id;
    const WorkspacePlan plan{.folders = {path("/proc/no/such")}};
    const auto done = outcome(prepareSandbox(m_host.control(), m_envd, plan));
    QVERIFY(!done);
    QCOMPARE(done.error().code, u"initialisation_failed"_s);
    QVERIFY2(done.error().message.contains(u"folders_failed"), qPrintable(done.error().message));
    QCOMPARE(outcome(m_host.control().sandbox(id)).error().kind, ErrorKind::NotFound);
    m_envd.reset();
}

QTEST_GUILESS_MAIN(TestSessionBootstrapHost)
#include "tst_session_bootstrap_host.moc"
