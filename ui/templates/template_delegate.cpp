// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/templates/template_delegate.h"

#include "models/template_model.h"
#include "ui/common/icons.h"

namespace boxdeck::ui {

using models::TemplateModel;
using protocol::BuildStatus;

namespace {

std::pair<const char *, Token> look(BuildStatus status)
{
    switch (status) {
    case BuildStatus::Ready:
        return {"ready", Token::Running};
    case BuildStatus::Building:
        return {"building", Token::Warning};
    case BuildStatus::Waiting:
        return {"waiting", Token::Warning};
    case BuildStatus::Error:
    case BuildStatus::Untagged:
        return {"failed", Token::Danger};
    case BuildStatus::Other:
        break;
    }
    return {"unknown", Token::Muted};
}

} // namespace

void TemplateDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    Token token = Token::Muted;
    switch (index.column()) {
    case TemplateModel::Name:
        token = Token::Text;
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->icon = icon("template", Token::Muted);
        option->decorationSize = QSize(kIconSize, kIconSize);
        break;
    case TemplateModel::Build: {
        const auto [name, colour] = look(BuildStatus(index.data(TemplateModel::BuildStatusRole).toInt()));
        token = colour;
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->icon = icon(name, colour);
        option->decorationSize = QSize(kIconSize, kIconSize);
        break;
    }
    case TemplateModel::Id:
        option->font = Theme::monospace();
        option->textElideMode = Qt::ElideMiddle;
        break;
    default:
        break;
    }
    const QColor text = Theme::color(token, option->palette);
    option->palette.setColor(QPalette::Text, text);
    option->palette.setColor(QPalette::HighlightedText, text);
}

} // namespace boxdeck::ui
