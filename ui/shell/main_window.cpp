// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include "backend/core/display_text.h"
#include "backend/session/local_host.h"
#include "backend/session/session.h"
#include "backend/transfer/transfer_engine.h"
#include "models/transfer_model.h"
#include "ui/accounts/account_switcher.h"
#include "ui/accounts/account_text.h"
#include "ui/accounts/add_account_dialog.h"
#include "ui/accounts/key_dialog.h"
#include "ui/accounts/manage_accounts_dialog.h"
#include "ui/common/error_bar.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/ui_util.h"
#include "ui/sandboxes/lease_watcher.h"
#include "ui/sandboxes/new_sandbox_dialog.h"
#include "ui/sandboxes/sandbox_actions.h"
#include "ui/sandboxes/sandbox_text.h"
#include "ui/sandboxes/sandboxes_pane.h"
#include "ui/shell/activity_pane.h"
#include "ui/shell/pane_walker.h"
#include "ui/shell/quit_flow.h"
#include "ui/shell/start_page.h"
#include "ui/shell/status_line.h"
#include "ui/shell/workspace_tabs.h"
#include "ui/templates/templates_pane.h"
#include "ui/transfers/transfers_pane.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QScreen>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace boxdeck::ui {

using protocol::SandboxId;
using session::Accounts;
using session::Session;

namespace {

constexpr int kLayoutVersion = 1;
const auto kWelcomed = QStringLiteral("start/welcomed");
const auto kOfferDeclined = QStringLiteral("offers/E2B_API_KEY");

QDockWidget *dock(QMainWindow *window, const QString &name, const QString &title, QWidget *content)
{
    auto *result = new QDockWidget(title, window);
    nameWidget(result, name, title);
    result->setWidget(content);
    return result;
}

} // namespace

MainWindow::MainWindow(const Parts &parts, QWidget *parent)
    : QMainWindow(parent)
    , m_parts(parts)
    , m_actions(new SandboxActions(this))
    , m_leases(new LeaseWatcher(this))
    , m_sandboxes(new SandboxesPane(parts.accounts, parts.settings, *m_actions, this))
    , m_templates(new TemplatesPane(parts.accounts, parts.settings, this))
    , m_transferModel(new models::TransferModel(parts.transfers, this))
    , m_transfers(new TransfersPane(*m_transferModel, parts.transfers, this))
    , m_activity(new ActivityPane(this))
    , m_tabs(new WorkspaceTabs(parts.accounts, {parts.settings, *m_actions, *m_leases, parts.transfers}, this))
    , m_start(new StartPage(parts.accounts, !parts.settings.viewState(kWelcomed).toBool(), this))
    , m_centre(new QStackedWidget(this))
    , m_bar(new ErrorBar(QStringLiteral("windowBar"), this))
    , m_status(new StatusLine(parts.accounts, this))
    , m_newAction(new QAction(icon("plus"), tr("New sandbox…"), this))
    , m_findAction(new QAction(icon("search"), tr("Find…"), this))
{
    nameWidget(this, QStringLiteral("mainWindow"), tr("Boxdeck"));
    setWindowTitle(tr("Boxdeck"));
    setStatusBar(m_status);
    m_centre->addWidget(m_start);
    m_centre->addWidget(m_tabs);
    auto *middle = new QWidget(this);
    auto *column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addWidget(m_centre, 1);
    setCentralWidget(middle);
    makeDocks();
    makeToolBar();
    makeMenus();
    m_quit = new QuitFlow(m_parts.localHost, m_parts.settings,
                          {.runningTransfers = [this] { return m_parts.transfers.activeCount(); },
                           .localSandboxes =
                               [this] {
                                   int alive = 0;
                                   const auto ids = m_parts.accounts.ids();
                                   for (const QUuid &id : ids) {
                                       const auto profile = m_parts.accounts.profile(id);
                                       Session *session = m_parts.accounts.session(id);
                                       if (!session || profile->kind != session::ConnectionProfile::Kind::ThisComputer)
                                           continue;
                                       for (const auto &sandbox : session->sandboxes().items())
                                           alive += sandbox.state != protocol::SandboxState::Terminal;
                                   }
                                   return alive;
                               }},
                          this);
    connectParts();
    showAccount(m_parts.accounts.current());
    const auto ids = m_parts.accounts.ids();
    for (const QUuid &id : ids)
        sessionReady(id);
}

