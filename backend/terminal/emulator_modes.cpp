// SPDX-License-Identifier: GPL-3.0-or-later
// Emulator: modes, the saved cursor and the cursor's shape.
#include "backend/terminal/emulator.h"

#include <algorithm>

namespace boxdeck::terminal {

void Emulator::setAnsiMode(int mode, bool on)
{
    if (mode == 4)
        m_modes.insert = on;
    else if (mode == 20)
        m_modes.newLine = on;
}

void Emulator::setPrivateMode(int mode, bool on)
{
    const auto mouse = [&](MouseTracking tracking) { m_modes.mouse = on ? tracking : MouseTracking::Off; };
    const auto encoding = [&](MouseEncoding wanted) {
        if (on)
            m_modes.mouseEncoding = wanted;
        else if (m_modes.mouseEncoding == wanted)
            m_modes.mouseEncoding = MouseEncoding::X10;
    };
    switch (mode) {
    case 1:
        m_modes.applicationCursorKeys = on;
        break;
    case 5:
        m_modes.reverseScreen = on;
        m_screen.touchAll();
        break;
    case 6:
        m_pendingWrap = false;
        m_modes.origin = on;
        toVterm(on ? "\x1b[?6h" : "\x1b[?6l");
        break;
    case 7:
        m_modes.autoWrap = on;
        m_pendingWrap = m_pendingWrap && on;
        break;
    case 12: {
        CursorStyle style = cursorStyle();
        style.blinks = on;
        m_cursorStyle = style;
        break;
    }
    case 25:
        m_modes.cursorVisible = on;
        m_screen.touch(m_row);
        break;
    case 69:
        m_modes.leftRightMargins = on;
        toVterm(on ? "\x1b[?69h" : "\x1b[?69l");
        break;
    case 47:
    case 1047:
        if (!on && m_modes.alternateScreen && mode == 1047)
            m_screen.erase({0, 0, m_screen.rows(), m_screen.columns()}, {}, false);
        setAlternateScreen(on);
        break;
    case 1048:
        on ? saveCursor() : restoreCursor();
        break;
    case 1049:
        if (on == m_modes.alternateScreen)
            break;
        if (on) {
            saveCursor();
            setAlternateScreen(true);
            m_screen.erase({0, 0, m_screen.rows(), m_screen.columns()}, m_pen.style, false);
        } else {
            setAlternateScreen(false);
            restoreCursor();
        }
        break;
    case 1000:
        mouse(MouseTracking::Buttons);
        break;
    case 1002:
        mouse(MouseTracking::Drag);
        break;
    case 1003:
        mouse(MouseTracking::Motion);
        break;
    case 1004:
        m_modes.focusReports = on;
        break;
    case 1005:
        encoding(MouseEncoding::Utf8);
        break;
    case 1006:
        encoding(MouseEncoding::Sgr);
        break;
    case 1007:
        m_modes.alternateScroll = on;
        break;
    case 1015:
        encoding(MouseEncoding::Urxvt);
        break;
    case 2004:
        m_modes.bracketedPaste = on;
        break;
    case 2026:
        m_modes.synchronizedOutput = on;
        break;
    default:
        break;
    }
}

// DECRQM. The answer holds the number that was asked for, and nothing else of the program's choosing.
void Emulator::reportMode(const ControlSequence &sequence)
{
    const int mode = sequence.at(0, 0);
    const auto state = [&]() -> std::optional<bool> {
        if (sequence.leader == 0)
            return mode == 4    ? std::optional(m_modes.insert)
                   : mode == 20 ? std::optional(m_modes.newLine)
                                : std::nullopt;
        switch (mode) {
        case 1:
            return m_modes.applicationCursorKeys;
        case 5:
            return m_modes.reverseScreen;
        case 6:
            return m_modes.origin;
        case 7:
            return m_modes.autoWrap;
        case 12:
            return cursorStyle().blinks;
        case 25:
            return m_modes.cursorVisible;
        case 69:
            return m_modes.leftRightMargins;
        case 47:
        case 1047:
        case 1049:
            return m_modes.alternateScreen;
        case 1000:
            return m_modes.mouse == MouseTracking::Buttons;
        case 1002:
            return m_modes.mouse == MouseTracking::Drag;
        case 1003:
            return m_modes.mouse == MouseTracking::Motion;
        case 1004:
            return m_modes.focusReports;
        case 1005:
            return m_modes.mouseEncoding == MouseEncoding::Utf8;
        case 1006:
            return m_modes.mouseEncoding == MouseEncoding::Sgr;
        case 1007:
            return m_modes.alternateScroll;
        case 1015:
            return m_modes.mouseEncoding == MouseEncoding::Urxvt;
        case 2004:
            return m_modes.bracketedPaste;
        case 2026:
            return m_modes.synchronizedOutput;
        default:
            return std::nullopt;
        }
    }();
    if (sequence.leader != 0 && sequence.leader != '?')
        return;
    std::string answer = "\x1b[";
    if (sequence.leader == '?')
        answer += '?';
    answer += std::to_string(mode);
    answer += ';';
    answer += !state ? '0' : *state ? '1' : '2';
    answer += "$y";
    reply(answer);
}

void Emulator::setAlternateScreen(bool on)
{
    if (m_modes.alternateScreen == on)
        return;
    m_modes.alternateScreen = on;
    if (on)
        m_mainCursor = {m_row, m_column};
    m_screen.setAlternate(on);
}

void Emulator::setCursorStyle(int code)
{
    if (code == 0) {
        m_cursorStyle.reset(); // the user's choice, not a block
    } else if (code <= 6) {
        m_cursorStyle = CursorStyle{.shape = code <= 2   ? CursorShape::Block
                                             : code <= 4 ? CursorShape::Underline
                                                         : CursorShape::Bar,
                                    .blinks = code % 2 == 1};
    }
    m_screen.touch(m_row);
}

void Emulator::saveCursor()
{
    SavedCursor &saved = m_saved[m_modes.alternateScreen];
    saved = {.position = {m_row, m_column},
             .pendingWrap = m_pendingWrap,
             .origin = m_modes.origin,
             .pen = m_pen,
             .charsets = m_charsets};
    saved.pen.style.extra = 0; // its number may stand for something else by then
}

void Emulator::restoreCursor()
{
    const SavedCursor saved = m_saved[m_modes.alternateScreen];
    m_pen = saved.pen;
    m_charsets = saved.charsets;
    updateExtra();
    if (m_modes.origin != saved.origin)
        setPrivateMode(6, saved.origin);
    moveTo(
        {std::min(saved.position.row, m_screen.rows() - 1), std::min(saved.position.column, m_screen.columns() - 1)});
    m_pendingWrap = saved.pendingWrap && m_column == m_screen.columns() - 1;
}

void Emulator::updateExtra()
{
    m_extra.underline = m_pen.underlineColor;
    m_pen.style.extra = m_screen.internExtra(m_extra);
}

} // namespace boxdeck::terminal
