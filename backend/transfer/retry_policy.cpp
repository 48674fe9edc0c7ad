// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/retry_policy.h"

#include <algorithm>

namespace boxdeck::transfer {

std::optional<std::chrono::milliseconds> RetryPolicy::delayBefore(int attempt, const Error &error) const
{
    if (attempt > maxAttempts || !mayPass(error))
        return std::nullopt;
    std::chrono::milliseconds delay = first;
    for (int i = 2; i < attempt && delay < longest; ++i)
        delay *= 2;
    delay = std::min(delay, longest);
    if (error.retryAfter)
        delay = std::max<std::chrono::milliseconds>(delay, *error.retryAfter);
    return delay;
}

bool mayPass(const Error &error)
{
    switch (error.kind) {
    case ErrorKind::Unavailable:
    case ErrorKind::Timeout:
        return true;
    case ErrorKind::Capacity:
        return error.httpStatus != 507; // a full disk does not empty itself
    default:
        return false;
    }
}

bool stopsWholeJob(const Error &error)
{
    return error.kind == ErrorKind::Authentication || error.kind == ErrorKind::Terminal ||
           error.kind == ErrorKind::Capacity || error.kind == ErrorKind::Unavailable ||
           error.kind == ErrorKind::Timeout || error.code == QLatin1String("disk_full");
}

} // namespace boxdeck::transfer
