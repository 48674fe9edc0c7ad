// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/node_codec.h"

#include "backend/protocol/decode.h"
#include "backend/protocol/json_write.h"

namespace boxdeck::protocol {

using namespace Qt::StringLiterals;

namespace {

const QList<std::pair<NodeStatus, QString>> &statusWords()
{
    static const QList<std::pair<NodeStatus, QString>> words{{NodeStatus::Ready, u"ready"_s},
                                                             {NodeStatus::Draining, u"draining"_s},
                                                             {NodeStatus::Connecting, u"connecting"_s},
                                                             {NodeStatus::Unhealthy, u"unhealthy"_s},
                                                             {NodeStatus::Standby, u"standby"_s}};
    return words;
}

NodeDisk readDisk(const JsonReader &reader)
{
    return {.mountPoint = reader["mountPoint"_L1].text(),
            .device = reader["device"_L1].text(),
            .filesystem = reader["filesystemType"_L1].text(),
            .usedBytes = reader["usedBytes"_L1].integer(),
            .totalBytes = reader["totalBytes"_L1].integer()};
}

Node readNode(const JsonReader &reader)
{
    const JsonReader machine = reader["machineInfo"_L1];
    const JsonReader metrics = reader["metrics"_L1];
    const QString status = reader["status"_L1].text();
    return {.id = {reader["id"_L1].mustText()},
            .clusterId = reader["clusterID"_L1].text(),
            .serviceInstanceId = reader["serviceInstanceID"_L1].text(),
            .version = reader["version"_L1].text(),
            .commit = reader["commit"_L1].text(),
            .cpuModel = machine["cpuModelName"_L1].text(),
            .cpuArchitecture = machine["cpuArchitecture"_L1].text(),
            .status = nodeStatus(status),
            .rawStatus = status,
            .statusChangedAt = reader["statusChangedAt"_L1].time(),
            .sandboxCount = reader["sandboxCount"_L1].smallInt(),
            .sandboxStartingCount = reader["sandboxStartingCount"_L1].smallInt(),
            .createSuccesses = reader["createSuccesses"_L1].integer(),
            .createFails = reader["createFails"_L1].integer(),
            .allocatedCpu = metrics["allocatedCPU"_L1].smallInt(),
            .cpuPercent = metrics["cpuPercent"_L1].smallInt(),
            .cpuCount = metrics["cpuCount"_L1].smallInt(),
            .allocatedMemory = metrics["allocatedMemoryBytes"_L1].integer(),
            .memoryUsed = metrics["memoryUsedBytes"_L1].integer(),
            .memoryTotal = metrics["memoryTotalBytes"_L1].integer(),
            .disks = readList(metrics["disks"_L1], readDisk)};
}

} // namespace

NodeStatus nodeStatus(const QString &word)
{
    for (const auto &[status, text] : statusWords()) {
        if (text == word.trimmed().toLower())
            return status;
    }
    return NodeStatus::Other;
}

Result<QList<Node>> decodeNodes(const QByteArray &json)
{
    return decodeList(json, readNode);
}

Result<Node> decodeNode(const QByteArray &json)
{
    return decodeOne(json, readNode);
}

QByteArray encodeNodeStatus(NodeStatus status, const QString &clusterId)
{
    QJsonObject body;
    for (const auto &[known, text] : statusWords()) {
        if (known == status)
            body.insert("status"_L1, text);
    }
    putSet(body, "clusterID"_L1, clusterId);
    return compact(body);
}

Result<SweepResult> decodeSweep(const QByteArray &json)
{
    return decodeOne(json, [](const JsonReader &reader) {
        return SweepResult{.done = reader.either("killedCount"_L1, "cancelledCount"_L1).smallInt(),
                           .failed = reader["failedCount"_L1].smallInt()};
    });
}

Result<QMap<QString, qint64>> decodeCounts(const QByteArray &json)
{
    return decodeOne(json, [](const JsonReader &reader) {
        QMap<QString, qint64> counts;
        const QJsonObject teams = reader.value().toObject();
        for (auto it = teams.begin(); it != teams.end(); ++it)
            counts.insert(it.key(), reader.member(it.key()).integer());
        return counts;
    });
}

} // namespace boxdeck::protocol
