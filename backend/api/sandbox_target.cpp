// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/sandbox_target.h"

#include <QHostAddress>

namespace boxdeck::api {

namespace {

QString domainOf(const Endpoint &endpoint, const QString &answered)
{
    QString domain = answered.trimmed();
    if (domain.isEmpty())
        domain = endpoint.domain.trimmed();
    while (domain.endsWith(QLatin1Char('.')))
        domain.chop(1);
    return domain.isEmpty() ? QStringLiteral("e2b.app") : domain;
}

/// "host:port" and "[::1]:port" taken apart; port -1 if there is none.
std::pair<QString, int> splitAuthority(const QString &authority)
{
    QUrl url;
    url.setAuthority(authority);
    return {url.host(), url.port(-1)};
}

QUrl hostUrl(const Endpoint &endpoint, const protocol::SandboxId &id, const QString &domain, int port)
{
    const auto [host, hostPort] = splitAuthority(domain);
    QUrl url;
    url.setScheme(endpoint.envdScheme.trimmed().isEmpty() ? QStringLiteral("https") : endpoint.envdScheme.trimmed());
    // Below an IP address there are no names: the way in tells sandboxes apart by the routing headers there.
    const bool isAddress = !QHostAddress(host).isNull();
    url.setHost(isAddress ? host : QStringLiteral("%1-%2.%3").arg(QString::number(port), id.value, host));
    if (hostPort > 0)
        url.setPort(hostPort);
    return url;
}

SandboxTarget target(const Endpoint &endpoint, const protocol::SandboxId &id, const QString &answeredDomain)
{
    SandboxTarget result{.id = id,
                         .gateway = endpoint.gateway,
                         .user = endpoint.user.trimmed(),
                         .envdPort = endpoint.envdPort,
                         .forceMultipart = endpoint.forceMultipart};
    if (endpoint.sandboxUrl && !endpoint.gateway)
        result.base = *endpoint.sandboxUrl;
    else
        result.base = hostUrl(endpoint, id, domainOf(endpoint, answeredDomain), endpoint.envdPort);
    return result;
}

void setVersion(SandboxTarget &target, const QString &version)
{
    target.envdVersion = protocol::EnvdVersion(version);
    // Old ones choose nobody by themselves.
    if (target.user.isEmpty() && !target.envdVersion.mayHave(protocol::EnvdFeature::OwnDefaultUser))
        target.user = QStringLiteral("user");
}

} // namespace

net::HeaderList SandboxTarget::headers() const
{
    net::HeaderList list{{QByteArrayLiteral("E2b-Sandbox-Id"), id.value.toUtf8()},
                         {QByteArrayLiteral("E2b-Sandbox-Port"), QByteArray::number(envdPort)}};
    // An empty header is not the same as none: envd takes it for a wrong token on some versions.
    if (!envdAccessToken.isEmpty())
        list.append({QByteArrayLiteral("X-Access-Token"), envdAccessToken.reveal()});
    if (!trafficAccessToken.isEmpty())
        list.append({QByteArrayLiteral("e2b-traffic-access-token"), trafficAccessToken.reveal()});
    if (!user.isEmpty())
        list.append({QByteArrayLiteral("Authorization"), "Basic " + (user.toUtf8() + ':').toBase64()});
    return list;
}

QUrl SandboxTarget::url(const QByteArray &path, const QByteArray &query) const
{
    return joinUrl(base, path, query);
}

SandboxTarget targetOf(const Endpoint &endpoint, const protocol::SandboxAccess &access)
{
    SandboxTarget result = target(endpoint, access.id, access.domain);
    result.envdAccessToken = access.envdAccessToken;
    result.trafficAccessToken = access.trafficAccessToken;
    setVersion(result, access.envdVersion);
    return result;
}

SandboxTarget targetOf(const Endpoint &endpoint, const protocol::SandboxDetail &detail,
                       const Secret &trafficAccessToken)
{
    SandboxTarget result = target(endpoint, detail.id, detail.domain);
    result.envdAccessToken = detail.envdAccessToken;
    result.trafficAccessToken = trafficAccessToken;
    setVersion(result, detail.envdVersion);
    return result;
}

QUrl portUrl(const Endpoint &endpoint, const protocol::SandboxId &id, const QString &answeredDomain, int port)
{
    return hostUrl(endpoint, id, domainOf(endpoint, answeredDomain), port);
}

QByteArray encodeSegment(const QString &text)
{
    return encodeSegment(text.toUtf8());
}

QByteArray encodeSegment(const QByteArray &bytes)
{
    return bytes.toPercentEncoding(); // leaves exactly the unreserved characters, hex in upper case
}

QUrl joinUrl(const QUrl &base, const QByteArray &path, const QByteArray &query)
{
    QUrl url = base;
    QByteArray joined = base.path(QUrl::FullyEncoded).toLatin1();
    while (joined.endsWith('/'))
        joined.chop(1);
    // Already encoded: QUrl keeps %2F and %25 as they are in strict mode and never decodes them.
    url.setPath(QString::fromLatin1(joined + path), QUrl::StrictMode);
    url.setQuery(query.isEmpty() ? QString() : QString::fromLatin1(query), QUrl::StrictMode);
    url.setFragment(QString());
    return url;
}

} // namespace boxdeck::api
