// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace boxdeck::host::envd {

/// The socket to the host: one JSON object per datagram, each request answered in order.
class ControlChannel
{
public:
    /// `handle` gives the answer to a datagram; `closed` is called once when the host has gone.
    ControlChannel(boost::asio::io_context &io, int fd, std::function<std::string(std::string_view)> handle,
                   std::function<void()> closed);

    void send(std::string_view json);

private:
    void wait();

    boost::asio::posix::stream_descriptor m_socket;
    std::function<std::string(std::string_view)> m_handle;
    std::function<void()> m_closed;
};

} // namespace boxdeck::host::envd
