// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"

#include <QMutex>
#include <QObject>
#include <QThreadPool>

#include <deque>
#include <functional>
#include <memory>
#include <utility>

namespace boxdeck::transfer {

/// Runs disk work of one file in order, on a thread of the pool, and gives each outcome back on the GUI thread. A disk
/// that hangs holds up its own queue only.
///
/// Work that was started runs to its end even if its Call was cancelled or the queue died; it must own what it touches.
/// `home` lives on the GUI thread and longer than the pool's last work. A copy is the same queue.
class DiskQueue
{
public:
    DiskQueue(QThreadPool &pool, QObject &home)
        : m_pool(pool)
        , m_home(home)
        , m_line(std::make_shared<Line>())
    {
    }

    /// A queue of its own on the same threads.
    DiskQueue another() const { return {m_pool, m_home}; }

    /// f runs on a disk thread and returns a Result<T>.
    template <typename F> auto run(F f)
    {
        using T = typename std::invoke_result_t<F>::value_type;
        Promise<T> promise;
        enqueue([home = &m_home, promise, f = std::move(f)]() mutable {
            auto result = std::make_shared<Result<T>>(f());
            // The promise goes along: what waits for it belongs to the GUI thread and must not be destroyed here.
            QMetaObject::invokeMethod(
                home, [promise = std::move(promise), result] { promise.settle(std::move(*result)); },
                Qt::QueuedConnection);
        });
        return promise.call();
    }

private:
    struct Line
    {
        QMutex mutex;
        std::deque<std::function<void()>> waiting;
        bool running = false;
    };
    void enqueue(std::function<void()> work);

    QThreadPool &m_pool;
    QObject &m_home;
    std::shared_ptr<Line> m_line;
};

} // namespace boxdeck::transfer
