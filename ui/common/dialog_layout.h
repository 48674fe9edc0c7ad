// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>

class QDialog;
class QHBoxLayout;
class QPushButton;
class QScrollArea;
class QString;
class QWidget;

namespace boxdeck::ui {

/// Fills a dialog that has a page of fields: news above, the page, and the bar of buttons under a line. No margins: the
/// parts bring their own.
void layOutDialog(QDialog *dialog, QWidget *news, QWidget *page, QWidget *buttons);

/// Something to scroll a page of fields in, where the window is too low for it. Owns the page.
QScrollArea *scrolledPage(QWidget *page, const QString &objectName, QWidget *parent);

/// The buttons of such a dialog: what helps on the left, what ends it on the right.
QWidget *buttonBar(QWidget *left, std::initializer_list<QPushButton *> right, QWidget *parent);

/// "Cancel", which rejects, and `accept`, which Enter presses; the caller connects that. Names both.
QHBoxLayout *acceptRow(QDialog *dialog, const QString &objectName, const QString &cancel, QPushButton *accept);

} // namespace boxdeck::ui
