// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <sys/types.h>

namespace boxdeck::host::envd {

/// Arguments of a tool.
using ToolValues = std::map<std::string, std::string>;

/// Who is to own what a tool makes.
struct Owner
{
    uid_t uid = 0;
    gid_t gid = 0;
};

/// `user[:group]`, each a name or a number; without a group the account's own. Throws std::runtime_error.
Owner ownerFromText(const std::string &text);

/// Makes @p path and what is missing above it, owned by @p owner. Throws std::system_error.
void makeFolders(const std::string &path, const Owner &owner);

/// Sets the owner of @p path itself. Without the right to (a sandbox with one account) it stays. Throws
/// std::system_error.
void giveTo(const std::string &path, const Owner &owner);

/// COPY (protocol/lifecycle.md, section 7). `stream` file with CopyFrames, whose first has an empty path and is no
/// folder when one file or link is to be placed, which is called `name`; `target`, relative to `workdir`, or to the
/// home of `user` without one; `owner`; `mode` octal, or empty to keep the modes. A trailing slash makes the target a
/// folder. Folders are merged: those that are there keep what they are, links to folders are followed; files and links
/// are replaced. Throws std::exception.
void placeTool(const ToolValues &values);

} // namespace boxdeck::host::envd
