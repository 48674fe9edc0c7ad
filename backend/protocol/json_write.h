// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QStringList>

#include <chrono>
#include <optional>

namespace boxdeck::protocol {

// Bodies of requests. A member nobody set is left out: servers refuse null, and strict ones what they do not know.

inline QByteArray compact(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

inline QJsonObject objectOf(const QMap<QString, QString> &map)
{
    QJsonObject object;
    for (auto it = map.begin(); it != map.end(); ++it)
        object.insert(it.key(), it.value());
    return object;
}

inline qint64 secondsOf(std::chrono::seconds duration)
{
    return duration.count();
}

inline void putSet(QJsonObject &into, QLatin1String key, const QString &text)
{
    if (!text.isEmpty())
        into.insert(key, text);
}

inline void putSet(QJsonObject &into, QLatin1String key, const QStringList &list)
{
    if (!list.isEmpty())
        into.insert(key, QJsonArray::fromStringList(list));
}

inline void putSet(QJsonObject &into, QLatin1String key, const QMap<QString, QString> &map)
{
    if (!map.isEmpty())
        into.insert(key, objectOf(map));
}

inline void putSet(QJsonObject &into, QLatin1String key, const QJsonObject &object)
{
    if (!object.isEmpty())
        into.insert(key, object);
}

template <typename T> void putSet(QJsonObject &into, QLatin1String key, const std::optional<T> &value)
{
    if (value)
        into.insert(key, QJsonValue(*value));
}

} // namespace boxdeck::protocol
