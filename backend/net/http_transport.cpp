// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/http_transport.h"

#include "backend/net/idle_sockets.h"
#include "backend/net/manager_exchange.h"
#include "backend/net/socket_exchange.h"

#include <QNetworkAccessManager>
#include <QNetworkProxyFactory>
#include <QSet>

#include <cmath>

namespace boxdeck::net {

namespace {

using Addresses = QSet<QString>;

QString addressOf(const QUrl &url)
{
    return url.host().toLower() + QLatin1Char(':') +
           QString::number(url.port(url.scheme() == QLatin1String("https") ? 443 : 80));
}

QString addressOf(const HttpRequest &request)
{
    if (!request.gateway)
        return addressOf(request.url);
    const Gateway &gateway = *request.gateway;
    return gateway.host.toLower() + QLatin1Char(':') + QString::number(gateway.effectivePort());
}

/// Gateways are reached directly, everything else as the environment says.
class Routes final : public QNetworkProxyFactory
{
public:
    Routes(ProxyEnvironment environment, std::shared_ptr<const Addresses> direct)
        : m_environment(std::move(environment))
        , m_direct(std::move(direct))
    {
    }

    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery &query) override
    {
        if (m_direct->contains(addressOf(query.url())))
            return {QNetworkProxy(QNetworkProxy::NoProxy)};
        return {m_environment.proxyFor(query.url())};
    }

private:
    ProxyEnvironment m_environment;
    std::shared_ptr<const Addresses> m_direct;
};

} // namespace

class HttpTransport::Lanes
{
public:
    explicit Lanes(TransportOptions options)
        : m_options(std::move(options))
        , m_direct(std::make_shared<Addresses>())
    {
        m_control.setProxyFactory(new Routes(m_options.proxies, m_direct)); // the manager owns it
        m_control.setAutoDeleteReplies(false);
    }

    /// Short calls share a manager and its six connections to a host; each transfer and stream has its own connection,
    /// as QNetworkAccessManager lets whatever is more than six wait without a word. So has what asked for one.
    std::unique_ptr<HttpExchange> exchange(HttpRequest request, QObject *parent)
    {
        Timeouts &limits = request.timeouts;
        for (std::chrono::milliseconds *limit : {&limits.connect, &limits.firstByte, &limits.idle, &limits.total})
            *limit = patient(*limit);
        QNetworkProxy proxy(QNetworkProxy::NoProxy);
        if (request.gateway)
            m_direct->insert(addressOf(request));
        else
            proxy = m_options.proxies.proxyFor(request.url);
        if (request.lane == Lane::Control && !request.ownConnection)
            return std::make_unique<ManagerExchange>(
                ManagerExchange::Place{
                    .manager = m_control, .tls = m_options.tls, .viaProxy = proxy.type() != QNetworkProxy::NoProxy},
                std::move(request), parent);
        IdleSockets *idle = request.lane == Lane::Bulk ? &m_idle : nullptr;
        return std::make_unique<SocketExchange>(
            SocketExchange::Place{.idle = idle, .proxy = proxy, .tls = m_options.tls}, std::move(request), parent);
    }

    std::chrono::milliseconds patient(std::chrono::milliseconds limit) const
    {
        return std::chrono::milliseconds(std::llround(double(limit.count()) * m_options.patience));
    }

private:
    TransportOptions m_options;
    std::shared_ptr<Addresses> m_direct;
    QNetworkAccessManager m_control;
    IdleSockets m_idle;
};

HttpTransport::HttpTransport(TransportOptions options, QObject *parent)
    : QObject(parent)
    , m_lanes(std::make_unique<Lanes>(std::move(options)))
{
}

HttpTransport::~HttpTransport()
{
    // Their replies belong to the managers, which go first otherwise.
    qDeleteAll(findChildren<HttpExchange *>(Qt::FindDirectChildrenOnly));
}

std::chrono::milliseconds HttpTransport::patient(std::chrono::milliseconds limit) const
{
    return m_lanes->patient(limit);
}

std::unique_ptr<ByteStream> HttpTransport::open(HttpRequest request)
{
    return m_lanes->exchange(std::move(request), nullptr);
}

Call<HttpResponse> HttpTransport::send(HttpRequest request)
{
    const qint64 limit = request.maxBody;
    request.statusError = {}; // every status is an answer here
    const QByteArray method = request.method;
    const QUrl url = request.url;
    // Owned by itself until it ends or the caller loses interest, and by the transport at the latest.
    HttpExchange *exchange = m_lanes->exchange(std::move(request), this).release();
    exchange->limitBody(limit);

    Promise<HttpResponse> promise;
    promise.onAbort([held = QPointer<HttpExchange>(exchange)] {
        if (held) {
            held->abort();
            held->deleteLater();
        }
    });
    auto response = std::make_shared<HttpResponse>();
    const auto take = [exchange, response] { response->body += exchange->read(exchange->available()); };
    connect(exchange, &ByteStream::head, exchange, [response](int status, const HeaderList &headers) {
        response->status = status;
        response->headers = headers;
    });
    connect(exchange, &ByteStream::readyRead, exchange, take);
    connect(exchange, &ByteStream::finished, exchange, [this, exchange, response, promise, take, method, url] {
        take();
        exchange->deleteLater();
        Q_EMIT answered(method, url, *response);
        promise.settle(std::move(*response));
    });
    connect(exchange, &ByteStream::failed, exchange, [exchange, promise](const Error &error) {
        exchange->deleteLater();
        promise.fail(error);
    });
    return promise.call();
}

} // namespace boxdeck::net