MainWindow::~MainWindow() = default;

void MainWindow::makeDocks()
{
    setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    m_sandboxesDock = dock(this, QStringLiteral("sandboxesDock"), tr("Sandboxes"), m_sandboxes);
    m_templatesDock = dock(this, QStringLiteral("templatesDock"), tr("Templates"), m_templates);
    m_transfersDock = dock(this, QStringLiteral("transfersDock"), tr("Transfers"), m_transfers);
    m_activityDock = dock(this, QStringLiteral("activityDock"), tr("Activity"), m_activity);
    addDockWidget(Qt::LeftDockWidgetArea, m_sandboxesDock);
    addDockWidget(Qt::LeftDockWidgetArea, m_templatesDock);
    addDockWidget(Qt::BottomDockWidgetArea, m_transfersDock);
    tabifyDockWidget(m_transfersDock, m_activityDock);
    m_transfersDock->raise();
}

void MainWindow::makeToolBar()
{
    auto *bar = addToolBar(tr("Main toolbar"));
    nameWidget(bar, QStringLiteral("mainToolBar"), tr("Main toolbar"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    auto *switcher = new AccountSwitcher(m_parts.accounts, bar);
    connect(switcher, &AccountSwitcher::addRequested, this, [this] { addAccount(); });
    connect(switcher, &AccountSwitcher::manageRequested, this, &MainWindow::manageAccounts);
    bar->addWidget(switcher);
    bar->addSeparator();
    m_newAction->setObjectName(QStringLiteral("newSandbox"));
    m_newAction->setShortcut(QKeySequence(QKeySequence::New));
    m_findAction->setObjectName(QStringLiteral("find"));
    m_findAction->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_K));
    bar->addAction(m_newAction);
    bar->addAction(m_findAction);
    for (QAction *action : {m_newAction, m_findAction}) {
        if (auto *button = qobject_cast<QToolButton *>(bar->widgetForAction(action)))
            nameWidget(button, action->objectName() + QLatin1String("Button"), action->text());
    }
    connect(m_newAction, &QAction::triggered, this, [this] { newSandbox(); });
    connect(m_findAction, &QAction::triggered, this, [this] {
        m_sandboxesDock->show();
        m_sandboxesDock->raise();
        m_sandboxes->focusFilter();
    });
}

