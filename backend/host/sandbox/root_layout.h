// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace boxdeck::host {

/// The account every sandbox has (product.md).
inline constexpr unsigned sandboxUserId = 1000;

/// What becomes of a fresh root.
struct LayoutOptions
{
    std::string hostname;   ///< goes into /etc/hostname and /etc/hosts
    bool setOwners = false; ///< give files to 0 and 1000 (needs a mapped range), otherwise all stay the caller's
};

/// Fills the existing, empty folder @p root with what a sandbox's own file system starts from: homes, tmp, var and an
/// /etc of its own. Everything lies in one folder, so that moves between home and tmp are renames. What has to come
/// from this computer (the loader's cache, alternatives, certificates) is a link into /.boxdeck, which is mounted at
/// start: the mount points are then all children of /, where nothing inside can replace them. Throws std::system_error.
void layOutRoot(const std::string &root, const LayoutOptions &options);

/// Deletes @p folder with everything in it, however deep, following no link. Does nothing if it is not there. The
/// content is hostile: depth costs neither stack nor file descriptors. Throws std::system_error.
void removeTree(const std::string &folder);

} // namespace boxdeck::host
