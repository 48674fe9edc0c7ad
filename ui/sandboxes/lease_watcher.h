// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/ids.h"

#include <QHash>
#include <QObject>
#include <QTimer>

namespace boxdeck::session {
class Session;
}

namespace boxdeck::ui {

/// Watches the leases of the running sandboxes of some sessions, and says once when one has five minutes left, and
/// once when it has one. A lease that was extended in between is warned of anew.
class LeaseWatcher : public QObject
{
    Q_OBJECT

public:
    explicit LeaseWatcher(QObject *parent = nullptr);

    void watch(session::Session &session);

Q_SIGNALS:
    void runningOut(boxdeck::session::Session *session, const boxdeck::protocol::SandboxId &id, qint64 secondsLeft);
    /// Once a second while anything is watched: for the countdowns on screen.
    void tick();

private:
    void look();

    enum Level { Calm, Soon, Last };
    QList<session::Session *> m_sessions;
    QHash<protocol::SandboxId, Level> m_told;
    QTimer m_timer;
};

} // namespace boxdeck::ui
