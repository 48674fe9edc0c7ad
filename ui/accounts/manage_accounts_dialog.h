// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/accounts.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace boxdeck::ui {

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

private:
    QWidget *details();
    void fill();
    void show(const QUuid &id);
    QUuid selected() const;
    void rename();
    void remove();

    session::Accounts &m_accounts;
    QListWidget *m_list;
    QLineEdit *m_name;
    IdLabel *m_address;
    QLabel *m_keyPlace;
    StateLabel *m_state;
    ErrorBar *m_error;
    QPushButton *m_key;
    QPushButton *m_remove;
};

} // namespace boxdeck::ui
