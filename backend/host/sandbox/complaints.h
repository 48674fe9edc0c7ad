// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include "backend/host/sandbox/spawn.h"

namespace boxdeck::host {

namespace asio = boost::asio;

/// What bubblewrap and the daemon of one sandbox say on stderr, kept in a file. They get a pipe and not the file: a
/// descriptor has a name under /proc, and would lead the daemon's clients to a file outside of the root. Lives on one
/// thread.
class Complaints
{
public:
    explicit Complaints(asio::io_context &io);

    /// Begins anew with the file @p path, of which only so much is ever written that no sandbox can fill the disk with
    /// it. Gives the end to write to, for the child. Throws std::system_error.
    Fd open(const std::string &path);
    /// Takes down what is said until everybody who could say something is gone. The caller keeps this object alive.
    asio::awaitable<void> keep();
    /// The end of what was said so far, for a sentence about a failure; empty if nothing was.
    std::string tail();

private:
    bool take();

    asio::posix::stream_descriptor m_from;
    Fd m_file;
    std::size_t m_kept = 0;
    std::string m_tail;
};

} // namespace boxdeck::host
