// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace boxdeck::ui {

/// Rows of SandboxModel: the state as icon and word in its colour, the time left in the colour of its urgency, ids
/// monospaced and elided in the middle.
class SandboxDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

} // namespace boxdeck::ui
