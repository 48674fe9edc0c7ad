// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/settings.h"
#include "ui/shell/workspace.h"

#include <QTabWidget>

namespace boxdeck::session {
class Accounts;
}

namespace boxdeck::ui {

/// The opened sandboxes, of whatever account, one tab each. They come back at the next start: looked at, never woken.
class WorkspaceTabs : public QTabWidget
{
    Q_OBJECT

public:
    WorkspaceTabs(session::Accounts &accounts, const Workspace::Parts &parts, QWidget *parent = nullptr);

    /// Shows the tab of a sandbox, made if need be.
    Workspace *open(session::Session &session, const protocol::SandboxId &id);
    Workspace *currentWorkspace() const;
    Workspace *workspaceAt(int index) const;

    /// Opens what was open last time, each as soon as its account is ready.
    void restore();

Q_SIGNALS:
    void countChanged();
    void transferStarted();
    void createRequested(session::Session &session, const QString &templateName);
    void done(const QString &sentence);

private:
    Workspace *find(const session::Session &session, const protocol::SandboxId &id) const;
    Workspace *add(session::Session &session, const protocol::SandboxId &id);
    void close(int index);
    void openWaiting(const QUuid &account);
    void showTitle(Workspace *workspace);
    void save();

    session::Accounts &m_accounts;
    Workspace::Parts m_parts;
    QList<session::Settings::OpenSandbox> m_waiting; // of accounts that are not ready yet
    bool m_restoring = false;
};

} // namespace boxdeck::ui
