// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/templates/templates_pane.h"

#include "backend/core/display_text.h"
#include "backend/session/accounts.h"
#include "backend/session/session.h"
#include "backend/session/settings.h"
#include "models/template_model.h"
#include "ui/common/empty_state.h"
#include "ui/common/error_bar.h"
#include "ui/common/error_sentence.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"
#include "ui/sandboxes/sandbox_text.h"
#include "ui/templates/template_delegate.h"

#include <QAction>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

namespace boxdeck::ui {

using models::TemplateModel;
using session::Accounts;
using session::Session;

namespace {
const auto kHeaderState = QStringLiteral("templates/header");

QString whyUnusable(const QModelIndex &index)
{
    if (index.data(TemplateModel::BuildStatusRole).toInt() == int(protocol::BuildStatus::Untagged))
        return TemplatesPane::tr("Builds of it are ready, but none carries the tag “default”, and waiting won't change "
                                 "that. Build it again with that tag, or move the tag to one of them.");
    return TemplatesPane::tr("It has no build that is ready.");
}
} // namespace

TemplatesPane::TemplatesPane(Accounts &accounts, session::Settings &settings, QWidget *parent)
    : QWidget(parent)
    , m_accounts(accounts)
    , m_settings(settings)
    , m_proxy(new QSortFilterProxyModel(this))
    , m_filter(new QLineEdit(this))
    , m_error(new ErrorBar(QStringLiteral("templatesError"), this))
    , m_stack(new QStackedWidget(this))
    , m_view(new QTreeView(this))
    , m_empty(new EmptyState(QStringLiteral("templatesEmpty"), "templates", this))
    , m_create(new QAction(icon("plus"), tr("New sandbox from this template…"), this))
    , m_copyId(new QAction(icon("copy"), tr("Copy ID"), this))
{
    nameWidget(this, QStringLiteral("templatesPane"), tr("Templates"));
    m_create->setObjectName(QStringLiteral("templateCreate"));
    m_copyId->setObjectName(QStringLiteral("templateCopyId"));
    connect(m_create, &QAction::triggered, this, &TemplatesPane::createFromSelected);
    connect(m_copyId, &QAction::triggered, this,
            [this] { copyToClipboard(selected().data(TemplateModel::TemplateIdRole).toString()); });
    makeView();

    nameWidget(m_filter, QStringLiteral("templatesFilter"), tr("Filter the templates"));
    m_filter->setPlaceholderText(tr("Filter by name or id"));
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(icon("search", Token::Muted), QLineEdit::LeadingPosition);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_proxy->setFilterFixedString(text.trimmed());
        updateState();
    });
    auto *bar = new QVBoxLayout;
    bar->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
    bar->addWidget(m_filter);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(hairline(this));
    column->addWidget(m_error);
    column->addWidget(m_stack, 1);

    const auto retry = [this] {
        if (m_session)
            m_session->templates().refresh();
    };
    connect(m_error, &ErrorBar::retryRequested, this, retry);
    connect(m_empty, &EmptyState::actionTriggered, this, retry);
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
}

TemplatesPane::~TemplatesPane() = default;

void TemplatesPane::makeView()
{
    m_proxy->setSortRole(TemplateModel::SortRole);
    m_proxy->setFilterRole(TemplateModel::FilterRole);
    m_proxy->setFilterKeyColumn(0);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_proxy->setSortCaseSensitivity(Qt::CaseInsensitive);
    nameWidget(m_view, QStringLiteral("templatesView"), tr("Templates"));
    m_view->setModel(m_proxy);
    m_view->setItemDelegate(new TemplateDelegate(m_view));
    m_view->setRootIsDecorated(false);
    m_view->setSortingEnabled(true);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setExpandsOnDoubleClick(false);
    styleView(m_view);
    m_view->header()->setObjectName(QStringLiteral("templatesHeader"));
    m_view->header()->setAccessibleName(tr("Columns of the templates"));
    m_view->header()->setStretchLastSection(false);
    connect(m_view, &QTreeView::activated, this, [this] { createFromSelected(); });
    connect(m_view, &QTreeView::customContextMenuRequested, this, &TemplatesPane::showMenu);
    const auto save = [this] {
        if (m_model)
            m_settings.setViewBytes(kHeaderState, m_view->header()->saveState());
    };
    connect(m_view->header(), &QHeaderView::sectionResized, this, save);
    connect(m_view->header(), &QHeaderView::sortIndicatorChanged, this, save);
    connect(m_proxy, &QAbstractItemModel::rowsInserted, this, &TemplatesPane::updateState);
    connect(m_proxy, &QAbstractItemModel::rowsRemoved, this, &TemplatesPane::updateState);
}

