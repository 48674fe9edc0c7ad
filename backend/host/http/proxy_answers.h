// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "backend/host/http/proxy_route.h"
#include "backend/host/http/server.h"

namespace boxdeck::host::http {

/// What the proxy itself answers (protocol/envd.md, section 2). Its errors carry a number as `code`; those of the
/// daemon's RPCs carry a word, and clients tell them apart by it.

/// Whether the caller is a person at a browser, who gets a page instead of JSON.
bool wantsPage(const Request &request);

asio::awaitable<void> sendJson(Exchange &exchange, int status, boost::json::object body);
asio::awaitable<void> sendText(Exchange &exchange, int status, std::string text);
/// `{"sandboxId", "message", "code"}`, or a page that says the same.
asio::awaitable<void> sendError(Exchange &exchange, const Route &route, int status, const char *message);
/// The sandbox runs, but nothing listens on the route's port: 502 with the port.
asio::awaitable<void> sendPortClosed(Exchange &exchange, const Route &route);

} // namespace boxdeck::host::http
