// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/style.h"

#include "ui/common/icons.h"
#include "ui/common/style_paint.h"
#include "ui/common/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QMenuBar>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>

namespace boxdeck::ui {

namespace {

constexpr int kScrollBar = 12;
constexpr int kControlHeight = 28;
constexpr int kMenuArrow = 16;

} // namespace

Style::Style()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
{
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_ToolBarIconSize:
    case PM_ListViewIconSize:
    case PM_TabBarIconSize:
        return kIconSize;
    case PM_LayoutLeftMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutBottomMargin:
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return kGrid;
    case PM_TabCloseIndicatorWidth:
    case PM_TabCloseIndicatorHeight:
        return kIconSize;
    case PM_ScrollBarExtent:
        return kScrollBar;
    case PM_ScrollBarSliderMin:
        return 24;
    case PM_ScrollView_ScrollBarSpacing:
        return 0;
    case PM_DockWidgetSeparatorExtent:
    case PM_SplitterWidth:
        return 5;
    case PM_DockWidgetTitleMargin:
        return 6;
    case PM_DockWidgetFrameWidth:
        return 0;
    case PM_ToolBarFrameWidth:
        return 0;
    case PM_ToolBarItemMargin:
        return kGrid / 2;
    case PM_ToolBarItemSpacing:
        return kGrid / 2;
    case PM_HeaderMargin:
        return 6;
    case PM_TabBarTabHSpace:
        return 3 * kGrid;
    case PM_TabBarTabVSpace:
        return 2 * kGrid - 2;
    case PM_TabBarBaseHeight:
    case PM_TabBarBaseOverlap:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabShiftVertical:
        return 0;
    case PM_MenuVMargin:
    case PM_MenuHMargin:
        return 4;
    case PM_MenuPanelWidth:
        return 1;
    case PM_MenuBarVMargin:
        return 2;
    case PM_MenuBarHMargin:
        return 4;
    case PM_MenuBarItemSpacing:
        return 2;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int Style::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                     QStyleHintReturn *returnData) const
{
    switch (hint) {
    case SH_Widget_Animation_Duration:
        return m_reducedMotion ? 0 : QProxyStyle::styleHint(hint, option, widget, returnData);
    case SH_Menu_SubMenuPopupDelay:
        return 150;
    case SH_EtchDisabledText:
    case SH_DockWidget_ButtonsHaveFrame:
        return 0;
    case SH_ItemView_ShowDecorationSelected:
        return 1;
    case SH_ItemView_PaintAlternatingRowColorsForEmptyArea:
        return 0;
    case SH_TabBar_ElideMode:
        return Qt::ElideMiddle;
    case SH_ComboBox_Popup:
        return 0;
    case SH_DialogButtonBox_ButtonsHaveIcons:
        return 0;
    case SH_MenuBar_AltKeyNavigation:
        return 1;
    case SH_Slider_AbsoluteSetButtons:
        return Qt::LeftButton;
    case SH_FormLayoutFieldGrowthPolicy:
        return 1; // QFormLayout::ExpandingFieldsGrow
    default:
        return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                              const QWidget *widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    switch (type) {
    case CT_PushButton:
        result.rwidth() += kGrid;
        result.setHeight(std::max(result.height(), kControlHeight));
        break;
    case CT_LineEdit:
    case CT_ComboBox:
    case CT_SpinBox:
    case CT_HeaderSection:
        result.setHeight(std::max(result.height(), kControlHeight));
        break;
    case CT_ToolButton:
        if (const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option);
            button && (button->features & QStyleOptionToolButton::HasMenu))
            result.rwidth() += kMenuArrow;
        result.setHeight(std::max(result.height(), kControlHeight));
        result.setWidth(std::max(result.width(), kControlHeight));
        break;
    case CT_ItemViewItem:
        result.setHeight(std::max(result.height(), kRowHeight));
        break;
    case CT_MenuItem:
        if (const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
            item && item->menuItemType != QStyleOptionMenuItem::Separator) {
            result.setHeight(std::max(result.height(), kRowHeight));
            result.rwidth() += kGrid;
        }
        break;
    case CT_MenuBarItem:
        result.rwidth() += kGrid;
        result.setHeight(std::max(result.height(), kRowHeight - 2));
        break;
    case CT_TabBarTab:
        result.setHeight(std::max(result.height(), 32));
        break;
    case CT_ProgressBar:
        result.setHeight(std::max(8, size.height()));
        break;
    default:
        break;
    }
    return result;
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                          const QWidget *widget) const
{
    const QPalette &palette = option->palette;
    const QColor line = Theme::color(Token::Hairline, palette);
    switch (element) {
    case PE_PanelButtonCommand:
        drawButton(option, painter, widget);
        return;
    case PE_FrameDefaultButton:
        return;
    case PE_PanelButtonTool: {
        const bool on = option->state & (State_Sunken | State_On);
        const bool hover = (option->state & State_MouseOver) && (option->state & State_Enabled);
        const bool raised = !(option->state & State_AutoRaise);
        if (raised && !on && !hover)
            rounded(painter, crisp(option->rect), Theme::color(Token::Window, palette),
                    mixed(line, Theme::color(Token::Text, palette), 0.12));
        else if (on || hover)
            rounded(painter, crisp(option->rect),
                    on ? Theme::color(Token::Selection, palette) : Theme::color(Token::Hover, palette),
                    raised ? mixed(line, Theme::color(Token::Text, palette), 0.12) : QColor());
        if ((option->state & State_HasFocus) && (option->state & State_KeyboardFocusChange))
            rounded(painter, crisp(option->rect), {}, Theme::color(Token::Accent, palette));
        return;
    }
    case PE_FrameButtonTool:
    case PE_FrameStatusBarItem:
    case PE_FrameDockWidget:
    case PE_PanelMenuBar:
    case PE_FrameWindow:
        if (element == PE_FrameDockWidget || element == PE_FrameWindow) {
            painter->setPen(line);
            painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        }
        return;
    case PE_PanelLineEdit:
        if (const auto *panel = qstyleoption_cast<const QStyleOptionFrame *>(option); panel && panel->lineWidth > 0)
            drawField(option, painter, option->rect);
        else
            painter->fillRect(option->rect, palette.brush(QPalette::Base));
        return;
    case PE_FrameLineEdit:
        drawField(option, painter, option->rect);
        return;
    case PE_Frame:
    case PE_FrameMenu:
        if (const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option); frame && frame->lineWidth == 0)
            return;
        painter->save();
        painter->setPen(line);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        painter->restore();
        return;
    case PE_PanelMenu:
        painter->fillRect(option->rect, Theme::color(Token::Window, palette));
        return;
    case PE_FrameFocusRect:
        if (qobject_cast<const QAbstractItemView *>(widget)) {
            if (option->state & State_KeyboardFocusChange)
                rounded(painter, crisp(option->rect), {}, Theme::color(Token::Accent, palette), 2);
        } else {
            rounded(painter, crisp(option->rect), {}, Theme::color(Token::Accent, palette));
        }
        return;
    case PE_FrameTabBarBase: {
        const auto *base = qstyleoption_cast<const QStyleOptionTabBarBase *>(option);
        const bool south = base && (base->shape == QTabBar::RoundedSouth || base->shape == QTabBar::TriangularSouth);
        painter->fillRect(
            QRect(option->rect.left(), south ? option->rect.top() : option->rect.bottom(), option->rect.width(), 1),
            line);
        return;
    }
    case PE_FrameTabWidget:
        painter->fillRect(QRect(option->rect.left(), option->rect.top(), option->rect.width(), 1), line);
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorRadioButton:
        drawIndicator(option, painter, element == PE_IndicatorRadioButton);
        return;
    case PE_IndicatorDockWidgetResizeHandle: {
        const QPoint centre = option->rect.center();
        const bool across = option->state & State_Horizontal;
        painter->fillRect(across ? QRect(option->rect.left(), centre.y(), option->rect.width(), 1)
                                 : QRect(centre.x(), option->rect.top(), 1, option->rect.height()),
                          line);
        return;
    }
    case PE_IndicatorTabClose:
        if ((option->state & State_Raised) && (option->state & State_Enabled))
            rounded(painter, crisp(option->rect), Theme::color(Token::Hover, palette), {});
        icon("close", Token::Muted).paint(painter, option->rect, Qt::AlignCenter);
        return;
    case PE_IndicatorToolBarSeparator: {
        const QRect place = option->rect;
        if (option->state & State_Horizontal)
            painter->fillRect(QRect(place.center().x(), place.top() + 6, 1, place.height() - 12), line);
        else
            painter->fillRect(QRect(place.left() + 6, place.center().y(), place.width() - 12, 1), line);
        return;
    }
    case PE_IndicatorHeaderArrow:
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option))
            drawChevron(painter, header->rect, true,
                        header->sortIndicator == QStyleOptionHeader::SortUp ? "chevron-up" : "chevron-down");
        return;
    case PE_PanelStatusBar:
        painter->fillRect(QRect(option->rect.left(), option->rect.top(), option->rect.width(), 1), line);
        return;
    case PE_PanelTipLabel:
        painter->fillRect(option->rect, palette.color(QPalette::ToolTipBase));
        return;
    case PE_PanelItemViewItem:
        if (const auto *item = qstyleoption_cast<const QStyleOptionViewItem *>(option)) {
            if (item->backgroundBrush.style() != Qt::NoBrush)
                painter->fillRect(item->rect, item->backgroundBrush);
            if (item->state & State_Selected)
                painter->fillRect(item->rect, Theme::color(Token::Selection, palette));
            else if ((item->state & State_MouseOver) && (item->state & State_Enabled))
                painter->fillRect(item->rect, Theme::color(Token::Hover, palette));
        }
        return;
    case PE_PanelItemViewRow:
        return; // the items paint it, so that a row is one colour
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void Style::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                        const QWidget *widget) const
{
    const QPalette &palette = option->palette;
    const QColor line = Theme::color(Token::Hairline, palette);
    switch (element) {
    case CE_PushButtonLabel:
        if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
            button && (button->state & State_Enabled) && (isDanger(widget) || isDefaultButton(option))) {
            QStyleOptionButton own(*button);
            own.palette.setColor(QPalette::ButtonText, Theme::color(Token::OnAccent, palette));
            if (!own.icon.isNull()) {
                // The icon carries the colour of text; on the accent it takes the label's.
                QPixmap pixmap = own.icon.pixmap(own.iconSize);
                QPainter tint(&pixmap);
                tint.setCompositionMode(QPainter::CompositionMode_SourceIn);
                tint.fillRect(pixmap.rect(), Theme::color(Token::OnAccent, palette));
                tint.end();
                own.icon = QIcon(pixmap);
            }
            QProxyStyle::drawControl(element, &own, painter, widget);
            return;
        }
        break;
    case CE_HeaderSection:
    case CE_HeaderEmptyArea: {
        painter->fillRect(option->rect, Theme::color(Token::Window, palette));
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), line);
        if (element == CE_HeaderSection && (option->state & State_MouseOver) && (option->state & State_Enabled))
            painter->fillRect(option->rect.adjusted(0, 0, 0, -1), Theme::color(Token::Hover, palette));
        return;
    }
    case CE_HeaderLabel:
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option)) {
            QStyleOptionHeader own(*header);
            own.palette.setColor(QPalette::ButtonText, Theme::color(Token::Muted, palette));
            QProxyStyle::drawControl(element, &own, painter, widget);
            return;
        }
        break;
    case CE_DockWidgetTitle:
        if (const auto *dock = qstyleoption_cast<const QStyleOptionDockWidget *>(option)) {
            painter->fillRect(dock->rect, Theme::color(Token::Surface, palette));
            painter->save();
            QFont font = widget ? widget->font() : painter->font();
            font.setWeight(QFont::DemiBold);
            painter->setFont(font);
            const QRect title = dock->rect.adjusted(kGrid + kGrid / 2, 0, -52, 0);
            drawItemText(painter, title, Qt::AlignLeft | Qt::AlignVCenter, palette, true,
                         QFontMetrics(font).elidedText(dock->title, Qt::ElideRight, title.width()),
                         QPalette::WindowText);
            painter->restore();
            return;
        }
        break;
    case CE_TabBarTabShape:
        if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option)) {
            drawTab(tab, painter, widget);
            return;
        }
        break;
    case CE_TabBarTabLabel:
        if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option)) {
            QStyleOptionTab own(*tab);
            own.state &= ~State_HasFocus;
            if (!(own.state & State_Selected))
                own.palette.setColor(QPalette::WindowText, Theme::color(Token::Muted, palette));
            QProxyStyle::drawControl(element, &own, painter, widget);
            return;
        }
        break;
    case CE_ToolBar:
        if (widget && widget->property("plain").toBool())
            return;
        painter->fillRect(option->rect, Theme::color(Token::Surface, palette));
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), line);
        return;
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, Theme::color(Token::Surface, palette));
        return;
    case CE_MenuBarItem:
        if (const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option)) {
            painter->fillRect(item->rect, Theme::color(Token::Surface, palette));
            const bool active = (item->state & State_Selected) && (item->state & State_Enabled);
            if (active)
                rounded(painter, QRectF(item->rect).adjusted(1, 2, -1, -2), Theme::color(Token::Hover, palette), {});
            const int flags =
                Qt::AlignCenter | Qt::TextDontClip | Qt::TextSingleLine |
                (styleHint(SH_UnderlineShortcut, item, widget, nullptr) ? Qt::TextShowMnemonic : Qt::TextHideMnemonic);
            drawItemText(painter, item->rect, flags, item->palette, item->state & State_Enabled, item->text,
                         QPalette::ButtonText);
            return;
        }
        break;
    case CE_ProgressBarGroove:
        return;
    case CE_ProgressBarContents:
        if (const auto *bar = qstyleoption_cast<const QStyleOptionProgressBar *>(option)) {
            drawProgress(bar, painter, widget);
            return;
        }
        break;
    case CE_Splitter: {
        const QPoint centre = option->rect.center();
        painter->fillRect(option->state & State_Horizontal
                              ? QRect(centre.x(), option->rect.top(), 1, option->rect.height())
                              : QRect(option->rect.left(), centre.y(), option->rect.width(), 1),
                          line);
        return;
    }
    case CE_ShapedFrame:
        if (const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
            frame && frame->frameShape == QFrame::StyledPanel) {
            painter->save();
            painter->setPen(line);
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(frame->rect.adjusted(0, 0, -1, -1));
            painter->restore();
            return;
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                               const QWidget *widget) const
{
    const bool enabled = option->state & State_Enabled;
    switch (control) {
    case CC_ScrollBar:
        if (const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option)) {
            drawScrollBar(bar, painter, this, widget);
            return;
        }
        break;
    case CC_ComboBox:
        if (const auto *box = qstyleoption_cast<const QStyleOptionComboBox *>(option)) {
            if (box->frame)
                drawField(option, painter, option->rect);
            drawChevron(painter, subControlRect(CC_ComboBox, box, SC_ComboBoxArrow, widget), enabled, "chevron-down");
            return;
        }
        break;
    case CC_SpinBox:
        if (const auto *box = qstyleoption_cast<const QStyleOptionSpinBox *>(option)) {
            if (box->frame)
                drawField(option, painter, option->rect);
            if (box->buttonSymbols != QAbstractSpinBox::NoButtons) {
                drawChevron(painter, subControlRect(CC_SpinBox, box, SC_SpinBoxUp, widget),
                            enabled && (box->stepEnabled & QAbstractSpinBox::StepUpEnabled), "chevron-up");
                drawChevron(painter, subControlRect(CC_SpinBox, box, SC_SpinBoxDown, widget),
                            enabled && (box->stepEnabled & QAbstractSpinBox::StepDownEnabled), "chevron-down");
            }
            return;
        }
        break;
    case CC_ToolButton:
        if (const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option);
            button && (button->features & QStyleOptionToolButton::HasMenu) &&
            !(button->features & QStyleOptionToolButton::PopupDelay)) {
            // Fusion puts a tiny arrow into the corner; ours has a place of its own at the end.
            QStyleOptionToolButton own(*button);
            own.features &= ~(QStyleOptionToolButton::HasMenu | QStyleOptionToolButton::MenuButtonPopup);
            own.subControls = SC_ToolButton;
            drawPrimitive(PE_PanelButtonTool, &own, painter, widget);
            own.rect.adjust(kGrid / 2, 0, -kMenuArrow, 0);
            own.palette.setColor(QPalette::ButtonText, option->palette.color(QPalette::ButtonText));
            drawControl(CE_ToolButtonLabel, &own, painter, widget);
            drawChevron(
                painter,
                QRect(option->rect.right() - kMenuArrow - 1, option->rect.top(), kMenuArrow, option->rect.height()),
                enabled, "chevron-down");
            return;
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect Style::subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const
{
    if (element == SE_HeaderArrow)
        return QRect(option->rect.right() - 16, option->rect.center().y() - 6, 12, 12);
    if (element == SE_LineEditContents) {
        if (const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option); frame && frame->lineWidth > 0)
            return QProxyStyle::subElementRect(element, option, widget).adjusted(kGrid / 2, 0, -kGrid / 2, 0);
    }
    return QProxyStyle::subElementRect(element, option, widget);
}

QIcon Style::standardIcon(StandardPixmap pixmap, const QStyleOption *option, const QWidget *widget) const
{
    switch (pixmap) {
    case SP_TitleBarCloseButton:
    case SP_DockWidgetCloseButton:
    case SP_LineEditClearButton:
        return icon("close", Token::Muted);
    case SP_TitleBarNormalButton:
        return icon("dock-float", Token::Muted);
    case SP_ToolBarHorizontalExtensionButton:
    case SP_ToolBarVerticalExtensionButton:
        return icon("more", Token::Muted);
    default:
        return QProxyStyle::standardIcon(pixmap, option, widget);
    }
}

void Style::polish(QWidget *widget)
{
    QProxyStyle::polish(widget);
    if (qobject_cast<QTabBar *>(widget) || qobject_cast<QScrollBar *>(widget))
        widget->setAttribute(Qt::WA_Hover);
    if (auto *tabs = qobject_cast<QTabBar *>(widget))
        tabs->setDrawBase(true);
}

} // namespace boxdeck::ui
