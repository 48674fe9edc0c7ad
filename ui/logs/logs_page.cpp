// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/logs/logs_page.h"

#include "backend/core/display_text.h"
#include "backend/session/session.h"
#include "ui/common/empty_state.h"
#include "ui/common/error_bar.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/save_text.h"
#include "ui/common/ui_util.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace boxdeck::ui {

using models::LogModel;
using protocol::LogEntry;
using protocol::LogLevel;

namespace {

constexpr int pageSize = 1000; // what a server gives at most
// The rules call for the last lines again and again: a line that is a little late must not be missed.
constexpr qint64 overlapMs = 5000;
constexpr session::Poller::Pace following{.visible = std::chrono::seconds(2), .hidden = std::chrono::minutes(1)};

Token colourOf(LogLevel level)
{
    switch (level) {
    case LogLevel::Error:
        return Token::Danger;
    case LogLevel::Warn:
        return Token::Warning;
    case LogLevel::Debug:
        return Token::Muted;
    case LogLevel::Info:
        break;
    }
    return Token::Text;
}

class LogDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const auto level = static_cast<LogLevel>(index.data(LogModel::LevelRole).toInt());
        const Token token = index.column() == LogModel::Time ? Token::Muted : colourOf(level);
        option->palette.setColor(QPalette::Text, Theme::color(token, option->palette));
        if (index.column() == LogModel::Message)
            option->font = Theme::monospace();
    }
};

QString lineOf(const QModelIndex &index)
{
    const auto cell = [&index](int column) { return index.siblingAtColumn(column).data().toString(); };
    return cell(LogModel::Time) + u'\t' + cell(LogModel::Level) + u'\t' + cell(LogModel::Message);
}

} // namespace

void LogFilter::setLeastLevel(LogLevel level)
{
    m_level = level;
    invalidateFilter();
}

void LogFilter::setText(const QString &text)
{
    m_text = text;
    invalidateFilter();
}

bool LogFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const QModelIndex index = sourceModel()->index(row, LogModel::Message, parent);
    return static_cast<LogLevel>(index.data(LogModel::LevelRole).toInt()) >= m_level &&
           (m_text.isEmpty() || index.data(LogModel::MessageRole).toString().contains(m_text, Qt::CaseInsensitive));
}

LogsPage::LogsPage(session::Session &session, const protocol::SandboxId &id, QWidget *parent)
    : QWidget(parent)
    , m_session(&session)
    , m_id(id)
    , m_poller([this] { return ask(); }, following)
    , m_error(new ErrorBar(QStringLiteral("logsError"), this))
    , m_view(new QTreeView(this))
    , m_empty(new EmptyState(QStringLiteral("logsEmpty"), "waiting", this))
    , m_stack(new QStackedWidget(this))
{
    nameWidget(this, QStringLiteral("logsPage"), tr("Logs"));
    m_filter.setSourceModel(&m_model);
    QWidget *bar = makeBar();
    makeView();
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_view);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(m_error);
    column->addWidget(m_stack, 1);
    connect(m_error, &ErrorBar::retryRequested, this, [this] { m_poller.pollNow(); });
    connect(m_empty, &EmptyState::actionTriggered, this, [this] { m_poller.pollNow(); });
    update();
}

QWidget *LogsPage::makeBar()
{
    auto *bar = new QWidget(this);
    const auto button = [bar](const QString &name, const char *iconName, const QString &label) {
        auto *made = new QToolButton(bar);
        nameWidget(made, name, label);
        made->setIcon(icon(iconName));
        made->setToolTip(toolTipText(label));
        made->setAutoRaise(true);
        return made;
    };
    m_level = new QComboBox(bar);
    nameWidget(m_level, QStringLiteral("logsLevel"), tr("Least level shown"));
    m_level->addItem(tr("All levels"), int(LogLevel::Debug));
    m_level->addItem(tr("Info and above"), int(LogLevel::Info));
    m_level->addItem(tr("Warnings and errors"), int(LogLevel::Warn));
    m_level->addItem(tr("Errors only"), int(LogLevel::Error));
    connect(m_level, &QComboBox::currentIndexChanged, this, [this] {
        m_filter.setLeastLevel(static_cast<LogLevel>(m_level->currentData().toInt()));
        update();
    });
    m_find = new QLineEdit(bar);
    nameWidget(m_find, QStringLiteral("logsFind"), tr("Show lines with this text"));
    m_find->setPlaceholderText(tr("Find in the log"));
    m_find->setClearButtonEnabled(true);
    connect(m_find, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_filter.setText(text);
        update();
    });
    m_count = mutedLabel({}, bar);
    nameWidget(m_count, QStringLiteral("logsCount"), tr("Number of lines"));
    m_follow = button(QStringLiteral("logsFollow"), "play", tr("Follow new lines"));
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    connect(m_follow, &QToolButton::toggled, this, &LogsPage::pace);
    m_refresh = button(QStringLiteral("logsRefresh"), "refresh", tr("Read the log again"));
    connect(m_refresh, &QToolButton::clicked, this, [this] {
        m_poller.start();
        m_poller.pollNow();
    });
    m_save = button(QStringLiteral("logsSave"), "save", tr("Save the shown lines to a file"));
    connect(m_save, &QToolButton::clicked, this, [this] {
        saveText(this,
                 {.name = QStringLiteral("logsSaveDialog"),
                  .title = tr("Save the log of %1").arg(m_id.value),
                  .fileName = m_id.value + QStringLiteral(".log"),
                  .text = [this] { return allText(); }},
                 [this](const QString &sentence) { m_count->setText(sentence); });
    });
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
    row->setSpacing(kGrid);
    row->addWidget(m_level);
    row->addWidget(m_find, 1);
    row->addWidget(m_count);
    row->addWidget(m_follow);
    row->addWidget(m_refresh);
    row->addWidget(m_save);
    return bar;
}

