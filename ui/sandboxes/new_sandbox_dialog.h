// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"
#include "backend/protocol/sandbox.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPushButton;
class QLabel;

namespace boxdeck::session {
class Session;
}

namespace boxdeck::ui {

class DurationEdit;
class ErrorBar;
class PairsEditor;

/// Asks for what a new sandbox shall be and creates it. Stays open, with everything that was typed, until the server
/// said yes; what the server said instead is shown whole. Closing it while it works does not undo the request.
class NewSandboxDialog : public QDialog
{
    Q_OBJECT

public:
    /// `templateName` is chosen at the beginning; empty: "base".
    NewSandboxDialog(session::Session &session, const QString &templateName, QWidget *parent = nullptr);

    protocol::NewSandbox wanted() const;

Q_SIGNALS:
    void created(const boxdeck::protocol::SandboxId &id);

private:
    QWidget *form();
    void begin(const QString &templateName);
    void fillTemplates();
    void validate();
    void submit();
    void setBusy(bool busy);

    session::Session &m_session;
    QComboBox *m_template;
    QLineEdit *m_name;
    DurationEdit *m_lifetime;
    QComboBox *m_atEnd;
    QCheckBox *m_autoResume;
    QCheckBox *m_secure;
    PairsEditor *m_metadata;
    PairsEditor *m_variables;
    QLabel *m_problem;
    ErrorBar *m_error;
    QPushButton *m_create;
    QPushButton *m_cancel;
    bool m_busy = false;
};

} // namespace boxdeck::ui
