// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/error_bar.h"

#include "ui/common/error_sentence.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace boxdeck::ui {

ErrorBar::ErrorBar(const QString &name, QWidget *parent)
    : QFrame(parent)
    , m_icon(new QLabel(this))
    , m_text(new QLabel(this))
    , m_details(mutedLabel({}, this))
    , m_retry(new QPushButton(this))
    , m_copy(new QToolButton(this))
    , m_close(new QToolButton(this))
{
    nameWidget(this, name, tr("Error"));
    setAutoFillBackground(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    for (QLabel *label : {m_text, m_details}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        label->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    }
    // One line of text stands level with the buttons; more lines grow downwards.
    m_icon->setFixedHeight(kRowHeight);
    m_text->setMinimumHeight(kRowHeight);
    m_text->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_text->setObjectName(name + QLatin1String("Text"));
    m_details->setObjectName(name + QLatin1String("Details"));
    nameWidget(m_retry, name + QLatin1String("Retry"), tr("Try again"));
    m_retry->setAutoDefault(false);
    nameWidget(m_copy, name + QLatin1String("Copy"), tr("Copy the error"));
    m_copy->setIcon(icon("copy"));
    m_copy->setToolTip(tr("Copy the error"));
    m_copy->setAutoRaise(true);
    nameWidget(m_close, name + QLatin1String("Close"), tr("Close the error"));
    m_close->setIcon(icon("close"));
    m_close->setToolTip(tr("Close"));
    m_close->setAutoRaise(true);

    auto *words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(m_text);
    words->addWidget(m_details);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(kGrid + kGrid / 2, kGrid, kGrid, kGrid);
    row->setSpacing(kGrid);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addLayout(words, 1);
    row->addWidget(m_retry, 0, Qt::AlignTop);
    row->addWidget(m_copy, 0, Qt::AlignTop);
    row->addWidget(m_close, 0, Qt::AlignTop);

    connect(m_retry, &QPushButton::clicked, this, &ErrorBar::retryRequested);
    connect(m_copy, &QToolButton::clicked, this, [this] { copyToClipboard(m_copyText); });
    connect(m_close, &QToolButton::clicked, this, [this] {
        clear();
        Q_EMIT dismissed();
    });
    recolour();
    hide();
}

void ErrorBar::showError(const Error &error, const QString &what, const QString &retryVerb)
{
    present(errorSentence(error, what), errorDetails(error), retryVerb, false);
}

void ErrorBar::showText(const QString &text, const QString &retryVerb)
{
    present(text, {}, retryVerb, false);
}

void ErrorBar::showWarning(const QString &text, const QString &actionVerb)
{
    present(text, {}, actionVerb, true);
}

void ErrorBar::clear()
{
    m_copyText.clear();
    hide();
}

void ErrorBar::present(const QString &text, const QString &details, const QString &verb, bool warning)
{
    m_warning = warning;
    m_copyText = details.isEmpty() ? text : text + QLatin1Char('\n') + details;
    m_text->setText(text);
    m_details->setText(details);
    m_details->setVisible(!details.isEmpty());
    m_retry->setText(verb);
    m_retry->setAccessibleName(verb.isEmpty() ? tr("Try again") : verb);
    m_retry->setVisible(!verb.isEmpty());
    setAccessibleName(warning ? tr("Warning") : tr("Error"));
    setAccessibleDescription(m_copyText);
    recolour();
    show();
}

void ErrorBar::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        recolour();
}

void ErrorBar::recolour()
{
    const Token token = m_warning ? Token::Warning : Token::Danger;
    QPalette own;
    own.setColor(QPalette::Window, Theme::color(m_warning ? Token::WarningGround : Token::DangerGround));
    setPalette(own);
    m_icon->setPixmap(iconPixmap(m_warning ? "warning" : "error", kIconSize, token, devicePixelRatioF()));
}

} // namespace boxdeck::ui
