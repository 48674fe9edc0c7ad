// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace boxdeck::host {

/// A folder of this computer that shows inside a sandbox.
struct FolderMount
{
    std::string folder; ///< absolute path here
    std::string target; ///< absolute, clean path inside

    bool operator==(const FolderMount &) const = default;
};

/// Makes sure that the clean absolute path @p target is a folder below @p root, making what is missing. No link is
/// followed: whoever lived in that root may have put one there, and mounting through it would lead out. Nothing of the
/// sandbox may run meanwhile. Throws std::runtime_error or std::system_error.
void makeMountPoint(const std::string &root, const std::string &target);

} // namespace boxdeck::host
