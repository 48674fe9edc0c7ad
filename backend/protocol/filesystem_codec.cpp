// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/filesystem_codec.h"

#include "backend/protocol/json_reader.h"

#include <QJsonDocument>

namespace boxdeck::protocol {

namespace {

QLatin1String operator""_key(const char *text, size_t size)
{
    return QLatin1String(text, static_cast<qsizetype>(size));
}

QByteArray compact(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

/// Names and numbers, with and without the prefix (protocol/compat.md 3.26). A symlink type tells nothing about the
/// target; envd practically never sends it.
FileType fileType(const JsonReader &reader)
{
    QString word = reader.text().trimmed().toUpper();
    if (word.startsWith(QLatin1String("FILE_TYPE_")))
        word.remove(0, 10);
    if (word == QLatin1String("FILE") || word == QLatin1String("1"))
        return FileType::File;
    if (word == QLatin1String("DIRECTORY") || word == QLatin1String("DIR") || word == QLatin1String("2"))
        return FileType::Directory;
    return FileType::Unknown;
}

WatchEvent::Kind eventKind(const JsonReader &reader)
{
    QString word = reader.text().trimmed().toUpper();
    if (word.startsWith(QLatin1String("EVENT_TYPE_")))
        word.remove(0, 11);
    static const QMap<QString, WatchEvent::Kind> words{
        {QStringLiteral("CREATE"), WatchEvent::Kind::Create}, {QStringLiteral("1"), WatchEvent::Kind::Create},
        {QStringLiteral("WRITE"), WatchEvent::Kind::Write},   {QStringLiteral("2"), WatchEvent::Kind::Write},
        {QStringLiteral("REMOVE"), WatchEvent::Kind::Remove}, {QStringLiteral("3"), WatchEvent::Kind::Remove},
        {QStringLiteral("RENAME"), WatchEvent::Kind::Rename}, {QStringLiteral("4"), WatchEvent::Kind::Rename},
        {QStringLiteral("CHMOD"), WatchEvent::Kind::Chmod},   {QStringLiteral("5"), WatchEvent::Kind::Chmod},
    };
    return words.value(word, WatchEvent::Kind::Other);
}

EntryInfo readEntry(const JsonReader &reader)
{
    EntryInfo entry;
    entry.name = reader["name"_key].text().toUtf8();
    // A path that is not absolute must not hide the rest of a listing: it is left at "/", where the entry's name does
    // not belong, so isDirectChildOf() refuses it.
    entry.path = RemotePath::parse(reader["path"_key].text()).value_or(RemotePath());
    entry.type = fileType(reader["type"_key]);
    entry.size = reader["size"_key].integer();
    entry.mode = reader["mode"_key].uint32();
    entry.permissions = reader["permissions"_key].text();
    entry.owner = reader["owner"_key].text();
    entry.group = reader["group"_key].text();
    entry.modified = reader.either("modifiedTime"_key, "modified_time"_key).time();
    if (const JsonReader target = reader.either("symlinkTarget"_key, "symlink_target"_key); !target.isAbsent())
        entry.symlinkTarget = target.text().toUtf8();
    entry.metadata = reader["metadata"_key].textMap();
    return entry;
}

WatchEvent readChange(const JsonReader &reader)
{
    WatchEvent event{.kind = eventKind(reader["type"_key]), .name = reader["name"_key].text().toUtf8()};
    if (const JsonReader entry = reader["entry"_key]; !entry.isAbsent())
        event.entry = readEntry(entry);
    return event;
}

} // namespace

bool EntryInfo::isDirectChildOf(const RemotePath &folder) const
{
    return RemotePath::isEntryName(name) && path.name() == name && path.parent() == folder;
}

QByteArray encodePath(const RemotePath &path)
{
    return compact({{QStringLiteral("path"), path.toString()}});
}

QByteArray encodeMove(const RemotePath &source, const RemotePath &destination)
{
    return compact(
        {{QStringLiteral("source"), source.toString()}, {QStringLiteral("destination"), destination.toString()}});
}

QByteArray encodeListDir(const RemotePath &path, int depth)
{
    return compact({{QStringLiteral("path"), path.toString()}, {QStringLiteral("depth"), qMax(1, depth)}});
}

QByteArray encodeWatch(const RemotePath &path, const WatchOptions &options)
{
    QJsonObject body{{QStringLiteral("path"), path.toString()}, {QStringLiteral("recursive"), options.recursive}};
    if (options.includeEntry)
        body.insert(QStringLiteral("includeEntry"), true);
    if (options.allowNetworkMounts)
        body.insert(QStringLiteral("allowNetworkMounts"), true);
    return compact(body);
}

QByteArray encodeWatcher(const QString &id)
{
    return compact({{QStringLiteral("watcherId"), id}});
}

QByteArray encodeCompose(const QList<RemotePath> &sources, const RemotePath &destination, const QString &user)
{
    QJsonArray paths;
    for (const RemotePath &source : sources)
        paths.append(source.toString());
    QJsonObject body{{QStringLiteral("source_paths"), paths}, {QStringLiteral("destination"), destination.toString()}};
    if (!user.isEmpty())
        body.insert(QStringLiteral("username"), user);
    return compact(body);
}

Result<std::optional<EntryInfo>> decodeEntry(const QByteArray &json)
{
    const auto reader = JsonReader::parse(json);
    if (!reader)
        return tl::unexpected(reader.error());
    const JsonReader entry = (*reader)["entry"_key];
    std::optional<EntryInfo> result;
    if (!entry.isAbsent())
        result = readEntry(entry);
    return reader->result(std::move(result));
}

Result<QList<EntryInfo>> decodeEntries(const QByteArray &json)
{
    const auto reader = JsonReader::parse(json);
    if (!reader)
        return tl::unexpected(reader.error());
    const QList<JsonReader> items = (*reader)["entries"_key].items();
    QList<EntryInfo> list;
    list.reserve(items.size());
    for (const JsonReader &item : items)
        list.append(readEntry(item));
    return reader->result(std::move(list));
}

Result<WatchEvent> decodeWatchEvent(const QByteArray &json)
{
    const auto reader = JsonReader::parse(json);
    if (!reader)
        return tl::unexpected(reader.error());
    WatchEvent event;
    if (const JsonReader change = (*reader)["filesystem"_key]; !change.isAbsent()) {
        event = readChange(change);
    } else if (!(*reader)["start"_key].isAbsent()) {
        event.kind = WatchEvent::Kind::Started;
    } else if (!(*reader)["keepalive"_key].isAbsent()) {
        event.kind = WatchEvent::Kind::KeepAlive;
    }
    return reader->result(std::move(event));
}

Result<QString> decodeWatcherId(const QByteArray &json)
{
    const auto reader = JsonReader::parse(json);
    if (!reader)
        return tl::unexpected(reader.error());
    return reader->result(reader->either("watcherId"_key, "watcher_id"_key).mustText());
}

Result<QList<WatchEvent>> decodeWatcherEvents(const QByteArray &json)
{
    const auto reader = JsonReader::parse(json);
    if (!reader)
        return tl::unexpected(reader.error());
    QList<WatchEvent> events;
    for (const JsonReader &item : (*reader)["events"_key].items())
        events.append(readChange(item));
    return reader->result(std::move(events));
}

} // namespace boxdeck::protocol
