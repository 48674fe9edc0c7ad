// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/transfers/transfers_pane.h"

#include "backend/core/display_text.h"
#include "ui/common/empty_state.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/theme.h"
#include "ui/common/ui_util.h"
#include "ui/transfers/conflict_bar.h"
#include "ui/transfers/transfer_sentence.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace boxdeck::ui {

using models::TransferModel;
using transfer::JobState;
using transfer::TransferId;

namespace {

constexpr int mostProblemsShown = 500;

JobState stateOf(const QModelIndex &index)
{
    return static_cast<JobState>(index.data(TransferModel::StateRole).toInt());
}

struct Look
{
    const char *icon;
    Token token;
};

Look lookOf(JobState state)
{
    switch (state) {
    case JobState::Queued:
        return {"waiting", Token::Muted};
    case JobState::Scanning:
    case JobState::Running:
        return {"transfer", Token::Accent};
    case JobState::Paused:
        return {"paused", Token::Paused};
    case JobState::Retrying:
        return {"retry", Token::Warning};
    case JobState::Conflict:
        return {"warning", Token::Warning};
    case JobState::Done:
        return {"check", Token::Running};
    case JobState::Failed:
        return {"failed", Token::Danger};
    case JobState::Cancelled:
        return {"stop", Token::Muted};
    }
    return {"unknown", Token::Muted};
}

} // namespace

QSize TransferDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    return {QStyledItemDelegate::sizeHint(option, index).width(), kRowHeight};
}

void TransferDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = Qt::ElideMiddle;
    if (index.column() == TransferModel::Name) {
        const bool up =
            index.data(TransferModel::DirectionRole).toInt() == static_cast<int>(transfer::Direction::Upload);
        option->icon = icon(up ? "upload" : "download", Token::Muted);
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->decorationSize = QSize(kIconSize, kIconSize);
    } else if (index.column() == TransferModel::State) {
        const Look look = lookOf(stateOf(index));
        option->icon = icon(look.icon, look.token);
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->decorationSize = QSize(kIconSize, kIconSize);
        option->palette.setColor(QPalette::Text, Theme::color(look.token, option->palette));
    } else if (index.column() != TransferModel::Progress) {
        option->palette.setColor(QPalette::Text, Theme::color(Token::Muted, option->palette));
    }
}

void TransferDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QVariant percent = index.data(TransferModel::PercentRole);
    if (index.column() != TransferModel::Progress || !percent.isValid()) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    // The ground and the number as any cell, the bar left of the number.
    QStyledItemDelegate::paint(painter, option, index);
    constexpr int numberWidth = 6 * kGrid;
    constexpr int thickness = 4;
    QRect groove = option.rect.adjusted(kGrid, 0, -numberWidth, 0);
    groove.setTop(groove.center().y() - thickness / 2);
    groove.setHeight(thickness);
    if (groove.width() <= 2 * kGrid)
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(Theme::color(Token::Hairline, option.palette));
    painter->drawRoundedRect(groove, thickness / 2.0, thickness / 2.0);
    const int full = percent.toInt();
    if (full > 0) {
        QRect bar = groove;
        bar.setWidth(qMax(thickness, groove.width() * full / 100));
        painter->setBrush(Theme::color(lookOf(stateOf(index)).token, option.palette));
        painter->drawRoundedRect(bar, thickness / 2.0, thickness / 2.0);
    }
    painter->restore();
}

TransfersPane::TransfersPane(TransferModel &model, transfer::TransferEngine &engine, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_engine(engine)
{
    setObjectName(QStringLiteral("transfersPane"));
    setAccessibleName(tr("Transfers"));
    build();
    connect(&model, &QAbstractItemModel::rowsInserted, this, &TransfersPane::update);
    connect(&model, &QAbstractItemModel::rowsRemoved, this, &TransfersPane::update);
    connect(&model, &QAbstractItemModel::dataChanged, this, &TransfersPane::update);
    update();
}

void TransfersPane::build()
{
    m_view = new QTreeView(this);
    nameWidget(m_view, QStringLiteral("transfersList"), tr("Transfers"));
    m_view->setModel(&m_model);
    styleView(m_view);
    m_view->setRootIsDecorated(false);
    m_view->setItemsExpandable(false);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_view->setItemDelegate(new TransferDelegate(m_view));
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setSectionResizeMode(TransferModel::Name, QHeaderView::Stretch);
    m_view->header()->resizeSection(TransferModel::State, 20 * kGrid);
    m_view->header()->resizeSection(TransferModel::Progress, 22 * kGrid);
    m_view->header()->resizeSection(TransferModel::Size, 26 * kGrid);
    m_view->header()->resizeSection(TransferModel::Speed, 12 * kGrid);
    m_view->header()->resizeSection(TransferModel::TimeLeft, 15 * kGrid);
    m_view->header()->resizeSection(TransferModel::Sandbox, 16 * kGrid);

    m_empty = new EmptyState(QStringLiteral("transfersEmpty"), "transfers", this);
    m_empty->setText(tr("Nothing is being copied"), tr("Drop files on a folder of a sandbox, or save files from one."));
    m_conflict = new ConflictBar(this);
    m_summary = mutedLabel({}, this);
    nameWidget(m_summary, QStringLiteral("transfersSummary"), tr("About the selected transfer"));
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_problems = new QListWidget(this);
    nameWidget(m_problems, QStringLiteral("transfersProblems"), tr("Files that were not copied"));
    m_problems->setFrameShape(QFrame::NoFrame);
    m_problems->setWordWrap(true);
    buildActions();

    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
    bar->setSpacing(kGrid / 2);
    for (QAction *action : {m_pause, m_resume, m_retry, m_cancel}) {
        auto *button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        nameWidget(button, action->objectName() + QLatin1String("Button"), action->text());
        bar->addWidget(button);
    }
    bar->addWidget(m_summary, 1);
    auto *clear = new QToolButton(this);
    clear->setDefaultAction(m_clear);
    clear->setAutoRaise(true);
    clear->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    nameWidget(clear, QStringLiteral("transfersClearButton"), m_clear->text());
    bar->addWidget(clear);

    m_stack = new QStackedWidget(this);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_conflict);
    layout->addWidget(m_stack, 1);
    auto *problems = new QHBoxLayout;
    problems->setContentsMargins(kGrid, 0, kGrid, 0);
    problems->addWidget(m_problems);
    layout->addLayout(problems);

    connect(m_conflict, &ConflictBar::answered, &m_engine, &transfer::TransferEngine::resolveConflict);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TransfersPane::update);
}

