// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/http/proxy.h"

#include <ctime>
#include <exception>

#include <boost/json.hpp>

#include "backend/host/control_plane/secret_compare.h"
#include "backend/host/http/forward.h"
#include "backend/host/http/proxy_access.h"

namespace boxdeck::host::http {

namespace {

namespace json = boost::json;
using Reach = SandboxManager::Reach;

constexpr std::chrono::seconds leastAutoResume{300};

asio::awaitable<void> sendJson(Exchange &exchange, int status, json::object body)
{
    Headers headers{{"Content-Type", "application/json; charset=utf-8"},
                    {"X-Content-Type-Options", "nosniff"},
                    {"Access-Control-Allow-Origin", "*"}};
    co_await exchange.respond(status, std::move(headers), json::serialize(body));
}

// Errors of this layer carry a number as code; errors of the daemon's RPCs carry a word. Clients tell them apart by it.
asio::awaitable<void> sendError(Exchange &exchange, const Route &route, int status, const char *message)
{
    json::object body{{"sandboxId", route.sandboxId}, {"message", message}, {"code", status}};
    co_await sendJson(exchange, status, std::move(body));
}

asio::awaitable<void> sendText(Exchange &exchange, int status, std::string text)
{
    Headers headers{{"Content-Type", "text/plain; charset=utf-8"},
                    {"X-Content-Type-Options", "nosniff"},
                    {"Access-Control-Allow-Origin", "*"}};
    co_await exchange.respond(status, std::move(headers), std::move(text));
}

bool hasHeaderSecret(const Request &request, const char *name, const std::string &secret)
{
    const auto given = request.headers.get(name);
    return given && equalSecrets(*given, secret);
}

bool trafficAllowed(const Request &request, const Route &route, const SandboxRecord &record)
{
    return route.port == envdPort || record.trafficAccessToken.empty() ||
           hasHeaderSecret(request, "e2b-traffic-access-token", record.trafficAccessToken);
}

// Waking up costs, so it takes the token itself; a signature or a route without a check is not enough.
bool mayWake(const Request &request, const Route &route, const SandboxRecord &record)
{
    if (route.port == envdPort)
        return !record.secure() || hasHeaderSecret(request, "X-Access-Token", record.envdAccessToken);
    return trafficAllowed(request, route, record);
}

} // namespace

asio::awaitable<void> refuse(Exchange &exchange, const Route &route)
{
    co_await sendText(exchange, route.status, route.text);
}

asio::awaitable<Reach> Proxy::reachAwake(Exchange &exchange, const Route &route)
{
    Reach reach = co_await m_manager.reach(route.sandboxId);
    if (reach.kind != Reach::Kind::Paused || !reach.record.autoResume || reach.record.diskOnly)
        co_return reach;
    if (!mayWake(exchange.request(), route, reach.record)) {
        co_await sendError(exchange, route, 403, "The sandbox is paused and this request may not wake it");
        co_return reach;
    }
    const std::chrono::seconds lease = std::max(reach.record.createTimeout, leastAutoResume);
    bool woken = true;
    try {
        co_await m_manager.connect(route.sandboxId, ConnectRequest{.timeout = lease});
    } catch (const std::exception &) {
        woken = false; // what it is now decides the answer
    }
    if (woken)
        reach = co_await m_manager.reach(route.sandboxId);
    co_return reach;
}

asio::awaitable<void> Proxy::serve(Exchange &exchange, const Route &route)
{
    const Request &request = exchange.request();
    // Not even looked for in the sandbox: the host is the orchestrator.
    if (route.port == envdPort && orchestratorOnly(request.path)) {
        json::object body{{"message", "Not found"}, {"path", cleanPath(request.path)}, {"code", 404}};
        co_await sendJson(exchange, 404, std::move(body));
        co_return;
    }
    const Reach reach = co_await reachAwake(exchange, route);
    if (exchange.started())
        co_return;
    if (reach.kind == Reach::Kind::Unknown || reach.kind == Reach::Kind::Paused) {
        co_await sendError(exchange, route, 502, "The sandbox was not found");
        co_return;
    }
    if (reach.kind == Reach::Kind::Changing) {
        co_await sendError(exchange, route, 409, "The sandbox is changing its state, try again in a moment");
        co_return;
    }
    if (!trafficAllowed(request, route, reach.record)) {
        co_await sendError(exchange, route, 403, "The traffic access token is missing or wrong");
        co_return;
    }
    if (route.port != envdPort) {
        // No way into the sandbox's own network yet, so to a caller every port is closed.
        json::object body{{"sandboxId", route.sandboxId},
                          {"message", "The sandbox is running but port is not open"},
                          {"port", route.port},
                          {"code", 502}};
        co_await sendJson(exchange, 502, std::move(body));
        co_return;
    }
    const auto refusal = checkAccess(request, reach.record.envdAccessToken, std::time(nullptr));
    if (refusal && refusal->plainText) {
        co_await sendText(exchange, refusal->status, refusal->message);
        co_return;
    }
    if (refusal) {
        json::object body{{"code", refusal->status}, {"message", refusal->message}};
        co_await sendJson(exchange, refusal->status, std::move(body));
        co_return;
    }
    co_await pass(exchange, reach);
}

asio::awaitable<void> Proxy::pass(Exchange &exchange, const Reach &reach)
{
    const auto forward = std::make_shared<Forward>(exchange, reach.socketPath);
    const auto watched = m_manager.watchConnection(reach.record.id, [weak = std::weak_ptr(forward)] {
        if (const auto alive = weak.lock())
            alive->cut();
    });
    const Forward::Outcome outcome = co_await forward->run();
    if (outcome == Forward::Outcome::NoAnswer && !exchange.started()) {
        const Route route{.kind = Route::Kind::DataPlane, .sandboxId = reach.record.id, .port = envdPort};
        const Reach after = co_await m_manager.reach(reach.record.id);
        if (after.kind == Reach::Kind::Unknown || after.kind == Reach::Kind::Paused)
            co_await sendError(exchange, route, 502, "The sandbox was not found");
        else
            co_await sendText(exchange, 502, "Failed to route request to sandbox\n"); // no proof that it is gone
    }
}

} // namespace boxdeck::host::http
