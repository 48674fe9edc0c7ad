// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUuid>

namespace boxdeck::test {

/// How many entries of Boxdeck's the secret service of the session bus has for a profile; -1 without an answer.
qsizetype entriesFor(const QUuid &profile);

/// Locks the default collection.
bool lockKeyring();

} // namespace boxdeck::test
