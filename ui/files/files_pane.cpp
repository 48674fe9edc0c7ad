// SPDX-License-Identifier: GPL-3.0-or-later
// The widget, where it is, and in which state. What is done to files is in files_pane_actions.cpp.
#include "ui/files/files_pane.h"

#include "backend/core/display_text.h"
#include "models/sandbox_model.h"
#include "ui/common/empty_state.h"
#include "ui/common/error_bar.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/theme.h"
#include "ui/common/ui_util.h"
#include "ui/files/drop_rules.h"
#include "ui/files/file_view.h"
#include "ui/files/path_bar.h"

#include <QAction>
#include <QApplication>
#include <QDropEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPointer>
#include <QProgressBar>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace boxdeck::ui {

using protocol::EntryInfo;
using protocol::SandboxState;

namespace {
constexpr int busyAfterMs = 300; // a list that comes at once needs no sign of waiting
constexpr qsizetype longestHistory = 100;
} // namespace

FilesPane::FilesPane(session::Session &session, protocol::SandboxId sandbox, transfer::TransferEngine &engine,
                     QWidget *parent)
    : QWidget(parent)
    , m_session(session)
    , m_sandbox(std::move(sandbox))
    , m_engine(engine)
{
    setObjectName(QStringLiteral("filesPane"));
    setAccessibleName(tr("Files"));
    m_feed = std::make_unique<models::FolderFeed>(envdSource());
    build();

    connect(m_feed.get(), &models::FolderFeed::listed, this, &FilesPane::onListed);
    connect(m_feed.get(), &models::FolderFeed::entryChanged, &m_model, &models::RemoteFolderModel::updateEntry);
    connect(m_feed.get(), &models::FolderFeed::entryRemoved, &m_model, &models::RemoteFolderModel::removeEntry);
    connect(m_feed.get(), &models::FolderFeed::failed, this, &FilesPane::onFailed);
    connect(m_feed.get(), &models::FolderFeed::loadingChanged, this, [this](bool loading) {
        if (loading) {
            m_busyDelay.start();
        } else {
            m_busyDelay.stop();
            m_busy->setMaximum(1); // stops its animation; it keeps its place, so nothing jumps
            m_busy->setTextVisible(false);
        }
    });
    m_busyDelay.setSingleShot(true);
    m_busyDelay.setInterval(busyAfterMs);
    connect(&m_busyDelay, &QTimer::timeout, this, [this] { m_busy->setMaximum(0); });

    auto &store = session.sandboxes();
    const auto ours = [this](const protocol::SandboxId &id) {
        if (id == m_sandbox)
            followSandbox();
    };
    connect(&store, &session::SandboxStore::inserted, this, ours);
    connect(&store, &session::SandboxStore::changed, this, ours);
    connect(&store, &session::SandboxStore::removed, this, ours);
    connect(&session, &session::Session::endpointChanged, this, [this] {
        if (m_running)
            m_feed->reload();
    });

    goHome();
    followSandbox();
}

FilesPane::~FilesPane() = default;

transfer::EnvdSource FilesPane::envdSource() const
{
    return [session = QPointer<session::Session>(&m_session), id = m_sandbox] {
        if (session) {
            return session->envd(id).map([](Result<std::shared_ptr<api::Envd>> envd) {
                // Not found here is the sandbox, not a file in it.
                if (!envd && envd.error().kind == ErrorKind::NotFound)
                    envd.error().kind = ErrorKind::Terminal;
                return envd;
            });
        }
        return Call<std::shared_ptr<api::Envd>>::settled(
            tl::unexpected(Error{.kind = ErrorKind::Terminal, .message = QStringLiteral("the account was removed")}));
    };
}

