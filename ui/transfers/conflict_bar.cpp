// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/transfers/conflict_bar.h"

#include "backend/core/display_text.h"
#include "ui/common/format.h"
#include "ui/common/labels.h"
#include "ui/common/theme.h"
#include "ui/common/ui_util.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace boxdeck::ui {

using transfer::ConflictChoice;

ConflictBar::ConflictBar(QWidget *parent)
    : QFrame(parent)
    , m_text(new QLabel(this))
    , m_facts(mutedLabel({}, this))
    , m_rest(new QCheckBox(tr("For the rest of this transfer"), this))
{
    setObjectName(QStringLiteral("conflictBar"));
    setAccessibleName(tr("Question about an existing file"));
    setAutoFillBackground(true);
    nameWidget(m_text, QStringLiteral("conflictText"), tr("Question"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    nameWidget(m_facts, QStringLiteral("conflictFacts"), tr("The two files"));
    m_facts->setWordWrap(true);
    nameWidget(m_rest, QStringLiteral("conflictRest"), m_rest->text());

    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(kGrid);
    const auto add = [&](const char *name, const QString &verb, ConflictChoice choice) {
        auto *button = new QPushButton(verb, this);
        nameWidget(button, QLatin1String(name), verb);
        connect(button, &QPushButton::clicked, this, [this, choice] {
            const auto id = m_id;
            const bool rest = m_rest->isChecked();
            setQuestion(std::nullopt);
            Q_EMIT answered(id, choice, rest);
        });
        buttons->addWidget(button);
    };
    add("conflictOverwrite", tr("Overwrite"), ConflictChoice::Overwrite);
    add("conflictIfNewer", tr("Overwrite if newer"), ConflictChoice::IfNewer);
    add("conflictIfSizeDiffers", tr("Overwrite if size differs"), ConflictChoice::IfSizeDiffers);
    add("conflictRename", tr("Keep both"), ConflictChoice::Rename);
    add("conflictSkip", tr("Skip"), ConflictChoice::Skip);
    buttons->addWidget(m_rest);
    buttons->addStretch(1);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, kGrid, 2 * kGrid, kGrid);
    layout->setSpacing(kGrid / 2);
    layout->addWidget(m_text);
    layout->addWidget(m_facts);
    layout->addLayout(buttons);
    recolour();
    hide();
}

void ConflictBar::recolour()
{
    QPalette colours = palette();
    const QColor ground = Theme::color(Token::WarningGround);
    if (colours.color(QPalette::Window) == ground)
        return;
    colours.setColor(QPalette::Window, ground);
    setPalette(colours);
}

void ConflictBar::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        recolour();
}

void ConflictBar::setQuestion(const std::optional<transfer::TransferInfo> &info)
{
    const bool asks = info && info->conflict && info->state == transfer::JobState::Conflict;
    if (!asks) {
        m_question.reset();
        hide();
        return;
    }
    if (m_id == info->id && m_question == info->conflict)
        return;
    if (m_id != info->id)
        m_rest->setChecked(false);
    m_id = info->id;
    m_question = info->conflict;
    const bool up = info->direction == transfer::Direction::Upload;
    const QString name = displayText(m_question->name, 200);
    m_text->setText(up ? tr("“%1” is already in the sandbox. Overwrite it with the file from this computer?").arg(name)
                       : tr("“%1” is already in the folder. Overwrite it with the file from the sandbox?").arg(name));
    const auto facts = [](const transfer::FileFacts &file) {
        return tr("%1, changed %2").arg(formatBytes(file.size), formatFullTime(file.modified));
    };
    m_facts->setText(tr("New: %1.  There now: %2.").arg(facts(m_question->source), facts(m_question->target)));
    show();
}

} // namespace boxdeck::ui
