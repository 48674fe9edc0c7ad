// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_link.h"
#include "backend/net/byte_stream.h"
#include "backend/protocol/volume.h"

namespace boxdeck::api {

/// The content of one volume, without a sandbox (protocol/control-plane.md section 10). Has its own address and its
/// own token, which wears out: ask VolumesClient::access() for a new one when it is refused (Authentication).
class VolumeContentClient
{
public:
    VolumeContentClient(LinkPtr link, protocol::VolumeAccess access);

    const protocol::VolumeAccess &access() const { return m_access; }

    Call<protocol::VolumeEntry> stat(const RemotePath &path);
    Call<protocol::VolumeEntry> setOwnership(const RemotePath &path, const protocol::VolumeOwnership &ownership);
    /// One that is gone already is success.
    Call<void> remove(const RemotePath &path);
    /// The entries below a folder, down to `depth` levels.
    Call<QList<protocol::VolumeEntry>> list(const RemotePath &folder, quint32 depth = 1);
    Call<protocol::VolumeEntry> makeFolder(const RemotePath &path, bool withParents = true,
                                           const protocol::VolumeOwnership &ownership = {});
    /// The bytes of a file; errors of a refused request arrive through failed().
    std::unique_ptr<net::ByteStream> download(const RemotePath &path);
    Call<protocol::VolumeEntry> upload(const RemotePath &path, net::UploadSource source, bool overwrite = true,
                                       const protocol::VolumeOwnership &ownership = {},
                                       std::function<void(qint64 sent, qint64 total)> progress = {});

private:
    net::HttpRequest request(const QByteArray &method, const QByteArray &call, const RemotePath &path,
                             const QByteArray &moreQuery = {}) const;

    LinkPtr m_link;
    protocol::VolumeAccess m_access;
};

/// Volumes (protocol/control-plane.md 8.12). Errors as in ControlPlaneClient.
class VolumesClient
{
public:
    explicit VolumesClient(LinkPtr link);

    Call<QList<protocol::Volume>> list();
    /// Sent once. InvalidRequest for a name in use, or one that is not letters, digits, _ and - (without a call).
    Call<protocol::VolumeAccess> create(const QString &name);
    /// With a fresh token.
    Call<protocol::VolumeAccess> access(const protocol::VolumeId &id);
    /// One that is gone already is success. Conflict where sandboxes that mount it keep it.
    Call<void> remove(const protocol::VolumeId &id);
    VolumeContentClient content(const protocol::VolumeAccess &access) const { return {m_link, access}; }

private:
    LinkPtr m_link;
};

} // namespace boxdeck::api
