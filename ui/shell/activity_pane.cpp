// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/activity_pane.h"

#include "backend/core/display_text.h"
#include "ui/common/empty_state.h"
#include "ui/common/error_sentence.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/ui_util.h"

#include <QDateTime>
#include <QHeaderView>
#include <QMenu>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace boxdeck::ui {

namespace {
constexpr int kKept = 1000;
} // namespace

ActivityPane::ActivityPane(QWidget *parent)
    : QWidget(parent)
    , m_stack(new QStackedWidget(this))
    , m_list(new QTreeWidget(this))
{
    nameWidget(this, QStringLiteral("activityPane"), tr("Activity"));
    nameWidget(m_list, QStringLiteral("activityList"), tr("What was done from here"));
    m_list->setColumnCount(3);
    m_list->setHeaderLabels({tr("Time"), tr("What happened"), tr("Details")});
    m_list->setRootIsDecorated(false);
    styleView(m_list);
    m_list->header()->resizeSection(0, 112);
    m_list->header()->resizeSection(1, 480);
    m_list->header()->setStretchLastSection(true);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_list, &QWidget::customContextMenuRequested, this, [this](const QPoint &position) {
        const QTreeWidgetItem *item = m_list->itemAt(position);
        if (!item)
            return;
        const QString text = item->text(1) + QLatin1Char('\n') + item->text(2);
        auto *menu = new QMenu(m_list);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        connect(menu->addAction(icon("copy"), tr("Copy")), &QAction::triggered, this,
                [text] { copyToClipboard(text.trimmed()); });
        menu->popup(m_list->viewport()->mapToGlobal(position));
    });
    auto *empty = new EmptyState(QStringLiteral("activityEmpty"), "waiting", this);
    empty->setText({}, tr("What you do to sandboxes from here is noted here."));
    m_stack->addWidget(empty);
    m_stack->addWidget(m_list);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_stack);
}

void ActivityPane::addDone(const QString &sentence)
{
    add("check", int(Token::Running), sentence, {});
}

void ActivityPane::addFailure(const Error &error, const QString &what)
{
    add("error", int(Token::Danger), errorSentence(error, what), errorDetails(error));
}

void ActivityPane::add(const char *iconName, int token, const QString &text, const QString &details)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    auto *item = new QTreeWidgetItem({formatClock(now), text, details});
    item->setIcon(0, icon(iconName, Token(token)));
    item->setToolTip(0, formatUtc(now));
    item->setToolTip(1, toolTipText(text));
    item->setToolTip(2, toolTipText(details));
    m_list->insertTopLevelItem(0, item);
    if (m_list->topLevelItemCount() > kKept)
        delete m_list->takeTopLevelItem(kKept);
    m_stack->setCurrentWidget(m_list);
}

} // namespace boxdeck::ui
