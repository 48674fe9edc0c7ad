// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/accounts.h"

#include <QToolButton>

class QMenu;

namespace boxdeck::ui {

/// The current account in the toolbar, and a menu of all of them with how each is doing.
class AccountSwitcher : public QToolButton
{
    Q_OBJECT

public:
    explicit AccountSwitcher(session::Accounts &accounts, QWidget *parent = nullptr);

Q_SIGNALS:
    void addRequested();
    void manageRequested();

private:
    void update();
    void fillMenu();

    session::Accounts &m_accounts;
    QMenu *m_menu;
};

} // namespace boxdeck::ui
