// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/ids.h"

#include <QDateTime>
#include <QList>

namespace boxdeck::protocol {

enum class NodeStatus { Ready, Draining, Connecting, Unhealthy, Standby, Other };

struct NodeDisk
{
    QString mountPoint;
    QString device;
    QString filesystem;
    qint64 usedBytes = 0;
    qint64 totalBytes = 0;

    bool operator==(const NodeDisk &) const = default;
};

/// A machine that runs sandboxes; only administrators see it.
struct Node
{
    NodeId id;
    QString clusterId;
    QString serviceInstanceId;
    QString version;
    QString commit;
    QString cpuModel;
    QString cpuArchitecture;
    NodeStatus status = NodeStatus::Other;
    QString rawStatus;
    QDateTime statusChangedAt; ///< UTC
    int sandboxCount = 0;
    int sandboxStartingCount = 0; ///< in lists only
    qint64 createSuccesses = 0;
    qint64 createFails = 0;
    int allocatedCpu = 0;
    int cpuPercent = 0;
    int cpuCount = 0;
    qint64 allocatedMemory = 0; ///< bytes
    qint64 memoryUsed = 0;
    qint64 memoryTotal = 0;
    QList<NodeDisk> disks;

    bool operator==(const Node &) const = default;
};

/// Counts of an administrative sweep.
struct SweepResult
{
    int done = 0; ///< killed or cancelled
    int failed = 0;

    bool operator==(const SweepResult &) const = default;
};

} // namespace boxdeck::protocol
