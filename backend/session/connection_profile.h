// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QJsonObject>
#include <QString>
#include <QUrl>
#include <QUuid>

#include <chrono>
#include <optional>

namespace boxdeck::session {

/// How to reach one E2B-compatible server. Holds no secret: the key lives in the SecretVault under `id`.
struct ConnectionProfile
{
    enum class Kind {
        ThisComputer, ///< boxdeck-host, started by us; address and key come from LocalHost
        E2bCloud,     ///< https://api.e2b.app
        SelfHosted,   ///< any other server
    };

    QUuid id;     ///< also the name of the keychain entry
    QString name; ///< for people; unique among the profiles
    Kind kind = Kind::SelfHosted;
    QUrl apiUrl;                    ///< may carry a path prefix; empty for ThisComputer
    std::optional<QUrl> sandboxUrl; ///< one address for every sandbox (routing by header), instead of PORT-ID.domain
    QString domain;                 ///< sandbox domain, e.g. "e2b.app" or "box.example:8443"
    std::optional<QUrl> gateway;    ///< scheme://host:port dialled for every sandbox, Host kept
    QString envdScheme;             ///< "http" or "https" of the sandboxes' own hosts; empty: that of apiUrl
    /// PEM file with the only authorities trusted for the API, the sandboxes and the gateway; empty: the system's.
    QString caFile;
    QString user = QStringLiteral("user"); ///< account used inside sandboxes; empty sends none
    int envdPort = 49983;
    bool forceMultipart = false; ///< uploads as forms only; for servers that refuse raw bodies in odd ways
    /// Leaves fields out that strict servers refuse: network, autoResume, autoPauseMemory (protocol/compat.md 2.41).
    bool strict = false;
    QString defaultTemplate = QStringLiteral("base"); ///< of new sandboxes when the person chose nothing else
    /// Lifetime for new and resumed sandboxes when the person chose nothing else.
    std::chrono::seconds lifetime{300};
    std::optional<bool> allowInternetAccess;                        ///< of new sandboxes; not set: not sent
    std::optional<bool> autoPause;                                  ///< likewise: pause instead of kill at the end
    std::optional<bool> autoResume;                                 ///< likewise: wake on traffic
    bool secure = true;                                             ///< new sandboxes ask for a token
    QString workspaceRoot = QStringLiteral("/home/user/workspace"); ///< absolute, inside sandboxes
    QString homeDir = QStringLiteral("/home/user");
    QString tempRoot = QStringLiteral("/tmp");
    QString shell = QStringLiteral("/bin/sh"); ///< for scripts
    bool ephemeral = false;                    ///< from --connect: never saved, key in memory only
    QJsonObject extras;                        ///< members of a newer version, kept when saving

    bool operator==(const ConnectionProfile &) const = default;

    static ConnectionProfile thisComputer(const QString &name);
    static ConnectionProfile cloud(const QString &name);
    static ConnectionProfile selfHosted(const QString &name, const QUrl &apiUrl);
};

/// What a person typed as a server address: trimmed, https:// put in front if there is no scheme (http:// for
/// this computer), no trailing slash. InvalidRequest with code "empty", "scheme", "host", "credentials" (a user name
/// or password in an address would be saved in the clear) or "query".
Result<QUrl> parseServerUrl(const QString &typed);

QJsonObject toJson(const ConnectionProfile &profile);

/// Nothing if the object has no usable id. Unknown kinds become SelfHosted; everything else falls back to defaults.
std::optional<ConnectionProfile> profileFromJson(const QJsonObject &object);

} // namespace boxdeck::session
