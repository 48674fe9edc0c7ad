// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/download_task.h"

#include "backend/core/logging.h"

namespace boxdeck::transfer {

namespace {
constexpr qint64 chunkSize = 512 * 1024;
constexpr qint64 window = 4 * chunkSize; // bytes that may wait for the disk
constexpr int maxRestarts = 5;           // a file that changes all the time can't be copied

Error badHead(const QByteArray &what)
{
    return transferError(ErrorKind::Internal, QLatin1String("bad_answer"),
                         QStringLiteral("the answer's range can't be read: %1").arg(QString::fromUtf8(what)));
}

} // namespace

Result<DownloadHead> readDownloadHead(int status, const net::HeaderList &headers)
{
    DownloadHead head;
    head.version = net::headerValue(headers, "Last-Modified") + '|' + net::headerValue(headers, "ETag");
    bool ok = false;
    const qint64 length = net::headerValue(headers, "Content-Length").toLongLong(&ok);
    if (status != 206) {
        if (ok && length >= 0)
            head.total = length;
        return head;
    }
    // bytes FIRST-LAST/TOTAL, where TOTAL may be "*".
    const QByteArray range = net::headerValue(headers, "Content-Range");
    const qsizetype dash = range.indexOf('-');
    const qsizetype slash = range.indexOf('/');
    if (!range.startsWith("bytes ") || dash < 0 || slash < dash)
        return tl::unexpected(badHead(range));
    bool firstOk = false;
    bool lastOk = false;
    head.offset = range.mid(6, dash - 6).trimmed().toLongLong(&firstOk);
    const qint64 last = range.mid(dash + 1, slash - dash - 1).trimmed().toLongLong(&lastOk);
    if (!firstOk || !lastOk || head.offset < 0 || last < head.offset)
        return tl::unexpected(badHead(range));
    const qint64 total = range.mid(slash + 1).trimmed().toLongLong(&ok);
    if (ok) {
        // A range that stops short of the end was not asked for.
        if (last + 1 != total)
            return tl::unexpected(badHead(range));
        head.total = total;
    }
    return head;
}

DownloadTask::DownloadTask(RemoteFile file, QByteArray root, const DiskQueue &disk, QObject *parent)
    : FileTask(parent)
    , m_file(std::move(file))
    , m_target({.root = std::move(root), .parts = m_file.parts, .name = m_file.name})
    , m_disk(disk)
{
    setProgress(0, m_file.size);
}

void DownloadTask::start(std::shared_ptr<api::Envd> envd)
{
    m_envd = std::move(envd);
    if (!m_decided)
        inspect();
    else if (m_complete)
        commit();
    else if (m_part)
        openStream();
    else
        createPart();
}

void DownloadTask::suspend()
{
    ++m_run;
    abandon();
    if (m_stream) {
        m_stream->abort();
        m_stream.release()->deleteLater(); // it may be the sender
    }
    m_envd.reset();
    m_waiting = 0;
}

void DownloadTask::fail(const Error &error)
{
    suspend();
    Q_EMIT failed(error);
}

void DownloadTask::inspect()
{
    await(m_disk.run([target = m_target] { return localFacts(target); }),
          [this](Result<std::optional<FileFacts>> there) {
              if (!there)
                  return fail(there.error());
              if (!*there) {
                  m_decided = true;
                  m_replaces = false;
                  return m_complete ? commit() : createPart();
              }
              if (m_file.isLink)
                  return askLinkTarget(**there);
              Q_EMIT question({.size = m_file.size, .modified = m_file.modified}, **there);
          });
}

void DownloadTask::askLinkTarget(const FileFacts &there)
{
    // The listing told the link's own size and time; the question is about the file behind it.
    await(m_envd->filesystem().stat(m_file.path), [this, there](Result<protocol::EntryInfo> link) {
        if (!link)
            return fail(link.error());
        const auto path =
            link->symlinkTarget ? RemotePath::parse(*link->symlinkTarget) : Result<RemotePath>(m_file.path);
        if (!path)
            return fail(path.error());
        await(m_envd->filesystem().stat(*path), [this, there](Result<protocol::EntryInfo> file) {
            if (!file)
                return fail(file.error());
            Q_EMIT question({.size = file->size, .modified = file->modified}, there);
        });
    });
}

void DownloadTask::answer(ConflictAction action)
{
    if (m_decided || !m_envd)
        return;
    switch (action) {
    case ConflictAction::Skip:
        suspend();
        m_part.reset();
        Q_EMIT skipped();
        return;
    case ConflictAction::Rename:
        await(m_disk.run([target = m_target] { return freeName(target); }), [this](Result<QByteArray> name) {
            if (!name)
                return fail(name.error());
            m_target.name = *name;
            m_decided = true;
            m_replaces = false;
            m_complete ? commit() : createPart();
        });
        return;
    case ConflictAction::Write:
        m_decided = true;
        m_replaces = true;
        m_complete ? commit() : createPart();
        return;
    }
}

void DownloadTask::createPart()
{
    await(m_disk.run([target = m_target] { return PartFile::create(target); }),
          [this](Result<std::shared_ptr<PartFile>> part) {
              if (!part)
                  return fail(part.error());
              m_part = std::move(*part);
              openStream();
          });
}

void DownloadTask::openStream()
{
    // Behind all writes of an earlier stream: from where it goes on is what really is in the part file.
    await(m_disk.run([part = m_part]() -> Result<qint64> { return part->size(); }), [this](Result<qint64> size) {
        ++m_run;
        m_written = *size;
        m_waiting = 0;
        m_headSeen = false;
        m_streamEnded = false;
        setProgress(m_written, qMax(bytesTotal(), m_written));
        m_stream = m_envd->files().download(m_file.path, m_written);
        net::ByteStream *stream = m_stream.get();
        connect(stream, &net::ByteStream::head, this, &DownloadTask::onHead);
        connect(stream, &net::ByteStream::readyRead, this, &DownloadTask::pump);
        connect(stream, &net::ByteStream::finished, this, [this] {
            m_streamEnded = true;
            pump();
        });
        connect(stream, &net::ByteStream::failed, this, [this](const Error &error) {
            if (error.httpStatus == 416 && m_written > 0)
                return startOver(); // it is shorter than what we have: another file by now
            fail(error);
        });
    });
}

void DownloadTask::onHead(int status, const net::HeaderList &headers)
{
    const auto head = readDownloadHead(status, headers);
    if (!head)
        return fail(head.error());
    const bool goesOn = m_written > 0 && head->offset == m_written;
    if (m_written > 0 && (!goesOn || head->version != m_known.version || head->total != m_known.total)) {
        if (head->offset != 0)
            return startOver();
        // The whole file comes: the server knows no ranges.
        qCInfo(lcTransfer) << "the server starts a download over";
        await(m_disk.run([part = m_part] { return part->restart(); }), [this](Result<void> emptied) {
            if (!emptied)
                return fail(emptied.error());
            m_written = 0;
            m_headSeen = true;
            setProgress(0, m_known.total.value_or(bytesTotal()));
            pump();
        });
        m_known = *head;
        return;
    }
    if (head->offset != m_written)
        return fail(badHead(net::headerValue(headers, "Content-Range")));
    m_known = *head;
    m_headSeen = true;
    setProgress(m_written, head->total.value_or(qMax(bytesTotal(), m_written)));
}

void DownloadTask::startOver()
{
    const auto envd = m_envd;
    suspend();
    if (++m_restarts > maxRestarts)
        return fail(transferError(ErrorKind::Conflict, code::sourceChanged, QStringLiteral("it changes all the time")));
    m_envd = envd;
    m_known = {};
    await(m_disk.run([part = m_part] { return part->restart(); }), [this](Result<void> emptied) {
        if (!emptied)
            return fail(emptied.error());
        openStream();
    });
}

void DownloadTask::pump()
{
    if (!m_stream || !m_headSeen)
        return;
    while (m_waiting < window && m_stream->available() > 0) {
        QByteArray bytes = m_stream->read(chunkSize);
        if (bytes.isEmpty())
            break;
        const qint64 size = bytes.size();
        m_waiting += size;
        m_disk.run([part = m_part, bytes = std::move(bytes)] { return part->append(bytes); })
            .then(this, [this, size, run = m_run](Result<void> result) {
                if (run == m_run)
                    written(std::move(result), size);
            });
    }
    checkEnd();
}

void DownloadTask::written(Result<void> result, qint64 bytes)
{
    if (!result)
        return fail(result.error());
    m_waiting -= bytes;
    m_written += bytes;
    setProgress(m_written, qMax(bytesTotal(), m_written));
    pump();
}

void DownloadTask::checkEnd()
{
    if (!m_streamEnded || m_waiting > 0 || m_stream->available() > 0)
        return;
    if (m_known.total && m_written != *m_known.total) {
        return fail(transferError(ErrorKind::Unavailable, code::shortBody,
                                  QStringLiteral("%1 of %2 bytes arrived").arg(m_written).arg(*m_known.total)));
    }
    m_stream.release()->deleteLater();
    m_complete = true;
    commit();
}

void DownloadTask::commit()
{
    await(
        m_disk.run([part = m_part, name = m_target.name, replace = m_replaces] { return part->commit(name, replace); }),
        [this](Result<void> committed) {
            if (!committed && committed.error().code == code::exists) {
                m_decided = false; // it appeared during the download
                return inspect();
            }
            if (!committed)
                return fail(committed.error());
            suspend();
            m_part.reset();
            Q_EMIT finished();
        });
}

} // namespace boxdeck::transfer
