// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/secret.h"
#include "backend/net/http_request.h"
#include "backend/protocol/envd_version.h"
#include "backend/protocol/sandbox.h"

#include <QUrl>

#include <optional>

namespace boxdeck::api {

/// How a server is reached: everything a profile says, and its key.
struct Endpoint
{
    QUrl apiUrl;                    ///< may carry a path prefix
    std::optional<QUrl> sandboxUrl; ///< one address for the data plane of all sandboxes, told apart by headers
    QString domain;                 ///< host[:port] of per-sandbox hosts; empty: e2b.app
    QString envdScheme = QStringLiteral("https");
    std::optional<net::Gateway> gateway;
    Secret apiKey;                         ///< empty only for servers that need none
    QString user = QStringLiteral("user"); ///< account inside sandboxes; empty: the sandbox's default
    int envdPort = 49983;
    bool forceMultipart = false;   ///< never upload as a raw body
    Secret userToken;              ///< of a signed-in user, for keys and teams; usually none
    QString teamId;                ///< UUID, goes with userToken or adminToken
    Secret adminToken;             ///< of the server's administrator; usually none
    std::optional<QUrl> volumeUrl; ///< of the volume-content API; not set: from the answers and the domain
    protocol::CreateDialect createDialect;
};

/// Where the data plane of one sandbox is, and what every request to it carries (protocol/envd.md sections 1 to 3).
/// A plain value; make it with targetOf().
struct SandboxTarget
{
    protocol::SandboxId id;
    QUrl base; ///< where requests go, without a path beyond a configured prefix
    std::optional<net::Gateway> gateway;
    Secret envdAccessToken;    ///< empty: the sandbox is not secure, and the header is left out
    Secret trafficAccessToken; ///< empty: none needed
    QString user;
    int envdPort = 49983;
    protocol::EnvdVersion envdVersion;
    bool forceMultipart = false;

    /// Routing, tokens and user. Holds secrets: for a request, nothing else.
    net::HeaderList headers() const;
    /// base + path (already encoded, with a leading slash), joined with one slash.
    QUrl url(const QByteArray &path, const QByteArray &query = {}) const;
};

/// The target of a sandbox just created or connected.
SandboxTarget targetOf(const Endpoint &endpoint, const protocol::SandboxAccess &access);
/// The target of a sandbox known by its detail, which never holds the traffic token: pass the one kept from create.
SandboxTarget targetOf(const Endpoint &endpoint, const protocol::SandboxDetail &detail,
                       const Secret &trafficAccessToken = {});

/// The address of a port inside a sandbox, for people and browsers: https://<port>-<id>.<domain>.
QUrl portUrl(const Endpoint &endpoint, const protocol::SandboxId &id, const QString &answeredDomain, int port);

/// One path segment: everything but A-Z a-z 0-9 - . _ ~ percent-encoded with upper-case hex, once.
QByteArray encodeSegment(const QString &text);
QByteArray encodeSegment(const QByteArray &bytes);
/// base and path joined with exactly one slash; the base may have a prefix.
QUrl joinUrl(const QUrl &base, const QByteArray &path, const QByteArray &query = {});

} // namespace boxdeck::api
