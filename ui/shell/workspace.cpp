// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/workspace.h"

#include "backend/core/display_text.h"
#include "backend/session/session.h"
#include "backend/session/settings.h"
#include "ui/accounts/capability_text.h"
#include "ui/common/empty_state.h"
#include "ui/common/error_bar.h"
#include "ui/common/error_sentence.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"
#include "ui/files/files_pane.h"
#include "ui/logs/logs_page.h"
#include "ui/metrics/metrics_page.h"
#include "ui/sandboxes/lease_watcher.h"
#include "ui/sandboxes/sandbox_actions.h"
#include "ui/sandboxes/sandbox_text.h"
#include "ui/shell/overview_page.h"
#include "ui/snapshots/snapshots_page.h"
#include "ui/terminal/terminal_pane.h"
#include "ui/terminal/terminal_tab.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace boxdeck::ui {

using protocol::SandboxState;
using session::SandboxStore;

namespace {

const auto kSplitterState = QStringLiteral("workspace/splitter");

QToolButton *headerButton(const QString &name, const QString &text, const char *iconName, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    nameWidget(button, name, text);
    button->setText(text);
    button->setIcon(icon(iconName));
    button->setToolTip(toolTipText(text));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setAutoRaise(true);
    return button;
}

} // namespace

Workspace::Workspace(session::Session &session, const protocol::SandboxId &id, const Parts &parts, QWidget *parent)
    : QWidget(parent)
    , m_session(&session)
    , m_id(id)
    , m_parts(parts)
    , m_title(sandboxName(session.sandboxes(), id))
    , m_lease(new ErrorBar(QStringLiteral("workspaceLease"), this))
    , m_stateBar(new ErrorBar(QStringLiteral("workspaceState"), this))
    , m_stack(new QStackedWidget(this))
    , m_message(new EmptyState(QStringLiteral("workspaceMessage"), "waiting", this))
{
    nameWidget(this, QStringLiteral("workspace"), m_title);
    makeHeader();
    m_stack->addWidget(m_message);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_header);
    column->addWidget(hairline(this));
    column->addWidget(m_lease);
    column->addWidget(m_stateBar);
    column->addWidget(m_stack, 1);

    SandboxStore &store = session.sandboxes();
    const auto mine = [this](const protocol::SandboxId &changed) {
        if (changed == m_id)
            look();
    };
    connect(&store, &SandboxStore::inserted, this, mine);
    connect(&session.capabilities(), &session::CapabilityStore::changed, this, &Workspace::updateHeader);
    connect(&store, &SandboxStore::changed, this, mine);
    connect(&store, &SandboxStore::removed, this, [this](const protocol::SandboxId &gone) {
        if (gone == m_id)
            setPhase(Phase::Ended);
    });
    connect(&store, &SandboxStore::updated, this, [this] {
        if (m_phase == Phase::Unknown)
            look();
    });
    connect(&session, &QObject::destroyed, this, [this] { setPhase(Phase::Ended); });
    connect(&parts.actions, &SandboxActions::busyChanged, this, &Workspace::updateHeader);
    connect(&parts.leases, &LeaseWatcher::tick, this, &Workspace::tick);
    connect(&parts.leases, &LeaseWatcher::runningOut, this,
            [this](session::Session *whose, const protocol::SandboxId &which, qint64 secondsLeft) {
                if (whose == m_session && which == m_id)
                    warnOfLease(secondsLeft);
            });
    connect(m_lease, &ErrorBar::retryRequested, this, [this] {
        m_lease->clear();
        if (m_session)
            m_parts.actions.extend(*m_session, {m_id}, std::chrono::minutes(15));
    });
    const auto mainAction = [this] {
        if (m_phase == Phase::Ended)
            Q_EMIT closeRequested();
        else if (m_phase == Phase::Paused && m_session)
            m_parts.actions.resume(*m_session, {m_id});
        else if (m_phase == Phase::Unknown)
            ask();
    };
    connect(m_message, &EmptyState::actionTriggered, this, mainAction);
    connect(m_stateBar, &ErrorBar::retryRequested, this, mainAction);
    showMessage();
    updateHeader();
    look();
}

