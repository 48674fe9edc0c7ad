// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace boxdeck::host {

/// Something sandboxes are made from.
struct Template
{
    std::string id;      ///< 20 characters of [a-z0-9]
    std::string buildId; ///< UUID text
    std::string name;

    bool operator==(const Template &) const = default;
};

/// The templates of this host: so far only the built-in `base`, this computer's own programs.
const std::vector<Template> &allTemplates();

/// Resolves `[namespace/]name[:tag]` or an id, trimmed and lower-cased. Throws ApiError: 400 for text that is no
/// template name, 404 for an unknown template or tag.
Template resolveTemplate(const std::string &text);

/// The template with that id. Throws ApiError 404.
Template templateById(const std::string &id);

} // namespace boxdeck::host
