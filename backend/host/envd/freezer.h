// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <sys/types.h>

namespace boxdeck::host::envd {

/// Stops and continues everything in the sandbox but the daemon, which must be the first process of its PID namespace:
/// only for that one is kill(-1) both atomic (no fork can slip through) and confined to the sandbox.
class Freezer
{
public:
    /// Whether this process may freeze at all.
    static bool available();

    /// Stops everything. Gives the number of processes it stopped; those that job control had stopped before are not
    /// counted and will not be continued.
    std::size_t freeze();
    /// Continues what freeze() stopped, children before their parents: a shell that ran before its jobs would see them
    /// stopped and tell its user so.
    void thaw();
    bool frozen() const { return m_frozen; }

private:
    bool m_frozen = false;
    std::map<pid_t, std::string> m_stoppedBefore; // with the start time, because numbers are used again
};

} // namespace boxdeck::host::envd
