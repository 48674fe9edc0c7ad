// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/http/server.h"

#include "backend/host/http/response_head.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/buffers_suffix.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>
#include <unordered_set>
#include <vector>

namespace boxdeck::host::http {

namespace beast = boost::beast;
using boost::system::error_code;
using boost::system::system_error;
using Clock = std::chrono::steady_clock;
using Socket = asio::generic::stream_protocol::socket;

namespace {

constexpr std::size_t readAheadLimit = 256 * 1024;
constexpr std::size_t drainForKeepAlive = 256 * 1024;

[[noreturn]] void throwErrno(const char *what)
{
    throw system_error(error_code(errno, boost::system::system_category()), what);
}

[[noreturn]] void throwGone()
{
    throw system_error(asio::error::make_error_code(asio::error::connection_aborted));
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

struct Server::Shared : std::enable_shared_from_this<Server::Shared>
{
    Shared(asio::io_context &context, Handler run, ServerOptions with)
        : io(context)
        , handler(std::move(run))
        , options(with)
        , sweeper(context)
    {
    }

    void listen(int fd);
    asio::awaitable<void> accept(std::shared_ptr<asio::posix::stream_descriptor> listener);
    void sweep();
    void add(Connection *connection);
    void remove(Connection *connection);

    asio::io_context &io;
    Handler handler;
    ServerOptions options;
    asio::steady_timer sweeper;
    std::vector<std::shared_ptr<asio::posix::stream_descriptor>> listeners;
    std::mutex mutex; // guards connections
    std::unordered_set<Connection *> connections;
    std::atomic<bool> stopped = false;
};

/// One accepted socket and the exchange that is going on over it.
class Connection : public std::enable_shared_from_this<Connection>
{
public:
    Connection(std::shared_ptr<Server::Shared> server, Socket socket)
        : m_server(std::move(server))
        , m_socket(std::move(socket))
    {
        m_server->add(this);
    }
    ~Connection() { m_server->remove(this); }

    asio::awaitable<void> run();
    void closeIfOverdue(Clock::time_point now);
    void closeSoon();

private:
    friend class Exchange;
    using Parser = beast::http::request_parser<beast::http::buffer_body>;

    void close();
    asio::awaitable<bool> readHead();
    asio::awaitable<void> handle();
    asio::awaitable<void> refuse(int status);
    asio::awaitable<std::size_t> readBodyPart(std::span<char> buffer);
    asio::awaitable<bool> drainBody(std::size_t limit);
    asio::awaitable<void> linger();
    asio::awaitable<void> send(std::vector<asio::const_buffer> buffers);
    asio::awaitable<void> send(std::string_view bytes);
    std::string head(int status, const Headers &headers, std::string_view extra) const;
    void watchPeer();
    void peerIsGone();

    void deadline(std::chrono::milliseconds in)
    {
        m_deadline.store((Clock::now() + in).time_since_epoch().count(), std::memory_order_relaxed);
    }
    void noDeadline() { m_deadline.store(0, std::memory_order_relaxed); }
    const ServerOptions &options() const { return m_server->options; }

    std::shared_ptr<Server::Shared> m_server;
    Socket m_socket;
    beast::flat_buffer m_buffer{readAheadLimit};
    std::optional<Parser> m_parser;
    std::atomic<Clock::rep> m_deadline = 0;

    // The exchange going on.
    Request m_request;
    Headers m_commonHeaders;
    std::optional<std::uint64_t> m_bodyLeft; // nothing while chunked
    bool m_bodyDone = true;
    bool m_expectContinue = false;
    bool m_started = false;
    bool m_streaming = false;
    bool m_chunked = false;
    bool m_headOnly = false;
    bool m_close = false;
    bool m_gone = false;
    bool m_watching = false;
    bool m_hijacked = false;
    std::uint64_t m_responseLeft = 0;
    std::function<void()> m_onGone;
    Clock::time_point m_lastWrite;
};

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
    m_parser.emplace();
    m_parser->header_limit(static_cast<std::uint32_t>(options().headerLimit));
    m_parser->body_limit(boost::none);
    if (m_buffer.size() == 0) {
        deadline(options().idle);
        error_code ec;
        co_await m_socket.async_wait(Socket::wait_read, asio::redirect_error(asio::use_awaitable, ec));
        if (ec)
            co_return false;
    }
    deadline(options().header);
    error_code ec;
    co_await beast::http::async_read_header(m_socket, m_buffer, *m_parser,
                                            asio::redirect_error(asio::use_awaitable, ec));
    if (ec) {
        if (ec == beast::http::error::header_limit || ec == beast::http::error::buffer_overflow)
            co_await refuse(431);
        else if (ec.category() == beast::http::make_error_code(beast::http::error::bad_method).category() &&
                 ec != beast::http::error::end_of_stream && ec != beast::http::error::partial_message)
            co_await refuse(400);
        co_return false;
    }
    noDeadline();

    const auto &message = m_parser->get();
    m_request = {};
    m_commonHeaders = {};
    m_request.method = std::string(message.method_string());
    m_request.target = std::string(message.target());
    const std::size_t question = m_request.target.find('?');
    m_request.path = m_request.target.substr(0, question);
    if (question != std::string::npos)
        m_request.query = m_request.target.substr(question + 1);
    for (const auto &field : message)
        m_request.headers.add(std::string(field.name_string()), std::string(field.value()));
    m_request.keepAlive = m_parser->keep_alive();

    m_bodyLeft.reset();
    if (!m_parser->chunked())
        m_bodyLeft = m_parser->content_length().value_or(0);
    m_bodyDone = m_bodyLeft == std::uint64_t{0};
    const auto expect = m_request.headers.get("Expect");
    m_expectContinue = expect && equalIgnoringCase(*expect, "100-continue") && message.version() >= 11;
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
    m_bodyDone = true;
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
    try {
        co_await m_server->handler(exchange);
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
        std::string text = R"({"code":500,"message":"internal error"})";
        co_await exchange.respond(500, std::move(headers), std::move(text));
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
    if (!m_bodyDone) {
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
    if (m_bodyDone || buffer.empty())
        co_return 0;
    if (m_expectContinue) {
        m_expectContinue = false;
        constexpr std::string_view goOn = "HTTP/1.1 100 Continue\r\n\r\n";
        co_await send(goOn);
    }
    deadline(options().body);
    std::size_t got = 0;
    if (m_bodyLeft) {
        // Known length: the parser is passed by, bytes land where the caller wants them.
        const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), *m_bodyLeft));
        if (m_buffer.size() > 0) {
            got = asio::buffer_copy(asio::buffer(buffer.data(), want), m_buffer.data());
            m_buffer.consume(got);
        } else {
            got = co_await m_socket.async_read_some(asio::buffer(buffer.data(), want), asio::use_awaitable);
        }
        *m_bodyLeft -= got;
        m_bodyDone = *m_bodyLeft == 0;
    } else {
        auto &body = m_parser->get().body();
        while (got == 0 && !m_parser->is_done()) {
            body.data = buffer.data();
            body.size = buffer.size();
            body.more = true;
            error_code ec;
            co_await beast::http::async_read_some(m_socket, m_buffer, *m_parser,
                                                  asio::redirect_error(asio::use_awaitable, ec));
            if (ec && ec != beast::http::error::need_buffer) {
                m_close = true;
                throw system_error(ec);
            }
            got = buffer.size() - body.size;
        }
        m_bodyDone = m_parser->is_done();
    }
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
        throwGone();
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
    if (m_watching || !m_bodyDone || m_buffer.size() > 0)
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
    if (m_connection.m_parser->chunked())
        return std::nullopt;
    return m_connection.m_parser->content_length().value_or(0);
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
    if (c.m_bodyLeft.value_or(drainForKeepAlive + 1) > drainForKeepAlive && !c.m_bodyDone)
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
    } else if (c.m_parser->get().version() < 11) {
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
        throwErrno("dup");
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
            throw system_error(error_code(error, boost::system::system_category()), "sendfile");
        if (!c.m_socket.is_open())
            throwGone();
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
    auto &buffer = m_connection.m_buffer;
    std::string bytes(static_cast<const char *>(buffer.data().data()), buffer.size());
    buffer.consume(buffer.size());
    return bytes;
}

void Exchange::hijack()
{
    m_connection.m_hijacked = true;
    m_connection.m_started = true;
    m_connection.noDeadline();
}

void Server::Shared::listen(int fd)
{
    auto listener = std::make_shared<asio::posix::stream_descriptor>(io, fd);
    listener->non_blocking(true);
    listeners.push_back(listener);
    asio::co_spawn(
        io, [self = shared_from_this(), listener] { return self->accept(listener); }, asio::detached);
    if (listeners.size() == 1)
        sweep();
}

asio::awaitable<void> Server::Shared::accept(std::shared_ptr<asio::posix::stream_descriptor> listener)
{
    asio::steady_timer pause(io);
    while (!stopped) {
        error_code ec;
        co_await listener->async_wait(asio::posix::stream_descriptor::wait_read,
                                      asio::redirect_error(asio::use_awaitable, ec));
        if (ec)
            co_return;
        bool rest = false;
        while (!stopped) {
            {
                const std::lock_guard lock(mutex);
                rest = connections.size() >= options.maxConnections;
            }
            if (rest)
                break;
            // accept4 and not Asio's accept: no moment in which a forked child could inherit the socket.
            const int fd = ::accept4(listener->native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
            if (fd < 0) {
                rest = errno != EAGAIN && errno != ECONNABORTED && errno != EINTR;
                if (errno == ECONNABORTED || errno == EINTR)
                    continue;
                break;
            }
            sockaddr_storage address{};
            socklen_t size = sizeof(address);
            ::getsockname(fd, reinterpret_cast<sockaddr *>(&address), &size);
            if (address.ss_family != AF_UNIX) {
                const int on = 1;
                ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
            }
            Socket socket(asio::make_strand(io));
            socket.assign(asio::generic::stream_protocol(address.ss_family, 0), fd, ec);
            if (ec) {
                ::close(fd);
                continue;
            }
            const auto executor = socket.get_executor();
            auto connection = std::make_shared<Connection>(shared_from_this(), std::move(socket));
            asio::co_spawn(
                executor, [connection] { return connection->run(); }, asio::detached);
        }
        if (rest) {
            // Out of descriptors or at the limit: the backlog keeps them, spinning on the ready socket would not help.
            pause.expires_after(std::chrono::milliseconds(50));
            co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, ec));
        }
    }
}

