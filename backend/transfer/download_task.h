// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/transfer/disk_queue.h"
#include "backend/transfer/file_task.h"
#include "backend/transfer/local_disk.h"
#include "backend/transfer/remote_walker.h"

namespace boxdeck::transfer {

/// What the head of a download answer says about the file.
struct DownloadHead
{
    qint64 offset = 0;           ///< where its bytes begin
    std::optional<qint64> total; ///< size of the whole file in bytes, where it is told
    QByteArray version;          ///< Last-Modified and ETag: the same text, the same file

    bool operator==(const DownloadHead &) const = default;
};

/// Reads Content-Range (206), Content-Length (200), Last-Modified and ETag. Internal, code "bad_answer", for a 206
/// whose range can't be read.
Result<DownloadHead> readDownloadHead(int status, const net::HeaderList &headers);

/// Copies one file of the sandbox to this computer.
///
/// The bytes go into a part file beside the target; complete and flushed it takes the target's name. After a cut it
/// goes on with a range from what it has, unless the server starts over or the file is another by now: then it starts
/// over, too. At most a window of bytes waits for the disk; the socket is left unread meanwhile.
class DownloadTask final : public FileTask
{
    Q_OBJECT

public:
    DownloadTask(RemoteFile file, QByteArray root, const DiskQueue &disk, QObject *parent = nullptr);

    void start(std::shared_ptr<api::Envd> envd) override;
    void suspend() override;
    void answer(ConflictAction action) override;

private:
    void inspect();
    void askLinkTarget(const FileFacts &there);
    void createPart();
    void openStream();
    void onHead(int status, const net::HeaderList &headers);
    void startOver();
    void pump();
    void written(Result<void> result, qint64 bytes);
    void checkEnd();
    void commit();
    void fail(const Error &error);

    const RemoteFile m_file;
    LocalTarget m_target;
    DiskQueue m_disk;
    std::shared_ptr<api::Envd> m_envd;
    std::shared_ptr<PartFile> m_part;
    std::unique_ptr<net::ByteStream> m_stream;
    DownloadHead m_known; ///< of the answer the part file's bytes came from
    bool m_decided = false;
    bool m_replaces = false;
    bool m_headSeen = false;
    bool m_streamEnded = false;
    bool m_complete = false; ///< the part file is the whole file
    qint64 m_written = 0;    ///< bytes in the part file
    qint64 m_waiting = 0;    ///< bytes on their way to it
    int m_restarts = 0;
    quint64 m_run = 0; ///< tells answers of the disk to an earlier stream apart
};

} // namespace boxdeck::transfer