void MainWindow::connectParts()
{
    Accounts &accounts = m_parts.accounts;
    connect(&accounts, &Accounts::currentChanged, this, &MainWindow::showAccount);
    connect(&accounts, &Accounts::sessionReady, this, &MainWindow::sessionReady);
    connect(&accounts, &Accounts::added, this, &MainWindow::updateCentre);
    connect(&accounts, &Accounts::secretsNotKept, this, [this](const QUuid &id, const Error &error) {
        const QString sentence = notKeptSentence(error).arg(quoted(accountName(m_parts.accounts, id)));
        m_activity->addDone(sentence);
        warn(sentence);
    });
    connect(&accounts, &Accounts::changed, this,
            [this] { m_newAction->setEnabled(m_parts.accounts.currentSession() != nullptr); });
    connect(m_sandboxes, &SandboxesPane::openRequested, this, [this](Session *session, const SandboxId &id) {
        m_tabs->open(*session, id);
        updateCentre();
    });
    connect(m_sandboxes, &SandboxesPane::newRequested, this, [this] { newSandbox(); });
    connect(m_sandboxes, &SandboxesPane::keyWanted, this, &MainWindow::enterKey);
    connect(m_sandboxes, &SandboxesPane::accountWanted, this, [this] { addAccount(); });
    connect(m_templates, &TemplatesPane::createRequested, this, [this](const QString &name) { newSandbox(name); });
    connect(m_start, &StartPage::addAccount, this, [this] { addAccount(); });
    connect(m_start, &StartPage::newSandbox, this, [this] { newSandbox(); });
    connect(m_start, &StartPage::useThisComputer, this, [this] { newSandbox(); });
    connect(m_tabs, &WorkspaceTabs::countChanged, this, &MainWindow::updateCentre);
    connect(m_tabs, &WorkspaceTabs::transferStarted, this, [this] {
        m_transfersDock->show();
        m_transfersDock->raise();
    });
    for (const auto signal :
         {&transfer::TransferEngine::added, &transfer::TransferEngine::changed, &transfer::TransferEngine::removed})
        connect(&m_parts.transfers, signal, this, &MainWindow::updateTransfers);
    connect(m_actions, &SandboxActions::done, this, &MainWindow::tellDone);
    connect(m_tabs, &WorkspaceTabs::done, this, &MainWindow::tellDone);
    connect(m_tabs, &WorkspaceTabs::createRequested, this, &MainWindow::newSandboxOf);
    connect(m_actions, &SandboxActions::failed, this, [this](const Error &error, const QString &what) {
        m_activity->addFailure(error, what);
        m_barAct = BarAct::None;
        m_bar->showError(error, what);
    });
    connect(m_leases, &LeaseWatcher::runningOut, this, [this](Session *session, const SandboxId &id, qint64 left) {
        m_status->notice(
            tr("The sandbox %1 ends in %2.")
                .arg(quoted(sandboxName(session->sandboxes(), id)), formatDuration(std::chrono::seconds(left))));
    });
    connect(m_bar, &ErrorBar::retryRequested, this, [this] {
        if (m_barAct == BarAct::AddOfferedKey) {
            m_bar->clear();
            if (const auto key = Accounts::offeredEnvKey())
                addAccount(*key);
        }
    });
    connect(m_bar, &ErrorBar::dismissed, this, [this] {
        if (m_barAct == BarAct::AddOfferedKey)
            m_parts.settings.setViewState(kOfferDeclined, true);
        m_barAct = BarAct::None;
    });
    connect(m_quit, &QuitFlow::stopping, this, [this] {
        m_status->notice(tr("The sandboxes on this computer are being stopped."));
        centralWidget()->setEnabled(false);
    });
    // Queued: it may be said while the window is still in its close event, where another close() does nothing.
    const auto end = [this] {
        saveLayout();
        m_closing = true;
        close();
    };
    connect(m_quit, &QuitFlow::finished, this, end, Qt::QueuedConnection);
}

void MainWindow::sessionReady(const QUuid &id)
{
    Session *session = m_parts.accounts.session(id);
    if (!session)
        return;
    m_leases->watch(*session);
    if (m_openWhenReady && id == m_parts.accounts.current()) {
        m_tabs->open(*session, *m_openWhenReady);
        m_openWhenReady.reset();
    }
    updateCentre();
}

void MainWindow::showAccount(const QUuid &id)
{
    m_sandboxes->setAccount(id);
    m_templates->setAccount(id);
    m_status->setAccount(id);
    m_newAction->setEnabled(m_parts.accounts.currentSession() != nullptr);
    const auto profile = m_parts.accounts.profile(id);
    setWindowTitle(profile ? tr("%1 – Boxdeck").arg(accountName(m_parts.accounts, id)) : tr("Boxdeck"));
    if (profile && m_openWhenReady)
        sessionReady(id);
}

void MainWindow::updateCentre()
{
    const auto ids = m_parts.accounts.ids();
    if (m_tabs->count() > 0 || ids.size() > 1) {
        m_parts.settings.setViewState(kWelcomed, true);
        m_start->endFirstRun();
    }
    m_centre->setCurrentWidget(m_tabs->count() > 0 ? static_cast<QWidget *>(m_tabs) : m_start);
}

void MainWindow::restore()
{
    resize(1280, 800);
    resizeDocks({m_sandboxesDock}, {448}, Qt::Horizontal);
    resizeDocks({m_sandboxesDock, m_templatesDock}, {440, 200}, Qt::Vertical);
    resizeDocks({m_transfersDock}, {160}, Qt::Vertical);
    m_firstState = saveState(kLayoutVersion);
    restoreGeometry(m_parts.settings.windowGeometry());
    restoreState(m_parts.settings.windowState(), kLayoutVersion);
    // The screen may be smaller than the last one was: nothing, least of all the status line, hangs over its edge.
    const QSize room = screen()->availableSize() - QSize(0, kRowHeight); // less the frame's title
    if (!isMaximized() && !isFullScreen())
        resize(size().boundedTo(room));
    m_tabs->restore();
    updateCentre();
}

