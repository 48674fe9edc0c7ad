// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/envd_filesystem_client.h"

#include "backend/api/decode_job.h"
#include "backend/api/unary_call.h"
#include "backend/api/watches.h"
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

Result<void> doneEvenIfGone(Result<QByteArray> body)
{
    if (!body && body.error().kind != ErrorKind::NotFound)
        return tl::unexpected(std::move(body.error()));
    return {};
}

template <typename T> Result<T> decodedBy(Result<QByteArray> body, Result<T> (*decode)(const QByteArray &))
{
    if (!body)
        return tl::unexpected(std::move(body.error()));
    return decode(*body);
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
        .map(&doneEvenIfGone);
}

std::unique_ptr<WatchStream> EnvdFilesystemClient::watch(const RemotePath &path, bool recursive, const WatchPace &pace)
{
    const protocol::WatchOptions options{
        .recursive = recursive, .includeEntry = m_target->envdVersion.mayHave(protocol::EnvdFeature::WatchEntries)};
    std::vector<FallbackWatch::Way> ways;
    if (!recursive || m_target->envdVersion.mayHave(protocol::EnvdFeature::RecursiveWatch)) {
        ways.emplace_back([client = *this, path, options] {
            return std::make_unique<StreamedWatch>(streamingCall(client.m_transport, *client.m_target,
                                                                 "/filesystem.Filesystem/WatchDir",
                                                                 protocol::encodeWatch(path, options), true),
                                                   client.m_transport.patient(silenceLimit));
        });
        ways.emplace_back([client = *this, path, options, pace] {
            return std::make_unique<PolledWatch>(client, path, options, pace.events);
        });
    }
    ways.emplace_back([client = *this, path, recursive, pace] {
        return std::make_unique<ListedWatch>(client, path, recursive, pace.listing);
    });
    return std::make_unique<FallbackWatch>(std::move(ways));
}

Call<QString> EnvdFilesystemClient::createWatcher(const RemotePath &path, protocol::WatchOptions options)
{
    using protocol::EnvdFeature;
    const protocol::EnvdVersion &version = m_target->envdVersion;
    if (options.recursive && !version.mayHave(EnvdFeature::RecursiveWatch))
        return Call<QString>::settled(tl::unexpected(version.lacks(EnvdFeature::RecursiveWatch)));
    if (options.allowNetworkMounts && !version.mayHave(EnvdFeature::WatchNetworkMounts))
        return Call<QString>::settled(tl::unexpected(version.lacks(EnvdFeature::WatchNetworkMounts)));
    options.includeEntry = options.includeEntry && version.mayHave(EnvdFeature::WatchEntries);
    return unaryCall(m_transport, *m_target, "/filesystem.Filesystem/CreateWatcher",
                     protocol::encodeWatch(path, options), false)
        .map([](Result<QByteArray> body) { return decodedBy(std::move(body), &protocol::decodeWatcherId); });
}

Call<QList<protocol::WatchEvent>> EnvdFilesystemClient::watcherEvents(const QString &id)
{
    return unaryCall(m_transport, *m_target, "/filesystem.Filesystem/GetWatcherEvents", protocol::encodeWatcher(id),
                     false, maxListing)
        .map([](Result<QByteArray> body) { return decodedBy(std::move(body), &protocol::decodeWatcherEvents); });
}

Call<void> EnvdFilesystemClient::removeWatcher(const QString &id)
{
    return unaryCall(m_transport, *m_target, "/filesystem.Filesystem/RemoveWatcher", protocol::encodeWatcher(id), true)
        .map(&doneEvenIfGone);
}

} // namespace boxdeck::api
