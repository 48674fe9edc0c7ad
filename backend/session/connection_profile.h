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
    QString user = QStringLiteral("user"); ///< account used inside sandboxes; empty sends none
    int envdPort = 49983;
    /// Lifetime for new and resumed sandboxes when the person chose nothing else.
    std::chrono::seconds lifetime{300};
    bool ephemeral = false; ///< from --connect: never saved, key in memory only
    QJsonObject extras;     ///< members of a newer version, kept when saving

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
