// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_link.h"
#include "backend/protocol/ids.h"
#include "backend/protocol/logs.h"
#include "backend/protocol/metrics.h"

namespace boxdeck::api {

/// Metrics and logs of sandboxes (protocol/control-plane.md 8.5). Errors as in ControlPlaneClient; Unsupported where
/// the server has no such call.
class TelemetryClient
{
public:
    explicit TelemetryClient(LinkPtr link);

    /// Samples within the window, oldest first; none for one before the sandbox was there.
    Call<QList<protocol::SandboxMetric>> metrics(const protocol::SandboxId &sandbox,
                                                 const protocol::TimeWindow &window = {});
    /// The latest of each; those without a sample are missing. Any number of ids: at most 100 are asked for at a time.
    Call<protocol::LatestMetrics> latest(const QList<protocol::SandboxId> &sandboxes);

    /// Lines in time's order whichever direction they were asked in. Falls back to the v1 log, which can only be read
    /// forward. To go on, ask again with the time of the last line (forward) or the first (backward) as the cursor and
    /// put the answer into a LogBook, which drops what comes twice.
    Call<QList<protocol::LogEntry>> logs(const protocol::SandboxId &sandbox, const protocol::LogQuery &query = {});

private:
    LinkPtr m_link;
};

} // namespace boxdeck::api
