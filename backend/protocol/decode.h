// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/list_reader.h"

namespace boxdeck::protocol {

/// One value from a document, read by `read(const JsonReader &)`.
template <typename Read> auto decodeOne(const QByteArray &json, Read read) -> Result<decltype(read(JsonReader({})))>
{
    const auto reader = JsonReader::parse(json);
    if (!reader)
        return tl::unexpected(reader.error());
    return reader->result(read(*reader));
}

/// A list of such values, in the forms of listItems().
template <typename Read>
auto decodeList(const QByteArray &json, Read read) -> Result<QList<decltype(read(JsonReader({})))>>
{
    const auto reader = JsonReader::parse(json);
    if (!reader)
        return tl::unexpected(reader.error());
    const auto items = listItems(*reader);
    if (!items)
        return tl::unexpected(items.error());
    QList<decltype(read(*reader))> list;
    list.reserve(items->size());
    for (const JsonReader &item : *items)
        list.append(read(item));
    return reader->result(std::move(list));
}

/// A member that is a list of such values; none if absent.
template <typename Read> auto readList(const JsonReader &reader, Read read) -> QList<decltype(read(reader))>
{
    QList<decltype(read(reader))> list;
    for (const JsonReader &item : reader.items())
        list.append(read(item));
    return list;
}

} // namespace boxdeck::protocol
