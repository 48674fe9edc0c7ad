// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/net/http_transport.h"

#include <chrono>
#include <functional>
#include <optional>

namespace boxdeck::api {

/// How a request that has the same effect twice is sent again (protocol/lifecycle.md section 11).
struct RetryPolicy
{
    int attempts = 3; ///< in total
    std::chrono::milliseconds first{200};
    std::chrono::milliseconds longest{2000}; ///< of what doubles from `first` on
    double jitter = 0.2;                     ///< part of a pause by which it may be longer or shorter
    /// A longer Retry-After is left to the caller, who can say so, instead of keeping it waiting.
    std::chrono::milliseconds patience{10'000};

    /// The pause before try number `attempt` (2 = the first repetition), or nothing if there is to be none. `dice` is
    /// uniform in 0..1. A Retry-After is never undercut.
    std::optional<std::chrono::milliseconds> delayBefore(int attempt, const Error &error, double dice) const;
};

/// True for what may be different in a moment: a lost connection, an outage, a rate limit that says how long. Not for a
/// wrong key, a refused certificate, a limit that needs something freed first, or a request that has already used up
/// its time.
bool mayPassSoon(const Error &error);

/// The clock and the dice of repetitions, so that tests can hold them.
struct Pauses
{
    std::function<Call<void>(std::chrono::milliseconds)> wait; ///< default: real time
    std::function<double()> dice;                              ///< default: random
};

/// Waits as `pauses` say.
Call<void> waitFor(std::chrono::milliseconds pause, const Pauses &pauses);
double throwDice(const Pauses &pauses);

/// Sends a request whose effect twice is that of once: a read, a delete, "the end is in 300 s". Gives the last answer,
/// or the last reason for none. Never use it for what creates or runs something.
Call<net::HttpResponse> sendRepeatedly(net::HttpTransport &transport, net::HttpRequest request,
                                       const RetryPolicy &policy = {}, const Pauses &pauses = {});

} // namespace boxdeck::api
