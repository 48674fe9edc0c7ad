// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace boxdeck::host {

/// What both programs must know, so it lies beside the HTTP that they share. One entry of what a COPY step places,
/// between the host, which reads the caller's archive and refuses what is hostile in it, and the tool inside the
/// sandbox, which writes files where nothing but the sandbox can be reached. On the wire: one line of `kind mode size
/// seconds pathSize targetSize`, then path, target and content.
struct CopyFrame
{
    static constexpr char folder = 'd';
    static constexpr char file = 'f';
    static constexpr char link = 'l';     ///< symbolic; the target is its text
    static constexpr char hardLink = 'h'; ///< the target is the path of an earlier file
    static constexpr char end = 'e';      ///< the last one; without it the stream was cut

    char kind = end;
    std::uint32_t mode = 0;   ///< permission bits
    std::uint64_t size = 0;   ///< bytes of content, for a file
    std::int64_t seconds = 0; ///< modification time
    std::string path;         ///< below the target; empty for the target itself
    std::string target;
};

/// Longest path or target, in bytes.
inline constexpr std::size_t copyPathLimit = 4096;

} // namespace boxdeck::host
