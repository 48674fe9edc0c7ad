// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QByteArray>
#include <QList>

namespace boxdeck::transfer {

/// Which names the computer that receives a download can hold.
enum class NameRules { Linux, Windows };

/// The rules of the computer this runs on.
NameRules nativeNameRules();

/// The names that the entries `remote` of one folder get on this computer, in the same order.
///
/// The names come from the server and are hostile. An empty name, ".", "..", and one with a slash or NUL is refused
/// (InvalidRequest, code "bad_name"), as it could leave the folder. Linux: every other name is kept exactly. Windows:
/// characters, device names and endings it can't hold are replaced by "_", and names that would fall together (it
/// ignores case) get numbers; a name that needs no change keeps it whatever the others are. The results are distinct,
/// but for a name given twice.
QList<Result<QByteArray>> localNames(const QList<QByteArray> &remote, NameRules rules);

} // namespace boxdeck::transfer
