// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace boxdeck::fuzz {

/// Inputs worth mutating; each fuzz target defines it.
std::vector<std::string> seeds();

/// What must hold for every input; ends the run, with the input kept, where it does not.
inline void require(bool holds)
{
    if (!holds)
        std::abort();
}

} // namespace boxdeck::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);
