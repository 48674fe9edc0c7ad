// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"
#include "backend/net/byte_stream.h"
#include "backend/net/http_request.h"
#include "backend/net/proxy_environment.h"

#include <QObject>
#include <QSslConfiguration>

#include <memory>
#include <optional>

namespace boxdeck::net {

struct TransportOptions
{
    ProxyEnvironment proxies = ProxyEnvironment::fromProcess();
    std::optional<QSslConfiguration> tls; ///< e.g. with a CA of one's own; default: the system's
    double patience = 1.0;                ///< every time limit is multiplied by it
};

/// Sends HTTP/1.1 requests. One per application; lives on one thread, as do its calls and streams, and outlives them.
///
/// No cookies, cache, HTTP/2 or automatic redirects: one within the origin is followed if the request allows it, any
/// other is an error (Unsupported, code "redirected"), so no credential leaves its origin. After a 303 of
/// what is no GET its delivery is Unknown, as something was done. Loopback and gateways are reached without a
/// proxy.
class HttpTransport : public QObject
{
    Q_OBJECT

public:
    explicit HttpTransport(TransportOptions options = {}, QObject *parent = nullptr);
    ~HttpTransport() override;

    /// A time limit of one's own, as long as the transport's limits are: for those that are not about one request.
    std::chrono::milliseconds patient(std::chrono::milliseconds limit) const;

    /// Sends a request and reads its whole answer. Fails only if there is no answer; an HTTP error status is an answer.
    Call<HttpResponse> send(HttpRequest request);

    /// Sends a request and hands its answer over as it arrives. The caller owns the stream.
    std::unique_ptr<ByteStream> open(HttpRequest request);

Q_SIGNALS:
    /// send() has a whole answer, of whatever status; before its caller gets it. For those who learn from what a server
    /// does; the request's headers and body, which hold keys, are not told.
    void answered(const QByteArray &method, const QUrl &url, const boxdeck::net::HttpResponse &response);

private:
    class Lanes;
    std::unique_ptr<Lanes> m_lanes;
};

} // namespace boxdeck::net
