// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/snapshots_client.h"

#include "backend/api/control_answers.h"
#include "backend/api/template_paths.h"
#include "backend/protocol/snapshot_codec.h"

namespace boxdeck::api {

using protocol::Page;
using protocol::Snapshot;

namespace {

Call<Page<Snapshot>> pageOf(const LinkPtr &link, const protocol::SnapshotQuery &query)
{
    QByteArray text = pageQuery(query.limit, query.nextToken);
    if (!query.source.isEmpty())
        addParameter(text, "sandboxID", query.source.value);
    if (!query.name.isEmpty())
        addParameter(text, "name", query.name);
    return askPage<Snapshot>(link, link->request("GET", "/snapshots", text), &protocol::decodeSnapshots);
}

} // namespace

SnapshotsClient::SnapshotsClient(LinkPtr link)
    : m_link(std::move(link))
{
}

Call<Snapshot> SnapshotsClient::create(const protocol::SandboxId &sandbox, const QString &name)
{
    if (isBlank(sandbox))
        return refused<Snapshot>(QStringLiteral("no sandbox named"));
    net::HttpRequest request =
        m_link->jsonRequest("POST", sandboxPath(sandbox, "/snapshots"), protocol::encodeNewSnapshot(name));
    request.timeouts.firstByte = stateIsWritten;
    return ask<Snapshot>(m_link, std::move(request), Operation::Get,
                         [](const QByteArray &json) { return asLost(protocol::decodeSnapshot(json)); });
}

Call<Page<Snapshot>> SnapshotsClient::list(const protocol::SnapshotQuery &query)
{
    return pageOf(m_link, query);
}

Call<QList<Snapshot>> SnapshotsClient::listAll(protocol::SnapshotQuery query)
{
    return allPages<Snapshot>([link = m_link, query](const QString &token) mutable {
        query.nextToken = token;
        return pageOf(link, query);
    });
}

Call<void> SnapshotsClient::remove(const protocol::SnapshotId &snapshot)
{
    if (isBlank(snapshot))
        return refused<void>(QStringLiteral("no snapshot named"));
    // Snapshots have no path of their own.
    return removeWith(m_link, m_link->request("DELETE", templatePath(snapshot.value)), Operation::DeleteTemplate);
}

} // namespace boxdeck::api
