// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "backend/host/http/server.h"

namespace boxdeck::host::http {

/// Why a request is not passed on to the daemon.
struct AccessRefusal
{
    int status = 401;
    std::string message;
    bool plainText = false; ///< the protocol wants text, not JSON, for a query that does not parse

    bool operator==(const AccessRefusal &) const = default;
};

/// Whether a request may reach the daemon of a sandbox with @p token (protocol/envd.md, sections 3 and 4); an empty
/// token is a sandbox that is not secure. @p unixNow is compared with a signature's expiration. Nothing = it may.
/// The daemon itself knows no tokens: it lives with the code it would have to be protected from.
std::optional<AccessRefusal> checkAccess(const Request &request, std::string_view token, std::int64_t unixNow);

/// The signature of a file URL: `v1_` and base64 without padding of SHA-256 over `path:operation:user:token`, with
/// `:expiration` at the end if there is one.
std::string fileSignature(std::string_view path, std::string_view operation, std::string_view user,
                          std::string_view token, std::optional<std::int64_t> expiration);

} // namespace boxdeck::host::http
