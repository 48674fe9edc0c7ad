// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/part_upload.h"

#include "backend/core/logging.h"
#include "backend/transfer/file_body.h"
#include "backend/transfer/file_task.h"

#include <QPointer>

namespace boxdeck::transfer {

PartUpload::PartUpload(qint64 partSize, DiskQueue disk, QObject *parent)
    : QObject(parent)
    , m_partSize(partSize)
    , m_disk(std::move(disk))
{
}

void PartUpload::start(std::shared_ptr<api::Envd> envd, std::shared_ptr<SourceFile> source, const RemotePath &target)
{
    m_envd = std::move(envd);
    m_source = std::move(source);
    if (m_target != target || m_stamp != m_source->stamp()) {
        m_target = target;
        m_stamp = m_source->stamp();
        m_joinSent = false;
        layOut();
    }
    if (m_joinSent)
        reconcile();
    else
        checkArrived(0);
}

void PartUpload::suspend()
{
    m_waiting.drop();
    m_envd.reset();
    m_source.reset();
}

QList<RemotePath> PartUpload::leftovers() const
{
    QList<RemotePath> paths;
    for (const Part &part : m_parts) {
        if (part.touched)
            paths.append(part.path);
    }
    return paths;
}

/// The same names again for another file: its parts overwrite what is there of the old one, and those beyond its end
/// stay listed as leftovers.
void PartUpload::layOut()
{
    QList<Part> old = std::exchange(m_parts, {});
    const qint64 size = m_source->facts().size;
    for (qint64 offset = 0; offset < size || m_parts.size() < old.size(); offset += m_partSize) {
        const QByteArray name = m_target.name() + '.' + QByteArray::number(m_parts.size() + 1);
        Part part{.path = m_target.parent().child(name).value(),
                  .offset = offset,
                  .size = qMax<qint64>(0, qMin(m_partSize, size - offset))};
        part.touched = m_parts.size() < old.size() && old[m_parts.size()].touched;
        m_parts.append(part);
    }
}

void PartUpload::checkArrived(qsizetype index)
{
    while (index < m_parts.size() && !m_parts[index].arrived)
        ++index;
    if (index == m_parts.size())
        return sendNext();
    await(m_envd->filesystem().stat(m_parts[index].path), [this, index](const Result<protocol::EntryInfo> &entry) {
        if (!entry && entry.error().kind != ErrorKind::NotFound)
            return fail(entry.error());
        m_parts[index].arrived = entry && entry->size == m_parts[index].size;
        checkArrived(index + 1);
    });
}

void PartUpload::sendNext()
{
    m_done = 0;
    Part *next = nullptr;
    for (Part &part : m_parts) {
        if (part.arrived)
            m_done += part.size;
        else if (!next && part.size > 0)
            next = &part;
    }
    Q_EMIT progress(m_done);
    if (!next)
        return join();
    next->touched = true;
    auto reason = std::make_shared<std::optional<Error>>(); // the request only knows that its body ended early
    net::UploadSource body;
    body.size = next->size;
    body.open = [source = m_source, disk = m_disk, reason, offset = next->offset,
                 size = next->size]() -> std::unique_ptr<QIODevice> {
        auto device = std::make_unique<FileBody>(source, disk, offset, size);
        connect(device.get(), &FileBody::failed, device.get(), [reason](const Error &error) { *reason = error; });
        return device;
    };
    const qsizetype index = next - m_parts.data();
    await(m_envd->files().upload(next->path, std::move(body),
                                 [self = QPointer<PartUpload>(this), size = body.size](qint64 sent, qint64 total) {
                                     if (self && total > 0)
                                         Q_EMIT self->progress(self->m_done +
                                                               qBound<qint64>(0, sent - (total - size), size));
                                 }),
          [this, reason, index](const Result<void> &sent) {
              if (!sent && *reason) {
                  Q_EMIT sourceFailed(**reason);
                  return;
              }
              if (!sent)
                  return fail(sent.error());
              m_parts[index].arrived = true;
              sendNext();
          });
}

void PartUpload::join()
{
    QList<RemotePath> paths;
    for (const Part &part : m_parts) {
        if (part.size > 0)
            paths.append(part.path);
    }
    m_joinSent = true;
    await(m_envd->files().compose(paths, m_target), [this](const Result<void> &joined) {
        if (!joined && joined.error().delivery != Delivery::Answered)
            return fail(joined.error()); // start() finds out what became of it
        m_joinSent = false;
        if (joined) {
            for (Part &part : m_parts) {
                part.arrived = false;
                part.touched = part.touched && part.size == 0;
            }
            Q_EMIT finished();
            return;
        }
        const Error &error = joined.error();
        if (error.kind == ErrorKind::Unsupported || error.httpStatus == 507) {
            qCInfo(lcTransfer) << "uploaded parts can't be joined, the file is sent as one:" << kindName(error.kind);
            return removeParts(0);
        }
        if (error.kind == ErrorKind::NotFound) // a part went away; the next try looks for it
            return fail(transferError(ErrorKind::Unavailable, code::shortBody, error.message));
        fail(error);
    });
}

void PartUpload::reconcile()
{
    await(m_envd->filesystem().stat(m_target), [this](const Result<protocol::EntryInfo> &entry) {
        if (!entry && entry.error().kind != ErrorKind::NotFound)
            return fail(entry.error());
        m_joinSent = false;
        if (!entry || entry->size != m_source->facts().size)
            return checkArrived(0);
        // Joined; a part may be left if the sandbox was stopped between that and their removal.
        Q_EMIT progress(entry->size);
        Q_EMIT finished();
    });
}

void PartUpload::removeParts(qsizetype index)
{
    while (index < m_parts.size() && !m_parts[index].touched)
        ++index;
    if (index == m_parts.size()) {
        Q_EMIT impossible();
        return;
    }
    await(m_envd->filesystem().remove(m_parts[index].path), [this, index](const Result<void> &removed) {
        if (removed)
            m_parts[index].touched = m_parts[index].arrived = false;
        removeParts(index + 1);
    });
}

void PartUpload::fail(const Error &error)
{
    suspend();
    Q_EMIT failed(error);
}

} // namespace boxdeck::transfer
