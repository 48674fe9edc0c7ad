// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/volumes_client.h"

#include "backend/api/control_answers.h"
#include "backend/protocol/volume_codec.h"

namespace boxdeck::api {

using protocol::Volume;
using protocol::VolumeAccess;
using protocol::VolumeEntry;

namespace {

constexpr std::chrono::hours transferTime{1};

QByteArray volumePath(const protocol::VolumeId &id)
{
    return "/volumes/" + encodeSegment(id.value);
}

template <typename T> Call<T> noVolume()
{
    return refused<T>(QStringLiteral("no volume named"));
}

QByteArray flag(const char *name, bool set)
{
    return QByteArray("&") + name + (set ? "=true" : "=false");
}

/// Where the content of a volume is (protocol/control-plane.md section 10): what the account says, the host the answer
/// names, api.<domain>, and else where the control plane is.
QUrl contentBase(const Endpoint &endpoint, const VolumeAccess &access)
{
    if (endpoint.volumeUrl)
        return *endpoint.volumeUrl;
    QString host = access.domain;
    if (host.contains(QLatin1String("://")))
        return QUrl(host, QUrl::StrictMode);
    const QString own = endpoint.apiUrl.authority(QUrl::FullyEncoded);
    const QString configured = endpoint.domain.trimmed();
    if (host.isEmpty() && !configured.isEmpty() && !endpoint.sandboxUrl)
        host = QStringLiteral("api.") + configured;
    // The same server without TLS, as a local one is: its scheme and prefix are known.
    if (host.isEmpty() || host == own || host == endpoint.apiUrl.host())
        return endpoint.apiUrl;
    QUrl url;
    url.setScheme(QStringLiteral("https"));
    url.setAuthority(host, QUrl::StrictMode);
    return url;
}

} // namespace

VolumeContentClient::VolumeContentClient(LinkPtr link, VolumeAccess access)
    : m_link(std::move(link))
    , m_access(std::move(access))
{
}

net::HttpRequest VolumeContentClient::request(const QByteArray &method, const QByteArray &call, const RemotePath &path,
                                              const QByteArray &moreQuery) const
{
    net::HttpRequest request{.method = method,
                             .url = joinUrl(contentBase(m_link->endpoint, m_access),
                                            "/volumecontent/" + encodeSegment(m_access.id.value) + call,
                                            "path=" + encodeSegment(path.bytes()) + moreQuery)};
    // Its own token, and never the account's key: this may be another server.
    request.headers.emplace_back("Authorization", "Bearer " + m_access.token.reveal());
    request.mayRepeat = true;
    return request;
}

Call<VolumeEntry> VolumeContentClient::stat(const RemotePath &path)
{
    return ask<VolumeEntry>(m_link, request("GET", "/path", path), Operation::Other, &protocol::decodeVolumeEntry);
}

Call<VolumeEntry> VolumeContentClient::setOwnership(const RemotePath &path, const protocol::VolumeOwnership &ownership)
{
    net::HttpRequest patch = request("PATCH", "/path", path);
    patch.body = protocol::encodeOwnership(ownership);
    return ask<VolumeEntry>(m_link, std::move(patch), Operation::Other, &protocol::decodeVolumeEntry);
}

Call<void> VolumeContentClient::remove(const RemotePath &path)
{
    return removeWith(m_link, request("DELETE", "/path", path));
}

Call<QList<VolumeEntry>> VolumeContentClient::list(const RemotePath &folder, quint32 depth)
{
    return ask<QList<VolumeEntry>>(m_link,
                                   request("GET", "/dir", folder, "&depth=" + QByteArray::number(qMax(1U, depth))),
                                   Operation::Other, &protocol::decodeVolumeEntries);
}

Call<VolumeEntry> VolumeContentClient::makeFolder(const RemotePath &path, bool withParents,
                                                  const protocol::VolumeOwnership &ownership)
{
    return ask<VolumeEntry>(
        m_link, request("POST", "/dir", path, flag("force", withParents) + protocol::ownershipQuery(ownership)),
        Operation::Other, &protocol::decodeVolumeEntry);
}

std::unique_ptr<net::ByteStream> VolumeContentClient::download(const RemotePath &path)
{
    net::HttpRequest get = request("GET", "/file", path);
    get.headers.emplace_back("Accept", "application/octet-stream, application/json;q=0.9");
    get.lane = net::Lane::Bulk;
    get.timeouts.total = transferTime;
    get.statusError = [](const net::HttpResponse &response) { return controlError(response, Operation::Other); };
    return m_link->transport.open(std::move(get));
}

Call<VolumeEntry> VolumeContentClient::upload(const RemotePath &path, net::UploadSource source, bool overwrite,
                                              const protocol::VolumeOwnership &ownership,
                                              std::function<void(qint64, qint64)> progress)
{
    net::HttpRequest put =
        request("PUT", "/file", path, flag("force", overwrite) + protocol::ownershipQuery(ownership));
    put.headers.emplace_back("Content-Type", "application/octet-stream");
    put.lane = net::Lane::Bulk;
    put.timeouts.total = transferTime;
    put.timeouts.firstByte = std::chrono::minutes(2);
    put.mayRepeat = overwrite; // without it the second try would meet the file of the first
    put.upload = std::move(source);
    put.progress = std::move(progress);
    return ask<VolumeEntry>(m_link, std::move(put), Operation::Other, &protocol::decodeVolumeEntry);
}

VolumesClient::VolumesClient(LinkPtr link)
    : m_link(std::move(link))
{
}

Call<QList<Volume>> VolumesClient::list()
{
    return ask<QList<Volume>>(m_link, m_link->request("GET", "/volumes"), Operation::List, &protocol::decodeVolumes);
}

Call<VolumeAccess> VolumesClient::create(const QString &name)
{
    if (!protocol::isVolumeName(name))
        return refused<VolumeAccess>(QStringLiteral("a volume's name is letters, digits, _ and -"),
                                     QStringLiteral("bad_name"));
    return ask<VolumeAccess>(m_link, m_link->jsonRequest("POST", "/volumes", protocol::encodeNewVolume(name)),
                             Operation::Other,
                             [](const QByteArray &json) { return asLost(protocol::decodeVolumeAccess(json)); });
}

Call<VolumeAccess> VolumesClient::access(const protocol::VolumeId &id)
{
    if (isBlank(id))
        return noVolume<VolumeAccess>();
    return ask<VolumeAccess>(m_link, m_link->request("GET", volumePath(id)), Operation::Other,
                             &protocol::decodeVolumeAccess);
}

Call<void> VolumesClient::remove(const protocol::VolumeId &id)
{
    if (isBlank(id))
        return noVolume<void>();
    return removeWith(m_link, m_link->request("DELETE", volumePath(id)), Operation::DeleteTemplate);
}

} // namespace boxdeck::api
