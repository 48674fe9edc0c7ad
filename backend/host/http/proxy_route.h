// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "backend/host/http/server.h"

namespace boxdeck::host::http {

/// The port of envd.
inline constexpr std::uint16_t envdPort = 49983;

/// Where a request belongs (protocol/envd.md, sections 1 and 2).
struct Route
{
    enum class Kind { ControlPlane, DataPlane, Refused };
    Kind kind = Kind::ControlPlane;
    std::string sandboxId;  ///< for the data plane, without the client id of older ids
    std::uint16_t port = 0; ///< for the data plane
    int status = 0;         ///< when refused: the answer's status
    std::string text;       ///< when refused: the answer's plain text

    bool operator==(const Route &) const = default;
};

/// Decides by the Host header and, on `localhost`, addresses and `sandbox.…`, by the two E2b- headers. Both planes are
/// served at one address, so what names no sandbox goes to the control plane.
Route routeOf(const Request &request);

/// The path as the daemon's router sees it: decoded, with `.`, `..` and doubled slashes resolved.
std::string cleanPath(const std::string &path);

/// Whether only the orchestrator may use this path of the daemon: the host is the orchestrator, callers never are.
bool orchestratorOnly(const std::string &path);

} // namespace boxdeck::host::http
