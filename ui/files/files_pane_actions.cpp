// SPDX-License-Identifier: GPL-3.0-or-later
// What is done to files.
#include "backend/core/display_text.h"
#include "ui/common/confirm.h"
#include "ui/common/error_bar.h"
#include "ui/common/ui_util.h"
#include "ui/files/drop_rules.h"
#include "ui/files/file_preview.h"
#include "ui/files/file_view.h"
#include "ui/files/files_pane.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMimeData>
#include <QPushButton>

namespace boxdeck::ui {

using protocol::EntryInfo;

namespace {

QString shown(const QByteArray &name)
{
    return displayText(QString::fromUtf8(name), 80);
}

} // namespace

/// One call to the sandbox that runs if it still runs; `what` says what did not happen if it fails.
template <typename T>
void FilesPane::withEnvd(const QString &what, std::function<Call<T>(const std::shared_ptr<api::Envd> &)> call,
                         std::function<void(T)> done)
{
    m_session.envd(m_sandbox)
        .chain([call = std::move(call)](Result<std::shared_ptr<api::Envd>> envd) {
            return envd ? call(*envd) : Call<T>::settled(tl::unexpected(envd.error()));
        })
        .then(this, [this, what, done = std::move(done)](Result<T> result) {
            if (result)
                done(std::move(*result));
            else
                m_error->showError(result.error(), what);
        });
}

void FilesPane::openCurrent()
{
    if (const auto entry = m_view->currentEntry())
        openEntry(*entry);
}

void FilesPane::openEntry(const EntryInfo &entry)
{
    if (entry.isDirectory())
        return go(entry.path, true);
    if (entry.type != protocol::FileType::File) {
        m_error->showText(
            entry.isSymlink()
                ? tr("“%1” is a link that leads nowhere: there is no file behind it.").arg(shown(entry.name))
                : tr("“%1” is a socket, a pipe or a device and can't be opened.").arg(shown(entry.name)));
        return;
    }
    auto *preview = new FilePreview(envdSource(), entry, this);
    connect(preview, &FilePreview::saveRequested, this, [this](const EntryInfo &file) { saveEntries({file}); });
    preview->show();
}

void FilesPane::uploadChosen()
{
    auto *dialog = new QFileDialog(this, tr("Upload files to %1").arg(folderText(m_shown)));
    dialog->setObjectName(QStringLiteral("filesUploadDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setLabelText(QFileDialog::Accept, tr("Upload"));
    connect(dialog, &QFileDialog::filesSelected, this, &FilesPane::uploadFiles);
    dialog->open();
}

void FilesPane::uploadChosenFolder()
{
    auto *dialog = new QFileDialog(this, tr("Upload a folder to %1").arg(folderText(m_shown)));
    dialog->setObjectName(QStringLiteral("filesUploadFolderDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    dialog->setLabelText(QFileDialog::Accept, tr("Upload"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &folder) { uploadFiles({folder}); });
    dialog->open();
}

void FilesPane::uploadFiles(const QStringList &localPaths)
{
    if (!localPaths.isEmpty())
        Q_EMIT transferStarted(m_engine.upload(envdSource(), localPaths, m_shown, sandboxText()));
}

void FilesPane::takeUrls(const QList<QUrl> &urls, const RemotePath &folder)
{
    if (!m_running || !m_anyShown)
        return;
    const DropContent content = readDrop(urls);
    if (!content.refused.isEmpty()) {
        m_error->showText(tr("“%1” is no file on this computer. Save it here first, then drop it again.")
                              .arg(displayText(content.refused.first(), 200)));
    }
    if (!content.paths.isEmpty())
        Q_EMIT transferStarted(m_engine.upload(envdSource(), content.paths, folder, sandboxText()));
}

void FilesPane::paste()
{
    const QMimeData *mime = QGuiApplication::clipboard()->mimeData();
    if (mime && mime->hasUrls())
        takeUrls(mime->urls(), m_shown);
    else
        m_error->showText(tr("The clipboard holds no files. Copy some in a file manager, then paste them here."));
}

void FilesPane::saveSelected()
{
    saveEntries(m_view->selectedEntries());
}

void FilesPane::saveEntries(const QList<EntryInfo> &entries)
{
    if (entries.isEmpty())
        return;
    auto *dialog = new QFileDialog(
        this, entries.size() == 1 ? tr("Save “%1” to a folder").arg(shown(entries.first().name))
                                  : tr("Save %n items to a folder", nullptr, static_cast<int>(entries.size())));
    dialog->setObjectName(QStringLiteral("filesSaveDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    dialog->setLabelText(QFileDialog::Accept, tr("Save here"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, entries](const QString &folder) {
        Q_EMIT transferStarted(m_engine.download(envdSource(), entries, folder, sandboxText()));
    });
    dialog->open();
}

void FilesPane::newFolder()
{
    makeFolder(m_shown, 1);
}

void FilesPane::makeFolder(const RemotePath &parent, int number)
{
    const QString name = number == 1 ? tr("New folder") : tr("New folder (%1)").arg(number);
    const auto path = parent.child(name.toUtf8());
    if (!path || !m_running)
        return;
    m_session.envd(m_sandbox)
        .chain([path = *path](Result<std::shared_ptr<api::Envd>> envd) {
            return envd ? (*envd)->filesystem().makeDir(path) : Call<EntryInfo>::settled(tl::unexpected(envd.error()));
        })
        .then(this, [this, parent, path = *path, number](Result<EntryInfo> made) {
            if (!made && made.error().code == QLatin1String("already_exists") && number < 1000)
                return makeFolder(parent, number + 1);
            if (!made) {
                m_error->showError(made.error(), tr("The folder “%1” was not made.").arg(shown(path.name())));
                return;
            }
            if (parent != m_shown)
                return;
            // Shown at once and its name open for typing; the watch will tell the same again.
            m_selectNext = path.name();
            m_renameNext = true;
            made->name = path.name();
            m_model.updateEntry(*made);
            updateView();
        });
}

void FilesPane::renameCurrent()
{
    if (const QModelIndex current = m_view->currentIndex(); current.isValid())
        m_view->edit(current.siblingAtColumn(models::RemoteFolderModel::Name));
}

void FilesPane::rename(const QByteArray &from, const QString &to)
{
    const QByteArray name = to.toUtf8();
    const QString what = tr("“%1” was not renamed.").arg(shown(from));
    const auto source = m_shown.child(from);
    const auto target = m_shown.child(name);
    if (!source || !target || name.size() > 255) {
        m_error->showText(what + QLatin1Char(' ') +
                          (name.size() > 255 ? tr("The new name is too long.")
                                             : tr("A name can't be empty, “.” or “..”, or contain a slash.")));
        return;
    }
    moveWithoutOverwriting(*source, *target, what);
}

void FilesPane::moveInto(const QList<RemotePath> &entries, const RemotePath &target)
{
    if (!mayMoveInto(target, entries))
        return;
    for (const RemotePath &entry : entries) {
        if (const auto to = target.child(entry.name()))
            moveWithoutOverwriting(entry, *to,
                                   tr("“%1” was not moved to %2.").arg(shown(entry.name()), folderText(target)));
    }
}

void FilesPane::moveWithoutOverwriting(const RemotePath &from, const RemotePath &to, const QString &what)
{
    // The server's Move overwrites silently, so the place is looked at first.
    withEnvd<EntryInfo>(
        what,
        [from, to](const std::shared_ptr<api::Envd> &envd) {
            return envd->filesystem().stat(to).chain([from, to, envd](Result<EntryInfo> there) {
                if (there) {
                    return Call<EntryInfo>::settled(
                        tl::unexpected(Error{.kind = ErrorKind::Conflict, .code = QStringLiteral("already_exists")}));
                }
                if (there.error().kind != ErrorKind::NotFound)
                    return Call<EntryInfo>::settled(tl::unexpected(there.error()));
                return envd->filesystem().move(from, to);
            });
        },
        [this, from, to](EntryInfo moved) {
            if (from.parent() == m_shown)
                m_model.removeEntry(from.name());
            if (to.parent() == m_shown) {
                m_selectNext = to.name();
                moved.name = to.name();
                m_model.updateEntry(moved);
            }
            updateView();
        });
}

void FilesPane::removeSelected()
{
    QList<RemotePath> paths;
    Question question{.name = QStringLiteral("filesDeleteQuestion"), .title = tr("Delete"), .danger = true};
    bool folders = false;
    for (const EntryInfo &entry : m_view->selectedEntries()) {
        paths.append(entry.path);
        question.items.append(displayText(QString::fromUtf8(entry.name), 200));
        folders = folders || (entry.isDirectory() && !entry.isSymlink());
    }
    if (paths.isEmpty())
        return;
    const int count = static_cast<int>(paths.size());
    if (count == 1) {
        question.items.clear();
        question.text = tr("Delete “%1” from “%2”?").arg(shown(paths.first().name()), sandboxText());
        question.acceptVerb = tr("Delete “%1”").arg(displayText(QString::fromUtf8(paths.first().name()), 24));
    } else {
        question.text = tr("Delete %n items from “%1”?", nullptr, count).arg(sandboxText());
        question.acceptVerb = tr("Delete %n items", nullptr, count);
    }
    question.consequence = folders ? tr("Folders are deleted with everything in them. This can't be undone.")
                                   : tr("This can't be undone.");
    // By path, not by row: the list may change while the question is open.
    confirm(this, question, this, [this, paths, count] { removeNext(paths, count); });
}

void FilesPane::removeNext(QList<RemotePath> paths, qsizetype total)
{
    if (paths.isEmpty())
        return;
    const RemotePath path = paths.takeFirst();
    const QString what = total == 1 ? tr("“%1” was not deleted.").arg(shown(path.name()))
                                    : tr("“%1” was not deleted, nor were the items after it.").arg(shown(path.name()));
    m_session.envd(m_sandbox)
        .chain([path](Result<std::shared_ptr<api::Envd>> envd) {
            return envd ? (*envd)->filesystem().remove(path) : Call<void>::settled(tl::unexpected(envd.error()));
        })
        .then(this, [this, path, paths, total, what](Result<void> removed) {
            if (!removed) {
                m_error->showError(removed.error(), what);
                return;
            }
            if (path.parent() == m_shown)
                m_model.removeEntry(path.name());
            removeNext(paths, total);
        });
}

void FilesPane::copyPaths()
{
    QStringList paths;
    for (const EntryInfo &entry : m_view->selectedEntries())
        paths.append(entry.path.toString());
    if (!paths.isEmpty())
        copyToClipboard(paths.join(QLatin1Char('\n')));
}

void FilesPane::openTerminal()
{
    Q_EMIT openTerminalHere(m_shown);
}

} // namespace boxdeck::ui
