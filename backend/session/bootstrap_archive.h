// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"
#include "backend/core/remote_path.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <functional>
#include <memory>

namespace boxdeck::session {

/// A folder of this computer that a new sandbox begins with.
struct BootstrapTree
{
    QByteArray name;        ///< of its folder in the archive; one of a kind
    QByteArray localFolder; ///< absolute
    RemotePath target;      ///< where it goes; what stands there is replaced as a whole
};

struct BootstrapLimits
{
    int entries = 100'000;
    qint64 fileBytes = 128LL << 20;   ///< of one file
    qint64 totalBytes = 1024LL << 20; ///< of all files
};

/// A finished archive on this computer, read-only, removed with its last holder.
class BootstrapArchive
{
public:
    ~BootstrapArchive();
    BootstrapArchive(const BootstrapArchive &) = delete;
    BootstrapArchive &operator=(const BootstrapArchive &) = delete;

    const QString &path() const { return m_path; }
    qint64 size() const { return m_size; }
    const QString &sha256() const { return m_sha256; } ///< of the file, in lower-case hex
    const QList<BootstrapTree> &trees() const { return m_trees; }

private:
    friend class ArchiveBuilder;
    BootstrapArchive() = default;

    QString m_path;
    qint64 m_size = 0;
    QString m_sha256;
    QList<BootstrapTree> m_trees;
};

using BootstrapArchivePtr = std::shared_ptr<const BootstrapArchive>;

/// Packs folders into an uncompressed tar with GNU headers that is the same, byte for byte, for the same content: owner
/// and times are zero, modes are kept, names are sorted. Blocks; runs on any thread. `onEntry` hears of each entry
/// before its content is read.
///
/// Errors, by code: "too_large" (Capacity) over a limit; "bad_path" (InvalidRequest) for a folder that is none, a link
/// out of its tree or into nothing, a socket, pipe or device; "source_changed" (Conflict) if a file, folder or link
/// was another one after it was read; else Local.
Result<BootstrapArchivePtr> buildBootstrapArchive(const QList<BootstrapTree> &trees, const BootstrapLimits &limits = {},
                                                  const std::function<void(const QByteArray &path)> &onEntry = {});

/// The same on a thread of its own. Dropping the call does not stop the packing, only its delivery.
Call<BootstrapArchivePtr> packBootstrapArchive(const QList<BootstrapTree> &trees, const BootstrapLimits &limits = {});

} // namespace boxdeck::session
