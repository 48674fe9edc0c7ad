// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/protocol/json_reader.h"
#include "backend/protocol/logs.h"

namespace boxdeck::protocol {

LogEntry readLogEntry(const JsonReader &reader);
/// Oldest first: lines that came newest first are turned round. Lines of the same time keep the server's order.
void putInOrder(QList<LogEntry> &entries);

/// The answer of any log call, of a sandbox or a build: structured entries, else lines of text; oldest first.
Result<QList<LogEntry>> decodeLogs(const QByteArray &json);

/// Does here what a server may have ignored: least level and search, and the limit at the end the direction keeps.
void applyLogQuery(QList<LogEntry> &entries, const LogQuery &query);

} // namespace boxdeck::protocol
