// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QMap>
#include <QString>

namespace boxdeck::session {

/// What every new sandbox of an account is given besides the fields of its profile. Any of it may hold secrets (a
/// token in a variable, a header in a network rule, a proxy's password), so it lives in the keychain, never in a file
/// of ours, and is shown through redacted() only (protocol/adapters.md 12.6, 12.10).
struct CreateDefaults
{
    QMap<QString, QString> metadata;
    QMap<QString, QString> envVars;
    QJsonObject network;     ///< as on the wire; empty: not sent
    QJsonObject mcp;         ///< likewise
    QJsonArray volumeMounts; ///< likewise

    bool isEmpty() const { return *this == CreateDefaults(); }
    bool operator==(const CreateDefaults &) const = default;

    QJsonObject toJson() const;
    static CreateDefaults fromJson(const QJsonObject &object); ///< members of another type are left out
};

} // namespace boxdeck::session
