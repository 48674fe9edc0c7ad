// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/rate_meter.h"

#include <algorithm>
#include <cmath>

namespace boxdeck::transfer {

namespace {
constexpr qint64 windowMs = 5000; // long enough to be calm, short enough to follow a change
constexpr qint64 settleMs = 500;  // a first burst into the socket's buffer is not the speed
constexpr qint64 spacingMs = 100; // so that the window holds at most some fifty samples
} // namespace

void RateMeter::add(qint64 nowMs, qint64 bytes)
{
    if (!m_samples.empty() && bytes < m_samples.back().bytes)
        m_samples.clear();
    if (m_samples.size() > 1 && nowMs - m_samples[m_samples.size() - 2].ms < spacingMs)
        m_samples.back() = {nowMs, bytes};
    else
        m_samples.push_back({nowMs, bytes});
    // One sample older than the window stays: the window begins between two samples.
    while (m_samples.size() > 2 && m_samples[1].ms <= nowMs - windowMs)
        m_samples.pop_front();
}

double RateMeter::bytesPerSecond(qint64 nowMs) const
{
    if (m_samples.empty())
        return 0;
    const Sample &first = m_samples.front();
    const qint64 elapsed = nowMs - first.ms;
    if (elapsed < settleMs)
        return 0;
    return static_cast<double>(m_samples.back().bytes - first.bytes) * 1000.0 / static_cast<double>(elapsed);
}

std::optional<qint64> RateMeter::secondsLeft(qint64 nowMs, qint64 remaining) const
{
    if (remaining <= 0)
        return 0;
    const double speed = bytesPerSecond(nowMs);
    if (speed < 1)
        return std::nullopt;
    return std::max<qint64>(1, static_cast<qint64>(std::ceil(static_cast<double>(remaining) / speed)));
}

} // namespace boxdeck::transfer
