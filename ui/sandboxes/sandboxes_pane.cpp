// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/sandboxes_pane.h"

#include "backend/core/display_text.h"
#include "backend/session/accounts.h"
#include "backend/session/session.h"
#include "backend/session/settings.h"
#include "models/sandbox_model.h"
#include "ui/accounts/account_state_view.h"
#include "ui/accounts/capability_text.h"
#include "ui/common/error_bar.h"
#include "ui/common/error_sentence.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"
#include "ui/sandboxes/sandbox_actions.h"
#include "ui/sandboxes/sandbox_delegate.h"
#include "ui/sandboxes/sandbox_filter.h"

#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QMenu>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace boxdeck::ui {

using models::SandboxModel;
using protocol::SandboxId;
using session::Accounts;
using session::Session;

namespace {
const auto kHeaderState = QStringLiteral("sandboxes/header");
} // namespace

SandboxesPane::SandboxesPane(Accounts &accounts, session::Settings &settings, SandboxActions &actions, QWidget *parent)
    : QWidget(parent)
    , m_accounts(accounts)
    , m_settings(settings)
    , m_actions(actions)
    , m_proxy(new SandboxFilter(this))
    , m_filter(new QLineEdit(this))
    , m_stateFilter(new QComboBox(this))
    , m_error(new ErrorBar(QStringLiteral("sandboxesError"), this))
    , m_stack(new QStackedWidget(this))
    , m_view(new QTreeView(this))
    , m_empty(new EmptyState(QStringLiteral("sandboxesEmpty"), "sandboxes", this))
    , m_accountView(new AccountStateView(QStringLiteral("sandboxesAccount"), accounts, this))
{
    nameWidget(this, QStringLiteral("sandboxesPane"), tr("Sandboxes"));
    makeActions();
    makeView();
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_accountView);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(hairline(this));
    column->addWidget(m_error);
    column->addWidget(m_stack, 1);

    connect(m_error, &ErrorBar::retryRequested, this, [this] {
        if (m_accounts.state(m_account) == Accounts::State::Failed)
            m_accounts.activate(m_account);
        else if (m_session)
            m_session->sandboxes().refresh();
    });
    connect(m_empty, &EmptyState::otherActionTriggered, this, [this] { Q_EMIT keyWanted(m_account); });
    connect(m_empty, &EmptyState::actionTriggered, this, [this] {
        if (m_emptyAct == EmptyAct::Create)
            Q_EMIT newRequested();
        else if (m_emptyAct == EmptyAct::ClearFilter) {
            m_filter->clear();
            m_stateFilter->setCurrentIndex(0);
        } else if (m_emptyAct == EmptyAct::Retry && m_session)
            m_session->sandboxes().refresh();
    });
    connect(m_accountView, &AccountStateView::keyWanted, this, &SandboxesPane::keyWanted);
    connect(m_accountView, &AccountStateView::accountWanted, this, &SandboxesPane::accountWanted);
    connect(&m_actions, &SandboxActions::busyChanged, this, &SandboxesPane::updateActions);
    const auto accountChanged = [this](const QUuid &id) {
        if (id == m_account)
            bind(m_accounts.session(id));
    };
    connect(&accounts, &Accounts::changed, this, accountChanged);
    connect(&accounts, &Accounts::sessionReady, this, accountChanged);
    connect(&accounts, &Accounts::aboutToRemove, this, [this](const QUuid &id) {
        if (id == m_account)
            bind(nullptr);
    });
    updateState();
    updateActions();
}

SandboxesPane::~SandboxesPane() = default;

