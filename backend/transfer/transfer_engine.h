// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"
#include "backend/core/remote_path.h"
#include "backend/transfer/transfer_info.h"

#include <QObject>
#include <QStringList>

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

class QThreadPool;

namespace boxdeck {
class Clock;
}
namespace boxdeck::api {
class Envd;
}
namespace boxdeck::protocol {
struct EntryInfo;
}

namespace boxdeck::transfer {

class TransferJob;

/// Gives the way to the sandbox, asked again before every try: after a restart of the server the old one leads nowhere,
/// and a paused sandbox must not be touched, since traffic could wake it. Session::envd() is such a source: it never
/// wakes, and answers Conflict with the code "paused". A transfer then pauses itself.
using EnvdSource = std::function<Call<std::shared_ptr<api::Envd>>()>;

struct EngineOptions
{
    int parallelJobs = 2;  ///< transfers that run at once
    int parallelFiles = 2; ///< files of one transfer that run at once
    std::chrono::milliseconds firstRetry{500};
    PartRules parts;
};

/// The queue of uploads and downloads. Lives on the GUI thread; disk work runs on threads of its own.
///
/// Nothing half-written ever has the real name: downloads grow in a part file beside the target, uploads under a
/// temporary name in the target's folder, and both are checked and then moved there.
class TransferEngine : public QObject
{
    Q_OBJECT

public:
    explicit TransferEngine(Clock &clock, EngineOptions options = {}, QObject *parent = nullptr);
    ~TransferEngine() override;

    /// Copies files and folders of this computer into `folder` of the sandbox. Hidden files and empty folders come
    /// along. `label` names the sandbox for people.
    TransferId upload(EnvdSource envd, const QStringList &localPaths, const RemotePath &folder,
                      const QString &label = {});

    /// Copies entries of the sandbox into a folder of this computer.
    TransferId download(EnvdSource envd, const QList<protocol::EntryInfo> &entries, const QString &localFolder,
                        const QString &label = {});

    void pause(TransferId id);
    void resume(TransferId id);
    void cancel(TransferId id); ///< what had arrived completely stays; part files and temporary names are removed
    void retry(TransferId id);  ///< of a failed or cancelled one: what is not done yet
    void resolveConflict(TransferId id, ConflictChoice choice, bool forTheRest);

    void remove(TransferId id); ///< cancels it if need be and forgets it
    void clearFinished();       ///< forgets those that are Done or Cancelled

    QList<TransferId> ids() const; ///< oldest first
    std::optional<TransferInfo> info(TransferId id) const;
    int activeCount() const; ///< transfers that are neither final nor paused

Q_SIGNALS:
    void added(boxdeck::transfer::TransferId id);
    void changed(boxdeck::transfer::TransferId id); ///< at most some ten times a second for progress
    void removed(boxdeck::transfer::TransferId id);
    void ended(boxdeck::transfer::TransferId id); ///< Done or Failed, for notices

private:
    TransferId add(std::unique_ptr<TransferJob> job);
    TransferJob *find(TransferId id) const;
    void schedule();

    Clock &m_clock;
    EngineOptions m_options;
    std::unique_ptr<QThreadPool> m_disk;
    std::vector<std::unique_ptr<TransferJob>> m_jobs;
    quint64 m_lastId = 0;
};

} // namespace boxdeck::transfer
