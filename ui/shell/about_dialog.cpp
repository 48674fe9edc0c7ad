// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/about_dialog.h"

#include "ui/common/labels.h"
#include "ui/common/ui_util.h"

#include <QIcon>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace boxdeck::ui {

AboutDialog::AboutDialog(QWidget *parent)
    : QDialog(parent)
{
    setAttribute(Qt::WA_DeleteOnClose);
    nameWidget(this, QStringLiteral("aboutDialog"), tr("About Boxdeck"));
    setWindowTitle(tr("About Boxdeck"));
    auto *picture = new QLabel(this);
    picture->setPixmap(QIcon(QStringLiteral(":/icons/boxdeck.svg")).pixmap(QSize(72, 72), devicePixelRatioF()));
    picture->setAlignment(Qt::AlignCenter);
    auto *title = new QLabel(tr("Boxdeck %1").arg(QLatin1String(BOXDECK_VERSION)), this);
    title->setAlignment(Qt::AlignCenter);
    QFont bold = title->font();
    bold.setPointSizeF(bold.pointSizeF() * 1.3);
    bold.setWeight(QFont::DemiBold);
    title->setFont(bold);
    auto *what = new QLabel(tr("The desktop for people who run E2B sandboxes."), this);
    what->setAlignment(Qt::AlignCenter);
    what->setWordWrap(true);
    QLabel *licence = mutedLabel(tr("Free software under the GNU General Public License, version 3 or later. It comes "
                                    "with no warranty, and it sends no telemetry.\nMade with Qt %1.")
                                     .arg(QLatin1String(qVersion())),
                                 this);
    licence->setAlignment(Qt::AlignCenter);
    licence->setWordWrap(true);
    auto *close = new QPushButton(tr("Close"), this);
    nameWidget(close, QStringLiteral("aboutClose"), close->text());
    close->setDefault(true);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(4 * kGrid, 3 * kGrid, 4 * kGrid, 2 * kGrid);
    column->setSpacing(kGrid + kGrid / 2);
    column->addWidget(picture);
    column->addWidget(title);
    column->addWidget(what);
    column->addWidget(licence);
    column->addSpacing(kGrid);
    column->addWidget(close, 0, Qt::AlignHCenter);
    setMinimumWidth(400);
}

} // namespace boxdeck::ui
