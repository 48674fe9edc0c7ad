// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/sandbox.h"
#include "backend/session/accounts.h"

#include <QMainWindow>
#include <QPointer>

class QActionGroup;
class QDockWidget;
class QStackedWidget;

namespace boxdeck::session {
class LocalHost;
}
namespace boxdeck::models {
class TransferModel;
}
namespace boxdeck::transfer {
class TransferEngine;
}

namespace boxdeck::ui {

class ActivityPane;
class ErrorBar;
class LeaseWatcher;
class QuitFlow;
class SandboxActions;
class SandboxesPane;
class StartPage;
class StatusLine;
class TemplatesPane;
class Theme;
class TransfersPane;
class WorkspaceTabs;

/// The window: places the panes, and carries what a person asks for from one to the other. No logic of its own.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// All outlive the window.
    struct Parts
    {
        session::Accounts &accounts;
        session::Settings &settings;
        session::LocalHost &localHost;
        transfer::TransferEngine &transfers;
        Theme &theme;
    };

    explicit MainWindow(const Parts &parts, QWidget *parent = nullptr);
    ~MainWindow() override;

    /// Size, place, docks and open sandboxes of last time, or the first layout.
    void restore();
    /// Opens a sandbox of the current account as soon as that is ready.
    void openWhenReady(const protocol::SandboxId &id);
    /// Says something in the bar above the workspace, such as saved accounts that could not be read.
    void warn(const QString &text);
    /// Offers the key in E2B_API_KEY, if there is one, nobody declined it and there is no server account yet.
    void offerEnvironmentKey();
    void bringToFront();

    // What the menus do.
    void newSandbox(const QString &templateName = {});
    void newSandboxOf(session::Session &session, const QString &templateName);
    void tellDone(const QString &sentence);
    void addAccount(const Secret &offered = {});
    void manageAccounts();
    void enterKey(const QUuid &account);

protected:
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void makeDocks();
    void makeToolBar();
    void makeMenus();
    void makeViewMenu();
    void makeSandboxMenu();
    void connectParts();
    void showAccount(const QUuid &id);
    void updateCentre();
    void walk(bool backward);
    void saveLayout();
    void updateTransfers();
    void sessionReady(const QUuid &id);

    Parts m_parts;
    SandboxActions *m_actions;
    LeaseWatcher *m_leases;
    SandboxesPane *m_sandboxes;
    TemplatesPane *m_templates;
    models::TransferModel *m_transferModel;
    TransfersPane *m_transfers;
    ActivityPane *m_activity;
    WorkspaceTabs *m_tabs;
    StartPage *m_start;
    QStackedWidget *m_centre;
    ErrorBar *m_bar;
    StatusLine *m_status;
    QuitFlow *m_quit;
    QDockWidget *m_sandboxesDock = nullptr;
    QDockWidget *m_templatesDock = nullptr;
    QDockWidget *m_transfersDock = nullptr;
    QDockWidget *m_activityDock = nullptr;
    QAction *m_newAction;
    QAction *m_findAction;
    std::optional<protocol::SandboxId> m_openWhenReady;
    QByteArray m_firstState;
    enum class BarAct { None, AddOfferedKey } m_barAct = BarAct::None;
    bool m_closing = false;
};

} // namespace boxdeck::ui
