// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boxdeck::host::http {

/// Decodes %XX once and leaves everything else alone (a path keeps its '+').
/// Nothing when a '%' is not followed by two hex digits.
std::optional<std::string> percentDecode(std::string_view text);

/// Encodes every byte that is not unreserved (RFC 3986) as %XX; '/' too.
std::string percentEncode(std::string_view text);

/// A decoded query. Form rules: pairs are cut at '&', '+' is a space, a name without '=' has an empty value.
class Query
{
public:
    /// Nothing when a percent sign is malformed.
    static std::optional<Query> parse(std::string_view query);

    /// The first value of that name.
    std::optional<std::string> get(std::string_view name) const;
    /// How often that name was given.
    std::size_t count(std::string_view name) const;
    /// Every value of that name, in order.
    std::vector<std::string> all(std::string_view name) const;

private:
    std::vector<std::pair<std::string, std::string>> m_pairs;
};

/// Standard base64 with padding.
std::string base64Encode(std::string_view bytes);
/// Appends standard base64 with padding of the bytes to the text.
void appendBase64(std::string &text, std::string_view bytes);
/// Reads both base64 alphabets, padding optional; nothing when a character belongs to neither.
std::optional<std::string> base64Decode(std::string_view text);

/// The user name of an "Authorization: Basic …" value: the decoded text before its first colon.
/// Nothing when the scheme is another one or the payload is no base64 with a colon.
std::optional<std::string> basicUserName(std::string_view authorization);

} // namespace boxdeck::host::http
