// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/sandbox.h"

#include <QByteArray>

namespace boxdeck::protocol {

/// The value of the `metadata` parameter, already encoded for a query: each key and value percent-encoded, joined as a
/// form, and encoded twice more, as the reference server decodes three times (protocol/control-plane.md section 6).
/// Empty if there is nothing to send.
QByteArray metadataFilter(const QMap<QString, QString> &metadata, MetadataSending sending);

/// Does here what a server may have ignored of a query: keeps what matches, in the order asked for. Entries the server
/// gave no start time match any, and come last.
void applyQuery(QList<SandboxSummary> &items, const ListQuery &query);

} // namespace boxdeck::protocol
