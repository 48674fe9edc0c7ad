// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/json/object.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boxdeck::host::envd {

/// A request message in proto3 JSON, read tolerantly: lowerCamelCase or snake_case names, null means absent, numbers
/// as text and the other way round, unknown members ignored (protocol/envd.md 8.2 and 14). Every reading function
/// throws RpcError (invalid_argument) when a member has another type.
class Message
{
public:
    Message() = default;
    explicit Message(boost::json::object object)
        : m_object(std::move(object))
    {
    }
    /// Throws RpcError (invalid_argument) for text that is not one JSON object.
    static Message parse(std::string_view json);

    /// Names are given in lowerCamelCase.
    bool has(std::string_view name) const { return find(name) != nullptr; }
    /// Absent is the default value: "", 0, false.
    std::string string(std::string_view name) const { return optionalString(name).value_or(std::string()); }
    std::optional<std::string> optionalString(std::string_view name) const;
    std::uint32_t uint32(std::string_view name) const;
    std::optional<bool> optionalBool(std::string_view name) const;
    bool boolean(std::string_view name) const { return optionalBool(name).value_or(false); }
    /// Base64 of either alphabet, decoded.
    std::optional<std::string> optionalBytes(std::string_view name) const;
    std::optional<Message> optionalMessage(std::string_view name) const;
    std::vector<std::string> strings(std::string_view name) const;
    std::map<std::string, std::string> stringMap(std::string_view name) const;
    /// A number, or one of the names of an enumeration; nothing when absent, -1 for an unknown name.
    std::optional<int> optionalEnum(std::string_view name,
                                    const std::vector<std::pair<std::string_view, int>> &names) const;

private:
    const boost::json::value *find(std::string_view name) const;

    boost::json::object m_object;
};

} // namespace boxdeck::host::envd
