// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/transfer/disk_queue.h"
#include "backend/transfer/file_task.h"
#include "backend/transfer/local_walker.h"
#include "backend/transfer/rate_meter.h"
#include "backend/transfer/remote_walker.h"
#include "backend/transfer/retry_policy.h"
#include "backend/transfer/transfer_engine.h"

#include <QTimer>

#include <atomic>
#include <map>
#include <set>

namespace boxdeck::transfer {

/// One transfer: scans, then copies its files a few at a time. Its states and their order are nextState()'s; this class
/// does what each asks for. What differs between up and down is in UploadJob and DownloadJob.
class TransferJob : public QObject
{
    Q_OBJECT

public:
    /// `parent` outlives it, and owns what is still tidied up when the job is forgotten.
    TransferJob(TransferInfo info, EnvdSource envd, DiskQueue disk, const Clock &clock, const EngineOptions &options,
                QObject *parent);
    ~TransferJob() override;

    const TransferInfo &info() const { return m_info; }
    void setId(TransferId id) { m_info.id = id; }

    void start(); ///< its turn has come
    void pause();
    void resume();
    void cancel();
    void retry();
    void answer(ConflictChoice choice, bool forTheRest);

Q_SIGNALS:
    void changed();
    /// It entered or left a state in which it takes a place of the queue.
    void placeChanged();

protected:
    struct Found
    {
        QStringList names; ///< relative, for people
        QList<qint64> sizes;
    };
    /// Scans; ends in scanned(), or fault() and later another scan().
    virtual void scan(std::shared_ptr<api::Envd> envd) = 0;
    virtual void abandonScan() = 0;
    /// Makes the folders the files go into; ends in foldersMade() or fault().
    virtual void makeFolders(std::shared_ptr<api::Envd> envd) = 0;
    virtual std::unique_ptr<FileTask> makeTask(qsizetype index) = 0;

    void scanned(const Found &found, int folders, const QList<Problem> &problems);
    void foldersMade();
    void fault(const Error &error); ///< of the scan or the folders
    void addProblem(Problem problem);

    TransferInfo m_info;
    DiskQueue m_disk;
    EngineOptions m_options;

private:
    enum class ItemState { Waiting, Running, Done, Failed };
    struct Item
    {
        QString name;
        qint64 size = 0; ///< what it adds to the totals
        ItemState state = ItemState::Waiting;
        int attempt = 1;
        qint64 furthest = 0; ///< the most bytes any attempt got to
    };

    bool apply(JobEvent event);
    void askForEnvd();
    void envdArrived(Result<std::shared_ptr<api::Envd>> envd);
    void copyMore();
    void startItem(qsizetype index);
    void connectTask(qsizetype index, FileTask &task);
    void taskAsks(qsizetype index, const FileFacts &source, const FileFacts &target);
    void showQuestion();
    void taskEnded(qsizetype index, std::optional<Problem> problem);
    void taskFailed(qsizetype index, const Error &error);
    void waitAndRetry(const Error &error, std::chrono::milliseconds delay);
    void failAll(const Error &error);
    void suspendAll();
    void dropTasks();
    void finishIfDone();
    void removeLeftovers(const QList<RemotePath> &paths);
    void noteProgress();
    void publish();

    EnvdSource m_source;
    const Clock &m_clock;
    RetryPolicy m_policy;
    RateMeter m_rate;
    QTimer m_tick;  ///< spaces out changed() and keeps the speed fresh
    QTimer m_delay; ///< until the next try
    Call<std::shared_ptr<api::Envd>> m_envdCall;
    std::shared_ptr<api::Envd> m_envd;

    std::vector<Item> m_items;
    qsizetype m_nextItem = 0; ///< none before it is Waiting
    std::map<qsizetype, std::unique_ptr<FileTask>> m_tasks;
    struct Asked
    {
        FileFacts source;
        FileFacts target;
    };
    std::map<qsizetype, Asked> m_questions;
    std::optional<ConflictChoice> m_policyForRest;
    std::set<qsizetype> m_unfinished; ///< items with a task that was suspended
    bool m_scanDone = false;
    bool m_foldersDone = false;
    bool m_dirty = false;
    int m_scanAttempt = 1;
    int m_envdAttempt = 1;
    qint64 m_doneBytes = 0; ///< of items that ended
};

/// Files and folders of this computer into a folder of the sandbox.
class UploadJob final : public TransferJob
{
    Q_OBJECT

public:
    UploadJob(TransferInfo info, QStringList paths, EnvdSource envd, const DiskQueue &disk, const Clock &clock,
              const EngineOptions &options, QObject *parent);
    ~UploadJob() override;

protected:
    void scan(std::shared_ptr<api::Envd> envd) override;
    void abandonScan() override;
    void makeFolders(std::shared_ptr<api::Envd> envd) override;
    std::unique_ptr<FileTask> makeTask(qsizetype index) override;

private:
    void makeNextFolder(const std::shared_ptr<api::Envd> &envd);
    std::optional<RemotePath> remotePath(const QByteArray &relative) const;

    QStringList m_paths;
    LocalScan m_scan;
    std::shared_ptr<std::atomic_bool> m_stop;
    Call<LocalScan> m_scanCall;
    QList<QByteArray> m_foldersToMake;
    int m_foldersUnderWay = 0;
    quint64 m_folderRun = 0;
};

/// Entries of the sandbox into a folder of this computer.
class DownloadJob final : public TransferJob
{
    Q_OBJECT

public:
    DownloadJob(TransferInfo info, QList<protocol::EntryInfo> entries, EnvdSource envd, const DiskQueue &disk,
                const Clock &clock, const EngineOptions &options, QObject *parent);

protected:
    void scan(std::shared_ptr<api::Envd> envd) override;
    void abandonScan() override;
    void makeFolders(std::shared_ptr<api::Envd> envd) override;
    std::unique_ptr<FileTask> makeTask(qsizetype index) override;

private:
    QList<protocol::EntryInfo> m_entries;
    QByteArray m_root;
    std::unique_ptr<RemoteWalker> m_walker;
    RemoteScan m_scan;
    Call<QList<Problem>> m_folderCall;
};

} // namespace boxdeck::transfer