Workspace::~Workspace() = default;

void Workspace::makeHeader()
{
    m_header = new QWidget(this);
    m_header->setObjectName(QStringLiteral("workspaceHeader"));
    m_header->setMinimumHeight(kRowHeight + kGrid);
    m_state = new StateLabel(QStringLiteral("workspaceStateLabel"), m_header);
    m_name = new QLabel(m_title, m_header);
    nameWidget(m_name, QStringLiteral("workspaceName"), tr("Name"));
    m_name->setTextFormat(Qt::PlainText);
    QFont bold = m_name->font();
    bold.setWeight(QFont::DemiBold);
    m_name->setFont(bold);
    m_idLabel = new IdLabel(QStringLiteral("workspaceId"), m_header);
    m_idLabel->setFullText(m_id.value);
    m_idLabel->setMaximumWidth(220);
    m_left = new QLabel(m_header);
    nameWidget(m_left, QStringLiteral("workspaceTimeLeft"), tr("Time left"));
    m_left->setTextFormat(Qt::PlainText);

    m_extend = headerButton(QStringLiteral("workspaceExtend"), tr("Extend"), "extend", m_header);
    m_extend->setPopupMode(QToolButton::InstantPopup);
    auto *menu = new QMenu(m_extend);
    menu->setObjectName(QStringLiteral("workspaceExtendMenu"));
    const auto extendBy = [this, menu](const QString &name, const QString &text, std::chrono::seconds by) {
        auto *action = menu->addAction(text);
        action->setObjectName(name);
        connect(action, &QAction::triggered, this, [this, by] {
            if (m_session)
                m_parts.actions.extend(*m_session, {m_id}, by);
        });
    };
    extendBy(QStringLiteral("workspaceExtend15"), tr("By 15 min"), std::chrono::minutes(15));
    extendBy(QStringLiteral("workspaceExtend60"), tr("By 1 h"), std::chrono::hours(1));
    auto *custom = menu->addAction(tr("By another time…"));
    custom->setObjectName(QStringLiteral("workspaceExtendBy"));
    connect(custom, &QAction::triggered, this, [this] {
        if (m_session)
            m_parts.actions.extendBy(*m_session, {m_id});
    });
    m_extend->setMenu(menu);
    m_pause = headerButton(QStringLiteral("workspacePause"), tr("Pause"), "pause", m_header);
    m_resume = headerButton(QStringLiteral("workspaceResume"), tr("Resume…"), "play", m_header);
    m_kill = headerButton(QStringLiteral("workspaceKill"), tr("Kill…"), "kill", m_header);
    connect(m_pause, &QToolButton::clicked, this, [this] {
        if (m_session)
            m_parts.actions.pause(*m_session, {m_id});
    });
    connect(m_resume, &QToolButton::clicked, this, [this] {
        if (m_session)
            m_parts.actions.resume(*m_session, {m_id});
    });
    connect(m_kill, &QToolButton::clicked, this, [this] {
        if (m_session)
            m_parts.actions.kill(*m_session, {m_id});
    });

    auto *row = new QHBoxLayout(m_header);
    row->setContentsMargins(kGrid + kGrid / 2, kGrid / 2, kGrid, kGrid / 2);
    row->setSpacing(kGrid);
    row->addWidget(m_state);
    row->addSpacing(kGrid / 2);
    row->addWidget(m_name);
    row->addWidget(m_idLabel, 1);
    row->addStretch(1);
    row->addWidget(m_left);
    row->addSpacing(kGrid);
    row->addWidget(m_extend);
    row->addWidget(m_pause);
    row->addWidget(m_resume);
    row->addWidget(m_kill);
}

