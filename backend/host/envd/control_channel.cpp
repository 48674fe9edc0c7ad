// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/control_channel.h"

#include <cerrno>
#include <sys/socket.h>
#include <vector>

namespace boxdeck::host::envd {

ControlChannel::ControlChannel(boost::asio::io_context &io, int fd, std::function<std::string(std::string_view)> handle,
                               std::function<void()> closed)
    : m_socket(io, fd)
    , m_handle(std::move(handle))
    , m_closed(std::move(closed))
{
    wait();
}

void ControlChannel::send(std::string_view json)
{
    // An answer of a few hundred bytes to a host that asks one thing at a time: it fits the socket's buffer.
    ::send(m_socket.native_handle(), json.data(), json.size(), MSG_NOSIGNAL);
}

void ControlChannel::wait()
{
    m_socket.async_wait(boost::asio::posix::stream_descriptor::wait_read, [this](boost::system::error_code ec) {
        if (ec)
            return;
        std::vector<char> datagram(256 * 1024);
        const ssize_t n = ::recv(m_socket.native_handle(), datagram.data(), datagram.size(), MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
            m_closed();
            return;
        }
        if (n > 0)
            send(m_handle(std::string_view(datagram.data(), static_cast<std::size_t>(n))));
        wait();
    });
}

} // namespace boxdeck::host::envd
