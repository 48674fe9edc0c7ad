// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/style_paint.h"

#include "ui/common/icons.h"

#include <QPainter>
#include <QStyleOption>
#include <QTabBar>
#include <QWidget>

#include <algorithm>

namespace boxdeck::ui {

QRectF crisp(const QRect &rect)
{
    return QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5);
}

void rounded(QPainter *painter, const QRectF &rect, const QColor &fill, const QColor &line, qreal radius)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(line.isValid() ? QPen(line, 1) : QPen(Qt::NoPen));
    painter->setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter->drawRoundedRect(rect, radius, radius);
    painter->restore();
}

bool isDanger(const QWidget *widget)
{
    return widget && widget->property("danger").toBool();
}

bool isDefaultButton(const QStyleOption *option)
{
    const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
    return button && (button->features & QStyleOptionButton::DefaultButton) &&
           !(button->features & QStyleOptionButton::Flat);
}

QColor mixed(const QColor &a, const QColor &b, qreal part)
{
    return QColor::fromRgbF(float(a.redF() * (1 - part) + b.redF() * part),
                            float(a.greenF() * (1 - part) + b.greenF() * part),
                            float(a.blueF() * (1 - part) + b.blueF() * part));
}

void drawButton(const QStyleOption *option, QPainter *painter, const QWidget *widget)
{
    const QPalette &palette = option->palette;
    const bool enabled = option->state & QStyle::State_Enabled;
    const bool down = option->state & (QStyle::State_Sunken | QStyle::State_On);
    const bool hover = enabled && (option->state & QStyle::State_MouseOver);
    const QColor text = Theme::color(Token::Text, palette);
    QColor fill = Theme::color(Token::Window, palette);
    QColor line = mixed(Theme::color(Token::Hairline, palette), text, 0.12);
    const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
    if (button && (button->features & QStyleOptionButton::Flat)) {
        if (down || hover)
            rounded(painter, crisp(option->rect), Theme::color(Token::Hover, palette), {});
        return;
    }
    if (enabled && (isDanger(widget) || isDefaultButton(option))) {
        fill = Theme::color(isDanger(widget) ? Token::Danger : Token::Accent, palette);
        if (down || hover)
            fill = mixed(fill, Theme::isDark(palette) ? QColor(Qt::white) : QColor(Qt::black), down ? 0.18 : 0.09);
        line = fill;
    } else if (down) {
        fill = mixed(Theme::color(Token::Hover, palette), text, 0.08);
    } else if (hover) {
        fill = Theme::color(Token::Hover, palette);
    } else if (!enabled) {
        fill = Theme::color(Token::Surface, palette);
        line = Theme::color(Token::Hairline, palette);
    }
    rounded(painter, crisp(option->rect), fill, line);
    if ((option->state & QStyle::State_HasFocus) && (option->state & QStyle::State_KeyboardFocusChange))
        rounded(painter, crisp(option->rect).adjusted(2, 2, -2, -2), {},
                isDanger(widget) || isDefaultButton(option) ? Theme::color(Token::OnAccent, palette)
                                                            : Theme::color(Token::Accent, palette),
                kCornerRadius - 1);
}

void drawField(const QStyleOption *option, QPainter *painter, const QRect &rect)
{
    const QPalette &palette = option->palette;
    const bool focus = option->state & QStyle::State_HasFocus;
    const bool enabled = option->state & QStyle::State_Enabled;
    rounded(painter, crisp(rect), Theme::color(enabled ? Token::Window : Token::Surface, palette),
            focus ? Theme::color(Token::Accent, palette)
                  : mixed(Theme::color(Token::Hairline, palette), Theme::color(Token::Text, palette), 0.12));
}

