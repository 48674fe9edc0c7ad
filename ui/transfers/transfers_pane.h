// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/transfer/transfer_engine.h"
#include "models/transfer_model.h"

#include <QStyledItemDelegate>
#include <QWidget>

class QAction;
class QLabel;
class QListWidget;
class QStackedWidget;
class QTreeView;

namespace boxdeck::ui {

class ConflictBar;
class EmptyState;

/// Draws the progress column as a bar with its percentage, and the state with its icon.
class TransferDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

/// The queue: what is copied, how far it is, what went wrong, and what the user is asked.
class TransfersPane : public QWidget
{
    Q_OBJECT

public:
    /// Model and engine outlive the pane.
    TransfersPane(models::TransferModel &model, transfer::TransferEngine &engine, QWidget *parent = nullptr);

private:
    void build();
    void buildActions();
    QAction *addAction(const char *name, const QString &text, const char *iconName, const QKeySequence &shortcut,
                       std::function<void()> run);
    void forSelected(const std::function<void(transfer::TransferId)> &run);
    void update();
    void updateDetails();

    models::TransferModel &m_model;
    transfer::TransferEngine &m_engine;
    QTreeView *m_view = nullptr;
    EmptyState *m_empty = nullptr;
    QStackedWidget *m_stack = nullptr;
    ConflictBar *m_conflict = nullptr;
    QLabel *m_summary = nullptr;
    QListWidget *m_problems = nullptr;
    QAction *m_pause = nullptr;
    QAction *m_resume = nullptr;
    QAction *m_retry = nullptr;
    QAction *m_cancel = nullptr;
    QAction *m_clear = nullptr;
};

} // namespace boxdeck::ui