void FilesPane::build()
{
    m_path = new PathBar(QStringLiteral("filesPath"), this);
    m_error = new ErrorBar(QStringLiteral("filesError"), this);
    m_view = new FileView(m_model, this);
    m_empty = new EmptyState(QStringLiteral("filesEmpty"), "folder", this);
    m_filter = new QLineEdit(this);
    nameWidget(m_filter, QStringLiteral("filesFilter"), tr("Show only names that contain"));
    m_filter->setPlaceholderText(tr("Find by name in this folder"));
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(icon("search", Token::Muted), QLineEdit::LeadingPosition);
    m_filter->hide();
    m_busy = new QProgressBar(this);
    nameWidget(m_busy, QStringLiteral("filesBusy"), tr("Loading"));
    m_busy->setFixedHeight(2);
    m_busy->setTextVisible(false);
    m_busy->setRange(0, 1);
    m_summary = mutedLabel({}, this);
    nameWidget(m_summary, QStringLiteral("filesSummary"), tr("Summary"));
    buildActions();

    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
    bar->setSpacing(kGrid / 2);
    const auto addButton = [&](QAction *action) {
        auto *button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setIconSize(QSize(kIconSize, kIconSize));
        nameWidget(button, action->objectName() + QLatin1String("Button"), action->text());
        bar->addWidget(button);
    };
    for (QAction *action : {m_back, m_forward, m_up, m_refresh})
        addButton(action);
    bar->addWidget(m_path, 1);
    for (QAction *action : {m_find, m_hidden, m_newFolder, m_upload, m_save, m_terminal})
        addButton(action);

    m_stack = new QStackedWidget(this);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);

    auto *filterRow = new QHBoxLayout;
    filterRow->setContentsMargins(kGrid, 0, kGrid, 0);
    filterRow->addWidget(m_filter);
    auto *foot = new QHBoxLayout;
    foot->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
    foot->addWidget(m_summary, 1);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_busy);
    layout->addLayout(filterRow);
    layout->addWidget(m_error);
    layout->addWidget(m_stack, 1);
    layout->addWidget(hairline(this));
    layout->addLayout(foot);
    setAcceptDrops(true); // an empty folder has no rows to drop on

    connect(m_path, &PathBar::pathChosen, this, [this](const RemotePath &path) { go(path, true); });
    connect(m_path, &PathBar::refused, this, [this](const QString &typed) {
        m_error->showText(tr("“%1” is not a path. Type one that begins with “/”.").arg(displayText(typed, 200)));
    });
    connect(m_filter, &QLineEdit::textChanged, &m_model, &models::RemoteFolderModel::setFilter);
    connect(m_error, &ErrorBar::retryRequested, this, &FilesPane::refresh);
    connect(m_empty, &EmptyState::actionTriggered, this, [this] {
        if (m_emptyMeans == EmptyMeans::Resume)
            Q_EMIT resumeRequested(m_sandbox);
        else if (m_emptyMeans == EmptyMeans::Upload)
            uploadChosen();
    });
    connect(m_view, &FileView::opened, this, &FilesPane::openEntry);
    connect(m_view, &FileView::renameRequested, this, &FilesPane::rename);
    connect(m_view, &FileView::entriesDropped, this, &FilesPane::moveInto);
    connect(m_view, &FileView::urlsDropped, this,
            [this](const QList<QUrl> &urls, const std::optional<EntryInfo> &under) {
                takeUrls(urls, dropFolder(m_shown, under));
            });
    connect(m_view, &QWidget::customContextMenuRequested, this, &FilesPane::showMenu);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &FilesPane::updateActions);
    connect(&m_model, &models::RemoteFolderModel::settled, this, &FilesPane::updateView);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &FilesPane::updateView);
    connect(&m_model, &QAbstractItemModel::rowsInserted, this, &FilesPane::updateView);
    connect(&m_model, &QAbstractItemModel::rowsRemoved, this, &FilesPane::updateView);
}

QAction *FilesPane::addAction(const char *name, const QString &text, const char *iconName, const QKeySequence &shortcut,
                              void (FilesPane::*slot)())
{
    auto *action = new QAction(icon(iconName), text, this);
    action->setObjectName(QLatin1String(name));
    if (!shortcut.isEmpty()) {
        action->setShortcut(shortcut);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setToolTip(toolTipText(tr("%1 (%2)").arg(text, shortcut.toString(QKeySequence::NativeText))));
    }
    connect(action, &QAction::triggered, this, slot);
    QWidget::addAction(action);
    return action;
}

