// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/snapshots/snapshots_page.h"

#include "backend/core/display_text.h"
#include "backend/session/session.h"
#include "ui/common/confirm.h"
#include "ui/common/empty_state.h"
#include "ui/common/error_bar.h"
#include "ui/common/icons.h"
#include "ui/common/ui_util.h"
#include "ui/sandboxes/sandbox_text.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace boxdeck::ui {

using protocol::Snapshot;

namespace {

constexpr int idRole = Qt::UserRole + 1; ///< the id as the server told it, where the shown one is made safe

} // namespace

SnapshotsPage::SnapshotsPage(session::Session &session, const protocol::SandboxId &id, QWidget *parent)
    : QWidget(parent)
    , m_session(&session)
    , m_id(id)
    , m_error(new ErrorBar(QStringLiteral("snapshotsError"), this))
    , m_list(new QTreeWidget(this))
    , m_empty(new EmptyState(QStringLiteral("snapshotsEmpty"), "templates", this))
    , m_stack(new QStackedWidget(this))
{
    nameWidget(this, QStringLiteral("snapshotsPage"), tr("Snapshots"));
    QWidget *bar = makeBar();
    makeList();
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_list);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(m_error);
    column->addWidget(m_stack, 1);
    connect(m_error, &ErrorBar::retryRequested, this, &SnapshotsPage::read);
    update();
}

QWidget *SnapshotsPage::makeBar()
{
    auto *bar = new QWidget(this);
    const auto button = [this, bar](const QString &name, const char *iconName, const QString &label, auto act) {
        auto *made = new QToolButton(bar);
        nameWidget(made, name, label);
        made->setIcon(icon(iconName));
        made->setToolTip(toolTipText(label));
        made->setAutoRaise(true);
        connect(made, &QToolButton::clicked, this, act);
        return made;
    };
    m_name = new QLineEdit(bar);
    nameWidget(m_name, QStringLiteral("snapshotsName"), tr("Name of the new snapshot"));
    m_name->setPlaceholderText(tr("Name, optional"));
    m_name->setMaxLength(128);
    connect(m_name, &QLineEdit::returnPressed, this, &SnapshotsPage::take);
    m_take = new QPushButton(icon("snapshot"), tr("Take a snapshot"), bar);
    nameWidget(m_take, QStringLiteral("snapshotsTake"), m_take->text());
    connect(m_take, &QPushButton::clicked, this, &SnapshotsPage::take);
    m_use = button(QStringLiteral("snapshotsUse"), "plus", tr("New sandbox from the selected snapshot…"),
                   &SnapshotsPage::useSelected);
    m_copy = button(QStringLiteral("snapshotsCopy"), "copy", tr("Copy the id of the selected snapshot"),
                    [this] { copyToClipboard(selected()); });
    m_delete =
        button(QStringLiteral("snapshotsDelete"), "trash", tr("Delete the selected snapshot…"), &SnapshotsPage::remove);
    m_refresh = button(QStringLiteral("snapshotsRefresh"), "refresh", tr("Read the list again"), &SnapshotsPage::read);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
    row->setSpacing(kGrid);
    row->addWidget(m_name, 1);
    row->addWidget(m_take);
    row->addSpacing(kGrid);
    for (QToolButton *one : {m_use, m_copy, m_delete, m_refresh})
        row->addWidget(one);
    return bar;
}

void SnapshotsPage::makeList()
{
    nameWidget(m_list, QStringLiteral("snapshotsList"), tr("Snapshots of this sandbox"));
    m_list->setColumnCount(2);
    m_list->setHeaderLabels({tr("Name"), tr("ID")});
    m_list->setRootIsDecorated(false);
    styleView(m_list);
    m_list->header()->resizeSection(0, 28 * kGrid);
    m_list->header()->setStretchLastSection(true);
    connect(m_list, &QTreeWidget::itemSelectionChanged, this, &SnapshotsPage::update);
    connect(m_list, &QTreeWidget::itemActivated, this, &SnapshotsPage::useSelected);
    auto *remove = new QAction(icon("trash"), tr("Delete…"), m_list);
    remove->setObjectName(QStringLiteral("snapshotsDeleteAction"));
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    connect(remove, &QAction::triggered, this, &SnapshotsPage::remove);
    auto *use = new QAction(icon("plus"), tr("New sandbox…"), m_list);
    use->setObjectName(QStringLiteral("snapshotsUseAction"));
    connect(use, &QAction::triggered, this, &SnapshotsPage::useSelected);
    m_list->addActions({use, remove});
    m_list->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void SnapshotsPage::setRunning(bool running)
{
    m_running = running;
    update();
}

void SnapshotsPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (!m_unsupported)
        read();
}

