// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/team_codec.h"

#include "backend/protocol/decode.h"
#include "backend/protocol/json_write.h"

namespace boxdeck::protocol {

using namespace Qt::StringLiterals;

namespace {

KeyMask readMask(const JsonReader &reader)
{
    return {.prefix = reader["prefix"_L1].text(),
            .valueLength = reader["valueLength"_L1].smallInt(),
            .start = reader["maskedValuePrefix"_L1].text(),
            .end = reader["maskedValueSuffix"_L1].text()};
}

QString readCreator(const JsonReader &reader)
{
    if (!reader.isObject())
        return reader.isText() ? reader.text() : QString();
    const QString email = reader["email"_L1].text();
    return email.isEmpty() ? reader["id"_L1].text() : email;
}

KeyInfo readKey(const JsonReader &reader)
{
    return {.id = reader["id"_L1].mustText(),
            .name = reader["name"_L1].text(),
            .mask = readMask(reader["mask"_L1]),
            .createdAt = reader["createdAt"_L1].time(),
            .lastUsed = reader["lastUsed"_L1].time(),
            .createdBy = readCreator(reader["createdBy"_L1])};
}

} // namespace

Result<QList<Team>> decodeTeams(const QByteArray &json)
{
    return decodeList(json, [](const JsonReader &reader) {
        return Team{.id = reader["teamID"_L1].mustText(),
                    .name = reader["name"_L1].text(),
                    .apiKey = Secret(reader["apiKey"_L1].text().toUtf8()),
                    .isDefault = reader["isDefault"_L1].boolean()};
    });
}

Result<QList<KeyInfo>> decodeKeys(const QByteArray &json)
{
    return decodeList(json, readKey);
}

Result<CreatedKey> decodeCreatedKey(const QByteArray &json)
{
    return decodeOne(json, [](const JsonReader &reader) {
        CreatedKey key{readKey(reader), {}};
        key.value = Secret(reader.either("key"_L1, "token"_L1).mustText().toUtf8());
        return key;
    });
}

QByteArray encodeKeyName(const QString &name)
{
    return compact({{u"name"_s, name}});
}

} // namespace boxdeck::protocol
