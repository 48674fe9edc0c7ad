// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "backend/host/control_plane/sandbox_manager.h"

namespace boxdeck::host {

/// The log of one sandbox on the disk, beside its record: log.jsonl, and log.old.jsonl when that grew to 256 KiB; what
/// was in an older log.old.jsonl is gone. Not synced: a crash of this computer may cost the last lines.

/// Appends an entry. Does nothing when the folder is gone: so is the sandbox.
void appendLog(const std::string &folder, const LogEntry &entry);
/// All entries that can be read, oldest first.
std::vector<LogEntry> readLog(const std::string &folder);

} // namespace boxdeck::host
