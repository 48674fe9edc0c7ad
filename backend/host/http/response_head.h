// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/http/headers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace boxdeck::host::http {

/// The usual phrase for a status code, e.g. "Not Found"; empty for one without a name.
std::string_view reasonPhrase(int status);

/// A response head with its empty line: status line, the headers, Date, "Connection: close" if `close`, and `extra`
/// (complete lines) at the end. Control bytes in names and values become spaces, so that no value can start a header.
std::string responseHead(int status, const Headers &headers, bool close, std::string_view extra);

/// A time as in HTTP headers, e.g. "Sun, 06 Nov 1994 08:49:37 GMT".
std::string httpDate(std::int64_t unixSeconds);
/// Reads that form; nothing for another one.
std::optional<std::int64_t> parseHttpDate(std::string_view text);

} // namespace boxdeck::host::http
