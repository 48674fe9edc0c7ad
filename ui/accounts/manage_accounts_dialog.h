// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/accounts.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace boxdeck::ui {

class CapabilitiesView;
class ErrorBar;
class IdLabel;
class StateLabel;

/// The accounts: what each is, whether it works, and what can be changed about it.
class ManageAccountsDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ManageAccountsDialog(session::Accounts &accounts, QWidget *parent = nullptr);

Q_SIGNALS:
    void addRequested();
    /// A connection profile is to be imported as a new account.
    void importRequested();

private:
    QWidget *details();
    QWidget *accountPage();
    QWidget *buttons();
    void fill();
    void show(const QUuid &id);
    QUuid selected() const;
    void rename();
    void remove();
    void exportProfile();
    void writeProfile(const QUuid &id, const QString &path);

    session::Accounts &m_accounts;
    QListWidget *m_list;
    QLineEdit *m_name;
    IdLabel *m_address;
    QLabel *m_keyPlace;
    StateLabel *m_state;
    ErrorBar *m_error;
    CapabilitiesView *m_capabilities;
    QPushButton *m_edit;
    QPushButton *m_key;
    QPushButton *m_export;
    QPushButton *m_remove;
    QUuid m_shown;
};

} // namespace boxdeck::ui
