// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal pane as a user has it, on a real sandbox.
#include "backend/session/local_host.h"
#include "tests/support/outcome.h"
#include "ui/terminal/prompt_bar.h"
#include "ui/terminal/terminal_pane.h"
#include "ui/terminal/terminal_tab.h"
#include "ui/terminal/terminal_view.h"

#include <QAccessible>
#include <QClipboard>
#include <QDialog>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>

using namespace boxdeck;
using namespace boxdeck::terminal;
using namespace std::chrono_literals;
using boxdeck::session::LocalHost;
using boxdeck::session::Session;
using boxdeck::test::Outcome;
using boxdeck::ui::TerminalPane;
using boxdeck::ui::TerminalTab;
using boxdeck::ui::TerminalView;

namespace {

constexpr int patience = 30'000; // ms; a loaded machine starts a sandbox slowly

/// What a screen reader reads in the current terminal.
QString spoken(TerminalPane &pane)
{
    QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(&pane.currentTab()->view());
    return interface->textInterface()->text(0, interface->textInterface()->characterCount());
}

void type(TerminalPane &pane, const QString &line)
{
    QTest::keyClicks(&pane.currentTab()->view(), line);
    QTest::keyClick(&pane.currentTab()->view(), Qt::Key_Return);
}

SessionState stateOf(TerminalPane &pane, int index)
{
    return pane.tab(index)->session().status().state;
}

} // namespace

class TestTerminalPane : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void cleanup();
    void opensAShellTypesAndReads();
    void theProgramHasTheWidgetsSize();
    void tabsGoOnWhileHidden();
    void closingAsksAndEndsTheShell();
    void shellsKeptRunningAreFoundAgain();
    void anEndedShellIsReplacedByEnter();
    void aRiskyPasteWaitsForAYes();
    void findsInTheScrollback();
    void pathsAreTypedQuoted();
    void aPausedSandboxIsNotWokenByLooking();

private:
    std::unique_ptr<TerminalPane> makePane()
    {
        auto pane = std::make_unique<TerminalPane>(*m_session, m_sandbox);
        pane->resize(800, 480);
        pane->show();
        pane->activateWindow();
        (void)QTest::qWaitForWindowActive(pane.get());
        (void)QTest::qWaitFor([&] { return pane->tabCount() > 0 && stateOf(*pane, 0) == SessionState::Running; },
                              patience);
        pane->setFocus();
        return pane;
    }
    /// Presses a button of a dialog or bar by its name.
    static bool press(QWidget &in, const char *name)
    {
        auto *button = in.findChild<QAbstractButton *>(QLatin1String(name));
        if (button == nullptr || !button->isVisible())
            return false;
        QTest::mouseClick(button, Qt::LeftButton);
        return true;
    }

    QTemporaryDir m_dir;
    net::HttpTransport m_transport;
    SystemClock m_clock;
    std::unique_ptr<LocalHost> m_host;
    std::unique_ptr<Session> m_session;
    protocol::SandboxId m_sandbox;
};

void TestTerminalPane::initTestCase()
{
    m_host = std::make_unique<LocalHost>(LocalHost::Options{.dataDir = m_dir.path()}, m_transport);
    m_host->start();
    QTRY_COMPARE_WITH_TIMEOUT(m_host->state(), LocalHost::State::Ready, patience);
    auto profile = session::ConnectionProfile::selfHosted(QStringLiteral("host"), m_host->apiUrl());
    profile.sandboxUrl = m_host->sandboxUrl();
    m_session = std::make_unique<Session>(profile, m_host->apiKey(), m_transport, m_clock);
    m_session->sandboxes().setPace({.visible = 200ms});
    m_session->start();
    protocol::NewSandbox wanted;
    wanted.timeout = 1800s;
    Outcome created(m_session->create(wanted));
    QTRY_VERIFY_WITH_TIMEOUT(created.done(), patience);
    QVERIFY2(created.ok(), qPrintable(created.error().message));
    m_sandbox = created.value().id;
}

void TestTerminalPane::cleanupTestCase()
{
    m_session.reset();
    m_host->stop();
    QTRY_COMPARE_WITH_TIMEOUT(m_host->state(), LocalHost::State::Off, patience);
}

// Each test begins with a sandbox without shells.
void TestTerminalPane::cleanup()
{
    Outcome envd(m_session->envd(m_sandbox));
    QTRY_VERIFY_WITH_TIMEOUT(envd.done(), patience);
    QVERIFY(envd.ok());
    Outcome list(envd.value()->processes().list());
    QTRY_VERIFY_WITH_TIMEOUT(list.done(), patience);
    for (const protocol::ProcessInfo &process : list.value()) {
        Outcome killed(envd.value()->processes().signal(process.pid, protocol::ProcessSignal::Kill));
        QTRY_VERIFY_WITH_TIMEOUT(killed.done(), patience);
    }
}

