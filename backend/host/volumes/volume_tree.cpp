// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/volumes/volume_tree.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <memory>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

#include "backend/host/control_plane/data_folder.h"
#include "backend/host/sandbox/root_layout.h"

namespace boxdeck::host {

namespace {

// The reference gives files to an account of its own (9090); here the sandbox's `user` is the one who is to use them.
constexpr std::uint32_t defaultFolderMode = 0777;
constexpr std::uint32_t defaultFileMode = 0666;
constexpr std::size_t longestPath = 4096;
constexpr std::size_t longestPart = 255;
constexpr std::size_t mostEntries = 100'000;
constexpr int raceRetries = 64;

// A folder's name of its own with `..` or a slash cannot be: parts were cut and cleaned before.
std::string joined(const VolumePath &path)
{
    std::string text;
    for (const std::string &part : path)
        text += (text.empty() ? "" : "/") + part;
    return text.empty() ? "." : text;
}

[[noreturn]] void fail(const VolumePath &path)
{
    const int number = errno;
    throw VolumeError::of(number, toText(path));
}

} // namespace

VolumeError VolumeError::of(int number, const std::string &what)
{
    const std::string reason = what + ": " + std::generic_category().message(number);
    switch (number) {
    case ENOENT:
        return {404, "path_not_found", what + " not found"};
    case EEXIST:
        return {409, "path_already_exists", what + " exists already"};
    case EXDEV:
        return {400, "invalid_request", what + " leads out of the volume"};
    case ELOOP:
        return {400, "invalid_request", what + " leads round in circles"};
    case ENOTDIR:
        return {400, "invalid_request", what + ": a part of the path is a file"};
    case EISDIR:
        return {400, "invalid_request", what + " is a directory"};
    case ENAMETOOLONG:
    case EINVAL:
    case ENOTEMPTY:
    case EBUSY:
        return {400, "invalid_request", reason};
    case ENOSPC:
    case EDQUOT:
        return {507, "no_space", reason};
    default:
        return {500, "internal_server_error", reason};
    }
}

VolumePath readVolumePath(std::string_view text)
{
    if (text.empty())
        throw VolumeError(400, "invalid_request", "path is required");
    if (text.size() > longestPath || text.find('\0') != std::string_view::npos)
        throw VolumeError(400, "invalid_request", "path is too long or holds a NUL");
    VolumePath path;
    while (!text.empty()) {
        const auto slash = text.find('/');
        const std::string_view part = text.substr(0, slash);
        text.remove_prefix(slash == std::string_view::npos ? text.size() : slash + 1);
        if (part.size() > longestPart)
            throw VolumeError(400, "invalid_request", "a part of the path is longer than 255 bytes");
        if (part == "..") {
            if (!path.empty())
                path.pop_back();
        } else if (!part.empty() && part != ".") {
            path.emplace_back(part);
        }
    }
    return path;
}

std::string toText(const VolumePath &path)
{
    std::string text;
    for (const std::string &part : path)
        text += '/' + part;
    return text.empty() ? "/" : text;
}

// Where something is or is to be: an open folder and a name in it.
struct VolumeTree::Place
{
    Fd folder;
    std::string name;
};

VolumeTree::VolumeTree(std::string folder, VolumeIds ids)
    : m_folder(std::move(folder))
    , m_ids(ids)
    , m_root(::open((m_folder + "/data").c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
{
    if (!m_root)
        throw VolumeError(404, "volume_not_found", "the volume was not found");
}

Fd VolumeTree::open(const VolumePath &path, int flags) const
{
    open_how how{};
    how.flags = static_cast<unsigned>(flags) | O_CLOEXEC;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV;
    const std::string text = joined(path);
    for (int attempt = 0;; ++attempt) {
        Fd fd(static_cast<int>(syscall(SYS_openat2, m_root.get(), text.c_str(), &how, sizeof how)));
        // EAGAIN: somebody renamed something on the way meanwhile.
        if (fd || errno != EAGAIN || attempt == raceRetries)
            return fd;
    }
}

VolumeTree::Place VolumeTree::placeOf(const VolumePath &path) const
{
    Place place;
    const VolumePath above(path.begin(), path.end() - (path.empty() ? 0 : 1));
    place.folder = open(above, O_PATH | O_DIRECTORY);
    if (!place.folder)
        fail(path);
    place.name = path.empty() ? "." : path.back();
    return place;
}

std::uint32_t VolumeTree::shownId(std::uint32_t id) const
{
    return m_ids.count == 0 ? sandboxUserId : id;
}

VolumeEntry VolumeTree::entryOf(int folder, const std::string &name, const std::string &path) const
{
    struct stat info
    {
    };
    if (fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0)
        throw VolumeError::of(errno, path);
    VolumeEntry entry{.name = name == "." ? "/" : name,
                      .path = path,
                      .type = S_ISREG(info.st_mode)   ? "file"
                              : S_ISDIR(info.st_mode) ? "directory"
                              : S_ISLNK(info.st_mode) ? "symlink"
                                                      : "unknown",
                      .size = info.st_size,
                      .mode = info.st_mode & 07777U,
                      .uid = shownId(info.st_uid),
                      .gid = shownId(info.st_gid),
                      .atime = info.st_atim,
                      .mtime = info.st_mtim,
                      .ctime = info.st_ctim};
    if (S_ISLNK(info.st_mode)) {
        std::string target(longestPath, '\0');
        const ssize_t size = readlinkat(folder, name.c_str(), target.data(), target.size());
        target.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
        entry.target = std::move(target);
    }
    return entry;
}

VolumeEntry VolumeTree::stat(const VolumePath &path) const
{
    try {
        const Place place = placeOf(path);
        return entryOf(place.folder.get(), place.name, toText(path));
    } catch (const VolumeError &error) {
        // For somebody who asks whether it is there, a file on the way is a plain no.
        const Fd above = open(VolumePath(path.begin(), path.end() - (path.empty() ? 0 : 1)), O_PATH);
        if (error.status() != 400 || (!above && errno != ENOTDIR))
            throw;
        throw VolumeError::of(ENOENT, toText(path));
    }
}

void VolumeTree::setOwner(int fd, std::optional<std::uint32_t> uid, std::optional<std::uint32_t> gid) const
{
    if (m_ids.count == 0) {
        if (uid.value_or(sandboxUserId) != sandboxUserId || gid.value_or(sandboxUserId) != sandboxUserId)
            throw VolumeError(400, "not_supported", "this host has one account only: uid and gid can be 1000 only");
        return;
    }
    if (std::max(uid.value_or(0), gid.value_or(0)) >= m_ids.count)
        throw VolumeError(400, "invalid_request",
                          "uid and gid must be below " + std::to_string(m_ids.count) + " on this host");
    if (fchownat(fd, "", uid.value_or(static_cast<uid_t>(-1)), gid.value_or(static_cast<gid_t>(-1)), AT_EMPTY_PATH) !=
        0)
        throw VolumeError::of(errno, "changing the owner");
}

void VolumeTree::setAttributes(int fd, const VolumeAttributes &wanted, std::uint32_t defaultMode) const
{
    setOwner(fd, wanted.uid.value_or(sandboxUserId), wanted.gid.value_or(sandboxUserId));
    if (fchmod(fd, wanted.mode.value_or(defaultMode) & 07777U) != 0)
        throw VolumeError::of(errno, "changing the mode");
}

VolumeEntry VolumeTree::change(const VolumePath &path, const VolumeAttributes &wanted) const
{
    const Fd found = open(path, O_PATH);
    if (!found)
        fail(path);
    struct stat info
    {
    };
    if (fstat(found.get(), &info) != 0)
        fail(path);
    if (wanted.uid || wanted.gid)
        setOwner(found.get(), wanted.uid, wanted.gid);
    if (wanted.mode) {
        if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
            throw VolumeError(400, "not_supported", "only files and directories have a mode to set");
        const Fd opened = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
        if (!opened)
            fail(path);
        if (fchmod(opened.get(), *wanted.mode & 07777U) != 0)
            fail(path);
    }
    if (fstat(found.get(), &info) != 0)
        fail(path);
    return stat(path);
}

void VolumeTree::remove(const VolumePath &path) const
{
    if (path.empty())
        throw VolumeError(400, "cannot_delete_root", "the volume's root cannot be deleted here; delete the volume");
    const Place place = placeOf(path);
    // Out of the volume in one step, then taken apart where no sandbox can interfere.
    const std::string gone = m_folder + "/trash/" + randomId(16);
    if (renameat(place.folder.get(), place.name.c_str(), AT_FDCWD, gone.c_str()) != 0)
        fail(path);
    if (unlink(gone.c_str()) != 0) // no file and no link: a folder
        removeTree(gone);
}

void VolumeTree::listInto(std::vector<VolumeEntry> &entries, int folder, const VolumePath &path,
                          std::uint32_t depth) const
{
    const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const std::unique_ptr<DIR, int (*)(DIR *)> dir(copy < 0 ? nullptr : fdopendir(copy), closedir);
    if (!dir)
        fail(path);
    std::vector<std::string> names;
    while (const dirent *entry = readdir(dir.get())) {
        const std::string name = entry->d_name;
        if (name != "." && name != "..")
            names.push_back(name);
        if (names.size() + entries.size() > mostEntries)
            throw VolumeError(400, "invalid_request", "there are more than 100000 entries; ask for less depth");
    }
    std::sort(names.begin(), names.end());
    for (const std::string &name : names) {
        VolumePath below = path;
        below.push_back(name);
        try {
            entries.push_back(entryOf(folder, name, toText(below)));
        } catch (const VolumeError &error) {
            if (error.status() == 404)
                continue; // deleted meanwhile
            throw;
        }
        if (depth <= 1 || entries.back().type != "directory")
            continue;
        const Fd inner(openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (inner)
            listInto(entries, inner.get(), below, depth - 1);
    }
}

std::vector<VolumeEntry> VolumeTree::list(const VolumePath &path, std::uint32_t depth) const
{
    constexpr std::uint32_t mostDepth = 10;
    if (depth > mostDepth)
        throw VolumeError(400, "depth_out_of_range", "depth must be between 1 and 10");
    const Fd folder = open(path, O_RDONLY | O_DIRECTORY);
    if (!folder)
        fail(path);
    std::vector<VolumeEntry> entries;
    listInto(entries, folder.get(), path, std::max<std::uint32_t>(depth, 1));
    return entries;
}

VolumeEntry VolumeTree::makeFolder(const VolumePath &path, const VolumeAttributes &wanted, bool force) const
{
    if (force)
        makeAbove(path);
    const Place place = placeOf(path);
    if (mkdirat(place.folder.get(), place.name.c_str(), 0700) != 0) {
        struct stat info
        {
        };
        const int number = errno;
        const bool folder =
            fstatat(place.folder.get(), place.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode);
        if (number != EEXIST || !force || !folder)
            throw VolumeError::of(number, toText(path));
        return entryOf(place.folder.get(), place.name, toText(path));
    }
    const Fd made(openat(place.folder.get(), place.name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!made)
        fail(path);
    setAttributes(made.get(), wanted, defaultFolderMode);
    return entryOf(place.folder.get(), place.name, toText(path));
}

void VolumeTree::makeAbove(const VolumePath &path) const
{
    for (std::size_t depth = 1; depth < path.size(); ++depth) {
        const VolumePath above(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(depth));
        const Fd there = open(above, O_PATH | O_DIRECTORY);
        if (there)
            continue;
        if (errno != ENOENT)
            fail(above);
        try {
            makeFolder(above, {}, false);
        } catch (const VolumeError &error) {
            if (error.status() != 409)
                throw; // else somebody else made it
        }
    }
}

Fd VolumeTree::openFile(const VolumePath &path) const
{
    // Not waiting: opening a pipe would.
    Fd file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (!file)
        fail(path);
    struct stat info
    {
    };
    if (fstat(file.get(), &info) != 0)
        fail(path);
    if (S_ISDIR(info.st_mode))
        throw VolumeError::of(EISDIR, toText(path));
    if (!S_ISREG(info.st_mode))
        throw VolumeError(400, "invalid_request", toText(path) + " is no regular file");
    return file;
}

VolumeTree::Upload::~Upload()
{
    if (m_folder && !m_name.empty())
        unlinkat(m_folder.get(), m_name.c_str(), 0);
}

VolumeTree::Upload VolumeTree::beginUpload(const VolumePath &path, bool force) const
{
    if (path.empty())
        throw VolumeError::of(EISDIR, "/");
    if (force)
        makeAbove(path);
    const Place place = placeOf(path);
    struct stat info
    {
    };
    if (fstatat(place.folder.get(), place.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0) {
        if (S_ISDIR(info.st_mode))
            throw VolumeError::of(EISDIR, toText(path));
        if (!force)
            throw VolumeError::of(EEXIST, toText(path));
    }
    Upload upload;
    upload.m_folder.reset(::open((m_folder + "/upload").c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    upload.m_name = randomId(16);
    upload.m_file.reset(
        openat(upload.m_folder.get(), upload.m_name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!upload.m_file)
        fail(path);
    return upload;
}

VolumeEntry VolumeTree::finishUpload(Upload upload, const VolumePath &path, const VolumeAttributes &wanted,
                                     bool force) const
{
    setAttributes(upload.m_file.get(), wanted, defaultFileMode);
    const Place place = placeOf(path);
    const unsigned flags = force ? 0 : RENAME_NOREPLACE;
    if (renameat2(upload.m_folder.get(), upload.m_name.c_str(), place.folder.get(), place.name.c_str(), flags) != 0)
        fail(path);
    upload.m_name.clear();
    return entryOf(place.folder.get(), place.name, toText(path));
}

} // namespace boxdeck::host
