// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/errors.h"
#include "backend/api/sandbox_target.h"
#include "backend/net/connect_stream.h"
#include "backend/net/http_transport.h"
#include "backend/protocol/filesystem.h"

#include <memory>

namespace boxdeck::api {

/// Changes below one folder, until it is deleted or ended() comes. Events may come several for one change.
class WatchStream : public QObject
{
    Q_OBJECT

public:
    explicit WatchStream(std::unique_ptr<net::ConnectStream> stream, std::chrono::milliseconds silence);

    /// Ends it silently: after it returns nothing is emitted.
    void close();

Q_SIGNALS:
    void event(const boxdeck::protocol::WatchEvent &event);
    /// Unsupported: this server can't watch, poll instead. NotFound: the folder is gone.
    void ended(const boxdeck::net::StreamEnd &end);

private:
    void take(const QByteArray &json);

    std::unique_ptr<net::ConnectStream> m_stream;
    std::chrono::milliseconds m_silence;
};

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
    std::unique_ptr<WatchStream> watch(const RemotePath &path, bool recursive);

private:
    net::HttpTransport &m_transport;
    std::shared_ptr<const SandboxTarget> m_target;
};

} // namespace boxdeck::api
