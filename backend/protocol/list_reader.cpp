// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/list_reader.h"

namespace boxdeck::protocol {

Result<QList<JsonReader>> listItems(const JsonReader &reader)
{
    if (!reader.isObject()) {
        auto items = reader.items();
        return reader.result(std::move(items));
    }
    QString arrayKey;
    const QJsonObject object = reader.value().toObject();
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (!it.value().isArray())
            continue;
        if (!arrayKey.isEmpty())
            reader.problem(QStringLiteral("several arrays where one list was expected"));
        arrayKey = it.key();
    }
    if (arrayKey.isEmpty())
        reader.problem(QStringLiteral("no list in the answer"));
    if (auto wrong = reader.error())
        return tl::unexpected(std::move(*wrong));
    return reader.member(arrayKey).items();
}

} // namespace boxdeck::protocol
