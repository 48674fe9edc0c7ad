// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/secret.h"
#include "backend/protocol/ids.h"

#include <QDateTime>
#include <QMap>

#include <optional>

namespace boxdeck::protocol {

/// A secret kept on the server for sandboxes to use; no answer ever holds its value.
struct StoredSecret
{
    StoredSecretId id;
    QString name; ///< lower case
    qint64 version = 0;
    QMap<QString, QString> metadata;
    QDateTime createdAt; ///< UTC
    QDateTime updatedAt; ///< UTC

    bool operator==(const StoredSecret &) const = default;
};

struct NewStoredSecret
{
    QString name; ///< 1..128 of letters, digits, _ and -, not beginning with sec_
    Secret value;
    QMap<QString, QString> metadata;

    bool operator==(const NewStoredSecret &) const = default;
};

/// A new version. Metadata that is not set stays as it was, an empty map clears it.
struct StoredSecretUpdate
{
    Secret value;
    std::optional<QMap<QString, QString>> metadata;

    bool operator==(const StoredSecretUpdate &) const = default;
};

} // namespace boxdeck::protocol
