// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/protocol/filesystem.h"

#include <QByteArray>
#include <QList>

namespace boxdeck::protocol {

// Messages of filesystem.Filesystem in proto3 JSON. Errors: Internal, code "bad_answer".

QByteArray encodePath(const RemotePath &path); ///< Stat, MakeDir, Remove
QByteArray encodeMove(const RemotePath &source, const RemotePath &destination);
QByteArray encodeListDir(const RemotePath &path, int depth);
QByteArray encodeWatch(const RemotePath &path, const WatchOptions &options); ///< WatchDir, CreateWatcher
QByteArray encodeWatcher(const QString &id);                                 ///< GetWatcherEvents, RemoveWatcher
/// The body of POST /files/compose.
QByteArray encodeCompose(const QList<RemotePath> &sources, const RemotePath &destination, const QString &user);

/// The `entry` of Stat, MakeDir and Move; not set if the answer has none.
Result<std::optional<EntryInfo>> decodeEntry(const QByteArray &json);
/// The entries of ListDir, in the server's order.
Result<QList<EntryInfo>> decodeEntries(const QByteArray &json);
/// One message of WatchDir.
Result<WatchEvent> decodeWatchEvent(const QByteArray &json);
/// The answer of CreateWatcher.
Result<QString> decodeWatcherId(const QByteArray &json);
/// The answer of GetWatcherEvents; none is an empty list.
Result<QList<WatchEvent>> decodeWatcherEvents(const QByteArray &json);

} // namespace boxdeck::protocol