void SnapshotsPage::read()
{
    if (!m_session)
        return;
    m_reading = m_session->control().snapshots().listAll({.source = m_id});
    m_reading.then(this, [this](const Result<QList<Snapshot>> &snapshots) {
        m_loaded = true;
        if (snapshots) {
            m_error->clear();
            show(*snapshots);
        } else if (snapshots.error().kind == ErrorKind::Unsupported) {
            m_unsupported = true;
        } else {
            m_error->showError(snapshots.error(), tr("The snapshots of %1 were not read.").arg(m_id.value),
                               tr("Read again"));
        }
        update();
    });
}

void SnapshotsPage::show(const QList<Snapshot> &snapshots)
{
    const QString kept = selected();
    m_list->clear();
    for (const Snapshot &one : snapshots) {
        const QString name = one.names.isEmpty() ? tr("without a name") : one.names.first();
        auto *row = new QTreeWidgetItem(m_list, {displayText(name), displayText(one.id.value)});
        row->setIcon(0, icon("snapshot", Token::Muted));
        row->setFont(1, Theme::monospace());
        row->setToolTip(1, toolTipText(displayText(one.id.value)));
        row->setData(0, idRole, one.id.value);
        if (one.id.value == kept)
            row->setSelected(true);
    }
}

QString SnapshotsPage::selected() const
{
    const auto rows = m_list->selectedItems();
    return rows.isEmpty() ? QString() : rows.first()->data(0, idRole).toString();
}

void SnapshotsPage::take()
{
    if (!m_session || !m_take->isEnabled())
        return;
    m_busy = true;
    m_error->clear();
    update();
    m_session->control()
        .snapshots()
        .create(m_id, m_name->text().trimmed())
        .then(this, [this](const Result<Snapshot> &made) {
            m_busy = false;
            update();
            if (made) {
                m_name->clear();
                Q_EMIT done(tr("The snapshot %1 was taken.").arg(quoted(made->id.value)));
                read();
                return;
            }
            m_error->showError(made.error(), tr("No snapshot of %1 was taken.").arg(m_id.value));
            // A failed checkpoint may have cost the sandbox itself.
            if (m_session)
                m_session->sandboxes().refreshOne(m_id).then(this, [](const Result<protocol::SandboxDetail> &) {});
        });
}

void SnapshotsPage::useSelected()
{
    if (const QString id = selected(); !id.isEmpty())
        Q_EMIT createRequested(id);
}

void SnapshotsPage::remove()
{
    const QString id = selected();
    if (id.isEmpty())
        return;
    const Question question{.name = QStringLiteral("deleteSnapshot"),
                            .title = tr("Delete a snapshot"),
                            .text = tr("Delete the snapshot %1?").arg(quoted(id)),
                            .consequence = tr("It is gone for good, with all its tags. The sandbox stays as it is."),
                            .acceptVerb = tr("Delete the snapshot"),
                            .danger = true};
    confirm(this, question, this, [this, id] {
        if (!m_session)
            return;
        m_session->control().snapshots().remove({id}).then(this, [this, id](const Result<void> &gone) {
            if (gone)
                Q_EMIT done(tr("The snapshot %1 was deleted.").arg(quoted(id)));
            else
                m_error->showError(gone.error(), tr("The snapshot %1 was not deleted.").arg(quoted(id)));
            read();
        });
    });
}

void SnapshotsPage::update()
{
    const bool some = m_list->topLevelItemCount() > 0, chosen = !selected().isEmpty();
    m_name->setEnabled(m_running && !m_busy && !m_unsupported);
    m_take->setEnabled(m_name->isEnabled());
    m_take->setToolTip(m_running ? tr("Keep the sandbox as it is now, to make others from it")
                                 : tr("Only a running sandbox can be kept: resume it first"));
    for (QToolButton *one : {m_use, m_copy, m_delete})
        one->setEnabled(chosen);
    m_stack->setCurrentWidget(some ? static_cast<QWidget *>(m_list) : m_empty);
    m_empty->setBusy(!m_loaded);
    if (m_unsupported)
        m_empty->setText(tr("No snapshots here"), tr("This server can't keep snapshots."));
    else if (m_loaded)
        m_empty->setText(tr("No snapshot yet"),
                         tr("A snapshot keeps the sandbox as it is, so that others can be made from it."));
    else
        m_empty->setText({}, tr("The snapshots are being read."));
}

} // namespace boxdeck::ui
