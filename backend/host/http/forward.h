// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <string>
#include <vector>

#include <boost/asio/generic/stream_protocol.hpp>

#include "backend/host/http/server.h"
#include "backend/host/http/upstream_head.h"

namespace boxdeck::host::http {

/// Where a request is passed on to.
struct ForwardTarget
{
    std::string socketPath;           ///< the daemon's socket
    std::uint16_t port = 0;           ///< a service of the sandbox, reached through the daemon; 0 = the daemon itself
    std::string host;                 ///< what the service sees as Host; empty = what the caller sent
    std::vector<std::string> secrets; ///< a header with one of these as its value stays here
};

/// Passes one request to a daemon, or to a service of its sandbox, and its answer back. A service may also take the
/// connection over by an Upgrade (WebSocket).
class Forward
{
public:
    enum class Outcome {
        Done,      ///< the whole answer went to the caller
        NoAnswer,  ///< there was no answer at all; the caller has seen nothing yet
        PortClosed ///< nothing listens on the port; the caller has seen nothing yet
    };

    /// The exchange must live until run() is through.
    Forward(Exchange &exchange, ForwardTarget target);

    /// Throws when an answer that has begun cannot be completed, or when the caller is gone; BadRequestBody when the
    /// caller's body is no HTTP and nothing was answered yet.
    asio::awaitable<Outcome> run();
    /// Ends the exchange from outside: the daemon sees its caller leave, the caller a cut answer.
    void cut();

private:
    using Socket = asio::generic::stream_protocol::socket;

    std::string requestHead(std::optional<std::uint64_t> length) const;
    bool staysHere(std::string_view name, std::string_view value) const;
    bool wantsUpgrade() const;
    asio::awaitable<Outcome> connect();
    asio::awaitable<Outcome> openTunnel();
    asio::awaitable<void> exchangeSmall(std::uint64_t length);
    asio::awaitable<bool> exchangeStreamed();
    asio::awaitable<void> passUpgrade(UpstreamHead head);
    asio::awaitable<void> sendBody(bool chunked);
    asio::awaitable<void> pumpBody();
    asio::awaitable<void> sendAll(std::string_view bytes);
    asio::awaitable<UpstreamHead> readHead();
    asio::awaitable<void> passAnswer();
    asio::awaitable<void> guardedAnswer();
    asio::awaitable<void> passLength(std::uint64_t length);
    asio::awaitable<void> passChunks();
    asio::awaitable<void> passUntilClose();
    asio::awaitable<std::size_t> readMore();
    /// Reads more, or throws BadUpstream(otherwise) at the end.
    asio::awaitable<void> needMore(const char *otherwise);
    void watchCaller();

    Exchange &m_exchange;
    ForwardTarget m_target;
    Socket m_socket;
    std::string m_buffer;    ///< what was read from the daemon
    std::size_t m_begin = 0; ///< first byte of it not handled yet
    std::size_t m_end = 0;   ///< end of it
    bool m_cut = false;
    bool m_upgrading = false;
    std::exception_ptr m_failure;
    std::exception_ptr m_badBody; ///< what was wrong with the caller's body
};

} // namespace boxdeck::host::http
