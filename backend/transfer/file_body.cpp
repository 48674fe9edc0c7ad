// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/file_body.h"

#include <algorithm>
#include <cstring>

namespace boxdeck::transfer {

namespace {
constexpr qint64 chunkSize = 512 * 1024;
constexpr qint64 window = 4 * chunkSize;
} // namespace

FileBody::FileBody(std::shared_ptr<SourceFile> source, const DiskQueue &disk)
    : FileBody(source, disk, 0, source->facts().size)
{
}

FileBody::FileBody(std::shared_ptr<SourceFile> source, const DiskQueue &disk, qint64 offset, qint64 size)
    : m_source(std::move(source))
    , m_disk(disk)
    , m_offset(offset)
    , m_size(size)
{
    // Unbuffered: QIODevice's own buffer would hold a second copy, and serve old bytes after a rewind.
    open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    fill();
}

bool FileBody::seek(qint64 position)
{
    if (position == pos())
        return true;
    if (m_failed || position < 0 || position > size() || !QIODevice::seek(position))
        return false;
    m_load.cancel();
    m_loading = false;
    m_chunks.clear();
    m_frontUsed = 0;
    m_buffered = 0;
    m_next = position;
    fill();
    return true;
}

qint64 FileBody::readData(char *data, qint64 maxSize)
{
    if (m_failed)
        return -1;
    qint64 given = 0;
    while (given < maxSize && !m_chunks.empty()) {
        const QByteArray &front = m_chunks.front();
        const qint64 n = std::min<qint64>(maxSize - given, front.size() - m_frontUsed);
        std::memcpy(data + given, front.constData() + m_frontUsed, static_cast<size_t>(n));
        given += n;
        m_frontUsed += n;
        if (m_frontUsed == front.size()) {
            m_chunks.pop_front();
            m_frontUsed = 0;
        }
    }
    m_buffered -= given;
    fill();
    return given;
}

void FileBody::fill()
{
    if (m_loading || m_failed || m_buffered >= window || m_next >= size())
        return;
    m_loading = true;
    const qint64 count = std::min(chunkSize, size() - m_next);
    const bool last = m_next + count == size();
    m_load = m_disk.run([source = m_source, offset = m_offset + m_next, count, last]() -> Result<QByteArray> {
        auto bytes = source->read(offset, count);
        if (bytes && last) {
            if (auto same = source->checkUnchanged(); !same)
                return tl::unexpected(same.error());
        }
        return bytes;
    });
    m_load.then(this, [this](Result<QByteArray> bytes) {
        m_loading = false;
        if (!bytes) {
            m_failed = true;
            setErrorString(bytes.error().message);
            Q_EMIT failed(bytes.error());
            Q_EMIT readyRead(); // whoever waits reads the -1
            return;
        }
        m_next += bytes->size();
        m_buffered += bytes->size();
        m_chunks.push_back(std::move(*bytes));
        fill();
        Q_EMIT readyRead();
    });
}

} // namespace boxdeck::transfer
