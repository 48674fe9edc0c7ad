// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/errors.h"
#include "backend/api/sandbox_target.h"
#include "backend/api/watch_stream.h"
#include "backend/net/http_transport.h"

#include <memory>

namespace boxdeck::api {

/// Files and folders of one sandbox (protocol/envd.md section 10). The transport outlives it. Errors: connectErrorOf();
/// NotFound is about the path, never about the sandbox.
class EnvdFilesystemClient
{
public:
    EnvdFilesystemClient(net::HttpTransport &transport, std::shared_ptr<const SandboxTarget> target);

    Call<protocol::EntryInfo> stat(const RemotePath &path);
    /// What is in a folder, without the folder itself; in the server's order. Names are untrusted. Large answers are
    /// read on another thread.
    Call<QList<protocol::EntryInfo>> list(const RemotePath &path, int depth = 1);
    /// Creates a folder and its parents. Conflict, code "already_exists", if there is one.
    Call<protocol::EntryInfo> makeDir(const RemotePath &path);
    /// Renames; overwrites a file silently, never moves into a folder. Sent once.
    Call<protocol::EntryInfo> move(const RemotePath &from, const RemotePath &to);
    /// Removes with everything below it; a missing path is success. "/" is refused.
    Call<void> remove(const RemotePath &path);
    /// Follows a folder: by a stream where the server has that, else by a watcher that is asked, else by listing it
    /// (protocol/compat.md 3.32). A recursive watch of an envd that has none is a listing, too.
    std::unique_ptr<WatchStream> watch(const RemotePath &path, bool recursive, const WatchPace &pace = {});

    /// Makes a watcher that holds its events until they are fetched; gives its id. It lives until removeWatcher().
    /// Unsupported without a call if the version lacks what `options` ask for, except entries, which are left out.
    Call<QString> createWatcher(const RemotePath &path, protocol::WatchOptions options);
    /// Takes what has happened since the last time: sent once. NotFound: no such watcher.
    Call<QList<protocol::WatchEvent>> watcherEvents(const QString &id);
    /// A watcher that is gone already is success.
    Call<void> removeWatcher(const QString &id);

    /// What calls that nobody waits for may be handed to: lives as long as the transport.
    QObject &lastingOwner() const { return m_transport; }

private:
    net::HttpTransport &m_transport;
    std::shared_ptr<const SandboxTarget> m_target;
};

} // namespace boxdeck::api
