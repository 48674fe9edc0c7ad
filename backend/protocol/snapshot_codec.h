// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/protocol/snapshot.h"

#include <QByteArray>
#include <QList>

namespace boxdeck::protocol {

/// A blank id is a bad answer; names are optional.
Result<Snapshot> decodeSnapshot(const QByteArray &json);
Result<QList<Snapshot>> decodeSnapshots(const QByteArray &json);
/// {} without a name: servers ask for a body.
QByteArray encodeNewSnapshot(const QString &name);

} // namespace boxdeck::protocol
