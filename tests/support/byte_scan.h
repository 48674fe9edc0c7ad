// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

namespace boxdeck::test {

/// The files below `folder` (hidden ones too) that hold one of the byte strings as they are, or in base64 or hex.
/// Empty needles find nothing.
QStringList filesHolding(const QString &folder, const QList<QByteArray> &needles);

} // namespace boxdeck::test
