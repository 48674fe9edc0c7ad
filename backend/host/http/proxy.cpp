// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/http/proxy.h"

#include <ctime>
#include <exception>

#include <boost/json.hpp>

#include "backend/host/control_plane/secret_compare.h"
#include "backend/host/http/proxy_access.h"
#include "backend/host/http/proxy_answers.h"

namespace boxdeck::host::http {

namespace {

namespace json = boost::json;
using Reach = SandboxManager::Reach;

constexpr std::chrono::seconds leastAutoResume{300};

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

// The name a service is told, where the sandbox's owner chose one.
std::string maskedHost(const SandboxRecord &record, std::uint16_t port)
{
    const json::value *mask = record.network ? record.network->if_contains("maskRequestHost") : nullptr;
    if (mask == nullptr || !mask->is_string())
        return {};
    std::string host(mask->as_string());
    constexpr std::string_view placeholder = "${PORT}";
    for (auto at = host.find(placeholder); at != std::string::npos; at = host.find(placeholder))
        host.replace(at, placeholder.size(), std::to_string(port));
    return host;
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
    const ConnectRequest wake{.timeout = lease};
    bool woken = true;
    try {
        co_await m_manager.connect(route.sandboxId, wake);
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
    if (request.method == "CONNECT") { // the host's own way to the services, never a caller's
        json::object body{{"message", "CONNECT is not allowed"}, {"code", 405}};
        co_await sendJson(exchange, 405, std::move(body));
        co_return;
    }
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
        ForwardTarget target{.socketPath = reach.socketPath,
                             .port = route.port,
                             .host = maskedHost(reach.record, route.port),
                             .secrets = {m_apiKey, reach.record.envdAccessToken, reach.record.trafficAccessToken}};
        co_await pass(exchange, route, std::move(target));
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
    ForwardTarget daemon{.socketPath = reach.socketPath}; // named: GCC 12 destroys a temporary of a co_await twice
    co_await pass(exchange, route, std::move(daemon));
}

asio::awaitable<void> Proxy::pass(Exchange &exchange, const Route &route, ForwardTarget target)
{
    const auto forward = std::make_shared<Forward>(exchange, std::move(target));
    const auto watched = m_manager.watchConnection(route.sandboxId, [weak = std::weak_ptr(forward)] {
        if (const auto alive = weak.lock())
            alive->cut();
    });
    const Forward::Outcome outcome = co_await forward->run();
    if (outcome == Forward::Outcome::Done || exchange.started())
        co_return;
    if (outcome == Forward::Outcome::PortClosed) {
        co_await sendPortClosed(exchange, route);
        co_return;
    }
    const Reach after = co_await m_manager.reach(route.sandboxId);
    if (after.kind == Reach::Kind::Unknown || after.kind == Reach::Kind::Paused)
        co_await sendError(exchange, route, 502, "The sandbox was not found");
    else
        co_await sendText(exchange, 502, "Failed to route request to sandbox\n"); // no proof that it is gone
}

} // namespace boxdeck::host::http
