// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accounts/import_preview_dialog.h"

#include "backend/core/display_text.h"
#include "ui/common/dialog_layout.h"
#include "ui/common/labels.h"
#include "ui/common/ui_util.h"
#include "ui/sandboxes/sandbox_text.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace boxdeck::ui {

using session::ImportedProfile;
using Source = ImportedProfile::Source;

namespace {

QString sourceText(const ImportedProfile::Line &line)
{
    switch (line.source) {
    case Source::File:
        return ImportPreviewDialog::tr("the file");
    case Source::Environment:
        return ImportPreviewDialog::tr("environment variable %1").arg(displayText(line.detail, 80));
    case Source::NotUsed:
        return ImportPreviewDialog::tr("the file; has no meaning in Boxdeck");
    case Source::Default:
        if (line.option == QLatin1String("api_key"))
            return ImportPreviewDialog::tr("not found");
        break;
    }
    return ImportPreviewDialog::tr("default");
}

} // namespace

ImportPreviewDialog::ImportPreviewDialog(const ImportedProfile &imported, const QString &fileName, QWidget *parent)
    : QDialog(parent)
{
    setAttribute(Qt::WA_DeleteOnClose);
    nameWidget(this, QStringLiteral("importPreviewDialog"), tr("Import a connection profile"));
    setWindowTitle(tr("Import a connection profile"));
    auto *question = new QLabel(tr("These settings are in %1. Use them?").arg(quoted(displayText(fileName, 80))), this);
    question->setTextFormat(Qt::PlainText);
    question->setWordWrap(true);

    auto *view = new QTreeWidget(this);
    nameWidget(view, QStringLiteral("importPreviewView"), tr("Settings of the profile"));
    styleView(view);
    view->setRootIsDecorated(false);
    view->setHeaderLabels({tr("Option"), tr("Value"), tr("From")});
    view->header()->setStretchLastSection(true);
    for (const ImportedProfile::Line &line : imported.lines) {
        // What is not set and would not be sent says nothing.
        if (line.source == Source::Default && line.value.isEmpty() && line.option != QLatin1String("api_key"))
            continue;
        auto *item = new QTreeWidgetItem(view, {line.option, line.value, sourceText(line)});
        item->setFont(0, Theme::monospace());
        item->setToolTip(1, toolTipText(line.value));
    }
    view->setColumnWidth(0, 200);
    view->setColumnWidth(1, 260);
    view->setCurrentItem(view->topLevelItem(0));

    QString keyNote = tr("The key goes into the desktop's keychain, and so do variables, metadata, network rules and "
                         "mounts, which may hold secrets. None is written to a file.");
    if (imported.key.isEmpty())
        keyNote = tr("No key was found: neither in the file nor in the environment variable %1. You will be asked for "
                     "it.")
                      .arg(displayText(imported.keyVariable, 80)) +
                  QLatin1Char(' ') + keyNote;
    QLabel *note = mutedLabel(keyNote, this);
    note->setObjectName(QStringLiteral("importPreviewNote"));
    note->setWordWrap(true);

    auto *use = new QPushButton(tr("Use these settings"), this);
    connect(use, &QPushButton::clicked, this, &QDialog::accept);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    column->setSpacing(2 * kGrid);
    column->addWidget(question);
    column->addWidget(view, 1);
    column->addWidget(note);
    column->addLayout(acceptRow(this, QStringLiteral("importPreview"), tr("Cancel"), use));
    resize(680, 560);
    use->setFocus();
}

} // namespace boxdeck::ui
