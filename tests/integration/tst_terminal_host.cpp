// SPDX-License-Identifier: GPL-3.0-or-later
// Terminals in a real sandbox: PTY, job control, sizes, floods, and what is left when the host dies.
#include "backend/session/local_host.h"
#include "backend/session/session.h"
#include "backend/terminal/terminal_session.h"
#include "backend/terminal/text_query.h"
#include "tests/support/outcome.h"

#include <QCryptographicHash>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <csignal>

using namespace boxdeck;
using namespace boxdeck::terminal;
using namespace std::chrono_literals;
using boxdeck::session::LocalHost;
using boxdeck::session::Session;
using boxdeck::test::Outcome;

namespace {

constexpr int patience = 30'000; // ms; a loaded machine starts a sandbox slowly

QString screenText(const TerminalSession &terminal)
{
    return allText(terminal.emulator().screen());
}

/// Types a command again and again until its answer shows: for what takes a moment to become true.
bool answers(TerminalSession &terminal, const QByteArray &command, const QString &answer)
{
    for (int tries = 0; tries < patience / 1000; ++tries) {
        terminal.write(command + '\r');
        if (QTest::qWaitFor([&] { return screenText(terminal).contains(answer); }, 1000))
            return true;
    }
    return false;
}

qint64 residentKiB()
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (status.open(QIODevice::ReadOnly))
        for (const QByteArray &line : status.readAll().split('\n'))
            if (line.startsWith("VmRSS:"))
                return line.mid(6).simplified().split(' ').first().toLongLong();
    return 0;
}

} // namespace

class TestTerminalHost : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void runsALoginShellInUtf8();
    void hasItsSizeFromTheFirstLine();
    void followsResizes();
    void passesEveryByte();
    void obeysJobControl();
    void floodsStayBoundedAndInterruptible();
    void isFoundAgainByPidAtAnotherSize();
    void tellsHowTheShellEnded();
    void survivesAPause();
    void killLeavesNothing();
    void saysWhatWasLostWhenTheHostDies();

private:
    std::unique_ptr<TerminalSession> terminal(TerminalSession::Program program = {})
    {
        return std::make_unique<TerminalSession>(
            TerminalSession::Source{.envd = [this] { return m_session->envd(m_sandbox); },
                                    .forget = [this] { m_session->forgetEnvd(m_sandbox); }},
            std::move(program), m_clock);
    }
    void reconnect()
    {
        auto profile = session::ConnectionProfile::selfHosted(QStringLiteral("host"), m_host->apiUrl());
        profile.sandboxUrl = m_host->sandboxUrl();
        if (m_session)
            return m_session->reconnect(profile, m_host->apiKey());
        m_session = std::make_unique<Session>(profile, m_host->apiKey(), m_transport, m_clock);
        m_session->sandboxes().setPace({.visible = 200ms});
        m_session->start();
    }
    /// A shell that is ready for a command, with a prompt that is easy to wait for.
    std::unique_ptr<TerminalSession> shell(int rows = 24, int columns = 80)
    {
        auto made = terminal({.envs = {{QStringLiteral("PS1"), QStringLiteral("ready> ")}}, .tag = {}});
        made->resize(rows, columns);
        made->start();
        // Login files may set another prompt; ours is set again by hand.
        made->write("PS1='rea''dy> '\r");
        (void)QTest::qWaitFor([&] { return screenText(*made).endsWith(QStringLiteral("ready>")); }, patience);
        return made;
    }

    QTemporaryDir m_dir;
    net::HttpTransport m_transport;
    SystemClock m_clock;
    std::unique_ptr<LocalHost> m_host;
    std::unique_ptr<Session> m_session;
    protocol::SandboxId m_sandbox;
};

void TestTerminalHost::initTestCase()
{
    m_host = std::make_unique<LocalHost>(LocalHost::Options{.dataDir = m_dir.path()}, m_transport);
    m_host->start();
    QTRY_COMPARE_WITH_TIMEOUT(m_host->state(), LocalHost::State::Ready, patience);
    reconnect();
    protocol::NewSandbox wanted;
    wanted.timeout = 1800s;
    Outcome created(m_session->create(wanted));
    QTRY_VERIFY_WITH_TIMEOUT(created.done(), patience);
    QVERIFY2(created.ok(), qPrintable(created.error().message));
    m_sandbox = created.value().id;
}

