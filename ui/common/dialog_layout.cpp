// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/dialog_layout.h"

#include "ui/common/labels.h"
#include "ui/common/theme.h"
#include "ui/common/ui_util.h"

#include <QDialog>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace boxdeck::ui {

void layOutDialog(QDialog *dialog, QWidget *news, QWidget *page, QWidget *buttons)
{
    auto *column = new QVBoxLayout(dialog);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(news);
    column->addWidget(page, 1);
    column->addWidget(hairline(dialog));
    column->addWidget(buttons);
}

QScrollArea *scrolledPage(QWidget *page, const QString &objectName, QWidget *parent)
{
    auto *area = new QScrollArea(parent);
    area->setObjectName(objectName);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setWidget(page);
    return area;
}

QWidget *buttonBar(QWidget *left, std::initializer_list<QPushButton *> right, QWidget *parent)
{
    auto *bar = new QWidget(parent);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(3 * kGrid, 2 * kGrid, 3 * kGrid, 2 * kGrid);
    row->setSpacing(kGrid);
    row->addWidget(left);
    row->addStretch(1);
    for (QPushButton *button : right)
        row->addWidget(button);
    return bar;
}

QHBoxLayout *acceptRow(QDialog *dialog, const QString &objectName, const QString &cancel, QPushButton *accept)
{
    auto *reject = new QPushButton(cancel, dialog);
    nameWidget(reject, objectName + QLatin1String("Cancel"), cancel);
    reject->setAutoDefault(false);
    QObject::connect(reject, &QPushButton::clicked, dialog, &QDialog::reject);
    nameWidget(accept, objectName + QLatin1String("Accept"), accept->text());
    accept->setDefault(true);
    QWidget::setTabOrder(reject, accept);
    auto *row = new QHBoxLayout;
    row->setSpacing(kGrid);
    row->addStretch(1);
    row->addWidget(reject);
    row->addWidget(accept);
    return row;
}

} // namespace boxdeck::ui
