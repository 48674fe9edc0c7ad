// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <type_traits>

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

} // namespace boxdeck::host::envd
