// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/terminal/screen.h"
#include "ui/terminal/color_scheme.h"

#include <QFont>
#include <QGlyphRun>
#include <QHash>
#include <QRawFont>

#include <array>

class QPainter;

namespace boxdeck::ui {

/// Paints lines of cells. Every glyph stands where its cell is, whatever the font thinks of its width; glyphs are
/// looked up once and shapes of fallback fonts are kept.
class CellPainter
{
public:
    void setFont(const QFont &font);
    const QFont &font() const { return m_font; }
    int cellWidth() const { return m_width; }
    int cellHeight() const { return m_height; }

    /// How some columns of a line look other than their cells say.
    struct Highlight
    {
        int from = 0;
        int to = 0; ///< not included
        QColor ground;
        QColor text; ///< invalid: as it is
        bool underline = false;
    };

    /// Paints `columns` cells of a line with its top left at `at`, the background too.
    void paintLine(QPainter &painter, QPointF at, const terminal::Screen &screen, const terminal::LineView &line,
                   int columns, const ColorScheme &scheme, bool reverseScreen,
                   const QList<Highlight> &highlights = {}) const;
    /// Paints one cell's text in a colour, for the block cursor. `at` is the cell's top left.
    void paintText(QPainter &painter, QPointF at, const terminal::Screen &screen, const terminal::Cell &cell,
                   const QColor &color) const;

private:
    /// Glyphs of a cell's text in whatever font has them, placed from the left end of the baseline.
    struct Shape
    {
        QRawFont font;
        QList<quint32> glyphs;
        QList<QPointF> positions;
        qreal scale = 1; ///< below 1 where the font's glyph is wider than the cells
    };
    struct Face
    {
        QFont font;
        QRawFont raw;
        std::array<quint32, 0x600> direct{}; ///< glyphs of the low code points; 0: none
        mutable QHash<char32_t, QList<Shape>> shapedCharacters;
        mutable QHash<QString, QList<Shape>> shapedClusters;
    };
    struct Batch;

    const Face &face(const terminal::Style &style) const;
    quint32 glyph(const Face &face, const terminal::Cell &cell) const;
    const QList<Shape> &shape(const Face &face, const terminal::Screen &screen, const terminal::Cell &cell) const;
    QList<Shape> makeShape(const QFont &font, const QString &text, int cells) const;
    void addText(Batch &batch, QPointF at, const terminal::Screen &screen, const terminal::Cell &cell,
                 const QColor &color) const;
    void paintUnderline(QPainter &painter, QRectF cells, terminal::UnderlineStyle style, const QColor &color) const;

    QFont m_font;
    std::array<Face, 4> m_faces;
    int m_width = 8;
    int m_height = 16;
    int m_ascent = 12;
};

/// Paints a box-drawing or block character so that it joins its neighbours. False if it is none of those.
bool paintBoxCharacter(QPainter &painter, const QRect &cell, char32_t character, const QColor &color);

} // namespace boxdeck::ui
