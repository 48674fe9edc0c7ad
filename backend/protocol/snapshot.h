// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/ids.h"

#include <QStringList>

namespace boxdeck::protocol {

/// A kept state of a sandbox. Its id works as the template of a new sandbox.
struct Snapshot
{
    SnapshotId id;     ///< namespace/name:tag or template:tag; opaque
    QStringList names; ///< with or without a tag, depending on the server; often none

    bool operator==(const Snapshot &) const = default;
};

/// Which snapshots to list; empty members do not filter.
struct SnapshotQuery
{
    SandboxId source; ///< those taken of this sandbox
    QString name;     ///< without a tag: of every tag
    int limit = 100;  ///< 1..100
    QString nextToken;

    bool operator==(const SnapshotQuery &) const = default;
};

} // namespace boxdeck::protocol
