// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"
#include "backend/protocol/sandbox.h"
#include "ui/common/theme.h"

#include <QPointer>
#include <QUrl>
#include <QWidget>

class QLabel;
class QSplitter;
class QStackedWidget;
class QTabWidget;
class QToolButton;

namespace boxdeck::session {
class Session;
class Settings;
} // namespace boxdeck::session

namespace boxdeck::transfer {
class TransferEngine;
}

namespace boxdeck::ui {

class EmptyState;
class ErrorBar;
class FilesPane;
class IdLabel;
class LeaseWatcher;
class LogsPage;
class MetricsPage;
class OverviewPage;
class SandboxActions;
class SnapshotsPage;
class StateLabel;
class TerminalPane;

/// One opened sandbox: its header with the lease, files and overview above, terminals below. Opening it only looks.
/// A paused sandbox says so and offers to resume; one that ended keeps what was shown, readable.
class Workspace : public QWidget
{
    Q_OBJECT

public:
    struct Parts
    {
        session::Settings &settings;
        SandboxActions &actions;
        LeaseWatcher &leases;
        transfer::TransferEngine &transfers;
    };

    /// What the sandbox is, as far as this view goes.
    enum class Phase {
        Unknown, ///< not in any list yet; being asked for
        Running,
        Paused,
        Changing, ///< starting, pausing, resuming
        Ended,
    };

    Workspace(session::Session &session, const protocol::SandboxId &id, const Parts &parts, QWidget *parent = nullptr);
    ~Workspace() override;

    session::Session *session() const { return m_session; }
    const protocol::SandboxId &sandboxId() const { return m_id; }
    Phase phase() const { return m_phase; }

    QString title() const { return m_title; } ///< safe to show
    const char *titleIcon() const;
    Token titleToken() const;

    /// The panes that F6 walks, in reading order.
    QList<QWidget *> panes() const;
    /// Puts the keyboard where work goes on: into the terminal, as soon as there is one.
    void focusWork();
    /// Opens one more terminal tab; nothing unless it runs.
    void newTerminal();

Q_SIGNALS:
    void titleChanged();
    void closeRequested();
    /// Something is being copied to or from it.
    void transferStarted();
    /// A sandbox shall be made from this template or snapshot.
    void createRequested(const QString &templateName);
    /// One sentence about what was done here.
    void done(const QString &sentence);

private:
    void makeHeader();
    void makePanes();
    void look();
    void ask();
    void setPhase(Phase phase);
    void showMessage();
    void updateHeader();
    void offerPages();
    void takeDroppedFiles(const QList<QUrl> &urls);
    void warnOfLease(qint64 secondsLeft);
    void tick();

    QPointer<session::Session> m_session;
    protocol::SandboxId m_id;
    Parts m_parts;
    Phase m_phase = Phase::Unknown;
    std::optional<Error> m_askError;
    QString m_title;
    bool m_focusWhenReady = false;
    protocol::SandboxSummary m_last;

    StateLabel *m_state;
    QLabel *m_name;
    IdLabel *m_idLabel;
    QLabel *m_left;
    QToolButton *m_extend;
    QToolButton *m_pause;
    QToolButton *m_resume;
    QToolButton *m_kill;
    QWidget *m_header;
    ErrorBar *m_lease;
    ErrorBar *m_stateBar;
    QStackedWidget *m_stack;
    EmptyState *m_message;
    QSplitter *m_splitter = nullptr;
    QTabWidget *m_top = nullptr;
    OverviewPage *m_overview = nullptr;
    LogsPage *m_logs = nullptr;
    MetricsPage *m_metrics = nullptr;
    SnapshotsPage *m_snapshots = nullptr;
    FilesPane *m_files = nullptr;
    TerminalPane *m_terminal = nullptr;
};

} // namespace boxdeck::ui
