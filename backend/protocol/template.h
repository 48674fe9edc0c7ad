// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/ids.h"

#include <QDateTime>
#include <QStringList>

namespace boxdeck::protocol {

/// The words of protocol/lifecycle.md section 8, normalised. "uploaded" counts as Waiting.
enum class BuildStatus {
    Ready,
    Building,
    Waiting,
    Error,
    Untagged, ///< builds are ready, but none as "default": waiting never makes it usable (template_reconcile.h)
    Other,
};

BuildStatus buildStatus(const QString &word);

/// One row of a template list.
struct TemplateSummary
{
    TemplateId id;
    BuildId buildId; ///< newest ready build tagged default; empty when there is none (servers send zeros)
    QStringList names;
    QStringList aliases;
    BuildStatus buildStatus = BuildStatus::Other;
    QString rawStatus; ///< the server's word, for display only
    int cpuCount = 0;  ///< 0 when no build is ready
    int memoryMB = 0;  ///< MiB
    int diskSizeMB = 0;
    bool isPublic = false;
    QDateTime createdAt;     ///< UTC, invalid if not told
    QDateTime updatedAt;     ///< UTC, invalid if not told
    QDateTime lastSpawnedAt; ///< UTC, invalid = never
    qint64 spawnCount = 0;
    int buildCount = 0;
    QString envdVersion;
    QString image;  ///< only some servers tell
    QString reason; ///< why the build failed, if the list says so (protocol/compat.md 2.33)

    /// The first usable of names, aliases, image and id (protocol/compat.md 2.31). Untrusted text.
    QString displayName() const;
    /// True if a sandbox can be created from it now: an older build stays usable while a new one runs or fails.
    bool isSpawnable() const;

    bool operator==(const TemplateSummary &) const = default;
};

} // namespace boxdeck::protocol
