// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace boxdeck::host::envd {

/// Measures the sandbox for GET /metrics (protocol/envd.md section 5): its own processes, beside the machine's size.
/// CPU use is that since the previous reading, in percent of all cores.
class Metrics
{
public:
    /// The answer's JSON object. @p ownDisk is what the sandbox's files take, if that is known; otherwise the use of
    /// the whole file system is told.
    std::string read(std::optional<std::uint64_t> ownDisk);

private:
    std::chrono::steady_clock::time_point m_at;
    std::uint64_t m_ticks = 0;
    double m_percent = 0;
};

} // namespace boxdeck::host::envd
