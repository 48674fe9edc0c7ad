// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace boxdeck::host {

/// An archive is not what sandboxes can be made from; the text says what is wrong with it.
class ImportRefused : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// How an image is unpacked, and how much of it is bearable.
struct ImportOptions
{
    std::uint32_t idCount = 0; ///< ids from here on become nobody's; 0 = all files stay the caller's
    std::uint64_t entryLimit = 2'000'000;
    std::uint64_t contentLimit = 64ULL * 1024 * 1024 * 1024; ///< bytes of all files together
};

/// Unpacks a root file system, a tar (plain, gzip, bzip2, xz or zstd) read from @p archiveFd, into the existing, empty
/// folder @p to, and gives it the mount points every sandbox needs. The archive is hostile: an entry with `..` in its
/// path refuses it all, links of the archive are followed inside the new root only, wherever they point, device nodes
/// and sockets are left out. Writes the size to @p record like copyTree. Throws ImportRefused or std::system_error,
/// leaving a part behind.
void importRoot(int archiveFd, const std::string &to, const std::string &record, const ImportOptions &options);

/// Writes the folder @p from as a tar to @p outFd, without following links or entering other file systems. What belongs
/// to the caller itself becomes root's unless the caller is root: an unpacked image belongs to whoever unpacked it.
/// Throws std::exception.
void packRoot(const std::string &from, int outFd);

} // namespace boxdeck::host
