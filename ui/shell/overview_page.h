// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/sandbox.h"

#include <QPointer>
#include <QWidget>

class QFormLayout;
class QLabel;

namespace boxdeck::session {
class Session;
}

namespace boxdeck::ui {

class IdLabel;
class StateLabel;

/// What is known about one sandbox: ids, times, what happens at its end, its machine, metadata, and what the server
/// says about limits. Asks only for the detail, which wakes nothing.
class OverviewPage : public QWidget
{
    Q_OBJECT

public:
    OverviewPage(session::Session &session, const protocol::SandboxId &id, QWidget *parent = nullptr);

    /// Shows the list's news at once and asks for the detail.
    void refresh();
    /// The sandbox is gone: keeps what was known and says so.
    void setEnded();
    /// Redraws what changes by itself: age and time left.
    void tick();

private:
    QLabel *addText(const QString &name, const QString &label);
    void showSummary(const protocol::SandboxSummary &sandbox);
    void showDetail(const protocol::SandboxDetail &detail);
    void fillMap(QFormLayout *rows, const QList<std::pair<QString, QString>> &pairs, const QString &none);

    QPointer<session::Session> m_session;
    protocol::SandboxId m_id;
    protocol::SandboxSummary m_last;
    QFormLayout *m_rows;
    StateLabel *m_state;
    IdLabel *m_idLabel;
    IdLabel *m_template;
    QLabel *m_started;
    QLabel *m_ends;
    QLabel *m_left;
    QLabel *m_atEnd;
    QLabel *m_machine;
    QLabel *m_envd;
    QLabel *m_internet;
    IdLabel *m_domain;
    QFormLayout *m_metadata;
    QFormLayout *m_limits;
    QLabel *m_notice;
    bool m_ended = false;
};

} // namespace boxdeck::ui
