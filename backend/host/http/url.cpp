// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/http/url.h"

#include "backend/host/http/headers.h"

#include <array>
#include <cstdint>

namespace boxdeck::host::http {

namespace {

int hexValue(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

std::optional<std::string> decode(std::string_view text, bool plusIsSpace)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            if (i + 2 >= text.size())
                return std::nullopt;
            const int high = hexValue(text[i + 1]);
            const int low = hexValue(text[i + 2]);
            if (high < 0 || low < 0)
                return std::nullopt;
            out.push_back(static_cast<char>(high * 16 + low));
            i += 2;
        } else {
            out.push_back(plusIsSpace && text[i] == '+' ? ' ' : text[i]);
        }
    }
    return out;
}

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Two characters for every twelve bits: half the look-ups of the usual table, on the hot path of terminal output.
const std::array<std::array<char, 2>, 4096> &pairTable()
{
    static const auto table = [] {
        std::array<std::array<char, 2>, 4096> pairs{};
        for (std::size_t i = 0; i < pairs.size(); ++i)
            pairs[i] = {alphabet[i >> 6], alphabet[i & 63]};
        return pairs;
    }();
    return table;
}

int base64Value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+' || c == '-')
        return 62;
    if (c == '/' || c == '_')
        return 63;
    return -1;
}

} // namespace

std::optional<std::string> percentDecode(std::string_view text)
{
    return decode(text, false);
}

std::string percentEncode(std::string_view text)
{
    constexpr std::string_view hex = "0123456789ABCDEF";
    std::string out;
    out.reserve(text.size() * 3);
    for (const char c : text) {
        const bool unreserved = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                                c == '-' || c == '.' || c == '_' || c == '~';
        if (unreserved) {
            out.push_back(c);
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out.push_back('%');
            out.push_back(hex[byte >> 4]);
            out.push_back(hex[byte & 15]);
        }
    }
    return out;
}

std::optional<Query> Query::parse(std::string_view query)
{
    Query result;
    while (!query.empty()) {
        const std::size_t end = query.find('&');
        const std::string_view pair = query.substr(0, end);
        query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
        if (pair.empty())
            continue;
        const std::size_t equals = pair.find('=');
        auto name = decode(pair.substr(0, equals), true);
        auto value = equals == std::string_view::npos ? std::optional<std::string>(std::string())
                                                      : decode(pair.substr(equals + 1), true);
        if (!name || !value)
            return std::nullopt;
        result.m_pairs.emplace_back(std::move(*name), std::move(*value));
    }
    return result;
}

std::optional<std::string> Query::get(std::string_view name) const
{
    for (const auto &[key, value] : m_pairs) {
        if (key == name)
            return value;
    }
    return std::nullopt;
}

std::size_t Query::count(std::string_view name) const
{
    std::size_t found = 0;
    for (const auto &pair : m_pairs)
        found += pair.first == name ? 1 : 0;
    return found;
}

std::vector<std::string> Query::all(std::string_view name) const
{
    std::vector<std::string> values;
    for (const auto &[key, value] : m_pairs) {
        if (key == name)
            values.push_back(value);
    }
    return values;
}

void appendBase64(std::string &text, std::string_view bytes)
{
    const auto &pairs = pairTable();
    const std::size_t start = text.size();
    text.resize(start + (bytes.size() + 2) / 3 * 4);
    char *out = text.data() + start;
    const auto *in = reinterpret_cast<const unsigned char *>(bytes.data());
    std::size_t left = bytes.size();
    for (; left >= 3; left -= 3, in += 3, out += 4) {
        const std::uint32_t triple = static_cast<std::uint32_t>(in[0] << 16 | in[1] << 8 | in[2]);
        const auto &first = pairs[triple >> 12];
        const auto &second = pairs[triple & 4095];
        out[0] = first[0];
        out[1] = first[1];
        out[2] = second[0];
        out[3] = second[1];
    }
    if (left > 0) {
        const std::uint32_t triple = static_cast<std::uint32_t>(in[0] << 16 | (left == 2 ? in[1] << 8 : 0));
        out[0] = alphabet[triple >> 18];
        out[1] = alphabet[triple >> 12 & 63];
        out[2] = left == 2 ? alphabet[triple >> 6 & 63] : '=';
        out[3] = '=';
    }
}

std::string base64Encode(std::string_view bytes)
{
    std::string text;
    appendBase64(text, bytes);
    return text;
}

std::optional<std::string> base64Decode(std::string_view text)
{
    while (!text.empty() && text.back() == '=')
        text.remove_suffix(1);
    if (text.size() % 4 == 1)
        return std::nullopt;
    std::string out;
    out.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t bits = 0;
    int have = 0;
    for (const char c : text) {
        const int value = base64Value(c);
        if (value < 0)
            return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        have += 6;
        if (have >= 8) {
            have -= 8;
            out.push_back(static_cast<char>(bits >> have & 255));
        }
    }
    return out;
}

std::optional<std::string> basicUserName(std::string_view authorization)
{
    constexpr std::string_view scheme = "Basic ";
    if (authorization.size() < scheme.size() || !equalIgnoringCase(authorization.substr(0, scheme.size()), scheme))
        return std::nullopt;
    const auto decoded = base64Decode(authorization.substr(scheme.size()));
    if (!decoded)
        return std::nullopt;
    const std::size_t colon = decoded->find(':');
    if (colon == std::string::npos)
        return std::nullopt;
    return decoded->substr(0, colon);
}

} // namespace boxdeck::host::http
