// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "backend/host/control_plane/call.h"
#include "backend/host/http/server.h"

namespace boxdeck::host {

/// The control plane: the calls of protocol/control-plane.md, as far as this host has them; 404 or 405 with a JSON
/// message for everything else. Authenticates, reads the body and dispatches; the calls themselves are in the
/// *_routes.cpp files.
class ControlPlane
{
public:
    /// What @p services refers to must outlive this.
    explicit ControlPlane(Services services);

    /// Answers one request. Never throws for what a caller can cause.
    asio::awaitable<void> serve(http::Exchange &exchange);

private:
    void checkKey(const http::Request &request) const;
    asio::awaitable<Answer> answer(http::Exchange &exchange);
    asio::awaitable<Answer> route(Call call);

    Services m_services;
};

} // namespace boxdeck::host
