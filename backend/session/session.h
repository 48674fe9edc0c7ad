// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_plane_client.h"
#include "backend/api/envd.h"
#include "backend/api/standard_template.h"
#include "backend/session/capability_store.h"
#include "backend/session/connection_profile.h"
#include "backend/session/create_defaults.h"
#include "backend/session/sandbox_store.h"
#include "backend/session/template_store.h"
#include "backend/session/traffic_tokens.h"

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

    /// Keeps what must outlive this run and holds secrets (traffic tokens, create defaults) in the keychain, and reads
    /// what former runs kept there. Without it they are in memory only. The vault outlives the session.
    void keepSecretsIn(SecretVault &vault);

    /// Starts the polls of both lists.
    void start();
    void stop();
    void setVisible(bool visible); ///< polls slower while the window is hidden

    const ConnectionProfile &profile() const { return m_profile; }
    SandboxStore &sandboxes() { return *m_sandboxes; }
    TemplateStore &templates() { return *m_templates; }
    /// Valid until endpointChanged(): ask again instead of keeping it.
    api::ControlPlaneClient &control() { return *m_control; }

    /// What this server can do. Asked a little after the first list.
    CapabilityStore &capabilities() { return *m_capabilities; }

    /// What new sandboxes are given when the person chose nothing else.
    const CreateDefaults &createDefaults() const { return m_defaults; }
    void setCreateDefaults(const CreateDefaults &defaults);

    /// The same account at another address or with another key (boxdeck-host was started again), perhaps reached
    /// through another transport (null: the same), which outlives the session as well. Clients are made anew; what is
    /// known of the sandboxes stays until the next list.
    void reconnect(ConnectionProfile profile, Secret key, net::HttpTransport *transport = nullptr);

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

    /// Copies of a running sandbox, each made or with the reason why not. Sent once; the outcome of a fork whose answer
    /// was lost is seen in the list.
    Call<QList<protocol::ForkResult>> fork(const protocol::SandboxId &id, const protocol::ForkRequest &request);

    /// Moves the end of a running sandbox later by `by`, counted from the end the server tells now. Never shortens.
    /// Gives the new end; an invalid time if the sandbox has none. Conflict "paused" if it is paused; InvalidRequest
    /// for less than a second; Capacity, code "lifetime_limit", if the server kept the old end.
    Call<QDateTime> extend(const protocol::SandboxId &id, std::chrono::seconds by);

    // The template that an account's sandboxes are usually made from (protocol/adapters.md 11.5 to 11.8); see
    // api/standard_template.h. The list of templates is asked again after each.
    Call<protocol::TemplateSummary> ensureStandardTemplate(const api::StandardTemplate &wanted);
    Call<protocol::TemplateSummary> replaceStandardTemplate(const api::StandardTemplate &wanted);
    Call<QMap<protocol::TemplateId, Error>> removeSupersededTemplates(const QString &name,
                                                                      const protocol::TemplateId &keep);

    /// The metadata key of create()'s mark; views leave it out.
    static QString createMark() { return QStringLiteral("boxdeck.create"); }

Q_SIGNALS:
    void endpointChanged();
    void createDefaultsChanged();
    /// The keychain does not keep this account's tokens or defaults: they are lost when the app ends. Told once each.
    void secretsNotKept(const boxdeck::Error &error);

private:
    void listenToAnswers();
    Call<QList<protocol::TemplateSummary>> listTemplates();
    template <typename T> Call<T> thenListTemplates(Call<T> call);
    void makeClients(Secret key);
    void showSoon(const protocol::SandboxId &id);
    void keepTrafficToken(const protocol::SandboxAccess &access);
    Call<QDateTime> extendFrom(const protocol::SandboxDetail &detail, std::chrono::seconds by);

    ConnectionProfile m_profile;
    net::HttpTransport *m_transport;
    const Clock &m_clock;
    std::unique_ptr<api::ControlPlaneClient> m_control;
    std::unique_ptr<SandboxStore> m_sandboxes;
    std::unique_ptr<TemplateStore> m_templates;
    QHash<protocol::SandboxId, std::shared_ptr<api::Envd>> m_envds;
    std::unique_ptr<CapabilityStore> m_capabilities;
    TrafficTokens m_tokens;
    CreateDefaults m_defaults;
    std::unique_ptr<KeptRecord> m_keptDefaults;
    QTimer m_askSoon;
};

/// The purposes of the keychain entries that a session may have made, see recordEntry().
QStringList keptPurposes();

/// What the API needs to know to reach a profile's server.
api::Endpoint endpointOf(const ConnectionProfile &profile, Secret key);

} // namespace boxdeck::session
