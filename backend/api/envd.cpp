// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/envd.h"

namespace boxdeck::api {

namespace {

net::HttpRequest healthRequest(const SandboxTarget &target)
{
    return {.method = "GET",
            .url = target.url("/health"),
            .headers = target.headers(),
            .mayRepeat = true,
            .gateway = target.gateway};
}

} // namespace

Envd::Envd(net::HttpTransport &transport, SandboxTarget target)
    : m_transport(transport)
    , m_target(std::make_shared<const SandboxTarget>(std::move(target)))
    , m_files(transport, m_target)
    , m_filesystem(transport, m_target)
    , m_processes(transport, m_target)
{
}

Call<void> Envd::health()
{
    return m_transport.send(healthRequest(*m_target)).map([](Result<net::HttpResponse> response) -> Result<void> {
        if (!response)
            return tl::unexpected(std::move(response.error()));
        if (!response->isSuccess())
            return tl::unexpected(filesError(*response));
        return {};
    });
}

Call<Pulse> Envd::pulse()
{
    net::HttpRequest request = healthRequest(*m_target);
    request.timeouts.total = std::chrono::seconds(5);
    return m_transport.send(std::move(request)).map([](Result<net::HttpResponse> response) -> Result<Pulse> {
        if (!response)
            return Pulse::Unknown;
        if (response->isSuccess())
            return Pulse::Alive;
        // Plain text comes from a way in that could not reach the sandbox's machine: it tells nothing.
        return filesError(*response).code == QLatin1String("http_bad_gateway") ? Pulse::Gone : Pulse::Unknown;
    });
}

} // namespace boxdeck::api
