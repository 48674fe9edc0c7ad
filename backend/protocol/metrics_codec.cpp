// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/metrics_codec.h"

#include "backend/protocol/decode.h"

#include <algorithm>

namespace boxdeck::protocol {

using namespace Qt::StringLiterals;

namespace {

QDateTime sampleTime(const JsonReader &reader)
{
    if (const qint64 seconds = reader["timestampUnix"_L1].integer(); seconds > 0)
        return QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC);
    return reader["timestamp"_L1].time();
}

SandboxMetric readMetric(const JsonReader &reader)
{
    return {.at = sampleTime(reader),
            .cpuCount = reader["cpuCount"_L1].smallInt(),
            .cpuUsedPct = reader["cpuUsedPct"_L1].real(),
            .memUsed = reader["memUsed"_L1].integer(),
            .memTotal = reader["memTotal"_L1].integer(),
            .memCache = reader["memCache"_L1].integer(),
            .diskUsed = reader["diskUsed"_L1].integer(),
            .diskTotal = reader["diskTotal"_L1].integer()};
}

template <typename T> Result<QList<T>> inOrder(Result<QList<T>> samples)
{
    if (samples)
        std::stable_sort(samples->begin(), samples->end(), [](const T &a, const T &b) { return a.at < b.at; });
    return samples;
}

} // namespace

Result<QList<SandboxMetric>> decodeMetrics(const QByteArray &json)
{
    return inOrder(decodeList(json, readMetric));
}

Result<LatestMetrics> decodeLatestMetrics(const QByteArray &json)
{
    return decodeOne(json, [](const JsonReader &reader) {
        LatestMetrics latest;
        const JsonReader sandboxes = reader["sandboxes"_L1];
        if (!sandboxes.isAbsent() && !sandboxes.isObject())
            sandboxes.problem(u"not an object"_s);
        const QJsonObject byId = sandboxes.value().toObject();
        for (auto it = byId.begin(); it != byId.end(); ++it) {
            if (it.value().isObject()) // null: no sample yet
                latest.insert(SandboxId{it.key()}, readMetric(sandboxes.member(it.key())));
        }
        return latest;
    });
}

Result<QList<TeamMetric>> decodeTeamMetrics(const QByteArray &json)
{
    return inOrder(decodeList(json, [](const JsonReader &reader) {
        return TeamMetric{.at = sampleTime(reader),
                          .concurrentSandboxes = reader["concurrentSandboxes"_L1].smallInt(),
                          .sandboxStartRate = reader["sandboxStartRate"_L1].real()};
    }));
}

Result<TeamPeak> decodeTeamPeak(const QByteArray &json)
{
    return decodeOne(json, [](const JsonReader &reader) {
        return TeamPeak{.at = sampleTime(reader), .value = reader["value"_L1].real()};
    });
}

QString teamMetricWord(TeamMetricKind kind)
{
    return kind == TeamMetricKind::ConcurrentSandboxes ? u"concurrent_sandboxes"_s : u"sandbox_start_rate"_s;
}

QByteArray windowQuery(const TimeWindow &window)
{
    QByteArrayList parts;
    if (window.start.isValid())
        parts.append("start=" + QByteArray::number(window.start.toSecsSinceEpoch()));
    if (window.end.isValid())
        parts.append("end=" + QByteArray::number(window.end.toSecsSinceEpoch()));
    return parts.join('&');
}

} // namespace boxdeck::protocol
