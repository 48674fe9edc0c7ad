// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/terminal/cell.h"

#include <QColor>
#include <QPalette>

#include <array>

namespace boxdeck::ui {

/// What the colours a program asks for look like.
class ColorScheme
{
public:
    static ColorScheme light();
    static ColorScheme dark();
    /// The one that goes with a palette.
    static ColorScheme of(const QPalette &palette);

    QColor foreground;
    QColor background;
    QColor cursor;
    QColor selection;
    QColor match; ///< what the find bar found

    /// The colours a cell is painted in, with inverse, bold, faint and conceal taken into account.
    struct Pair
    {
        QColor text;
        QColor ground; ///< invalid: the background
    };
    Pair resolve(const terminal::Style &style, bool reverseScreen) const;
    QColor color(terminal::Color color, const QColor &fallback) const;

private:
    ColorScheme(const std::array<QRgb, 16> &base);
    std::array<QColor, 256> m_palette;
};

} // namespace boxdeck::ui
