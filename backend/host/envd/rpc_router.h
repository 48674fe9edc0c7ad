// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/envd/envelope.h"
#include "backend/host/envd/message.h"
#include "backend/host/http/server.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace boxdeck::host::envd {

namespace asio = boost::asio;

/// What the headers of an RPC say beside its message.
struct CallOptions
{
    /// Connect-Timeout-Ms; absent is unlimited.
    std::optional<std::chrono::milliseconds> timeout;
    /// Keepalive-Ping-Interval; 90 s when absent, no number, or not above zero.
    std::chrono::seconds keepalive{90};
};

/// The answering side of a server stream. The response head goes out with the first message, so that a failure before
/// it costs one write.
class EventStream
{
public:
    explicit EventStream(http::Exchange &exchange)
        : m_exchange(exchange)
    {
    }
    http::Exchange &exchange() { return m_exchange; }

    /// Sends one message (JSON).
    asio::awaitable<void> send(std::string_view json);
    /// Sends envelopes that are complete already.
    asio::awaitable<void> sendEnvelopes(std::span<const std::string_view> envelopes);

private:
    friend class RpcRouter;
    asio::awaitable<void> open();
    asio::awaitable<void> end(std::string_view json);

    http::Exchange &m_exchange;
    bool m_open = false;
};

/// The requests of a client stream.
class MessageReader
{
public:
    /// Whole request messages above this size are refused.
    static constexpr std::size_t limit = 64 * 1024 * 1024;

    explicit MessageReader(http::Exchange &exchange);
    /// The next message; nothing at the end of the body. Throws RpcError for what is no envelope.
    asio::awaitable<std::optional<Message>> next();

private:
    http::Exchange &m_exchange;
    EnvelopeDecoder m_decoder{limit};
    bool m_gzip = false;
};

using UnaryHandler =
    std::function<asio::awaitable<std::string>(http::Exchange &, const Message &, const CallOptions &)>;
using ServerStreamHandler = std::function<asio::awaitable<void>(EventStream &, const Message &, const CallOptions &)>;
using ClientStreamHandler =
    std::function<asio::awaitable<std::string>(http::Exchange &, MessageReader &, const CallOptions &)>;

/// The Connect protocol over HTTP with the JSON codec (protocol/envd.md section 8): checks method and content type,
/// unpacks the message, runs the handler, and gives answers and errors the shape the kind of call wants. Handlers throw
/// RpcError to refuse.
class RpcRouter
{
public:
    /// Paths such as "/process.Process/List".
    void addUnary(std::string path, UnaryHandler handler) { m_unary.emplace(std::move(path), std::move(handler)); }
    void addServerStream(std::string path, ServerStreamHandler handler)
    {
        m_serverStreams.emplace(std::move(path), std::move(handler));
    }
    void addClientStream(std::string path, ClientStreamHandler handler)
    {
        m_clientStreams.emplace(std::move(path), std::move(handler));
    }

    /// Serves the request if its path is a method. False, with nothing sent, when it is not.
    asio::awaitable<bool> serve(http::Exchange &exchange) const;

private:
    asio::awaitable<void> serveUnary(http::Exchange &exchange, const UnaryHandler &handler) const;
    asio::awaitable<void> serveServerStream(http::Exchange &exchange, const ServerStreamHandler &handler) const;
    asio::awaitable<void> serveClientStream(http::Exchange &exchange, const ClientStreamHandler &handler) const;

    std::map<std::string, UnaryHandler, std::less<>> m_unary;
    std::map<std::string, ServerStreamHandler, std::less<>> m_serverStreams;
    std::map<std::string, ClientStreamHandler, std::less<>> m_clientStreams;
};

/// Reads the two timing headers. Throws RpcError (invalid_argument) for a timeout that is no number of at most ten
/// digits and for a protocol version other than 1.
CallOptions callOptions(const http::Headers &headers);

} // namespace boxdeck::host::envd
