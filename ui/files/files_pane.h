// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"
#include "backend/transfer/transfer_engine.h"
#include "models/folder_feed.h"
#include "models/remote_folder_model.h"

#include <QTimer>
#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QMenu;
class QProgressBar;
class QStackedWidget;
class QToolButton;
class QUrl;

namespace boxdeck::ui {

class EmptyState;
class ErrorBar;
class FileView;
class PathBar;

/// The files of one sandbox: one folder at a time, live, with everything that is done to files. Looks only: a paused
/// sandbox is said to be paused, and nothing here wakes it.
class FilesPane : public QWidget
{
    Q_OBJECT

public:
    /// Session and engine outlive the pane; transfers go on without it.
    FilesPane(session::Session &session, protocol::SandboxId sandbox, transfer::TransferEngine &engine,
              QWidget *parent = nullptr);
    ~FilesPane() override;

    const RemotePath &folder() const { return m_shown; }
    void openFolder(const RemotePath &folder);

    /// Uploads files of this computer into the folder that is shown, as a drop would.
    void uploadFiles(const QStringList &localPaths);

Q_SIGNALS:
    void openTerminalHere(const boxdeck::RemotePath &folder);
    /// The user asked to wake the sandbox.
    void resumeRequested(const boxdeck::protocol::SandboxId &sandbox);
    void transferStarted(boxdeck::transfer::TransferId id);

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    // files_pane.cpp: the widget, where it is, and in which state
    void build();
    QAction *addAction(const char *name, const QString &text, const char *iconName, const QKeySequence &shortcut,
                       void (FilesPane::*slot)());
    void buildActions();
    void go(const RemotePath &folder, bool remember);
    void goBack();
    void goForward();
    void goUp();
    void goHome();
    void refresh();
    void editPath();
    void findName();
    void onListed(const QList<protocol::EntryInfo> &entries);
    void onFailed(const Error &error, bool passing);
    void followSandbox();
    void showNotRunning(const char *drawing, const QString &title, const QString &sentence, const QString &action);
    void updateView();
    void updateActions();
    void showMenu(const QPoint &at);
    QString folderText(const RemotePath &folder) const;
    QString sandboxText() const;
    transfer::EnvdSource envdSource() const;

    // files_pane_actions.cpp: what is done to files
    void openCurrent();
    void openEntry(const protocol::EntryInfo &entry);
    void uploadChosen();
    void uploadChosenFolder();
    void paste();
    void takeUrls(const QList<QUrl> &urls, const RemotePath &folder);
    void saveSelected();
    void saveEntries(const QList<protocol::EntryInfo> &entries);
    void newFolder();
    void makeFolder(const RemotePath &parent, int number);
    void renameCurrent();
    void rename(const QByteArray &from, const QString &to);
    void moveInto(const QList<RemotePath> &entries, const RemotePath &target);
    void moveWithoutOverwriting(const RemotePath &from, const RemotePath &to, const QString &what);
    void removeSelected();
    void removeNext(QList<RemotePath> paths, qsizetype total);
    void copyPaths();
    void openTerminal();
    template <typename T>
    void withEnvd(const QString &what, std::function<Call<T>(const std::shared_ptr<api::Envd> &)> call,
                  std::function<void(T)> done);

    session::Session &m_session;
    const protocol::SandboxId m_sandbox;
    transfer::TransferEngine &m_engine;
    models::RemoteFolderModel m_model;
    std::unique_ptr<models::FolderFeed> m_feed;

    RemotePath m_wanted; ///< asked for
    RemotePath m_shown;  ///< whose rows are on screen
    bool m_anyShown = false;
    bool m_running = false;       ///< as far as is known; nothing is sent otherwise
    bool m_known = false;         ///< the list of sandboxes has had it: missing there now means that it is gone
    bool m_errorIsOfList = false; ///< the error shown ends with the next good list
    bool m_tokenRenewed = false;
    QList<RemotePath> m_history;
    qsizetype m_historyAt = -1;
    QByteArray m_selectNext; ///< becomes the current row once it is listed
    bool m_renameNext = false;

    FileView *m_view = nullptr;
    PathBar *m_path = nullptr;
    QLineEdit *m_filter = nullptr;
    ErrorBar *m_error = nullptr;
    EmptyState *m_empty = nullptr;
    QStackedWidget *m_stack = nullptr;
    QProgressBar *m_busy = nullptr;
    QTimer m_busyDelay;
    QLabel *m_summary = nullptr;
    QMenu *m_menu = nullptr;
    enum class EmptyMeans { Nothing, Upload, Resume } m_emptyMeans = EmptyMeans::Nothing;

    QAction *m_back = nullptr;
    QAction *m_forward = nullptr;
    QAction *m_up = nullptr;
    QAction *m_home = nullptr;
    QAction *m_refresh = nullptr;
    QAction *m_open = nullptr;
    QAction *m_upload = nullptr;
    QAction *m_uploadFolder = nullptr;
    QAction *m_paste = nullptr;
    QAction *m_save = nullptr;
    QAction *m_newFolder = nullptr;
    QAction *m_rename = nullptr;
    QAction *m_remove = nullptr;
    QAction *m_copyPath = nullptr;
    QAction *m_terminal = nullptr;
    QAction *m_hidden = nullptr;
    QAction *m_editPath = nullptr;
    QAction *m_find = nullptr;
};

} // namespace boxdeck::ui
