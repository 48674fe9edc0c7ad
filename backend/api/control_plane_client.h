// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/admin_client.h"
#include "backend/api/control_link.h"
#include "backend/api/secrets_client.h"
#include "backend/api/snapshots_client.h"
#include "backend/api/teams_client.h"
#include "backend/api/telemetry_client.h"
#include "backend/api/templates_client.h"
#include "backend/api/volumes_client.h"
#include "backend/protocol/sandbox.h"

namespace boxdeck::api {

/// The control plane of one server (protocol/control-plane.md): its sandboxes here, everything else behind accessors.
/// The transport outlives it; its calls and the clients it gives out may outlive it.
/// Errors of all calls: those of controlError(), those of HttpTransport, and InvalidRequest, without a call, for a
/// blank id and what no server would take.
class ControlPlaneClient
{
public:
    ControlPlaneClient(net::HttpTransport &transport, Endpoint endpoint);

    const Endpoint &endpoint() const { return m_link->endpoint; }

    SnapshotsClient snapshots() const { return SnapshotsClient(m_link); }
    TelemetryClient telemetry() const { return TelemetryClient(m_link); }
    TemplatesClient templates() const { return TemplatesClient(m_link); }
    TeamsClient teams() const { return TeamsClient(m_link); }
    VolumesClient volumes() const { return VolumesClient(m_link); }
    SecretsClient secrets() const { return SecretsClient(m_link); }
    AdminClient admin() const { return AdminClient(m_link); }

    /// One page, filtered and ordered again here as some servers ignore that. Falls back to the v1 list, which has no
    /// pages and no paused sandboxes, where there is no v2 list, and remembers that.
    Call<protocol::Page<protocol::SandboxSummary>> listSandboxes(protocol::ListQuery query = {});
    /// All pages. Internal (code "bad_paging") if a page token repeats or pages never end.
    Call<QList<protocol::SandboxSummary>> listAllSandboxes(protocol::ListQuery query = {});

    /// Never wakes a paused sandbox.
    Call<protocol::SandboxDetail> sandbox(const protocol::SandboxId &id);

    /// Sent once: on Delivery::Unknown (no answer, or a success that can't be read) look for it in the list instead of
    /// repeating. InvalidRequest, without a call, for what checkNewSandbox() refuses, and for an unknown template.
    Call<protocol::SandboxAccess> create(const protocol::NewSandbox &sandbox);

    /// Resumes a paused sandbox; the end of a running one is only ever moved later. The only call besides resume()
    /// that wakes anything. `timeout` is at least one second. `memory` false boots a paused one from its disk alone.
    /// Internal if the answer is about another sandbox. A server without any form of it (405, or 404 while it tells the
    /// sandbox's detail) gets the old calls instead, and that is remembered: resume() for a paused sandbox, for a
    /// running one its detail and, if it would end sooner than asked, a longer life.
    Call<protocol::SandboxAccess> connect(const protocol::SandboxId &id, std::chrono::seconds timeout,
                                          std::optional<bool> memory = {});
    /// The old call behind connect(), for servers without it. Conflict if the sandbox runs. Sent once.
    Call<protocol::SandboxAccess> resume(const protocol::SandboxId &id, std::chrono::seconds timeout,
                                         std::optional<bool> memory = {});

    /// Conflict if it is paused already or changing. Sent once. Without memory its processes are lost, and traffic does
    /// not wake it.
    Call<void> pause(const protocol::SandboxId &id, bool keepMemory = true);
    /// A sandbox that is gone already is success.
    Call<void> kill(const protocol::SandboxId &id);
    /// Copies of a running sandbox, which goes on; each made or with the reason why not. Sent once. HTTP 500 means that
    /// the source may be lost (protocol/lifecycle.md section 2): read its detail.
    Call<QList<protocol::ForkResult>> fork(const protocol::SandboxId &id, const protocol::ForkRequest &request = {});
    /// The end becomes now + timeout and may move earlier; servers may cap it: read the detail again.
    Call<void> setTimeout(const protocol::SandboxId &id, std::chrono::seconds timeout);
    /// The end moves later to now + duration (15 s to one hour, server's rule), never earlier.
    Call<void> refresh(const protocol::SandboxId &id, std::chrono::seconds duration);
    /// Puts these rules in place of all before; members left empty are cleared there.
    Call<void> updateNetwork(const protocol::SandboxId &id, const protocol::NetworkUpdate &rules);

    /// templates().list().
    Call<QList<protocol::TemplateSummary>> listTemplates() { return templates().list(); }

    /// Any 2xx; needs no key. Some servers have none: a list of one proves more.
    Call<void> health();
    /// By how many milliseconds the server's clock is ahead of this computer's, from the Date header of its lists and
    /// details; 0 if they agree within what a header in whole seconds can tell. Nothing before the first.
    std::optional<qint64> clockOffsetMs() const { return m_link->clockOffsetMs; }

    /// Lists one sandbox: reachable, an E2B server, and the key is right (protocol/compat.md section 7).
    Call<void> probe();

private:
    explicit ControlPlaneClient(LinkPtr link)
        : m_link(std::move(link))
    {
    }
    static Call<protocol::Page<protocol::SandboxSummary>> listPage(LinkPtr link, protocol::ListQuery query);
    static Call<protocol::Page<protocol::SandboxSummary>> listV1(LinkPtr link, protocol::ListQuery query);
    static Call<net::HttpResponse> postV1OrV2(LinkPtr link, const QByteArray &path, const QByteArray &body,
                                              bool mayRepeat);
    static Call<protocol::SandboxAccess> connectTheOldWay(ControlPlaneClient client,
                                                          const protocol::SandboxDetail &detail,
                                                          std::chrono::seconds timeout, std::optional<bool> memory);

    LinkPtr m_link;
};

} // namespace boxdeck::api
