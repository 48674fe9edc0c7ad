// SPDX-License-Identifier: GPL-3.0-or-later
// What differs between up and down.
#include "backend/transfer/download_task.h"
#include "backend/transfer/retry_policy.h"
#include "backend/transfer/transfer_job.h"
#include "backend/transfer/upload_task.h"

#include <QFile>

namespace boxdeck::transfer {

namespace {
constexpr int parallelFolders = 4;
}

UploadJob::UploadJob(TransferInfo info, QStringList paths, EnvdSource envd, const DiskQueue &disk, const Clock &clock,
                     const EngineOptions &options, QObject *parent)
    : TransferJob(std::move(info), std::move(envd), disk, clock, options, parent)
    , m_paths(std::move(paths))
    , m_stop(std::make_shared<std::atomic_bool>(false))
{
}

UploadJob::~UploadJob()
{
    *m_stop = true;
}

void UploadJob::scan(std::shared_ptr<api::Envd>)
{
    QList<QByteArray> roots;
    for (const QString &path : m_paths)
        roots.append(QFile::encodeName(path));
    m_stop = std::make_shared<std::atomic_bool>(false);
    m_scanCall = m_disk.run([roots, stop = m_stop]() -> Result<LocalScan> { return scanLocal(roots, *stop); });
    m_scanCall.then(this, [this](Result<LocalScan> result) {
        m_scan = std::move(*result);
        Found found;
        for (const LocalFile &file : m_scan.files) {
            found.names.append(QString::fromUtf8(file.relative));
            found.sizes.append(file.size);
        }
        // MakeDir makes parents, too, so only folders that hold no other have to be asked for.
        m_foldersToMake.clear();
        for (qsizetype i = 0; i < m_scan.folders.size(); ++i) {
            const bool last = i + 1 == m_scan.folders.size();
            if (last || !m_scan.folders[i + 1].startsWith(m_scan.folders[i] + '/'))
                m_foldersToMake.append(m_scan.folders[i]);
        }
        scanned(found, static_cast<int>(m_scan.folders.size()), m_scan.problems);
    });
}

void UploadJob::abandonScan()
{
    *m_stop = true;
    m_scanCall.cancel();
    ++m_folderRun;
    m_foldersUnderWay = 0;
}

std::optional<RemotePath> UploadJob::remotePath(const QByteArray &relative) const
{
    RemotePath path = m_info.remoteFolder;
    for (const QByteArray &part : relative.split('/')) {
        auto below = path.child(part);
        if (!below)
            return std::nullopt;
        path = *below;
    }
    return path;
}

void UploadJob::makeFolders(std::shared_ptr<api::Envd> envd)
{
    ++m_folderRun;
    m_foldersUnderWay = 0;
    if (m_foldersToMake.isEmpty())
        return foldersMade();
    for (int i = 0; i < parallelFolders; ++i)
        makeNextFolder(envd);
}

void UploadJob::makeNextFolder(const std::shared_ptr<api::Envd> &envd)
{
    if (m_foldersUnderWay >= m_foldersToMake.size())
        return;
    // Folders under way stay in the list until they are made: after a fault all of them are asked for again.
    const QByteArray relative = m_foldersToMake[m_foldersUnderWay++];
    const auto path = remotePath(relative);
    auto call = path ? envd->filesystem().makeDir(*path)
                     : Call<protocol::EntryInfo>::settled(tl::unexpected(
                           transferError(ErrorKind::InvalidRequest, code::badName, QString::fromUtf8(relative))));
    call.then(this, [this, envd, relative, run = m_folderRun](Result<protocol::EntryInfo> made) {
        if (run != m_folderRun)
            return;
        if (!made && made.error().code != QLatin1String("already_exists")) {
            if (mayPass(made.error()) || stopsWholeJob(made.error()))
                return fault(made.error());
            addProblem({.name = QString::fromUtf8(relative), .skipped = false, .error = made.error()});
        }
        m_foldersToMake.removeOne(relative);
        --m_foldersUnderWay;
        if (m_foldersToMake.isEmpty())
            return foldersMade();
        makeNextFolder(envd);
    });
}

std::unique_ptr<FileTask> UploadJob::makeTask(qsizetype index)
{
    const LocalFile &file = m_scan.files[index];
    return std::make_unique<UploadTask>(file.path, remotePath(file.relative).value_or(RemotePath()), file.size,
                                        m_disk.another(), m_options.parts);
}

DownloadJob::DownloadJob(TransferInfo info, QList<protocol::EntryInfo> entries, EnvdSource envd, const DiskQueue &disk,
                         const Clock &clock, const EngineOptions &options, QObject *parent)
    : TransferJob(std::move(info), std::move(envd), disk, clock, options, parent)
    , m_entries(std::move(entries))
    , m_root(QFile::encodeName(m_info.localFolder))
{
}

void DownloadJob::scan(std::shared_ptr<api::Envd> envd)
{
    m_walker = std::make_unique<RemoteWalker>([envd](const RemotePath &path) { return envd->filesystem().list(path); },
                                              nativeNameRules());
    connect(m_walker.get(), &RemoteWalker::finished, this, [this] {
        m_scan = m_walker->scan();
        m_walker.release()->deleteLater(); // it is the sender
        Found found;
        for (const RemoteFile &file : m_scan.files) {
            found.names.append(QString::fromUtf8(file.relative()));
            found.sizes.append(file.size);
        }
        scanned(found, static_cast<int>(m_scan.folders.size()), m_scan.problems);
    });
    connect(m_walker.get(), &RemoteWalker::failed, this, [this](const Error &error) {
        m_walker.release()->deleteLater();
        fault(error);
    });
    m_walker->start(m_entries);
}

void DownloadJob::abandonScan()
{
    m_walker.reset();
    m_folderCall.cancel();
}

void DownloadJob::makeFolders(std::shared_ptr<api::Envd>)
{
    m_folderCall = m_disk.run([root = m_root, folders = m_scan.folders]() -> Result<QList<Problem>> {
        QList<Problem> problems;
        for (const QList<QByteArray> &parts : folders) {
            if (auto made = openFolder(root, parts, true); !made) {
                if (made.error().code == code::diskFull)
                    return tl::unexpected(made.error());
                problems.append({.name = QString::fromUtf8(parts.join('/')), .error = made.error()});
            }
        }
        return problems;
    });
    m_folderCall.then(this, [this](Result<QList<Problem>> problems) {
        if (!problems)
            return fault(problems.error());
        for (Problem &problem : *problems)
            addProblem(std::move(problem));
        foldersMade();
    });
}

std::unique_ptr<FileTask> DownloadJob::makeTask(qsizetype index)
{
    return std::make_unique<DownloadTask>(m_scan.files[index], m_root, m_disk.another());
}

} // namespace boxdeck::transfer
