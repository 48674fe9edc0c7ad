// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/metrics/line_chart.h"

#include "ui/common/format.h"
#include "ui/common/ui_util.h"

#include <QFocusEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace boxdeck::ui {

namespace {

constexpr qsizetype mostSamples = 4096;

// A server may send more than any screen has pixels, and every repaint walks them all. The greatest of those side by
// side is kept: it is what people look for.
QList<LineChart::Sample> thinned(QList<LineChart::Sample> samples)
{
    if (samples.size() <= mostSamples)
        return samples;
    const qsizetype each = samples.size() / mostSamples + 1;
    QList<LineChart::Sample> kept;
    for (qsizetype i = 0; i < samples.size(); i += each)
        kept.append(*std::max_element(samples.cbegin() + i, samples.cbegin() + std::min(i + each, samples.size()),
                                      [](const auto &a, const auto &b) { return a.value < b.value; }));
    kept.last() = samples.last();
    return kept;
}

constexpr int scaleWidth = 9 * kGrid; ///< room for "100 %" or "23.5 GiB" at the right

} // namespace

LineChart::LineChart(const QString &name, const QString &title, std::function<QString(double)> text, Token token,
                     QWidget *parent)
    : QWidget(parent)
    , m_title(title)
    , m_text(std::move(text))
    , m_token(token)
{
    nameWidget(this, name, title);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void LineChart::setSamples(QList<Sample> samples, double top, const QString &whole)
{
    const QDateTime picked = m_picked >= 0 ? m_samples[m_picked].at : QDateTime();
    m_samples = thinned(std::move(samples));
    const auto greatest = std::max_element(m_samples.begin(), m_samples.end(),
                                           [](const Sample &a, const Sample &b) { return a.value < b.value; });
    m_whole = whole;
    m_top = std::max(top, greatest == m_samples.end() ? 0.0 : greatest->value * (top > 0 ? 1 : 1.25));
    if (m_top <= 0)
        m_top = 1;
    const auto again = std::find_if(m_samples.begin(), m_samples.end(),
                                    [&picked](const Sample &one) { return picked.isValid() && one.at == picked; });
    pick(again == m_samples.end() ? -1 : again - m_samples.begin());
}

QRect LineChart::plot() const
{
    const int line = fontMetrics().height();
    return rect().adjusted(2 * kGrid, line + 2 * kGrid, -scaleWidth, -line - kGrid);
}

QPointF LineChart::pointOf(const Sample &sample) const
{
    const QRect area = plot();
    const qint64 begin = m_samples.first().at.toSecsSinceEpoch();
    const qint64 span = std::max<qint64>(1, m_samples.last().at.toSecsSinceEpoch() - begin);
    const double across = double(sample.at.toSecsSinceEpoch() - begin) / double(span);
    return {area.left() + across * area.width(), area.bottom() - sample.value / m_top * area.height()};
}

qint64 LineChart::gapSeconds() const
{
    // Servers measure every few seconds to every minute: three times the usual distance is a pause.
    QList<qint64> steps;
    for (qsizetype i = 1; i < m_samples.size(); ++i)
        steps << m_samples[i - 1].at.secsTo(m_samples[i].at);
    if (steps.isEmpty())
        return 1;
    const auto middle = steps.begin() + steps.size() / 2;
    std::nth_element(steps.begin(), middle, steps.end());
    return std::max<qint64>(15, 3 * *middle);
}

void LineChart::paintLine(QPainter &painter) const
{
    const QColor colour = Theme::color(m_token, palette());
    const qint64 gap = gapSeconds();
    QPainterPath line;
    for (qsizetype i = 0; i < m_samples.size(); ++i) {
        const QPointF point = pointOf(m_samples[i]);
        const bool joined = i > 0 && m_samples[i - 1].at.secsTo(m_samples[i].at) <= gap;
        const bool goesOn = i + 1 < m_samples.size() && m_samples[i].at.secsTo(m_samples[i + 1].at) <= gap;
        if (joined)
            line.lineTo(point);
        else
            line.moveTo(point);
        if (!joined && !goesOn) { // alone between two pauses, and else invisible
            painter.setPen(QPen(colour, 3, Qt::SolidLine, Qt::RoundCap));
            painter.drawPoint(point);
        }
    }
    painter.setPen(QPen(colour, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(line);
    if (m_picked >= 0) {
        const QPointF point = pointOf(m_samples[m_picked]);
        painter.setPen(QPen(Theme::color(Token::Muted, palette()), 1, Qt::DashLine));
        painter.drawLine(QPointF(point.x(), plot().top()), QPointF(point.x(), plot().bottom()));
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawEllipse(point, 3.5, 3.5);
    }
}

void LineChart::paintFrame(QPainter &painter) const
{
    const QRect area = plot();
    const QColor muted = Theme::color(Token::Muted, palette());
    const int line = fontMetrics().height();
    for (int part = 0; part <= 2; ++part) {
        const int y = area.bottom() - area.height() * part / 2;
        painter.setPen(Theme::color(Token::Hairline, palette()));
        painter.drawLine(area.left(), y, area.right(), y);
        painter.setPen(muted);
        painter.drawText(QRect(area.right() + kGrid, y - line / 2, scaleWidth - kGrid, line),
                         Qt::AlignLeft | Qt::AlignVCenter, m_text(m_top * part / 2));
    }
    painter.setPen(Theme::color(Token::Text, palette()));
    const QRect heading(area.left(), kGrid / 2, width() - area.left() - 2 * kGrid, line);
    painter.drawText(heading, Qt::AlignLeft | Qt::AlignVCenter, m_title);
    if (m_samples.isEmpty())
        return;
    const Sample &told = m_picked >= 0 ? m_samples[m_picked] : m_samples.last();
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.drawText(heading, Qt::AlignRight | Qt::AlignVCenter,
                     (m_picked >= 0 ? formatClock(told.at) + QStringLiteral("   ") : QString()) + m_text(told.value) +
                         (m_whole.isEmpty() ? QString() : u' ' + m_whole));
    painter.setFont(font());
    painter.setPen(muted);
    const QRect below(area.left(), area.bottom() + kGrid / 2, area.width(), line);
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, formatClock(m_samples.first().at));
    painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter, formatClock(m_samples.last().at));
}

void LineChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintFrame(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_samples.isEmpty())
        paintLine(painter);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(Theme::color(Token::Accent, palette()));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void LineChart::pick(qsizetype index)
{
    m_picked = index;
    const qsizetype told = index >= 0 ? index : m_samples.size() - 1;
    // A screen reader says name and description; the picture has no other text.
    setAccessibleDescription(
        told < 0 ? tr("No samples")
                 : tr("%1 at %2").arg(m_text(m_samples[told].value), formatFullTime(m_samples[told].at)));
    update();
}

void LineChart::mouseMoveEvent(QMouseEvent *event)
{
    if (m_samples.isEmpty())
        return;
    const auto distance = [this, x = event->position().x()](const Sample &one) { return qAbs(pointOf(one).x() - x); };
    const auto nearest = std::min_element(m_samples.begin(), m_samples.end(),
                                          [&](const Sample &a, const Sample &b) { return distance(a) < distance(b); });
    pick(nearest - m_samples.begin());
}

void LineChart::leaveEvent(QEvent *)
{
    pick(-1);
}

void LineChart::keyPressEvent(QKeyEvent *event)
{
    const qsizetype last = m_samples.size() - 1, from = m_picked >= 0 ? m_picked : last;
    if (last < 0)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left:
        return pick(std::max<qsizetype>(0, from - 1));
    case Qt::Key_Right:
        return pick(std::min(last, from + 1));
    case Qt::Key_Home:
        return pick(0);
    case Qt::Key_End:
        return pick(last);
    case Qt::Key_Escape:
        return pick(-1);
    default:
        QWidget::keyPressEvent(event);
    }
}

void LineChart::focusOutEvent(QFocusEvent *event)
{
    pick(-1);
    QWidget::focusOutEvent(event);
}

} // namespace boxdeck::ui
