// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/terminal/modes.h"
#include "backend/terminal/screen.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace boxdeck::terminal {

/// What a key press sends, as xterm does it; empty if the key means nothing to a terminal. `text` is what the key
/// types, from the keyboard layout. Alt sends ESC before it.
QByteArray encodeKey(int key, Qt::KeyboardModifiers modifiers, const QString &text, const Modes &modes);

/// Text typed some other way (input method): UTF-8 without control characters.
QByteArray encodeTyped(const QString &text);

/// Something the mouse did, in cells from 0.
struct MouseEvent
{
    enum class Kind { Press, Release, Move, WheelUp, WheelDown, WheelLeft, WheelRight };

    Kind kind = Kind::Move;
    Qt::MouseButton button = Qt::NoButton; ///< pressed, released, or held while moving
    GridPosition at;
    Qt::KeyboardModifiers modifiers;
};

/// What a mouse event sends; empty if the program did not ask for it.
QByteArray encodeMouse(const MouseEvent &event, const Modes &modes);

/// What to look out for in a text about to be pasted.
struct PasteRisk
{
    bool severalLines = false; ///< would run more than one line
    bool controls = false;     ///< held control characters, which are left out
    bool runsAsRoot = false;   ///< speaks of sudo or the like
    qsizetype lines = 1;
    bool any() const { return severalLines || controls || runsAsRoot; }
};

/// Judges a text before it is pasted. A bracketed paste can't run anything by itself, so line ends are no risk there.
PasteRisk judgePaste(const QString &text, const Modes &modes);

/// The bytes of a paste: line ends as CR, every control character but tab left out (ESC among them, so that the text
/// can't end a bracketed paste early), in brackets if the program asked for them (2004).
QByteArray encodePaste(const QString &text, const Modes &modes);

/// A file name as one word for a shell (POSIX; bash's $'…' if it holds control characters), safe to be typed.
QByteArray shellQuoted(const QByteArray &name);

} // namespace boxdeck::terminal
