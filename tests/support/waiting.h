// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTest>
#include <QTimer>

#include <functional>

namespace boxdeck::test {

/// Runs the event loop until a call has its outcome. A test that waits longer than `limit` fails with a Timeout of
/// code "test_limit", which no real call gives.
template <typename T> Result<T> outcome(Call<T> call, std::chrono::milliseconds limit = std::chrono::seconds(20))
{
    QObject owner;
    std::optional<Result<T>> result;
    QEventLoop loop;
    call.then(&owner, [&](Result<T> value) {
        result.emplace(std::move(value));
        loop.quit();
    });
    QTimer::singleShot(limit, &loop, &QEventLoop::quit);
    loop.exec();
    if (result)
        return std::move(*result);
    return tl::unexpected(Error{.kind = ErrorKind::Timeout, .code = QStringLiteral("test_limit")});
}

/// The kind of a failed call; Local, which no call to a server fails with, if it did not fail.
template <typename T> ErrorKind kindOf(const Result<T> &result)
{
    return result ? ErrorKind::Local : result.error().kind;
}

/// Runs the event loop until `done` says true. QTRY_VERIFY sleeps between its looks, and a bulk body that hops between
/// threads for every 16 KiB would crawl.
inline bool eventually(const std::function<bool()> &done, std::chrono::milliseconds limit = std::chrono::seconds(60))
{
    QEventLoop loop;
    QTimer look;
    bool looking = false; // `done` may run a loop of its own
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        if (std::exchange(looking, true))
            return;
        if (done())
            loop.quit();
        looking = false;
    });
    look.start(2);
    QTimer::singleShot(limit, &loop, &QEventLoop::quit);
    if (!done())
        loop.exec();
    return done();
}

} // namespace boxdeck::test
