// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/transfer/disk_queue.h"
#include "backend/transfer/local_disk.h"

#include <QIODevice>

#include <deque>

namespace boxdeck::transfer {

/// A file or a range of it as the body of an upload, read ahead on a disk thread in a window of a few chunks, so that
/// neither the GUI thread waits for the disk nor the file fills the memory.
///
/// Random access with a known size, so that a request that is repeated can rewind it. read() gives 0 bytes while the
/// disk is behind; readyRead() follows. The last chunk is given out only after the file was found unchanged, so that a
/// server never receives a complete body of a file that changed under way: read() gives -1 instead and failed() says
/// why.
class FileBody final : public QIODevice
{
    Q_OBJECT

public:
    FileBody(std::shared_ptr<SourceFile> source, const DiskQueue &disk);
    FileBody(std::shared_ptr<SourceFile> source, const DiskQueue &disk, qint64 offset, qint64 size);

    qint64 size() const override { return m_size; }
    bool seek(qint64 position) override;
    bool isSequential() const override { return false; }

Q_SIGNALS:
    void failed(boxdeck::Error error);

protected:
    qint64 readData(char *data, qint64 maxSize) override;
    qint64 writeData(const char *, qint64) override { return -1; }

private:
    void fill();

    std::shared_ptr<SourceFile> m_source;
    DiskQueue m_disk;
    qint64 m_offset; ///< where in the file the body begins
    qint64 m_size;
    Call<QByteArray> m_load;
    std::deque<QByteArray> m_chunks;
    qsizetype m_frontUsed = 0; ///< bytes of the first chunk already given out
    qint64 m_buffered = 0;
    qint64 m_next = 0; ///< offset in the body of the next chunk to load
    bool m_loading = false;
    bool m_failed = false;
};

} // namespace boxdeck::transfer
