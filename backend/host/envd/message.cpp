// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/message.h"

#include "backend/host/envd/rpc_error.h"
#include "backend/host/http/url.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <charconv>
#include <cmath>

namespace boxdeck::host::envd {

namespace json = boost::json;

namespace {

[[noreturn]] void wrongType(std::string_view name, std::string_view wanted)
{
    throw RpcError(Code::InvalidArgument, "invalid value for " + std::string(wanted) + " field " + std::string(name));
}

std::string snakeCase(std::string_view name)
{
    std::string out;
    for (const char c : name) {
        if (c >= 'A' && c <= 'Z') {
            out.push_back('_');
            out.push_back(static_cast<char>(c - 'A' + 'a'));
        } else {
            out.push_back(c);
        }
    }
    return out;
}

std::optional<std::int64_t> integer(const json::value &value)
{
    if (value.is_int64())
        return value.get_int64();
    if (value.is_double()) {
        const double number = value.get_double();
        if (std::trunc(number) == number && std::abs(number) < 9e15)
            return static_cast<std::int64_t>(number);
        return std::nullopt;
    }
    if (value.is_string()) {
        const std::string_view text = value.get_string();
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc() && end == text.data() + text.size())
            return number;
    }
    return std::nullopt;
}

} // namespace

Message Message::parse(std::string_view text)
{
    json::error_code ec;
    const json::value value = json::parse(json::string_view(text.data(), text.size()), ec);
    if (ec)
        throw RpcError(Code::InvalidArgument, "unmarshal message: " + ec.message());
    if (!value.is_object())
        throw RpcError(Code::InvalidArgument, "unmarshal message: not a JSON object");
    return Message(value.get_object());
}

const json::value *Message::find(std::string_view name) const
{
    const json::value *value = m_object.if_contains(json::string_view(name.data(), name.size()));
    if (value == nullptr)
        value = m_object.if_contains(snakeCase(name));
    return value != nullptr && value->is_null() ? nullptr : value;
}

std::optional<std::string> Message::optionalString(std::string_view name) const
{
    const json::value *value = find(name);
    if (value == nullptr)
        return std::nullopt;
    if (!value->is_string())
        wrongType(name, "string");
    return std::string(std::string_view(value->get_string()));
}

std::uint32_t Message::uint32(std::string_view name) const
{
    const json::value *value = find(name);
    if (value == nullptr)
        return 0;
    const auto number = integer(*value);
    if (!number || *number < 0 || *number > std::int64_t{0xFFFFFFFF})
        wrongType(name, "uint32");
    return static_cast<std::uint32_t>(*number);
}

std::optional<bool> Message::optionalBool(std::string_view name) const
{
    const json::value *value = find(name);
    if (value == nullptr)
        return std::nullopt;
    if (!value->is_bool())
        wrongType(name, "bool");
    return value->get_bool();
}

std::optional<std::string> Message::optionalBytes(std::string_view name) const
{
    const json::value *value = find(name);
    if (value == nullptr)
        return std::nullopt;
    if (!value->is_string())
        wrongType(name, "bytes");
    auto bytes = http::base64Decode(value->get_string());
    if (!bytes)
        wrongType(name, "bytes");
    return bytes;
}

std::optional<Message> Message::optionalMessage(std::string_view name) const
{
    const json::value *value = find(name);
    if (value == nullptr)
        return std::nullopt;
    if (!value->is_object())
        wrongType(name, "message");
    return Message(value->get_object());
}

std::vector<std::string> Message::strings(std::string_view name) const
{
    std::vector<std::string> out;
    const json::value *value = find(name);
    if (value == nullptr)
        return out;
    if (!value->is_array())
        wrongType(name, "repeated string");
    for (const json::value &item : value->get_array()) {
        if (!item.is_string())
            wrongType(name, "repeated string");
        out.emplace_back(std::string_view(item.get_string()));
    }
    return out;
}

std::map<std::string, std::string> Message::stringMap(std::string_view name) const
{
    std::map<std::string, std::string> out;
    const json::value *value = find(name);
    if (value == nullptr)
        return out;
    if (!value->is_object())
        wrongType(name, "map");
    for (const auto &member : value->get_object()) {
        if (!member.value().is_string())
            wrongType(name, "map");
        out[std::string(std::string_view(member.key()))] = std::string_view(member.value().get_string());
    }
    return out;
}

std::optional<int> Message::optionalEnum(std::string_view name,
                                         const std::vector<std::pair<std::string_view, int>> &names) const
{
    const json::value *value = find(name);
    if (value == nullptr)
        return std::nullopt;
    if (value->is_string()) {
        for (const auto &[text, number] : names) {
            if (std::string_view(value->get_string()) == text)
                return number;
        }
    }
    const auto number = integer(*value);
    if (!number) {
        if (!value->is_string())
            wrongType(name, "enum");
        return -1;
    }
    return static_cast<int>(*number);
}

} // namespace boxdeck::host::envd