void TestTerminalPane::opensAShellTypesAndReads()
{
    auto pane = makePane();
    QCOMPARE(pane->tabCount(), 1);
    type(*pane, QStringLiteral("echo wor''ks"));
    QTRY_VERIFY_WITH_TIMEOUT(spoken(*pane).contains(QStringLiteral("\nworks\n")), patience);
    auto *bar = pane->findChild<QTabBar *>(QStringLiteral("terminalTabs"));
    QVERIFY(bar->tabText(0).startsWith(u'1'));
}

void TestTerminalPane::theProgramHasTheWidgetsSize()
{
    auto pane = makePane();
    pane->resize(900, 600);
    TerminalView &view = pane->currentTab()->view();
    const auto size = [&] {
        return QStringLiteral("%1 %2").arg(view.emulator().rows()).arg(view.emulator().columns());
    };
    QTRY_VERIFY(view.emulator().columns() > 80);
    bool right = false;
    for (int tries = 0; tries < 20 && !right; ++tries) { // the size is told once it has settled
        type(*pane, QStringLiteral("stty size"));
        right = QTest::qWaitFor([&] { return spoken(*pane).contains(u'\n' + size() + u'\n'); }, 1000);
    }
    QVERIFY2(right, qPrintable(spoken(*pane)));
}

