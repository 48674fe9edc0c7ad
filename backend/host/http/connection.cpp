// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/http/connection.h"

#include "backend/host/http/response_head.h"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/buffers_suffix.hpp>

#include <cerrno>
#include <sys/socket.h>
#include <utility>

namespace boxdeck::host::http {

namespace beast = boost::beast;
using boost::system::error_code;
using boost::system::system_error;

namespace {
constexpr std::size_t drainForKeepAlive = 256 * 1024;
} // namespace

Connection::Connection(std::shared_ptr<ServerState> server, Socket socket)
    : m_server(std::move(server))
    , m_socket(std::move(socket))
{
    const std::lock_guard lock(m_server->mutex);
    m_server->connections.insert(this);
}

Connection::~Connection()
{
    const std::lock_guard lock(m_server->mutex);
    m_server->connections.erase(this);
}

asio::awaitable<void> Connection::run()
{
    const auto self = shared_from_this();
    try {
        // GCC 12 miscompiles a co_await within a condition, here and in every coroutine of the host: always a variable.
        for (bool more = true; more;) {
            more = co_await readHead();
            if (!more)
                break;
            co_await handle();
            more = !m_hijacked && !m_close;
        }
    } catch (const system_error &) {
        // The peer went away or was too slow: there is nobody to tell.
    }
    noDeadline();
    close();
}

void Connection::close()
{
    error_code ignored;
    m_socket.shutdown(Socket::shutdown_both, ignored);
    m_socket.close(ignored);
}

void Connection::closeIfOverdue(Clock::time_point now)
{
    const Clock::rep at = m_deadline.load(std::memory_order_relaxed);
    if (at == 0 || at > now.time_since_epoch().count())
        return;
    asio::post(m_socket.get_executor(), [weak = weak_from_this(), at] {
        const auto self = weak.lock();
        if (self && self->m_deadline.load(std::memory_order_relaxed) == at)
            self->close();
    });
}

void Connection::closeSoon()
{
    asio::post(m_socket.get_executor(), [weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->close();
    });
}

asio::awaitable<bool> Connection::readHead()
{
    if (!m_reader.hasReadAhead()) {
        deadline(options().idle);
        error_code ec;
        co_await m_socket.async_wait(Socket::wait_read, asio::redirect_error(asio::use_awaitable, ec));
        if (ec)
            co_return false;
    }
    deadline(options().header);
    const auto outcome = co_await m_reader.readHead(m_socket, options().headerLimit, m_request);
    if (outcome == RequestReader::Outcome::TooLarge)
        co_await refuse(431);
    else if (outcome == RequestReader::Outcome::Malformed)
        co_await refuse(400);
    noDeadline();
    if (outcome != RequestReader::Outcome::Complete)
        co_return false;

    m_commonHeaders = {};
    const auto expect = m_request.headers.get("Expect");
    m_expectContinue = expect && equalIgnoringCase(*expect, "100-continue") && m_reader.knowsChunks();
    m_started = m_streaming = m_chunked = m_gone = m_watching = false;
    m_headOnly = m_request.method == "HEAD";
    m_close = !m_request.keepAlive;
    m_responseLeft = 0;
    m_onGone = nullptr;
    m_lastWrite = Clock::now();
    co_return true;
}

asio::awaitable<void> Connection::refuse(int status)
{
    m_close = true;
    m_reader.giveUpBody();
    Headers headers;
    headers.add("Content-Length", "0");
    const std::string text = head(status, headers, {});
    co_await send(text);
    co_await linger();
}

asio::awaitable<void> Connection::handle()
{
    Exchange exchange(*this);
    bool failed = false;
    bool malformed = false;
    try {
        co_await m_server->handler(exchange);
    } catch (const BadRequestBody &) {
        failed = malformed = true;
    } catch (const system_error &error) {
        if (m_gone || !m_socket.is_open())
            throw;
        failed = true;
    } catch (const std::exception &) {
        failed = true;
    }
    m_onGone = nullptr;
    if (m_hijacked)
        co_return;
    if (!m_started) {
        // A handler that fails or forgets to answer is our fault, not the caller's.
        Headers headers;
        headers.add("Content-Type", "application/json; charset=utf-8");
        std::string text = malformed ? R"({"code":400,"message":"the request body's chunks are malformed"})"
                                     : R"({"code":500,"message":"internal error"})";
        m_close = m_close || malformed; // where the next request begins is anybody's guess
        co_await exchange.respond(malformed ? 400 : 500, std::move(headers), std::move(text));
    } else if (m_streaming || failed) {
        m_streaming = false;
        m_close = true;
        co_return; // without the last chunk, so that nobody takes it for complete
    }
    if (m_watching) {
        m_socket.cancel();
        m_watching = false;
    }
    if (m_gone) {
        m_close = true;
        co_return;
    }
    if (!m_reader.bodyDone()) {
        // An answer given early: a short rest is read for keep-alive, a long one would be a denial of service.
        bool drained = false;
        if (!m_close && !m_expectContinue)
            drained = co_await drainBody(drainForKeepAlive);
        if (!drained) {
            m_close = true;
            co_await linger();
        }
    }
}

asio::awaitable<bool> Connection::drainBody(std::size_t limit)
{
    std::vector<char> scratch(64 * 1024);
    std::size_t total = 0;
    while (total <= limit) {
        const std::size_t n = co_await readBodyPart(scratch);
        if (n == 0)
            co_return true;
        total += n;
    }
    co_return false;
}

// Closing with unread bytes makes the kernel send a reset, which can destroy the answer before the peer has read it.
asio::awaitable<void> Connection::linger()
{
    deadline(options().linger);
    error_code ec;
    m_socket.shutdown(Socket::shutdown_send, ec);
    std::vector<char> scratch(64 * 1024);
    while (!ec)
        co_await m_socket.async_read_some(asio::buffer(scratch), asio::redirect_error(asio::use_awaitable, ec));
    noDeadline();
}

asio::awaitable<std::size_t> Connection::readBodyPart(std::span<char> buffer)
{
    if (m_reader.bodyDone() || buffer.empty())
        co_return 0;
    if (m_expectContinue) {
        m_expectContinue = false;
        constexpr std::string_view goOn = "HTTP/1.1 100 Continue\r\n\r\n";
        co_await send(goOn);
    }
    deadline(options().body);
    const std::size_t got = co_await m_reader.readBody(m_socket, buffer);
    noDeadline();
    co_return got;
}

asio::awaitable<void> Connection::send(std::string_view bytes)
{
    std::vector<asio::const_buffer> buffers(1, asio::const_buffer(bytes.data(), bytes.size()));
    co_await send(std::move(buffers));
}

asio::awaitable<void> Connection::send(std::vector<asio::const_buffer> buffers)
{
    if (m_gone)
        throw system_error(asio::error::make_error_code(asio::error::connection_aborted));
    // Piece by piece, so that a peer that takes anything at all is told from one that takes nothing.
    beast::buffers_suffix<std::vector<asio::const_buffer>> left(buffers);
    std::size_t size = asio::buffer_size(buffers);
    while (size > 0) {
        deadline(options().write);
        const std::size_t n = co_await m_socket.async_write_some(left, asio::use_awaitable);
        m_lastWrite = Clock::now();
        left.consume(n);
        size -= n;
    }
    noDeadline();
}

std::string Connection::head(int status, const Headers &headers, std::string_view extra) const
{
    if (m_commonHeaders.fields().empty())
        return responseHead(status, headers, m_close, extra);
    Headers all = headers;
    for (const auto &[name, value] : m_commonHeaders.fields())
        all.add(name, value);
    return responseHead(status, all, m_close, extra);
}

void Connection::watchPeer()
{
    if (m_watching || !m_reader.bodyDone() || m_reader.hasReadAhead())
        return;
    m_watching = true;
    m_socket.async_wait(Socket::wait_read, [weak = weak_from_this()](error_code ec) {
        const auto self = weak.lock();
        if (ec || !self || !self->m_watching)
            return;
        self->m_watching = false;
        char byte = 0;
        const ssize_t n = ::recv(self->m_socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
            self->peerIsGone();
        else if (n < 0)
            self->watchPeer();
    });
}

void Connection::peerIsGone()
{
    m_gone = true;
    m_close = true;
    if (const auto callback = std::exchange(m_onGone, nullptr))
        callback();
}

} // namespace boxdeck::host::http
