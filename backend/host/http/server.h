// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/http/headers.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

/// HTTP/1.1 for boxdeck-host and boxdeck-envd. The parser (Boost.Beast) is an implementation detail of
/// request_reader.cpp: a file that includes it takes long to compile.
namespace boxdeck::host::http {

namespace asio = boost::asio;

/// A request head.
struct Request
{
    std::string method;
    std::string target; ///< As sent, percent-encoded.
    std::string path;   ///< The target up to '?', still percent-encoded.
    std::string query;  ///< What follows '?', still percent-encoded; empty without one.
    Headers headers;
    bool keepAlive = true;
};

/// Exchange::readBody met a body above its limit.
class BodyTooLarge : public std::runtime_error
{
public:
    BodyTooLarge()
        : std::runtime_error("the request body is too large")
    {
    }
};

/// A request body whose coding is broken: the caller's fault, answered 400 where nothing was sent yet.
class BadRequestBody : public boost::system::system_error
{
public:
    using system_error::system_error;
};

class Connection;

/// One request and its one response. Everything runs on the connection's strand; a handler must not keep a reference
/// to it after it has returned. Every operation throws boost::system::system_error when the connection is gone.
class Exchange
{
public:
    Exchange(const Exchange &) = delete;
    Exchange &operator=(const Exchange &) = delete;

    const Request &request() const;
    /// The strand this exchange runs on.
    asio::any_io_executor executor() const;

    /// Announced size of the request body; nothing when it is chunked. 0 without a body.
    std::optional<std::uint64_t> contentLength() const;
    /// Fills what it can of the buffer with the next bytes of the body, de-chunked. 0 means that the body is complete;
    /// a body that breaks off throws, BadRequestBody when its coding is wrong. Answers "Expect: 100-continue" by itself at the first call.
    asio::awaitable<std::size_t> readSome(std::span<char> buffer);
    /// The whole rest of the body. Throws BodyTooLarge when it has more than `limit` bytes.
    asio::awaitable<std::string> readBody(std::size_t limit);

    /// A header that goes with whatever answer is sent, after its own ones.
    void addCommonHeader(std::string name, std::string value);
    /// Sends a complete answer with Content-Length (none for 1xx, 204 and 304).
    asio::awaitable<void> respond(int status, Headers headers, std::string body = {});
    /// Sends the head at once and opens a body: of exactly the length that a Content-Length among the headers
    /// says, chunked otherwise.
    asio::awaitable<void> startStream(int status, Headers headers);
    /// Sends a piece of the opened body and returns when the kernel has taken all of it.
    asio::awaitable<void> write(std::string_view piece);
    /// As write() for several pieces, in one go and without copying them together.
    asio::awaitable<void> write(std::span<const std::string_view> pieces);
    /// Sends `length` bytes of the file from `offset` on as a piece of the body, without passing them through this
    /// process. Throws std::runtime_error when the file ends early. Disk waits happen on `blocking`.
    asio::awaitable<void> sendFile(int fd, std::uint64_t offset, std::uint64_t length, asio::any_io_executor blocking);
    /// Ends the opened body. A body with a Content-Length that was not reached closes the connection instead.
    asio::awaitable<void> finish();

    /// Whether a response head has been sent.
    bool started() const;
    /// Closes the connection after this exchange: the peer sees that the answer is not complete.
    void abort();

    /// Whether the peer is known to have gone away.
    bool peerGone() const;
    /// Calls `callback` once, on the strand, when the peer closes or resets the connection while this exchange is
    /// still going on. Only after the body has been read; a peer that sends a further request early is not watched.
    void onPeerGone(std::function<void()> callback);
    /// When the kernel last took bytes of this response (or the exchange began).
    std::chrono::steady_clock::time_point lastWriteProgress() const;

    /// The connection itself, for code that takes it over after an Upgrade or splices bodies. Bytes that were read
    /// ahead are in readAhead(). After hijack(), which also ends the watch for a peer that goes, the server sends and reads nothing more and closes it when the handler
    /// returns.
    asio::generic::stream_protocol::socket &socket();
    std::string readAhead();
    void hijack();

private:
    friend class Connection;
    explicit Exchange(Connection &connection);
    Connection &m_connection;
};

/// Serves one request. An exception that escapes becomes a 500 when nothing was sent yet, else a cut connection.
using Handler = std::function<asio::awaitable<void>(Exchange &)>;

struct ServerOptions
{
    std::size_t headerLimit = 64 * 1024;      ///< Bytes of a request head; 431 above.
    std::size_t maxConnections = 4096;        ///< More wait in the kernel's queue.
    std::chrono::milliseconds idle{640'000};  ///< Between two requests (envd's own value).
    std::chrono::milliseconds header{30'000}; ///< From the first byte of a head to its end.
    std::chrono::milliseconds body{300'000};  ///< Without a single byte of an awaited body.
    std::chrono::milliseconds write{900'000}; ///< Without the peer taking a single byte.
    std::chrono::milliseconds linger{10'000}; ///< For the peer to notice an answer given before its body was read.
};

/// Accepts connections and runs the handler for each request, with keep-alive. Every connection has its own strand on
/// the io_context, which may be run by several threads. Not thread-safe itself. Must outlive the io_context's run.
class Server
{
public:
    Server(asio::io_context &io, Handler handler, ServerOptions options = {});
    ~Server();
    Server(const Server &) = delete;
    Server &operator=(const Server &) = delete;

    /// Listens on a numeric address. Port 0 picks a free one. Returns the port; throws boost::system::system_error.
    std::uint16_t listenTcp(const std::string &address, std::uint16_t port);
    /// Accepts on a socket that is bound and listening already (unix or TCP) and owns it from now on.
    void adopt(int listeningFd);
    /// Stops accepting and closes every connection; running handlers see their operations fail.
    void stop();

private:
    friend class Connection;
    struct Shared;
    std::shared_ptr<Shared> m_shared;
};

} // namespace boxdeck::host::http
