// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/protocol/team.h"

#include <QByteArray>
#include <QList>

namespace boxdeck::protocol {

Result<QList<Team>> decodeTeams(const QByteArray &json);
Result<QList<KeyInfo>> decodeKeys(const QByteArray &json);
/// The answer that makes an API key or an access token. One without the value is a bad answer.
Result<CreatedKey> decodeCreatedKey(const QByteArray &json);
/// The body that makes or renames one.
QByteArray encodeKeyName(const QString &name);

} // namespace boxdeck::protocol
