// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/errors.h"
#include "backend/api/sandbox_target.h"
#include "backend/core/remote_path.h"
#include "backend/net/http_transport.h"

#include <QDateTime>
#include <QMap>

#include <memory>
#include <optional>

namespace boxdeck::api {

/// What a signed link lets its holder do.
enum class LinkUse { Read, Write };

/// What is noted with a file, by key. Keys are words of header names, at most 246 characters, and come back in lower
/// case; values are printable ASCII; at most 4096 bytes in all.
using FileMetadata = QMap<QString, QString>;

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
    /// body and starts again if the upload does. `metadata` replaces what was noted before, also when it is empty.
    /// Unsupported without a call where the version has no metadata, InvalidRequest (code "bad_metadata") where it
    /// can't be sent.
    Call<void> upload(const RemotePath &path, net::UploadSource source,
                      std::function<void(qint64 sent, qint64 total)> progress = {}, const FileMetadata &metadata = {});

    /// Joins files to one, in order, and removes them. The new file appears at once and whole. Sent once. Unsupported
    /// where the sandbox has no such call; NotFound: a part is missing; Capacity: the disk is full.
    Call<void> compose(const QList<RemotePath> &parts, const RemotePath &destination);
    bool surelyComposes() const { return m_target->envdVersion.surelyHas(protocol::EnvdFeature::Compose); }

    /// A link with which anybody can read or write this one file, until `expiry` if it is set; `user` is empty for the
    /// sandbox's default. Take it with toEncoded(): a plus or slash left bare would break it. Unsupported, code
    /// "not_secure", where the sandbox has no token to sign with.
    Result<QUrl> signedUrl(const RemotePath &path, LinkUse use, const QString &user,
                           const std::optional<QDateTime> &expiry = {}) const;

    /// A whole small file. Capacity, code "too_large", if it is longer than `maxBytes`.
    Call<QByteArray> readSmall(const RemotePath &path, qint64 maxBytes);
    /// A whole small file from memory.
    Call<void> writeSmall(const RemotePath &path, const QByteArray &content);

private:
    net::HttpTransport &m_transport;
    std::shared_ptr<const SandboxTarget> m_target;
};

} // namespace boxdeck::api
