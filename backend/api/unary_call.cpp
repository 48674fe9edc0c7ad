// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/unary_call.h"

#include "backend/net/connect_error.h"

namespace boxdeck::api {

namespace {

net::HttpRequest rpcRequest(const SandboxTarget &target, const QByteArray &method, const QByteArray &body,
                            const QByteArray &contentType, bool mayRepeat)
{
    net::HttpRequest request{.method = "POST",
                             .url = target.url(method),
                             .headers = target.headers(),
                             .body = body,
                             .mayRepeat = mayRepeat,
                             .gateway = target.gateway};
    request.headers.emplace_back("Content-Type", contentType);
    request.headers.emplace_back("Connect-Protocol-Version", "1");
    return request;
}

} // namespace

Call<QByteArray> unaryCall(net::HttpTransport &transport, const SandboxTarget &target, const QByteArray &method,
                           const QByteArray &json, bool mayRepeat, qint64 maxBody)
{
    net::HttpRequest request = rpcRequest(target, method, json, "application/json", mayRepeat);
    request.maxBody = maxBody;
    return transport.send(std::move(request)).map([](Result<net::HttpResponse> response) -> Result<QByteArray> {
        if (!response)
            return tl::unexpected(std::move(response.error()));
        if (!response->isSuccess())
            return tl::unexpected(net::connectErrorOf(*response));
        return std::move(response->body);
    });
}

std::unique_ptr<net::ConnectStream> streamingCall(net::HttpTransport &transport, const SandboxTarget &target,
                                                  const QByteArray &method, const QByteArray &json, bool mayRepeat,
                                                  std::chrono::milliseconds limit)
{
    net::HttpRequest request =
        rpcRequest(target, method, net::encodeEnvelope(json), "application/connect+json", mayRepeat);
    request.headers.emplace_back("Keepalive-Ping-Interval", QByteArray::number(qint64(keepaliveInterval.count())));
    if (limit.count() > 0) {
        const qint64 longest = 9'999'999'999; // ten digits are what servers read
        request.headers.emplace_back("Connect-Timeout-Ms", QByteArray::number(qMin<qint64>(limit.count(), longest)));
    }
    request.lane = net::Lane::Stream;
    request.timeouts = net::Timeouts::stream();
    request.statusError = [](const net::HttpResponse &response) { return net::connectErrorOf(response); };
    // A server that never sends keepalives must not have its silent commands cut off (protocol/compat.md 3.20).
    const auto silence = target.envdVersion.isKnown() ? transport.patient(silenceLimit) : std::chrono::milliseconds(0);
    return std::make_unique<net::ConnectStream>(transport.open(std::move(request)), silence);
}

Call<QByteArray> clientStreamingCall(net::HttpTransport &transport, const SandboxTarget &target,
                                     const QByteArray &method, const QList<QByteArray> &messages)
{
    QByteArray body;
    for (const QByteArray &message : messages)
        body += net::encodeEnvelope(message);
    net::HttpRequest request = rpcRequest(target, method, body, "application/connect+json", false);
    return transport.send(std::move(request)).map([](Result<net::HttpResponse> response) -> Result<QByteArray> {
        if (!response)
            return tl::unexpected(std::move(response.error()));
        if (!response->isSuccess())
            return tl::unexpected(net::connectErrorOf(*response));
        return net::messageOfStream(response->body);
    });
}

} // namespace boxdeck::api
