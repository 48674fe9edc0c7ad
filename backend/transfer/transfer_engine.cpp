// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/transfer_engine.h"

#include "backend/transfer/transfer_job.h"

#include <QFileInfo>
#include <QThreadPool>

#include <algorithm>

namespace boxdeck::transfer {

TransferEngine::TransferEngine(Clock &clock, EngineOptions options, QObject *parent)
    : QObject(parent)
    , m_clock(clock)
    , m_options(options)
    , m_disk(std::make_unique<QThreadPool>())
{
    // A thread per file under way and one per scan; a thread that waits for a slow disk costs no processor.
    m_disk->setMaxThreadCount(options.parallelJobs * (options.parallelFiles + 1));
}

TransferEngine::~TransferEngine()
{
    m_jobs.clear();
    m_disk.reset(); // waits for what the disk is doing: its outcomes are posted to this object
}

TransferId TransferEngine::upload(EnvdSource envd, const QStringList &localPaths, const RemotePath &folder,
                                  const QString &label)
{
    TransferInfo info{.direction = Direction::Upload, .label = label};
    info.rootCount = static_cast<int>(localPaths.size());
    info.remoteFolder = folder;
    if (!localPaths.isEmpty()) {
        const QFileInfo first(localPaths.first());
        info.name = first.fileName();
        info.localFolder = first.path();
    }
    return add(std::make_unique<UploadJob>(std::move(info), localPaths, std::move(envd), DiskQueue(*m_disk, *this),
                                           m_clock, m_options, this));
}

TransferId TransferEngine::download(EnvdSource envd, const QList<protocol::EntryInfo> &entries,
                                    const QString &localFolder, const QString &label)
{
    TransferInfo info{.direction = Direction::Download, .label = label, .localFolder = localFolder};
    info.rootCount = static_cast<int>(entries.size());
    if (!entries.isEmpty()) {
        info.name = QString::fromUtf8(entries.first().name);
        info.remoteFolder = entries.first().path.parent();
    }
    return add(std::make_unique<DownloadJob>(std::move(info), entries, std::move(envd), DiskQueue(*m_disk, *this),
                                             m_clock, m_options, this));
}

TransferId TransferEngine::add(std::unique_ptr<TransferJob> job)
{
    const TransferId id{++m_lastId};
    job->setId(id);
    TransferJob *added = job.get();
    connect(added, &TransferJob::changed, this, [this, id] { Q_EMIT changed(id); });
    // Queued: a job that ends lets the next one start, but not from within its own last step.
    connect(
        added, &TransferJob::placeChanged, this,
        [this, id] {
            schedule();
            const TransferJob *now = find(id);
            if (now && (now->info().state == JobState::Done || now->info().state == JobState::Failed))
                Q_EMIT ended(id);
        },
        Qt::QueuedConnection);
    m_jobs.push_back(std::move(job));
    Q_EMIT this->added(id);
    QMetaObject::invokeMethod(this, &TransferEngine::schedule, Qt::QueuedConnection);
    return id;
}

TransferJob *TransferEngine::find(TransferId id) const
{
    const auto found =
        std::find_if(m_jobs.begin(), m_jobs.end(), [id](const auto &job) { return job->info().id == id; });
    return found == m_jobs.end() ? nullptr : found->get();
}

void TransferEngine::schedule()
{
    auto taken =
        std::count_if(m_jobs.begin(), m_jobs.end(), [](const auto &job) { return holdsPlace(job->info().state); });
    for (const auto &job : m_jobs) {
        if (taken >= m_options.parallelJobs)
            return;
        if (job->info().state == JobState::Queued) {
            ++taken;
            job->start();
        }
    }
}

void TransferEngine::pause(TransferId id)
{
    if (TransferJob *job = find(id))
        job->pause();
}

void TransferEngine::resume(TransferId id)
{
    if (TransferJob *job = find(id))
        job->resume();
}

void TransferEngine::cancel(TransferId id)
{
    if (TransferJob *job = find(id))
        job->cancel();
}

void TransferEngine::retry(TransferId id)
{
    if (TransferJob *job = find(id))
        job->retry();
}

void TransferEngine::resolveConflict(TransferId id, ConflictChoice choice, bool forTheRest)
{
    if (TransferJob *job = find(id))
        job->answer(choice, forTheRest);
}

void TransferEngine::remove(TransferId id)
{
    TransferJob *job = find(id);
    if (!job)
        return;
    job->cancel();
    const auto place =
        std::find_if(m_jobs.begin(), m_jobs.end(), [id](const auto &other) { return other->info().id == id; });
    place->release()->deleteLater(); // it may be on the stack
    m_jobs.erase(place);
    disconnect(job, nullptr, this, nullptr);
    Q_EMIT removed(id);
    schedule();
}

void TransferEngine::clearFinished()
{
    for (const TransferId id : ids()) {
        const JobState state = find(id)->info().state;
        if (state == JobState::Done || state == JobState::Cancelled)
            remove(id);
    }
}

QList<TransferId> TransferEngine::ids() const
{
    QList<TransferId> ids;
    for (const auto &job : m_jobs)
        ids.append(job->info().id);
    return ids;
}

std::optional<TransferInfo> TransferEngine::info(TransferId id) const
{
    const TransferJob *job = find(id);
    return job ? std::optional(job->info()) : std::nullopt;
}

int TransferEngine::activeCount() const
{
    return static_cast<int>(std::count_if(m_jobs.begin(), m_jobs.end(), [](const auto &job) {
        return isActive(job->info().state) || job->info().state == JobState::Queued;
    }));
}

} // namespace boxdeck::transfer
