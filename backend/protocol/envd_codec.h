// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QByteArray>
#include <QDateTime>
#include <QMap>
#include <QString>

#include <optional>

namespace boxdeck::protocol {

/// What envd measures of its sandbox (protocol/envd.md section 5). Memory and disk in bytes.
struct EnvdMetrics
{
    QDateTime time; ///< UTC
    int cpuCount = 0;
    double cpuUsedPercent = 0; ///< 0 to 100, since the metrics were asked for before
    qint64 memoryTotal = 0;
    qint64 memoryUsed = 0;
    qint64 memoryCache = 0;
    std::optional<qint64> diskUsed; ///< of `/`; old versions tell none
    std::optional<qint64> diskTotal;

    bool operator==(const EnvdMetrics &) const = default;
};

/// The answer of GET /metrics. Errors: Internal, code "bad_answer".
Result<EnvdMetrics> decodeEnvdMetrics(const QByteArray &json);
/// The answer of GET /envs, an object of text. Its values may hold secrets.
Result<QMap<QString, QString>> decodeEnvironment(const QByteArray &json);

} // namespace boxdeck::protocol
