// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/empty_state.h"

#include <QUuid>

namespace boxdeck::session {
class Accounts;
}

namespace boxdeck::ui {

/// Why an account has nothing to show yet: it is being started, its key is missing, or its host can't be started.
class AccountStateView : public EmptyState
{
    Q_OBJECT

public:
    AccountStateView(const QString &name, session::Accounts &accounts, QWidget *parent = nullptr);

    void setAccount(const QUuid &id);

Q_SIGNALS:
    /// A key has to be typed for this account.
    void keyWanted(const QUuid &id);
    /// There is no account yet.
    void accountWanted();

private:
    enum class Act { None, Activate, EnterKey, AddAccount };
    void update();
    void run(Act act);

    session::Accounts &m_accounts;
    QUuid m_id;
    Act m_first = Act::None;
    Act m_second = Act::None;
};

} // namespace boxdeck::ui
