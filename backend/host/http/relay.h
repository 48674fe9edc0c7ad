// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>

#include <string_view>

namespace boxdeck::host::http {

namespace asio = boost::asio;

/// Passes bytes between two connections, both ways, until both sides have ended; closes both then. The end of one side
/// is passed on as the end of sending only, so that an answer still comes through; a side that is then silent for a
/// minute is taken for gone. Never throws for what the peers do. Both sockets must be used on the calling strand only.
asio::awaitable<void> relay(asio::generic::stream_protocol::socket &left,
                            asio::generic::stream_protocol::socket &right);

/// Writes all of @p bytes. Throws boost::system::system_error.
asio::awaitable<void> writeAll(asio::generic::stream_protocol::socket &socket, std::string_view bytes);

} // namespace boxdeck::host::http
