// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/secret.h"

#include <QList>
#include <QMap>
#include <QStringList>

#include <optional>

namespace boxdeck::protocol {

/// A SOCKS5 tunnel for all outbound TCP. Reads never give the password back.
struct EgressProxy
{
    QString address; ///< host:port
    QString username;
    Secret password;

    bool operator==(const EgressProxy &) const = default;
};

/// Header names and the values put in their place: they may hold credentials.
using InjectedHeaders = QMap<QString, Secret>;

/// The outbound rules of a sandbox: what both create and the later replacement know (protocol/control-plane.md
/// section 9, SandboxNetworkConfig). Allowed wins over denied.
struct EgressRules
{
    QStringList allowOut; ///< CIDR, address, domain or *.domain; a domain asks for 0.0.0.0/0 in denyOut
    QStringList denyOut;  ///< CIDR or address, never a domain
    std::optional<EgressProxy> egressProxy;
    QMap<QString, InjectedHeaders> rules; ///< by host or *.host; does not by itself allow the host

    bool operator==(const EgressRules &) const = default;
};

/// The network of a new sandbox, and of its detail. Only what was set is sent.
struct NetworkConfig : EgressRules
{
    std::optional<bool> allowPublicTraffic; ///< who may call in; false asks for a secure sandbox
    QString maskRequestHost;                ///< Host seen by services inside; may hold ${PORT}
    QList<int> httpsPorts;                  ///< ports that speak HTTPS inside; never envd's

    bool operator==(const NetworkConfig &) const = default;
};

/// What PUT /sandboxes/{id}/network puts in place of everything before: a member left empty is cleared there.
struct NetworkUpdate : EgressRules
{
    std::optional<bool> allowInternetAccess; ///< false equals denying 0.0.0.0/0

    bool operator==(const NetworkUpdate &) const = default;
};

/// A volume inside a sandbox.
struct VolumeMount
{
    QString name;
    QString path; ///< absolute, clean, unique within the sandbox

    bool operator==(const VolumeMount &) const = default;
};

/// The identity tokens a sandbox may ask for, by name; at most five.
struct IamToken
{
    QString audience;
    QString tokenType = QStringLiteral("JWT-SVID"); ///< the only one that is accepted

    bool operator==(const IamToken &) const = default;
};

} // namespace boxdeck::protocol
