// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/http/json_text.h"

#include <array>
#include <charconv>

namespace boxdeck::host::http {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

// Length of the valid UTF-8 sequence the text begins with, 0 when it begins with none.
std::size_t sequenceLength(std::string_view text)
{
    const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto continues = [&](std::size_t i) { return i < text.size() && (byte(i) & 0xC0) == 0x80; };
    const unsigned char first = byte(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return continues(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        if (!continues(1) || !continues(2))
            return 0;
        const bool overlong = first == 0xE0 && byte(1) < 0xA0;
        const bool surrogate = first == 0xED && byte(1) >= 0xA0;
        return overlong || surrogate ? 0 : 3;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        if (!continues(1) || !continues(2) || !continues(3))
            return 0;
        const bool overlong = first == 0xF0 && byte(1) < 0x90;
        const bool tooLarge = first == 0xF4 && byte(1) >= 0x90;
        return overlong || tooLarge ? 0 : 4;
    }
    return 0;
}

void appendEscaped(std::string &out, char c)
{
    constexpr std::string_view hex = "0123456789abcdef";
    switch (c) {
    case '"':
        out += "\\\"";
        return;
    case '\\':
        out += "\\\\";
        return;
    case '\n':
        out += "\\n";
        return;
    case '\r':
        out += "\\r";
        return;
    case '\t':
        out += "\\t";
        return;
    default:
        out += "\\u00";
        out.push_back(hex[static_cast<unsigned char>(c) >> 4]);
        out.push_back(hex[static_cast<unsigned char>(c) & 15]);
    }
}

} // namespace

void appendJsonString(std::string &out, std::string_view text)
{
    out.push_back('"');
    std::size_t plain = 0; // start of what can be copied as it stands
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\') {
            ++i;
            continue;
        }
        const std::size_t length = byte < 0x80 ? 0 : sequenceLength(text.substr(i));
        if (length > 0) {
            i += length;
            continue;
        }
        out.append(text, plain, i - plain);
        if (byte < 0x80)
            appendEscaped(out, text[i]);
        else
            out += replacement;
        plain = ++i;
    }
    out.append(text, plain);
    out.push_back('"');
}

void JsonWriter::separate()
{
    if (!m_first)
        m_out.push_back(',');
    m_first = false;
}

JsonWriter &JsonWriter::beginObject()
{
    separate();
    m_out.push_back('{');
    m_first = true;
    return *this;
}

JsonWriter &JsonWriter::endObject()
{
    m_out.push_back('}');
    m_first = false;
    return *this;
}

JsonWriter &JsonWriter::beginArray()
{
    separate();
    m_out.push_back('[');
    m_first = true;
    return *this;
}

JsonWriter &JsonWriter::endArray()
{
    m_out.push_back(']');
    m_first = false;
    return *this;
}

JsonWriter &JsonWriter::key(std::string_view name)
{
    separate();
    appendJsonString(m_out, name);
    m_out.push_back(':');
    m_first = true;
    return *this;
}

JsonWriter &JsonWriter::string(std::string_view value)
{
    separate();
    appendJsonString(m_out, value);
    return *this;
}

JsonWriter &JsonWriter::number(std::int64_t value)
{
    separate();
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    m_out.append(digits.data(), end);
    return *this;
}

JsonWriter &JsonWriter::numberText(std::int64_t value)
{
    separate();
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    m_out.push_back('"');
    m_out.append(digits.data(), end);
    m_out.push_back('"');
    return *this;
}

JsonWriter &JsonWriter::boolean(bool value)
{
    separate();
    m_out += value ? "true" : "false";
    return *this;
}

JsonWriter &JsonWriter::raw(std::string_view json)
{
    separate();
    m_out += json;
    return *this;
}

} // namespace boxdeck::host::http
