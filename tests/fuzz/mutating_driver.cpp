// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for libFuzzer where there is none: mutates the seeds, the same way every time, and feeds them.
#include "tests/fuzz/fuzz_target.h"

#include <cstdio>
#include <cstdlib>
#include <random>

namespace {

std::string mutated(const std::vector<std::string> &seeds, std::mt19937 &random)
{
    const auto below = [&random](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
    std::string input = seeds[below(seeds.size())];
    for (auto steps = 1 + below(12); steps > 0; --steps) {
        const auto at = below(input.size() + 1);
        switch (below(6)) {
        case 0: // another seed in the middle
            input.insert(at, seeds[below(seeds.size())]);
            break;
        case 1:
            input.erase(at, 1 + below(8));
            break;
        case 2:
            input.insert(at, 1, static_cast<char>(below(256)));
            break;
        case 3:
            if (at < input.size())
                input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
            break;
        case 4: { // a part many times
            const std::string part = input.substr(at, 1 + below(16));
            for (auto times = below(40); times > 0; --times)
                input.insert(at, part);
            break;
        }
        default:
            input.resize(at);
        }
    }
    return input;
}

} // namespace

int main(int argc, char **argv)
{
    const long runs = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 200'000;
    const auto seeds = boxdeck::fuzz::seeds();
    std::mt19937 random(20240117);
    for (const std::string &seed : seeds)
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(seed.data()), seed.size());
    for (long run = 0; run < runs; ++run) {
        const std::string input = mutated(seeds, random);
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(input.data()), input.size());
    }
    std::printf("%ld inputs, nothing broke\n", runs + static_cast<long>(seeds.size()));
    return 0;
}
