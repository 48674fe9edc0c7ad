// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/profile_import.h"

#include <QDialog>

namespace boxdeck::ui {

/// Shows what a connection profile would set, and where each value comes from, before anything is taken from it.
class ImportPreviewDialog : public QDialog
{
    Q_OBJECT

public:
    ImportPreviewDialog(const session::ImportedProfile &imported, const QString &fileName, QWidget *parent = nullptr);
};

} // namespace boxdeck::ui
