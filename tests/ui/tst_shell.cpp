// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window over the real boxdeck-host.
#include "backend/api/control_plane_client.h"
#include "tests/ui/desk.h"
#include "ui/common/empty_state.h"
#include "ui/common/error_bar.h"
#include "ui/files/files_pane.h"
#include "ui/sandboxes/sandboxes_pane.h"
#include "ui/shell/overview_page.h"
#include "ui/shell/workspace_tabs.h"
#include "ui/terminal/terminal_pane.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScreen>
#include <QSpinBox>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTextEdit>
#include <QToolButton>
#include <QTreeView>

using namespace boxdeck;
using namespace boxdeck::ui;
using boxdeck::test::Desk;
using boxdeck::test::endHost;
using boxdeck::test::patience;
using protocol::SandboxId;
using protocol::SandboxState;

class TestShell : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aNewcomerCreatesASandboxAndWorksInIt();
    void aRefusedSandboxKeepsWhatWasTyped();
    void killGoesToTheSandboxesThatWereNamed();
    void lookingAtAPausedSandboxWakesNothing();
    void anEndedSandboxStaysReadable();
    void theWindowComesBackAsItWas();
    void quittingAsksAboutLocalSandboxes();
    void panesAreWalkedWithF6();
    void everyControlHasAName();
    void aMissingHostIsSaidAndTriedAgain();

private:
    SandboxId create(const QString &name, int seconds = 600);
    void select(const QList<SandboxId> &ids);
    template <typename T> std::optional<Result<T>> ended(Call<T> call);
    SandboxState stateOf(const SandboxId &id);

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<Desk> m_desk;
};

template <typename T> std::optional<Result<T>> TestShell::ended(Call<T> call)
{
    std::optional<Result<T>> result;
    QObject owner;
    call.then(&owner, [&result](Result<T> value) { result.emplace(std::move(value)); });
    // The answer comes from a real server: wait for it, and no longer than a test may take.
    (void)QTest::qWaitFor([&result] { return result.has_value(); }, patience);
    return result;
}

void TestShell::init()
{
    QVERIFY2(QFile::exists(qEnvironmentVariable("BOXDECK_HOST")), "BOXDECK_HOST must name the real host");
    m_dir = std::make_unique<QTemporaryDir>();
    m_desk = std::make_unique<Desk>(m_dir->path());
    QVERIFY(m_desk->becomesReady());
}

void TestShell::cleanup()
{
    m_desk.reset();
    endHost(m_dir->path());
    m_dir.reset();
}

SandboxId TestShell::create(const QString &name, int seconds)
{
    protocol::NewSandbox wanted;
    wanted.timeout = std::chrono::seconds(seconds);
    wanted.metadata.insert(QStringLiteral("name"), name);
    const auto access = ended(m_desk->session()->create(wanted));
    if (!access || !access->has_value())
        return {};
    const SandboxId id = (*access)->id;
    (void)QTest::qWaitFor([&] { return m_desk->session()->sandboxes().find(id).has_value(); }, patience);
    return id;
}

