// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHashFunctions>
#include <QString>

namespace boxdeck::protocol {

/// An identifier a server gave out. Opaque: never parsed, only compared and percent-encoded as one path segment
/// (protocol/compat.md 2.15). The tag keeps a template's id from being used as a sandbox's.
template <class Tag> struct Id
{
    QString value;

    bool isEmpty() const { return value.isEmpty(); }
    bool operator==(const Id &) const = default;
    bool operator<(const Id &other) const { return value < other.value; }
};

template <class Tag> size_t qHash(const Id<Tag> &id, size_t seed = 0)
{
    return qHash(id.value, seed);
}

using SandboxId = Id<struct SandboxTag>;
using TemplateId = Id<struct TemplateTag>;
using BuildId = Id<struct BuildTag>;
using SnapshotId = Id<struct SnapshotTag>;
using VolumeId = Id<struct VolumeTag>;
using StoredSecretId = Id<struct StoredSecretTag>;
using NodeId = Id<struct NodeTag>;

} // namespace boxdeck::protocol
