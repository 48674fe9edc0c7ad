// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/envd/directory_watcher.h"
#include "backend/host/envd/rpc_error.h"
#include "backend/host/envd/rpc_router.h"
#include "backend/host/envd/settings.h"

#include <boost/asio/steady_timer.hpp>

#include <deque>

namespace boxdeck::host::envd {

/// WatchDir and the polled watchers of filesystem.Filesystem (protocol/envd.md 10.4).
class WatchService
{
public:
    WatchService(asio::io_context &io, const Settings &settings)
        : m_io(io)
        , m_settings(settings)
        , m_watcher(io)
    {
    }

    void addTo(RpcRouter &router);

private:
    /// Events on their way to somebody.
    struct Inbox
    {
        explicit Inbox(asio::io_context &io)
            : wake(io)
        {
        }
        std::deque<std::string> events; ///< FilesystemEvent objects.
        std::optional<RpcError> failure;
        asio::steady_timer wake;
        std::shared_ptr<DirectoryWatcher::Watch> watch;
    };

    asio::awaitable<std::shared_ptr<Inbox>> open(http::Exchange &exchange, const Message &request);
    asio::awaitable<void> watchDirectory(EventStream &stream, const Message &request, const CallOptions &options);
    std::string takeEvents(const std::string &id);

    asio::io_context &m_io;
    const Settings &m_settings;
    DirectoryWatcher m_watcher;
    std::map<std::string, std::shared_ptr<Inbox>> m_polled;
};

} // namespace boxdeck::host::envd
