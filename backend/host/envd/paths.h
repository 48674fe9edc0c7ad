// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <sys/types.h>

namespace boxdeck::host::envd {

/// Lexically shortest form of a path: no "." or "..", no doubled slashes. Empty becomes ".".
std::string cleanPath(std::string_view path);
/// The two joined by a slash and cleaned.
std::string joinPath(std::string_view base, std::string_view name);
/// The part before the last slash, cleaned; "/" at the root, "." without a slash.
std::string parentPath(std::string_view path);
/// The last element, trailing slashes ignored.
std::string baseName(std::string_view path);

/// What a path of a request means (protocol/envd.md 10.2): an absolute one as it stands, "~" and "~/x" in the home,
/// a relative one joined to the home and cleaned, an empty one the default directory if there is one, else the home.
/// Throws std::invalid_argument for "~name".
std::string expandPath(std::string_view path, std::string_view home, std::string_view defaultDirectory);

/// Makes the directory and its missing parents, 0755 and owned by that user; existing ones are left alone. Safe when
/// several callers do it at once. Throws std::system_error, with ENOTDIR when something else is in the way.
void ensureDirectories(const std::string &path, uid_t uid, gid_t gid);

/// chown, except that a daemon without privileges may "give" a file to the user it runs as. Returns 0 or an errno.
int chownPath(const std::string &path, uid_t uid, gid_t gid);
int chownFd(int fd, uid_t uid, gid_t gid);

} // namespace boxdeck::host::envd