void SandboxesPane::makeActions()
{
    const auto make = [this](const char *name, const QString &text, const char *iconName,
                             const QKeySequence &keys = {}) {
        auto *action = new QAction(icon(iconName), text, this);
        action->setObjectName(QLatin1String(name));
        action->setToolTip(toolTipText(
            keys.isEmpty() ? text : text + QStringLiteral(" (%1)").arg(keys.toString(QKeySequence::NativeText))));
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(action);
        return action;
    };
    m_open = make("sandboxOpen", tr("Open"), "external");
    m_pause = make("sandboxPause", tr("Pause"), "pause");
    m_resume = make("sandboxResume", tr("Resume…"), "play");
    m_extend15 = make("sandboxExtend15", tr("Extend by 15 min"), "extend");
    m_extend60 = make("sandboxExtend60", tr("Extend by 1 h"), "extend");
    m_extendBy = make("sandboxExtendBy", tr("Extend by…"), "extend");
    m_fork = make("sandboxFork", tr("Fork…"), "fork");
    m_kill = make("sandboxKill", tr("Kill…"), "kill", QKeySequence(Qt::Key_Delete));
    m_copyId = make("sandboxCopyId", tr("Copy ID"), "copy", QKeySequence(QKeySequence::Copy));
    m_refresh = make("sandboxRefresh", tr("Refresh"), "refresh");

    connect(m_open, &QAction::triggered, this, &SandboxesPane::openSelected);
    const auto on = [this](QAction *action, auto run) {
        connect(action, &QAction::triggered, this, [this, run] {
            if (m_session)
                run(*m_session, selectedIds());
        });
    };
    using Ids = SandboxActions::Ids;
    on(m_pause, [this](Session &session, const Ids &ids) { m_actions.pause(session, ids); });
    on(m_resume, [this](Session &session, const Ids &ids) { m_actions.resume(session, ids); });
    on(m_extend15,
       [this](Session &session, const Ids &ids) { m_actions.extend(session, ids, std::chrono::minutes(15)); });
    on(m_extend60, [this](Session &session, const Ids &ids) { m_actions.extend(session, ids, std::chrono::hours(1)); });
    on(m_extendBy, [this](Session &session, const Ids &ids) { m_actions.extendBy(session, ids); });
    on(m_fork, [this](Session &session, const Ids &ids) {
        if (ids.size() == 1)
            m_actions.fork(session, ids.first());
    });
    on(m_kill, [this](Session &session, const Ids &ids) { m_actions.kill(session, ids); });
    on(m_copyId, [](Session &, const Ids &ids) {
        QStringList lines;
        for (const SandboxId &id : ids)
            lines << id.value;
        copyToClipboard(lines.join(QLatin1Char('\n')));
    });
    on(m_refresh, [](Session &session, const Ids &) {
        session.sandboxes().refresh();
        session.templates().refresh();
    });
}

QWidget *SandboxesPane::makeBar()
{
    auto *holder = new QWidget(this);
    holder->setObjectName(QStringLiteral("sandboxesTools"));
    nameWidget(m_filter, QStringLiteral("sandboxesFilter"), tr("Filter the sandboxes"));
    m_filter->setPlaceholderText(tr("Filter by name, id, template, metadata"));
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(icon("search", Token::Muted), QLineEdit::LeadingPosition);
    nameWidget(m_stateFilter, QStringLiteral("sandboxesStateFilter"), tr("State"));
    m_stateFilter->addItem(tr("All"));
    m_stateFilter->addItem(icon("running", Token::Running), tr("Running"), int(protocol::SandboxState::Running));
    m_stateFilter->addItem(icon("paused", Token::Paused), tr("Paused"), int(protocol::SandboxState::Paused));
    auto *filter = static_cast<SandboxFilter *>(m_proxy);
    connect(m_filter, &QLineEdit::textChanged, this, [this, filter](const QString &text) {
        filter->setWords(text);
        updateState();
    });
    connect(m_stateFilter, &QComboBox::currentIndexChanged, this, [this, filter] {
        const QVariant state = m_stateFilter->currentData();
        filter->setState(state.isValid() ? std::optional(state.toInt()) : std::nullopt);
        updateState();
    });
    auto *fields = new QHBoxLayout;
    fields->setSpacing(kGrid);
    fields->addWidget(m_filter, 1);
    fields->addWidget(m_stateFilter);

    m_bar = new QToolBar(holder);
    nameWidget(m_bar, QStringLiteral("sandboxesToolBar"), tr("Sandbox commands"));
    m_bar->setToolButtonStyle(Qt::ToolButtonIconOnly);
    m_bar->setAutoFillBackground(false);
    m_bar->setProperty("plain", true);
    auto *extend = new QToolButton(m_bar);
    nameWidget(extend, QStringLiteral("sandboxExtendMenu"), tr("Extend"));
    extend->setIcon(icon("extend"));
    extend->setToolTip(tr("Extend the lifetime"));
    extend->setPopupMode(QToolButton::InstantPopup);
    auto *extendMenu = new QMenu(extend);
    extendMenu->setObjectName(QStringLiteral("sandboxExtendChoices"));
    extendMenu->addActions({m_extend15, m_extend60, m_extendBy});
    extend->setMenu(extendMenu);
    connect(m_extend15, &QAction::changed, extend, [this, extend] { extend->setEnabled(m_extend15->isEnabled()); });
    m_bar->addAction(m_open);
    m_bar->addSeparator();
    m_bar->addAction(m_pause);
    m_bar->addAction(m_resume);
    m_bar->addWidget(extend);
    m_bar->addAction(m_kill);
    m_bar->addSeparator();
    m_bar->addAction(m_refresh);
    const auto buttons = m_bar->findChildren<QToolButton *>();
    for (QToolButton *button : buttons) {
        if (button->defaultAction())
            nameWidget(button, button->defaultAction()->objectName() + QLatin1String("Button"),
                       button->defaultAction()->text());
    }

    auto *column = new QVBoxLayout(holder);
    column->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid);
    column->setSpacing(kGrid / 2);
    column->addWidget(m_bar);
    column->addLayout(fields);
    return holder;
}

