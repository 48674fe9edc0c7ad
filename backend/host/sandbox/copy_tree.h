// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace boxdeck::host {

/// What copyTree copied.
struct CopyResult
{
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0; ///< taken on the disk by the copy, shared blocks counted as if they were not
};

/// Copies everything in the folder @p from into the existing, empty folder @p to on the same file system: owners,
/// modes, times, links (hard ones too), holes and extended attributes are kept, blocks are shared where the file system
/// can. Device nodes are left out. The content is hostile: no link is followed, depth costs neither stack nor file
/// descriptors, and whoever moves folders about meanwhile makes this fail, never leave the tree. If @p record is not
/// empty, a file of that name gets the number of bytes, and this returns only when all is on the disk. Throws
/// std::system_error or std::runtime_error, leaving a part behind.
CopyResult copyTree(const std::string &from, const std::string &to, const std::string &record = {});

/// The end of filling a layer: writes @p bytes to the file @p record, and returns when that and everything else on its
/// file system is on the disk. Throws std::system_error.
void recordDurably(const std::string &record, std::uint64_t bytes);

/// Gives a copied root the name of its new sandbox: rewrites /etc/hostname, and the old name in /etc/hosts, if these
/// are plain files still. Throws std::system_error.
void renameHost(const std::string &root, const std::string &hostname);

} // namespace boxdeck::host
