// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/terminal/modes.h"

namespace boxdeck::terminal {

char32_t Charsets::map(Set set, char32_t ascii)
{
    // The VT100's special graphics, 0x5f to 0x7e.
    static constexpr char32_t Graphics[] = U"\u00a0\u25c6\u2592\u2409\u240c\u240d\u240a\u00b0\u00b1\u2424\u240b"
                                           U"\u2518\u2510\u250c\u2514\u253c\u23ba\u23bb\u2500\u23bc\u23bd\u251c"
                                           U"\u2524\u2534\u252c\u2502\u2264\u2265\u03c0\u2260\u00a3\u00b7";
    static_assert(sizeof(Graphics) / sizeof(char32_t) == 0x7f - 0x5f + 1);
    if (set == Set::DecGraphics && ascii >= 0x5f && ascii <= 0x7e)
        return Graphics[ascii - 0x5f];
    if (set == Set::British && ascii == '#')
        return 0xa3;
    return ascii;
}

} // namespace boxdeck::terminal
