// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace boxdeck::host {

/// An archive is not what a COPY step may place; the text says which entry and why.
class CopyRefused : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// What of an archive is wanted, and how much of it is bearable.
struct CopySelection
{
    std::string source;             ///< first argument of the step: a path or a glob
    std::uint64_t contentLimit = 0; ///< bytes of all files together, unpacked
    std::uint64_t entryLimit = 1'000'000;
};

/// The part of @p source before its first glob character, cleaned of `.` and doubled slashes: globs were expanded by
/// the client already (protocol/lifecycle.md, section 7). Empty = everything. Throws CopyRefused for `..` or an
/// absolute path.
std::string copyBase(const std::string &source);

/// Reads the tar (gzip or plain) at @p archive and writes what the selection names to @p stream as CopyFrames. Throws
/// CopyRefused for an entry that has an absolute path or `..`, is a device, pipe or socket, lies behind a link, is a
/// hard link to something that is not in the archive, or a relative link that leads out of it; nothing of such an
/// archive is used. An absolute link is kept: it is only text, and inside the sandbox it leads into the sandbox.
void writeCopyStream(const std::string &archive, const std::string &stream, const CopySelection &selection);

} // namespace boxdeck::host
