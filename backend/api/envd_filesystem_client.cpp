// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/envd_filesystem_client.h"

#include "backend/api/decode_job.h"
#include "backend/api/unary_call.h"
#include "backend/protocol/filesystem_codec.h"

namespace boxdeck::api {

namespace {

constexpr qint64 maxListing = 256 * 1024 * 1024;

/// An entry for servers that answer a change without one.
protocol::EntryInfo bareEntry(const RemotePath &path, protocol::FileType type)
{
    return {.name = path.name(), .path = path, .type = type};
}

Result<protocol::EntryInfo> entryOr(Result<QByteArray> body, const protocol::EntryInfo &fallback)
{
    if (!body)
        return tl::unexpected(std::move(body.error()));
    auto entry = protocol::decodeEntry(body->isEmpty() ? QByteArrayLiteral("{}") : *body);
    if (!entry)
        return tl::unexpected(std::move(entry.error()));
    return entry->value_or(fallback);
}

/// Servers may ignore the depth and list the folder itself (protocol/compat.md 3.30). What lies elsewhere is left for
/// isDirectChildOf() to refuse, so that it is reported and not swallowed.
QList<protocol::EntryInfo> within(QList<protocol::EntryInfo> entries, const RemotePath &folder, int depth)
{
    const auto slashes = [](const RemotePath &path) { return path.isRoot() ? 0 : path.bytes().count('/'); };
    entries.removeIf([&](const protocol::EntryInfo &entry) {
        if (entry.path == folder)
            return entry.name == folder.name() && !folder.isRoot();
        return folder.contains(entry.path) && slashes(entry.path) - slashes(folder) > depth;
    });
    return entries;
}

} // namespace

WatchStream::WatchStream(std::unique_ptr<net::ConnectStream> stream, std::chrono::milliseconds silence)
    : m_stream(std::move(stream))
    , m_silence(silence)
{
    connect(m_stream.get(), &net::ConnectStream::message, this, &WatchStream::take);
    connect(m_stream.get(), &net::ConnectStream::ended, this, &WatchStream::ended);
}

void WatchStream::close()
{
    m_stream->disconnect(this);
    m_stream->close();
}

void WatchStream::take(const QByteArray &json)
{
    auto decoded = protocol::decodeWatchEvent(json);
    if (!decoded) {
        close();
        Q_EMIT ended({.kind = net::StreamEnd::Kind::BrokenOff, .error = std::move(decoded.error())});
        return;
    }
    if (decoded->kind == protocol::WatchEvent::Kind::KeepAlive)
        m_stream->setSilenceLimit(m_silence);
    Q_EMIT event(*decoded);
}

EnvdFilesystemClient::EnvdFilesystemClient(net::HttpTransport &transport, std::shared_ptr<const SandboxTarget> target)
    : m_transport(transport)
    , m_target(std::move(target))
{
}

Call<protocol::EntryInfo> EnvdFilesystemClient::stat(const RemotePath &path)
{
    return unaryCall(m_transport, *m_target, "/filesystem.Filesystem/Stat", protocol::encodePath(path), true)
        .map([](Result<QByteArray> body) -> Result<protocol::EntryInfo> {
            if (!body)
                return tl::unexpected(std::move(body.error()));
            auto entry = protocol::decodeEntry(*body);
            if (!entry)
                return tl::unexpected(std::move(entry.error()));
            if (!*entry)
                return tl::unexpected(Error{.kind = ErrorKind::NotFound,
                                            .delivery = Delivery::Answered,
                                            .code = QStringLiteral("not_found"),
                                            .message = QStringLiteral("the answer holds no entry")});
            return std::move(**entry);
        });
}

Call<QList<protocol::EntryInfo>> EnvdFilesystemClient::list(const RemotePath &path, int depth)
{
    return unaryCall(m_transport, *m_target, "/filesystem.Filesystem/ListDir", protocol::encodeListDir(path, depth),
                     true, maxListing)
        .chain([](Result<QByteArray> body) {
            if (!body)
                return Call<QList<protocol::EntryInfo>>::settled(tl::unexpected(std::move(body.error())));
            return decoded(*body, &protocol::decodeEntries);
        })
        .map([path, depth](Result<QList<protocol::EntryInfo>> entries) -> Result<QList<protocol::EntryInfo>> {
            if (!entries)
                return entries;
            return within(std::move(*entries), path, qMax(1, depth));
        });
}

Call<protocol::EntryInfo> EnvdFilesystemClient::makeDir(const RemotePath &path)
{
    // Not repeated: the second of two would say "already exists" about the first.
    return unaryCall(m_transport, *m_target, "/filesystem.Filesystem/MakeDir", protocol::encodePath(path), false)
        .map([path](Result<QByteArray> body) {
            return entryOr(std::move(body), bareEntry(path, protocol::FileType::Directory));
        });
}

Call<protocol::EntryInfo> EnvdFilesystemClient::move(const RemotePath &from, const RemotePath &to)
{
    return unaryCall(m_transport, *m_target, "/filesystem.Filesystem/Move", protocol::encodeMove(from, to), false)
        .map([to](Result<QByteArray> body) {
            return entryOr(std::move(body), bareEntry(to, protocol::FileType::Unknown));
        });
}

Call<void> EnvdFilesystemClient::remove(const RemotePath &path)
{
    if (path.isRoot())
        return Call<void>::settled(tl::unexpected(Error{.kind = ErrorKind::InvalidRequest,
                                                        .code = QStringLiteral("bad_request"),
                                                        .message = QStringLiteral("'/' is never removed")}));
    return unaryCall(m_transport, *m_target, "/filesystem.Filesystem/Remove", protocol::encodePath(path), true)
        .map([](Result<QByteArray> body) -> Result<void> {
            if (!body && body.error().kind != ErrorKind::NotFound)
                return tl::unexpected(std::move(body.error()));
            return {};
        });
}

std::unique_ptr<WatchStream> EnvdFilesystemClient::watch(const RemotePath &path, bool recursive)
{
    const bool includeEntry = m_target->envdVersion.mayHave(0, 6, 3);
    return std::make_unique<WatchStream>(streamingCall(m_transport, *m_target, "/filesystem.Filesystem/WatchDir",
                                                       protocol::encodeWatchDir(path, recursive, includeEntry), true),
                                         silenceLimit);
}

} // namespace boxdeck::api
