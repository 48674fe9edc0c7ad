// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/envd/rpc_router.h"
#include "backend/host/envd/settings.h"

namespace boxdeck::host::envd {

/// The calls of filesystem.Filesystem that answer at once (protocol/envd.md 10.3). They wait for the disk on
/// `blocking`, never on the I/O thread. Watching is in watch_service.h.
class FilesystemService
{
public:
    FilesystemService(asio::any_io_executor blocking, const Settings &settings)
        : m_blocking(std::move(blocking))
        , m_settings(settings)
    {
    }

    void addTo(RpcRouter &router);

private:
    /// What a call needs to know of its request before it leaves the I/O thread.
    struct Context
    {
        Accounts accounts;
        Account account;
        std::string defaultDirectory;

        /// Throws RpcError (invalid_argument) for "~name".
        std::string expand(const std::string &path) const;
    };
    using Work = std::string (*)(const Context &, const Message &);

    void add(RpcRouter &router, const std::string &method, Work work);

    asio::any_io_executor m_blocking;
    const Settings &m_settings;
};

/// Deletes the path and everything below it; a missing path is fine. Links are removed, not followed. Throws RpcError
/// (internal).
void removeAll(const std::string &path);

/// {"entries":[…]} of the directory down to `depth` levels, pre-order, by byte value within a directory. Throws
/// RpcError as ListDir refuses.
std::string listDirectory(const std::string &path, std::uint32_t depth, const Accounts &accounts);

} // namespace boxdeck::host::envd
