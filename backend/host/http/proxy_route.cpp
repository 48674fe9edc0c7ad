// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/http/proxy_route.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "backend/host/http/url.h"

namespace boxdeck::host::http {

namespace {

std::string hostName(const Request &request)
{
    std::string host(request.headers.get("Host").value_or(""));
    std::transform(host.begin(), host.end(), host.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    });
    if (host.starts_with('['))
        return host.substr(0, host.find(']') + 1);
    return host.substr(0, host.find(':'));
}

bool isAddress(const std::string &host)
{
    if (host.starts_with('['))
        return true;
    return !host.empty() && host.find_first_not_of("0123456789.") == std::string::npos;
}

bool isSandboxId(std::string_view text)
{
    return !text.empty() && text.size() <= 64 &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == std::string_view::npos;
}

bool readPort(std::string_view text, std::uint16_t &port)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc() && end == text.data() + text.size() && port != 0;
}

Route refused(int status, const char *text)
{
    return {.kind = Route::Kind::Refused, .status = status, .text = std::string(text) + '\n'};
}

Route dataPlane(std::string_view port, std::string_view id)
{
    // Further parts, the client id of older ids, are ignored.
    const std::string_view bare = id.substr(0, id.find('-'));
    Route route{.kind = Route::Kind::DataPlane, .sandboxId = std::string(bare)};
    if (!readPort(port, route.port))
        return refused(500, "Unexpected error when routing request: invalid sandbox port");
    if (!isSandboxId(bare))
        return refused(400, "Invalid sandbox ID");
    return route;
}

Route routeByHost(const std::string &host)
{
    const std::string_view label = std::string_view(host).substr(0, host.find('.'));
    const auto dash = label.find('-');
    if (dash == std::string_view::npos)
        return {};
    const std::string_view port = label.substr(0, dash);
    const std::string_view id = label.substr(dash + 1);
    // A computer may well be called my-laptop. The reference needs no such care: its control plane has its own address.
    const bool portLike = !port.empty() && port.find_first_not_of("0123456789") == std::string_view::npos;
    const bool idLike = id.size() > 20 && id[0] == 'i';
    if (!portLike && !idLike)
        return {};
    return dataPlane(port, id);
}

} // namespace

Route routeOf(const Request &request)
{
    const std::string host = hostName(request);
    const bool byHeaders = host.empty() || host == "localhost" || isAddress(host) || host.starts_with("sandbox.");
    if (!byHeaders)
        return routeByHost(host);
    const auto id = request.headers.get("E2b-Sandbox-Id");
    const auto port = request.headers.get("E2b-Sandbox-Port");
    if (id && port)
        return dataPlane(*port, *id);
    if (id || port || host.starts_with("sandbox."))
        return refused(400, "missing header");
    return {};
}

std::string cleanPath(const std::string &path)
{
    const std::string decoded = percentDecode(path).value_or(path);
    std::vector<std::string> parts;
    std::size_t at = 0;
    while (at <= decoded.size()) {
        const auto end = std::min(decoded.find('/', at), decoded.size());
        const std::string part = decoded.substr(at, end - at);
        if (part == ".." && !parts.empty())
            parts.pop_back();
        else if (!part.empty() && part != "." && part != "..")
            parts.push_back(part);
        at = end + 1;
    }
    std::string clean;
    for (const std::string &part : parts)
        clean += '/' + part;
    return clean.empty() ? "/" : clean;
}

bool orchestratorOnly(const std::string &path)
{
    static const std::vector<std::string> paths{"/init",     "/freeze", "/unfreeze", "/collapse",
                                                "/fsfreeze", "/fsthaw", "/upgrade"};
    return std::find(paths.begin(), paths.end(), cleanPath(path)) != paths.end();
}

} // namespace boxdeck::host::http
