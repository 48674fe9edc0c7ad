// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_link.h"
#include "backend/protocol/node.h"
#include "backend/protocol/team.h"

#include <QMap>

namespace boxdeck::api {

/// Nodes, and what only an administrator may do (protocol/control-plane.md 8.14). Errors as in ControlPlaneClient.
class AdminClient
{
public:
    explicit AdminClient(LinkPtr link);

    Call<QList<protocol::Node>> nodes(const QString &clusterId = {});
    Call<protocol::Node> node(const protocol::NodeId &id, const QString &clusterId = {});
    /// Conflict for a change that can't be. Sent once.
    Call<void> setNodeStatus(const protocol::NodeId &id, protocol::NodeStatus status, const QString &clusterId = {});

    /// Kills every sandbox of a team. Sent once.
    Call<protocol::SweepResult> killSandboxes(const QString &teamId);
    /// Cancels every build of a team. Sent once.
    Call<protocol::SweepResult> cancelBuilds(const QString &teamId);
    /// Running sandboxes by team; teams with none are missing.
    Call<QMap<QString, qint64>> runningCounts();
    Call<protocol::CreatedKey> createApiKey(const QString &teamId, const QString &name);
    /// One that is gone already is success.
    Call<void> removeApiKey(const QString &teamId, const QString &keyId);

private:
    LinkPtr m_link;
};

} // namespace boxdeck::api
