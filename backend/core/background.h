// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"

#include <QObject>
#include <QThreadPool>

#include <memory>
#include <type_traits>
#include <utility>

namespace boxdeck {

namespace detail {

/// Stays on the caller's thread, so that the promise is only ever touched there.
template <typename T> struct BackgroundRelay : QObject
{
    Promise<T> promise;
};

} // namespace detail

/// Runs f, which returns a Result<T>, on a thread of the global pool and gives its outcome back on this one. f runs to
/// its end even if nobody waits any more; it must own what it touches.
template <typename F> auto inBackground(F f)
{
    using T = typename std::invoke_result_t<F>::value_type;
    auto *relay = new detail::BackgroundRelay<T>; // deletes itself when the answer is back
    Call<T> call = relay->promise.call();
    QThreadPool::globalInstance()->start([relay, f = std::move(f)] {
        auto result = std::make_shared<Result<T>>(f());
        QMetaObject::invokeMethod(
            relay,
            [relay, result] {
                relay->promise.settle(std::move(*result));
                delete relay;
            },
            Qt::QueuedConnection);
    });
    return call;
}

} // namespace boxdeck
