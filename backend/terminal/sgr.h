// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/terminal/cell.h"
#include "backend/terminal/tokenizer.h"

namespace boxdeck::terminal {

/// The pen: the style of what is printed next. The underline's colour is apart, as few cells have one.
struct Pen
{
    Style style;
    Color underlineColor;
};

/// Applies "select graphic rendition" (CSI … m) to the pen. Knows both spellings of colours and underlines
/// (38;5;n and 38:5:n, 38:2::r:g:b), and skips what it does not know together with its subparameters.
void applySgr(const ControlSequence &sequence, Pen &pen);

} // namespace boxdeck::terminal
