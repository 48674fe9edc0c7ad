// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/protocol/node.h"

#include <QByteArray>
#include <QMap>

namespace boxdeck::protocol {

Result<QList<Node>> decodeNodes(const QByteArray &json);
Result<Node> decodeNode(const QByteArray &json);
NodeStatus nodeStatus(const QString &word);
QByteArray encodeNodeStatus(NodeStatus status, const QString &clusterId);
Result<SweepResult> decodeSweep(const QByteArray &json);
Result<QMap<QString, qint64>> decodeCounts(const QByteArray &json);

} // namespace boxdeck::protocol
