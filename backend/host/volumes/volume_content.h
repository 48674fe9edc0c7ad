// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include "backend/host/http/server.h"
#include "backend/host/sandbox/async.h"
#include "backend/host/sandbox/spawn.h"
#include "backend/host/volumes/volume_store.h"
#include "backend/host/volumes/volume_token.h"

namespace boxdeck::host {

/// The volume-content API: checks the token and passes the request on to the process that touches the files (see
/// content_server.h), which is started with the first request.
class VolumeContent
{
public:
    /// @p socket is a path for the process to listen at. References must outlive this.
    VolumeContent(asio::io_context &io, const VolumeStore &store, const VolumeTokens &tokens, std::string socket);

    /// Answers a request for which isContentPath() holds.
    asio::awaitable<void> serve(http::Exchange &exchange);
    /// Ends the process and waits for that. Call once, at the end.
    asio::awaitable<void> stop();

private:
    void start();
    asio::awaitable<void> watchEnd();

    asio::io_context &m_io;
    const VolumeStore &m_store;
    const VolumeTokens &m_tokens;
    std::string m_socket;
    Child m_process;
    Fd m_leash; ///< the process ends when this is closed
    bool m_running = false;
    bool m_stopping = false;
    Condition m_changed;
};

} // namespace boxdeck::host
