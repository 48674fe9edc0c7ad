// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/host_process.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace boxdeck;
using namespace boxdeck::session;

namespace {

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

/// Real processes (shell scripts) in the place of boxdeck-host.
class TestSessionHostProcess : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsAStartLine_data();
    void readsAStartLine();
    void givesTheFirstLineAndTheEnd();
    void keepsItsLastWords();
    void saysWhenItCantBeRun();
    void staysAliveWhenItsWatcherDies();
    void isFoundAgainAndWatched();
    void isNotTakenForAnotherProcessWithItsPid();
    void getsNoKeyOfOurs();
    void runsInASessionOfItsOwn();
    void leavesNoZombie();

private:
    std::unique_ptr<HostProcess> run(const QByteArray &script, const QStringList &arguments = {});
    QString path(const char *name) const { return m_dir.filePath(QLatin1String(name)); }

    QTemporaryDir m_dir;
};

std::unique_ptr<HostProcess> TestSessionHostProcess::run(const QByteArray &script, const QStringList &arguments)
{
    const QString program = path("host.sh");
    QFile::remove(program);
    QFile file(program);
    if (!file.open(QIODevice::WriteOnly))
        return nullptr;
    file.write("#!/bin/sh\n" + script);
    file.close();
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    auto process = HostProcess::launch(program, arguments, path("host.log"));
    return process ? std::move(*process) : nullptr;
}

