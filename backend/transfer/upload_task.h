// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/transfer/disk_queue.h"
#include "backend/transfer/file_task.h"
#include "backend/transfer/local_disk.h"
#include "backend/transfer/part_upload.h"

namespace boxdeck::transfer {

/// Copies one file of this computer into the sandbox.
///
/// envd writes an existing file in place, so a cut would leave half of the new content under the real name. The content
/// is therefore written to a temporary name in the target's folder, its size is checked there, and it is moved over the
/// target, which is atomic. What an in-place write would have kept is kept by hand: a link is resolved first and its
/// target is the file that is replaced, and the old file's mode is given to the new one before the move. envd itself
/// has no call for that, so `chmod` is run in the sandbox; if the mode can't be kept the old file stays and the task
/// fails with code "mode_not_kept". A large file goes in parts where the sandbox can join them (PartUpload). A broken
/// link is replaced itself: there is no file behind it.
class UploadTask final : public FileTask
{
    Q_OBJECT

public:
    UploadTask(QByteArray localPath, RemotePath target, qint64 expectedSize, const DiskQueue &disk,
               const PartRules &parts = {}, QObject *parent = nullptr);

    void start(std::shared_ptr<api::Envd> envd) override;
    void suspend() override;
    void answer(ConflictAction action) override;
    QList<RemotePath> leftovers() const override;

private:
    void openSource();
    void inspect();
    void inspectLinkTarget(const protocol::EntryInfo &link);
    void targetIsThere(const protocol::EntryInfo &entry);
    void findFreeName(int number);
    void uploadContent();
    bool goesInParts() const;
    void uploadWhole();
    void contentArrived();
    void checkContent();
    void checkSource();
    void keepMode();
    void checkMode(const QString &why);
    void checkTargetAgain();
    void moveOver();
    void reconcileMove();
    void fail(const Error &error);
    void sourceChanged(const Error &error);

    const QByteArray m_localPath;
    const RemotePath m_wanted; ///< where it should go
    DiskQueue m_disk;
    const PartRules m_rules;
    PartUpload m_parts;
    std::shared_ptr<api::Envd> m_envd;

    std::shared_ptr<SourceFile> m_source;
    RemotePath m_target;    ///< where it will go: a link's target, or a free name
    RemotePath m_temporary; ///< "/" until something was written there
    FileFacts m_targetFacts;
    std::optional<quint32> m_targetMode; ///< of the file that is replaced
    quint32 m_temporaryMode = 0;
    bool m_decided = false;   ///< where it goes is settled
    bool m_replaces = false;  ///< something may stand at m_target
    bool m_uploaded = false;  ///< m_temporary is complete
    bool m_wholeOnly = false; ///< parts turned out not to work there
    bool m_moveSent = false;  ///< the move may have happened
    int m_changes = 0;        ///< how often the source changed under way
};

} // namespace boxdeck::transfer