void FilesPane::buildActions()
{
    m_back = addAction("filesBack", tr("Back"), "back", QKeySequence(Qt::ALT | Qt::Key_Left), &FilesPane::goBack);
    m_forward = addAction("filesForward", tr("Forward"), "forward", QKeySequence(Qt::ALT | Qt::Key_Right),
                          &FilesPane::goForward);
    m_up = addAction("filesUp", tr("Up one folder"), "up", QKeySequence(Qt::ALT | Qt::Key_Up), &FilesPane::goUp);
    m_home =
        addAction("filesHome", tr("Home folder"), "home", QKeySequence(Qt::ALT | Qt::Key_Home), &FilesPane::goHome);
    m_up->setShortcuts({QKeySequence(Qt::ALT | Qt::Key_Up), QKeySequence(Qt::Key_Backspace)});
    m_refresh = addAction("filesRefresh", tr("Refresh"), "refresh", QKeySequence(Qt::Key_F5), &FilesPane::refresh);
    m_editPath =
        addAction("filesEditPath", tr("Type a path"), "edit", QKeySequence(Qt::CTRL | Qt::Key_L), &FilesPane::editPath);
    m_find =
        addAction("filesFind", tr("Find by name"), "search", QKeySequence(Qt::CTRL | Qt::Key_F), &FilesPane::findName);
    m_open = addAction("filesOpen", tr("Open"), "file", {}, &FilesPane::openCurrent);
    m_newFolder = addAction("filesNewFolder", tr("New folder"), "folder-new",
                            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N), &FilesPane::newFolder);
    m_upload = addAction("filesUpload", tr("Upload files…"), "upload", QKeySequence(Qt::CTRL | Qt::Key_U),
                         &FilesPane::uploadChosen);
    m_uploadFolder = addAction("filesUploadFolder", tr("Upload a folder…"), "upload",
                               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_U), &FilesPane::uploadChosenFolder);
    m_paste = addAction("filesPaste", tr("Paste files"), "paste", QKeySequence(QKeySequence::Paste), &FilesPane::paste);
    m_save =
        addAction("filesSave", tr("Save to…"), "download", QKeySequence(QKeySequence::Save), &FilesPane::saveSelected);
    m_rename = addAction("filesRename", tr("Rename"), "edit", QKeySequence(Qt::Key_F2), &FilesPane::renameCurrent);
    m_remove =
        addAction("filesDelete", tr("Delete"), "trash", QKeySequence(QKeySequence::Delete), &FilesPane::removeSelected);
    m_copyPath =
        addAction("filesCopyPath", tr("Copy path"), "copy", QKeySequence(QKeySequence::Copy), &FilesPane::copyPaths);
    m_terminal = addAction("filesTerminal", tr("Open terminal here"), "terminal",
                           QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return), &FilesPane::openTerminal);
    m_hidden = new QAction(icon("eye"), tr("Show hidden files"), this);
    m_hidden->setObjectName(QStringLiteral("filesHidden"));
    m_hidden->setCheckable(true);
    m_hidden->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_H));
    m_hidden->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_hidden->setToolTip(
        toolTipText(tr("%1 (%2)").arg(m_hidden->text(), m_hidden->shortcut().toString(QKeySequence::NativeText))));
    connect(m_hidden, &QAction::toggled, this, [this](bool shown) {
        m_hidden->setIcon(icon(shown ? "eye-off" : "eye"));
        m_model.setShowsHidden(shown);
    });
    QWidget::addAction(m_hidden);

    m_menu = new QMenu(this);
    m_menu->setObjectName(QStringLiteral("filesMenu"));
    m_menu->addActions({m_open, m_save});
    m_menu->addSeparator();
    m_menu->addActions({m_rename, m_remove, m_copyPath});
    m_menu->addSeparator();
    m_menu->addActions({m_newFolder, m_upload, m_uploadFolder, m_paste, m_terminal});
    m_menu->addSeparator();
    m_menu->addActions({m_hidden, m_refresh});
}

void FilesPane::showMenu(const QPoint &at)
{
    updateActions();
    m_menu->popup(m_view->viewport()->mapToGlobal(at));
}

QString FilesPane::folderText(const RemotePath &folder) const
{
    return displayText(folder.toString(), 200);
}

QString FilesPane::sandboxText() const
{
    const auto sandbox = m_session.sandboxes().find(m_sandbox);
    const QString name = sandbox ? models::SandboxModel::displayName(*sandbox) : m_sandbox.value;
    return displayText(name, 80);
}

void FilesPane::openFolder(const RemotePath &folder)
{
    go(folder, true);
}

void FilesPane::go(const RemotePath &folder, bool remember)
{
    m_wanted = folder;
    m_path->setPath(folder);
    m_error->clear();
    if (remember && (m_historyAt < 0 || m_history[m_historyAt] != folder)) {
        m_history = m_history.mid(0, m_historyAt + 1);
        m_history.append(folder);
        if (m_history.size() > longestHistory)
            m_history.removeFirst();
        m_historyAt = m_history.size() - 1;
    }
    if (m_running)
        m_feed->open(folder);
    updateActions();
}

void FilesPane::goBack()
{
    if (m_historyAt > 0)
        go(m_history[--m_historyAt], false);
}

void FilesPane::goForward()
{
    if (m_historyAt + 1 < m_history.size())
        go(m_history[++m_historyAt], false);
}

void FilesPane::goUp()
{
    if (m_wanted.isRoot())
        return;
    m_selectNext = m_wanted.name();
    go(m_wanted.parent(), true);
}

