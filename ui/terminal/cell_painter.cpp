// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/cell_painter.h"

#include <QPainter>
#include <QPainterPath>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace boxdeck::ui {

using namespace terminal;

namespace {

constexpr qsizetype MaxShaped = 4096;

bool mayBeBox(char32_t c)
{
    return c >= 0x2500 && c <= 0x259f;
}

} // namespace

void CellPainter::setFont(const QFont &font)
{
    m_font = font;
    m_font.setKerning(false);
    m_font.setStyleStrategy(QFont::StyleStrategy(m_font.styleStrategy() | QFont::PreferAntialias));
    for (std::size_t i = 0; i < m_faces.size(); ++i) {
        Face &face = m_faces[i];
        face.font = m_font;
        face.font.setBold((i & 1) != 0);
        face.font.setItalic((i & 2) != 0);
        face.raw = QRawFont::fromFont(face.font);
        face.shapedCharacters.clear();
        face.shapedClusters.clear();
        QString characters;
        for (char16_t c = 0; c < face.direct.size(); ++c)
            characters += c < 0x20 || (c >= 0x7f && c < 0xa0) ? QChar(u' ') : QChar(c);
        const QList<quint32> glyphs = face.raw.glyphIndexesForString(characters);
        for (std::size_t c = 0; c < face.direct.size() && static_cast<qsizetype>(c) < glyphs.size(); ++c)
            face.direct[c] = glyphs.at(static_cast<qsizetype>(c));
    }
    const QFontMetricsF metrics(m_font);
    m_width = std::max(1, static_cast<int>(std::lround(metrics.horizontalAdvance(QLatin1Char('0')))));
    m_ascent = static_cast<int>(std::ceil(metrics.ascent()));
    m_height = std::max(1, m_ascent + static_cast<int>(std::ceil(metrics.descent())));
}

const CellPainter::Face &CellPainter::face(const Style &style) const
{
    return m_faces[((style.attributes & Bold) != 0 ? 1U : 0U) | ((style.attributes & Italic) != 0 ? 2U : 0U)];
}

// The glyph of a cell in its own font; 0 if it takes shaping or another font.
quint32 CellPainter::glyph(const Face &face, const Cell &cell) const
{
    return cell.code < face.direct.size() ? face.direct[cell.code] : 0;
}

const QList<CellPainter::Shape> &CellPainter::shape(const Face &face, const Screen &screen, const Cell &cell) const
{
    const int cells = (cell.style.attributes & Wide) != 0 ? 2 : 1;
    const auto keep = [&](auto &cache, const auto &key) -> const QList<Shape> & {
        auto known = cache.find(key);
        if (known == cache.end()) {
            if (cache.size() >= MaxShaped)
                cache.clear();
            known = cache.insert(key, makeShape(face.font, screen.text(cell), cells));
        }
        return *known;
    };
    // The number of a cluster may come to stand for another one; its text does not.
    if ((cell.code & Cell::ClusterBit) != 0)
        return keep(face.shapedClusters, screen.text(cell));
    return keep(face.shapedCharacters, cell.code);
}

QList<CellPainter::Shape> CellPainter::makeShape(const QFont &font, const QString &text, int cells) const
{
    QTextLayout layout(text, font);
    layout.beginLayout();
    layout.createLine().setPosition({0, 0});
    layout.endLayout();
    QList<Shape> shapes;
    const qreal room = static_cast<qreal>(cells) * m_width;
    for (const QGlyphRun &run : layout.glyphRuns()) {
        Shape shape{.font = run.rawFont(), .glyphs = run.glyphIndexes(), .positions = run.positions()};
        const QRectF box = run.boundingRect();
        if (box.width() > room + 1)
            shape.scale = room / box.width();
        // The layout puts the baseline at its own ascent, which a fallback font may have raised. A narrower glyph of
        // two cells stands in their middle.
        const qreal right = cells > 1 && shape.scale == 1 ? std::max<qreal>(0, (room - box.width()) / 2 - box.x()) : 0;
        const qreal up = shape.positions.isEmpty() ? 0 : shape.positions.first().y();
        for (QPointF &position : shape.positions)
            position += QPointF(right, -up);
        shapes.append(shape);
    }
    return shapes;
}

