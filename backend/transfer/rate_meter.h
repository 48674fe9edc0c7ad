// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <deque>
#include <optional>

namespace boxdeck::transfer {

/// Speed and time left of a transfer, from the bytes done over the last few seconds. Times are monotonic milliseconds,
/// given by the caller.
class RateMeter
{
public:
    /// Notes that `bytes` were done in total at `nowMs`. A smaller total than before (a restart) begins anew.
    void add(qint64 nowMs, qint64 bytes);

    /// Forgets everything: after a pause the time without bytes says nothing about the speed.
    void reset() { m_samples.clear(); }

    /// Bytes per second over the window that ends now; 0 until half a second has been seen.
    double bytesPerSecond(qint64 nowMs) const;

    /// Seconds until `remaining` bytes are done at this speed; nothing while the speed is unknown or none.
    std::optional<qint64> secondsLeft(qint64 nowMs, qint64 remaining) const;

private:
    struct Sample
    {
        qint64 ms;
        qint64 bytes;
    };
    std::deque<Sample> m_samples;
};

} // namespace boxdeck::transfer