void Workspace::makePanes()
{
    if (m_splitter || !m_session)
        return;
    m_splitter = new QSplitter(Qt::Vertical, this);
    nameWidget(m_splitter, QStringLiteral("workspaceSplitter"), tr("Files above, terminal below"));
    m_splitter->setChildrenCollapsible(false);
    m_top = new QTabWidget(m_splitter);
    nameWidget(m_top, QStringLiteral("workspaceTop"), tr("Files and overview"));
    m_top->setDocumentMode(true);
    m_files = new FilesPane(*m_session, m_id, m_parts.transfers, m_top);
    connect(m_files, &FilesPane::resumeRequested, this, [this] {
        if (m_session)
            m_parts.actions.resume(*m_session, {m_id});
    });
    connect(m_files, &FilesPane::transferStarted, this, &Workspace::transferStarted);
    m_top->addTab(m_files, icon("folder", Token::Muted), tr("Files"));
    m_overview = new OverviewPage(*m_session, m_id, m_top);
    m_top->addTab(m_overview, icon("overview", Token::Muted), tr("Overview"));
    m_logs = new LogsPage(*m_session, m_id, m_top);
    m_top->addTab(m_logs, icon("logs", Token::Muted), tr("Logs"));
    m_metrics = new MetricsPage(*m_session, m_id, m_top);
    m_top->addTab(m_metrics, icon("metrics", Token::Muted), tr("Metrics"));
    m_snapshots = new SnapshotsPage(*m_session, m_id, m_top);
    m_top->addTab(m_snapshots, icon("snapshot", Token::Muted), tr("Snapshots"));
    connect(m_snapshots, &SnapshotsPage::createRequested, this, &Workspace::createRequested);
    connect(m_snapshots, &SnapshotsPage::done, this, &Workspace::done);
    m_splitter->addWidget(m_top);
    m_terminal = new TerminalPane(*m_session, m_id, m_splitter);
    m_terminal->setMinimumHeight(10 * kGrid);
    connect(m_terminal, &TerminalPane::resumeRequested, this, [this] {
        if (m_session)
            m_parts.actions.resume(*m_session, {m_id});
    });
    connect(m_terminal, &TerminalPane::filesDropped, this, &Workspace::takeDroppedFiles);
    connect(m_files, &FilesPane::openTerminalHere, m_terminal,
            [this](const RemotePath &folder) { m_terminal->newTab(folder); });
    m_splitter->addWidget(m_terminal);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setSizes({300, 240});
    m_splitter->restoreState(m_parts.settings.viewBytes(kSplitterState));
    connect(m_splitter, &QSplitter::splitterMoved, this,
            [this] { m_parts.settings.setViewBytes(kSplitterState, m_splitter->saveState()); });
    m_stack->addWidget(m_splitter);
}

const char *Workspace::titleIcon() const
{
    switch (m_phase) {
    case Phase::Running:
        return "running";
    case Phase::Paused:
        return "paused";
    case Phase::Ended:
        return "ended";
    case Phase::Unknown:
    case Phase::Changing:
        break;
    }
    return "waiting";
}

Token Workspace::titleToken() const
{
    switch (m_phase) {
    case Phase::Running:
        return Token::Running;
    case Phase::Paused:
        return Token::Paused;
    case Phase::Unknown:
    case Phase::Ended:
    case Phase::Changing:
        break;
    }
    return Token::Muted;
}

QList<QWidget *> Workspace::panes() const
{
    if (!m_splitter || m_stack->currentWidget() != m_splitter)
        return {m_message->actionButton()};
    return {m_top->currentWidget(), m_terminal};
}

void Workspace::focusWork()
{
    const bool live = m_terminal && m_stack->currentWidget() == m_splitter;
    m_focusWhenReady = !live;
    if (live && m_terminal->currentTab())
        m_terminal->currentTab()->setFocus(Qt::OtherFocusReason);
    else if (live)
        m_terminal->setFocus(Qt::OtherFocusReason); // its first shell takes it over
    else if (!live && m_message->actionButton()->isVisible())
        m_message->actionButton()->setFocus(Qt::OtherFocusReason);
}

