// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"
#include "backend/protocol/snapshot.h"

#include <QPointer>
#include <QWidget>

class QLineEdit;
class QPushButton;
class QStackedWidget;
class QToolButton;
class QTreeWidget;

namespace boxdeck::session {
class Session;
}

namespace boxdeck::ui {

class EmptyState;
class ErrorBar;

/// The snapshots taken of one sandbox: take one, make a sandbox from one, delete one. Read when the page is shown, as
/// they change by hand only.
class SnapshotsPage : public QWidget
{
    Q_OBJECT

public:
    SnapshotsPage(session::Session &session, const protocol::SandboxId &id, QWidget *parent = nullptr);

    /// The sandbox changed its state; snapshots are taken of one that runs.
    void setRunning(bool running);

Q_SIGNALS:
    /// A sandbox shall be made from this snapshot.
    void createRequested(const QString &templateName);
    void done(const QString &sentence);

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *makeBar();
    void makeList();
    void read();
    void show(const QList<protocol::Snapshot> &snapshots);
    void take();
    void remove();
    void useSelected();
    QString selected() const; ///< id; empty if none
    void update();

    QPointer<session::Session> m_session;
    protocol::SandboxId m_id;
    Call<QList<protocol::Snapshot>> m_reading;
    bool m_running = false;
    bool m_busy = false;
    bool m_loaded = false;
    bool m_unsupported = false;

    QLineEdit *m_name;
    QPushButton *m_take;
    QToolButton *m_use;
    QToolButton *m_copy;
    QToolButton *m_delete;
    QToolButton *m_refresh;
    ErrorBar *m_error;
    QTreeWidget *m_list;
    EmptyState *m_empty;
    QStackedWidget *m_stack;
};

} // namespace boxdeck::ui