void drawIndicator(const QStyleOption *option, QPainter *painter, bool round)
{
    const QPalette &palette = option->palette;
    const bool enabled = option->state & QStyle::State_Enabled;
    const bool chosen = option->state & (QStyle::State_On | QStyle::State_NoChange);
    const int side = std::min({option->rect.width(), option->rect.height(), 16});
    QRect square(0, 0, side, side);
    square.moveCenter(option->rect.center());
    const QRectF box = crisp(square);
    // The line alone says that there is something to choose, so it has the contrast of words, not of a hairline.
    const QColor line =
        enabled ? Theme::color(Token::Muted, palette) : palette.color(QPalette::Disabled, QPalette::WindowText);
    const QColor ground = !chosen   ? Theme::color(Token::Window, palette)
                          : enabled ? Theme::color(Token::Accent, palette)
                                    : line;
    rounded(painter, box, ground, chosen ? ground : line, round ? box.width() / 2 : kCornerRadius - 1);
    if (!chosen)
        return;
    const QColor mark = enabled ? Theme::color(Token::OnAccent, palette) : Theme::color(Token::Window, palette);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (round) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(mark);
        painter->drawEllipse(box.center(), box.width() * 0.2, box.width() * 0.2);
    } else {
        painter->setPen(QPen(mark, 1.75, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const auto at = [&box](qreal x, qreal y) { return box.topLeft() + QPointF(box.width() * x, box.height() * y); };
        if (option->state & QStyle::State_NoChange)
            painter->drawLine(at(0.25, 0.5), at(0.75, 0.5));
        else
            painter->drawPolyline(QPolygonF{at(0.23, 0.52), at(0.42, 0.71), at(0.77, 0.31)});
    }
    painter->restore();
}

void drawChevron(QPainter *painter, const QRect &rect, bool enabled, const char *iconName)
{
    QRect place(0, 0, 12, 12);
    place.moveCenter(rect.center());
    icon(iconName, Token::Muted).paint(painter, place, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
}

void drawScrollBar(const QStyleOptionSlider *bar, QPainter *painter, const QStyle *style, const QWidget *widget)
{
    const QPalette &palette = bar->palette;
    painter->fillRect(bar->rect, Theme::color(Token::Window, palette));
    if (bar->minimum >= bar->maximum)
        return;
    const QRect thumb = style->subControlRect(QStyle::CC_ScrollBar, bar, QStyle::SC_ScrollBarSlider, widget);
    const bool active = (bar->activeSubControls & QStyle::SC_ScrollBarSlider) &&
                        (bar->state & (QStyle::State_MouseOver | QStyle::State_Sunken));
    const QColor fill =
        mixed(Theme::color(Token::Window, palette), Theme::color(Token::Text, palette), active ? 0.45 : 0.24);
    const int inset = 3;
    const QRectF inner = bar->orientation == Qt::Vertical ? QRectF(thumb).adjusted(inset, 1, -inset, -1)
                                                          : QRectF(thumb).adjusted(1, inset, -1, -inset);
    rounded(painter, inner, fill, {}, std::min(inner.width(), inner.height()) / 2);
}

void drawTab(const QStyleOptionTab *tab, QPainter *painter, const QWidget *widget)
{
    const QPalette &palette = tab->palette;
    const bool selected = tab->state & QStyle::State_Selected;
    const bool hover = (tab->state & QStyle::State_MouseOver) && (tab->state & QStyle::State_Enabled);
    const bool south = tab->shape == QTabBar::RoundedSouth || tab->shape == QTabBar::TriangularSouth;
    if (hover && !selected)
        rounded(painter, QRectF(tab->rect).adjusted(2, 3, -2, -3), Theme::color(Token::Hover, palette), {});
    if (selected) {
        QRect line = tab->rect;
        if (south)
            line.setHeight(2);
        else
            line.setTop(line.bottom() - 1);
        painter->fillRect(line, Theme::color(Token::Accent, palette));
    }
    if ((tab->state & QStyle::State_HasFocus) && widget && widget->hasFocus())
        rounded(painter, crisp(tab->rect.adjusted(3, 4, -3, -4)), {}, Theme::color(Token::Accent, palette));
}

void drawProgress(const QStyleOptionProgressBar *bar, QPainter *painter, const QWidget *widget)
{
    const QPalette &palette = bar->palette;
    QRectF groove(bar->rect);
    const qreal thick = std::min<qreal>(6, groove.height());
    groove = QRectF(groove.left(), groove.center().y() - thick / 2, groove.width(), thick);
    rounded(painter, groove, mixed(Theme::color(Token::Hover, palette), Theme::color(Token::Text, palette), 0.06), {},
            thick / 2);
    QRectF done = groove;
    if (bar->maximum > bar->minimum) {
        const qreal part = qBound(0.0, qreal(bar->progress - bar->minimum) / (bar->maximum - bar->minimum), 1.0);
        if (part <= 0)
            return;
        done.setWidth(std::max(thick, groove.width() * part));
    } else {
        done.setWidth(groove.width() / 3); // busy: the length is not known
        done.moveCenter(groove.center());
    }
    rounded(painter, done, Theme::color(isDanger(widget) ? Token::Danger : Token::Accent, palette), {}, thick / 2);
}

} // namespace boxdeck::ui
