// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>

namespace boxdeck {

/// The time, so that tests can set it.
class Clock
{
public:
    virtual ~Clock() = default;
    virtual QDateTime now() const = 0;      ///< UTC
    virtual qint64 monotonicMs() const = 0; ///< milliseconds since some fixed moment, never set back
};

class SystemClock final : public Clock
{
public:
    QDateTime now() const override;
    qint64 monotonicMs() const override;
};

} // namespace boxdeck