void SandboxesPane::makeView()
{
    nameWidget(m_view, QStringLiteral("sandboxesView"), tr("Sandboxes"));
    m_view->setModel(m_proxy);
    m_view->setItemDelegate(new SandboxDelegate(m_view));
    m_view->setRootIsDecorated(false);
    m_view->setSortingEnabled(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setExpandsOnDoubleClick(false);
    styleView(m_view);
    m_view->header()->setObjectName(QStringLiteral("sandboxesHeader"));
    m_view->header()->setAccessibleName(tr("Columns of the sandboxes"));
    m_view->header()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_view, &QTreeView::activated, this, [this] { openSelected(); });
    connect(m_view, &QTreeView::customContextMenuRequested, this, &SandboxesPane::showMenu);
    connect(m_view->header(), &QHeaderView::sectionResized, this, &SandboxesPane::saveHeader);
    connect(m_view->header(), &QHeaderView::sectionMoved, this, &SandboxesPane::saveHeader);
    connect(m_view->header(), &QHeaderView::sortIndicatorChanged, this, &SandboxesPane::saveHeader);
    connect(m_view->header(), &QHeaderView::customContextMenuRequested, this, [this](const QPoint &position) {
        auto *menu = new QMenu(m_view);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        for (int column = 0; column < SandboxModel::ColumnCount; ++column) {
            if (column == SandboxModel::Name)
                continue; // a row must stay recognisable
            auto *action = menu->addAction(m_proxy->headerData(column, Qt::Horizontal).toString());
            action->setCheckable(true);
            action->setChecked(!m_view->isColumnHidden(column));
            connect(action, &QAction::toggled, m_view, [this, column](bool on) {
                m_view->setColumnHidden(column, !on);
                saveHeader();
            });
        }
        menu->popup(m_view->header()->mapToGlobal(position));
    });
    connect(m_proxy, &QAbstractItemModel::rowsInserted, this, &SandboxesPane::updateState);
    connect(m_proxy, &QAbstractItemModel::rowsRemoved, this, &SandboxesPane::updateState);
    connect(m_proxy, &QAbstractItemModel::dataChanged, this, &SandboxesPane::updateActions);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SandboxesPane::updateActions);
}

void SandboxesPane::setAccount(const QUuid &id)
{
    m_account = id;
    m_accountView->setAccount(id);
    bind(m_accounts.session(id));
}

void SandboxesPane::bind(Session *session)
{
    if (session == m_session && (session != nullptr) == (m_model != nullptr)) {
        updateState();
        return;
    }
    if (m_session) {
        disconnect(&m_session->sandboxes(), nullptr, this, nullptr);
        disconnect(&m_session->capabilities(), nullptr, this, nullptr);
    }
    m_proxy->setSourceModel(nullptr);
    m_model.reset();
    m_session = session;
    m_error->clear();
    if (session) {
        m_model = std::make_unique<SandboxModel>(session->sandboxes(), &session->templates());
        m_proxy->setSourceModel(m_model.get());
        QHeaderView *header = m_view->header();
        const QSignalBlocker quiet(header);
        if (!header->restoreState(m_settings.viewBytes(kHeaderState))) {
            const int widths[] = {88, 108, 68, 84, 96, 160, 64, 80, 180};
            for (int column = 0; column < SandboxModel::ColumnCount; ++column)
                header->resizeSection(column, widths[column]);
            header->hideSection(SandboxModel::Cpu);
            header->hideSection(SandboxModel::Memory);
            header->setSortIndicator(SandboxModel::Age, Qt::AscendingOrder);
        }
        header->setStretchLastSection(false);
        m_proxy->sort(header->sortIndicatorSection(), header->sortIndicatorOrder());

        session::SandboxStore &store = session->sandboxes();
        connect(&session->capabilities(), &session::CapabilityStore::changed, this, &SandboxesPane::updateActions);
        connect(&store, &session::SandboxStore::updated, this, [this] {
            m_error->clear();
            updateState();
        });
        connect(&store, &session::SandboxStore::failed, this, [this](const Error &error) {
            if (m_session->sandboxes().hasLoaded() && m_accounts.state(m_account) == Accounts::State::Ready) {
                m_error->showError(error,
                                   tr("The sandboxes could not be listed; this is what was known at %1.")
                                       .arg(formatClock(m_session->sandboxes().asOf())),
                                   tr("List again"));
            }
            updateState();
        });
        connect(&store, &session::SandboxStore::loadingChanged, this, &SandboxesPane::updateState);
    }
    updateState();
    updateActions();
}

