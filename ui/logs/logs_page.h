// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/ids.h"
#include "backend/session/poller.h"
#include "models/log_model.h"

#include <QPointer>
#include <QSortFilterProxyModel>
#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QToolButton;
class QTreeView;

namespace boxdeck::session {
class Session;
}

namespace boxdeck::ui {

class EmptyState;
class ErrorBar;

/// The lines of a least level that hold a text, in any case.
class LogFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void setLeastLevel(protocol::LogLevel level);
    void setText(const QString &text);

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    protocol::LogLevel m_level = protocol::LogLevel::Debug;
    QString m_text;
};

/// What the server noted about one sandbox. Asks the control plane only, so nothing is woken. New lines come while the
/// page is shown and "Follow" is on; the view moves with them only if it stood at the end.
class LogsPage : public QWidget
{
    Q_OBJECT

public:
    LogsPage(session::Session &session, const protocol::SandboxId &id, QWidget *parent = nullptr);

    /// The sandbox is gone: what was read stays, and nothing is asked for any more.
    void setEnded();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QWidget *makeBar();
    void makeView();
    Call<void> ask();
    void take(const Result<QList<protocol::LogEntry>> &page);
    void pace();
    void update();
    bool atEnd() const;
    QString allText() const;
    void copySelected();

    QPointer<session::Session> m_session;
    protocol::SandboxId m_id;
    models::LogModel m_model;
    LogFilter m_filter;
    session::Poller m_poller;
    bool m_loaded = false;
    bool m_ended = false;
    bool m_unsupported = false;

    QComboBox *m_level;
    QLineEdit *m_find;
    QToolButton *m_follow;
    QToolButton *m_refresh;
    QToolButton *m_save;
    QLabel *m_count;
    ErrorBar *m_error;
    QTreeView *m_view;
    EmptyState *m_empty;
    QStackedWidget *m_stack;
};

} // namespace boxdeck::ui
