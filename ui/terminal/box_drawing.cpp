// SPDX-License-Identifier: GPL-3.0-or-later
// Box-drawing characters and blocks, drawn instead of taken from a font: fonts leave gaps between lines.
#include "ui/terminal/cell_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace boxdeck::ui {

namespace {

// Arms of U+2500 to U+257F: up, right, down, left; 0 none, 1 light, 2 heavy, 3 double. "...." is left to the font
// (dashes, arcs, diagonals).
// clang-format off
constexpr const char *Arms[] = {
    "0101", "0202", "1010", "2020", "....", "....", "....", "....", // U+2500
    "....", "....", "....", "....", "0110", "0210", "0120", "0220", // U+2508
    "0011", "0012", "0021", "0022", "1100", "1200", "2100", "2200", // U+2510
    "1001", "1002", "2001", "2002", "1110", "1210", "2110", "1120", // U+2518
    "2120", "2210", "1220", "2220", "1011", "1012", "2011", "1021", // U+2520
    "2021", "2012", "1022", "2022", "0111", "0112", "0211", "0212", // U+2528
    "0121", "0122", "0221", "0222", "1101", "1102", "1201", "1202", // U+2530
    "2101", "2102", "2201", "2202", "1111", "1112", "1211", "1212", // U+2538
    "2111", "1121", "2121", "2112", "2211", "1122", "1221", "2212", // U+2540
    "1222", "2122", "2221", "2222", "....", "....", "....", "....", // U+2548
    "0303", "3030", "0310", "0130", "0330", "0013", "0031", "0033", // U+2550
    "1300", "3100", "3300", "1003", "3001", "3003", "1310", "3130", // U+2558
    "3330", "1013", "3031", "3033", "0313", "0131", "0333", "1303", // U+2560
    "3101", "3303", "1313", "3131", "3333", "....", "....", "....", // U+2568
    "....", "....", "....", "....", "0001", "1000", "0100", "0010", // U+2570
    "0002", "2000", "0200", "0020", "0201", "1020", "0102", "2010", // U+2578
};
// clang-format on
static_assert(std::size(Arms) == 0x80);

bool paintLines(QPainter &painter, const QRect &cell, const char *arms, const QColor &color)
{
    if (arms[0] == '.')
        return false;
    const int light = std::max(1, cell.height() / 16);
    const int gap = light; // between the two lines of a double one
    const int middleX = cell.left() + cell.width() / 2;
    const int middleY = cell.top() + cell.height() / 2;
    const auto thickness = [&](char weight) { return weight == '1' ? light : weight == '2' ? 2 * light : 0; };
    const auto isDouble = [](char weight) { return weight == '3'; };
    // How far an arm reaches over the middle, so that corners close.
    const auto halfOf = [&](char a, char b) {
        const auto half = [&](char weight) { return isDouble(weight) ? gap + light : (thickness(weight) + 1) / 2; };
        return std::max(half(a), half(b));
    };
    const char up = arms[0];
    const char right = arms[1];
    const char down = arms[2];
    const char left = arms[3];
    const int overX = halfOf(up, down);
    const int overY = halfOf(left, right);
    const auto horizontal = [&](int from, int to, char weight, bool open) {
        if (isDouble(weight)) {
            // The inner lines of a double corner or crossing stop at the inner lines of the other direction.
            painter.fillRect(
                QRect(QPoint(from, middleY - gap - light / 2), QPoint(to, middleY - gap - light / 2 + light - 1)),
                color);
            painter.fillRect(
                QRect(QPoint(from, middleY + gap - light / 2), QPoint(to, middleY + gap - light / 2 + light - 1)),
                color);
        } else if (open) {
            const int thick = thickness(weight);
            painter.fillRect(QRect(from, middleY - thick / 2, to - from + 1, thick), color);
        }
    };
    const auto vertical = [&](int from, int to, char weight, bool open) {
        if (isDouble(weight)) {
            painter.fillRect(QRect(middleX - gap - light / 2, from, light, to - from + 1), color);
            painter.fillRect(QRect(middleX + gap - light / 2, from, light, to - from + 1), color);
        } else if (open) {
            const int thick = thickness(weight);
            painter.fillRect(QRect(middleX - thick / 2, from, thick, to - from + 1), color);
        }
    };
    horizontal(cell.left(), middleX + std::max(0, overX - 1), left, left != '0');
    horizontal(middleX - overX / 2, cell.right(), right, right != '0');
    vertical(cell.top(), middleY + std::max(0, overY - 1), up, up != '0');
    vertical(middleY - overY / 2, cell.bottom(), down, down != '0');
    return true;
}

bool paintBlock(QPainter &painter, const QRect &cell, char32_t c, const QColor &color)
{
    const int w = cell.width();
    const int h = cell.height();
    const auto fill = [&](int x, int y, int width, int height) {
        painter.fillRect(QRect(cell.left() + x, cell.top() + y, width, height), color);
    };
    const auto eighth = [](int whole, int n) { return static_cast<int>(std::lround(whole * n / 8.0)); };
    if (c == 0x2580) {
        fill(0, 0, w, eighth(h, 4));
    } else if (c <= 0x2588) {
        const int height = eighth(h, static_cast<int>(c - 0x2580));
        fill(0, h - height, w, height);
    } else if (c <= 0x258f) {
        fill(0, 0, eighth(w, static_cast<int>(0x2590 - c)), h);
    } else if (c == 0x2590) {
        fill(eighth(w, 4), 0, w - eighth(w, 4), h);
    } else if (c <= 0x2593) {
        QColor shade = color;
        shade.setAlphaF(static_cast<float>(c - 0x2590) * 0.25F);
        painter.fillRect(cell, shade);
    } else if (c == 0x2594) {
        fill(0, 0, w, eighth(h, 1));
    } else if (c == 0x2595) {
        fill(w - eighth(w, 1), 0, eighth(w, 1), h);
    } else {
        // Quadrants: upper left 1, upper right 2, lower left 4, lower right 8.
        static constexpr unsigned Quadrants[] = {4, 8, 1, 13, 9, 7, 11, 2, 6, 14};
        const unsigned which = Quadrants[c - 0x2596];
        const int x = eighth(w, 4);
        const int y = eighth(h, 4);
        if ((which & 1) != 0)
            fill(0, 0, x, y);
        if ((which & 2) != 0)
            fill(x, 0, w - x, y);
        if ((which & 4) != 0)
            fill(0, y, x, h - y);
        if ((which & 8) != 0)
            fill(x, y, w - x, h - y);
    }
    return true;
}

} // namespace

bool paintBoxCharacter(QPainter &painter, const QRect &cell, char32_t character, const QColor &color)
{
    if (character >= 0x2500 && character <= 0x257f)
        return paintLines(painter, cell, Arms[character - 0x2500], color);
    if (character >= 0x2580 && character <= 0x259f)
        return paintBlock(painter, cell, character, color);
    return false;
}

} // namespace boxdeck::ui
