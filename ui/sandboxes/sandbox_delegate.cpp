// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/sandbox_delegate.h"

#include "models/sandbox_model.h"
#include "ui/common/icons.h"
#include "ui/sandboxes/sandbox_text.h"

namespace boxdeck::ui {

using models::SandboxModel;

namespace {

void colour(QStyleOptionViewItem *option, Token token)
{
    const QColor text = Theme::color(token, option->palette);
    option->palette.setColor(QPalette::Text, text);
    option->palette.setColor(QPalette::HighlightedText, text);
}

} // namespace

void SandboxDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    switch (index.column()) {
    case SandboxModel::State: {
        protocol::SandboxSummary sandbox;
        sandbox.state = protocol::SandboxState(index.data(SandboxModel::StateRole).toInt());
        const StateLook look = stateLook(sandbox);
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->icon = icon(look.icon, look.token);
        option->decorationSize = QSize(kIconSize, kIconSize);
        colour(option, look.token);
        break;
    }
    case SandboxModel::TimeLeft: {
        const QVariant left = index.data(SandboxModel::SecondsLeftRole);
        colour(option, timeLeftToken(left.isValid() ? std::optional(left.toLongLong()) : std::nullopt));
        break;
    }
    case SandboxModel::Id:
        option->font = Theme::monospace();
        option->textElideMode = Qt::ElideMiddle;
        colour(option, Token::Muted);
        break;
    case SandboxModel::Template:
    case SandboxModel::Metadata:
    case SandboxModel::Age:
    case SandboxModel::Cpu:
    case SandboxModel::Memory:
        colour(option, Token::Muted);
        break;
    default:
        break;
    }
}

} // namespace boxdeck::ui
