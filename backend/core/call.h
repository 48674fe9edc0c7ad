// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QMetaObject>
#include <QPointer>
#include <QThread>

#include <functional>
#include <memory>
#include <utility>

namespace boxdeck {

template <typename T> class Call;

namespace detail {

/// What a Promise and a Call share. Lives on one thread, the one the call was made on.
template <typename T> struct CallState
{
    std::optional<Result<T>> result;
    std::function<void(Result<T> &&)> sink; ///< runs at once when the result is there
    std::function<void()> abort;            ///< stops the work; empty once settled or aborted
    QMetaObject::Connection ownersDeath;    ///< cancels when the owner dies; cut as soon as it can't matter
    bool aborted = false;

    void settle(Result<T> &&value)
    {
        if (result || aborted)
            return;
        abort = {};
        result.emplace(std::move(value));
        flush();
    }
    void flush()
    {
        if (!result || !sink)
            return;
        auto take = std::exchange(sink, {});
        take(std::move(*result));
    }
    void cancel()
    {
        if (aborted)
            return;
        aborted = true;
        QObject::disconnect(ownersDeath);
        sink = {};
        if (auto stop = std::exchange(abort, {}))
            stop();
    }
};

template <typename> struct CallOf : std::false_type
{
};
template <typename T> struct CallOf<Call<T>> : std::true_type
{
    using Value = T;
};

} // namespace detail

/// The producing end of a Call. Copyable, so that it can live in callbacks; the first settle() counts.
template <typename T> class Promise
{
public:
    Promise()
        : m_state(std::make_shared<detail::CallState<T>>())
    {
    }

    /// Gives the outcome. Ignored after the first, and after the call was cancelled.
    void settle(Result<T> result) const { m_state->settle(std::move(result)); }
    void fail(Error error) const { m_state->settle(tl::unexpected(std::move(error))); }

    /// What to do when the consumer loses interest: abort the request. Runs at most once, never after settle().
    void onAbort(std::function<void()> stop) const
    {
        if (!m_state->result && !m_state->aborted)
            m_state->abort = std::move(stop);
    }

    /// True while somebody still waits.
    bool wanted() const { return !m_state->result && !m_state->aborted; }

    /// The consuming end; take it once.
    Call<T> call() const { return Call<T>(m_state); }

private:
    std::shared_ptr<detail::CallState<T>> m_state;
};

/// One answer that arrives later: one owner, one outcome, at most once.
///
/// Until then() is called, dropping the Call aborts the work. then() hands the outcome to an owner: it is delivered
/// queued, on the owner's thread, and never if the owner died, which aborts the work at once instead.
/// Producer and consumer live on the same thread. (A QFuture with a context asserts if the context dies first, and
/// cancelling its tail leaves the source running.)
template <typename T> class [[nodiscard]] Call
{
public:
    using Value = T;

    Call() = default;
    Call(Call &&other) noexcept = default;
    Call &operator=(Call &&other) noexcept
    {
        if (this != &other) {
            dropUnowned();
            m_state = std::move(other.m_state);
            m_owned = std::exchange(other.m_owned, false);
        }
        return *this;
    }
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;
    ~Call() { dropUnowned(); }

    /// A call that already has its outcome.
    static Call settled(Result<T> result)
    {
        Promise<T> promise;
        promise.settle(std::move(result));
        return promise.call();
    }

    /// Hands the outcome to `owner`: f(Result<T>) runs once, later, on the owner's thread.
    /// The Call may be dropped afterwards; kept, it can still cancel().
    template <typename F> void then(QObject *owner, F f)
    {
        Q_ASSERT(owner && m_state && owner->thread() == QThread::currentThread());
        m_owned = true;
        auto state = m_state;
        state->ownersDeath = QObject::connect(owner, &QObject::destroyed, owner, [state] { state->cancel(); });
        state->sink = [weak = std::weak_ptr(state), guard = QPointer<QObject>(owner),
                       f = std::move(f)](Result<T> &&result) mutable {
            if (!guard)
                return;
            auto held = std::make_shared<Result<T>>(std::move(result));
            QMetaObject::invokeMethod(
                guard.data(),
                [keep = weak.lock(), held, f = std::move(f)]() mutable {
                    if (keep->aborted)
                        return;
                    QObject::disconnect(keep->ownersDeath);
                    f(std::move(*held));
                },
                Qt::QueuedConnection);
        };
        state->flush();
    }

    /// Aborts the work; nothing is delivered any more.
    void cancel()
    {
        if (m_state)
            m_state->cancel();
        m_state.reset();
        m_owned = false;
    }

    /// True until cancelled or moved from.
    bool isValid() const { return m_state != nullptr; }

    /// A call for f(outcome), where f is Result<T> -> Result<U>. Cancelling it cancels this one. Consumes this call.
    template <typename F> auto map(F f) &&
    {
        using U = typename std::invoke_result_t<F, Result<T>>::value_type;
        Promise<U> next;
        pass(next, [next, f = std::move(f)](Result<T> &&result) mutable { next.settle(f(std::move(result))); });
        return next.call();
    }

    /// A call that goes on with another: f is Result<T> -> Call<U>. Consumes this call.
    template <typename F> auto chain(F f) &&
    {
        using U = typename detail::CallOf<std::invoke_result_t<F, Result<T>>>::Value;
        Promise<U> next;
        pass(next, [next, f = std::move(f)](Result<T> &&result) mutable {
            auto second = std::make_shared<Call<U>>(f(std::move(result)));
            next.onAbort([second] { second->cancel(); });
            second->pass(next, [next](Result<U> &&last) { next.settle(std::move(last)); });
        });
        return next.call();
    }

private:
    friend class Promise<T>;
    template <typename> friend class Call;

    explicit Call(std::shared_ptr<detail::CallState<T>> state)
        : m_state(std::move(state))
    {
    }

    template <typename U> void pass(const Promise<U> &next, std::function<void(Result<T> &&)> sink)
    {
        Q_ASSERT(m_state);
        m_owned = true;
        auto state = std::move(m_state);
        next.onAbort([state] { state->cancel(); });
        state->sink = std::move(sink);
        state->flush();
    }

    void dropUnowned()
    {
        if (m_state && !m_owned)
            m_state->cancel();
    }

    std::shared_ptr<detail::CallState<T>> m_state;
    bool m_owned = false;
};

} // namespace boxdeck
