// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace boxdeck::fuzz {

/// Inputs worth mutating; each fuzz target defines it.
std::vector<std::string> seeds();

} // namespace boxdeck::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);