/// Glyphs of one font and colour, painted at once.
struct CellPainter::Batch
{
    QPainter &painter;
    QRawFont font;
    QColor color;
    QList<quint32> glyphs;
    QList<QPointF> positions;

    void use(const QRawFont &wanted, const QColor &wantedColor)
    {
        if (color == wantedColor && font == wanted)
            return;
        flush();
        font = wanted;
        color = wantedColor;
    }
    void add(quint32 glyph, QPointF baseline)
    {
        glyphs.append(glyph);
        positions.append(baseline);
    }
    void flush()
    {
        if (glyphs.isEmpty())
            return;
        QGlyphRun run;
        run.setRawFont(font);
        run.setGlyphIndexes(glyphs);
        run.setPositions(positions);
        painter.setPen(color);
        painter.drawGlyphRun({0, 0}, run);
        glyphs.clear();
        positions.clear();
    }
};

void CellPainter::paintText(QPainter &painter, QPointF at, const Screen &screen, const Cell &cell,
                            const QColor &color) const
{
    Batch batch{.painter = painter};
    addText(batch, at, screen, cell, color);
    batch.flush();
}

void CellPainter::addText(Batch &batch, QPointF at, const Screen &screen, const Cell &cell, const QColor &color) const
{
    if (cell.code == 0 || cell.code == U' ')
        return;
    if (mayBeBox(cell.code) &&
        paintBoxCharacter(batch.painter, QRect(at.toPoint(), QSize(m_width, m_height)), cell.code, color))
        return;
    const Face &look = face(cell.style);
    const QPointF baseline = at + QPointF(0, m_ascent);
    if (const quint32 index = glyph(look, cell)) {
        batch.use(look.raw, color);
        return batch.add(index, baseline);
    }
    for (const Shape &part : shape(look, screen, cell)) {
        if (part.scale == 1) {
            batch.use(part.font, color);
            for (qsizetype i = 0; i < part.glyphs.size(); ++i)
                batch.add(part.glyphs.at(i), baseline + part.positions.at(i));
            continue;
        }
        QGlyphRun run;
        run.setRawFont(part.font);
        run.setGlyphIndexes(part.glyphs);
        run.setPositions(part.positions);
        batch.painter.save();
        batch.painter.setPen(color);
        batch.painter.translate(baseline);
        batch.painter.scale(part.scale, part.scale);
        batch.painter.drawGlyphRun({0, 0}, run);
        batch.painter.restore();
    }
}

void CellPainter::paintUnderline(QPainter &painter, QRectF cells, UnderlineStyle style, const QColor &color) const
{
    const qreal thick = std::max(1.0, std::round(m_height / 16.0));
    const qreal y = std::min<qreal>(cells.top() + m_ascent + 1 + thick / 2, cells.bottom() - thick);
    QPen pen(color, thick);
    switch (style) {
    case UnderlineStyle::None:
        return;
    case UnderlineStyle::Double:
        painter.fillRect(QRectF(cells.left(), y - thick, cells.width(), thick), color);
        painter.fillRect(QRectF(cells.left(), y + thick, cells.width(), thick), color);
        return;
    case UnderlineStyle::Curly: {
        QPainterPath wave(QPointF(cells.left(), y));
        const qreal step = m_width / 2.0;
        for (qreal x = cells.left(), side = 1; x < cells.right(); x += step, side = -side)
            wave.quadTo(x + step / 2, y + side * 2 * thick, std::min(x + step, cells.right()), y);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.strokePath(wave, pen);
        painter.restore();
        return;
    }
    case UnderlineStyle::Dotted:
    case UnderlineStyle::Dashed: {
        const qreal on = style == UnderlineStyle::Dotted ? thick : m_width / 2.0;
        for (qreal x = cells.left(); x < cells.right(); x += 2 * on)
            painter.fillRect(QRectF(x, y - thick / 2, std::min(on, cells.right() - x), thick), color);
        return;
    }
    case UnderlineStyle::Single:
        break;
    }
    painter.fillRect(QRectF(cells.left(), y - thick / 2, cells.width(), thick), color);
}