void FilesPane::goHome()
{
    const QString user = m_session.profile().user;
    const QString home = user == QLatin1String("root") ? QStringLiteral("/root")
                         : user.isEmpty()              ? QStringLiteral("/home/user")
                                                       : QStringLiteral("/home/") + user;
    go(RemotePath::parse(home).value_or(RemotePath()), true);
}

void FilesPane::refresh()
{
    m_error->clear();
    m_tokenRenewed = false;
    followSandbox();
    if (m_running)
        m_feed->open(m_wanted);
}

void FilesPane::editPath()
{
    m_path->edit();
}

void FilesPane::findName()
{
    m_filter->setVisible(!m_filter->isVisible() || !m_filter->hasFocus());
    if (m_filter->isVisible())
        m_filter->setFocus(Qt::ShortcutFocusReason);
    else
        m_filter->clear();
}

void FilesPane::onListed(const QList<EntryInfo> &entries)
{
    m_tokenRenewed = false;
    if (!m_anyShown || m_shown != m_wanted) {
        m_anyShown = true;
        m_shown = m_wanted;
        m_model.setFolder(m_shown);
        m_filter->clear();
    }
    // Only what this list answers: why another folder did not open stays to be read.
    if (std::exchange(m_errorIsOfList, false))
        m_error->clear();
    m_model.setEntries(entries);
}

void FilesPane::onFailed(const Error &error, bool passing)
{
    if (error.kind == ErrorKind::Conflict || error.kind == ErrorKind::Terminal) {
        // Paused or ended meanwhile: the store will say which. Until then it is said as it was answered.
        m_session.sandboxes().refreshOne(m_sandbox).then(this, [](Result<protocol::SandboxDetail>) {});
    }
    if (error.kind == ErrorKind::Terminal) {
        m_known = true;
        if (!m_session.sandboxes().find(m_sandbox))
            return followSandbox();
    }
    if (error.kind == ErrorKind::Authentication && !std::exchange(m_tokenRenewed, true)) {
        m_session.forgetEnvd(m_sandbox); // the token can be an old one
        m_feed->open(m_wanted);
        return;
    }
    const RemotePath failed = m_wanted;
    m_errorIsOfList = true;
    m_error->showError(error, tr("The folder “%1” can't be shown.").arg(folderText(failed)),
                       passing ? tr("Try again now") : tr("Try again"));
    if (!passing && error.kind != ErrorKind::Authentication && error.kind != ErrorKind::Conflict &&
        error.kind != ErrorKind::Terminal) {
        // Back to what is on screen; if that is what went away, to the next folder above it.
        const bool goneUnderUs = m_anyShown && failed == m_shown;
        if (goneUnderUs || !m_anyShown)
            m_wanted = failed.parent();
        else
            m_wanted = m_shown;
        if (m_wanted != failed) {
            m_errorIsOfList = false;
            m_path->setPath(m_wanted);
            m_history.removeAll(failed);
            m_historyAt = m_history.size() - 1;
            m_feed->open(m_wanted);
        }
    }
    updateView();
}

void FilesPane::followSandbox()
{
    const auto sandbox = m_session.sandboxes().find(m_sandbox);
    m_known = m_known || sandbox.has_value();
    const SandboxState state = sandbox   ? sandbox->state
                               : m_known ? SandboxState::Terminal
                                         : SandboxState::Running; // not listed yet: asking tells
    const bool running = state == SandboxState::Running;
    if (std::exchange(m_running, running) != running) {
        if (running)
            m_feed->open(m_wanted);
        else
            m_feed->stop();
    }
    if (!running)
        m_error->clear();
    switch (state) {
    case SandboxState::Running:
        break;
    case SandboxState::Paused:
        m_emptyMeans = EmptyMeans::Resume;
        showNotRunning("paused", tr("“%1” is paused").arg(sandboxText()),
                       tr("Its files are kept. Looking does not wake it: resume it to see them."),
                       tr("Resume “%1”").arg(sandboxText()));
        break;
    case SandboxState::Terminal:
        m_emptyMeans = EmptyMeans::Nothing;
        showNotRunning("ended", tr("“%1” has ended").arg(sandboxText()),
                       tr("Its files are gone. What was saved to this computer stays."), {});
        break;
    case SandboxState::Transitioning:
    case SandboxState::Unknown:
        m_emptyMeans = EmptyMeans::Nothing;
        showNotRunning("waiting", tr("“%1” is changing").arg(sandboxText()), tr("Its files appear as soon as it runs."),
                       {});
        break;
    }
    updateView();
}

