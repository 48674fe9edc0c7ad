// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/pane_walker.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QTabBar>
#include <QWidget>

namespace boxdeck::ui {

namespace {

bool takesFocus(const QWidget *widget)
{
    return widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus);
}

QWidget *firstIn(QWidget *pane)
{
    if (takesFocus(pane))
        return pane;
    // Where the focus was last in this pane is where the person comes back to.
    if (QWidget *last = pane->focusWidget(); last && takesFocus(last))
        return last;
    // Lists, pages and terminals are what a pane is about; bars and fields stand above them.
    const auto children = pane->findChildren<QWidget *>();
    QWidget *other = nullptr;
    for (QWidget *child : children) {
        if (!takesFocus(child))
            continue;
        if (qobject_cast<QAbstractScrollArea *>(child) && child->focusPolicy() == Qt::StrongFocus)
            return child;
        if (!other && !qobject_cast<QTabBar *>(child))
            other = child;
    }
    return other;
}

} // namespace

void walkPanes(const QList<QWidget *> &panes, bool backward)
{
    QList<QWidget *> usable;
    qsizetype current = -1;
    const QWidget *focused = QApplication::focusWidget();
    for (QWidget *pane : panes) {
        if (!pane || !pane->isVisible() || !firstIn(pane))
            continue;
        if (focused && (pane == focused || pane->isAncestorOf(focused)))
            current = usable.size();
        usable << pane;
    }
    if (usable.isEmpty())
        return;
    const qsizetype count = usable.size();
    const qsizetype next = current < 0 ? 0 : (current + (backward ? count - 1 : 1)) % count;
    firstIn(usable.at(next))->setFocus(Qt::TabFocusReason);
}

} // namespace boxdeck::ui
