// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/rpc_error.h"

#include "backend/host/http/json_text.h"

#include <array>
#include <cstring>

namespace boxdeck::host::envd {

namespace {

struct CodeEntry
{
    std::string_view name;
    int status;
};

constexpr std::array<CodeEntry, 16> codes{{
    {"canceled", 499},
    {"unknown", 500},
    {"invalid_argument", 400},
    {"deadline_exceeded", 504},
    {"not_found", 404},
    {"already_exists", 409},
    {"permission_denied", 403},
    {"resource_exhausted", 429},
    {"failed_precondition", 400},
    {"aborted", 409},
    {"out_of_range", 400},
    {"unimplemented", 501},
    {"internal", 500},
    {"unavailable", 503},
    {"data_loss", 500},
    {"unauthenticated", 401},
}};

} // namespace

std::string_view codeName(Code code)
{
    return codes[static_cast<std::size_t>(code)].name;
}

int httpStatus(Code code)
{
    return codes[static_cast<std::size_t>(code)].status;
}

std::string RpcError::json() const
{
    std::string out;
    http::JsonWriter writer(out);
    writer.beginObject().key("code").string(codeName(m_code)).key("message").string(what()).endObject();
    return out;
}

std::string HttpError::json() const
{
    std::string out;
    http::JsonWriter writer(out);
    writer.beginObject().key("code").number(m_status).key("message").string(what()).endObject();
    return out;
}

std::string errnoText(int error)
{
    // strerrordesc_np and not strerror: several threads ask, and the text must not depend on a locale.
    const char *text = strerrordesc_np(error);
    if (text == nullptr)
        return "error " + std::to_string(error);
    std::string result(text);
    if (result.size() > 1 && result[1] >= 'a' && result[1] <= 'z' && result[0] >= 'A' && result[0] <= 'Z')
        result[0] = static_cast<char>(result[0] - 'A' + 'a');
    return result;
}

} // namespace boxdeck::host::envd
