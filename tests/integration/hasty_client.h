// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_plane_client.h"
#include "backend/api/envd.h"
#include "tests/support/fault_server.h"

namespace boxdeck::test {

/// Time limits of the client are a fiftieth: 1.2 s of silence in an answer, 0.6 s in a stream, 1.5 to 2.4 s until an
/// answer begins.
constexpr double patience = 0.02;

/// What files hold.
inline const QByteArray content = QByteArray("0123456789abcdef").repeated(4000);

/// Control plane and data plane behind one way in, with little patience.
struct HastyClient
{
    explicit HastyClient(const FaultServer &server, double limits = patience)
        : transport(net::TransportOptions{.proxies = {}, .patience = limits})
        , control(transport, {.apiUrl = server.url(), .apiKey = Secret("k")})
        , envd(transport, api::targetOf({.sandboxUrl = server.url()},
                                        protocol::SandboxAccess{.id = {QStringLiteral("i1")},
                                                                .envdVersion = QStringLiteral("0.6.13")}))
    {
    }

    net::HttpTransport transport;
    api::ControlPlaneClient control;
    api::Envd envd;
};

} // namespace boxdeck::test
