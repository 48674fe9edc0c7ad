// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/json_reader.h"
#include "backend/protocol/network.h"

#include <QJsonObject>

namespace boxdeck::protocol {

/// The network of a detail. Not set if it is no object: some servers say it in a word.
std::optional<NetworkConfig> readNetwork(const JsonReader &reader);
QList<VolumeMount> readVolumeMounts(const JsonReader &reader);

QJsonObject networkObject(const NetworkConfig &network);
QJsonObject egressObject(const EgressRules &rules);
QJsonArray volumeMountArray(const QList<VolumeMount> &mounts);

} // namespace boxdeck::protocol
