// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/template_codec.h"

#include "backend/protocol/decode.h"

#include <QMap>

#include <algorithm>

namespace boxdeck::protocol {

using namespace Qt::StringLiterals;

namespace {

/// Servers say "no build" with empty text or an all-zero UUID (protocol/lifecycle.md section 8).
bool isBlankBuild(const QString &id)
{
    return std::all_of(id.begin(), id.end(), [](QChar c) { return c == QLatin1Char('0') || c == QLatin1Char('-'); });
}

QString failureReason(const JsonReader &reader)
{
    const JsonReader reason = reader["reason"_L1];
    if (reason.isObject())
        return reason["message"_L1].text();
    return reason.isArray() ? QString() : reason.text();
}

TemplateSummary readTemplate(const JsonReader &reader)
{
    TemplateSummary result;
    result.id = {reader["templateID"_L1].mustText()};
    const QString build = reader["buildID"_L1].text().trimmed();
    if (!isBlankBuild(build))
        result.buildId = {build};
    result.names = reader["names"_L1].texts();
    result.aliases = reader["aliases"_L1].texts();
    result.rawStatus = reader["buildStatus"_L1].text();
    if (result.rawStatus.isEmpty())
        result.rawStatus = reader["status"_L1].text();
    result.buildStatus = buildStatus(result.rawStatus);
    result.cpuCount = reader["cpuCount"_L1].smallInt();
    result.memoryMB = reader["memoryMB"_L1].smallInt();
    result.diskSizeMB = reader["diskSizeMB"_L1].smallInt();
    result.isPublic = reader["public"_L1].boolean();
    result.createdAt = reader["createdAt"_L1].time();
    result.updatedAt = reader["updatedAt"_L1].time();
    result.lastSpawnedAt = reader["lastSpawnedAt"_L1].time();
    result.spawnCount = reader["spawnCount"_L1].integer();
    result.buildCount = reader["buildCount"_L1].smallInt();
    result.envdVersion = reader["envdVersion"_L1].text();
    result.image = reader["image"_L1].text();
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
    return decodeList(json, readTemplate);
}

} // namespace boxdeck::protocol
