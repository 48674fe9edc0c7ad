// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_link.h"
#include "backend/protocol/sandbox.h"
#include "backend/protocol/snapshot.h"

namespace boxdeck::api {

/// Snapshots of sandboxes (protocol/control-plane.md 8.6). Errors as in ControlPlaneClient.
class SnapshotsClient
{
public:
    explicit SnapshotsClient(LinkPtr link);

    /// Keeps the state of a running sandbox, which goes on. Sent once. A name may carry a :tag; blank for none.
    /// HTTP 500 means that the source may be lost with it (protocol/lifecycle.md section 2): read its detail.
    Call<protocol::Snapshot> create(const protocol::SandboxId &sandbox, const QString &name = {});

    Call<protocol::Page<protocol::Snapshot>> list(const protocol::SnapshotQuery &query = {});
    Call<QList<protocol::Snapshot>> listAll(protocol::SnapshotQuery query = {});

    /// One that is gone already is success. Conflict while sandboxes depend on it. All its tags go with it.
    Call<void> remove(const protocol::SnapshotId &snapshot);

private:
    LinkPtr m_link;
};

} // namespace boxdeck::api
