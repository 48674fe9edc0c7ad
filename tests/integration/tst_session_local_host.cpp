// SPDX-License-Identifier: GPL-3.0-or-later
// LocalHost with the real boxdeck-host (BOXDECK_HOST names it), and with scripts in its place for what a real one can't
// be asked to do.
#include "backend/session/json_file.h"
#include "backend/session/local_host.h"
#include "tests/support/byte_scan.h"
#include "tests/support/fault_server.h"
#include "tests/support/outcome.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <csignal>

using namespace boxdeck;
using namespace boxdeck::session;
using namespace std::chrono_literals;
using boxdeck::test::FaultServer;
using boxdeck::test::filesHolding;
using boxdeck::test::Outcome;
using boxdeck::test::Script;

using State = LocalHost::State;

namespace {

constexpr int patience = 30'000; // ms; a loaded machine starts a host slowly

constexpr auto forOthers =
    QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ReadOther | QFileDevice::WriteOther;

} // namespace

class TestSessionLocalHost : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void startsAHostThatProvesItself();
    void keepsAHostAndFindsItAgain();
    void findsTheHostAfterACrashOfTheApp();
    void startsItAgainWhenItDies();
    void goesOnWithAHostStartedByHand();
    void leavesAStrangersHostAlone();
    void stopsIt();
    void stopsItWhileItStarts();
    void takesAnotherPortWhenTheOldOneIsTaken();
    void isNotFooledByAStaleStateFile();
    void replacesAHostThatHangs();
    void saysWhatTheHostRefused();
    void saysThatTheProgramIsMissing();
    void givesUpOnASilentHost();
    void givesUpOnAHostThatTalksNonsense();
    void givesUpOnAHostThatDiesAgainAndAgain();

private:
    std::unique_ptr<LocalHost> make(LocalHost::Options options = {});
    QString script(const QByteArray &text) const;
    QString stateFile() const { return m_dir->filePath(QStringLiteral("local-host.json")); }
    bool becomesReady(LocalHost &host) const
    {
        host.start();
        const bool ready = QTest::qWaitFor([&] { return host.state() == State::Ready; }, patience);
        if (!ready && host.lastError())
            qWarning("%s: %s", qPrintable(host.lastError()->code), qPrintable(host.lastError()->message));
        return ready;
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<net::HttpTransport> m_transport;
};

void TestSessionLocalHost::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_transport = std::make_unique<net::HttpTransport>();
    QVERIFY2(QFile::exists(qEnvironmentVariable("BOXDECK_HOST")), "BOXDECK_HOST must name the real host");
}

void TestSessionLocalHost::cleanup()
{
    const QJsonObject state = readJsonFile(stateFile()).value_or(QJsonObject());
    const ProcessIdentity identity{.pid = state.value(QLatin1String("pid")).toInteger(),
                                   .startTicks = state.value(QLatin1String("startTicks")).toString().toULongLong()};
    if (const auto left = HostProcess::attach(identity)) {
        QSignalSpy ended(left.get(), &HostProcess::ended);
        left->terminate();
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, patience);
    }
}

std::unique_ptr<LocalHost> TestSessionLocalHost::make(LocalHost::Options options)
{
    options.dataDir = m_dir->path();
    return std::make_unique<LocalHost>(options, *m_transport);
}

QString TestSessionLocalHost::script(const QByteArray &text) const
{
    const QString path = m_dir->filePath(QStringLiteral("host.sh"));
    QFile file(path);
    if (file.open(QIODevice::WriteOnly | QIODevice::Truncate))
        file.write("#!/bin/sh\n" + text);
    file.close();
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    return path;
}

