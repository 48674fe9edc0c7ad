// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/images/template_name.h"

#include <algorithm>
#include <string_view>

#include "backend/host/control_plane/api_error.h"
#include "backend/host/control_plane/data_folder.h"

namespace boxdeck::host {

namespace {

constexpr std::size_t longestName = 128;

bool onlyOf(const std::string &text, std::string_view extra)
{
    return !text.empty() && text.size() <= longestName && std::all_of(text.begin(), text.end(), [extra](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ||
               extra.find(letter) != std::string_view::npos;
    });
}

std::string normal(std::string text)
{
    text.erase(0, std::min(text.size(), text.find_first_not_of(" \t")));
    text.erase(text.find_last_not_of(" \t") + 1);
    std::transform(text.begin(), text.end(), text.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    });
    return text;
}

} // namespace

TemplateName readTemplateName(const std::string &text)
{
    TemplateName result{.name = normal(text)};
    const ApiError wrong(400, "'" + text + "' is no template name; expected [namespace/]name[:tag]");
    if (const auto colon = result.name.find(':'); colon != std::string::npos) {
        result.tag = result.name.substr(colon + 1);
        result.name.resize(colon);
        if (!onlyOf(result.tag, "_.-"))
            throw wrong;
    }
    if (const auto slash = result.name.find('/'); slash != std::string::npos) {
        result.space = result.name.substr(0, slash);
        result.name.erase(0, slash + 1);
        if (!onlyOf(result.space, "_-"))
            throw wrong;
    }
    if (!onlyOf(result.name, "_-"))
        throw wrong;
    return result;
}

std::string readTag(const std::string &text)
{
    const std::string tag = normal(text);
    if (!onlyOf(tag, "_.-"))
        throw ApiError(400, "'" + text + "' is no tag; letters, digits, '_', '.' and '-' are allowed");
    if (isUuid(tag))
        throw ApiError(400, "the tag '" + text + "' looks like the id of a build; choose another");
    return tag;
}

bool isUuid(const std::string &text)
{
    if (text.size() != 36)
        return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        const char letter = text[i];
        const bool digit =
            (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
        if (dash ? letter != '-' : !digit)
            return false;
    }
    return true;
}

std::string randomUuid()
{
    std::string text = randomHex(32);
    text[12] = '4';
    text[16] = "89ab"[static_cast<unsigned char>(text[16]) % 4];
    for (const std::size_t at : {8U, 13U, 18U, 23U})
        text.insert(at, 1, '-');
    return text;
}

} // namespace boxdeck::host
