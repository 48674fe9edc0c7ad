// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace boxdeck::host::envd {

/// Measures the sandbox for GET /metrics (protocol/envd.md section 5). CPU use is that since the previous reading.
class Metrics
{
public:
    /// The answer's JSON object.
    std::string read();

private:
    std::uint64_t m_busy = 0;
    std::uint64_t m_total = 0;
};

} // namespace boxdeck::host::envd
