// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/errors.h"
#include "backend/api/sandbox_target.h"
#include "backend/core/remote_path.h"
#include "backend/net/http_transport.h"

#include <memory>

namespace boxdeck::api {

/// File contents of one sandbox (protocol/envd.md sections 6 and 7). The transport outlives it. Errors: filesError().
class EnvdFilesClient
{
public:
    EnvdFilesClient(net::HttpTransport &transport, std::shared_ptr<const SandboxTarget> target);

    /// The bytes from `offset` on, never compressed. head() has status 206, or 200 when the server ignored the offset
    /// and starts from 0; other answers end in failed(). A body shorter than announced is failed(), too.
    std::unique_ptr<net::ByteStream> download(const RemotePath &path, qint64 offset = 0);

    /// Writes a file, creating folders and truncating what was there: not atomic, so write to a name of your own and
    /// move. Raw body where the sandbox surely understands it, else multipart. `progress` counts bytes of the whole
    /// body and starts again if the upload does.
    Call<void> upload(const RemotePath &path, net::UploadSource source,
                      std::function<void(qint64 sent, qint64 total)> progress = {});

    /// A whole small file. Capacity, code "too_large", if it is longer than `maxBytes`.
    Call<QByteArray> readSmall(const RemotePath &path, qint64 maxBytes);
    /// A whole small file from memory.
    Call<void> writeSmall(const RemotePath &path, const QByteArray &content);

private:
    net::HttpTransport &m_transport;
    std::shared_ptr<const SandboxTarget> m_target;
};

} // namespace boxdeck::api
