// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"

#include <QObject>
#include <QThreadPool>

namespace boxdeck::api {

namespace detail {

/// Stays on the caller's thread, so that the promise is only ever touched there.
template <typename T> struct DecodeRelay : QObject
{
    Promise<T> promise;
};

} // namespace detail

/// Decodes a body: at once if it is small, else on another thread, as a listing of 100,000 files would freeze the
/// window.
template <typename T> Call<T> decoded(const QByteArray &body, Result<T> (*decode)(const QByteArray &))
{
    constexpr qsizetype small = 256 * 1024;
    if (body.size() <= small)
        return Call<T>::settled(decode(body));
    auto *relay = new detail::DecodeRelay<T>; // deletes itself when the answer is back
    Call<T> call = relay->promise.call();
    QThreadPool::globalInstance()->start([relay, body, decode] {
        auto result = std::make_shared<Result<T>>(decode(body));
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

} // namespace boxdeck::api
