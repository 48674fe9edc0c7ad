// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the target's own seeds into the corpus, so that libFuzzer need not find each format by chance.
#include "tests/fuzz/fuzz_target.h"

#include <filesystem>
#include <fstream>

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const std::filesystem::path corpus((*argv)[*argc - 1]);
    std::error_code error;
    if (*argc < 2 || !std::filesystem::is_directory(corpus, error))
        return 0;
    int number = 0;
    for (const std::string &seed : boxdeck::fuzz::seeds())
        std::ofstream(corpus / ("seed-" + std::to_string(number++)), std::ios::binary) << seed;
    return 0;
}
