// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/prompt_bar.h"

#include "ui/common/icons.h"
#include "ui/common/ui_util.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace boxdeck::ui {

PromptBar::PromptBar(const QString &name, QWidget *parent)
    : QFrame(parent)
    , m_icon(new QLabel(this))
    , m_text(new QLabel(this))
    , m_accept(new QPushButton(this))
    , m_close(new QToolButton(this))
{
    nameWidget(this, name, tr("Terminal message"));
    setAutoFillBackground(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    m_text->setObjectName(name + QLatin1String("Text"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    nameWidget(m_accept, name + QLatin1String("Accept"), tr("Accept"));
    m_accept->setAutoDefault(false);
    nameWidget(m_close, name + QLatin1String("Close"), tr("Close the message"));
    m_close->setIcon(icon("close"));
    m_close->setToolTip(tr("Close"));
    m_close->setAutoRaise(true);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
    row->setSpacing(kGrid);
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    row->addWidget(m_accept);
    row->addWidget(m_close);
    connect(m_accept, &QPushButton::clicked, this, &PromptBar::accepted);
    connect(m_close, &QToolButton::clicked, this, [this] {
        clear();
        Q_EMIT closed();
    });
    hide();
}

void PromptBar::showPrompt(Tone tone, const QString &text, const QString &verb, bool closable)
{
    m_tone = tone;
    m_text->setText(text);
    m_text->setAccessibleName(text);
    setAccessibleDescription(text);
    m_accept->setText(verb);
    m_accept->setAccessibleName(verb.isEmpty() ? tr("Accept") : verb);
    m_accept->setVisible(!verb.isEmpty());
    m_close->setVisible(closable);
    recolour();
    show();
}

void PromptBar::clear()
{
    hide();
}

QString PromptBar::text() const
{
    return isHidden() ? QString() : m_text->text();
}

void PromptBar::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        recolour();
}

void PromptBar::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && m_close->isVisible())
        m_close->click();
    else
        QFrame::keyPressEvent(event);
}

void PromptBar::recolour()
{
    QPalette own; // only what is set here: a whole palette would hear of no other theme
    const Token ground = m_tone == Tone::Neutral   ? Token::Surface
                         : m_tone == Tone::Warning ? Token::WarningGround
                                                   : Token::DangerGround;
    own.setColor(QPalette::Window, Theme::color(ground));
    own.setColor(QPalette::WindowText, Theme::color(Token::Text));
    setPalette(own);
    const char *name = m_tone == Tone::Neutral ? "info" : m_tone == Tone::Warning ? "warning" : "error";
    const Token token = m_tone == Tone::Neutral   ? Token::Muted
                        : m_tone == Tone::Warning ? Token::Warning
                                                  : Token::Danger;
    m_icon->setPixmap(iconPixmap(name, kIconSize, token, devicePixelRatioF()));
}

} // namespace boxdeck::ui
