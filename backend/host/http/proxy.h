// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/control_plane/sandbox_manager.h"
#include "backend/host/http/proxy_route.h"
#include "backend/host/http/server.h"

namespace boxdeck::host::http {

/// The way in to the sandboxes: finds the sandbox, checks its tokens, and passes the request on to its daemon. Bodies
/// go through as they come, both ways; an answer whose daemon breaks off is cut, never ended.
class Proxy
{
public:
    /// The manager must outlive this.
    explicit Proxy(SandboxManager &manager)
        : m_manager(manager)
    {
    }

    /// Serves a request that routeOf() gave to the data plane.
    asio::awaitable<void> serve(Exchange &exchange, const Route &route);

private:
    asio::awaitable<SandboxManager::Reach> reachAwake(Exchange &exchange, const Route &route);
    asio::awaitable<void> pass(Exchange &exchange, const SandboxManager::Reach &reach);

    SandboxManager &m_manager;
};

/// Answers a request that routeOf() refused.
asio::awaitable<void> refuse(Exchange &exchange, const Route &route);

} // namespace boxdeck::host::http