void TestTerminalPane::tabsGoOnWhileHidden()
{
    auto pane = makePane();
    type(*pane, QStringLiteral("sleep 0.5; echo hid''den output; printf '\\a'"));
    pane->newTab();
    QCOMPARE(pane->tabCount(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(*pane, 1), SessionState::Running, patience);
    auto *bar = pane->findChild<QTabBar *>(QStringLiteral("terminalTabs"));
    QCOMPARE(bar->currentIndex(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(pane->tab(0)->hasBell(), patience);
    QTest::keyClick(&pane->currentTab()->view(), Qt::Key_PageUp, Qt::ControlModifier);
    QCOMPARE(bar->currentIndex(), 0);
    QVERIFY(spoken(*pane).contains(QStringLiteral("hidden output")));
    QVERIFY(!pane->tab(0)->hasBell());
}

void TestTerminalPane::closingAsksAndEndsTheShell()
{
    auto pane = makePane();
    pane->newTab();
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(*pane, 1), SessionState::Running, patience);
    const quint32 pid = pane->tab(1)->session().pid().value_or(0);
    auto *bar = pane->findChild<QTabBar *>(QStringLiteral("terminalTabs"));
    Q_EMIT bar->tabCloseRequested(1);
    QTRY_VERIFY(pane->findChild<QDialog *>(QStringLiteral("terminalCloseQuestion")));
    QCOMPARE(pane->tabCount(), 2);
    QVERIFY(press(*pane, "terminalCloseQuestionAccept"));
    QTRY_COMPARE(pane->tabCount(), 1);
    Outcome envd(m_session->envd(m_sandbox));
    QTRY_VERIFY_WITH_TIMEOUT(envd.ok(), patience);
    const auto runs = [&] {
        Outcome list(envd.value()->processes().list());
        (void)QTest::qWaitFor([&] { return list.done(); }, patience);
        return std::any_of(list.value().begin(), list.value().end(),
                           [pid](const protocol::ProcessInfo &process) { return process.pid == pid; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(!runs(), patience);
}

void TestTerminalPane::shellsKeptRunningAreFoundAgain()
{
    auto pane = makePane();
    type(*pane, QStringLiteral("MARK=ke''pt; echo no''ted"));
    QTRY_VERIFY_WITH_TIMEOUT(spoken(*pane).contains(QStringLiteral("\nnoted\n")), patience);
    pane->newTab();
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(*pane, 1), SessionState::Running, patience);
    QTRY_VERIFY_WITH_TIMEOUT(pane->tab(0)->session().pid(), patience);
    const auto pid = pane->tab(0)->session().pid();
    pane.reset(); // as when the app is closed, or crashes
    pane = makePane();
    QCOMPARE(pane->tabCount(), 2);
    const int index = pane->tab(0)->session().pid() == pid ? 0 : 1;
    QCOMPARE(pane->tab(index)->session().pid(), pid);
    pane->findChild<QTabBar *>(QStringLiteral("terminalTabs"))->setCurrentIndex(index);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(*pane, index), SessionState::Running, patience);
    type(*pane, QStringLiteral("echo is $MARK"));
    QTRY_VERIFY_WITH_TIMEOUT(spoken(*pane).contains(QStringLiteral("\nis kept\n")), patience);
    // It says that earlier output is not here.
    QVERIFY(!pane->currentTab()->findChild<ui::PromptBar *>(QStringLiteral("terminalMissed"))->text().isEmpty());
}

void TestTerminalPane::anEndedShellIsReplacedByEnter()
{
    auto pane = makePane();
    type(*pane, QStringLiteral("exit 7"));
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(*pane, 0), SessionState::Exited, patience);
    auto *state = pane->currentTab()->findChild<ui::PromptBar *>(QStringLiteral("terminalState"));
    QVERIFY(state->text().contains(u'7'));
    QTest::keyClick(&pane->currentTab()->view(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(*pane, 0), SessionState::Running, patience);
    QTRY_VERIFY(state->text().isEmpty());
    type(*pane, QStringLiteral("echo ag''ain"));
    QTRY_VERIFY_WITH_TIMEOUT(spoken(*pane).contains(QStringLiteral("\nagain\n")), patience);
}

void TestTerminalPane::aRiskyPasteWaitsForAYes()
{
    auto pane = makePane();
    // Without bracketed paste, as in a shell that is too old for it.
    type(*pane, QStringLiteral("bind 'set enable-bracketed-paste off'; echo re''ady"));
    QTRY_VERIFY_WITH_TIMEOUT(spoken(*pane).contains(QStringLiteral("\nready\n")), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!pane->currentTab()->view().emulator().modes().bracketedPaste, patience);
    QGuiApplication::clipboard()->setText(QStringLiteral("echo pa''sted 1\necho pa''sted 2\n"));
    QTest::keyClick(&pane->currentTab()->view(), Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
    auto *question = pane->currentTab()->findChild<ui::PromptBar *>(QStringLiteral("terminalQuestion"));
    QVERIFY(question->isVisible());
    QVERIFY(pane->currentTab()->view().hasFocus()); // what is being typed can't press the button
    QVERIFY(press(*pane, "terminalQuestionAccept"));
    QTRY_VERIFY_WITH_TIMEOUT(spoken(*pane).contains(QStringLiteral("\npasted 2\n")), patience);
    QVERIFY(!question->isVisible());
}

void TestTerminalPane::findsInTheScrollback()
{
    auto pane = makePane();
    type(*pane, QStringLiteral("echo nee''dle; seq 200"));
    QTRY_VERIFY_WITH_TIMEOUT(spoken(*pane).contains(QStringLiteral("\n200\n")), patience);
    QTest::keyClick(&pane->currentTab()->view(), Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    auto *text = pane->findChild<QLineEdit *>(QStringLiteral("terminalFindText"));
    QTRY_VERIFY(text->hasFocus());
    QTest::keyClicks(text, QStringLiteral("NEEDLE"));
    QTest::keyClick(text, Qt::Key_Return);
    QVERIFY(spoken(*pane).contains(QStringLiteral("\nneedle\n")));
    QTest::keyClick(text, Qt::Key_Escape);
    QVERIFY(pane->currentTab()->view().hasFocus());
    QCOMPARE(pane->currentTab()->view().selectedText(), QStringLiteral("needle"));
}

void TestTerminalPane::pathsAreTypedQuoted()
{
    auto pane = makePane();
    pane->typePaths({RemotePath::parse(QByteArray("/home/user/it's a file")).value()});
    QTRY_VERIFY_WITH_TIMEOUT(spoken(*pane).contains(QStringLiteral("'/home/user/it'\\''s a file'")), patience);
}

void TestTerminalPane::aPausedSandboxIsNotWokenByLooking()
{
    auto pane = makePane();
    type(*pane, QStringLiteral("MARK=sur''vived; echo no''ted"));
    QTRY_VERIFY_WITH_TIMEOUT(spoken(*pane).contains(QStringLiteral("\nnoted\n")), patience);
    Outcome paused(m_session->pause(m_sandbox));
    QTRY_VERIFY_WITH_TIMEOUT(paused.ok(), patience);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(*pane, 0), SessionState::Paused, patience);
    QSignalSpy wishes(pane.get(), &TerminalPane::resumeRequested);
    // Looking, from an open pane and from a new one.
    auto second = std::make_unique<TerminalPane>(*m_session, m_sandbox);
    second->show();
    QTRY_VERIFY_WITH_TIMEOUT(second->tabCount() == 1 && stateOf(*second, 0) == SessionState::Paused, patience);
    m_session->sandboxes().refresh();
    QTRY_VERIFY(!m_session->sandboxes().loading());
    QCOMPARE(m_session->sandboxes().find(m_sandbox)->state, protocol::SandboxState::Paused);
    second.reset();
    QCOMPARE(wishes.size(), 0);
    QVERIFY(press(*pane, "terminalStateAccept"));
    QCOMPARE(wishes.size(), 1); // the owner resumes it
    Outcome resumed(m_session->resume(m_sandbox, 1800s));
    QTRY_VERIFY_WITH_TIMEOUT(resumed.ok(), patience);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(*pane, 0), SessionState::Running, patience);
    type(*pane, QStringLiteral("echo it $MARK"));
    QVERIFY2(QTest::qWaitFor([&] { return spoken(*pane).contains(QStringLiteral("\nit survived\n")); }, patience),
             qPrintable(spoken(*pane)));
}

QTEST_MAIN(TestTerminalPane)
#include "tst_terminal_pane.moc"