void TestTerminalHost::cleanupTestCase()
{
    m_session.reset();
    m_host->stop();
    QTRY_COMPARE_WITH_TIMEOUT(m_host->state(), LocalHost::State::Off, patience);
}

void TestTerminalHost::runsALoginShellInUtf8()
{
    auto t = shell();
    t->write("echo $TERM $LANG $LC_ALL $0; locale charmap\r");
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*t).contains(QStringLiteral("xterm-256color C.UTF-8 C.UTF-8")), patience);
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*t).contains(QStringLiteral("UTF-8\nready>")), patience);
    t->write("printf '\\342\\224\\214\\342\\224\\200\\342\\224\\220\\n'\r");
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*t).contains(QStringLiteral("\n\u250c\u2500\u2510\n")), patience);
}

void TestTerminalHost::hasItsSizeFromTheFirstLine()
{
    auto t = terminal({.cmd = QStringLiteral("/bin/stty"), .args = {QStringLiteral("size")}});
    t->resize(43, 132);
    t->start();
    QTRY_COMPARE_WITH_TIMEOUT(t->status().state, SessionState::Exited, patience);
    QCOMPARE(screenText(*t), QStringLiteral("43 132"));
    QCOMPARE(t->status().exit->exitCode.value_or(-99), 0);
}

void TestTerminalHost::followsResizes()
{
    auto t = shell(30, 100);
    t->resize(50, 160);
    t->resize(40, 120);
    QVERIFY(answers(*t, "stty size", QStringLiteral("\n40 120\n")));
    // A line longer than the window, edited in its middle, stays one line.
    const QByteArray line(150, 'a');
    t->write("echo " + line + "\x01\x1b[C\x1b[C\x1b[C\x1b[C\x1b[C" + "bb\r");
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*t).contains(QStringLiteral("\nbb") + QString::fromLatin1(line) + u'\n'),
                             patience);
}

void TestTerminalHost::passesEveryByte()
{
    QByteArray bytes;
    for (int i = 0; i < 256; ++i)
        bytes += static_cast<char>(i);
    bytes += "exit";
    auto t = terminal({.args = {QStringLiteral("-c"), QStringLiteral("stty raw -echo; printf 'ready '; "
                                                                     "head -c 260 | sha256sum")}});
    t->start();
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*t).startsWith(QStringLiteral("ready")), patience);
    t->write(bytes);
    const QString sum = QString::fromLatin1(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex());
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*t).contains(sum), patience);
}

void TestTerminalHost::obeysJobControl()
{
    auto t = shell();
    t->write("sleep 1000\r");
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*t).contains(QStringLiteral("sleep 1000")), patience);
    t->write("\x1a");
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*t).contains(QStringLiteral("Stopped")), patience);
    t->write("fg\r");
    t->write("\x03");
    t->write("echo do''ne $?\r");
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*t).contains(QStringLiteral("done")), patience);
}

void TestTerminalHost::floodsStayBoundedAndInterruptible()
{
    auto t = shell();
    const qint64 before = residentKiB();
    qint64 most = before;
    t->write("yes 'all work and no play makes a dull terminal'\r");
    QTRY_VERIFY_WITH_TIMEOUT(t->emulator().screen().firstLine() > 200'000, patience); // lines gone by
    most = std::max(most, residentKiB());
    QVERIFY2(most - before < 100 * 1024, qPrintable(QStringLiteral("%1 KiB more").arg(most - before)));
    QElapsedTimer timer;
    timer.start();
    t->write("\x03");
    t->write("echo stop''ped\r");
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*t).contains(QStringLiteral("stopped")), patience);
    QVERIFY2(timer.elapsed() < 3000, qPrintable(QString::number(timer.elapsed())));
}

