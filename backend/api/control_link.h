// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/errors.h"
#include "backend/api/sandbox_target.h"
#include "backend/net/http_transport.h"

#include <memory>
#include <optional>

namespace boxdeck::api {

/// Whose credential a call needs (protocol/control-plane.md section 2). Where the right one is not configured another
/// is sent: a local server may take its key for everything, and any other says what is missing.
enum class Credential {
    Team,  ///< the API key, else a user's token with the team, else the administrator's
    User,  ///< the token of a signed-in user, and the team
    Admin, ///< the administrator's token
};

/// What all control-plane clients of one account share: where the server is, and what was learned about it.
struct ControlLink
{
    net::HttpTransport &transport;
    Endpoint endpoint;

    // Learned from answers: forms this server lacks.
    bool v1ListOnly = false;
    bool v2CreateOnly = false;
    bool resumeOnly = false; ///< no form of connect
    bool v1LogsOnly = false;
    bool v1PatchOnly = false;
    bool v2TemplatesOnly = false;
    std::optional<qint64> clockOffsetMs;

    /// A request without a body. GET and DELETE may repeat, others are sent once unless told otherwise.
    net::HttpRequest request(const QByteArray &method, const QByteArray &path, const QByteArray &query = {},
                             Credential credential = Credential::Team) const;
    /// The same with a JSON body.
    net::HttpRequest jsonRequest(const QByteArray &method, const QByteArray &path, const QByteArray &json,
                                 Credential credential = Credential::Team) const;
    /// Sends it once, for who asks again soon anyway.
    Call<net::HttpResponse> send(net::HttpRequest request) const { return transport.send(std::move(request)); }
    /// Sends it again after a short outage if it may repeat, else once.
    Call<net::HttpResponse> sendSafely(net::HttpRequest request) const;

    void noteDate(const net::HttpResponse &response);
};

using LinkPtr = std::shared_ptr<ControlLink>;

} // namespace boxdeck::api
