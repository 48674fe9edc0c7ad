// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace boxdeck::terminal {

/// How many cells a code point takes: 0 for combining marks and invisible format characters, 2 for East Asian wide
/// and emoji, -1 for control characters, else 1. The C library of a UTF-8 locale in the sandbox counts the same way,
/// so programs and screen agree on the column. Unicode 14.
int characterWidth(char32_t codePoint);

} // namespace boxdeck::terminal
