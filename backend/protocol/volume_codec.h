// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/protocol/volume.h"

#include <QByteArray>
#include <QList>

namespace boxdeck::protocol {

Result<QList<Volume>> decodeVolumes(const QByteArray &json);
Result<VolumeAccess> decodeVolumeAccess(const QByteArray &json);
QByteArray encodeNewVolume(const QString &name);
bool isVolumeName(const QString &name);

Result<VolumeEntry> decodeVolumeEntry(const QByteArray &json);
Result<QList<VolumeEntry>> decodeVolumeEntries(const QByteArray &json);
QByteArray encodeOwnership(const VolumeOwnership &ownership);
/// "&uid=…&gid=…&mode=…": those that are set.
QByteArray ownershipQuery(const VolumeOwnership &ownership);

} // namespace boxdeck::protocol