void CellPainter::paintLine(QPainter &painter, QPointF at, const Screen &screen, const LineView &line, int columns,
                            const ColorScheme &scheme, bool reverseScreen, const QList<Highlight> &highlights) const
{
    const QColor bare = reverseScreen ? scheme.foreground : scheme.background;
    painter.fillRect(QRectF(at, QSizeF(static_cast<qreal>(columns) * m_width, m_height)), bare);
    const auto rectOf = [&](int from, int to) {
        return QRectF(at.x() + static_cast<qreal>(from) * m_width, at.y(), static_cast<qreal>(to - from) * m_width,
                      m_height);
    };
    const int size = std::min(line.size, columns);

    // Grounds first, so that a glyph that hangs over its cell is not cut by the next one's ground.
    struct Stretch
    {
        int from;
        int to;
        ColorScheme::Pair colors;
    };
    QList<Stretch> stretches;
    for (int from = 0; from < size;) {
        int to = from + 1;
        while (to < size && line.cells[to].style.foreground == line.cells[from].style.foreground &&
               line.cells[to].style.background == line.cells[from].style.background &&
               ((line.cells[to].style.attributes ^ line.cells[from].style.attributes) &
                (Bold | Faint | Inverse | Conceal)) == 0)
            ++to;
        stretches.append({from, to, scheme.resolve(line.cells[from].style, reverseScreen)});
        if (stretches.last().colors.ground.isValid())
            painter.fillRect(rectOf(from, to), stretches.last().colors.ground);
        from = to;
    }
    for (const Highlight &highlight : highlights)
        if (highlight.ground.isValid())
            painter.fillRect(rectOf(highlight.from, std::min(highlight.to, columns)), highlight.ground);

    Batch batch{.painter = painter};
    for (const Stretch &stretch : stretches) {
        for (int c = stretch.from; c < stretch.to; ++c) {
            const Cell &cell = line.cells[c];
            QColor color = stretch.colors.text;
            bool link = false;
            for (const Highlight &highlight : highlights)
                if (c >= highlight.from && c < highlight.to) {
                    if (highlight.text.isValid())
                        color = highlight.text;
                    link = link || highlight.underline;
                }
            const QPointF corner(at.x() + static_cast<qreal>(c) * m_width, at.y());
            addText(batch, corner, screen, cell, color);
            const auto underline = cell.style.underline();
            const bool decorated =
                (cell.style.attributes & (UnderlineMask | Strike | Overline)) != 0 || cell.style.extra != 0 || link;
            if (!decorated)
                continue;
            const QRectF box = rectOf(c, c + 1);
            const Extra &extra = screen.extra(cell);
            const qreal thick = std::max(1.0, std::round(m_height / 16.0));
            if (underline != UnderlineStyle::None)
                paintUnderline(painter, box, underline, scheme.color(extra.underline, color));
            else if (link)
                paintUnderline(painter, box, UnderlineStyle::Single, color);
            else if (!extra.uri.empty())
                paintUnderline(painter, box, UnderlineStyle::Dotted, color);
            if ((cell.style.attributes & Strike) != 0)
                painter.fillRect(QRectF(box.left(), box.top() + m_ascent * 0.66, box.width(), thick), color);
            if ((cell.style.attributes & Overline) != 0)
                painter.fillRect(QRectF(box.left(), box.top(), box.width(), thick), color);
        }
    }
    batch.flush();
}

} // namespace boxdeck::ui
