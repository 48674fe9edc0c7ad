// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/theme.h"

#include <QRect>

class QPainter;
class QStyle;
class QStyleOption;
class QStyleOptionProgressBar;
class QStyleOptionSlider;
class QStyleOptionTab;
class QWidget;

// What Style paints with: whole controls and their strokes. Style itself only says which of them stands for what.
namespace boxdeck::ui {

inline constexpr qreal kCornerRadius = 4.0;

/// A rectangle whose one-pixel outline falls on whole pixels.
QRectF crisp(const QRect &rect);
/// A rounded rectangle; an invalid colour leaves out the ground or the line.
void rounded(QPainter *painter, const QRectF &rect, const QColor &fill, const QColor &line,
             qreal radius = kCornerRadius);
QColor mixed(const QColor &a, const QColor &b, qreal part);

bool isDanger(const QWidget *widget); ///< painted as destructive
bool isDefaultButton(const QStyleOption *option);

void drawButton(const QStyleOption *option, QPainter *painter, const QWidget *widget);
void drawField(const QStyleOption *option, QPainter *painter, const QRect &rect);
/// The box of a check box or the ring of a radio button, with what is chosen in it.
void drawIndicator(const QStyleOption *option, QPainter *painter, bool round);
void drawChevron(QPainter *painter, const QRect &rect, bool enabled, const char *iconName);
void drawScrollBar(const QStyleOptionSlider *bar, QPainter *painter, const QStyle *style, const QWidget *widget);
void drawTab(const QStyleOptionTab *tab, QPainter *painter, const QWidget *widget);
void drawProgress(const QStyleOptionProgressBar *bar, QPainter *painter, const QWidget *widget);

} // namespace boxdeck::ui
