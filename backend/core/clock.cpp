// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/clock.h"

#include <chrono>

namespace boxdeck {

QDateTime SystemClock::now() const
{
    return QDateTime::currentDateTimeUtc();
}

qint64 SystemClock::monotonicMs() const
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

} // namespace boxdeck