void Workspace::newTerminal()
{
    if (m_terminal && m_phase == Phase::Running)
        m_terminal->newTab();
}

void Workspace::takeDroppedFiles(const QList<QUrl> &urls)
{
    QStringList local;
    QList<RemotePath> remote;
    for (const QUrl &url : urls) {
        const QFileInfo file(url.toLocalFile());
        const auto there = m_files->folder().child(QFile::encodeName(file.fileName()));
        if (!url.isLocalFile() || !there)
            continue;
        local << file.absoluteFilePath();
        remote << *there;
    }
    if (local.isEmpty())
        return;
    m_files->uploadFiles(local);
    m_terminal->typePaths(remote);
}

void Workspace::look()
{
    if (!m_session || m_phase == Phase::Ended)
        return;
    const auto known = m_session->sandboxes().find(m_id);
    if (!known) {
        if (m_phase == Phase::Unknown && m_session->sandboxes().hasLoaded())
            ask();
        return;
    }
    m_last = *known;
    switch (known->state) {
    case SandboxState::Running:
        setPhase(Phase::Running);
        break;
    case SandboxState::Paused:
        setPhase(Phase::Paused);
        break;
    case SandboxState::Terminal:
        setPhase(Phase::Ended);
        break;
    case SandboxState::Transitioning:
    case SandboxState::Unknown:
        setPhase(Phase::Changing);
        break;
    }
}

void Workspace::ask()
{
    if (!m_session)
        return;
    m_askError.reset();
    showMessage();
    m_session->sandboxes().refreshOne(m_id).then(this, [this](const Result<protocol::SandboxDetail> &detail) {
        if (detail) {
            look();
            return;
        }
        if (provesGone(detail.error().kind)) {
            setPhase(Phase::Ended);
        } else if (m_phase == Phase::Unknown) {
            m_askError = detail.error();
            showMessage();
        }
    });
}

void Workspace::setPhase(Phase phase)
{
    const bool changed = phase != m_phase;
    m_phase = phase;
    if (phase == Phase::Running)
        makePanes();
    if (phase != Phase::Running)
        m_lease->clear();
    if (m_session && m_session->sandboxes().find(m_id))
        m_title = sandboxName(m_session->sandboxes(), m_id);
    m_name->setText(m_title);
    m_idLabel->setVisible(m_title != m_id.value);
    setAccessibleName(m_title);
    if (m_splitter && phase == Phase::Ended) {
        m_overview->setEnded();
        m_logs->setEnded();
        m_metrics->setEnded();
    } else if (m_splitter && changed) {
        m_overview->refresh();
    }
    if (m_splitter)
        m_snapshots->setRunning(phase == Phase::Running);
    m_stack->setCurrentWidget(m_splitter ? static_cast<QWidget *>(m_splitter) : m_message);
    showMessage();
    updateHeader();
    if (m_focusWhenReady)
        focusWork();
    Q_EMIT titleChanged();
}

void Workspace::showMessage()
{
    m_message->setBusy(false);
    m_message->setAction({});
    m_stateBar->clear();
    const QString name = quoted(m_title);
    switch (m_phase) {
    case Phase::Running:
        break;
    case Phase::Paused:
        m_message->setDrawing("paused");
        m_message->setText(tr("Paused"), tr("%1 stands still, with its files and programs kept. Nothing here wakes it "
                                            "until you resume it.")
                                             .arg(name));
        m_message->setAction(tr("Resume…"), "play");
        if (m_splitter)
            m_stateBar->showWarning(tr("%1 is paused: its programs stand still until it is resumed.").arg(name),
                                    tr("Resume…"));
        break;
    case Phase::Ended:
        m_message->setDrawing("ended");
        m_message->setText(tr("Ended"), tr("%1 has ended: its time ran out or it was killed.").arg(name));
        m_message->setAction(tr("Close this tab"), "close");
        if (m_splitter)
            m_stateBar->showWarning(tr("%1 has ended. What was shown stays readable here.").arg(name),
                                    tr("Close this tab"));
        break;
    case Phase::Changing:
        m_message->setDrawing("waiting");
        m_message->setText(tr("Changing"), tr("%1 is being started, paused or resumed.").arg(name));
        m_message->setBusy(true);
        break;
    case Phase::Unknown:
        if (m_askError) {
            m_message->setDrawing("offline");
            m_message->setText(tr("Not known"), errorSentence(*m_askError, tr("%1 could not be asked for.").arg(name)));
            m_message->setAction(tr("Ask again"), "retry");
        } else {
            m_message->setDrawing("waiting");
            m_message->setText(tr("Looking for it"), tr("The server is asked for %1.").arg(name));
            m_message->setBusy(true);
        }
        break;
    }
}

