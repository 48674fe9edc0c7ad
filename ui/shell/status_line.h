// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/accounts.h"

#include <QPointer>
#include <QStatusBar>
#include <QTimer>

class QLabel;

namespace boxdeck::ui {

class StateLabel;

/// The window's last line: the server and how it is, how old the list is, what is going on, and one passing notice.
class StatusLine : public QStatusBar
{
    Q_OBJECT

public:
    explicit StatusLine(session::Accounts &accounts, QWidget *parent = nullptr);

    void setAccount(const QUuid &id);
    /// "2 transfers"; empty for none.
    void setTasks(const QString &text);
    /// Says something for a while.
    void notice(const QString &text);

private:
    void update();

    session::Accounts &m_accounts;
    QUuid m_account;
    QPointer<session::Session> m_watched;
    StateLabel *m_server;
    QLabel *m_asOf;
    QLabel *m_counts;
    QLabel *m_tasks;
    QLabel *m_notice;
    QTimer m_noticeEnd;
};

} // namespace boxdeck::ui
