// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace boxdeck::ui {

/// What saveText() asks and writes.
struct TextToSave
{
    QString name;                  ///< object name of the dialog
    QString title;                 ///< window title
    QString fileName;              ///< suggested
    std::function<QString()> text; ///< asked for when the place is chosen
};

/// Asks where to, without a nested event loop, and writes there as UTF-8 on another thread: either the whole text or
/// nothing. `told` gets one sentence about what became of it; it does not run if `parent` is gone by then.
void saveText(QWidget *parent, const TextToSave &what, std::function<void(const QString &sentence)> told);

} // namespace boxdeck::ui
