// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_plane_client.h"
#include "tests/support/fault_server.h"

#include <QMap>

namespace boxdeck::test {

/// A scripted control plane and a client of it, whose base has a path prefix and a trailing slash.
struct ScriptedControl
{
    explicit ScriptedControl(FaultServer::Handler handler, api::Endpoint endpoint = {})
        : server(std::move(handler))
        , control(transport, withAddress(std::move(endpoint), server))
    {
    }
    explicit ScriptedControl(const Script &script, api::Endpoint endpoint = {})
        : ScriptedControl([script](const RecordedRequest &, int) { return script; }, std::move(endpoint))
    {
    }

    /// Method and target of a request, without the prefix: "GET /v2/sandboxes?limit=100".
    QByteArray line(int nth) const
    {
        const RecordedRequest request = server.requests().value(nth);
        return request.method + ' ' + request.target.mid(qstrlen("/e2b/v1"));
    }
    QByteArrayList lines() const
    {
        QByteArrayList list;
        for (int i = 0; i < server.requestCount(); ++i)
            list.append(line(i));
        return list;
    }
    QByteArray body(int nth) const { return server.requests().value(nth).body; }
    QJsonObject object(int nth) const { return jsonBody(server.requests().value(nth)); }

    FaultServer server;
    net::HttpTransport transport{net::TransportOptions{.proxies = {}}};
    api::ControlPlaneClient control;

private:
    static api::Endpoint withAddress(api::Endpoint endpoint, const FaultServer &server)
    {
        endpoint.apiUrl = server.url("/e2b/v1/");
        if (endpoint.apiKey.isEmpty())
            endpoint.apiKey = Secret("e2b_0011");
        return endpoint;
    }
};

/// A client of a control plane scripted elsewhere, whose base and key may be odd.
struct ControlOf
{
    explicit ControlOf(const FaultServer &server, const QByteArray &base = {}, const QByteArray &key = "k")
        : control(transport, {.apiUrl = server.url(base), .apiKey = Secret(key)})
    {
    }

    net::HttpTransport transport{net::TransportOptions{.proxies = {}}};
    api::ControlPlaneClient control;
};

/// Answers by "METHOD /path" (without the prefix and the query); 404 for what is not there.
inline FaultServer::Handler routes(const QMap<QByteArray, Script> &answers)
{
    return [answers](const RecordedRequest &request, int) {
        const QByteArray key = request.method + ' ' + request.path().mid(qstrlen("/e2b/v1"));
        return answers.value(key, Script::answer(404, R"({"code":404,"message":"no such route"})"));
    };
}

} // namespace boxdeck::test
