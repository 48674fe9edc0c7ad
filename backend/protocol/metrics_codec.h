// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/protocol/metrics.h"

#include <QByteArray>
#include <QList>

namespace boxdeck::protocol {

/// Samples, oldest first. The time is in either of two members (protocol/compat.md 2.42).
Result<QList<SandboxMetric>> decodeMetrics(const QByteArray &json);
Result<LatestMetrics> decodeLatestMetrics(const QByteArray &json);
Result<QList<TeamMetric>> decodeTeamMetrics(const QByteArray &json);
Result<TeamPeak> decodeTeamPeak(const QByteArray &json);
QString teamMetricWord(TeamMetricKind kind);
/// "start=…&end=…" in whole unix seconds, the ends that are set; milliseconds are silently ignored by servers.
QByteArray windowQuery(const TimeWindow &window);

} // namespace boxdeck::protocol