void TestSessionHostProcess::readsAStartLine_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<bool>("good");
    QTest::newRow("whole") << QByteArray(R"({"apiUrl":"http://127.0.0.1:1","sandboxUrl":"http://127.0.0.1:1",)"
                                         R"("apiKey":"e2b_1","pid":7,"version":"new"})")
                           << true;
    QTest::newRow("no key") << QByteArray(
                                   R"({"apiUrl":"http://127.0.0.1:1","sandboxUrl":"http://127.0.0.1:1","pid":7})")
                            << false;
    QTest::newRow("no pid") << QByteArray(
                                   R"({"apiUrl":"http://127.0.0.1:1","sandboxUrl":"http://127.0.0.1:1","apiKey":"k"})")
                            << false;
    QTest::newRow("bad address") << QByteArray(R"({"apiUrl":"::","sandboxUrl":"","apiKey":"k","pid":7})") << false;
    QTest::newRow("no JSON") << QByteArray("listening on port 80") << false;
    QTest::newRow("an array") << QByteArray("[1]") << false;
    QTest::newRow("empty") << QByteArray() << false;
}

void TestSessionHostProcess::readsAStartLine()
{
    QFETCH(QByteArray, line);
    QFETCH(bool, good);
    QCOMPARE(parseStartLine(line).has_value(), good);
}

void TestSessionHostProcess::givesTheFirstLineAndTheEnd()
{
    const auto process = run("printf 'fir'; printf 'st\\nsecond\\n'; read x </dev/null; exit 3");
    QVERIFY(process);
    QSignalSpy line(process.get(), &HostProcess::startLine);
    QSignalSpy ended(process.get(), &HostProcess::ended);
    QTRY_COMPARE(ended.count(), 1);
    QTRY_COMPARE(line.count(), 1);
    QCOMPARE(line.first().first().toByteArray(), QByteArray("first"));
}

void TestSessionHostProcess::keepsItsLastWords()
{
    const auto process = run("head -c 10000 /dev/zero | tr '\\0' x >&2; echo ' install bubblewrap' >&2; exit 1");
    QVERIFY(process);
    QSignalSpy ended(process.get(), &HostProcess::ended);
    QTRY_COMPARE(ended.count(), 1);
    QVERIFY(process->lastWords().endsWith(QLatin1String("x install bubblewrap")));
    QVERIFY(process->lastWords().size() <= 4096);
    QVERIFY(!(QFile::permissions(path("host.log")) & (QFileDevice::ReadGroup | QFileDevice::ReadOther)));
}

void TestSessionHostProcess::saysWhenItCantBeRun()
{
    const auto absent = HostProcess::launch(path("nothing-here"), {}, path("host.log"));
    QVERIFY(!absent);
    QCOMPARE(absent.error().code, QStringLiteral("missing"));
    QCOMPARE(absent.error().kind, ErrorKind::Local);
    const auto noFolder = HostProcess::launch(QStringLiteral("/bin/true"), {}, path("no/such/folder/log"));
    QVERIFY(!noFolder);
}

void TestSessionHostProcess::staysAliveWhenItsWatcherDies()
{
    auto process = run("echo up; exec sleep 1000");
    QVERIFY(process);
    QSignalSpy line(process.get(), &HostProcess::startLine);
    QTRY_COMPARE(line.count(), 1);
    const pid_t pid = pid_t(process->pid());
    process.reset();
    QCOMPARE(::kill(pid, 0), 0);
    QVERIFY(ProcessIdentity::of(pid));
    ::kill(pid, SIGKILL);
    QCOMPARE(waitpid(pid, nullptr, 0), pid);
}

void TestSessionHostProcess::isFoundAgainAndWatched()
{
    auto process = run("exec sleep 1000");
    QVERIFY(process);
    const ProcessIdentity identity = process->identity();
    QVERIFY(identity.startTicks > 0);
    const auto again = HostProcess::attach(identity);
    QVERIFY(again);
    QSignalSpy ended(again.get(), &HostProcess::ended);
    again->terminate();
    QTRY_COMPARE(ended.count(), 1);
    QVERIFY(!HostProcess::attach(identity));
}

void TestSessionHostProcess::isNotTakenForAnotherProcessWithItsPid()
{
    auto process = run("exec sleep 1000");
    QVERIFY(process);
    ProcessIdentity other = process->identity();
    other.startTicks -= 1;
    QVERIFY(!HostProcess::attach(other));
    QVERIFY(!HostProcess::attach({.pid = 1, .startTicks = 0}));
    QVERIFY(!ProcessIdentity::of(-1));
    QSignalSpy ended(process.get(), &HostProcess::ended);
    process->kill();
    QTRY_COMPARE(ended.count(), 1);
    process->kill(); // nothing happens to whoever has the pid now
}

void TestSessionHostProcess::getsNoKeyOfOurs()
{
    qputenv("E2B_API_KEY", "e2b_secret");
    const auto process = run("printf '%s|%s|%s\\n' \"$E2B_API_KEY\" \"$HOME\" \"$1\"", {QStringLiteral("argument")});
    QVERIFY(process);
    QSignalSpy line(process.get(), &HostProcess::startLine);
    QTRY_COMPARE(line.count(), 1);
    QCOMPARE(line.first().first().toByteArray(), '|' + qgetenv("HOME") + "|argument");
    qunsetenv("E2B_API_KEY");
}

void TestSessionHostProcess::runsInASessionOfItsOwn()
{
    const auto process = run("pwd; exec sleep 1000");
    QVERIFY(process);
    QSignalSpy line(process.get(), &HostProcess::startLine);
    QTRY_COMPARE(line.count(), 1);
    QCOMPARE(line.first().first().toByteArray(), QByteArray("/"));
    QCOMPARE(getsid(pid_t(process->pid())), pid_t(process->pid()));
    QSignalSpy ended(process.get(), &HostProcess::ended);
    process->terminate();
    QTRY_COMPARE(ended.count(), 1);
}

void TestSessionHostProcess::leavesNoZombie()
{
    const auto process = run("exit 0");
    QVERIFY(process);
    QSignalSpy ended(process.get(), &HostProcess::ended);
    QTRY_COMPARE(ended.count(), 1);
    QVERIFY(contentOf(QStringLiteral("/proc/%1/stat").arg(process->pid())).isEmpty());
}

QTEST_GUILESS_MAIN(TestSessionHostProcess)
#include "tst_session_host_process.moc"
