// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/control_plane/json_members.h"

#include "backend/host/control_plane/api_error.h"

namespace boxdeck::host {

namespace json = boost::json;

void invalidRequest(const std::string &what)
{
    throw ApiError(400, "validation error: " + what);
}

json::object objectOf(std::string_view body, bool mayBeEmpty)
{
    if (body.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        if (mayBeEmpty)
            return {};
        invalidRequest("the request needs a JSON body");
    }
    boost::system::error_code error;
    json::value value = json::parse(body, error);
    if (error)
        invalidRequest("the body is not JSON (" + error.message() + ")");
    if (!value.is_object())
        invalidRequest("the body is not a JSON object");
    return std::move(value.as_object());
}

std::string textOf(const json::value *value, const std::string &name)
{
    if (value == nullptr)
        return {};
    if (!value->is_string())
        invalidRequest(name + " must be text");
    return std::string(value->as_string());
}

bool flagOf(const json::value *value, const std::string &name, bool fallback)
{
    if (value == nullptr)
        return fallback;
    if (!value->is_bool())
        invalidRequest(name + " must be true or false");
    return value->as_bool();
}

std::vector<std::string> textListOf(const json::value *value, const std::string &name)
{
    std::vector<std::string> texts;
    if (value == nullptr)
        return texts;
    if (!value->is_array())
        invalidRequest(name + " must be a list");
    for (const json::value &text : value->as_array()) {
        if (!text.is_string())
            invalidRequest(name + " must hold text only");
        texts.emplace_back(text.as_string());
    }
    return texts;
}

} // namespace boxdeck::host
