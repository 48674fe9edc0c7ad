// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/control_plane/sandbox_manager.h"
#include "backend/host/http/forward.h"
#include "backend/host/http/proxy_route.h"
#include "backend/host/http/server.h"

namespace boxdeck::host::http {

/// The way in to the sandboxes: finds the sandbox, checks its tokens, and passes the request on to its daemon or, for
/// another port than the daemon's, to the service that listens there *inside* the sandbox. Bodies go through as they
/// come, both ways; an answer whose daemon breaks off is cut, never ended.
class Proxy
{
public:
    /// The manager must outlive this. @p apiKey is never passed on to a sandbox.
    Proxy(SandboxManager &manager, std::string apiKey)
        : m_manager(manager)
        , m_apiKey(std::move(apiKey))
    {
    }

    /// Serves a request that routeOf() gave to the data plane.
    asio::awaitable<void> serve(Exchange &exchange, const Route &route);

private:
    asio::awaitable<SandboxManager::Reach> reachAwake(Exchange &exchange, const Route &route);
    asio::awaitable<void> pass(Exchange &exchange, const Route &route, ForwardTarget target);

    SandboxManager &m_manager;
    std::string m_apiKey;
};

/// Answers a request that routeOf() refused.
asio::awaitable<void> refuse(Exchange &exchange, const Route &route);

} // namespace boxdeck::host::http
