// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/accounts.h"

#include <QDialog>

class QPushButton;

namespace boxdeck::ui {

class ErrorBar;
class KeyEdit;

/// Asks for the key of an account that is there: because the keychain gave none, or to replace it.
class KeyDialog : public QDialog
{
    Q_OBJECT

public:
    KeyDialog(session::Accounts &accounts, const QUuid &id, QWidget *parent = nullptr);

private:
    void store(session::KeyPlace place);

    session::Accounts &m_accounts;
    QUuid m_id;
    KeyEdit *m_key;
    ErrorBar *m_error;
    QPushButton *m_keep;
    QPushButton *m_session;
};

} // namespace boxdeck::ui