void TestShell::select(const QList<SandboxId> &ids)
{
    auto *view = m_desk->find<QTreeView>("sandboxesView");
    view->selectionModel()->clearSelection();
    for (int row = 0; row < view->model()->rowCount(); ++row) {
        const QModelIndex index = view->model()->index(row, 0);
        if (ids.contains(SandboxId{index.data(Qt::UserRole + 1).toString()}))
            view->selectionModel()->select(index, QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    QCOMPARE(m_desk->find<SandboxesPane>("sandboxesPane")->selectedIds().size(), ids.size());
}

/// What the server itself says, not what a view shows.
SandboxState TestShell::stateOf(const SandboxId &id)
{
    const auto detail = ended(m_desk->session()->control().sandbox(id));
    if (!detail || !detail->has_value())
        return SandboxState::Terminal;
    return (*detail)->state;
}

void TestShell::aNewcomerCreatesASandboxAndWorksInIt()
{
    auto *begin = m_desk->find<QPushButton>("welcomeLocal");
    QVERIFY(begin->isVisible());
    QVERIFY2(m_desk->window->height() <= 800, "empty panes asked for a taller window");
    QTRY_VERIFY_WITH_TIMEOUT(begin->isEnabled(), patience);
    begin->click();
    auto *dialog = m_desk->find<QDialog>("newSandboxDialog");
    QVERIFY(dialog && dialog->isVisible());
    QTest::keyClicks(dialog->findChild<QLineEdit *>(QStringLiteral("newSandboxName")), QStringLiteral("first & best"));
    QTest::keyClicks(dialog->findChild<QLineEdit *>(QStringLiteral("newSandboxMetadataKey0")), QStringLiteral("agent"));
    QTest::keyClicks(dialog->findChild<QLineEdit *>(QStringLiteral("newSandboxMetadataValue0")),
                     QStringLiteral("scout"));
    dialog->findChild<QPushButton *>(QStringLiteral("newSandboxCreate"))->click();
    auto *tabs = m_desk->find<WorkspaceTabs>("workspaces");
    QTRY_COMPARE_WITH_TIMEOUT(tabs->count(), 1, patience);
    Workspace *workspace = tabs->currentWorkspace();
    QTRY_COMPARE_WITH_TIMEOUT(workspace->phase(), Workspace::Phase::Running, patience);
    QTRY_COMPARE(workspace->title(), QStringLiteral("first & best"));
    QCOMPARE(tabs->tabText(0), QStringLiteral("first && best"));
    QVERIFY(workspace->findChild<FilesPane *>());
    QTRY_COMPARE_WITH_TIMEOUT(workspace->findChild<TerminalPane *>()->runningCount(), 1, patience);
    const auto made = m_desk->session()->sandboxes().find(workspace->sandboxId());
    QCOMPARE(made->metadata.value(QStringLiteral("agent")), QStringLiteral("scout"));
    QVERIFY2(!begin->isVisible(), "the welcome is over");
    QVERIFY2(made->startedAt.secsTo(made->endAt) > 1800, "no warning of the end for a newcomer");
    const auto *terminal = workspace->findChild<TerminalPane *>();
    QTRY_VERIFY2(terminal->isAncestorOf(m_desk->window->focusWidget()), "typing goes to the new sandbox");
}

void TestShell::aRefusedSandboxKeepsWhatWasTyped()
{
    m_desk->window->newSandbox(QStringLiteral("no-such-template"));
    auto *dialog = m_desk->find<QDialog>("newSandboxDialog");
    auto *create = dialog->findChild<QPushButton *>(QStringLiteral("newSandboxCreate"));
    auto *name = dialog->findChild<QLineEdit *>(QStringLiteral("newSandboxName"));
    QTest::keyClicks(name, QStringLiteral("kept"));
    auto *variable = dialog->findChild<QLineEdit *>(QStringLiteral("newSandboxVariablesKey0"));
    QTest::keyClicks(variable, QStringLiteral("1X"));
    QVERIFY2(!create->isEnabled(), "no variable can be called 1X");
    variable->clear();
    QVERIFY(create->isEnabled());
    create->click();
    QVERIFY(!create->isEnabled());
    auto *error = dialog->findChild<ErrorBar *>(QStringLiteral("newSandboxError"));
    QTRY_VERIFY_WITH_TIMEOUT(error->isVisible(), patience);
    QVERIFY2(error->text().contains(QLatin1String("no-such-template")), qPrintable(error->text()));
    QVERIFY(create->isEnabled());
    QCOMPARE(name->text(), QStringLiteral("kept"));
}

void TestShell::killGoesToTheSandboxesThatWereNamed()
{
    const SandboxId one = create(QStringLiteral("one")), two = create(QStringLiteral("two")),
                    three = create(QStringLiteral("three"));
    auto *pane = m_desk->find<SandboxesPane>("sandboxesPane");
    select({two});
    pane->killAction()->trigger();
    auto *question = m_desk->find<QDialog>("killQuestion");
    QVERIFY(question && question->isVisible());
    QVERIFY(question->findChild<QLabel *>(QStringLiteral("killQuestionText"))->text().contains(QLatin1String("two")));
    // Meanwhile the list changes under the question: one goes, another comes, and the selection is elsewhere.
    QVERIFY(ended(m_desk->session()->kill(one)));
    const SandboxId four = create(QStringLiteral("a zero"));
    QTRY_VERIFY(!m_desk->session()->sandboxes().find(one));
    select({three});
    question->findChild<QPushButton *>(QStringLiteral("killQuestionAccept"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(two), SandboxState::Terminal, patience);
    QCOMPARE(stateOf(three), SandboxState::Running);
    QCOMPARE(stateOf(four), SandboxState::Running);

    // The one that was named is gone before the answer: that is said, and nobody else dies for it.
    select({three});
    pane->killAction()->trigger();
    QTRY_VERIFY(m_desk->window->findChildren<QDialog *>(QStringLiteral("killQuestion")).size() == 1);
    question = m_desk->find<QDialog>("killQuestion");
    QVERIFY(ended(m_desk->session()->kill(three)));
    QTRY_VERIFY(!m_desk->session()->sandboxes().find(three));
    question->findChild<QPushButton *>(QStringLiteral("killQuestionAccept"))->click();
    QTRY_VERIFY(m_desk->find<QLabel>("statusNotice")->text().contains(QLatin1String("gone already")));
    QCOMPARE(stateOf(four), SandboxState::Running);
}

void TestShell::lookingAtAPausedSandboxWakesNothing()
{
    const SandboxId id = create(QStringLiteral("sleeper"));
    QVERIFY(ended(m_desk->session()->pause(id)));
    QCOMPARE(stateOf(id), SandboxState::Paused);
    const auto before = ended(m_desk->session()->control().sandbox(id));
    select({id});
    m_desk->find<SandboxesPane>("sandboxesPane")->openAction()->trigger();
    auto *tabs = m_desk->find<WorkspaceTabs>("workspaces");
    QTRY_COMPARE_WITH_TIMEOUT(tabs->currentWorkspace()->phase(), Workspace::Phase::Paused, patience);
    auto *message = m_desk->find<EmptyState>("workspaceMessage");
    QVERIFY(message->isVisible());
    QVERIFY(message->actionButton()->isVisible());
    QSignalSpy polled(&m_desk->session()->sandboxes(), &session::SandboxStore::updated);
    QTRY_VERIFY_WITH_TIMEOUT(polled.count() >= 2, patience);
    QCOMPARE(stateOf(id), SandboxState::Paused);

    // The app is started again with that tab open.
    m_desk->settings.setLocalSandboxesAtQuit(session::Settings::AtQuit::KeepRunning);
    m_desk->window->close();
    QTRY_VERIFY_WITH_TIMEOUT(!m_desk->window->isVisible(), patience);
    m_desk.reset();
    m_desk = std::make_unique<Desk>(m_dir->path());
    QVERIFY(m_desk->becomesReady());
    tabs = m_desk->find<WorkspaceTabs>("workspaces");
    QTRY_COMPARE_WITH_TIMEOUT(tabs->count(), 1, patience);
    QTRY_COMPARE_WITH_TIMEOUT(tabs->workspaceAt(0)->phase(), Workspace::Phase::Paused, patience);
    QSignalSpy again(&m_desk->session()->sandboxes(), &session::SandboxStore::updated);
    QTRY_VERIFY_WITH_TIMEOUT(again.count() >= 2, patience);
    QCOMPARE(stateOf(id), SandboxState::Paused);
    const auto after = ended(m_desk->session()->control().sandbox(id));
    QCOMPARE((*after)->startedAt, (*before)->startedAt);
    QCOMPARE((*after)->endAt, (*before)->endAt);

    // Only the button wakes it, and it asks for how long.
    m_desk->find<EmptyState>("workspaceMessage")->actionButton()->click();
    auto *dialog = m_desk->find<QDialog>("resumeDialog");
    QVERIFY(dialog && dialog->isVisible());
    QCOMPARE(stateOf(id), SandboxState::Paused);
    dialog->findChild<QPushButton *>(QStringLiteral("resumeDialogAccept"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(tabs->workspaceAt(0)->phase(), Workspace::Phase::Running, patience);
    QCOMPARE(stateOf(id), SandboxState::Running);
}

void TestShell::anEndedSandboxStaysReadable()
{
    const SandboxId here = create(QStringLiteral("here")), outside = create(QStringLiteral("outside"));
    select({here, outside});
    m_desk->find<SandboxesPane>("sandboxesPane")->openAction()->trigger();
    auto *tabs = m_desk->find<WorkspaceTabs>("workspaces");
    QCOMPARE(tabs->count(), 2);
    for (int i = 0; i < 2; ++i)
        QTRY_COMPARE_WITH_TIMEOUT(tabs->workspaceAt(i)->phase(), Workspace::Phase::Running, patience);
    QVERIFY(ended(m_desk->session()->kill(here)));
    // The other ends behind the app's back.
    QVERIFY(ended(m_desk->session()->control().kill(outside)));
    for (int i = 0; i < 2; ++i) {
        Workspace *workspace = tabs->workspaceAt(i);
        QTRY_COMPARE_WITH_TIMEOUT(workspace->phase(), Workspace::Phase::Ended, patience);
        tabs->setCurrentIndex(i);
        auto *bar = workspace->findChild<ErrorBar *>(QStringLiteral("workspaceState"));
        QVERIFY(bar->isVisible());
        QVERIFY2(workspace->findChild<FilesPane *>()->isVisible(), "what was shown is taken away");
        QVERIFY(workspace->findChild<TerminalPane *>()->isVisible());
    }
    QVERIFY2(!m_desk->find<ErrorBar>("windowBar")->isVisible(), "an end is no failure");
    QVERIFY2(m_desk->settings.openSandboxes().isEmpty(), "an ended tab would come back");
    tabs->workspaceAt(0)->findChild<QPushButton *>(QStringLiteral("workspaceStateRetry"))->click();
    QTRY_COMPARE(tabs->count(), 1);
}

void TestShell::theWindowComesBackAsItWas()
{
    const SandboxId id = create(QStringLiteral("back"));
    select({id});
    m_desk->find<SandboxesPane>("sandboxesPane")->openAction()->trigger();
    m_desk->find<QDockWidget>("templatesDock")->hide();
    m_desk->window->resize(m_desk->window->minimumSizeHint().width(), 750); // within this screen
    m_desk->settings.setLocalSandboxesAtQuit(session::Settings::AtQuit::KeepRunning);
    m_desk->window->close();
    QTRY_VERIFY_WITH_TIMEOUT(!m_desk->window->isVisible(), patience);
    m_desk.reset();
    m_desk = std::make_unique<Desk>(m_dir->path());
    QVERIFY(m_desk->find<QDockWidget>("templatesDock")->isHidden());
    QVERIFY(m_desk->find<QDockWidget>("sandboxesDock")->isVisible());
    QCOMPARE(m_desk->window->height(), 750);
    QVERIFY2(m_desk->window->height() < m_desk->window->screen()->availableSize().height(), "it fits its screen");
    auto *tabs = m_desk->find<WorkspaceTabs>("workspaces");
    QTRY_COMPARE_WITH_TIMEOUT(tabs->count(), 1, patience);
    QCOMPARE(tabs->workspaceAt(0)->sandboxId(), id);
}

void TestShell::quittingAsksAboutLocalSandboxes()
{
    const SandboxId id = create(QStringLiteral("worker"));
    QVERIFY(!id.isEmpty());
    m_desk->window->close();
    auto *question = m_desk->find<QDialog>("quitQuestion");
    QVERIFY(question && question->isVisible());
    QVERIFY(m_desk->window->isVisible());
    question->findChild<QPushButton *>(QStringLiteral("quitQuestionCancel"))->click();
    QVERIFY(m_desk->window->isVisible());

    m_desk->window->close();
    QTRY_COMPARE(m_desk->window->findChildren<QDialog *>(QStringLiteral("quitQuestion")).size(), 1);
    m_desk->find<QDialog>("quitQuestion")->findChild<QPushButton *>(QStringLiteral("quitQuestionAccept"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(!m_desk->window->isVisible(), patience);
    m_desk.reset();

    // Kept: the next start finds it, with its sandbox running.
    m_desk = std::make_unique<Desk>(m_dir->path());
    QVERIFY(m_desk->becomesReady());
    QCOMPARE(stateOf(id), SandboxState::Running);
    const qint64 host = m_desk->localHost.pid();
    QVERIFY(host > 0);
    m_desk->window->close();
    m_desk->find<QDialog>("quitQuestion")->findChild<QPushButton *>(QStringLiteral("quitQuestionAlternative"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(!m_desk->window->isVisible(), patience);
    // Dead, even if this process has not collected it: a zombie has no arguments.
    QFile arguments(QStringLiteral("/proc/%1/cmdline").arg(host));
    QVERIFY2(!arguments.open(QIODevice::ReadOnly) || arguments.readAll().isEmpty(), "the host was to be stopped");
}

void TestShell::panesAreWalkedWithF6()
{
    m_desk->window->activateWindow();
    QSet<QString> seen;
    for (int i = 0; i < 4; ++i) {
        QTest::keyClick(m_desk->window.get(), Qt::Key_F6);
        for (QWidget *widget = QApplication::focusWidget(); widget; widget = widget->parentWidget()) {
            if (widget->objectName().endsWith(QLatin1String("Pane")) ||
                widget->objectName() == QLatin1String("startPage"))
                seen << widget->objectName();
        }
    }
    QVERIFY2(seen.contains(QStringLiteral("sandboxesPane")), qPrintable(QStringList(seen.values()).join(u' ')));
    QVERIFY2(seen.contains(QStringLiteral("templatesPane")), qPrintable(QStringList(seen.values()).join(u' ')));
    QVERIFY2(seen.contains(QStringLiteral("startPage")), qPrintable(QStringList(seen.values()).join(u' ')));
}

namespace {

bool isControl(const QWidget *widget)
{
    return qobject_cast<const QAbstractButton *>(widget) || qobject_cast<const QLineEdit *>(widget) ||
           qobject_cast<const QComboBox *>(widget) || qobject_cast<const QAbstractSpinBox *>(widget) ||
           qobject_cast<const QAbstractItemView *>(widget) || qobject_cast<const QTextEdit *>(widget) ||
           qobject_cast<const QTabBar *>(widget);
}

/// Parts that Qt makes inside its own widgets; what a person meets is the widget around them.
bool isQtsOwn(const QWidget *widget)
{
    if (widget->objectName().startsWith(QLatin1String("qt_")))
        return true;
    for (const QWidget *up = widget; up; up = up->parentWidget()) {
        const QByteArray name = up->metaObject()->className();
        if (name == "QComboBoxPrivateContainer" || name == "QHeaderView" || name == "QLineEditIconButton" ||
            name == "QToolBarExtension" || name == "CloseButton" || name == "QTableCornerButton")
            return true;
    }
    const QWidget *parent = widget->parentWidget();
    return (qobject_cast<const QTabBar *>(parent) && qobject_cast<const QToolButton *>(widget) &&
            widget->objectName().contains(QLatin1String("Scroll"))) ||
           (qobject_cast<const QMainWindow *>(parent) && qobject_cast<const QTabBar *>(widget)); // of docks
}

QStringList nameless(QWidget *root)
{
    QStringList result;
    QList<QWidget *> widgets = root->findChildren<QWidget *>();
    widgets << root;
    for (QWidget *widget : std::as_const(widgets)) {
        if (!isControl(widget) || isQtsOwn(widget) || widget->isHidden())
            continue;
        QAccessibleInterface *accessible = QAccessible::queryAccessibleInterface(widget);
        const QString name = accessible ? accessible->text(QAccessible::Name) : QString();
        if (widget->objectName().isEmpty() || name.isEmpty()) {
            const QWidget *parent = widget->parentWidget();
            result << QStringLiteral("%1 “%2” in %3 “%4”, accessible name “%5”")
                          .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(),
                               QLatin1String(parent ? parent->metaObject()->className() : ""),
                               parent ? parent->objectName() : QString(), name);
        }
    }
    return result;
}

} // namespace

void TestShell::everyControlHasAName()
{
    const SandboxId id = create(QStringLiteral("named"));
    select({id});
    m_desk->find<SandboxesPane>("sandboxesPane")->openAction()->trigger();
    auto *tabs = m_desk->find<WorkspaceTabs>("workspaces");
    QTRY_COMPARE_WITH_TIMEOUT(tabs->currentWorkspace()->phase(), Workspace::Phase::Running, patience);
    m_desk->window->newSandbox();
    m_desk->window->addAccount();
    m_desk->window->manageAccounts();
    m_desk->window->enterKey(m_desk->accounts.current());
    m_desk->find<SandboxesPane>("sandboxesPane")->killAction()->trigger();
    m_desk->find<SandboxesPane>("sandboxesPane")->extendByAction()->trigger();
    const QStringList missing = nameless(m_desk->window.get());
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));

    QStringList actions;
    const auto menus = m_desk->window->findChildren<QMenu *>();
    for (const QMenu *menu : menus) {
        for (const QAction *action : menu->actions()) {
            if (!action->isSeparator() && !action->menu() && action->objectName().isEmpty())
                actions << menu->objectName() + QLatin1String(" › ") + action->text();
        }
    }
    QVERIFY2(actions.isEmpty(), qPrintable(actions.join(QLatin1Char('\n'))));
}

void TestShell::aMissingHostIsSaidAndTriedAgain()
{
    m_desk.reset();
    endHost(m_dir->path());
    const QByteArray host = qgetenv("BOXDECK_HOST");
    qputenv("BOXDECK_HOST", "/nonexistent/boxdeck-host");
    QTemporaryDir fresh;
    m_desk = std::make_unique<Desk>(fresh.path());
    auto *state = m_desk->find<EmptyState>("sandboxesAccount");
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->accounts.state(m_desk->accounts.current()), session::Accounts::State::Failed,
                              patience);
    qputenv("BOXDECK_HOST", host);
    QVERIFY(state->isVisible());
    QVERIFY2(state->accessibleDescription().contains(QLatin1String("boxdeck-host")),
             qPrintable(state->accessibleDescription()));
    state->actionButton()->click();
    QVERIFY(m_desk->becomesReady());
    m_desk.reset();
    endHost(fresh.path());
}

int main(int argc, char *argv[])
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    TestShell test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_shell.moc"
