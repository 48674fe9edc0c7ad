// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_link.h"
#include "backend/protocol/metrics.h"
#include "backend/protocol/team.h"

namespace boxdeck::api {

/// Teams, their metrics, keys and tokens (protocol/control-plane.md 8.1 and 8.11). Most calls need a signed-in user:
/// Authentication with an API key alone on the reference server. Errors as in ControlPlaneClient.
class TeamsClient
{
public:
    explicit TeamsClient(LinkPtr link);

    /// Each call makes one more API key per team on the server: on a person's command, never by a timer.
    Call<QList<protocol::Team>> list();
    /// Samples within the window (the last 7 days if it is open), oldest first.
    Call<QList<protocol::TeamMetric>> metrics(const QString &teamId, const protocol::TimeWindow &window = {});
    Call<protocol::TeamPeak> peak(const QString &teamId, protocol::TeamMetricKind kind,
                                  const protocol::TimeWindow &window = {});

    Call<QList<protocol::KeyInfo>> apiKeys();
    /// Sent once; the value comes only here.
    Call<protocol::CreatedKey> createApiKey(const QString &name);
    Call<void> renameApiKey(const QString &keyId, const QString &name);
    /// One that is gone already is success.
    Call<void> removeApiKey(const QString &keyId);

    /// Sent once. Terminal where the server has switched it off.
    Call<protocol::CreatedKey> createAccessToken(const QString &name);
    /// One that is gone already is success.
    Call<void> removeAccessToken(const QString &tokenId);

private:
    LinkPtr m_link;
};

} // namespace boxdeck::api
