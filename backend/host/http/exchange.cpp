// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/http/connection.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <unistd.h>

namespace boxdeck::host::http {

using boost::system::error_code;
using boost::system::system_error;
using Clock = std::chrono::steady_clock;
using Socket = asio::generic::stream_protocol::socket;

namespace {

// A rest of the body that is read so that the connection can be kept.
constexpr std::size_t drainForKeepAlive = 256 * 1024;

[[noreturn]] void throwError(int error, const char *what)
{
    throw system_error(error_code(error, boost::system::system_category()), what);
}

struct OwnFd
{
    int fd;
    ~OwnFd()
    {
        if (fd >= 0)
            ::close(fd);
    }
};

} // namespace

Exchange::Exchange(Connection &connection)
    : m_connection(connection)
{
}

const Request &Exchange::request() const
{
    return m_connection.m_request;
}

asio::any_io_executor Exchange::executor() const
{
    return m_connection.m_socket.get_executor();
}

std::optional<std::uint64_t> Exchange::contentLength() const
{
    return m_connection.m_reader.contentLength();
}

asio::awaitable<std::size_t> Exchange::readSome(std::span<char> buffer)
{
    return m_connection.readBodyPart(buffer);
}

asio::awaitable<std::string> Exchange::readBody(std::size_t limit)
{
    if (const auto length = contentLength(); length && *length > limit)
        throw BodyTooLarge();
    std::string body;
    for (;;) {
        const std::size_t have = body.size();
        const std::size_t room = contentLength() ? static_cast<std::size_t>(*contentLength()) - have : 64 * 1024;
        body.resize(have + room);
        const std::size_t n = co_await readSome(std::span(body).subspan(have));
        body.resize(have + n);
        if (n == 0)
            co_return body;
        if (body.size() > limit)
            throw BodyTooLarge();
    }
}

void Exchange::addCommonHeader(std::string name, std::string value)
{
    m_connection.m_commonHeaders.add(std::move(name), std::move(value));
}

asio::awaitable<void> Exchange::respond(int status, Headers headers, std::string body)
{
    Connection &c = m_connection;
    c.m_started = true;
    const bool bodyless = status < 200 || status == 204 || status == 304;
    if (!bodyless)
        headers.set("Content-Length", std::to_string(body.size()));
    if (!c.m_reader.bodyDone() && c.m_reader.bodyLeft().value_or(drainForKeepAlive + 1) > drainForKeepAlive)
        c.m_close = true;
    const std::string head = c.head(status, headers, {});
    const bool withBody = !bodyless && !c.m_headOnly;
    std::vector<asio::const_buffer> buffers;
    buffers.emplace_back(head.data(), head.size());
    if (withBody)
        buffers.emplace_back(body.data(), body.size());
    co_await c.send(std::move(buffers));
}

asio::awaitable<void> Exchange::startStream(int status, Headers headers)
{
    Connection &c = m_connection;
    c.m_started = true;
    c.m_streaming = true;
    std::string_view extra;
    if (const auto length = headers.get("Content-Length")) {
        c.m_responseLeft = std::stoull(std::string(*length));
    } else if (!c.m_reader.knowsChunks()) {
        c.m_close = true; // HTTP/1.0 has no chunks: the end of the connection is the end of the body
    } else {
        c.m_chunked = true;
        extra = "Transfer-Encoding: chunked\r\n";
    }
    const std::string head = c.head(status, headers, extra);
    co_await c.send(head);
}

asio::awaitable<void> Exchange::write(std::string_view piece)
{
    const std::string_view pieces[] = {piece};
    co_await write(std::span<const std::string_view>(pieces));
}

asio::awaitable<void> Exchange::write(std::span<const std::string_view> pieces)
{
    Connection &c = m_connection;
    std::size_t size = 0;
    for (const std::string_view piece : pieces)
        size += piece.size();
    if (size == 0 || c.m_headOnly)
        co_return;
    std::array<char, 20> frame{};
    std::vector<asio::const_buffer> buffers;
    buffers.reserve(pieces.size() + 2);
    if (c.m_chunked) {
        const int length = std::snprintf(frame.data(), frame.size(), "%zx\r\n", size);
        buffers.emplace_back(frame.data(), static_cast<std::size_t>(length));
    } else if (!c.m_close || c.m_responseLeft > 0) {
        if (size > c.m_responseLeft)
            throw std::runtime_error("more was written than Content-Length says");
        c.m_responseLeft -= size;
    }
    for (const std::string_view piece : pieces)
        buffers.emplace_back(piece.data(), piece.size());
    if (c.m_chunked)
        buffers.emplace_back("\r\n", 2);
    co_await c.send(std::move(buffers));
}

asio::awaitable<void> Exchange::sendFile(int fd, std::uint64_t offset, std::uint64_t length,
                                         asio::any_io_executor blocking)
{
    Connection &c = m_connection;
    if (c.m_headOnly)
        co_return;
    if (c.m_chunked) {
        std::array<char, 20> frame{};
        const int size = std::snprintf(frame.data(), frame.size(), "%llx\r\n", static_cast<unsigned long long>(length));
        co_await c.send(std::string_view(frame.data(), static_cast<std::size_t>(size)));
    } else {
        if (length > c.m_responseLeft)
            throw std::runtime_error("more was written than Content-Length says");
        c.m_responseLeft -= length;
    }
    // A descriptor of its own: the connection may be closed, and its number used again, while the disk is waited for.
    c.m_socket.native_non_blocking(true);
    const OwnFd out{::fcntl(c.m_socket.native_handle(), F_DUPFD_CLOEXEC, 0)};
    if (out.fd < 0)
        throwError(errno, "dup");
    while (length > 0) {
        c.deadline(c.options().write);
        // Reading may wait for the disk, which must not hold up the other connections.
        int error = 0;
        ssize_t last = 0;
        std::uint64_t sent = 0;
        auto sendSome = [&]() -> asio::awaitable<void> {
            auto at = static_cast<off_t>(offset);
            while (length > sent) {
                last = ::sendfile(out.fd, fd, &at, std::min<std::uint64_t>(length - sent, 1 << 20));
                if (last <= 0)
                    break;
                sent += static_cast<std::uint64_t>(last);
            }
            error = last < 0 ? errno : 0;
            co_return;
        };
        co_await asio::co_spawn(blocking, std::move(sendSome), asio::use_awaitable);
        if (sent > 0)
            c.m_lastWrite = Clock::now();
        offset += sent;
        length -= sent;
        if (length == 0)
            break;
        if (last == 0)
            throw std::runtime_error("the file became shorter while it was sent");
        if (error != EAGAIN && error != EINTR)
            throwError(error, "sendfile");
        if (!c.m_socket.is_open())
            throwError(ECONNABORTED, "sendfile");
        co_await c.m_socket.async_wait(Socket::wait_write, asio::use_awaitable);
    }
    c.noDeadline();
    if (c.m_chunked)
        co_await c.send("\r\n");
}

asio::awaitable<void> Exchange::finish()
{
    Connection &c = m_connection;
    if (!c.m_streaming)
        co_return;
    c.m_streaming = false;
    if (c.m_headOnly)
        co_return;
    if (c.m_chunked)
        co_await c.send("0\r\n\r\n");
    else if (c.m_responseLeft > 0)
        c.m_close = true;
}

bool Exchange::started() const
{
    return m_connection.m_started;
}

void Exchange::abort()
{
    m_connection.m_close = true;
    m_connection.close();
}

bool Exchange::peerGone() const
{
    return m_connection.m_gone || !m_connection.m_socket.is_open();
}

void Exchange::onPeerGone(std::function<void()> callback)
{
    m_connection.m_onGone = std::move(callback);
    m_connection.watchPeer();
}

Clock::time_point Exchange::lastWriteProgress() const
{
    return m_connection.m_lastWrite;
}

Socket &Exchange::socket()
{
    return m_connection.m_socket;
}

std::string Exchange::readAhead()
{
    return m_connection.m_reader.takeReadAhead();
}

void Exchange::hijack()
{
    m_connection.m_hijacked = true;
    m_connection.m_started = true;
    m_connection.m_watching = false;
    m_connection.m_onGone = nullptr;
    m_connection.noDeadline();
}

} // namespace boxdeck::host::http
