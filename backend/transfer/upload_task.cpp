// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/upload_task.h"

#include "backend/api/command_run.h"
#include "backend/core/logging.h"
#include "backend/net/proxy_environment.h"
#include "backend/transfer/file_body.h"
#include "backend/transfer/retry_policy.h"

#include <QPointer>
#include <QRandomGenerator>

namespace boxdeck::transfer {

namespace {
constexpr int maxChanges = 3;     // a file that changes all the time can't be copied
constexpr int maxFreeName = 1000; // numbers tried for "rename"
constexpr quint32 modeBits = 07777;
} // namespace

Error transferError(ErrorKind kind, QLatin1String code, const QString &message)
{
    return {.kind = kind, .code = code, .message = message};
}

UploadTask::UploadTask(QByteArray localPath, RemotePath target, qint64 expectedSize, const DiskQueue &disk,
                       const PartRules &parts, QObject *parent)
    : FileTask(parent)
    , m_localPath(std::move(localPath))
    , m_wanted(std::move(target))
    , m_disk(disk)
    , m_rules(parts)
    , m_parts(parts.size, disk)
{
    setProgress(0, expectedSize);
    connect(&m_parts, &PartUpload::progress, this, [this](qint64 done) { setProgress(done, bytesTotal()); });
    connect(&m_parts, &PartUpload::finished, this, &UploadTask::contentArrived);
    connect(&m_parts, &PartUpload::failed, this, &UploadTask::fail);
    connect(&m_parts, &PartUpload::sourceFailed, this, &UploadTask::sourceChanged);
    connect(&m_parts, &PartUpload::impossible, this, [this] {
        m_wholeOnly = true;
        uploadWhole();
    });
}

QList<RemotePath> UploadTask::leftovers() const
{
    QList<RemotePath> paths = m_parts.leftovers();
    if (!m_temporary.isRoot())
        paths.append(m_temporary);
    return paths;
}

void UploadTask::start(std::shared_ptr<api::Envd> envd)
{
    m_envd = std::move(envd);
    if (m_moveSent)
        reconcileMove();
    else if (m_uploaded)
        checkContent();
    else
        openSource();
}

void UploadTask::suspend()
{
    abandon();
    m_parts.suspend();
    m_envd.reset();
    if (!m_uploaded)
        m_source.reset(); // the file may be another one when it goes on
}

void UploadTask::fail(const Error &error)
{
    suspend();
    Q_EMIT failed(error);
}

void UploadTask::openSource()
{
    setProgress(0, bytesTotal());
    await(m_disk.run([path = m_localPath] { return SourceFile::open(path); }),
          [this](Result<std::shared_ptr<SourceFile>> source) {
              if (!source)
                  return fail(source.error());
              m_source = std::move(*source);
              setProgress(0, m_source->facts().size);
              if (m_decided)
                  uploadContent();
              else
                  inspect();
          });
}

void UploadTask::inspect()
{
    m_target = m_wanted;
    m_targetMode.reset();
    await(m_envd->filesystem().stat(m_wanted), [this](Result<protocol::EntryInfo> entry) {
        if (!entry && entry.error().kind == ErrorKind::NotFound) {
            m_decided = true;
            m_replaces = false;
            return uploadContent();
        }
        if (!entry)
            return fail(entry.error());
        if (entry->isSymlink() && entry->type == protocol::FileType::File)
            return inspectLinkTarget(*entry);
        targetIsThere(*entry);
    });
}

void UploadTask::inspectLinkTarget(const protocol::EntryInfo &link)
{
    const auto target = RemotePath::parse(*link.symlinkTarget);
    if (!target)
        return fail(target.error());
    // The link's own size and time say nothing about the file behind it.
    await(m_envd->filesystem().stat(*target), [this, path = *target](Result<protocol::EntryInfo> entry) {
        if (!entry)
            return fail(entry.error());
        m_target = path;
        targetIsThere(*entry);
    });
}

void UploadTask::targetIsThere(const protocol::EntryInfo &entry)
{
    if (entry.isDirectory())
        return fail(transferError(ErrorKind::Conflict, code::inTheWay, QStringLiteral("a folder of that name exists")));
    if (!entry.isSymlink() && entry.type != protocol::FileType::File)
        return fail(transferError(ErrorKind::Conflict, code::special, QStringLiteral("not a regular file")));
    m_replaces = true;
    // A broken link has no mode worth keeping, and some servers tell none at all.
    if (!entry.isSymlink() && (entry.mode != 0 || !entry.permissions.isEmpty()))
        m_targetMode = entry.mode & modeBits;
    m_targetFacts = {.size = entry.size, .modified = entry.modified};
    Q_EMIT question(m_source->facts(), m_targetFacts);
}

void UploadTask::answer(ConflictAction action)
{
    if (m_decided || !m_envd)
        return;
    switch (action) {
    case ConflictAction::Skip:
        suspend();
        Q_EMIT skipped();
        return;
    case ConflictAction::Rename:
        return findFreeName(2);
    case ConflictAction::Write:
        m_decided = true;
        if (m_uploaded)
            keepMode();
        else
            uploadContent();
        return;
    }
}

void UploadTask::findFreeName(int number)
{
    const auto path = m_wanted.parent().child(numberedName(m_wanted.name(), number));
    if (!path || number > maxFreeName)
        return fail(transferError(ErrorKind::Conflict, code::exists, QStringLiteral("no free name")));
    await(m_envd->filesystem().stat(*path), [this, number, path = *path](Result<protocol::EntryInfo> entry) {
        if (entry)
            return findFreeName(number + 1);
        if (entry.error().kind != ErrorKind::NotFound)
            return fail(entry.error());
        m_target = path;
        m_targetMode.reset();
        m_replaces = false;
        m_decided = true;
        if (m_uploaded)
            moveOver();
        else
            uploadContent();
    });
}

void UploadTask::uploadContent()
{
    const RemotePath folder = m_target.parent();
    if (m_temporary.isRoot() || m_temporary.parent() != folder) {
        // Short, as the target's name may use all of the 255 bytes.
        m_temporary =
            folder.child(".boxdeck-" + QByteArray::number(QRandomGenerator::global()->generate64(), 16) + ".part")
                .value();
    }
    if (goesInParts())
        m_parts.start(m_envd, m_source, m_temporary);
    else
        uploadWhole();
}

bool UploadTask::goesInParts() const
{
    if (m_wholeOnly || m_source->facts().size <= m_rules.size || !m_envd->files().surelyComposes())
        return false;
    return m_rules.onLoopback || !net::isLoopback(m_envd->target().base.host());
}

void UploadTask::contentArrived()
{
    m_uploaded = true;
    checkContent();
}

void UploadTask::uploadWhole()
{
    net::UploadSource body;
    body.size = m_source->facts().size;
    auto reason = std::make_shared<std::optional<Error>>(); // the request only knows that its body ended early
    body.open = [source = m_source, disk = m_disk, reason]() -> std::unique_ptr<QIODevice> {
        auto device = std::make_unique<FileBody>(source, disk);
        connect(device.get(), &FileBody::failed, device.get(), [reason](const Error &error) { *reason = error; });
        return device;
    };
    const qint64 size = body.size;
    await(m_envd->files().upload(m_temporary, std::move(body),
                                 [guard = QPointer<UploadTask>(this), size](qint64 sent, qint64 total) {
                                     // The body may be longer than the file: it can be a form.
                                     if (guard && total > 0)
                                         guard->setProgress(qMax<qint64>(0, qMin(size, sent - (total - size))), size);
                                 }),
          [this, reason](Result<void> sent) {
              if (!sent && *reason)
                  return sourceChanged(**reason);
              if (!sent)
                  return fail(sent.error());
              contentArrived();
          });
}

void UploadTask::checkContent()
{
    await(m_envd->filesystem().stat(m_temporary), [this](Result<protocol::EntryInfo> entry) {
        if (!entry || entry->size != m_source->facts().size) {
            m_uploaded = false;
            if (entry || entry.error().kind == ErrorKind::NotFound) {
                return fail(transferError(ErrorKind::Unavailable, code::shortBody,
                                          QStringLiteral("the sandbox holds %1 of %2 bytes")
                                              .arg(entry ? entry->size : 0)
                                              .arg(m_source->facts().size)));
            }
            return fail(entry.error());
        }
        m_temporaryMode = entry->mode & modeBits;
        checkSource();
    });
}

void UploadTask::checkSource()
{
    await(m_disk.run([source = m_source] { return source->checkUnchanged(); }), [this](Result<void> same) {
        if (!same)
            return sourceChanged(same.error());
        setProgress(m_source->facts().size, m_source->facts().size);
        if (m_replaces)
            keepMode();
        else
            checkTargetAgain();
    });
}

void UploadTask::sourceChanged(const Error &error)
{
    m_uploaded = false;
    m_parts.suspend();
    if (error.code != code::sourceChanged || ++m_changes >= maxChanges)
        return fail(error);
    qCInfo(lcTransfer) << "a file changed while it was uploaded; once more from its start";
    m_source.reset();
    openSource();
}

void UploadTask::keepMode()
{
    if (!m_targetMode || *m_targetMode == m_temporaryMode)
        return moveOver();
    const api::Command chmod{.words = {QStringLiteral("chmod"), QString::number(*m_targetMode, 8), QStringLiteral("--"),
                                       m_temporary.toString()},
                             .shell = QStringLiteral("/bin/sh"),
                             .login = false};
    await(api::runCommand(m_envd->processes(), chmod), [this](const Result<api::CommandRun> &run) {
        const Error error = run ? run->error : run.error();
        if (mayPass(error))
            return fail(error);
        checkMode(run ? QString::fromUtf8(run->err.trimmed()) : error.message);
    });
}

void UploadTask::checkMode(const QString &why)
{
    await(m_envd->filesystem().stat(m_temporary), [this, why](Result<protocol::EntryInfo> entry) {
        if (!entry)
            return fail(entry.error());
        if ((entry->mode & modeBits) != *m_targetMode)
            return fail(transferError(ErrorKind::Conflict, code::modeNotKept, why));
        m_temporaryMode = *m_targetMode;
        moveOver();
    });
}

void UploadTask::checkTargetAgain()
{
    // A move overwrites silently: if something took the name during the upload, the question is due after all.
    await(m_envd->filesystem().stat(m_target), [this](Result<protocol::EntryInfo> entry) {
        if (!entry && entry.error().kind == ErrorKind::NotFound)
            return moveOver();
        if (!entry)
            return fail(entry.error());
        m_decided = false;
        targetIsThere(*entry);
    });
}

void UploadTask::moveOver()
{
    m_moveSent = true;
    await(m_envd->filesystem().move(m_temporary, m_target), [this](Result<protocol::EntryInfo> moved) {
        if (!moved && moved.error().delivery != Delivery::Answered)
            return fail(moved.error()); // start() finds out what became of it
        m_moveSent = false;
        if (!moved)
            return fail(moved.error());
        m_temporary = {};
        suspend();
        Q_EMIT finished();
    });
}

void UploadTask::reconcileMove()
{
    await(m_envd->filesystem().stat(m_temporary), [this](Result<protocol::EntryInfo> entry) {
        if (entry) {
            m_moveSent = false;
            return checkContent();
        }
        if (entry.error().kind != ErrorKind::NotFound)
            return fail(entry.error());
        // It is not there any more: moved, or lost with a sandbox that was rolled back.
        await(m_envd->filesystem().stat(m_target), [this](Result<protocol::EntryInfo> target) {
            if (!target && target.error().kind != ErrorKind::NotFound)
                return fail(target.error());
            m_moveSent = false;
            if (!target || target->size != m_source->facts().size) {
                m_uploaded = false;
                return openSource();
            }
            m_temporary = {};
            suspend();
            Q_EMIT finished();
        });
    });
}

} // namespace boxdeck::transfer
