// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/sandbox/copy_tree.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdexcept>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "backend/host/sandbox/root_layout.h"
#include "backend/host/sandbox/spawn.h"

namespace boxdeck::host {

namespace {

using Status = struct stat;

[[noreturn]] void throwErrno(const std::string &what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

// A file of our own without a single right for us: only possible without a mapped range, where we have no power over
// modes. O_PATH asks for no right, and the way through /proc reaches the very file that was looked at.
int openWithoutRight(int parent, const char *name, int flags)
{
    const Fd path(openat(parent, name, O_PATH | O_NOFOLLOW | O_CLOEXEC));
    Status status{};
    if (!path || fstat(path.get(), &status) != 0 || S_ISLNK(status.st_mode)) {
        errno = EACCES;
        return -1;
    }
    const std::string way = "/proc/self/fd/" + std::to_string(path.get());
    if (chmod(way.c_str(), (status.st_mode & 07777) | 0700) != 0)
        return -1;
    const int fd = open(way.c_str(), flags & ~O_NOFOLLOW);
    const int reason = errno;
    chmod(way.c_str(), status.st_mode & 07777);
    errno = reason;
    return fd;
}

Fd openForReading(int parent, const char *name, int more)
{
    const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | more;
    int fd = openat(parent, name, flags);
    if (fd < 0 && errno == EACCES)
        fd = openWithoutRight(parent, name, flags);
    if (fd < 0)
        throwErrno(name);
    return Fd(fd);
}

std::vector<std::string> namesIn(int folder)
{
    std::vector<std::string> names;
    const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = copy < 0 ? nullptr : fdopendir(copy);
    if (dir == nullptr)
        throwErrno("reading a folder");
    errno = 0;
    while (const dirent *entry = readdir(dir)) {
        const std::string name = entry->d_name;
        if (name != "." && name != "..")
            names.push_back(name);
    }
    const int reason = errno;
    closedir(dir);
    if (reason != 0)
        throw std::system_error(reason, std::generic_category(), "reading a folder");
    return names;
}

// One level of the walk. Open are only the folders of the deepest one; the way back up is `..`, checked by identity.
struct Level
{
    Status status; ///< of the source folder
    Status made;   ///< of its copy
    std::vector<std::string> names;
    std::size_t next = 0;
};

class Copier
{
public:
    Copier(Fd from, Fd to, Fd links)
        : m_from(std::move(from))
        , m_to(std::move(to))
        , m_links(std::move(links))
    {
    }

    CopyResult run()
    {
        pushLevel();
        while (!m_levels.empty()) {
            Level &level = m_levels.back();
            if (level.next == level.names.size())
                leaveFolder();
            else
                copyEntry(level.names[level.next++]);
        }
        return m_result;
    }

private:
    void pushLevel()
    {
        Level level{};
        if (fstat(m_from.get(), &level.status) != 0 || fstat(m_to.get(), &level.made) != 0)
            throwErrno("looking at a folder");
        level.names = namesIn(m_from.get());
        m_levels.push_back(std::move(level));
    }

    void leaveFolder()
    {
        const Level done = std::move(m_levels.back());
        m_levels.pop_back();
        Fd from;
        Fd to;
        if (!m_levels.empty()) {
            // Before its rights are set: without a mapped range they may lock us out.
            from = parentOf(m_from.get(), m_levels.back().status);
            to = parentOf(m_to.get(), m_levels.back().made);
        }
        finish(m_from.get(), m_to.get(), done.status);
        m_from = std::move(from);
        m_to = std::move(to);
    }

    static Fd parentOf(int folder, const Status &expected)
    {
        Fd parent = openForReading(folder, "..", O_DIRECTORY);
        Status status{};
        if (fstat(parent.get(), &status) != 0)
            throwErrno("looking at a folder");
        if (status.st_ino != expected.st_ino || status.st_dev != expected.st_dev)
            throw std::runtime_error("a folder was moved while it was copied");
        return parent;
    }

    void copyEntry(const std::string &name)
    {
        Status status{};
        if (fstatat(m_from.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
            if (errno == ENOENT)
                return; // deleted meanwhile
            throwErrno(name);
        }
        ++m_result.entries;
        m_result.bytes += static_cast<std::uint64_t>(status.st_blocks) * 512;
        if (S_ISDIR(status.st_mode)) {
            enterFolder(name);
            return;
        }
        if (S_ISBLK(status.st_mode) || S_ISCHR(status.st_mode) || linkedAlready(name, status))
            return;
        if (S_ISLNK(status.st_mode))
            copyLink(name, status);
        else if (S_ISREG(status.st_mode))
            copyFile(name);
        else
            copySpecial(name, status);
        if (status.st_nlink > 1)
            rememberLink(name, status);
    }

    void enterFolder(const std::string &name)
    {
        Fd from = openForReading(m_from.get(), name.c_str(), O_DIRECTORY);
        if (mkdirat(m_to.get(), name.c_str(), 0700) != 0)
            throwErrno(name);
        Fd to = openForReading(m_to.get(), name.c_str(), O_DIRECTORY);
        m_from = std::move(from);
        m_to = std::move(to);
        pushLevel();
    }

    static std::string linkName(const Status &status)
    {
        return std::to_string(status.st_dev) + '-' + std::to_string(status.st_ino);
    }

    bool linkedAlready(const std::string &name, const Status &status) const
    {
        if (status.st_nlink < 2)
            return false;
        if (linkat(m_links.get(), linkName(status).c_str(), m_to.get(), name.c_str(), 0) == 0)
            return true;
        if (errno != ENOENT && errno != EMLINK)
            throwErrno(name);
        return false;
    }

    void rememberLink(const std::string &name, const Status &status) const
    {
        // EEXIST: the file has more links than one copy may have, and this is the second copy.
        if (linkat(m_to.get(), name.c_str(), m_links.get(), linkName(status).c_str(), 0) != 0 && errno != EEXIST)
            throwErrno(name);
    }

    void copyLink(const std::string &name, const Status &status) const
    {
        std::string target(4096, '\0');
        const ssize_t length = readlinkat(m_from.get(), name.c_str(), target.data(), target.size());
        if (length < 0)
            throwErrno(name);
        target.resize(static_cast<std::size_t>(length));
        if (symlinkat(target.c_str(), m_to.get(), name.c_str()) != 0 ||
            fchownat(m_to.get(), name.c_str(), status.st_uid, status.st_gid, AT_SYMLINK_NOFOLLOW) != 0)
            throwErrno(name);
        const std::array<timespec, 2> times{status.st_atim, status.st_mtim};
        utimensat(m_to.get(), name.c_str(), times.data(), AT_SYMLINK_NOFOLLOW);
    }

    void copySpecial(const std::string &name, const Status &status) const
    {
        if (mknodat(m_to.get(), name.c_str(), (status.st_mode & S_IFMT) | 0600, 0) != 0 ||
            fchownat(m_to.get(), name.c_str(), status.st_uid, status.st_gid, AT_SYMLINK_NOFOLLOW) != 0 ||
            fchmodat(m_to.get(), name.c_str(), status.st_mode & 07777, 0) != 0)
            throwErrno(name);
    }

    void copyFile(const std::string &name)
    {
        const Fd from = openForReading(m_from.get(), name.c_str(), 0);
        Status status{};
        if (fstat(from.get(), &status) != 0)
            throwErrno(name);
        if (!S_ISREG(status.st_mode))
            throw std::runtime_error("a file was exchanged while it was copied");
        const Fd to(openat(m_to.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
        if (!to)
            throwErrno(name);
        if (!cloned(from.get(), to.get()))
            copyData(from.get(), to.get(), name);
        finish(from.get(), to.get(), status);
    }

    bool cloned(int from, int to)
    {
        if (!m_mayClone)
            return false;
        if (ioctl(to, FICLONE, from) == 0)
            return true;
        m_mayClone = errno == EINVAL || errno == ETXTBSY; // these are about this one file
        return false;
    }

    static void copyData(int from, int to, const std::string &name)
    {
        Status status{};
        if (fstat(from, &status) != 0)
            throwErrno(name);
        off_t at = 0;
        while (at < status.st_size) {
            const off_t data = lseek(from, at, SEEK_DATA);
            if (data < 0) {
                if (errno == ENXIO)
                    break; // only a hole is left
                throwErrno(name);
            }
            off_t end = lseek(from, data, SEEK_HOLE);
            if (end < 0 || end > status.st_size)
                end = status.st_size;
            copyExtent(from, to, data, end, name);
            at = end;
        }
        if (ftruncate(to, status.st_size) != 0)
            throwErrno(name);
    }

    static void copyExtent(int from, int to, off_t at, off_t end, const std::string &name)
    {
        off_t source = at;
        off_t target = at;
        while (source < end) {
            const ssize_t copied =
                copy_file_range(from, &source, to, &target, static_cast<std::size_t>(end - source), 0);
            if (copied > 0)
                continue;
            if (copied == 0)
                return; // shorter than it was
            if (errno == EINTR)
                continue;
            if (errno != EXDEV && errno != EINVAL && errno != EOPNOTSUPP && errno != ENOSYS)
                throwErrno(name);
            copyByHand(from, to, source, end, name);
            return;
        }
    }

    static void copyByHand(int from, int to, off_t at, off_t end, const std::string &name)
    {
        std::vector<char> buffer(1024 * 1024);
        while (at < end) {
            const auto wanted = std::min<std::size_t>(buffer.size(), static_cast<std::size_t>(end - at));
            const ssize_t got = pread(from, buffer.data(), wanted, at);
            if (got < 0)
                throwErrno(name);
            if (got == 0)
                return;
            for (ssize_t done = 0; done < got;) {
                const ssize_t wrote = pwrite(to, buffer.data() + done, static_cast<std::size_t>(got - done), at + done);
                if (wrote <= 0)
                    throwErrno(name);
                done += wrote;
            }
            at += got;
        }
    }

    // What cannot be set here (another namespace's, an unknown class) had no effect in a sandbox either.
    static void copyAttributes(int from, int to)
    {
        std::vector<char> names(64 * 1024);
        const ssize_t length = flistxattr(from, names.data(), names.size());
        if (length <= 0)
            return;
        std::vector<char> value(64 * 1024);
        for (const char *name = names.data(); name < names.data() + length;
             name += std::char_traits<char>::length(name) + 1) {
            const ssize_t size = fgetxattr(from, name, value.data(), value.size());
            if (size < 0)
                continue;
            if (fsetxattr(to, name, value.data(), static_cast<std::size_t>(size), 0) != 0 &&
                (errno == ENOSPC || errno == EDQUOT))
                throwErrno(name);
        }
    }

    // The owner first: changing it takes set-id bits and capabilities away.
    static void finish(int from, int fd, const Status &status)
    {
        if (fchown(fd, status.st_uid, status.st_gid) != 0)
            throwErrno("setting an owner");
        copyAttributes(from, fd);
        if (fchmod(fd, status.st_mode & 07777) != 0)
            throwErrno("setting rights");
        const std::array<timespec, 2> times{status.st_atim, status.st_mtim};
        if (futimens(fd, times.data()) != 0)
            throwErrno("setting times");
    }

    Fd m_from;
    Fd m_to;
    Fd m_links; // holds one link to each copy of a file with several
    std::vector<Level> m_levels;
    CopyResult m_result;
    bool m_mayClone = true;
};

Fd openFolder(const std::string &path)
{
    Fd fd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!fd)
        throwErrno(path);
    return fd;
}

std::string readSmall(int folder, const char *name)
{
    const Fd fd(openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    Status status{};
    if (!fd || fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode))
        return {};
    std::string text(64 * 1024, '\0');
    const ssize_t got = read(fd.get(), text.data(), text.size());
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
}

// A new file in place of the old one: whatever else leads to the old one (a hard link) keeps what it has.
void replaceSmall(int folder, const std::string &name, const std::string &content)
{
    Status old{};
    if (fstatat(folder, name.c_str(), &old, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(old.st_mode))
        return;
    const std::string temporary = '.' + name + ".boxdeck";
    unlinkat(folder, temporary.c_str(), 0);
    const Fd fd(openat(folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
    if (!fd || write(fd.get(), content.data(), content.size()) != static_cast<ssize_t>(content.size()) ||
        fchown(fd.get(), old.st_uid, old.st_gid) != 0 || fchmod(fd.get(), old.st_mode & 07777) != 0 ||
        renameat(folder, temporary.c_str(), folder, name.c_str()) != 0)
        throwErrno(name);
}

} // namespace

CopyResult copyTree(const std::string &from, const std::string &to, const std::string &record)
{
    umask(022);
    const std::string links = to + ".links";
    removeTree(links);
    if (mkdir(links.c_str(), 0700) != 0)
        throwErrno(links);
    CopyResult result;
    try {
        result = Copier(openFolder(from), openFolder(to), openFolder(links)).run();
    } catch (...) {
        removeTree(links);
        throw;
    }
    removeTree(links);
    if (!record.empty())
        recordDurably(record, result.bytes);
    return result;
}

void recordDurably(const std::string &record, std::uint64_t bytes)
{
    const Fd fd(open(record.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644));
    // In this order: the number must not be there before what it counts.
    if (!fd || syncfs(fd.get()) != 0)
        throwErrno(record);
    const std::string text = std::to_string(bytes) + '\n';
    if (write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) || fsync(fd.get()) != 0)
        throwErrno(record);
}

void renameHost(const std::string &root, const std::string &hostname)
{
    const Fd top = openFolder(root);
    const Fd etc(openat(top.get(), "etc", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!etc)
        return; // whoever changed that much keeps what they have
    std::string old = readSmall(etc.get(), "hostname");
    while (!old.empty() && (old.back() == '\n' || old.back() == ' '))
        old.pop_back();
    // Only the name of a sandbox: anything else was chosen by somebody.
    const bool ours = old.size() == hostname.size() && old[0] == hostname[0];
    if (!ours)
        return;
    replaceSmall(etc.get(), "hostname", hostname + '\n');
    std::string hosts = readSmall(etc.get(), "hosts");
    bool found = false;
    for (auto at = hosts.find(old); at != std::string::npos; at = hosts.find(old, at + hostname.size())) {
        hosts.replace(at, old.size(), hostname);
        found = true;
    }
    if (found)
        replaceSmall(etc.get(), "hosts", hosts);
}

} // namespace boxdeck::host
