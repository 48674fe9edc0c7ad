// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/find_bar.h"

#include "backend/core/display_text.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"
#include "ui/terminal/terminal_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>

namespace boxdeck::ui {

FindBar::FindBar(TerminalView &view, QWidget *parent)
    : QFrame(parent)
    , m_view(view)
    , m_text(new QLineEdit(this))
    , m_case(new QToolButton(this))
    , m_result(mutedLabel({}, this))
{
    nameWidget(this, QStringLiteral("terminalFindBar"), tr("Find in the terminal"));
    setAutoFillBackground(true);
    nameWidget(m_text, QStringLiteral("terminalFindText"), tr("Text to find"));
    m_text->setPlaceholderText(tr("Find in the scrollback"));
    m_text->setClearButtonEnabled(true);
    nameWidget(m_case, QStringLiteral("terminalFindCase"), tr("Match upper and lower case"));
    m_case->setText(tr("Aa"));
    m_case->setToolTip(tr("Match upper and lower case"));
    m_case->setCheckable(true);
    m_case->setAutoRaise(true);
    m_result->setObjectName(QStringLiteral("terminalFindResult"));
    const auto button = [this](const char *name, const char *iconName, const QString &text, auto &&clicked) {
        auto *made = new QToolButton(this);
        nameWidget(made, QLatin1String(name), text);
        made->setIcon(icon(iconName));
        made->setToolTip(toolTipText(text));
        made->setAutoRaise(true);
        connect(made, &QToolButton::clicked, this, clicked);
        return made;
    };
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
    row->setSpacing(kGrid / 2);
    row->addWidget(m_text, 1);
    row->addWidget(m_result);
    row->addWidget(m_case);
    row->addWidget(button("terminalFindUp", "chevron-up", tr("Find upwards"), [this] { find(false); }));
    row->addWidget(button("terminalFindDown", "chevron-down", tr("Find downwards"), [this] { find(true); }));
    row->addWidget(button("terminalFindClose", "close", tr("Close the find bar"), [this] { closeBar(); }));
    connect(m_text, &QLineEdit::textEdited, m_result, &QLabel::clear);
    hide();
}

void FindBar::open()
{
    const QString selected = m_view.selectedText();
    if (!selected.isEmpty() && !selected.contains(u'\n'))
        m_text->setText(selected);
    m_result->clear();
    show();
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

void FindBar::closeBar()
{
    m_view.endFind();
    hide();
    m_view.setFocus(Qt::OtherFocusReason);
}

void FindBar::find(bool forward)
{
    if (m_text->text().isEmpty())
        return;
    const bool found =
        m_view.find(m_text->text(), forward, m_case->isChecked() ? Qt::CaseSensitive : Qt::CaseInsensitive);
    m_result->setText(found ? QString() : tr("Not found"));
}

void FindBar::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        closeBar();
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        find(event->modifiers().testFlag(Qt::ShiftModifier));
    else
        QFrame::keyPressEvent(event);
}

} // namespace boxdeck::ui
