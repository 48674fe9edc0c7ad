// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/template_codec.h"

#include "backend/protocol/json_reader.h"
#include "backend/protocol/list_reader.h"

#include <QMap>

#include <algorithm>

namespace boxdeck::protocol {

namespace {

QLatin1String operator""_key(const char *text, size_t size)
{
    return QLatin1String(text, static_cast<qsizetype>(size));
}

/// Servers say "no build" with empty text or an all-zero UUID (protocol/lifecycle.md section 8).
bool isBlankBuild(const QString &id)
{
    return std::all_of(id.begin(), id.end(), [](QChar c) { return c == QLatin1Char('0') || c == QLatin1Char('-'); });
}

QString failureReason(const JsonReader &reader)
{
    const JsonReader reason = reader["reason"_key];
    if (reason.isObject())
        return reason["message"_key].text();
    return reason.isArray() ? QString() : reason.text();
}

TemplateSummary readTemplate(const JsonReader &reader)
{
    TemplateSummary result;
    result.id = {reader["templateID"_key].mustText()};
    const QString build = reader["buildID"_key].text().trimmed();
    if (!isBlankBuild(build))
        result.buildId = {build};
    result.names = reader["names"_key].texts();
    result.aliases = reader["aliases"_key].texts();
    result.rawStatus = reader["buildStatus"_key].text();
    if (result.rawStatus.isEmpty())
        result.rawStatus = reader["status"_key].text();
    result.buildStatus = buildStatus(result.rawStatus);
    result.cpuCount = reader["cpuCount"_key].smallInt();
    result.memoryMB = reader["memoryMB"_key].smallInt();
    result.diskSizeMB = reader["diskSizeMB"_key].smallInt();
    result.isPublic = reader["public"_key].boolean();
    result.createdAt = reader["createdAt"_key].time();
    result.updatedAt = reader["updatedAt"_key].time();
    result.lastSpawnedAt = reader["lastSpawnedAt"_key].time();
    result.spawnCount = reader["spawnCount"_key].integer();
    result.buildCount = reader["buildCount"_key].smallInt();
    result.envdVersion = reader["envdVersion"_key].text();
    result.image = reader["image"_key].text();
    result.reason = failureReason(reader);
    return result;
}

} // namespace

BuildStatus buildStatus(const QString &word)
{
    static const QMap<QString, BuildStatus> words{
        {QStringLiteral("ready"), BuildStatus::Ready},         {QStringLiteral("success"), BuildStatus::Ready},
        {QStringLiteral("succeeded"), BuildStatus::Ready},     {QStringLiteral("complete"), BuildStatus::Ready},
        {QStringLiteral("completed"), BuildStatus::Ready},     {QStringLiteral("building"), BuildStatus::Building},
        {QStringLiteral("processing"), BuildStatus::Building}, {QStringLiteral("waiting"), BuildStatus::Waiting},
        {QStringLiteral("queued"), BuildStatus::Waiting},      {QStringLiteral("pending"), BuildStatus::Waiting},
        {QStringLiteral("uploaded"), BuildStatus::Waiting},    {QStringLiteral("error"), BuildStatus::Error},
        {QStringLiteral("failed"), BuildStatus::Error},        {QStringLiteral("failure"), BuildStatus::Error},
        {QStringLiteral("cancelled"), BuildStatus::Error},     {QStringLiteral("canceled"), BuildStatus::Error},
    };
    return words.value(word.trimmed().toLower(), BuildStatus::Other);
}

QString TemplateSummary::displayName() const
{
    for (const QStringList &list : {names, aliases, QStringList{image}}) {
        for (const QString &name : list) {
            if (!name.trimmed().isEmpty())
                return name;
        }
    }
    return id.value;
}

bool TemplateSummary::isSpawnable() const
{
    return buildStatus == BuildStatus::Ready || !buildId.isEmpty();
}

Result<QList<TemplateSummary>> decodeTemplateList(const QByteArray &json)
{
    const auto reader = JsonReader::parse(json);
    if (!reader)
        return tl::unexpected(reader.error());
    const auto items = listItems(*reader);
    if (!items)
        return tl::unexpected(items.error());
    QList<TemplateSummary> list;
    list.reserve(items->size());
    for (const JsonReader &item : *items)
        list.append(readTemplate(item));
    return reader->result(std::move(list));
}

} // namespace boxdeck::protocol