void MainWindow::saveLayout()
{
    m_parts.settings.setWindowGeometry(saveGeometry());
    m_parts.settings.setWindowState(saveState(kLayoutVersion));
}

void MainWindow::updateTransfers()
{
    const int running = m_parts.transfers.activeCount();
    m_status->setTasks(running == 0   ? QString()
                       : running == 1 ? tr("1 transfer running")
                                      : tr("%n transfers running", nullptr, running));
}

void MainWindow::openWhenReady(const SandboxId &id)
{
    m_openWhenReady = id;
    sessionReady(m_parts.accounts.current());
}

void MainWindow::warn(const QString &text)
{
    m_barAct = BarAct::None;
    m_bar->showWarning(text);
}

void MainWindow::offerEnvironmentKey()
{
    if (!Accounts::offeredEnvKey() || m_parts.settings.viewState(kOfferDeclined).toBool() || m_bar->isVisible())
        return;
    // Somebody who has a server account already knows how to add one.
    const auto ids = m_parts.accounts.ids();
    for (const QUuid &id : ids) {
        if (m_parts.accounts.profile(id)->kind != session::ConnectionProfile::Kind::ThisComputer)
            return;
    }
    m_barAct = BarAct::AddOfferedKey;
    m_bar->showWarning(tr("The environment variable E2B_API_KEY holds a key. It is not used unless you add an account "
                          "with it."),
                       tr("Add account…"));
}

void MainWindow::bringToFront()
{
    if (isMinimized())
        showNormal();
    raise();
    activateWindow();
}

void MainWindow::tellDone(const QString &sentence)
{
    m_activity->addDone(sentence);
    m_status->notice(sentence);
}

void MainWindow::newSandbox(const QString &templateName)
{
    if (Session *session = m_parts.accounts.currentSession())
        newSandboxOf(*session, templateName);
}

void MainWindow::newSandboxOf(Session &session, const QString &templateName)
{
    auto *dialog = new NewSandboxDialog(session, templateName, this);
    connect(dialog, &NewSandboxDialog::created, this,
            [this, dialog, weak = QPointer<Session>(&session)](const SandboxId &id) {
                if (!weak)
                    return;
                m_tabs->open(*weak, id);
                updateCentre();
                // The list learns of it only at its next refresh; the name is known here already.
                const QString chosen = dialog->wanted().metadata.value(QStringLiteral("name"));
                tellDone(
                    tr("The sandbox %1 was created.")
                        .arg(quoted(chosen.isEmpty() ? sandboxName(weak->sandboxes(), id) : displayText(chosen, 80))));
            });
    dialog->open();
}

void MainWindow::addAccount(const Secret &offered)
{
    auto *dialog = new AddAccountDialog(m_parts.accounts, this);
    if (!offered.isEmpty())
        dialog->offerKey(offered);
    dialog->open();
}

void MainWindow::manageAccounts()
{
    auto *dialog = new ManageAccountsDialog(m_parts.accounts, this);
    connect(dialog, &ManageAccountsDialog::addRequested, this, [this] { addAccount(); });
    connect(dialog, &ManageAccountsDialog::importRequested, this, [this] {
        auto *add = new AddAccountDialog(m_parts.accounts, this);
        add->open();
        add->chooseProfile();
    });
    dialog->open();
}

void MainWindow::enterKey(const QUuid &account)
{
    (new KeyDialog(m_parts.accounts, account, this))->open();
}

void MainWindow::walk(bool backward)
{
    QList<QWidget *> panes{m_sandboxes, m_templates};
    if (Workspace *workspace = m_tabs->count() > 0 ? m_tabs->currentWorkspace() : nullptr)
        panes += workspace->panes();
    else
        panes << m_start;
    panes << m_transfers << m_activity;
    walkPanes(panes, backward);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (m_closing) {
        event->accept();
        return;
    }
    event->ignore();
    m_quit->begin();
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange)
        m_parts.accounts.setVisible(!isMinimized());
}

} // namespace boxdeck::ui
