// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/host/sandbox/mount_point.h"
#include "backend/host/sandbox/uid_range.h"

namespace boxdeck::host {

/// First argument that turns boxdeck-host into the helper. What changes user namespaces must be a process of one thread
/// and of its own, so boxdeck-host starts itself again for it.
inline constexpr const char *helperArgument = "--sandbox-helper";

/// Everything needed to start one sandbox's daemon. File descriptors are those of the helper process.
struct RunRequest
{
    std::string bwrap;               ///< path of bubblewrap
    std::string envd;                ///< path of boxdeck-envd, or of what to run instead
    std::string root;                ///< the sandbox's root folder
    std::string hostname;            ///< name of the sandbox inside
    std::optional<UidRange> range;   ///< nothing: one account only, the caller's own ids show as `user`
    bool ownUsr = false;             ///< the root has a /usr of its own: this computer's is not shown
    std::vector<FolderMount> mounts; ///< shown inside, writable
    std::uint64_t processes = 0;     ///< RLIMIT_NPROC per account, 0 = leave it
    std::uint64_t openFiles = 0;     ///< RLIMIT_NOFILE per process, 0 = leave it
    int infoFd = -1;                 ///< bubblewrap writes {"child-pid": N} here
    std::vector<std::string> words;  ///< arguments of the daemon
};

/// Command lines of the helper, without the program's name.
std::vector<std::string> helperPrepare(const std::optional<UidRange> &range, const std::string &root,
                                       const std::string &hostname);
std::vector<std::string> helperRemove(const std::optional<UidRange> &range, const std::string &folder);
/// What else is done when a root is copied.
struct CopyOptions
{
    std::string record;   ///< file that takes the size of the copy, both then surely on the disk; empty = neither
    std::string hostname; ///< name of the copy's sandbox; empty = leave the old one
};
std::vector<std::string> helperCopy(const std::optional<UidRange> &range, const std::string &from,
                                    const std::string &to, const CopyOptions &options);
/// Unpacks the archive that the helper gets as descriptor 3 into the empty folder @p to (see importRoot()).
std::vector<std::string> helperImport(const std::optional<UidRange> &range, const std::string &to,
                                      const std::string &record);
/// Writes the folder @p from as a tar to the helper's descriptor 3 (see packRoot()), with the caller's own rights.
std::vector<std::string> helperPack(const std::string &from);
std::vector<std::string> helperRenameHost(const std::optional<UidRange> &range, const std::string &root,
                                          const std::string &hostname);
/// Runs writeCopyStream() (builds/copy_stream.h) in a process of its own: archives come from outside.
std::vector<std::string> helperUnpack(const std::string &archive, const std::string &stream, const std::string &source,
                                      std::uint64_t contentLimit);
/// Fills the existing, empty folder of a new volume: data for its files, upload and trash for what is on its way.
std::vector<std::string> helperPrepareVolume(const std::optional<UidRange> &range, const std::string &folder);
/// Becomes the process that touches the files of volumes (volumes/content_server.h); listens at descriptor 3, ends
/// when descriptor 4 does.
std::vector<std::string> helperServeVolumes(const std::optional<UidRange> &range, const std::string &folder);
std::vector<std::string> helperRun(const RunRequest &request);

/// The helper's main: @p words are the arguments after helperArgument. Prints a sentence to stderr and gives 1 when it
/// fails; does not return when it becomes bubblewrap.
int helperMain(const std::vector<std::string> &words);

/// The command line of bubblewrap for @p request, where the root and the daemon are found at @p root and @p envd.
std::vector<std::string> bubblewrapCommand(const RunRequest &request, const std::string &root, const std::string &envd);

} // namespace boxdeck::host
