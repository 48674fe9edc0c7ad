// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/remote_path.h"
#include "backend/core/secret.h"
#include "backend/protocol/ids.h"

#include <QDateTime>

#include <optional>

namespace boxdeck::protocol {

struct Volume
{
    VolumeId id;
    QString name; ///< letters, digits, _ and -

    bool operator==(const Volume &) const = default;
};

/// A volume with what opens its content.
struct VolumeAccess : Volume
{
    Secret token;   ///< the bearer of the content API, good for a while
    QString domain; ///< host of the content API; empty: the configured one

    bool operator==(const VolumeAccess &) const = default;
};

enum class VolumeEntryType { File, Directory, Symlink, Unknown };

/// A file or folder of a volume.
struct VolumeEntry
{
    QString name; ///< untrusted
    VolumeEntryType type = VolumeEntryType::Unknown;
    QString path; ///< as the server tells it
    qint64 size = 0;
    quint32 mode = 0;
    quint32 uid = 0;
    quint32 gid = 0;
    QDateTime atime; ///< UTC, invalid if not told
    QDateTime mtime;
    QDateTime ctime;
    QString target; ///< of a symlink

    bool operator==(const VolumeEntry &) const = default;
};

/// Owner and mode; what is not set is left alone, or to the server.
struct VolumeOwnership
{
    std::optional<quint32> uid;
    std::optional<quint32> gid;
    std::optional<quint32> mode;

    bool isEmpty() const { return !uid && !gid && !mode; }
    bool operator==(const VolumeOwnership &) const = default;
};

} // namespace boxdeck::protocol