void Server::Shared::sweep()
{
    const auto shortest = std::min({options.idle, options.header, options.body, options.write, options.linger});
    const auto tick = std::clamp<std::chrono::milliseconds>(shortest / 4, std::chrono::milliseconds(20),
                                                            std::chrono::milliseconds(2'500));
    sweeper.expires_after(tick);
    sweeper.async_wait([weak = weak_from_this()](error_code ec) {
        const auto self = weak.lock();
        if (ec || !self || self->stopped)
            return;
        {
            const std::lock_guard lock(self->mutex);
            for (Connection *connection : self->connections)
                connection->closeIfOverdue(Clock::now());
        }
        self->sweep();
    });
}

void Server::Shared::add(Connection *connection)
{
    const std::lock_guard lock(mutex);
    connections.insert(connection);
}

void Server::Shared::remove(Connection *connection)
{
    const std::lock_guard lock(mutex);
    connections.erase(connection);
}

Server::Server(asio::io_context &io, Handler handler, ServerOptions options)
    : m_shared(std::make_shared<Shared>(io, std::move(handler), options))
{
}

Server::~Server()
{
    stop();
}

std::uint16_t Server::listenTcp(const std::string &address, std::uint16_t port)
{
    const auto ip = asio::ip::make_address(address);
    const bool v6 = ip.is_v6();
    const int fd = ::socket(v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        throwErrno("socket");
    const int on = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    const auto fail = [fd](const char *what) {
        const int error = errno;
        ::close(fd);
        throw system_error(error_code(error, boost::system::system_category()), what);
    };
    sockaddr_storage storage{};
    socklen_t size = 0;
    if (v6) {
        auto *to = reinterpret_cast<sockaddr_in6 *>(&storage);
        to->sin6_family = AF_INET6;
        to->sin6_port = htons(port);
        const auto bytes = ip.to_v6().to_bytes();
        std::memcpy(&to->sin6_addr, bytes.data(), bytes.size());
        size = sizeof(*to);
    } else {
        auto *to = reinterpret_cast<sockaddr_in *>(&storage);
        to->sin_family = AF_INET;
        to->sin_port = htons(port);
        to->sin_addr.s_addr = htonl(ip.to_v4().to_uint());
        size = sizeof(*to);
    }
    if (::bind(fd, reinterpret_cast<sockaddr *>(&storage), size) != 0)
        fail("bind");
    if (::listen(fd, SOMAXCONN) != 0)
        fail("listen");
    ::getsockname(fd, reinterpret_cast<sockaddr *>(&storage), &size);
    m_shared->listen(fd);
    return ntohs(v6 ? reinterpret_cast<sockaddr_in6 *>(&storage)->sin6_port
                    : reinterpret_cast<sockaddr_in *>(&storage)->sin_port);
}

void Server::adopt(int listeningFd)
{
    m_shared->listen(listeningFd);
}

void Server::stop()
{
    if (m_shared->stopped.exchange(true))
        return;
    error_code ignored;
    for (const auto &listener : m_shared->listeners)
        listener->close(ignored);
    m_shared->sweeper.cancel();
    const std::lock_guard lock(m_shared->mutex);
    for (Connection *connection : m_shared->connections)
        connection->closeSoon();
}

} // namespace boxdeck::host::http
