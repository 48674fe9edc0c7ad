// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "backend/host/http/server.h"
#include "backend/host/sandbox/uid_range.h"

namespace boxdeck::host {

/// What a path of the volume-content API names (protocol/control-plane.md, section 10).
struct ContentTarget
{
    enum class What { Path, Dir, File };
    std::string volumeId;
    What what = What::Path;
};

/// Whether a raw request path belongs to the volume-content API.
bool isContentPath(std::string_view path);
/// Nothing when it names no resource of it. Nothing in it is decoded: an id needs no percent sign.
std::optional<ContentTarget> readContentPath(std::string_view path);

/// Sends `{"code", "message"}` with a word as code.
boost::asio::awaitable<void> sendContentError(http::Exchange &exchange, int status, std::string code,
                                              std::string message);

/// The helper process that touches the files of volumes: within the uid range, as its root, with nothing but the
/// folder of all volumes to see (where it may change its root). It checks no tokens: only the host can connect.
/// Serves on @p listenFd until @p leashFd reaches its end, which is the end of the host.
void runContentServer(const std::string &folder, const std::optional<UidRange> &range, int listenFd, int leashFd);

} // namespace boxdeck::host
