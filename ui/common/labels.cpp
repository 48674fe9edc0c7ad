// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/labels.h"

#include "backend/core/display_text.h"
#include "ui/common/icons.h"
#include "ui/common/ui_util.h"

#include <QContextMenuEvent>
#include <QEvent>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

namespace boxdeck::ui {

namespace {

class MutedLabel final : public QLabel
{
public:
    MutedLabel(const QString &text, QWidget *parent)
        : QLabel(text, parent)
    {
        recolour();
    }

protected:
    void changeEvent(QEvent *event) override
    {
        QLabel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange)
            recolour();
    }

private:
    void recolour() { setTextColor(this, Token::Muted); }
};

class Hairline final : public QWidget
{
public:
    explicit Hairline(QWidget *parent)
        : QWidget(parent)
    {
        setFixedHeight(1);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }

protected:
    void paintEvent(QPaintEvent *) override { QPainter(this).fillRect(rect(), Theme::color(Token::Hairline)); }
};

} // namespace

IdLabel::IdLabel(const QString &name, QWidget *parent)
    : QLabel(parent)
{
    setObjectName(name);
    setFont(Theme::monospace());
    setTextFormat(Qt::PlainText);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void IdLabel::setFullText(const QString &text)
{
    m_full = text;
    setAccessibleName(text);
    updateGeometry();
    elide();
}

QSize IdLabel::minimumSizeHint() const
{
    const QFontMetrics metrics(font());
    return {metrics.horizontalAdvance(m_full.left(3) + QStringLiteral("…") + m_full.right(3)) + 2, metrics.height()};
}

QSize IdLabel::sizeHint() const
{
    const QFontMetrics metrics(font());
    return {metrics.horizontalAdvance(m_full) + 2, metrics.height()};
}

void IdLabel::resizeEvent(QResizeEvent *event)
{
    QLabel::resizeEvent(event);
    elide();
}

void IdLabel::elide()
{
    const QString shown = QFontMetrics(font()).elidedText(m_full, Qt::ElideMiddle, contentsRect().width());
    if (shown != text())
        setText(shown);
    setToolTip(shown == m_full ? QString() : toolTipText(m_full));
}

void IdLabel::copy()
{
    // An elided selection would put the ellipsis on the clipboard.
    copyToClipboard(hasSelectedText() && text() == m_full ? selectedText() : m_full);
}

void IdLabel::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        copy();
        event->accept();
        return;
    }
    QLabel::keyPressEvent(event);
}

void IdLabel::contextMenuEvent(QContextMenuEvent *event)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(icon("copy"), tr("Copy")), &QAction::triggered, this, [this] { copy(); });
    menu->popup(event->globalPos());
}

StateLabel::StateLabel(const QString &name, QWidget *parent)
    : QWidget(parent)
    , m_icon(new QLabel(this))
    , m_word(new QLabel(this))
{
    setObjectName(name);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid / 2);
    row->addWidget(m_icon);
    row->addWidget(m_word);
    m_word->setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

void StateLabel::setState(const char *iconName, const QString &word, Token token)
{
    m_iconName = iconName;
    m_token = token;
    m_word->setText(word);
    setAccessibleName(word);
    redraw();
}

void StateLabel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        redraw();
}

void StateLabel::redraw()
{
    if (m_iconName.isEmpty())
        return;
    m_icon->setPixmap(iconPixmap(m_iconName.constData(), kIconSize, m_token, devicePixelRatioF()));
    setTextColor(m_word, m_token);
}

void setTextColor(QWidget *label, Token token)
{
    // A label on a list's ground is drawn with Text, on a bar's ground with WindowText.
    QPalette own;
    own.setColor(QPalette::WindowText, Theme::color(token));
    own.setColor(QPalette::Text, Theme::color(token));
    label->setPalette(own);
}

QLabel *mutedLabel(const QString &text, QWidget *parent)
{
    auto *label = new MutedLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    return label;
}

QWidget *hairline(QWidget *parent)
{
    return new Hairline(parent);
}

} // namespace boxdeck::ui
