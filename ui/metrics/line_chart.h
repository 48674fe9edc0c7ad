// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/theme.h"

#include <QDateTime>
#include <QList>
#include <QWidget>

#include <functional>

namespace boxdeck::ui {

/// One quantity over time as a line: its name and latest value above, a scale at the right, times below. A pause in
/// the samples is a gap in the line, never a straight stretch. Follows the theme; the keyboard and the pointer pick a
/// sample, whose time and value are shown and said.
class LineChart : public QWidget
{
    Q_OBJECT

public:
    struct Sample
    {
        QDateTime at; ///< UTC
        double value = 0;

        bool operator==(const Sample &) const = default;
    };

    /// `name` is the object name, `title` what is measured, `text` writes a value for people.
    LineChart(const QString &name, const QString &title, std::function<QString(double)> text, Token token,
              QWidget *parent = nullptr);

    /// Samples in time's order. `top` is at least the value at the top of the scale; 0: room above the greatest sample.
    /// `whole` stands behind the latest value ("of 2 GiB"); empty for none.
    void setSamples(QList<Sample> samples, double top, const QString &whole = {});

    QSize sizeHint() const override { return {52 * kGrid, 18 * kGrid}; }
    QSize minimumSizeHint() const override { return {30 * kGrid, 14 * kGrid}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    QRect plot() const;
    QPointF pointOf(const Sample &sample) const;
    qint64 gapSeconds() const;
    void pick(qsizetype index);
    void paintLine(QPainter &painter) const;
    void paintFrame(QPainter &painter) const;

    QString m_title;
    std::function<QString(double)> m_text;
    Token m_token;
    QList<Sample> m_samples;
    double m_top = 1;
    QString m_whole;
    qsizetype m_picked = -1; ///< none: the latest is told
};

} // namespace boxdeck::ui
