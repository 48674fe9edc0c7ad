// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/create_defaults.h"

namespace boxdeck::session {

namespace {

QJsonObject objectOf(const QMap<QString, QString> &map)
{
    QJsonObject object;
    for (auto entry = map.begin(); entry != map.end(); ++entry)
        object.insert(entry.key(), entry.value());
    return object;
}

QMap<QString, QString> mapOf(const QJsonValue &value)
{
    QMap<QString, QString> map;
    const QJsonObject object = value.toObject();
    for (auto entry = object.begin(); entry != object.end(); ++entry) {
        if (entry.value().isString())
            map.insert(entry.key(), entry.value().toString());
    }
    return map;
}

} // namespace

QJsonObject CreateDefaults::toJson() const
{
    return {{QStringLiteral("metadata"), objectOf(metadata)},
            {QStringLiteral("envVars"), objectOf(envVars)},
            {QStringLiteral("network"), network},
            {QStringLiteral("mcp"), mcp},
            {QStringLiteral("volumeMounts"), volumeMounts}};
}

CreateDefaults CreateDefaults::fromJson(const QJsonObject &object)
{
    return {.metadata = mapOf(object.value(QLatin1String("metadata"))),
            .envVars = mapOf(object.value(QLatin1String("envVars"))),
            .network = object.value(QLatin1String("network")).toObject(),
            .mcp = object.value(QLatin1String("mcp")).toObject(),
            .volumeMounts = object.value(QLatin1String("volumeMounts")).toArray()};
}

} // namespace boxdeck::session
