// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace boxdeck::terminal {

enum class CursorShape : std::uint8_t { Block, Underline, Bar };

struct CursorStyle
{
    CursorShape shape = CursorShape::Block;
    bool blinks = false;
    bool operator==(const CursorStyle &) const = default;
};

/// Which mouse events a program wants (modes 1000, 1002, 1003).
enum class MouseTracking : std::uint8_t { Off, Buttons, Drag, Motion };
/// How they are written (modes 1005, 1006, 1015).
enum class MouseEncoding : std::uint8_t { X10, Utf8, Sgr, Urxvt };

/// The switches a program can set. Default-constructed: as after a reset.
struct Modes
{
    bool applicationCursorKeys = false; ///< DECCKM, ?1
    bool applicationKeypad = false;     ///< DECKPAM
    bool reverseScreen = false;         ///< DECSCNM, ?5
    bool origin = false;                ///< DECOM, ?6
    bool autoWrap = true;               ///< DECAWM, ?7
    bool cursorVisible = true;          ///< DECTCEM, ?25
    bool leftRightMargins = false;      ///< DECLRMM, ?69
    bool insert = false;                ///< IRM, 4
    bool newLine = false;               ///< LNM, 20
    bool focusReports = false;          ///< ?1004
    bool alternateScroll = true;        ///< ?1007: the wheel sends arrows on the alternate screen
    bool alternateScreen = false;       ///< ?47, ?1047, ?1049
    bool bracketedPaste = false;        ///< ?2004
    bool synchronizedOutput = false;    ///< ?2026: hold painting until it ends
    MouseTracking mouse = MouseTracking::Off;
    MouseEncoding mouseEncoding = MouseEncoding::X10;

    bool operator==(const Modes &) const = default;
};

/// The designated character sets G0 to G3 and which of them is in use.
struct Charsets
{
    enum class Set : std::uint8_t { Ascii, British, DecGraphics };

    std::array<Set, 4> designated{};
    std::uint8_t active = 0;
    std::uint8_t single = 0; ///< for one character only: 2 or 3, else 0

    bool isPlain() const { return single == 0 && designated[active] == Set::Ascii; }
    /// The character a printable ASCII byte stands for in `set`.
    static char32_t map(Set set, char32_t ascii);
};

} // namespace boxdeck::terminal
