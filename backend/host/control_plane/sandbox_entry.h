// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <list>

#include "backend/host/control_plane/sandbox_manager.h"

namespace boxdeck::host {

/// Entries of a sandbox's log that are kept in memory and shown.
inline constexpr std::size_t logLimit = 1000;

/// One sandbox in memory. Only the manager's own files see this.
struct SandboxManager::Sandbox
{
    Sandbox(const asio::any_io_executor &executor, SandboxRecord known)
        : record(std::move(known))
        , changing(executor)
    {
    }

    SandboxRecord record;
    std::shared_ptr<Container> container; ///< nothing when its processes are gone: paused on disk, or just starting
    AsyncMutex changing;                  ///< held while the state changes
    bool killing = false;                 ///< on its way out: unknown to everybody already
    bool copying = false;                 ///< its files are being copied, it is not changing otherwise
    bool pausing = false;                 ///< shown as paused already
    std::string notice;
    std::deque<LogEntry> logs;
    std::deque<MetricSample> metrics;
    std::int64_t diskForgiven = 0; ///< what its files took when it was last paused for them: so much may stay
    std::list<std::function<void()>> connections; ///< how to cut what is open to its data plane
};

} // namespace boxdeck::host
