// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/envd/accounts.h"

#include <string>
#include <vector>

namespace boxdeck::host::envd {

struct ComposePlan
{
    Account account;
    std::string defaultDirectory;
    std::vector<std::string> sources;
    std::string destination;
};

/// POST /files/compose: puts the sources together, in order, into a temporary file beside the destination, renames it
/// over the destination and deletes the sources. Gives the EntryInfo. Waits for the disk. Throws HttpError.
std::string composeFiles(const ComposePlan &plan);

} // namespace boxdeck::host::envd
