// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace boxdeck::host {

namespace asio = boost::asio;

/// Something coroutines of one thread wait for. Owned by whoever says that it happened.
class Condition
{
public:
    explicit Condition(const asio::any_io_executor &executor)
        : m_timer(executor, asio::steady_timer::time_point::max())
    {
    }

    /// Wakes everybody who waits now.
    void notifyAll() { m_timer.cancel(); }

    /// Waits for the next notifyAll(). Look at the state again afterwards: waking says only that it may have changed.
    asio::awaitable<void> wait()
    {
        boost::system::error_code ignored;
        co_await m_timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }

private:
    asio::steady_timer m_timer;
};

/// Lets coroutines of one thread in one at a time, in the order they came.
class AsyncMutex
{
public:
    /// Held while it lives.
    class Guard
    {
    public:
        Guard() = default;
        explicit Guard(AsyncMutex &mutex)
            : m_mutex(&mutex)
        {
        }
        Guard(Guard &&other) noexcept
            : m_mutex(std::exchange(other.m_mutex, nullptr))
        {
        }
        Guard &operator=(Guard &&other) noexcept
        {
            if (this != &other) {
                release();
                m_mutex = std::exchange(other.m_mutex, nullptr);
            }
            return *this;
        }
        Guard(const Guard &) = delete;
        Guard &operator=(const Guard &) = delete;
        ~Guard() { release(); }
        void release()
        {
            if (m_mutex != nullptr)
                std::exchange(m_mutex, nullptr)->unlock();
        }

    private:
        AsyncMutex *m_mutex = nullptr;
    };

    explicit AsyncMutex(const asio::any_io_executor &executor)
        : m_changed(executor)
    {
    }

    bool locked() const { return m_serving != m_nextTicket; }

    asio::awaitable<Guard> lock()
    {
        const std::uint64_t ticket = m_nextTicket++;
        while (ticket != m_serving)
            co_await m_changed.wait();
        co_return Guard(*this);
    }

private:
    void unlock()
    {
        ++m_serving;
        m_changed.notifyAll();
    }

    Condition m_changed;
    std::uint64_t m_nextTicket = 0;
    std::uint64_t m_serving = 0;
};

/// Waits until @p fd is readable or @p patience has passed; false if it has passed.
asio::awaitable<bool> waitReadable(int fd, std::chrono::milliseconds patience);

} // namespace boxdeck::host
