// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/secret.h"

#include <QDateTime>
#include <QString>

namespace boxdeck::protocol {

/// A team of the signed-in user.
struct Team
{
    QString id; ///< UUID, for X-Team-ID
    QString name;
    Secret apiKey; ///< made afresh by every call that lists teams
    bool isDefault = false;

    bool operator==(const Team &) const = default;
};

/// How a key or token is shown: prefix, first and last characters, never the rest.
struct KeyMask
{
    QString prefix;
    int valueLength = 0;
    QString start;
    QString end;

    bool operator==(const KeyMask &) const = default;
};

/// An API key of the team, or an access token of the user, without its value.
struct KeyInfo
{
    QString id; ///< UUID
    QString name;
    KeyMask mask;
    QDateTime createdAt; ///< UTC
    QDateTime lastUsed;  ///< UTC, invalid: never, or not told
    QString createdBy;   ///< id or email of a user, empty if not told

    bool operator==(const KeyInfo &) const = default;
};

/// A key just made: the only time its value is told.
struct CreatedKey : KeyInfo
{
    Secret value;

    bool operator==(const CreatedKey &) const = default;
};

} // namespace boxdeck::protocol
