// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/lease_watcher.h"

#include "backend/session/session.h"
#include "ui/sandboxes/sandbox_text.h"

namespace boxdeck::ui {

using session::Session;

LeaseWatcher::LeaseWatcher(QObject *parent)
    : QObject(parent)
{
    m_timer.setInterval(1000);
    connect(&m_timer, &QTimer::timeout, this, &LeaseWatcher::look);
}

void LeaseWatcher::watch(Session &session)
{
    if (m_sessions.contains(&session))
        return;
    m_sessions << &session;
    connect(&session, &QObject::destroyed, this, [this, gone = &session] { m_sessions.removeAll(gone); });
    connect(&session.sandboxes(), &session::SandboxStore::removed, this,
            [this](const protocol::SandboxId &id) { m_told.remove(id); });
    m_timer.start();
}

void LeaseWatcher::look()
{
    for (Session *session : std::as_const(m_sessions)) {
        for (const protocol::SandboxSummary &sandbox : session->sandboxes().items()) {
            const auto left = session->sandboxes().secondsLeft(sandbox);
            const Level level = !left || *left > kLeaseWarning ? Calm : *left > kLeaseLastWarning ? Soon : Last;
            const Level told = m_told.value(sandbox.id, Calm);
            if (level > told)
                Q_EMIT runningOut(session, sandbox.id, *left);
            if (level == Calm)
                m_told.remove(sandbox.id);
            else
                m_told.insert(sandbox.id, level);
        }
    }
    Q_EMIT tick();
}

} // namespace boxdeck::ui
