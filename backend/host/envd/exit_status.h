// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace boxdeck::host::envd {

/// How a process ended, in the words of protocol/envd.md 9.3.
struct ExitStatus
{
    int exitCode = 0;    ///< -1 after a signal.
    bool exited = false; ///< False after a signal.
    std::string status;  ///< "exit status 3", "signal: killed".

    /// From what waitpid() gave.
    static ExitStatus fromWait(int waitStatus);
    /// The end event's JSON: {"event":{"end":{…}}}, default values left out.
    std::string eventJson() const;
};

} // namespace boxdeck::host::envd