void TestSessionLocalHost::startsAHostThatProvesItself()
{
    const auto host = make();
    QSignalSpy ready(host.get(), &LocalHost::ready);
    QVERIFY(becomesReady(*host));
    QCOMPARE(ready.count(), 1);
    QVERIFY(net::isLoopback(host->apiUrl().host()));
    QVERIFY(host->apiKey().reveal().startsWith("e2b_"));
    QVERIFY(host->pid() > 0);

    api::Endpoint endpoint;
    endpoint.apiUrl = host->apiUrl();
    endpoint.apiKey = host->apiKey();
    Outcome list(api::ControlPlaneClient(*m_transport, endpoint).listAllSandboxes());
    QTRY_VERIFY(list.ok());
    endpoint.apiKey = Secret("e2b_wrong");
    Outcome wrong(api::ControlPlaneClient(*m_transport, endpoint).listAllSandboxes());
    QTRY_COMPARE(wrong.error().kind, ErrorKind::Authentication);

    // The key is in the host's own file and nowhere else.
    QVERIFY(!(QFile::permissions(stateFile()) & forOthers));
    QCOMPARE(filesHolding(m_dir->path(), {host->apiKey().reveal()}),
             QStringList{m_dir->filePath(QStringLiteral("host/api-key"))});
    QVERIFY(!(QFile::permissions(m_dir->filePath(QStringLiteral("host/api-key"))) & forOthers));
    QFile arguments(QStringLiteral("/proc/%1/cmdline").arg(host->pid()));
    QVERIFY(arguments.open(QIODevice::ReadOnly));
    QVERIFY(!arguments.readAll().contains(host->apiKey().reveal()));
}

void TestSessionLocalHost::keepsAHostAndFindsItAgain()
{
    auto first = make();
    QVERIFY(becomesReady(*first));
    const qint64 pid = first->pid();
    const QUrl url = first->apiUrl();
    const Secret key = first->apiKey();
    first->keepRunning();
    QCOMPARE(first->state(), State::Off);
    first.reset();

    const auto second = make();
    QVERIFY(becomesReady(*second));
    QCOMPARE(second->pid(), pid);
    QCOMPARE(second->apiUrl(), url);
    QVERIFY(second->apiKey() == key);
    // … and it can be stopped although another run of the app started it.
    second->stop();
    QTRY_COMPARE_WITH_TIMEOUT(second->state(), State::Off, patience);
    QTRY_VERIFY(!ProcessIdentity::of(pid)); // reaped by this process in the first run's place
}

void TestSessionLocalHost::findsTheHostAfterACrashOfTheApp()
{
    auto first = make();
    QVERIFY(becomesReady(*first));
    const qint64 pid = first->pid();
    first.reset(); // no goodbye
    const auto second = make();
    QVERIFY(becomesReady(*second));
    QCOMPARE(second->pid(), pid);
}

