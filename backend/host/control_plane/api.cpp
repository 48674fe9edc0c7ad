// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/control_plane/api.h"

#include <boost/json.hpp>

#include "backend/host/control_plane/routes.h"
#include "backend/host/control_plane/secret_compare.h"
#include "backend/host/http/url.h"

namespace boxdeck::host {

namespace json = boost::json;

namespace {

constexpr std::size_t bodyLimit = 16 * 1024 * 1024;

http::Headers crossOrigin()
{
    return {{"Access-Control-Allow-Origin", "*"},
            {"Access-Control-Expose-Headers", "X-Next-Token, X-Total-Running, RateLimit-Limit, RateLimit-Remaining, "
                                              "RateLimit-Reset, Retry-After"}};
}

// Routing is on the raw text: an encoded slash never makes two segments.
std::vector<std::string> segmentsOf(const std::string &path)
{
    std::vector<std::string> segments;
    std::size_t at = 0;
    while (at < path.size() && path[at] == '/') {
        const auto end = path.find('/', at + 1);
        const auto decoded = http::percentDecode(path.substr(at + 1, end - at - 1));
        if (!decoded)
            throw ApiError(400, "validation error: the path has a malformed percent sign");
        segments.push_back(*decoded);
        if (end == std::string::npos)
            break;
        at = end;
    }
    return segments;
}

Answer refusal(const ApiError &error)
{
    json::object body{{"code", error.status()}, {"message", error.what()}};
    if (!error.errorCode().empty())
        body["error_code"] = error.errorCode();
    return Answer::of(body, error.status());
}

struct Resource
{
    const char *name;
    asio::awaitable<Answer> (*route)(Services &, Call);
};

constexpr Resource resources[] = {
    {"sandboxes", routeSandboxes},
    {"snapshots", routeSnapshots},
    {"templates", routeTemplates},
    {"volumes", routeVolumes},
    {"secrets", routeSecrets},
    {"teams", routeTeams},
    {"api-keys", routeApiKeys},
    {"access-tokens", routeAccessTokens},
    {"nodes", routeNodes},
};

} // namespace

ControlPlane::ControlPlane(Services services)
    : m_services(std::move(services))
{
}

void ControlPlane::checkKey(const http::Request &request) const
{
    const auto key = request.headers.get("X-API-Key");
    if (!key || key->empty())
        throw ApiError(401, request.headers.contains("Authorization")
                                ? "This host takes an API key only: the X-API-Key header is missing"
                                : "Missing authorization header: send the API key in X-API-Key");
    if (equalSecrets(*key, m_services.apiKey))
        return;
    constexpr std::string_view prefix = "e2b_";
    if (std::string_view(m_services.apiKey).starts_with(prefix) && !key->starts_with(prefix))
        throw ApiError(401, "Invalid API key format: keys of this host begin with e2b_");
    throw ApiError(401, "Invalid API key, please check that it is the key of this host");
}

asio::awaitable<void> ControlPlane::serve(http::Exchange &exchange)
{
    const http::Request &request = exchange.request();
    if (request.method == "OPTIONS") {
        http::Headers headers = crossOrigin();
        headers.set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
        const auto asked = request.headers.get("Access-Control-Request-Headers");
        headers.set("Access-Control-Allow-Headers", asked ? std::string(*asked) : "*");
        headers.set("Access-Control-Max-Age", "7200");
        co_await exchange.respond(204, std::move(headers));
        co_return;
    }
    if (request.path.starts_with(UploadStore::linkPath)) {
        // Comes without the key: the path itself is the secret.
        co_await m_services.builds.uploads().serve(exchange);
        co_return;
    }
    Answer result;
    try {
        result = co_await answer(exchange);
    } catch (const ApiError &error) {
        result = refusal(error);
    } catch (const http::BodyTooLarge &) {
        result = refusal(ApiError(413, "the request body is larger than 16 MiB"));
    } catch (const boost::system::system_error &) {
        throw; // the connection broke
    } catch (const std::exception &error) {
        result = refusal(ApiError(500, error.what(), "internal_server_error"));
    }
    const http::Headers common = crossOrigin();
    for (const auto &[name, value] : common.fields())
        result.headers.set(name, value);
    if (request.path.starts_with("/secrets"))
        result.headers.set("Cache-Control", "no-store");
    if (!result.body.empty())
        result.headers.set("Content-Type", "application/json; charset=utf-8");
    co_await exchange.respond(result.status, std::move(result.headers), std::move(result.body));
}

asio::awaitable<Answer> ControlPlane::answer(http::Exchange &exchange)
{
    const http::Request &request = exchange.request();
    Call call{.method = request.method, .path = request.path, .query = request.query, .headers = request.headers};
    if (call.path == "/health") {
        if (!call.is("GET") && !call.is("HEAD"))
            throw call.wrongMethod();
        co_return Answer::empty();
    }
    checkKey(request);
    call.body = co_await exchange.readBody(bodyLimit);
    co_return co_await route(std::move(call));
}

asio::awaitable<Answer> ControlPlane::route(Call call)
{
    call.segments = segmentsOf(call.path);
    for (int version = 2; version <= 3; ++version) {
        if (call.segments.size() > 1 && call.segments[0] == 'v' + std::to_string(version)) {
            call.version = version;
            call.segments.erase(call.segments.begin());
            break;
        }
    }
    for (const Resource &resource : resources) {
        if (!call.segments.empty() && call.segments[0] == resource.name)
            co_return co_await resource.route(m_services, std::move(call));
    }
    throw call.noSuchRoute();
}

} // namespace boxdeck::host
