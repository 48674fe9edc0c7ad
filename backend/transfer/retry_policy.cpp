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

namespace {

/// On /files a 500 is envd's word about this one file: no right to write there, a folder on a file's place
/// (protocol/envd.md sections 6 and 7). Asking again gives the same.
bool isAboutTheFile(const Error &error)
{
    return error.httpStatus == 500;
}

} // namespace

bool mayPass(const Error &error)
{
    if (isAboutTheFile(error))
        return false;
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
    if (isAboutTheFile(error))
        return false;
    return error.kind == ErrorKind::Authentication || error.kind == ErrorKind::Terminal ||
           error.kind == ErrorKind::Capacity || error.kind == ErrorKind::Unavailable ||
           error.kind == ErrorKind::Timeout || error.code == QLatin1String("disk_full");
}

} // namespace boxdeck::transfer
