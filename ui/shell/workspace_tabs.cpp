// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/workspace_tabs.h"

#include "backend/core/display_text.h"
#include "backend/session/accounts.h"
#include "ui/accounts/account_text.h"
#include "ui/common/icons.h"
#include "ui/common/ui_util.h"

#include <QTabBar>
#include <QToolButton>

namespace boxdeck::ui {

using session::Session;

WorkspaceTabs::WorkspaceTabs(session::Accounts &accounts, const Workspace::Parts &parts, QWidget *parent)
    : QTabWidget(parent)
    , m_accounts(accounts)
    , m_parts(parts)
{
    nameWidget(this, QStringLiteral("workspaces"), tr("Opened sandboxes"));
    nameWidget(tabBar(), QStringLiteral("workspaceTabBar"), tr("Opened sandboxes"));
    setDocumentMode(true);
    setMovable(true);
    setElideMode(Qt::ElideRight);
    connect(tabBar(), &QTabBar::tabMoved, this, &WorkspaceTabs::save);
    connect(&accounts, &session::Accounts::sessionReady, this, &WorkspaceTabs::openWaiting);
    connect(&accounts, &session::Accounts::aboutToRemove, this, [this](const QUuid &id) {
        for (int i = count() - 1; i >= 0; --i) {
            if (workspaceAt(i)->session() == m_accounts.session(id))
                close(i);
        }
    });
}

Workspace *WorkspaceTabs::workspaceAt(int index) const
{
    return qobject_cast<Workspace *>(widget(index));
}

Workspace *WorkspaceTabs::currentWorkspace() const
{
    return qobject_cast<Workspace *>(currentWidget());
}

Workspace *WorkspaceTabs::find(const Session &session, const protocol::SandboxId &id) const
{
    for (int i = 0; i < count(); ++i) {
        Workspace *workspace = workspaceAt(i);
        if (workspace->session() == &session && workspace->sandboxId() == id)
            return workspace;
    }
    return nullptr;
}

Workspace *WorkspaceTabs::open(Session &session, const protocol::SandboxId &id)
{
    Workspace *workspace = find(session, id);
    // A tab that ended may be opened again under the same id only on servers that reuse it: start over then.
    if (workspace && workspace->phase() == Workspace::Phase::Ended && session.sandboxes().find(id)) {
        close(indexOf(workspace));
        workspace = nullptr;
    }
    if (!workspace)
        workspace = add(session, id);
    setCurrentWidget(workspace);
    workspace->focusWork();
    save();
    return workspace;
}

Workspace *WorkspaceTabs::add(Session &session, const protocol::SandboxId &id)
{
    auto *workspace = new Workspace(session, id, m_parts, this);
    const int index = addTab(workspace, workspace->title());
    auto *closer = new QToolButton(tabBar());
    closer->setIcon(icon("close", Token::Muted));
    closer->setAutoRaise(true);
    closer->setFixedSize(20, 20);
    closer->setFocusPolicy(Qt::NoFocus);
    closer->setToolTip(tr("Close this tab"));
    nameWidget(closer, QStringLiteral("workspaceTabClose"), tr("Close the tab %1").arg(workspace->title()));
    connect(closer, &QToolButton::clicked, workspace, [this, workspace] { close(indexOf(workspace)); });
    tabBar()->setTabButton(index, QTabBar::RightSide, closer);
    connect(workspace, &Workspace::titleChanged, this, [this, workspace] { showTitle(workspace); });
    connect(workspace, &Workspace::transferStarted, this, &WorkspaceTabs::transferStarted);
    connect(workspace, &Workspace::done, this, &WorkspaceTabs::done);
    connect(workspace, &Workspace::createRequested, this, [this, workspace](const QString &templateName) {
        if (session::Session *owner = workspace->session())
            Q_EMIT createRequested(*owner, templateName);
    });
    connect(workspace, &Workspace::closeRequested, this, [this, workspace] { close(indexOf(workspace)); });
    showTitle(workspace);
    Q_EMIT countChanged();
    return workspace;
}

void WorkspaceTabs::showTitle(Workspace *workspace)
{
    const int index = indexOf(workspace);
    if (index < 0)
        return;
    if (workspace->phase() == Workspace::Phase::Ended)
        save(); // it need not come back at the next start
    setTabText(index, QString(workspace->title()).replace(QLatin1Char('&'), QLatin1String("&&")));
    setTabIcon(index, icon(workspace->titleIcon(), workspace->titleToken()));
    if (workspace->session())
        setTabToolTip(index, toolTipText(displayText(workspace->sandboxId().value) + QLatin1Char('\n') +
                                         accountName(m_accounts, workspace->session()->profile().id)));
}

void WorkspaceTabs::close(int index)
{
    Workspace *workspace = workspaceAt(index);
    if (!workspace)
        return;
    removeTab(index);
    workspace->hide();
    workspace->deleteLater();
    save();
    Q_EMIT countChanged();
}

void WorkspaceTabs::restore()
{
    m_waiting = m_parts.settings.openSandboxes();
    const auto ids = m_accounts.ids();
    for (const QUuid &account : ids)
        openWaiting(account);
}

void WorkspaceTabs::openWaiting(const QUuid &account)
{
    Session *session = m_accounts.session(account);
    if (!session)
        return;
    m_restoring = true;
    for (const auto &entry : std::exchange(m_waiting, {})) {
        if (entry.account != account)
            m_waiting << entry;
        else if (!find(*session, {entry.sandboxId}))
            add(*session, {entry.sandboxId});
    }
    m_restoring = false;
}

void WorkspaceTabs::save()
{
    if (m_restoring)
        return;
    QList<session::Settings::OpenSandbox> open;
    for (int i = 0; i < count(); ++i) {
        const Workspace *workspace = workspaceAt(i);
        if (workspace->session() && workspace->phase() != Workspace::Phase::Ended &&
            !workspace->session()->profile().ephemeral)
            open << session::Settings::OpenSandbox{workspace->session()->profile().id, workspace->sandboxId().value};
    }
    open += m_waiting;
    m_parts.settings.setOpenSandboxes(open);
}

} // namespace boxdeck::ui
