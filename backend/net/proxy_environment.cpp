// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/proxy_environment.h"

#include <QHostAddress>

namespace boxdeck::net {

namespace {

QString hostWithoutBrackets(const QString &host)
{
    return host.startsWith(QLatin1Char('[')) && host.endsWith(QLatin1Char(']')) ? host.mid(1, host.size() - 2) : host;
}

QNetworkProxy proxyOf(const QString &text)
{
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty())
        return QNetworkProxy(QNetworkProxy::NoProxy);
    const QUrl url(trimmed.contains(QLatin1String("://")) ? trimmed : QStringLiteral("http://") + trimmed);
    if (!url.isValid() || url.host().isEmpty())
        return QNetworkProxy(QNetworkProxy::NoProxy);
    const bool socks = url.scheme().startsWith(QLatin1String("socks"));
    QNetworkProxy proxy(socks ? QNetworkProxy::Socks5Proxy : QNetworkProxy::HttpProxy, url.host(),
                        static_cast<quint16>(url.port(socks ? 1080 : 80)), url.userName(QUrl::FullyDecoded),
                        url.password(QUrl::FullyDecoded));
    return proxy;
}

QString variable(const QProcessEnvironment &environment, const QString &lowerCase)
{
    const QString value = environment.value(lowerCase);
    return value.isEmpty() ? environment.value(lowerCase.toUpper()) : value;
}

} // namespace

bool isLoopback(const QString &host)
{
    const QString name = hostWithoutBrackets(host).toLower();
    if (name == QLatin1String("localhost") || name.endsWith(QLatin1String(".localhost")))
        return true;
    QHostAddress address;
    return address.setAddress(name) && address.isLoopback();
}

ProxyEnvironment::ProxyEnvironment(const QProcessEnvironment &environment)
{
    const QString all = variable(environment, QStringLiteral("all_proxy"));
    const auto named = [&](const QString &name) {
        const QString value = variable(environment, name);
        return proxyOf(value.isEmpty() ? all : value);
    };
    m_http = named(QStringLiteral("http_proxy"));
    m_https = named(QStringLiteral("https_proxy"));
    for (const QString &entry : variable(environment, QStringLiteral("no_proxy")).split(QLatin1Char(','))) {
        const QString host = entry.trimmed().toLower();
        if (!host.isEmpty())
            m_exempt.append(host);
    }
}

ProxyEnvironment ProxyEnvironment::fromProcess()
{
    return ProxyEnvironment(QProcessEnvironment::systemEnvironment());
}

QNetworkProxy ProxyEnvironment::proxyFor(const QUrl &url) const
{
    if (isLoopback(url.host()) || isExempt(url))
        return QNetworkProxy(QNetworkProxy::NoProxy);
    return url.scheme() == QLatin1String("https") ? m_https : m_http;
}

bool ProxyEnvironment::isExempt(const QUrl &url) const
{
    const QString host = hostWithoutBrackets(url.host()).toLower();
    const QHostAddress address(host);
    for (const QString &entry : m_exempt) {
        if (entry == QLatin1String("*"))
            return true;
        if (entry.contains(QLatin1Char('/'))) {
            const auto subnet = QHostAddress::parseSubnet(entry);
            if (!address.isNull() && subnet.second >= 0 && address.isInSubnet(subnet))
                return true;
            continue;
        }
        QString name = entry;
        // "host:port" exempts only that port; an IPv6 address has several colons and no port here.
        if (name.count(QLatin1Char(':')) == 1) {
            const int port = name.section(QLatin1Char(':'), 1).toInt();
            if (port != url.port(url.scheme() == QLatin1String("https") ? 443 : 80))
                continue;
            name = name.section(QLatin1Char(':'), 0, 0);
        }
        while (name.startsWith(QLatin1Char('*')) || name.startsWith(QLatin1Char('.')))
            name.remove(0, 1);
        if (!name.isEmpty() && (host == name || host.endsWith(QLatin1Char('.') + name)))
            return true;
    }
    return false;
}

} // namespace boxdeck::net
