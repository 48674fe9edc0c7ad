// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"

#include <QObject>

#include <functional>
#include <memory>
#include <utility>

namespace boxdeck::transfer {

/// The one call an object waits for, which it can drop at any time.
class Awaiting
{
public:
    /// f runs with the outcome, unless drop() or the owner's end came first.
    template <typename T, typename F> void await(QObject *owner, Call<T> &&call, F f)
    {
        auto held = std::make_shared<Call<T>>(std::move(call));
        m_drop = [held] { held->cancel(); };
        held->then(owner, [this, f = std::move(f)](Result<T> result) mutable {
            m_drop = {};
            f(std::move(result));
        });
    }
    void drop()
    {
        if (auto dropNow = std::exchange(m_drop, {}))
            dropNow();
    }

private:
    std::function<void()> m_drop;
};

} // namespace boxdeck::transfer
