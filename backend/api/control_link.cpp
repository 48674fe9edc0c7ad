// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/control_link.h"

#include "backend/api/retry.h"
#include "backend/core/clock.h"

#include <cstdlib>

namespace boxdeck::api {

namespace {

void addCredential(net::HeaderList &headers, const Endpoint &endpoint, Credential credential)
{
    const auto key = [&] {
        if (endpoint.apiKey.isEmpty())
            return false;
        headers.emplace_back("X-API-Key", endpoint.apiKey.reveal());
        return true;
    };
    const auto team = [&] {
        if (!endpoint.teamId.isEmpty())
            headers.emplace_back("X-Team-ID", endpoint.teamId.toLatin1());
    };
    const auto user = [&] {
        if (endpoint.userToken.isEmpty())
            return false;
        headers.emplace_back("Authorization", "Bearer " + endpoint.userToken.reveal());
        team();
        return true;
    };
    const auto admin = [&] {
        if (endpoint.adminToken.isEmpty())
            return false;
        headers.emplace_back("X-Admin-Token", endpoint.adminToken.reveal());
        if (credential != Credential::Admin)
            team();
        return true;
    };
    switch (credential) {
    case Credential::Team:
        key() || user() || admin();
        break;
    case Credential::User:
        user() || admin() || key();
        break;
    case Credential::Admin:
        admin() || key() || user();
        break;
    }
}

} // namespace

net::HttpRequest ControlLink::request(const QByteArray &method, const QByteArray &path, const QByteArray &query,
                                      Credential credential) const
{
    net::HttpRequest request{.method = method, .url = joinUrl(endpoint.apiUrl, path, query)};
    request.mayRepeat = method == "GET" || method == "DELETE";
    request.ownConnection = !request.mayRepeat;
    request.followRedirects = true; // some frameworks add or take a slash at the end
    addCredential(request.headers, endpoint, credential);
    request.timeouts.firstByte = std::chrono::seconds(75); // servers give a handler 70 s
    return request;
}

Call<net::HttpResponse> ControlLink::sendSafely(net::HttpRequest request) const
{
    return request.mayRepeat ? sendRepeatedly(transport, std::move(request)) : send(std::move(request));
}

net::HttpRequest ControlLink::jsonRequest(const QByteArray &method, const QByteArray &path, const QByteArray &json,
                                          Credential credential) const
{
    net::HttpRequest result = request(method, path, {}, credential);
    result.body = json;
    return result;
}

void ControlLink::noteDate(const net::HttpResponse &response)
{
    const QDateTime date = net::httpDate(response.header("Date"));
    if (!date.isValid())
        return;
    // The header is cut to seconds, and was written some time before it arrived.
    constexpr qint64 unsureMs = 1500;
    const qint64 offset = SystemClock().now().msecsTo(date) + 500;
    if (std::abs(offset - clockOffsetMs.value_or(0)) >= unsureMs)
        clockOffsetMs = std::abs(offset) < unsureMs ? 0 : offset;
    else if (!clockOffsetMs)
        clockOffsetMs = 0;
}

} // namespace boxdeck::api
