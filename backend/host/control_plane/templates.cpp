// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/control_plane/templates.h"

#include <algorithm>

#include "backend/host/control_plane/api_error.h"

namespace boxdeck::host {

namespace {

bool onlyOf(const std::string &text, std::string_view extra)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [extra](char letter) {
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

const std::vector<Template> &allTemplates()
{
    static const std::vector<Template> templates{
        {.id = "boxdecklocalbase0001", .buildId = "5b0c8c1e-52f4-4c86-9d0b-0b0de0000001", .name = "base"}};
    return templates;
}

Template resolveTemplate(const std::string &text)
{
    std::string name = normal(text);
    std::string tag = "default";
    if (const auto colon = name.find(':'); colon != std::string::npos) {
        tag = name.substr(colon + 1);
        name.resize(colon);
    }
    const auto slash = name.find('/');
    const std::string space = slash == std::string::npos ? std::string() : name.substr(0, slash);
    const std::string bare = slash == std::string::npos ? name : name.substr(slash + 1);
    if (!onlyOf(bare, "_-") || !onlyOf(tag, "_.-") || (slash != std::string::npos && !onlyOf(space, "_-")))
        throw ApiError(400, "'" + text + "' is no template name; expected [namespace/]name[:tag]");
    for (const Template &candidate : allTemplates()) {
        if (!space.empty() || (candidate.name != bare && candidate.id != bare))
            continue;
        if (tag != "default")
            throw ApiError(404, "tag '" + tag + "' does not exist for template '" + bare + "'");
        return candidate;
    }
    throw ApiError(404, "template '" + name + "' not found");
}

Template templateById(const std::string &id)
{
    for (const Template &candidate : allTemplates()) {
        if (candidate.id == id)
            return candidate;
    }
    throw ApiError(404, "template '" + id + "' not found");
}

} // namespace boxdeck::host
