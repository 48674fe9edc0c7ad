// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace boxdeck::host::envd {

/// Measures the sandbox for GET /metrics (protocol/envd.md section 5): its own processes, beside the machine's size.
/// CPU use is that since the previous reading, in percent of all cores.
class Metrics
{
public:
    /// The answer's JSON object.
    std::string read();

private:
    std::chrono::steady_clock::time_point m_at;
    std::uint64_t m_ticks = 0;
    double m_percent = 0;
};

} // namespace boxdeck::host::envd
