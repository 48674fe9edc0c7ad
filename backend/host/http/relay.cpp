// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/http/relay.h"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <chrono>
#include <poll.h>
#include <vector>

namespace boxdeck::host::http {

namespace {

using Socket = asio::generic::stream_protocol::socket;
using boost::system::error_code;

constexpr std::size_t bufferSize = 64 * 1024;
constexpr std::chrono::seconds patienceWithHalf{60};

// What the two directions share.
struct Pair
{
    Pair(Socket &one, Socket &other, const asio::any_io_executor &executor)
        : left(one)
        , right(other)
        , silence(executor)
    {
    }

    void closeBoth()
    {
        error_code ignored;
        left.close(ignored);
        right.close(ignored);
        silence.cancel();
    }

    void watchSilence()
    {
        silence.expires_after(patienceWithHalf);
        silence.async_wait([this](error_code error) {
            if (!error)
                closeBoth();
        });
    }

    Socket &left;
    Socket &right;
    asio::steady_timer silence;
    bool half = false; // one direction has ended
};

// Whether the peer has closed its socket and not only ended its sending. A unix socket knows at once, TCP does not.
bool goneForGood(Socket &socket)
{
    pollfd state{.fd = socket.native_handle(), .events = 0};
    return ::poll(&state, 1, 0) == 1 && (state.revents & (POLLHUP | POLLERR)) != 0;
}

asio::awaitable<void> pump(Pair &pair, Socket &from, Socket &to)
{
    std::vector<char> buffer(bufferSize);
    error_code error;
    for (;;) {
        const std::size_t got =
            co_await from.async_read_some(asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, error));
        if (error)
            break;
        co_await asio::async_write(to, asio::buffer(buffer.data(), got),
                                   asio::redirect_error(asio::use_awaitable, error));
        if (error)
            break;
        if (pair.half)
            pair.watchSilence();
    }
    if (error != asio::error::eof || pair.half || goneForGood(from)) {
        pair.closeBoth();
        co_return;
    }
    pair.half = true;
    to.shutdown(Socket::shutdown_send, error);
    pair.watchSilence();
}

} // namespace

asio::awaitable<void> relay(Socket &left, Socket &right)
{
    using namespace asio::experimental::awaitable_operators;
    Pair pair(left, right, co_await asio::this_coro::executor);
    co_await (pump(pair, left, right) && pump(pair, right, left));
    pair.closeBoth();
    // The timer's handler knows the pair, and may be under way already.
    error_code ignored;
    pair.silence.expires_after(std::chrono::seconds(0));
    co_await pair.silence.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

asio::awaitable<void> writeAll(Socket &socket, std::string_view bytes)
{
    co_await asio::async_write(socket, asio::buffer(bytes.data(), bytes.size()), asio::use_awaitable);
}

} // namespace boxdeck::host::http
