// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/teams_client.h"

#include "backend/api/control_answers.h"
#include "backend/protocol/metrics_codec.h"
#include "backend/protocol/team_codec.h"

namespace boxdeck::api {

using protocol::CreatedKey;
using protocol::KeyInfo;
using protocol::TeamMetric;

namespace {

QByteArray metricsPath(const QString &teamId, const QByteArray &rest = {})
{
    return "/teams/" + encodeSegment(teamId) + "/metrics" + rest;
}

template <typename T> Call<T> noTeam()
{
    return refused<T>(QStringLiteral("no team named"));
}

template <typename T> Call<T> noKey()
{
    return refused<T>(QStringLiteral("no key named"));
}

Call<CreatedKey> makeKey(const LinkPtr &link, const QByteArray &path, const QString &name)
{
    if (name.trimmed().isEmpty())
        return refused<CreatedKey>(QStringLiteral("a key needs a name"), QStringLiteral("bad_name"));
    return ask<CreatedKey>(
        link, link->jsonRequest("POST", path, protocol::encodeKeyName(name.trimmed()), Credential::User),
        Operation::Other, [](const QByteArray &json) { return asLost(protocol::decodeCreatedKey(json)); });
}

Call<void> removeKey(const LinkPtr &link, const QByteArray &path, const QString &id)
{
    if (id.trimmed().isEmpty())
        return noKey<void>();
    return removeWith(link, link->request("DELETE", path + encodeSegment(id), {}, Credential::User));
}

} // namespace

TeamsClient::TeamsClient(LinkPtr link)
    : m_link(std::move(link))
{
}

Call<QList<protocol::Team>> TeamsClient::list()
{
    net::HttpRequest request = m_link->request("GET", "/teams", {}, Credential::User);
    request.mayRepeat = false; // it makes keys
    return ask<QList<protocol::Team>>(m_link, std::move(request), Operation::List, &protocol::decodeTeams);
}

Call<QList<TeamMetric>> TeamsClient::metrics(const QString &teamId, const protocol::TimeWindow &window)
{
    using Samples = QList<TeamMetric>;
    if (teamId.trimmed().isEmpty())
        return noTeam<Samples>();
    return ask<Samples>(m_link, m_link->request("GET", metricsPath(teamId), protocol::windowQuery(window)),
                        Operation::Other, [window](const QByteArray &json) {
                            auto samples = protocol::decodeTeamMetrics(json);
                            if (samples)
                                samples->removeIf([&](const TeamMetric &s) { return !window.contains(s.at); });
                            return samples;
                        });
}

Call<protocol::TeamPeak> TeamsClient::peak(const QString &teamId, protocol::TeamMetricKind kind,
                                           const protocol::TimeWindow &window)
{
    if (teamId.trimmed().isEmpty())
        return noTeam<protocol::TeamPeak>();
    QByteArray query = protocol::windowQuery(window);
    addParameter(query, "metric", protocol::teamMetricWord(kind));
    return ask<protocol::TeamPeak>(m_link, m_link->request("GET", metricsPath(teamId, "/max"), query), Operation::Other,
                                   &protocol::decodeTeamPeak);
}

Call<QList<KeyInfo>> TeamsClient::apiKeys()
{
    return ask<QList<KeyInfo>>(m_link, m_link->request("GET", "/api-keys", {}, Credential::User), Operation::List,
                               &protocol::decodeKeys);
}

Call<CreatedKey> TeamsClient::createApiKey(const QString &name)
{
    return makeKey(m_link, "/api-keys", name);
}

Call<void> TeamsClient::renameApiKey(const QString &keyId, const QString &name)
{
    if (keyId.trimmed().isEmpty())
        return noKey<void>();
    if (name.trimmed().isEmpty())
        return refused<void>(QStringLiteral("a key needs a name"), QStringLiteral("bad_name"));
    net::HttpRequest request = m_link->jsonRequest("PATCH", "/api-keys/" + encodeSegment(keyId),
                                                   protocol::encodeKeyName(name.trimmed()), Credential::User);
    request.mayRepeat = true;
    return tell(m_link, std::move(request));
}

Call<void> TeamsClient::removeApiKey(const QString &keyId)
{
    return removeKey(m_link, "/api-keys/", keyId);
}

Call<CreatedKey> TeamsClient::createAccessToken(const QString &name)
{
    return makeKey(m_link, "/access-tokens", name);
}

Call<void> TeamsClient::removeAccessToken(const QString &tokenId)
{
    return removeKey(m_link, "/access-tokens/", tokenId);
}

} // namespace boxdeck::api
