// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/stored_secret_codec.h"

#include "backend/protocol/decode.h"
#include "backend/protocol/json_write.h"

#include <QRegularExpression>

namespace boxdeck::protocol {

using namespace Qt::StringLiterals;

namespace {

StoredSecret readStoredSecret(const JsonReader &reader)
{
    return {.id = {reader["secretID"_L1].mustText()},
            .name = reader["name"_L1].text(),
            .version = reader["currentVersion"_L1].integer(),
            .metadata = reader["metadata"_L1].textMap(),
            .createdAt = reader["createdAt"_L1].time(),
            .updatedAt = reader["updatedAt"_L1].time()};
}

} // namespace

Result<StoredSecret> decodeStoredSecret(const QByteArray &json)
{
    return decodeOne(json, readStoredSecret);
}

Result<QList<StoredSecret>> decodeStoredSecrets(const QByteArray &json)
{
    return decodeList(json, readStoredSecret);
}

QByteArray encodeNewStoredSecret(const NewStoredSecret &secret)
{
    QJsonObject body{{u"name"_s, secret.name}, {u"value"_s, QString::fromUtf8(secret.value.reveal())}};
    putSet(body, "metadata"_L1, secret.metadata);
    return compact(body);
}

QByteArray encodeStoredSecretUpdate(const StoredSecretUpdate &update)
{
    QJsonObject body{{u"value"_s, QString::fromUtf8(update.value.reveal())}};
    if (update.metadata)
        body.insert("metadata"_L1, objectOf(*update.metadata)); // empty clears it
    return compact(body);
}

std::optional<Error> checkSecretName(const QString &name)
{
    static const QRegularExpression shape(u"^[a-zA-Z0-9_-]{1,128}$"_s);
    if (shape.match(name).hasMatch() && !name.startsWith("sec_"_L1, Qt::CaseInsensitive))
        return std::nullopt;
    return Error{.kind = ErrorKind::InvalidRequest, .code = u"bad_name"_s, .message = u"not a name for a secret"_s};
}

std::optional<Error> checkSecretMetadata(const QMap<QString, QString> &metadata)
{
    qsizetype total = 0;
    bool good = metadata.size() <= 32;
    for (auto it = metadata.begin(); it != metadata.end(); ++it) {
        const qsizetype key = it.key().toUtf8().size();
        const qsizetype value = it.value().toUtf8().size();
        good = good && key <= 128 && value <= 1024;
        total += key + value;
    }
    if (good && total <= 8192)
        return std::nullopt;
    return Error{.kind = ErrorKind::InvalidRequest,
                 .code = u"bad_metadata"_s,
                 .message = u"metadata of a secret is at most 32 short texts, 8 KiB in all"_s};
}

} // namespace boxdeck::protocol
