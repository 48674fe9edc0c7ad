// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/builds/build_limits.h"

#include <charconv>
#include <stdexcept>

namespace boxdeck::host {

namespace {

void set(BuildLimits &limits, const std::string &name, std::uint64_t number)
{
    constexpr std::uint64_t kib = 1024;
    constexpr std::uint64_t mib = 1024 * kib;
    const std::chrono::seconds seconds(number);
    if (name == "time")
        limits.time = seconds;
    else if (name == "ready")
        limits.ready = seconds;
    else if (name == "ready-wait")
        limits.defaultReadyWait = seconds;
    else if (name == "log")
        limits.logBytes = number * kib;
    else if (name == "running")
        limits.running = number;
    else if (name == "cache")
        limits.cacheBytes = number * mib;
    else if (name == "archive")
        limits.uploads.archive = number * mib;
    else if (name == "archives")
        limits.uploads.together = number * mib;
    else
        throw std::invalid_argument(name);
}

} // namespace

BuildLimits readBuildLimits(const std::string &text)
{
    constexpr std::uint64_t most = 1ULL << 30;
    BuildLimits limits;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find(',', at), text.size());
        const std::string part = text.substr(at, end - at);
        at = end + 1;
        const auto equals = part.find('=');
        std::uint64_t number = 0;
        const char *begin = part.data() + std::min(part.size(), equals + 1);
        const auto [stop, error] = std::from_chars(begin, part.data() + part.size(), number);
        if (equals == std::string::npos || error != std::errc() || stop != part.data() + part.size() || number > most)
            throw std::invalid_argument(part);
        set(limits, part.substr(0, equals), number);
    }
    if (limits.running == 0)
        throw std::invalid_argument("running=0");
    return limits;
}

} // namespace boxdeck::host
