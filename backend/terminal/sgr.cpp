// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/terminal/sgr.h"

#include <algorithm>

namespace boxdeck::terminal {

namespace {

// Reads the colour behind a 38, 48 or 58 at `index`, which it leaves at the last parameter that belongs to it.
// False if the colour is malformed; the pen then stays as it is.
bool readColor(const ControlSequence &sequence, int &index, Color &color)
{
    const auto value = [&](int i) { return static_cast<unsigned>(std::min(sequence.at(i, 0), 255)); };
    int last = index;
    while (sequence.isSubparameter(last + 1))
        ++last;
    if (last > index) { // 38:5:n, 38:2:r:g:b or 38:2:colourspace:r:g:b
        const int first = index + 1;
        const int count = last - index;
        index = last;
        if (sequence.at(first, 0) == 5 && count >= 2) {
            color = Color::indexed(value(first + 1));
            return true;
        }
        if (sequence.at(first, 0) == 2 && count >= 4) {
            const int red = count >= 5 ? first + 2 : first + 1;
            color = Color::rgb(value(red), value(red + 1), value(red + 2));
            return true;
        }
        return false;
    }
    if (sequence.at(index + 1, 0) == 5 && index + 2 < sequence.count) {
        color = Color::indexed(value(index + 2));
        index += 2;
        return true;
    }
    if (sequence.at(index + 1, 0) == 2 && index + 4 < sequence.count) {
        color = Color::rgb(value(index + 2), value(index + 3), value(index + 4));
        index += 4;
        return true;
    }
    index = sequence.count; // cut short: nothing behind it can be told apart from its numbers
    return false;
}

void set(Style &style, unsigned attribute)
{
    style.attributes |= static_cast<std::uint16_t>(attribute);
}
void clear(Style &style, unsigned attribute)
{
    style.attributes &= static_cast<std::uint16_t>(~attribute);
}

} // namespace

void applySgr(const ControlSequence &sequence, Pen &pen)
{
    Style &style = pen.style;
    const int count = std::max(sequence.count, 1);
    for (int i = 0; i < count; ++i) {
        const int code = sequence.at(i, 0);
        if (code >= 30 && code <= 37) {
            style.foreground = Color::indexed(static_cast<unsigned>(code - 30));
        } else if (code >= 40 && code <= 47) {
            style.background = Color::indexed(static_cast<unsigned>(code - 40));
        } else if (code >= 90 && code <= 97) {
            style.foreground = Color::indexed(static_cast<unsigned>(code - 90 + 8));
        } else if (code >= 100 && code <= 107) {
            style.background = Color::indexed(static_cast<unsigned>(code - 100 + 8));
        } else {
            switch (code) {
            case 0: {
                const auto kept = static_cast<std::uint16_t>(style.attributes & Protected);
                const auto link = style.extra;
                pen = {};
                style.attributes = kept;
                style.extra = link;
                break;
            }
            case 1:
                set(style, Bold);
                break;
            case 2:
                set(style, Faint);
                break;
            case 3:
                set(style, Italic);
                break;
            case 4: {
                const int kind = sequence.isSubparameter(i + 1) ? sequence.at(i + 1, 1) : 1;
                style.setUnderline(kind <= static_cast<int>(UnderlineStyle::Dashed) ? static_cast<UnderlineStyle>(kind)
                                                                                    : UnderlineStyle::Single);
                break;
            }
            case 5:
            case 6:
                set(style, Blink);
                break;
            case 7:
                set(style, Inverse);
                break;
            case 8:
                set(style, Conceal);
                break;
            case 9:
                set(style, Strike);
                break;
            case 21:
                style.setUnderline(UnderlineStyle::Double);
                break;
            case 22:
                clear(style, Bold | Faint);
                break;
            case 23:
                clear(style, Italic);
                break;
            case 24:
                style.setUnderline(UnderlineStyle::None);
                break;
            case 25:
                clear(style, Blink);
                break;
            case 27:
                clear(style, Inverse);
                break;
            case 28:
                clear(style, Conceal);
                break;
            case 29:
                clear(style, Strike);
                break;
            case 38:
                readColor(sequence, i, style.foreground);
                break;
            case 39:
                style.foreground = {};
                break;
            case 48:
                readColor(sequence, i, style.background);
                break;
            case 49:
                style.background = {};
                break;
            case 53:
                set(style, Overline);
                break;
            case 55:
                clear(style, Overline);
                break;
            case 58:
                readColor(sequence, i, pen.underlineColor);
                break;
            case 59:
                pen.underlineColor = {};
                break;
            default:
                break;
            }
        }
        while (sequence.isSubparameter(i + 1))
            ++i;
    }
}

} // namespace boxdeck::terminal
