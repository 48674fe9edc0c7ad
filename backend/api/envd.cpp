// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/envd.h"

namespace boxdeck::api {

namespace {

net::HttpRequest getRequest(const SandboxTarget &target, const QByteArray &path)
{
    return {.method = "GET",
            .url = target.url(path),
            .headers = target.headers(),
            .mayRepeat = true,
            .gateway = target.gateway};
}

/// The body of an answer. These routes have no object to miss: without the route there is no such feature.
Result<QByteArray> bodyOf(Result<net::HttpResponse> response)
{
    if (!response)
        return tl::unexpected(std::move(response.error()));
    if (response->isSuccess())
        return std::move(response->body);
    Error error = filesError(*response);
    if (error.kind == ErrorKind::NotFound)
        error.kind = ErrorKind::Unsupported;
    return tl::unexpected(std::move(error));
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
    return m_transport.send(getRequest(*m_target, "/health"))
        .map([](Result<net::HttpResponse> response) -> Result<void> {
            if (!response)
                return tl::unexpected(std::move(response.error()));
            if (!response->isSuccess())
                return tl::unexpected(filesError(*response));
            return {};
        });
}

Call<protocol::EnvdMetrics> Envd::metrics()
{
    constexpr auto feature = protocol::EnvdFeature::Metrics;
    if (!m_target->envdVersion.mayHave(feature))
        return Call<protocol::EnvdMetrics>::settled(tl::unexpected(m_target->envdVersion.lacks(feature)));
    return m_transport.send(getRequest(*m_target, "/metrics"))
        .map([](Result<net::HttpResponse> response) -> Result<protocol::EnvdMetrics> {
            const auto body = bodyOf(std::move(response));
            if (!body)
                return tl::unexpected(body.error());
            return protocol::decodeEnvdMetrics(*body);
        });
}

Call<QMap<QString, QString>> Envd::environment()
{
    return m_transport.send(getRequest(*m_target, "/envs"))
        .map([](Result<net::HttpResponse> response) -> Result<QMap<QString, QString>> {
            const auto body = bodyOf(std::move(response));
            if (!body)
                return tl::unexpected(body.error());
            return protocol::decodeEnvironment(*body);
        });
}

Call<Pulse> Envd::pulse()
{
    net::HttpRequest request = getRequest(*m_target, "/health");
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
