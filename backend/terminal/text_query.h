// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/terminal/screen.h"

#include <QString>

#include <optional>

namespace boxdeck::terminal {

/// A stretch of text from `begin` up to but not including `end`.
struct TextRange
{
    TextPosition begin;
    TextPosition end;
    bool isEmpty() const { return begin >= end; }
    bool operator==(const TextRange &) const = default;
};

/// The text of a range as one would copy it: soft-wrapped lines are one line, blanks at the end of a line are left
/// out. `rectangular` takes the same columns of each line instead.
QString textOf(const Screen &screen, const TextRange &range, bool rectangular = false);

/// Everything there is, scrollback first, for saving and for accessibility.
QString allText(const Screen &screen);

/// The word around a place: letters, digits and what file names and addresses are made of; else the run of like
/// characters.
TextRange wordAt(const Screen &screen, TextPosition at);

/// The whole line around a place, as it was printed before it was wrapped.
TextRange logicalLineAt(const Screen &screen, TextPosition at);

/// The next occurrence of `needle` behind (or before) `from`, within one logical line. Not found: nothing; it does not
/// wrap around.
std::optional<TextRange> findText(const Screen &screen, const QString &needle, TextPosition from, bool forward,
                                  Qt::CaseSensitivity sensitivity = Qt::CaseInsensitive);

/// An address on the screen: where it is, and where it truly leads.
struct LinkTarget
{
    QString address; ///< untrusted; show it before opening
    TextRange range;
    bool hidden = false; ///< the text on the screen is another than the address (OSC 8)
};

/// The link at a place, if any: one set by the program, or a web or mail address in the text.
std::optional<LinkTarget> linkAt(const Screen &screen, TextPosition at);

/// Whether an address may be opened at all, after having been shown: http, https or mailto, plain ASCII, no user name
/// or password in it.
bool mayOpen(const QString &address);

} // namespace boxdeck::terminal
