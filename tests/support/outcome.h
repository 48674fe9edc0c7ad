// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"

#include <QObject>

#include <optional>

namespace boxdeck::test {

/// Holds on to a call and what becomes of it: QTRY_VERIFY(outcome.done()).
template <typename T> class Outcome : public QObject
{
public:
    explicit Outcome(Call<T> call)
        : m_call(std::move(call))
    {
        m_call.then(this, [this](Result<T> result) { m_result.emplace(std::move(result)); });
    }

    bool done() const { return m_result.has_value(); }
    bool ok() const { return m_result && m_result->has_value(); }
    bool failed() const { return m_result && !m_result->has_value(); }
    const auto &value() const { return m_result->value(); }
    Error error() const { return failed() ? m_result->error() : Error(); }
    QString code() const { return error().code; }

private:
    Call<T> m_call;
    std::optional<Result<T>> m_result;
};

template <typename T> Outcome(Call<T>) -> Outcome<T>;

} // namespace boxdeck::test