void Workspace::updateHeader()
{
    const bool idle = !m_parts.actions.isBusy(m_id);
    const bool running = m_phase == Phase::Running, paused = m_phase == Phase::Paused;
    if (m_phase == Phase::Ended) {
        const StateLook look = endedLook();
        m_state->setState(look.icon, look.word, look.token);
    } else if (m_phase == Phase::Unknown) {
        m_state->setState("waiting", tr("Asking"), Token::Muted);
    } else {
        const StateLook look = stateLook(m_last);
        m_state->setState(look.icon, look.word, look.token);
    }
    m_extend->setVisible(running);
    m_pause->setVisible(running);
    m_resume->setVisible(paused);
    m_kill->setVisible(m_phase != Phase::Ended && m_phase != Phase::Unknown);
    for (QToolButton *button : {m_extend, m_pause, m_resume, m_kill})
        button->setEnabled(idle);
    for (const auto &[button, hint] : {std::pair(m_pause, tr("Pause")), std::pair(m_resume, tr("Resume…"))}) {
        const QString reason = m_session ? lackReason(m_session->capabilities(), api::Feature::Pause) : QString();
        button->setEnabled(idle && reason.isEmpty());
        button->setToolTip(toolTipText(reason.isEmpty() ? hint : reason));
    }
    offerPages();
    tick();
}

// A page of what the server is known to lack stays in its place, greyed, and says why.
void Workspace::offerPages()
{
    if (!m_top || !m_session)
        return;
    const session::CapabilityStore &server = m_session->capabilities();
    const auto offer = [this](QWidget *page, const QString &reason) {
        const int tab = m_top->indexOf(page);
        m_top->setTabEnabled(tab, reason.isEmpty());
        m_top->setTabToolTip(tab, toolTipText(reason));
    };
    const QString noOldLogs = lackReason(server, api::Feature::LogsV1);
    offer(m_logs, noOldLogs.isEmpty() ? QString() : lackReason(server, api::Feature::LogsV2));
    offer(m_metrics, lackReason(server, api::Feature::Metrics));
    offer(m_snapshots, lackReason(server, api::Feature::Snapshots));
}

void Workspace::warnOfLease(qint64 secondsLeft)
{
    const QString name = quoted(m_title);
    m_lease->showWarning(secondsLeft > kLeaseLastWarning ? tr("%1 ends in less than 5 minutes.").arg(name)
                                                         : tr("%1 ends in less than a minute.").arg(name),
                         tr("Extend by 15 min"));
}

void Workspace::tick()
{
    const bool shown = m_phase == Phase::Running && m_session;
    m_left->setVisible(shown);
    if (m_overview)
        m_overview->tick();
    if (!shown)
        return;
    const auto left = m_session->sandboxes().secondsLeft(m_last);
    m_left->setText(left ? tr("%1 left").arg(timeLeftText(m_last, left)) : timeLeftText(m_last, left));
    m_left->setToolTip(toolTipText(tr("Ends at %1 (%2)").arg(formatFullTime(m_last.endAt), formatUtc(m_last.endAt))));
    setTextColor(m_left, timeLeftToken(left));
    if (left && *left > kLeaseWarning && m_lease->isVisible())
        m_lease->clear(); // it was extended
}

} // namespace boxdeck::ui
