// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/lifetime_dialog.h"

#include "ui/common/dialog_layout.h"
#include "ui/common/format.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace boxdeck::ui {

DurationEdit::DurationEdit(const QString &name, const QString &accessibleName, QWidget *parent)
    : QWidget(parent)
    , m_amount(new QSpinBox(this))
    , m_unit(new QComboBox(this))
{
    setObjectName(name);
    nameWidget(m_amount, name + QLatin1String("Amount"), accessibleName);
    nameWidget(m_unit, name + QLatin1String("Unit"), tr("Unit of time"));
    m_amount->setRange(1, 99999);
    m_amount->setAlignment(Qt::AlignRight);
    m_unit->addItem(tr("seconds"), 1);
    m_unit->addItem(tr("minutes"), 60);
    m_unit->addItem(tr("hours"), 3600);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid);
    row->addWidget(m_amount, 1);
    row->addWidget(m_unit, 1);
    setFocusProxy(m_amount);
    setDuration(std::chrono::minutes(5));
    connect(m_amount, &QSpinBox::valueChanged, this, &DurationEdit::changed);
    connect(m_unit, &QComboBox::currentIndexChanged, this, &DurationEdit::changed);
}

std::chrono::seconds DurationEdit::duration() const
{
    return std::chrono::seconds(qint64(m_amount->value()) * m_unit->currentData().toInt());
}

void DurationEdit::setDuration(std::chrono::seconds duration)
{
    const qint64 seconds = std::max<qint64>(1, duration.count());
    const int unit = seconds % 3600 == 0 ? 3600 : seconds % 60 == 0 ? 60 : 1;
    m_unit->setCurrentIndex(m_unit->findData(unit));
    m_amount->setValue(int(std::min<qint64>(seconds / unit, m_amount->maximum())));
}

LifetimeDialog::LifetimeDialog(const Text &text, std::chrono::seconds suggested, QWidget *parent)
    : QDialog(parent)
    , m_edit(new DurationEdit(text.name + QLatin1String("Duration"), tr("How long"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    nameWidget(this, text.name, text.title);
    setWindowTitle(text.title);
    auto *question = new QLabel(text.question, this);
    question->setTextFormat(Qt::PlainText);
    question->setWordWrap(true);
    QLabel *consequence = mutedLabel(text.consequence, this);
    consequence->setWordWrap(true);

    auto *presets = new QHBoxLayout;
    presets->setSpacing(kGrid);
    for (const int minutes : {5, 15, 60, 240}) {
        const std::chrono::minutes length(minutes);
        const QString label = minutes < 60 ? tr("%n min", nullptr, minutes) : tr("%n h", nullptr, minutes / 60);
        auto *preset = new QPushButton(label, this);
        nameWidget(preset, text.name + QStringLiteral("Preset%1").arg(minutes), label);
        preset->setAutoDefault(false);
        connect(preset, &QPushButton::clicked, this, [this, length] { m_edit->setDuration(length); });
        presets->addWidget(preset);
    }
    m_edit->setDuration(suggested);

    auto *accept = new QPushButton(text.verb, this);
    connect(accept, &QPushButton::clicked, this, [this] {
        Q_EMIT chosen(m_edit->duration());
        QDialog::accept();
    });
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    column->setSpacing(2 * kGrid);
    column->addWidget(question);
    column->addLayout(presets);
    column->addWidget(m_edit);
    column->addWidget(consequence);
    column->addStretch(1);
    column->addSpacing(kGrid);
    column->addLayout(acceptRow(this, text.name, tr("Cancel"), accept));
    setMinimumWidth(420);
    m_edit->setFocus();
}

} // namespace boxdeck::ui
