// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/sandbox.h"

#include <QPointer>
#include <QUuid>
#include <QWidget>

#include <memory>

class QAction;
class QComboBox;
class QLineEdit;
class QSortFilterProxyModel;
class QStackedWidget;
class QToolBar;
class QTreeView;

namespace boxdeck::models {
class SandboxModel;
}
namespace boxdeck::session {
class Accounts;
class Session;
class Settings;
} // namespace boxdeck::session

namespace boxdeck::ui {

class AccountStateView;
class EmptyState;
class ErrorBar;
class SandboxActions;

/// The sandboxes of one account: a list to look at, filter and act on. Looking never wakes anything.
class SandboxesPane : public QWidget
{
    Q_OBJECT

public:
    SandboxesPane(session::Accounts &accounts, session::Settings &settings, SandboxActions &actions,
                  QWidget *parent = nullptr);
    ~SandboxesPane() override;

    void setAccount(const QUuid &id);
    QUuid account() const { return m_account; }

    /// The ids of the selected rows, in the order shown.
    QList<protocol::SandboxId> selectedIds() const;

    /// The commands, for menus; they act on the selection and are disabled where they make no sense.
    QAction *openAction() const { return m_open; }
    QAction *pauseAction() const { return m_pause; }
    QAction *resumeAction() const { return m_resume; }
    QAction *extend15Action() const { return m_extend15; }
    QAction *extend60Action() const { return m_extend60; }
    QAction *extendByAction() const { return m_extendBy; }
    QAction *forkAction() const { return m_fork; }
    QAction *killAction() const { return m_kill; }
    QAction *copyIdAction() const { return m_copyId; }
    QAction *refreshAction() const { return m_refresh; }

    void focusFilter();

Q_SIGNALS:
    void openRequested(boxdeck::session::Session *session, const boxdeck::protocol::SandboxId &id);
    void newRequested();
    void keyWanted(const QUuid &account);
    void accountWanted();

private:
    void makeActions();
    QWidget *makeBar();
    void makeView();
    void bind(session::Session *session);
    void updateState();
    void updateActions();
    void showMenu(const QPoint &position);
    void openSelected();
    void saveHeader();

    session::Accounts &m_accounts;
    session::Settings &m_settings;
    SandboxActions &m_actions;
    QUuid m_account;
    QPointer<session::Session> m_session;
    std::unique_ptr<models::SandboxModel> m_model;
    QSortFilterProxyModel *m_proxy;
    QToolBar *m_bar;
    QLineEdit *m_filter;
    QComboBox *m_stateFilter;
    ErrorBar *m_error;
    QStackedWidget *m_stack;
    QTreeView *m_view;
    EmptyState *m_empty;
    AccountStateView *m_accountView;
    QAction *m_open;
    QAction *m_pause;
    QAction *m_resume;
    QAction *m_extend15;
    QAction *m_extend60;
    QAction *m_extendBy;
    QAction *m_fork;
    QAction *m_kill;
    QAction *m_copyId;
    QAction *m_refresh;
    enum class EmptyAct { None, Create, ClearFilter, Retry } m_emptyAct = EmptyAct::None;
};

} // namespace boxdeck::ui