void SandboxesPane::updateState()
{
    updateActions();
    if (!m_session || m_accounts.state(m_account) != Accounts::State::Ready) {
        // Rows that were there stay while the host is started again.
        const bool rows = m_session && m_proxy->rowCount() > 0;
        m_stack->setCurrentWidget(rows ? static_cast<QWidget *>(m_view) : m_accountView);
        if (rows && m_accounts.state(m_account) == Accounts::State::Failed)
            m_error->showText(m_accountView->accessibleDescription(), tr("Try again"));
        return;
    }
    if (m_proxy->rowCount() > 0) {
        m_stack->setCurrentWidget(m_view);
        return;
    }
    session::SandboxStore &store = m_session->sandboxes();
    m_empty->setBusy(false);
    m_empty->setOtherAction({});
    if (!store.hasLoaded() && store.lastError()) {
        m_emptyAct = EmptyAct::Retry;
        m_empty->setDrawing("offline");
        const QString details = errorDetails(*store.lastError());
        const bool key = store.lastError()->kind == ErrorKind::Authentication;
        m_empty->setText(key ? tr("The key was not accepted") : tr("The sandboxes can't be shown"),
                         errorSentence(*store.lastError(), tr("The sandboxes could not be listed.")) +
                             (details.isEmpty() ? QString() : QStringLiteral("\n\n") + details));
        m_empty->setAction(tr("List again"), "retry");
        if (key)
            m_empty->setOtherAction(tr("Enter another key…"));
    } else if (!store.hasLoaded()) {
        m_emptyAct = EmptyAct::None;
        m_empty->setDrawing("waiting");
        m_empty->setText(tr("Loading"), tr("The server is asked for its sandboxes."));
        m_empty->setBusy(true);
        m_empty->setAction({});
    } else if (!store.items().isEmpty()) {
        m_emptyAct = EmptyAct::ClearFilter;
        m_empty->setDrawing("search");
        m_empty->setText(tr("Nothing matches"), tr("No sandbox matches the filter."));
        m_empty->setAction(tr("Clear the filter"), "close");
    } else {
        m_emptyAct = EmptyAct::Create;
        m_empty->setDrawing("sandboxes");
        m_empty->setText(tr("No sandboxes"), tr("None is running or paused in this account."));
        m_empty->setAction(tr("New sandbox…"), "plus");
    }
    m_stack->setCurrentWidget(m_empty);
}

QList<SandboxId> SandboxesPane::selectedIds() const
{
    QModelIndexList rows = m_view->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(), [](const QModelIndex &a, const QModelIndex &b) { return a.row() < b.row(); });
    QList<SandboxId> ids;
    for (const QModelIndex &row : std::as_const(rows))
        ids << SandboxId{row.data(SandboxModel::SandboxIdRole).toString()};
    return ids;
}

void SandboxesPane::updateActions()
{
    const QList<SandboxId> ids = m_session ? selectedIds() : QList<SandboxId>();
    bool running = !ids.isEmpty(), paused = !ids.isEmpty(), idle = true;
    for (const SandboxId &id : ids) {
        const auto sandbox = m_session->sandboxes().find(id);
        running = running && sandbox && sandbox->state == protocol::SandboxState::Running;
        paused = paused && sandbox && sandbox->state == protocol::SandboxState::Paused;
        idle = idle && !m_actions.isBusy(id);
    }
    m_open->setEnabled(!ids.isEmpty());
    const session::CapabilityStore *server = m_session ? &m_session->capabilities() : nullptr;
    offerAction(m_pause, server, api::Feature::Pause, running && idle, tr("Pause"));
    offerAction(m_resume, server, api::Feature::Pause, paused && idle, tr("Resume…"));
    for (QAction *action : {m_extend15, m_extend60, m_extendBy})
        action->setEnabled(running && idle);
    offerAction(m_fork, server, api::Feature::Fork, running && idle && ids.size() == 1, tr("Fork…"));
    m_kill->setEnabled(!ids.isEmpty() && idle);
    m_copyId->setEnabled(!ids.isEmpty());
    m_refresh->setEnabled(m_session);
}

void SandboxesPane::showMenu(const QPoint &position)
{
    if (selectedIds().isEmpty())
        return;
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("sandboxMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(m_open);
    menu->addSeparator();
    menu->addActions({m_pause, m_resume});
    menu->addSeparator();
    menu->addActions({m_extend15, m_extend60, m_extendBy});
    menu->addSeparator();
    menu->addActions({m_fork, m_copyId, m_kill});
    menu->popup(m_view->viewport()->mapToGlobal(position));
}

void SandboxesPane::openSelected()
{
    if (!m_session)
        return;
    const auto ids = selectedIds();
    for (const SandboxId &id : ids)
        Q_EMIT openRequested(m_session, id);
}

void SandboxesPane::saveHeader()
{
    if (m_model)
        m_settings.setViewBytes(kHeaderState, m_view->header()->saveState());
}

void SandboxesPane::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

} // namespace boxdeck::ui
