// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/envd.h"
#include "backend/transfer/awaiting.h"
#include "backend/transfer/disk_queue.h"
#include "backend/transfer/local_disk.h"

#include <QObject>

#include <memory>

namespace boxdeck::transfer {

/// Brings the content of one large file under a name in the sandbox, in parts that are joined there at the end. What
/// has arrived is kept over a cut: only the part that was under way is sent again. For that the parts are looked at
/// before it goes on, and a source that is another file by then starts from zero.
class PartUpload final : public QObject
{
    Q_OBJECT

public:
    PartUpload(qint64 partSize, DiskQueue disk, QObject *parent = nullptr);

    /// Begins or goes on. `target` is a name of the transfer's own; the parts lie beside it.
    void start(std::shared_ptr<api::Envd> envd, std::shared_ptr<SourceFile> source, const RemotePath &target);
    /// Lets go of network and source. What arrived is kept in mind.
    void suspend();
    /// The names it may have left in the sandbox.
    QList<RemotePath> leftovers() const;

Q_SIGNALS:
    void progress(qint64 done);
    /// All of it stands at the target.
    void finished();
    void failed(const boxdeck::Error &error);
    void sourceFailed(const boxdeck::Error &error); ///< the file here changed or can't be read
    /// The sandbox can't join them, or has no room for a second copy: send it as one. The parts are removed.
    void impossible();

private:
    struct Part
    {
        RemotePath path;
        qint64 offset = 0;
        qint64 size = 0;
        bool touched = false; ///< something may be there
        bool arrived = false;
    };

    void layOut();
    void checkArrived(qsizetype index);
    void sendNext();
    void join();
    void reconcile();
    void removeParts(qsizetype index);
    void fail(const Error &error);

    template <typename T, typename F> void await(Call<T> &&call, F f)
    {
        m_waiting.await(this, std::move(call), std::move(f));
    }

    qint64 m_partSize;
    DiskQueue m_disk;
    Awaiting m_waiting;
    std::shared_ptr<api::Envd> m_envd;
    std::shared_ptr<SourceFile> m_source;
    RemotePath m_target;
    SourceStamp m_stamp; ///< of the file the parts are of
    QList<Part> m_parts;
    qint64 m_done = 0;
    bool m_joinSent = false; ///< the parts may have been joined
};

} // namespace boxdeck::transfer