void FilesPane::showNotRunning(const char *drawing, const QString &title, const QString &sentence,
                               const QString &action)
{
    m_empty->setDrawing(drawing);
    m_empty->setText(title, sentence);
    m_empty->setAction(action, action.isEmpty() ? nullptr : "play");
}

void FilesPane::dragEnterEvent(QDragEnterEvent *event)
{
    if (m_running && m_anyShown && event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void FilesPane::dropEvent(QDropEvent *event)
{
    if (!event->mimeData()->hasUrls())
        return;
    event->setDropAction(Qt::CopyAction);
    event->accept();
    takeUrls(event->mimeData()->urls(), m_shown);
}

void FilesPane::updateView()
{
    const int rows = m_model.rowCount();
    if (m_running) {
        if (rows == 0 && m_anyShown) {
            m_emptyMeans = EmptyMeans::Nothing;
            m_empty->setDrawing("folder");
            if (m_model.totalCount() == 0) {
                m_emptyMeans = EmptyMeans::Upload;
                m_empty->setText(tr("This folder is empty"), tr("Drop files here to upload them."));
                m_empty->setAction(tr("Upload files…"), "upload");
            } else if (!m_model.filter().isEmpty()) {
                m_empty->setDrawing("search");
                m_empty->setText(tr("No name contains “%1”").arg(displayText(m_model.filter(), 80)),
                                 tr("Clear the search to see all of the folder."));
                m_empty->setAction({});
            } else {
                m_emptyMeans = EmptyMeans::Upload;
                m_empty->setText(tr("Only hidden files here"), tr("Drop files here to upload them."));
                m_empty->setAction(tr("Upload files…"), "upload");
            }
        } else if (rows == 0) {
            m_empty->setDrawing("waiting");
            m_empty->setText(tr("Opening %1").arg(folderText(m_wanted)), {});
            m_empty->setAction({});
        }
    }
    QWidget *page = m_running && rows > 0 ? static_cast<QWidget *>(m_view) : m_empty;
    if (m_stack->currentWidget() != page) {
        // The keyboard goes along: a hidden view can't have the focus, and the pane's shortcuts need it inside.
        const QWidget *focus = QApplication::focusWidget();
        const bool hadFocus = focus && (focus == m_stack || m_stack->isAncestorOf(focus));
        QWidget *next = page == m_view ? static_cast<QWidget *>(m_view) : m_empty->actionButton();
        m_stack->setCurrentWidget(page);
        setFocusProxy(next->isVisibleTo(this) ? next : m_path);
        if (hadFocus)
            setFocus();
    }
    if (!m_selectNext.isEmpty() && m_model.indexOf(m_selectNext).isValid()) {
        m_view->select(std::exchange(m_selectNext, {}));
        if (std::exchange(m_renameNext, false))
            m_view->edit(m_view->currentIndex());
    } else if (rows > 0 && !m_view->currentIndex().isValid()) {
        m_view->selectionModel()->setCurrentIndex(m_model.index(0, 0), QItemSelectionModel::NoUpdate);
    }
    updateActions();
}

void FilesPane::updateActions()
{
    const auto selected = m_view->selectionModel()->selectedRows().size();
    const bool usable = m_running && m_anyShown;
    m_back->setEnabled(m_running && m_historyAt > 0);
    m_forward->setEnabled(m_running && m_historyAt + 1 < m_history.size());
    m_up->setEnabled(m_running && !m_wanted.isRoot());
    for (QAction *action : {m_upload, m_uploadFolder, m_paste, m_newFolder, m_terminal})
        action->setEnabled(usable);
    for (QAction *action : {m_save, m_remove, m_copyPath})
        action->setEnabled(usable && selected > 0);
    for (QAction *action : {m_open, m_rename})
        action->setEnabled(usable && selected == 1);

    if (!m_running || !m_anyShown) {
        m_summary->clear();
        return;
    }
    QStringList parts{m_model.rowCount() == 1 ? tr("1 item") : tr("%n items", nullptr, m_model.rowCount())};
    if (const qsizetype hidden = m_model.totalCount() - m_model.rowCount(); hidden > 0)
        parts << tr("%n not shown", nullptr, static_cast<int>(hidden));
    if (m_model.refusedCount() > 0)
        parts << tr("%n with impossible names left out", nullptr, m_model.refusedCount());
    if (selected > 0)
        parts << tr("%n selected", nullptr, static_cast<int>(selected));
    m_summary->setText(parts.join(QStringLiteral(" · ")));
}

} // namespace boxdeck::ui
