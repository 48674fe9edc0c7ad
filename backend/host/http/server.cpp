// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/http/server.h"

#include "backend/host/http/connection.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace boxdeck::host::http {

using boost::system::error_code;
using boost::system::system_error;

namespace {

[[noreturn]] void throwErrno(const char *what)
{
    throw system_error(error_code(errno, boost::system::system_category()), what);
}

} // namespace

struct Server::Shared : ServerState, std::enable_shared_from_this<Server::Shared>
{
    Shared(asio::io_context &context, Handler run, ServerOptions with)
        : ServerState{.handler = std::move(run), .options = with}
        , io(context)
        , sweeper(context)
    {
    }

    void listen(int fd);
    asio::awaitable<void> accept(std::shared_ptr<asio::posix::stream_descriptor> listener);
    void sweep();

    asio::io_context &io;
    asio::steady_timer sweeper;
    std::vector<std::shared_ptr<asio::posix::stream_descriptor>> listeners;
};

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
            Connection::Socket socket(asio::make_strand(io));
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
                connection->closeIfOverdue(std::chrono::steady_clock::now());
        }
        self->sweep();
    });
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
