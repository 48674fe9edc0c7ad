// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QJsonObject>
#include <QString>

namespace boxdeck::session {

/// The JSON object in a file of ours. A missing file is an empty object. A file that can't be parsed is set aside
/// as "<path>.unreadable", so that the next save does not destroy what was in it, and a Local error says so.
Result<QJsonObject> readJsonFile(const QString &path);

/// Replaces the file at once (temporary file, sync, rename), readable by this user only; its folder is made if
/// needed, with mode 0700. Local error if the disk refuses; the old file is then still whole.
Result<void> writeJsonFile(const QString &path, const QJsonObject &object);

/// A whole file that a person chose. Local error if it can't be read, or is larger than any settings are (1 MiB), or is
/// no regular file.
Result<QByteArray> readSmallFile(const QString &path);

} // namespace boxdeck::session
