// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace boxdeck::host {

/// The ids of this computer that stand for 0, 1, 2 … inside a sandbox. With them a sandbox has `root` and `user`, none
/// of its processes is anybody here, and RLIMIT_NPROC holds (it does not for a process that is really root).
struct UidRange
{
    std::uint32_t firstUid = 0;
    std::uint32_t firstGid = 0;
    std::uint32_t count = 0;
    bool direct = false; ///< we may write the map ourselves (root); otherwise newuidmap and newgidmap do it

    bool operator==(const UidRange &) const = default;
};

/// "UID:GID:COUNT:direct|tool", for the helper's command line.
std::string toText(const UidRange &range);
/// Reads what toText wrote; nothing if the text is something else.
std::optional<UidRange> uidRangeFromText(const std::string &text);

/// First range of at least @p least ids that /etc/subuid or /etc/subgid (@p content) grants to the account with
/// @p name or number @p id: first id and count.
std::optional<std::pair<std::uint32_t, std::uint32_t>>
findSubordinateRange(const std::string &content, const std::string &name, std::uint32_t id, std::uint32_t least);

/// Looks for a range this process may map. Nothing when there is none; @p why then holds a sentence for the operator.
/// Whether the kernel lets us use it is only known after trying (see probeIsolation).
std::optional<UidRange> detectUidRange(std::string &why);

/// What enterUidRange keeps and makes besides the range.
struct RangeOptions
{
    bool keepOwnIds = false;        ///< also map our own ids, at @c count, so that our own folders stay reachable
    bool newMountNamespace = false; ///< take a mount namespace along, owned by the new user namespace
};

/// Moves this single-threaded process into a new user namespace with @p range mapped. The ids do not change yet: call
/// becomeRangeRoot() for that. Throws std::system_error or std::runtime_error.
void enterUidRange(const UidRange &range, RangeOptions options);

/// Becomes user and group 0 of the namespace, with no other groups. Throws std::system_error.
void becomeRangeRoot();

} // namespace boxdeck::host
