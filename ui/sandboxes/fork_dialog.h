// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/sandbox.h"

#include <QDialog>

class QSpinBox;

namespace boxdeck::ui {

class DurationEdit;

/// Asks how many copies of a sandbox to make and how long each shall live. Opened with open(); never nested.
class ForkDialog : public QDialog
{
    Q_OBJECT

public:
    /// `name` is what the sandbox is called, safe to show and quoted.
    ForkDialog(const QString &name, std::chrono::seconds suggested, QWidget *parent = nullptr);

Q_SIGNALS:
    void chosen(const boxdeck::protocol::ForkRequest &request);

private:
    QSpinBox *m_count;
    DurationEdit *m_lifetime;
};

} // namespace boxdeck::ui