void LogsPage::makeView()
{
    nameWidget(m_view, QStringLiteral("logsList"), tr("Lines of the log"));
    m_view->setModel(&m_filter);
    styleView(m_view);
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setItemDelegate(new LogDelegate(m_view));
    m_view->header()->resizeSection(LogModel::Time, 22 * kGrid);
    m_view->header()->resizeSection(LogModel::Level, 10 * kGrid);
    m_view->header()->setStretchLastSection(true);
    auto *copy = new QAction(icon("copy"), tr("Copy"), m_view);
    copy->setObjectName(QStringLiteral("logsCopy"));
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, &LogsPage::copySelected);
    m_view->addAction(copy);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void LogsPage::setEnded()
{
    m_ended = true;
    m_poller.stop();
    m_follow->setEnabled(false);
    m_refresh->setEnabled(false);
    update();
}

void LogsPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    pace();
}

void LogsPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    pace();
}

void LogsPage::pace()
{
    const bool wanted = isVisible() && !m_ended && !m_unsupported && (m_follow->isChecked() || !m_loaded);
    if (wanted && !m_poller.isRunning())
        m_poller.start();
    else if (!wanted && m_loaded)
        m_poller.stop();
}

Call<void> LogsPage::ask()
{
    if (!m_session)
        return Call<void>::settled({});
    protocol::LogQuery query{.limit = pageSize};
    if (m_model.newest().isValid()) {
        query.cursor = m_model.newest().addMSecs(-overlapMs);
        query.direction = protocol::LogDirection::Forward;
    }
    return m_session->control().telemetry().logs(m_id, query).map([this](const Result<QList<LogEntry>> &page) {
        take(page);
        return page ? Result<void>() : Result<void>(tl::unexpected(page.error()));
    });
}

void LogsPage::take(const Result<QList<LogEntry>> &page)
{
    if (page) {
        const bool follow = atEnd();
        m_model.add(*page);
        m_loaded = true;
        m_error->clear();
        if (follow)
            m_view->scrollToBottom();
    } else if (page.error().kind == ErrorKind::Unsupported) {
        m_unsupported = true;
    } else {
        m_error->showError(page.error(), tr("The log of %1 was not read.").arg(m_id.value), tr("Read again"));
    }
    update();
    // Not from inside the question's own answer.
    QMetaObject::invokeMethod(this, &LogsPage::pace, Qt::QueuedConnection);
}

bool LogsPage::atEnd() const
{
    const QScrollBar *bar = m_view->verticalScrollBar();
    return bar->value() >= bar->maximum();
}

void LogsPage::update()
{
    const int shown = m_filter.rowCount(), all = m_model.rowCount();
    m_count->setText(shown == all ? tr("Lines: %1").arg(all) : tr("Lines: %1 of %2").arg(shown).arg(all));
    m_save->setEnabled(shown > 0);
    m_stack->setCurrentWidget(shown > 0 ? static_cast<QWidget *>(m_view) : m_empty);
    m_empty->setBusy(false);
    m_empty->setAction({});
    if (shown > 0)
        return;
    if (m_unsupported) {
        m_empty->setDrawing("server");
        m_empty->setText(tr("No logs here"), tr("This server does not keep logs of its sandboxes."));
    } else if (all > 0) {
        m_empty->setDrawing("search");
        m_empty->setText({}, tr("No line of the log fits the level and the text above."));
    } else if (m_loaded || m_ended) {
        m_empty->setDrawing("waiting");
        m_empty->setText({}, tr("The server has noted nothing about this sandbox."));
    } else {
        m_empty->setDrawing("waiting");
        m_empty->setText({}, tr("The log is being read."));
        m_empty->setBusy(true);
    }
}

QString LogsPage::allText() const
{
    QString text;
    for (int row = 0; row < m_filter.rowCount(); ++row)
        text += lineOf(m_filter.index(row, 0)) + u'\n';
    return text;
}

void LogsPage::copySelected()
{
    QModelIndexList rows = m_view->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(), [](const auto &a, const auto &b) { return a.row() < b.row(); });
    QStringList lines;
    for (const QModelIndex &row : rows)
        lines << lineOf(row);
    copyToClipboard(lines.join(u'\n'));
}

} // namespace boxdeck::ui
