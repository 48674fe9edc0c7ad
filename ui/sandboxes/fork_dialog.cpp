// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/fork_dialog.h"

#include "ui/common/dialog_layout.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"
#include "ui/sandboxes/lifetime_dialog.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace boxdeck::ui {

namespace {

constexpr int mostCopies = 100; // protocol/lifecycle.md section 3

} // namespace

ForkDialog::ForkDialog(const QString &name, std::chrono::seconds suggested, QWidget *parent)
    : QDialog(parent)
    , m_count(new QSpinBox(this))
    , m_lifetime(new DurationEdit(QStringLiteral("forkLifetime"), tr("Life of each copy"), this))
{
    nameWidget(this, QStringLiteral("forkDialog"), tr("Fork"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowModality(Qt::WindowModal);
    setWindowTitle(tr("Fork"));
    auto *question = new QLabel(tr("How many copies of %1 shall be made?").arg(name), this);
    question->setTextFormat(Qt::PlainText);
    question->setWordWrap(true);
    QLabel *consequence = mutedLabel(tr("Each copy is a sandbox of its own, with its own id and lease, and on a paid "
                                        "server its time is billed. %1 goes on as it is.")
                                         .arg(name),
                                     this);
    consequence->setWordWrap(true);
    nameWidget(m_count, QStringLiteral("forkCount"), tr("Copies"));
    m_count->setRange(1, mostCopies);
    m_lifetime->setDuration(suggested);
    auto *form = new QFormLayout;
    form->setHorizontalSpacing(2 * kGrid);
    form->setVerticalSpacing(kGrid);
    form->addRow(tr("Copies"), m_count);
    form->addRow(tr("Life of each"), m_lifetime);

    auto *accept = new QPushButton(tr("Fork %1").arg(name), this);
    connect(accept, &QPushButton::clicked, this, [this] {
        Q_EMIT chosen({.count = m_count->value(), .timeout = m_lifetime->duration()});
        QDialog::accept();
    });
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    column->setSpacing(2 * kGrid);
    column->addWidget(question);
    column->addLayout(form);
    column->addWidget(consequence);
    column->addStretch(1);
    column->addLayout(acceptRow(this, QStringLiteral("fork"), tr("Cancel"), accept));
    setMinimumWidth(420);
    m_count->setFocus();
}

} // namespace boxdeck::ui