void TestTerminalHost::isFoundAgainByPidAtAnotherSize()
{
    auto t = shell(24, 80);
    t->write("MARK=kept; echo no''ted\r");
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*t).contains(QStringLiteral("\nnoted")), patience);
    const auto pid = t->pid();
    QVERIFY(pid);
    t->detach();
    auto other = terminal();
    other->resize(33, 77);
    other->attach(*pid);
    QTRY_COMPARE_WITH_TIMEOUT(other->status().state, SessionState::Running, patience);
    QVERIFY(other->status().missed && !other->status().missed->from.isValid());
    QVERIFY(answers(*other, "stty size; echo $MARK", QStringLiteral("\n33 77\nkept")));
}

void TestTerminalHost::tellsHowTheShellEnded()
{
    auto t = shell();
    t->write("exit 3\r");
    QTRY_COMPARE_WITH_TIMEOUT(t->status().state, SessionState::Exited, patience);
    QCOMPARE(t->status().exit->exitCode.value_or(-99), 3);
    t->proceed();
    QTRY_COMPARE_WITH_TIMEOUT(t->status().state, SessionState::Running, patience);
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*t).contains(QStringLiteral("exit 3")), patience); // the old text is kept
}

void TestTerminalHost::survivesAPause()
{
    auto t = shell();
    t->write("MARK=frozen; echo no''ted\r");
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*t).contains(QStringLiteral("\nnoted")), patience);
    const auto state = [this] {
        const auto known = m_session->sandboxes().find(m_sandbox);
        return known ? known->state : protocol::SandboxState::Terminal;
    };
    const auto told = connect(&m_session->sandboxes(), &session::SandboxStore::changed, t.get(),
                              [&] { t->sandboxStateChanged(state()); });
    Outcome paused(m_session->pause(m_sandbox));
    QTRY_VERIFY_WITH_TIMEOUT(paused.ok(), patience);
    QTRY_COMPARE_WITH_TIMEOUT(t->status().state, SessionState::Paused, patience);
    // Looking at it, and asking it to go on, wakes nothing.
    t->proceed();
    QTRY_COMPARE_WITH_TIMEOUT(t->status().state, SessionState::Paused, patience);
    QCOMPARE(state(), protocol::SandboxState::Paused);
    Outcome resumed(m_session->resume(m_sandbox, 1800s));
    QTRY_VERIFY_WITH_TIMEOUT(resumed.ok(), patience);
    QTRY_COMPARE_WITH_TIMEOUT(t->status().state, SessionState::Running, patience);
    t->write("echo still $MARK\r");
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*t).contains(QStringLiteral("still frozen")), patience);
    disconnect(told);
}

void TestTerminalHost::killLeavesNothing()
{
    auto t = shell();
    t->write("sleep 4242 & sleep 4343\r");
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*t).contains(QStringLiteral("sleep 4343")), patience);
    Outcome killed(t->kill());
    QTRY_VERIFY_WITH_TIMEOUT(killed.ok(), patience);
    QTRY_COMPARE_WITH_TIMEOUT(t->status().state, SessionState::Exited, patience);
    auto other = shell();
    other->write("ps -e -o args | grep -c '[s]leep 43''43'\r");
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*other).contains(QStringLiteral("\n0\n")), patience);
}

void TestTerminalHost::saysWhatWasLostWhenTheHostDies()
{
    auto t = shell();
    t->write("echo be''fore\r");
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*t).contains(QStringLiteral("before")), patience);
    const qint64 pid = m_host->pid();
    QVERIFY(pid > 1);
    QSignalSpy back(m_host.get(), &LocalHost::ready);
    ::kill(static_cast<pid_t>(pid), SIGKILL);
    QTRY_COMPARE_WITH_TIMEOUT(t->status().state, SessionState::Broken, patience);
    QVERIFY(t->status().missed);
    QTRY_COMPARE_WITH_TIMEOUT(back.size(), 1, patience); // it is started again by itself
    reconnect();
    QTRY_COMPARE_WITH_TIMEOUT(t->status().state, SessionState::Lost, patience);
    QVERIFY(screenText(*t).contains(QStringLiteral("before")));
    t->proceed();
    QTRY_COMPARE_WITH_TIMEOUT(t->status().state, SessionState::Running, patience);
    t->write("echo af''ter\r");
    QTRY_VERIFY_WITH_TIMEOUT(screenText(*t).contains(QStringLiteral("after")), patience);
}

QTEST_GUILESS_MAIN(TestTerminalHost)
#include "tst_terminal_host.moc"
