// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/admin_client.h"

#include "backend/api/control_answers.h"
#include "backend/protocol/node_codec.h"
#include "backend/protocol/team_codec.h"

namespace boxdeck::api {

using protocol::Node;
using protocol::NodeId;
using protocol::SweepResult;

namespace {

QByteArray clusterQuery(const QString &clusterId)
{
    QByteArray query;
    if (!clusterId.isEmpty())
        addParameter(query, "clusterID", clusterId);
    return query;
}

QByteArray nodePath(const NodeId &id)
{
    return "/nodes/" + encodeSegment(id.value);
}

QByteArray teamPath(const QString &teamId, const QByteArray &rest)
{
    return "/admin/teams/" + encodeSegment(teamId) + rest;
}

template <typename T> Call<T> nothingNamed()
{
    return refused<T>(QStringLiteral("nothing named"));
}

Call<SweepResult> sweep(const LinkPtr &link, const QString &teamId, const QByteArray &rest)
{
    if (teamId.trimmed().isEmpty())
        return nothingNamed<SweepResult>();
    return ask<SweepResult>(link, link->jsonRequest("POST", teamPath(teamId, rest), "{}", Credential::Admin),
                            Operation::Other, &protocol::decodeSweep);
}

} // namespace

AdminClient::AdminClient(LinkPtr link)
    : m_link(std::move(link))
{
}

Call<QList<Node>> AdminClient::nodes(const QString &clusterId)
{
    return ask<QList<Node>>(m_link, m_link->request("GET", "/nodes", clusterQuery(clusterId), Credential::Admin),
                            Operation::List, &protocol::decodeNodes);
}

Call<Node> AdminClient::node(const NodeId &id, const QString &clusterId)
{
    if (isBlank(id))
        return nothingNamed<Node>();
    return ask<Node>(m_link, m_link->request("GET", nodePath(id), clusterQuery(clusterId), Credential::Admin),
                     Operation::Other, &protocol::decodeNode);
}

Call<void> AdminClient::setNodeStatus(const NodeId &id, protocol::NodeStatus status, const QString &clusterId)
{
    if (isBlank(id) || status == protocol::NodeStatus::Other)
        return nothingNamed<void>();
    return tell(m_link, m_link->jsonRequest("POST", nodePath(id), protocol::encodeNodeStatus(status, clusterId),
                                            Credential::Admin));
}

Call<SweepResult> AdminClient::killSandboxes(const QString &teamId)
{
    return sweep(m_link, teamId, "/sandboxes/kill");
}

Call<SweepResult> AdminClient::cancelBuilds(const QString &teamId)
{
    return sweep(m_link, teamId, "/builds/cancel");
}

Call<QMap<QString, qint64>> AdminClient::runningCounts()
{
    return ask<QMap<QString, qint64>>(m_link,
                                      m_link->request("GET", "/admin/sandboxes/running-counts", {}, Credential::Admin),
                                      Operation::List, &protocol::decodeCounts);
}

Call<protocol::CreatedKey> AdminClient::createApiKey(const QString &teamId, const QString &name)
{
    if (teamId.trimmed().isEmpty() || name.trimmed().isEmpty())
        return nothingNamed<protocol::CreatedKey>();
    return ask<protocol::CreatedKey>(m_link,
                                     m_link->jsonRequest("POST", teamPath(teamId, "/api-keys"),
                                                         protocol::encodeKeyName(name.trimmed()), Credential::Admin),
                                     Operation::Other,
                                     [](const QByteArray &json) { return asLost(protocol::decodeCreatedKey(json)); });
}

Call<void> AdminClient::removeApiKey(const QString &teamId, const QString &keyId)
{
    if (teamId.trimmed().isEmpty() || keyId.trimmed().isEmpty())
        return nothingNamed<void>();
    return removeWith(m_link, m_link->request("DELETE", teamPath(teamId, "/api-keys/" + encodeSegment(keyId)), {},
                                              Credential::Admin));
}

} // namespace boxdeck::api
