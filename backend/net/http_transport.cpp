// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/http_transport.h"

#include "backend/net/http_exchange.h"

#include <QNetworkAccessManager>
#include <QNetworkProxyFactory>
#include <QSet>

#include <vector>

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
    return gateway.host.toLower() + QLatin1Char(':') +
           QString::number(gateway.port != 0 ? gateway.port : (gateway.tls ? 443 : 80));
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

/// The managers. QNetworkAccessManager holds six connections to a host and lets further requests wait without a word.
class HttpTransport::Lanes
{
public:
    explicit Lanes(TransportOptions options)
        : m_options(std::move(options))
        , m_direct(std::make_shared<Addresses>())
        , m_control(makeManager())
        , m_bulk(makeManager())
    {
    }

    ExchangePlace place(const HttpRequest &request)
    {
        if (request.gateway)
            m_direct->insert(addressOf(request));
        const bool viaProxy =
            !request.gateway && m_options.proxies.proxyFor(request.url).type() != QNetworkProxy::NoProxy;
        switch (request.lane) {
        case Lane::Control:
            return {*m_control, {}, m_options.tls, viaProxy};
        case Lane::Bulk:
            return {*m_bulk, {}, m_options.tls, viaProxy};
        case Lane::Stream:
            break;
        }
        return streamPlace(addressOf(request), viaProxy);
    }

private:
    struct StreamManager
    {
        std::unique_ptr<QNetworkAccessManager> manager;
        std::shared_ptr<QHash<QString, int>> streams = std::make_shared<QHash<QString, int>>(); ///< by address
    };

    ExchangePlace streamPlace(const QString &address, bool viaProxy)
    {
        auto free = std::find_if(m_streams.begin(), m_streams.end(), [&](const StreamManager &candidate) {
            return candidate.streams->value(address) < streamsPerManager;
        });
        if (free == m_streams.end()) {
            m_streams.push_back({.manager = makeManager()});
            free = std::prev(m_streams.end());
        }
        ++(*free->streams)[address];
        auto giveBack = [streams = free->streams, address](void *) {
            if (--(*streams)[address] <= 0)
                streams->remove(address);
        };
        return {*free->manager, std::shared_ptr<void>(free->manager.get(), giveBack), m_options.tls, viaProxy};
    }

    std::unique_ptr<QNetworkAccessManager> makeManager() const
    {
        auto manager = std::make_unique<QNetworkAccessManager>();
        manager->setProxyFactory(new Routes(m_options.proxies, m_direct)); // the manager owns it
        manager->setAutoDeleteReplies(false);
        return manager;
    }

    TransportOptions m_options;
    std::shared_ptr<Addresses> m_direct;
    std::unique_ptr<QNetworkAccessManager> m_control;
    std::unique_ptr<QNetworkAccessManager> m_bulk;
    std::vector<StreamManager> m_streams;
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

std::unique_ptr<ByteStream> HttpTransport::open(HttpRequest request)
{
    auto place = m_lanes->place(request);
    return std::make_unique<HttpExchange>(std::move(place), std::move(request));
}

Call<HttpResponse> HttpTransport::send(HttpRequest request)
{
    const qint64 limit = request.maxBody;
    auto place = m_lanes->place(request);
    request.statusError = {}; // every status is an answer here
    // Owned by itself until it ends or the caller loses interest, and by the transport at the latest.
    auto *exchange = new HttpExchange(std::move(place), std::move(request), this);
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
    connect(exchange, &ByteStream::finished, exchange, [exchange, response, promise, take] {
        take();
        exchange->deleteLater();
        promise.settle(std::move(*response));
    });
    connect(exchange, &ByteStream::failed, exchange, [exchange, promise](const Error &error) {
        exchange->deleteLater();
        promise.fail(error);
    });
    return promise.call();
}

} // namespace boxdeck::net
