// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"
#include "backend/terminal/terminal_session.h"

#include <QList>
#include <QUrl>
#include <QWidget>

#include <optional>

class QStackedWidget;
class QTabBar;
class QToolButton;

namespace boxdeck::ui {

class EmptyState;
class TerminalTab;

/// The terminals of one sandbox, in tabs that keep running while hidden.
///
/// When it is first shown it attaches to the shells an earlier run of the app left in the sandbox, found by their tag,
/// or opens a new one. It never wakes a paused sandbox: it asks its owner to, when the user says so.
class TerminalPane : public QWidget
{
    Q_OBJECT

public:
    /// `session` outlives the pane.
    TerminalPane(session::Session &session, const protocol::SandboxId &sandbox, QWidget *parent = nullptr);
    ~TerminalPane() override;

    /// Opens another shell, in a folder if one is given, and goes to it.
    void newTab(std::optional<RemotePath> cwd = {});
    int tabCount() const;
    /// How many tabs have a shell that runs or may run: closing the pane detaches from them, it ends none.
    int runningCount() const;
    /// Types the paths of uploaded files at the cursor of the current terminal, quoted for the shell.
    void typePaths(const QList<RemotePath> &paths);
    TerminalTab *currentTab() const;
    TerminalTab *tab(int index) const;

Q_SIGNALS:
    /// Files of this computer were dropped on the terminal: upload them, then typePaths().
    void filesDropped(const QList<QUrl> &urls);
    /// The user asked for the paused sandbox to be resumed.
    void resumeRequested();

protected:
    void showEvent(QShowEvent *event) override;

private:
    void restore();
    TerminalTab *addTab(std::optional<RemotePath> cwd);
    void closeTab(int index);
    void removeTab(TerminalTab *tab);
    void selectTab(int index);
    void stepTab(int by);
    void updateTabs();
    void sandboxChanged();

    session::Session &m_session;
    protocol::SandboxId m_sandbox;
    SystemClock m_clock;
    QTabBar *m_bar;
    QToolButton *m_new;
    QStackedWidget *m_stack;
    EmptyState *m_empty;
    Call<QList<protocol::ProcessInfo>> m_restoring;
    bool m_shown = false;
    bool m_restorePending = false; ///< shells of an earlier run have not been looked for yet
};

} // namespace boxdeck::ui