void TestSessionLocalHost::startsItAgainWhenItDies()
{
    const auto host = make();
    QVERIFY(becomesReady(*host));
    const qint64 pid = host->pid();
    const QUrl url = host->apiUrl();
    const Secret key = host->apiKey();
    QSignalSpy lost(host.get(), &LocalHost::lost);
    QSignalSpy ready(host.get(), &LocalHost::ready);
    QCOMPARE(::kill(pid_t(pid), SIGKILL), 0);
    QTRY_COMPARE(lost.count(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 1, patience);
    QVERIFY(host->pid() != pid);
    QCOMPARE(host->apiUrl(), url); // the same address, so that whoever knows it goes on
    QVERIFY(host->apiKey() == key);
}

// The last one died, and a person was quicker than the app to start another.
void TestSessionLocalHost::goesOnWithAHostStartedByHand()
{
    const auto byHand = HostProcess::launch(qEnvironmentVariable("BOXDECK_HOST"),
                                            {QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0"),
                                             QStringLiteral("--data"), m_dir->filePath(QStringLiteral("host"))},
                                            m_dir->filePath(QStringLiteral("by-hand.log")));
    QVERIFY(byHand);
    QSignalSpy up(byHand->get(), &HostProcess::startLine);
    QTRY_COMPARE_WITH_TIMEOUT(up.count(), 1, patience);
    const auto line = parseStartLine(up.first().first().toByteArray());
    QVERIFY(line);
    QVERIFY(writeJsonFile(stateFile(), {{QStringLiteral("apiUrl"), line->apiUrl.toString()}}));

    const auto host = make();
    QVERIFY(becomesReady(*host));
    QCOMPARE(host->pid(), (*byHand)->pid());
    QCOMPARE(host->apiUrl(), line->apiUrl);
    QSignalSpy lost(host.get(), &LocalHost::lost); // it is watched as well
    (*byHand)->kill();
    QTRY_COMPARE(lost.count(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(host->state(), State::Ready, patience);
}

void TestSessionLocalHost::leavesAStrangersHostAlone()
{
    // A host on our folder, at an address we don't know.
    const auto stranger = HostProcess::launch(qEnvironmentVariable("BOXDECK_HOST"),
                                              {QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0"),
                                               QStringLiteral("--data"), m_dir->filePath(QStringLiteral("host"))},
                                              m_dir->filePath(QStringLiteral("by-hand.log")));
    QVERIFY(stranger);
    QSignalSpy up(stranger->get(), &HostProcess::startLine);
    QTRY_COMPARE_WITH_TIMEOUT(up.count(), 1, patience);
    const auto host = make();
    QSignalSpy failed(host.get(), &LocalHost::failed);
    host->start();
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, patience);
    QCOMPARE(host->lastError()->code, QStringLiteral("refused"));
    QVERIFY(host->lastError()->message.contains(QLatin1String("another boxdeck-host")));
    QVERIFY(ProcessIdentity::of((*stranger)->pid()));
    QSignalSpy ended(stranger->get(), &HostProcess::ended);
    (*stranger)->terminate();
    QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, patience);
}

void TestSessionLocalHost::stopsIt()
{
    const auto host = make();
    QVERIFY(becomesReady(*host));
    const qint64 pid = host->pid();
    QSignalSpy lost(host.get(), &LocalHost::lost);
    host->stop();
    QTRY_COMPARE_WITH_TIMEOUT(host->state(), State::Off, patience);
    QVERIFY(!ProcessIdentity::of(pid));
    QVERIFY(!QFile::exists(stateFile()));
    QCOMPARE(lost.count(), 0);
    host->stop(); // twice is no harm
    QCOMPARE(host->state(), State::Off);
}

void TestSessionLocalHost::stopsItWhileItStarts()
{
    const auto host = make();
    QSignalSpy ready(host.get(), &LocalHost::ready);
    host->start();
    QCOMPARE(host->state(), State::Starting);
    const qint64 pid = host->pid();
    host->stop();
    QTRY_COMPARE_WITH_TIMEOUT(host->state(), State::Off, patience);
    QVERIFY(!ProcessIdentity::of(pid));
    QCOMPARE(ready.count(), 0);
}

void TestSessionLocalHost::takesAnotherPortWhenTheOldOneIsTaken()
{
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    QVERIFY(writeJsonFile(stateFile(),
                          {{QStringLiteral("apiUrl"), QStringLiteral("http://127.0.0.1:%1").arg(other.serverPort())}}));
    const auto host = make();
    QVERIFY(becomesReady(*host));
    QVERIFY(host->apiUrl().port() != other.serverPort());
}

void TestSessionLocalHost::isNotFooledByAStaleStateFile()
{
    // The pid of a process that lives, but is another one than the file means: this one.
    QVERIFY(writeJsonFile(stateFile(), {{QStringLiteral("pid"), QCoreApplication::applicationPid()},
                                        {QStringLiteral("startTicks"), QStringLiteral("1")},
                                        {QStringLiteral("boot"), QStringLiteral("an older one")},
                                        {QStringLiteral("apiUrl"), QStringLiteral("http://127.0.0.1:9")},
                                        {QStringLiteral("sandboxUrl"), QStringLiteral("http://127.0.0.1:9")}}));
    const auto host = make();
    QVERIFY(becomesReady(*host));
    QVERIFY(host->pid() != QCoreApplication::applicationPid());
}

void TestSessionLocalHost::replacesAHostThatHangs()
{
    auto first = make();
    QVERIFY(becomesReady(*first));
    const qint64 pid = first->pid();
    QCOMPARE(::kill(pid_t(pid), SIGSTOP), 0);
    first.reset();
    const auto second = make({.startLimit = 1500ms, .stopLimit = 200ms});
    second->start();
    QTRY_VERIFY_WITH_TIMEOUT(second->pid() > 0 && second->pid() != pid, patience);
    QVERIFY(!ProcessIdentity::of(pid));
}

void TestSessionLocalHost::saysWhatTheHostRefused()
{
    const auto host = make(
        {.program = script("echo 'boxdeck-host: bubblewrap is not installed; apt install bubblewrap' >&2; exit 1\n")});
    QSignalSpy failed(host.get(), &LocalHost::failed);
    host->start();
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(host->state(), State::Failed);
    QCOMPARE(host->lastError()->code, QStringLiteral("refused"));
    QCOMPARE(host->lastError()->message,
             QStringLiteral("boxdeck-host: bubblewrap is not installed; apt install bubblewrap"));
    host->start(); // the person installed it, and tries again
    QTRY_COMPARE(failed.count(), 2);
}

void TestSessionLocalHost::saysThatTheProgramIsMissing()
{
    const auto host = make({.program = m_dir->filePath(QStringLiteral("nothing-here"))});
    QSignalSpy failed(host.get(), &LocalHost::failed);
    host->start();
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(host->lastError()->code, QStringLiteral("missing"));
    QVERIFY(host->lastError()->message.contains(QLatin1String("nothing-here")));
}

void TestSessionLocalHost::givesUpOnASilentHost()
{
    const auto host = make({.program = script("echo thinking >&2; exec sleep 1000\n"), .startLimit = 300ms});
    QSignalSpy failed(host.get(), &LocalHost::failed);
    host->start();
    const qint64 pid = host->pid();
    QVERIFY(pid > 0);
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(host->lastError()->code, QStringLiteral("silent"));
    QCOMPARE(host->lastError()->message, QStringLiteral("thinking"));
    QTRY_VERIFY(!ProcessIdentity::of(pid));
}

void TestSessionLocalHost::givesUpOnAHostThatTalksNonsense()
{
    const auto host = make({.program = script("echo 'Serving HTTP on 0.0.0.0 port 8000'; exec sleep 1000\n")});
    QSignalSpy failed(host.get(), &LocalHost::failed);
    host->start();
    const qint64 pid = host->pid();
    QTRY_COMPARE(failed.count(), 1);
    QTRY_VERIFY(!ProcessIdentity::of(pid));
}

void TestSessionLocalHost::givesUpOnAHostThatDiesAgainAndAgain()
{
    const FaultServer api(Script::answer(200, "[]", {{"Content-Type", "application/json"}}));
    const QByteArray url = "http://127.0.0.1:" + QByteArray::number(api.port());
    const auto host = make({.program = script("printf '{\"apiUrl\":\"" + url + "\",\"sandboxUrl\":\"" + url +
                                              "\",\"apiKey\":\"e2b_1\",\"pid\":%s}\\n' $$\n"
                                              "echo 'out of luck' >&2; exec sleep 0.5\n")});
    QSignalSpy lost(host.get(), &LocalHost::lost);
    QSignalSpy failed(host.get(), &LocalHost::failed);
    host->start();
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, patience);
    QVERIFY2(lost.count() >= 3, "a few tries are made");
    QCOMPARE(host->lastError()->code, QStringLiteral("refused"));
    QCOMPARE(host->lastError()->message, QStringLiteral("out of luck"));
}

QTEST_GUILESS_MAIN(TestSessionLocalHost)
#include "tst_session_local_host.moc"
