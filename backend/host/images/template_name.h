// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace boxdeck::host {

/// The namespace of everything that is made here: this host has one team, and this is its slug.
inline constexpr const char *teamSlug = "local";

/// What a caller may call a template: `[namespace/]name[:tag]`, or an id in place of the name
/// (protocol/lifecycle.md, section 6). Trimmed and lower-cased.
struct TemplateName
{
    std::string space; ///< empty when none was given
    std::string name;
    std::string tag; ///< empty when none was given

    std::string tagOrDefault() const { return tag.empty() ? "default" : tag; }
    bool operator==(const TemplateName &) const = default;
};

/// Throws ApiError 400 for text that is no such name.
TemplateName readTemplateName(const std::string &text);

/// A tag, trimmed and lower-cased. Throws ApiError 400 for other characters than [a-z0-9_.-] and for a UUID, which
/// would be taken for a build.
std::string readTag(const std::string &text);

/// Whether @p text has the form of a UUID.
bool isUuid(const std::string &text);
/// A new random UUID (version 4).
std::string randomUuid();

} // namespace boxdeck::host
