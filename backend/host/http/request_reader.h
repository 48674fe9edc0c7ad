// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/http/server.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace boxdeck::host::http {

/// Reads requests off one connection, one after another: the head through Boost.Beast's parser, a body of known length
/// past it, a chunked one through it. Bytes that came too early stay here for the next request.
class RequestReader
{
public:
    using Socket = asio::generic::stream_protocol::socket;
    enum class Outcome { Complete, Closed, Malformed, TooLarge };

    RequestReader();
    ~RequestReader();
    RequestReader(const RequestReader &) = delete;
    RequestReader &operator=(const RequestReader &) = delete;

    /// Reads the next head. Closed also when the connection ends in the middle of one.
    asio::awaitable<Outcome> readHead(Socket &socket, std::size_t limit, Request &request);
    /// The next bytes of the body; 0 when it is complete. Throws boost::system::system_error when it breaks off.
    asio::awaitable<std::size_t> readBody(Socket &socket, std::span<char> buffer);

    /// Announced size of the body; nothing when it is chunked.
    std::optional<std::uint64_t> contentLength() const;
    /// Bytes of the body still to come, as far as that is known.
    std::optional<std::uint64_t> bodyLeft() const;
    bool bodyDone() const;
    /// Nothing more of this body is wanted.
    void giveUpBody();
    /// Whether the request is HTTP/1.1 and not 1.0.
    bool knowsChunks() const;

    bool hasReadAhead() const;
    std::string takeReadAhead();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace boxdeck::host::http
