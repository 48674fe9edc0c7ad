// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/snapshot_codec.h"

#include "backend/protocol/decode.h"
#include "backend/protocol/json_write.h"

namespace boxdeck::protocol {

using namespace Qt::StringLiterals;

namespace {

Snapshot readSnapshot(const JsonReader &reader)
{
    return {.id = {reader["snapshotID"_L1].mustText()}, .names = reader["names"_L1].texts()};
}

} // namespace

Result<Snapshot> decodeSnapshot(const QByteArray &json)
{
    return decodeOne(json, readSnapshot);
}

Result<QList<Snapshot>> decodeSnapshots(const QByteArray &json)
{
    return decodeList(json, readSnapshot);
}

QByteArray encodeNewSnapshot(const QString &name)
{
    QJsonObject body;
    putSet(body, "name"_L1, name.trimmed());
    return compact(body);
}

} // namespace boxdeck::protocol
