// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QWidget;

namespace boxdeck::ui {

/// Moves the keyboard focus from the pane that has it to the next visible one of `panes` (the one before with
/// `backward`), and to the first if none has it.
void walkPanes(const QList<QWidget *> &panes, bool backward);

} // namespace boxdeck::ui
