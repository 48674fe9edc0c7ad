// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "backend/host/builds/upload_store.h"

namespace boxdeck::host {

/// How far a template build may go.
struct BuildLimits
{
    std::chrono::seconds time{3600};           ///< for one whole build
    std::chrono::seconds ready{600};           ///< for the ready command to succeed (protocol/lifecycle.md, section 7)
    std::chrono::seconds defaultReadyWait{20}; ///< with a start command but no ready command
    std::size_t logBytes = 8 * 1024 * 1024;    ///< of what commands print
    std::size_t running = 4;                   ///< at once; others stand in line
    std::uint64_t cacheBytes = 20ULL << 30;    ///< of layers that only the cache needs
    UploadLimits uploads;
};

/// Reads `name=number,…` over the defaults: time, ready, ready-wait (seconds), log (KiB), running, cache, archive,
/// archives (MiB). Throws std::invalid_argument with the name that is not understood.
BuildLimits readBuildLimits(const std::string &text);

} // namespace boxdeck::host
