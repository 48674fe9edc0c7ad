// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAbstractItemView;
class QWidget;

namespace boxdeck::ui {

/// Gives a control its stable object name and the name a screen reader says; every control has both.
void nameWidget(QWidget *widget, const QString &objectName, const QString &accessibleName);

/// The manners of every list, tree and table of ours: rows of kRowHeight, no grid, no frame, whole-row selection,
/// smooth scrolling, elision in the middle left to the delegate.
void styleView(QAbstractItemView *view);

/// Puts `text` on the clipboard as plain text.
void copyToClipboard(const QString &text);

} // namespace boxdeck::ui
