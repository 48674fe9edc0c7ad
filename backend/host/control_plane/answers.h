// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "backend/host/control_plane/sandbox_manager.h"

namespace boxdeck::host {

/// What this computer has. Sandboxes see all of it: nothing of it is set apart for one of them.
struct Machine
{
    std::int64_t cpuCount = 1;
    std::int64_t memoryMb = 128;
    std::int64_t diskMb = 0; ///< size of the file system the data folder is on
};
Machine thisMachine(const std::string &dataFolder);
/// What one sandbox may use of it: the limits that are watched stand for its memory and its disk.
Machine sizesOf(const IsolationSettings &settings, const std::string &dataFolder);

/// The schemas of protocol/control-plane.md, section 9, of the same names.
boost::json::object toSandbox(const SandboxRecord &record);
boost::json::object toListedSandbox(const SandboxRecord &record, const Machine &machine);
boost::json::object toSandboxDetail(const SandboxRecord &record, const Machine &machine);
boost::json::object toMetric(const MetricSample &sample);
boost::json::object toLogEntry(const LogEntry &entry);
/// The raw line of the older log form: JSON text with at least `level` and `logger`, which the official CLI reads.
std::string toLogLine(const LogEntry &entry);

/// Members beyond the protocol, for the detail answer: which limits hold and how, which accounts there are, and that
/// there is no network. Each limit says `enforced`, `watched` or `not available`.
boost::json::object toLocalFacts(const IsolationSettings &settings, const std::string &notice);

} // namespace boxdeck::host