QAction *TransfersPane::addAction(const char *name, const QString &text, const char *iconName,
                                  const QKeySequence &shortcut, std::function<void()> run)
{
    auto *action = new QAction(icon(iconName), text, this);
    action->setObjectName(QLatin1String(name));
    if (!shortcut.isEmpty()) {
        action->setShortcut(shortcut);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setToolTip(toolTipText(tr("%1 (%2)").arg(text, shortcut.toString(QKeySequence::NativeText))));
    }
    connect(action, &QAction::triggered, this, std::move(run));
    QWidget::addAction(action);
    m_view->addAction(action);
    return action;
}

void TransfersPane::buildActions()
{
    m_pause = addAction("transfersPause", tr("Pause"), "pause", QKeySequence(Qt::Key_P),
                        [this] { forSelected([this](TransferId id) { m_engine.pause(id); }); });
    m_resume = addAction("transfersResume", tr("Continue"), "play", QKeySequence(Qt::Key_C),
                         [this] { forSelected([this](TransferId id) { m_engine.resume(id); }); });
    m_retry = addAction("transfersRetry", tr("Try again"), "retry", QKeySequence(Qt::Key_R),
                        [this] { forSelected([this](TransferId id) { m_engine.retry(id); }); });
    m_cancel = addAction("transfersCancel", tr("Cancel"), "stop", QKeySequence(Qt::Key_Delete), [this] {
        forSelected([this](TransferId id) {
            const auto info = m_engine.info(id);
            if (info && transfer::isFinal(info->state))
                m_engine.remove(id); // a second time takes the row away
            else
                m_engine.cancel(id);
        });
    });
    m_clear = addAction("transfersClear", tr("Clear finished"), "broom", {}, [this] { m_engine.clearFinished(); });
}

void TransfersPane::forSelected(const std::function<void(TransferId)> &run)
{
    QList<TransferId> ids;
    for (const QModelIndex &index : m_view->selectionModel()->selectedRows())
        ids.append(TransferId{index.data(TransferModel::TransferIdRole).toULongLong()});
    for (const TransferId id : ids)
        run(id);
}

void TransfersPane::update()
{
    m_stack->setCurrentIndex(m_model.rowCount() > 0 ? 0 : 1);
    if (m_model.rowCount() > 0 && !m_view->currentIndex().isValid())
        m_view->setCurrentIndex(m_model.index(0, 0));
    bool mayPause = false;
    bool mayContinue = false;
    bool mayRetry = false;
    bool mayCancel = false;
    bool allFinal = true;
    for (const QModelIndex &index : m_view->selectionModel()->selectedRows()) {
        const JobState state = stateOf(index);
        const auto can = [state](transfer::JobEvent event) { return transfer::nextState(state, event).has_value(); };
        mayPause = mayPause || can(transfer::JobEvent::Pause);
        mayContinue = mayContinue || can(transfer::JobEvent::Continue);
        mayRetry = mayRetry || can(transfer::JobEvent::Retry);
        mayCancel = true;
        allFinal = allFinal && transfer::isFinal(state);
    }
    m_pause->setEnabled(mayPause);
    m_resume->setEnabled(mayContinue);
    m_retry->setEnabled(mayRetry);
    m_cancel->setEnabled(mayCancel);
    m_cancel->setText(mayCancel && allFinal ? tr("Remove from the list") : tr("Cancel"));
    bool anyFinished = false;
    std::optional<transfer::TransferInfo> asking;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const QModelIndex index = m_model.index(row, 0);
        const JobState state = stateOf(index);
        anyFinished = anyFinished || state == JobState::Done || state == JobState::Cancelled;
        if (!asking && state == JobState::Conflict)
            asking = m_model.infoAt(index);
    }
    m_clear->setEnabled(anyFinished);
    m_conflict->setQuestion(asking);
    updateDetails();
}

void TransfersPane::updateDetails()
{
    const auto info = m_model.infoAt(m_view->currentIndex());
    m_summary->setText(info ? transferSummary(*info) : QString());
    const qsizetype count = info ? info->problems.size() : 0;
    m_problems->setVisible(count > 0);
    const quint64 id = info ? info->id.value : 0;
    if (m_problems->property("transfer").toULongLong() == id && m_problems->property("count").toLongLong() == count)
        return; // progress of the same transfer must not take the place someone reads at
    m_problems->setProperty("transfer", id);
    m_problems->setProperty("count", count);
    m_problems->setFixedHeight(qBound(1, static_cast<int>(qMin<qsizetype>(count, 4)), 4) * kRowHeight);
    m_problems->clear();
    for (qsizetype i = 0; i < qMin<qsizetype>(count, mostProblemsShown); ++i)
        m_problems->addItem(problemLine(info->problems[i], info->direction));
    if (count > mostProblemsShown)
        m_problems->addItem(tr("… and %n more", nullptr, static_cast<int>(count - mostProblemsShown)));
}

} // namespace boxdeck::ui
