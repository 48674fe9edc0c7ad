// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <string>

#include <boost/asio/local/stream_protocol.hpp>

#include "backend/host/http/server.h"
#include "backend/host/http/upstream_head.h"

namespace boxdeck::host::http {

/// Passes one request to a daemon and its answer back.
class Forward
{
public:
    enum class Outcome {
        Done,    ///< the whole answer went to the caller
        NoAnswer ///< the daemon did not answer at all; the caller has seen nothing yet
    };

    /// The exchange must live until run() is through.
    Forward(Exchange &exchange, const std::string &socketPath);

    /// Throws when an answer that has begun cannot be completed, or when the caller is gone.
    asio::awaitable<Outcome> run();
    /// Ends the exchange from outside: the daemon sees its caller leave, the caller a cut answer.
    void cut();

private:
    using Socket = asio::local::stream_protocol::socket;

    std::string requestHead(std::optional<std::uint64_t> length) const;
    asio::awaitable<void> sendRequest();
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
    std::string m_path;
    Socket m_socket;
    std::string m_buffer;    ///< what was read from the daemon
    std::size_t m_begin = 0; ///< first byte of it not handled yet
    std::size_t m_end = 0;   ///< end of it
    bool m_answered = false;
    bool m_cut = false;
    std::exception_ptr m_failure;
};

} // namespace boxdeck::host::http
