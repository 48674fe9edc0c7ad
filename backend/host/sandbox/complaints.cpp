// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/sandbox/complaints.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <system_error>
#include <unistd.h>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace boxdeck::host {

namespace {

constexpr std::size_t fileLimit = 256UL * 1024;
constexpr std::size_t tailLimit = 1500;

} // namespace

Complaints::Complaints(asio::io_context &io)
    : m_from(io)
{
}

Fd Complaints::open(const std::string &path)
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw std::system_error(errno, std::generic_category(), "a pipe");
    Fd theirs(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK); // ours only: whoever says something may wait
    m_from.assign(ends[0]);
    m_file.reset(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    return theirs;
}

// Gives whether there may be more later.
bool Complaints::take()
{
    constexpr int mostAtOnce = 16; // whoever never stops complaining keeps nobody else waiting
    std::array<char, 4096> block{};
    for (int round = 0; m_from.is_open(); ++round) {
        if (round == mostAtOnce)
            return true;
        const ssize_t got = read(m_from.native_handle(), block.data(), block.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 && errno == EAGAIN;
        const std::string_view said(block.data(), static_cast<std::size_t>(got));
        m_tail += said;
        if (m_tail.size() > tailLimit)
            m_tail.erase(0, m_tail.size() - tailLimit);
        const std::string_view kept = said.substr(0, fileLimit - m_kept);
        const ssize_t wrote = m_file && !kept.empty() ? write(m_file.get(), kept.data(), kept.size()) : 0;
        m_kept += wrote > 0 ? static_cast<std::size_t>(wrote) : 0;
    }
    return false;
}

asio::awaitable<void> Complaints::keep()
{
    while (take()) {
        boost::system::error_code error;
        co_await m_from.async_wait(asio::posix::stream_descriptor::wait_read,
                                   asio::redirect_error(asio::use_awaitable, error));
        if (error)
            break;
    }
    boost::system::error_code ignored;
    m_from.close(ignored);
    m_file.reset();
}

std::string Complaints::tail()
{
    take();
    std::string text = m_tail;
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text;
}

} // namespace boxdeck::host
