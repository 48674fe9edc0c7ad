// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/volume_codec.h"

#include "backend/protocol/decode.h"
#include "backend/protocol/json_write.h"

#include <QRegularExpression>

namespace boxdeck::protocol {

using namespace Qt::StringLiterals;

namespace {

Volume readVolume(const JsonReader &reader)
{
    return {.id = {reader["volumeID"_L1].mustText()}, .name = reader["name"_L1].text()};
}

VolumeEntryType entryType(const QString &word)
{
    const QString lower = word.trimmed().toLower();
    if (lower == "file"_L1)
        return VolumeEntryType::File;
    if (lower == "directory"_L1 || lower == "dir"_L1)
        return VolumeEntryType::Directory;
    return lower == "symlink"_L1 ? VolumeEntryType::Symlink : VolumeEntryType::Unknown;
}

VolumeEntry readEntry(const JsonReader &reader)
{
    return {.name = reader["name"_L1].text(),
            .type = entryType(reader["type"_L1].text()),
            .path = reader["path"_L1].text(),
            .size = reader["size"_L1].integer(),
            .mode = reader["mode"_L1].uint32(),
            .uid = reader["uid"_L1].uint32(),
            .gid = reader["gid"_L1].uint32(),
            .atime = reader["atime"_L1].time(),
            .mtime = reader["mtime"_L1].time(),
            .ctime = reader["ctime"_L1].time(),
            .target = reader["target"_L1].text()};
}

template <typename Put> void forEachSet(const VolumeOwnership &ownership, Put put)
{
    for (const auto &[name, value] :
         {std::pair("uid", ownership.uid), std::pair("gid", ownership.gid), std::pair("mode", ownership.mode)}) {
        if (value)
            put(name, *value);
    }
}

} // namespace

Result<QList<Volume>> decodeVolumes(const QByteArray &json)
{
    return decodeList(json, readVolume);
}

Result<VolumeAccess> decodeVolumeAccess(const QByteArray &json)
{
    return decodeOne(json, [](const JsonReader &reader) {
        VolumeAccess access{readVolume(reader), {}, {}};
        access.token = Secret(reader["token"_L1].text().trimmed().toUtf8());
        access.domain = reader["domain"_L1].text().trimmed();
        return access;
    });
}

QByteArray encodeNewVolume(const QString &name)
{
    return compact({{u"name"_s, name}});
}

bool isVolumeName(const QString &name)
{
    static const QRegularExpression shape(u"^[a-zA-Z0-9_-]+$"_s);
    return shape.match(name).hasMatch();
}

Result<VolumeEntry> decodeVolumeEntry(const QByteArray &json)
{
    return decodeOne(json, readEntry);
}

Result<QList<VolumeEntry>> decodeVolumeEntries(const QByteArray &json)
{
    return decodeList(json, readEntry);
}

QByteArray encodeOwnership(const VolumeOwnership &ownership)
{
    QJsonObject body;
    forEachSet(ownership,
               [&](const char *name, quint32 value) { body.insert(QLatin1String(name), static_cast<qint64>(value)); });
    return compact(body);
}

QByteArray ownershipQuery(const VolumeOwnership &ownership)
{
    QByteArray query;
    forEachSet(ownership, [&](const char *name, quint32 value) {
        query += '&' + QByteArray(name) + '=' + QByteArray::number(value);
    });
    return query;
}

} // namespace boxdeck::protocol
