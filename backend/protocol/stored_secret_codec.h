// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/protocol/stored_secret.h"

#include <QByteArray>
#include <QList>

namespace boxdeck::protocol {

Result<StoredSecret> decodeStoredSecret(const QByteArray &json);
Result<QList<StoredSecret>> decodeStoredSecrets(const QByteArray &json);
// Bodies with the value in them: for the request, nothing else.
QByteArray encodeNewStoredSecret(const NewStoredSecret &secret);
QByteArray encodeStoredSecretUpdate(const StoredSecretUpdate &update);

/// InvalidRequest, code "bad_name" or "bad_metadata", for what every server refuses (protocol/control-plane.md
/// section 9, NewSecret and SecretMetadata).
std::optional<Error> checkSecretName(const QString &name);
std::optional<Error> checkSecretMetadata(const QMap<QString, QString> &metadata);

} // namespace boxdeck::protocol
