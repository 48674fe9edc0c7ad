// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/remote_path.h"

#include <QByteArray>
#include <QDateTime>
#include <QMap>
#include <QString>

#include <optional>

namespace boxdeck::protocol {

/// What an entry is; for a symlink what its target is. Unknown: a broken link, a socket, a device.
enum class FileType { Unknown, File, Directory };

/// One file system entry as envd tells it (protocol/envd.md section 10.2).
struct EntryInfo
{
    QByteArray name; ///< untrusted: check RemotePath::isEntryName() before joining it to anything
    RemotePath path; ///< normalised; "/" if the server sent none that is absolute
    FileType type = FileType::Unknown;
    qint64 size = 0;     ///< bytes; of the link itself for a symlink
    quint32 mode = 0;    ///< permission bits, of the target for a symlink
    QString permissions; ///< Go style text such as drwxr-xr-x; the first letter tells sockets and devices apart
    QString owner;
    QString group;
    QDateTime modified;                      ///< UTC, invalid if not told
    std::optional<QByteArray> symlinkTarget; ///< set exactly for symlinks; the own path when it can't be resolved
    QMap<QString, QString> metadata;         ///< what uploads noted with it; keys in lower case

    bool isSymlink() const { return symlinkTarget.has_value(); }
    bool isDirectory() const { return type == FileType::Directory; }
    /// True if name and path fit together and lie in `folder`, so that the entry may be used below it.
    bool isDirectChildOf(const RemotePath &folder) const;

    bool operator==(const EntryInfo &) const = default;
};

/// How a folder is watched.
struct WatchOptions
{
    bool recursive = false;
    bool includeEntry = false;
    bool allowNetworkMounts = false; ///< refused otherwise, because changes made elsewhere are not seen there

    bool operator==(const WatchOptions &) const = default;
};

/// One event of a watched folder.
struct WatchEvent
{
    enum class Kind { Started, Create, Write, Remove, Rename, Chmod, KeepAlive, Other };

    Kind kind = Kind::Other;
    QByteArray name;                ///< relative to the watched folder; untrusted
    std::optional<EntryInfo> entry; ///< best effort, for Create, Write and Chmod

    bool operator==(const WatchEvent &) const = default;
};

} // namespace boxdeck::protocol
