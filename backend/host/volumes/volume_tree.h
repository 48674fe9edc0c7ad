// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "backend/host/sandbox/spawn.h"

namespace boxdeck::host {

/// An answer of the volume-content API other than success: here `code` is a word (protocol/control-plane.md,
/// section 10).
class VolumeError : public std::runtime_error
{
public:
    VolumeError(int status, std::string code, const std::string &message)
        : std::runtime_error(message)
        , m_status(status)
        , m_code(std::move(code))
    {
    }
    /// From an errno, with what was attempted.
    static VolumeError of(int number, const std::string &what);

    int status() const { return m_status; }
    const std::string &code() const { return m_code; }

private:
    int m_status;
    std::string m_code;
};

/// A path of a volume: its parts, `.` and `..` taken out; `..` stays at the top, as in a root.
using VolumePath = std::vector<std::string>;
/// Throws VolumeError for what no file can be called.
VolumePath readVolumePath(std::string_view text);
std::string toText(const VolumePath &path);

/// VolumeEntryStat.
struct VolumeEntry
{
    std::string name;
    std::string path;
    std::string type; ///< unknown, file, directory or symlink
    std::int64_t size = 0;
    std::uint32_t mode = 0; ///< permission bits
    std::uint32_t uid = 0;
    std::uint32_t gid = 0;
    timespec atime{};
    timespec mtime{};
    timespec ctime{};
    std::optional<std::string> target; ///< of a symlink
};

/// Owner and mode that a caller asks for; what is not given gets the default.
struct VolumeAttributes
{
    std::optional<std::uint32_t> uid;
    std::optional<std::uint32_t> gid;
    std::optional<std::uint32_t> mode;
};

/// Whose ids the files have.
struct VolumeIds
{
    std::uint32_t count = 0; ///< ids that are mapped, from 0 on; 0 = no range: everything is ours and shows as `user`
};

/// The files of one volume. Every path is resolved by the kernel below the volume's folder: neither `..` nor a link,
/// also one that is swapped meanwhile by a sandbox that has the volume mounted, leads out. Throws VolumeError.
class VolumeTree
{
public:
    /// @p folder is the volume's own folder (with data, upload and trash).
    VolumeTree(std::string folder, VolumeIds ids);

    /// Follows no link at the end.
    VolumeEntry stat(const VolumePath &path) const;
    /// Follows links; a mode of anything but a file or folder cannot be set.
    VolumeEntry change(const VolumePath &path, const VolumeAttributes &wanted) const;
    /// With everything below it, links themselves and not what they lead to. Not the volume itself.
    void remove(const VolumePath &path) const;
    /// Depth first, each folder before its content, by name.
    std::vector<VolumeEntry> list(const VolumePath &path, std::uint32_t depth) const;
    /// @p force makes the folders above as well, and takes a folder that is there already.
    VolumeEntry makeFolder(const VolumePath &path, const VolumeAttributes &wanted, bool force) const;

    /// Opens a regular file for reading.
    Fd openFile(const VolumePath &path) const;

    /// A file that is being written, seen by nobody until it is put in its place; gone if it is not.
    class Upload
    {
    public:
        Upload(Upload &&other) noexcept = default;
        Upload &operator=(Upload &&) = delete;
        Upload(const Upload &) = delete;
        ~Upload();
        int fd() const { return m_file.get(); }

    private:
        friend class VolumeTree;
        Upload() = default;
        Fd m_folder;
        std::string m_name;
        Fd m_file;
    };
    /// @p force makes the folders above, and lets an existing file be replaced; without it that is refused.
    Upload beginUpload(const VolumePath &path, bool force) const;
    VolumeEntry finishUpload(Upload upload, const VolumePath &path, const VolumeAttributes &wanted, bool force) const;

private:
    struct Place;
    Fd open(const VolumePath &path, int flags) const;
    Place placeOf(const VolumePath &path) const;
    void makeAbove(const VolumePath &path) const;
    void setAttributes(int fd, const VolumeAttributes &wanted, std::uint32_t defaultMode) const;
    void setOwner(int fd, std::optional<std::uint32_t> uid, std::optional<std::uint32_t> gid) const;
    std::uint32_t shownId(std::uint32_t id) const;
    VolumeEntry entryOf(int folder, const std::string &name, const std::string &path) const;
    void listInto(std::vector<VolumeEntry> &entries, int folder, const VolumePath &path, std::uint32_t depth) const;

    std::string m_folder;
    VolumeIds m_ids;
    Fd m_root;
};

} // namespace boxdeck::host
