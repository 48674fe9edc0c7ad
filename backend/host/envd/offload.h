// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <functional>
#include <type_traits>
#include <utility>

namespace boxdeck::host::envd {

/// Runs a function that may wait for the disk on another executor and gives its result (or exception) back here. The
/// function must not touch anything that the I/O thread uses meanwhile.
template <typename Function>
boost::asio::awaitable<std::invoke_result_t<Function>> offload(boost::asio::any_io_executor executor, Function function)
{
    // Every step a named variable: GCC 12 destroys temporaries of such expressions twice.
    using Result = std::invoke_result_t<Function>;
    auto task = [&function]() -> boost::asio::awaitable<Result> { co_return function(); };
    if constexpr (std::is_void_v<Result>) {
        co_await boost::asio::co_spawn(executor, std::move(task), boost::asio::use_awaitable);
    } else {
        Result result = co_await boost::asio::co_spawn(executor, std::move(task), boost::asio::use_awaitable);
        co_return result;
    }
}

/// A function that runs on another executor while the coroutine that started it goes on. Whoever starts one has to
/// wait for it before anything it uses goes away, also on the way out of an exception.
class BackgroundTask
{
public:
    /// `home` is where wait() is called from.
    explicit BackgroundTask(boost::asio::any_io_executor home)
        : m_home(home)
        , m_finished(home, boost::asio::steady_timer::time_point::max())
    {
    }

    void start(const boost::asio::any_io_executor &where, std::function<void()> work)
    {
        m_running = true;
        boost::asio::post(where, [this, work = std::move(work)] {
            std::exception_ptr failure;
            try {
                work();
            } catch (...) {
                failure = std::current_exception();
            }
            boost::asio::post(m_home, [this, failure] {
                m_running = false;
                m_failure = failure;
                m_finished.cancel();
            });
        });
    }

    /// Returns when nothing runs any more, with what the function threw, if it did.
    boost::asio::awaitable<std::exception_ptr> wait()
    {
        while (m_running) {
            boost::system::error_code ec;
            co_await m_finished.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ec));
        }
        co_return std::exchange(m_failure, nullptr);
    }

private:
    boost::asio::any_io_executor m_home;
    boost::asio::steady_timer m_finished;
    bool m_running = false;
    std::exception_ptr m_failure;
};

} // namespace boxdeck::host::envd
