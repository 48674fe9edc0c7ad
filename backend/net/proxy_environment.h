// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QNetworkProxy>
#include <QProcessEnvironment>
#include <QUrl>

namespace boxdeck::net {

/// True for localhost, *.localhost, 127.0.0.0/8 and ::1: this computer, which no proxy can reach for us.
bool isLoopback(const QString &host);

/// The proxies named by http_proxy, https_proxy, all_proxy and no_proxy (lower case first, as curl reads them). Only
/// the environment counts: asking the desktop can block for seconds.
class ProxyEnvironment
{
public:
    ProxyEnvironment() = default; ///< no proxies
    explicit ProxyEnvironment(const QProcessEnvironment &environment);
    static ProxyEnvironment fromProcess();

    /// The proxy for a URL; QNetworkProxy::NoProxy for loopback and what no_proxy names.
    QNetworkProxy proxyFor(const QUrl &url) const;

private:
    bool isExempt(const QUrl &url) const;

    QNetworkProxy m_http{QNetworkProxy::NoProxy};
    QNetworkProxy m_https{QNetworkProxy::NoProxy};
    QStringList m_exempt;
};

} // namespace boxdeck::net
