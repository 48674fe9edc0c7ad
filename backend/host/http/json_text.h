// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace boxdeck::host::http {

/// Appends the text as a JSON string. Bytes that are no UTF-8 (a file name may hold any) become U+FFFD, because a
/// document with raw ones is refused as a whole by every reader.
void appendJsonString(std::string &out, std::string_view text);

/// Writes JSON text straight into a string: no tree in between, so that a listing of 100,000 entries stays cheap.
/// Commas are its business, nesting is the caller's.
class JsonWriter
{
public:
    explicit JsonWriter(std::string &out)
        : m_out(out)
    {
    }

    JsonWriter &beginObject();
    JsonWriter &endObject();
    JsonWriter &beginArray();
    JsonWriter &endArray();
    JsonWriter &key(std::string_view name);
    JsonWriter &string(std::string_view value);
    JsonWriter &number(std::int64_t value);
    /// A 64-bit integer as proto3 JSON has it: text.
    JsonWriter &numberText(std::int64_t value);
    JsonWriter &boolean(bool value);
    /// Text that is JSON already.
    JsonWriter &raw(std::string_view json);

private:
    void separate();

    std::string &m_out;
    bool m_first = true;
};

} // namespace boxdeck::host::http
