// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/ids.h"

#include <QDateTime>
#include <QMap>

namespace boxdeck::protocol {

/// What a sandbox used at one moment.
struct SandboxMetric
{
    QDateTime at; ///< UTC, whole seconds
    int cpuCount = 0;
    double cpuUsedPct = 0; ///< 0..100 across all cores
    qint64 memUsed = 0;    ///< bytes, as all below
    qint64 memTotal = 0;
    qint64 memCache = 0;
    qint64 diskUsed = 0;
    qint64 diskTotal = 0;

    bool operator==(const SandboxMetric &) const = default;
};

/// The latest sample of each sandbox that has one.
using LatestMetrics = QMap<SandboxId, SandboxMetric>;

struct TeamMetric
{
    QDateTime at;
    int concurrentSandboxes = 0;
    double sandboxStartRate = 0; ///< starts per second

    bool operator==(const TeamMetric &) const = default;
};

enum class TeamMetricKind { ConcurrentSandboxes, SandboxStartRate };

/// The peak of one figure over a window.
struct TeamPeak
{
    QDateTime at;
    double value = 0;

    bool operator==(const TeamPeak &) const = default;
};

/// From when to when; an invalid end is left open. Sent in whole unix seconds.
struct TimeWindow
{
    QDateTime start;
    QDateTime end;

    bool contains(const QDateTime &time) const
    {
        return (!start.isValid() || time.toSecsSinceEpoch() >= start.toSecsSinceEpoch()) &&
               (!end.isValid() || time.toSecsSinceEpoch() <= end.toSecsSinceEpoch());
    }
    bool operator==(const TimeWindow &) const = default;
};

} // namespace boxdeck::protocol
