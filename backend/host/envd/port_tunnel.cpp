// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/port_tunnel.h"

#include "backend/host/http/relay.h"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <charconv>
#include <chrono>
#include <optional>
#include <sys/socket.h>

namespace boxdeck::host::envd {

namespace {

namespace asio = boost::asio;
using Socket = asio::generic::stream_protocol::socket;
using Tcp = asio::ip::tcp;

constexpr int dials = 5;
constexpr std::chrono::milliseconds firstPause{100};
constexpr std::chrono::seconds dialPatience{5}; // loopback answers at once, unless the service's queue is full

std::optional<std::uint16_t> portOf(std::string_view target)
{
    constexpr std::string_view name = "localhost:";
    if (!target.starts_with(name))
        return {};
    target.remove_prefix(name.size());
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(target.data(), target.data() + target.size(), port);
    if (error != std::errc() || end != target.data() + target.size() || port == 0)
        return {};
    return port;
}

asio::awaitable<bool> dial(Tcp::socket &socket, Tcp::endpoint endpoint)
{
    using namespace asio::experimental::awaitable_operators;
    boost::system::error_code error;
    socket.close(error);
    // By hand, because Asio's own sockets are inherited by every process that is started meanwhile.
    const int fd = ::socket(endpoint.data()->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        co_return false;
    socket.assign(endpoint.protocol(), fd, error);
    asio::steady_timer timer(socket.get_executor(), dialPatience);
    boost::system::error_code ignored;
    co_await (socket.async_connect(endpoint, asio::redirect_error(asio::use_awaitable, error)) ||
              timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored)));
    co_return !error && socket.is_open();
}

asio::awaitable<bool> reach(Tcp::socket &socket, std::uint16_t port)
{
    const Tcp::endpoint both[] = {{asio::ip::address_v4::loopback(), port}, {asio::ip::address_v6::loopback(), port}};
    asio::steady_timer pause(socket.get_executor());
    for (int attempt = 0; attempt < dials; ++attempt) {
        if (attempt > 0) {
            pause.expires_after(firstPause * attempt);
            co_await pause.async_wait(asio::use_awaitable);
        }
        for (const Tcp::endpoint &endpoint : both) {
            const bool open = co_await dial(socket, endpoint);
            // A port of the ephemeral range may connect to itself when nobody listens.
            boost::system::error_code error;
            if (open && socket.local_endpoint(error) != endpoint)
                co_return true;
        }
    }
    co_return false;
}

} // namespace

asio::awaitable<void> serveTunnel(http::Exchange &exchange)
{
    const auto port = portOf(exchange.request().target);
    if (!port) {
        co_await exchange.respond(400, {});
        co_return;
    }
    Tcp::socket found(exchange.executor());
    const bool open = co_await reach(found, *port);
    if (!open) {
        co_await exchange.respond(502, {});
        co_return;
    }
    boost::system::error_code ignored;
    found.set_option(Tcp::no_delay(true), ignored);
    exchange.hijack();
    Socket service(std::move(found));
    const std::string early = exchange.readAhead();
    constexpr std::string_view established = "HTTP/1.1 200 OK\r\n\r\n";
    co_await http::writeAll(exchange.socket(), established);
    co_await http::writeAll(service, early);
    co_await http::relay(exchange.socket(), service);
}

} // namespace boxdeck::host::envd
