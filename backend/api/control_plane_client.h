// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/errors.h"
#include "backend/api/sandbox_target.h"
#include "backend/net/http_transport.h"
#include "backend/protocol/sandbox.h"
#include "backend/protocol/template.h"

#include <memory>
#include <optional>

namespace boxdeck::api {

/// The control plane of one server (protocol/control-plane.md). The transport outlives it; its calls may outlive it.
/// Errors of all calls: those of controlError(), and those of HttpTransport.
class ControlPlaneClient
{
public:
    ControlPlaneClient(net::HttpTransport &transport, Endpoint endpoint);

    const Endpoint &endpoint() const { return m_shared->endpoint; }

    /// One page, filtered again here by state as some servers ignore the filter. Falls back to the v1 list, which has
    /// no pages and no paused sandboxes, where there is no v2 list, and remembers that.
    Call<protocol::Page<protocol::SandboxSummary>> listSandboxes(protocol::ListQuery query = {});
    /// All pages. Internal (code "bad_paging") if a page token repeats or pages never end.
    Call<QList<protocol::SandboxSummary>> listAllSandboxes();

    /// Never wakes a paused sandbox.
    Call<protocol::SandboxDetail> sandbox(const protocol::SandboxId &id);

    /// Sent once: on Delivery::Unknown (no answer, or a success that can't be read) look for it in the list instead of
    /// repeating. InvalidRequest for a timeout below
    /// one second, without a call, and for an unknown template.
    Call<protocol::SandboxAccess> create(const protocol::NewSandbox &sandbox);

    /// Resumes a paused sandbox; the end of a running one is only ever moved later. The only call that wakes anything.
    /// `timeout` is at least one second. Internal if the answer is about another sandbox.
    Call<protocol::SandboxAccess> connect(const protocol::SandboxId &id, std::chrono::seconds timeout);

    /// Conflict if it is paused already or changing. Sent once.
    Call<void> pause(const protocol::SandboxId &id);
    /// A sandbox that is gone already is success.
    Call<void> kill(const protocol::SandboxId &id);
    /// The end becomes now + timeout and may move earlier; servers may cap it: read the detail again.
    Call<void> setTimeout(const protocol::SandboxId &id, std::chrono::seconds timeout);

    /// Those of the key's team. Where there is only the paged list, its first hundred.
    Call<QList<protocol::TemplateSummary>> listTemplates();

    /// Any 2xx; needs no key. Some servers have none: a list of one proves more.
    Call<void> health();
    /// By how many milliseconds the server's clock is ahead of this computer's, from the Date header of its lists and
    /// details; 0 if they agree within what a header in whole seconds can tell. Nothing before the first.
    std::optional<qint64> clockOffsetMs() const { return m_shared->clockOffsetMs; }

    /// Lists one sandbox: reachable, an E2B server, and the key is right (protocol/compat.md section 7).
    Call<void> probe();

private:
    struct Shared
    {
        net::HttpTransport &transport;
        Endpoint endpoint;
        bool v1ListOnly = false;
        bool v2CreateOnly = false;
        std::optional<qint64> clockOffsetMs;

        net::HttpRequest request(const QByteArray &method, const QByteArray &path, const QByteArray &query = {}) const;
        void noteDate(const net::HttpResponse &response);
    };
    using SharedPtr = std::shared_ptr<Shared>;
    struct Listing;

    static Call<protocol::Page<protocol::SandboxSummary>> listPage(SharedPtr shared, protocol::ListQuery query);
    static Call<protocol::Page<protocol::SandboxSummary>> listV1(SharedPtr shared, protocol::ListQuery query);
    static Call<QList<protocol::SandboxSummary>> listRest(SharedPtr shared, Listing listing);
    static Call<net::HttpResponse> postV1OrV2(SharedPtr shared, const QByteArray &path, const QByteArray &body,
                                              bool mayRepeat);

    SharedPtr m_shared;
};

} // namespace boxdeck::api