void TemplatesPane::setAccount(const QUuid &id)
{
    m_account = id;
    bind(m_accounts.session(id));
}

void TemplatesPane::bind(Session *session)
{
    if (session == m_session && (session != nullptr) == (m_model != nullptr)) {
        updateState();
        return;
    }
    if (m_session)
        disconnect(&m_session->templates(), nullptr, this, nullptr);
    m_proxy->setSourceModel(nullptr);
    m_model.reset();
    m_session = session;
    m_error->clear();
    if (session) {
        m_model = std::make_unique<TemplateModel>(session->templates());
        m_proxy->setSourceModel(m_model.get());
        QHeaderView *header = m_view->header();
        const QSignalBlocker quiet(header);
        if (!header->restoreState(m_settings.viewBytes(kHeaderState))) {
            const int widths[] = {180, 116, 56, 88, 88, 130, 64, 180};
            for (int column = 0; column < TemplateModel::ColumnCount; ++column)
                header->resizeSection(column, widths[column]);
            header->setSortIndicator(TemplateModel::Name, Qt::AscendingOrder);
        }
        m_proxy->sort(header->sortIndicatorSection(), header->sortIndicatorOrder());

        session::TemplateStore &store = session->templates();
        connect(&store, &session::TemplateStore::updated, this, [this] {
            m_error->clear();
            updateState();
        });
        connect(&store, &session::TemplateStore::failed, this, [this](const Error &error) {
            if (m_session->templates().hasLoaded()) {
                m_error->showError(error,
                                   tr("The templates could not be listed; this is what was known at %1.")
                                       .arg(formatClock(m_session->templates().asOf())),
                                   tr("List again"));
            }
            updateState();
        });
        connect(&store, &session::TemplateStore::loadingChanged, this, &TemplatesPane::updateState);
    }
    updateState();
}

void TemplatesPane::updateState()
{
    m_stack->setCurrentWidget(m_proxy->rowCount() > 0 ? static_cast<QWidget *>(m_view) : m_empty);
    if (m_proxy->rowCount() > 0)
        return;
    m_empty->setBusy(false);
    m_empty->setAction({});
    m_empty->setDrawing("templates");
    if (!m_session) {
        m_empty->setText({}, tr("Templates appear here once the account is connected."));
    } else if (const auto &store = m_session->templates(); !store.hasLoaded() && store.lastError()) {
        m_empty->setDrawing("offline");
        m_empty->setText({}, errorSentence(*store.lastError(), tr("The templates could not be listed.")));
        m_empty->setAction(tr("List again"), "retry");
    } else if (!store.hasLoaded()) {
        m_empty->setText(tr("Loading"), tr("The server is asked for its templates."));
        m_empty->setBusy(true);
    } else if (!store.items().isEmpty()) {
        m_empty->setDrawing("search");
        m_empty->setText(tr("Nothing matches"), tr("No template matches the filter."));
    } else {
        m_empty->setText(tr("No templates"), tr("This account has no templates of its own."));
    }
}

QModelIndex TemplatesPane::selected() const
{
    return m_view->selectionModel()->currentIndex();
}

void TemplatesPane::showMenu(const QPoint &position)
{
    if (!selected().isValid())
        return;
    const bool usable = selected().data(TemplateModel::SpawnableRole).toBool();
    m_create->setEnabled(usable);
    m_create->setToolTip(usable ? QString() : toolTipText(whyUnusable(selected())));
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("templateMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions({m_create, m_copyId});
    menu->popup(m_view->viewport()->mapToGlobal(position));
}

void TemplatesPane::createFromSelected()
{
    const QModelIndex index = selected();
    if (!index.isValid())
        return;
    if (!index.data(TemplateModel::SpawnableRole).toBool()) {
        m_error->showWarning(
            tr("No sandbox can be made from %1.")
                .arg(quoted(displayText(index.siblingAtColumn(TemplateModel::Name).data().toString(), 80))) +
            QLatin1Char(' ') + whyUnusable(index));
        return;
    }
    Q_EMIT createRequested(index.data(TemplateModel::CreateNameRole).toString());
}

} // namespace boxdeck::ui
