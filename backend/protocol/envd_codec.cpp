// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/envd_codec.h"

#include "backend/protocol/json_reader.h"

namespace boxdeck::protocol {

namespace {

QLatin1String operator""_key(const char *text, size_t size)
{
    return QLatin1String(text, static_cast<qsizetype>(size));
}

std::optional<qint64> bytesIf(const JsonReader &reader)
{
    if (reader.isAbsent())
        return std::nullopt;
    return reader.integer();
}

/// Old versions tell memory in MiB only.
qint64 memoryOf(const JsonReader &bytes, const JsonReader &mebibytes)
{
    constexpr qint64 mebibyte = 1024 * 1024;
    return bytes.isAbsent() ? mebibytes.integer() * mebibyte : bytes.integer();
}

} // namespace

Result<EnvdMetrics> decodeEnvdMetrics(const QByteArray &json)
{
    const auto reader = JsonReader::parse(json);
    if (!reader)
        return tl::unexpected(reader.error());
    EnvdMetrics metrics;
    if (const JsonReader time = (*reader)["ts"_key]; !time.isAbsent())
        metrics.time = QDateTime::fromSecsSinceEpoch(time.integer(), Qt::UTC);
    metrics.cpuCount = (*reader)["cpu_count"_key].smallInt();
    metrics.cpuUsedPercent = (*reader)["cpu_used_pct"_key].value().toVariant().toDouble();
    metrics.memoryTotal = memoryOf((*reader)["mem_total"_key], (*reader)["mem_total_mib"_key]);
    metrics.memoryUsed = memoryOf((*reader)["mem_used"_key], (*reader)["mem_used_mib"_key]);
    metrics.memoryCache = (*reader)["mem_cache"_key].integer();
    metrics.diskUsed = bytesIf((*reader)["disk_used"_key]);
    metrics.diskTotal = bytesIf((*reader)["disk_total"_key]);
    return reader->result(std::move(metrics));
}

Result<QMap<QString, QString>> decodeEnvironment(const QByteArray &json)
{
    const auto reader = JsonReader::parse(json);
    if (!reader)
        return tl::unexpected(reader.error());
    return reader->result(reader->textMap());
}

} // namespace boxdeck::protocol
