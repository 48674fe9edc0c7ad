// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/empty_state.h"

#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"

#include <QEvent>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace boxdeck::ui {

namespace {
constexpr int kDrawing = 96;
} // namespace

EmptyState::EmptyState(const QString &name, const char *drawing, QWidget *parent)
    : QWidget(parent)
    , m_drawing(drawing)
    , m_picture(new QLabel(this))
    , m_title(new QLabel(this))
    , m_sentence(mutedLabel({}, this))
    , m_busy(new QProgressBar(this))
    , m_action(new QPushButton(this))
    , m_other(new QPushButton(this))
{
    setObjectName(name);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base); // like the list it stands for
    m_picture->setAlignment(Qt::AlignCenter);
    m_title->setAlignment(Qt::AlignCenter);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setObjectName(name + QLatin1String("Title"));
    QFont bold = m_title->font();
    bold.setPointSizeF(bold.pointSizeF() * 1.15);
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    m_title->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_sentence->setWordWrap(true);
    m_sentence->setObjectName(name + QLatin1String("Sentence"));
    m_action->setObjectName(name + QLatin1String("Action"));
    m_action->setAutoDefault(false);
    m_action->hide();
    m_other->setObjectName(name + QLatin1String("Other"));
    m_other->setAutoDefault(false);
    m_other->setFlat(true);
    m_other->hide();
    nameWidget(m_busy, name + QLatin1String("Busy"), tr("Working"));
    m_busy->setRange(0, 0);
    m_busy->setTextVisible(false);
    m_busy->setFixedWidth(160);
    m_busy->hide();
    connect(m_other, &QPushButton::clicked, this, &EmptyState::otherActionTriggered);
    connect(m_action, &QPushButton::clicked, this, &EmptyState::actionTriggered);

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    column->setSpacing(kGrid);
    column->setSizeConstraint(QLayout::SetNoConstraint);
    column->addStretch(2);
    column->addWidget(m_picture);
    column->addWidget(m_title);
    column->addWidget(m_sentence);
    column->addWidget(m_busy, 0, Qt::AlignHCenter);
    column->addSpacing(kGrid);
    column->addWidget(m_action, 0, Qt::AlignHCenter);
    column->addWidget(m_other, 0, Qt::AlignHCenter);
    column->addStretch(3);
    m_title->hide();
    m_sentence->hide();
    redraw();
}

void EmptyState::setDrawing(const char *drawing)
{
    if (m_drawing == drawing)
        return;
    m_drawing = drawing;
    redraw();
}

void EmptyState::setText(const QString &title, const QString &sentence)
{
    m_title->setText(title);
    m_title->setVisible(!title.isEmpty());
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
    setAccessibleName(title.isEmpty() ? sentence : title);
    setAccessibleDescription(sentence);
    fitPicture();
}

void EmptyState::setAction(const QString &verb, const char *iconName)
{
    m_action->setText(verb);
    m_action->setAccessibleName(verb);
    m_action->setIcon(iconName ? icon(iconName) : QIcon());
    m_action->setVisible(!verb.isEmpty());
    fitPicture();
}

void EmptyState::setOtherAction(const QString &verb)
{
    m_other->setText(verb);
    m_other->setAccessibleName(verb);
    m_other->setVisible(!verb.isEmpty());
    fitPicture();
}

void EmptyState::setBusy(bool busy)
{
    m_busy->setVisible(busy);
    fitPicture();
}

int EmptyState::heightOfWords() const
{
    // Before it is laid out it is narrower than it will ever be, and its words would stand on top of each other.
    return layout()->totalHeightForWidth(std::max(width(), 50 * kGrid)) -
           (m_picture->isVisibleTo(this) ? kDrawing + kGrid : 0);
}

QSize EmptyState::minimumSizeHint() const
{
    // A pane made small loses the drawing, then it stops shrinking; but it must not force a whole window larger.
    return {20 * kGrid, std::clamp(heightOfWords(), 8 * kGrid, 20 * kGrid)};
}

void EmptyState::fitPicture()
{
    m_picture->setVisible(height() >= heightOfWords() + kDrawing + kGrid);
    updateGeometry();
}

void EmptyState::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitPicture();
}

void EmptyState::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        redraw();
}

void EmptyState::redraw()
{
    m_picture->setPixmap(illustration(m_drawing.constData(), kDrawing, devicePixelRatioF()));
}

} // namespace boxdeck::ui
