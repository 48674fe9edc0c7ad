// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/accounts.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace boxdeck::ui {

/// What an account's server can do: each feature with yes, no or unknown, and why.
class CapabilitiesView : public QWidget
{
    Q_OBJECT

public:
    explicit CapabilitiesView(session::Accounts &accounts, QWidget *parent = nullptr);

    void setAccount(const QUuid &id);

private:
    void update();

    session::Accounts &m_accounts;
    QUuid m_id;
    QPointer<session::Session> m_session;
    QTreeWidget *m_view;
    QLabel *m_asOf;
    QPushButton *m_check;
};

} // namespace boxdeck::ui
