// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace boxdeck::ui {

class TerminalView;

/// Makes terminal views readable for assistive tools: role terminal, the lines on screen as text, the cursor as caret,
/// and typing through the editable-text interface. Safe to call again.
void installTerminalAccessibility();

/// Tells assistive tools that the text or the cursor changed, if any listen.
void tellAccessibility(TerminalView *view);

} // namespace boxdeck::ui
