// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/host/builds/build_limits.h"
#include "backend/host/images/image_store.h"

namespace boxdeck::host {

/// The command line of boxdeck-host (product.md).
struct Options
{
    std::string address = "127.0.0.1"; ///< numeric, IPv6 without brackets
    std::uint16_t port = 0;            ///< 0 = any free one
    std::string data;                  ///< empty = the default place
    std::string apiKeyFile;            ///< empty = a key of its own
    std::string envd;                  ///< empty = beside this program
    std::int64_t memoryMib = 0;        ///< what one sandbox may use before it is paused; 0 = half of this computer's
    BuildLimits buildLimits;           ///< of template builds
    std::int64_t diskMib = 0;          ///< the same for its files; 0 = half of the file system of the data folder
    std::vector<ImageOption> images;   ///< in the order they were given
    bool help = false;
    bool version = false;
};

/// Reads the arguments after the program's name. Throws StartError with what is wrong.
Options readOptions(const std::vector<std::string> &words);

/// Text for --help.
const char *helpText();

} // namespace boxdeck::host
