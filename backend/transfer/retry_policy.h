// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

#include <chrono>
#include <optional>

namespace boxdeck::transfer {

/// How a transfer deals with faults. Each step of a transfer may be repeated: a download reads, and an upload writes to
/// a name of its own until the last move.
struct RetryPolicy
{
    int maxAttempts = 8; ///< tries of one file without a byte of progress between them
    std::chrono::milliseconds first{500};
    std::chrono::milliseconds longest{15000};

    /// The pause before try number `attempt` (2 = the first repetition): doubled each time up to `longest`, and never
    /// shorter than the server's Retry-After. Nothing when there have been enough, or when `error` won't pass by
    /// itself.
    std::optional<std::chrono::milliseconds> delayBefore(int attempt, const Error &error) const;
};

/// True for an outage, a timeout, a stall, a busy server: not for a wrong key, a missing file, a full disk.
bool mayPass(const Error &error);

/// True if nothing else of the same transfer can succeed either: no credential, no sandbox, no space.
bool stopsWholeJob(const Error &error);

} // namespace boxdeck::transfer
