// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTest>
#include <QTimer>

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

} // namespace boxdeck::test
