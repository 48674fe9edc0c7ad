// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/http/server.h"

namespace boxdeck::host::envd {

/// The way from the host to services of the sandbox: `CONNECT localhost:PORT` on the daemon's socket. The daemon is
/// in the sandbox's network namespace and the host is not, so that a port of the sandbox can never be confused with
/// one of this computer.
///
/// Tries 127.0.0.1 and ::1; as the reference's proxy does, five times within a second, for services that are just
/// starting (protocol/envd.md, section 2). Answers 200 and then passes bytes both ways, or 502 when nothing listens,
/// or 400 for a target that is no port.
boost::asio::awaitable<void> serveTunnel(http::Exchange &exchange);

} // namespace boxdeck::host::envd
