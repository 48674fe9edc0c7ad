// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_plane_client.h"
#include "backend/api/envd.h"
#include "backend/session/connection_profile.h"
#include "backend/session/sandbox_store.h"
#include "backend/session/template_store.h"

#include <QHash>
#include <QObject>

#include <memory>

namespace boxdeck::session {

/// One account in use: its clients, its live lists, and what can be done to its sandboxes.
///
/// The lease rule: envd() and everything that looks goes to a sandbox with the token of its detail. Only resume() wakes
/// anything, and only extend() and setLifetime() touch a running sandbox's end.
class Session : public QObject
{
    Q_OBJECT

public:
    /// The transport and the clock outlive the session. Nothing is sent before start().
    Session(ConnectionProfile profile, Secret key, net::HttpTransport &transport, const Clock &clock,
            QObject *parent = nullptr);
    ~Session() override;

    /// Starts the polls of both lists.
    void start();
    void stop();
    void setVisible(bool visible); ///< polls slower while the window is hidden

    const ConnectionProfile &profile() const { return m_profile; }
    SandboxStore &sandboxes() { return *m_sandboxes; }
    TemplateStore &templates() { return *m_templates; }
    /// Valid until endpointChanged(): ask again instead of keeping it.
    api::ControlPlaneClient &control() { return *m_control; }

    /// The same account at another address or with another key (boxdeck-host was started again). Clients are made anew;
    /// what is known of the sandboxes stays until the next list.
    void reconnect(ConnectionProfile profile, Secret key);

    /// The data plane of a running sandbox. Never wakes a paused one: Conflict with code "paused" instead; Conflict
    /// with code "not_running" in any other state but running. Kept for the next caller.
    Call<std::shared_ptr<api::Envd>> envd(const protocol::SandboxId &id);
    /// The kept data plane turned out stale (a 401, a new daemon): the next envd() asks for the token again.
    void forgetEnvd(const protocol::SandboxId &id);

    /// Creates a sandbox; the request is sent once. If its outcome is unknown, the list is searched for the mark it
    /// carries in its metadata; found, it is a success. Not found, the error's delivery is still Unknown: the sandbox
    /// may yet appear in the list. A refusal (e.g. Capacity with the server's words) is passed on and not repeated.
    Call<protocol::SandboxAccess> create(protocol::NewSandbox wanted);

    Call<void> pause(const protocol::SandboxId &id); ///< one that is paused already is a success
    Call<void> kill(const protocol::SandboxId &id);  ///< one that is gone already is a success

    /// Wakes a paused sandbox for `lifetime` (at least 1 s) from now.
    Call<protocol::SandboxAccess> resume(const protocol::SandboxId &id, std::chrono::seconds lifetime);

    /// Moves the end of a running sandbox later by `by`, counted from the end the server tells now. Never shortens.
    /// Gives the new end; an invalid time if the sandbox has none. Conflict "paused" if it is paused; InvalidRequest
    /// for less than a second; Capacity, code "lifetime_limit", if the server kept the old end.
    Call<QDateTime> extend(const protocol::SandboxId &id, std::chrono::seconds by);

    /// The metadata key of create()'s mark; views leave it out.
    static QString createMark() { return QStringLiteral("boxdeck.create"); }

Q_SIGNALS:
    void endpointChanged();

private:
    void makeClients(Secret key);
    void showSoon(const protocol::SandboxId &id);
    void keepTrafficToken(const protocol::SandboxAccess &access);
    Call<QDateTime> extendFrom(const protocol::SandboxDetail &detail, std::chrono::seconds by);

    ConnectionProfile m_profile;
    net::HttpTransport &m_transport;
    std::unique_ptr<api::ControlPlaneClient> m_control;
    std::unique_ptr<SandboxStore> m_sandboxes;
    std::unique_ptr<TemplateStore> m_templates;
    QHash<protocol::SandboxId, std::shared_ptr<api::Envd>> m_envds;
    QHash<protocol::SandboxId, Secret> m_trafficTokens; // told at create only; memory only
};

/// What the API needs to know to reach a profile's server.
api::Endpoint endpointOf(const ConnectionProfile &profile, Secret key);

} // namespace boxdeck::session
