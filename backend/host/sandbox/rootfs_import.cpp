// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/sandbox/rootfs_import.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/openat2.h>
#include <memory>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <archive.h>
#include <archive_entry.h>

#include "backend/host/sandbox/copy_tree.h"
#include "backend/host/sandbox/spawn.h"

namespace boxdeck::host {

namespace {

constexpr std::size_t block = 256 * 1024;
constexpr unsigned nobody = 65534;

[[noreturn]] void throwErrno(const std::string &what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

std::string quoted(const std::string &path)
{
    constexpr std::size_t most = 200;
    return '\'' + (path.size() > most ? path.substr(0, most) + "…" : path) + '\'';
}

// A path of the archive without leading slashes, `.` and doubled slashes. Refused when it holds `..`.
std::string cleanPath(const std::string &path)
{
    std::string clean;
    for (std::size_t at = 0; at <= path.size();) {
        const auto end = std::min(path.find('/', at), path.size());
        const std::string part = path.substr(at, end - at);
        at = end + 1;
        if (part == "..")
            throw ImportRefused("it has the entry " + quoted(path) + ", which leads out of it");
        if (!part.empty() && part != ".")
            clean += (clean.empty() ? "" : "/") + part;
    }
    return clean;
}

// The new root. Every path is resolved by the kernel as if the root were /: no link leads out.
class Root
{
public:
    Root(const std::string &path, std::uint32_t idCount)
        : m_root(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
        , m_idCount(idCount)
    {
        if (!m_root)
            throwErrno(path);
    }

    // Opens inside; negative with errno when it is not there.
    Fd tryOpen(const std::string &path, std::uint64_t flags) const
    {
        struct open_how how
        {
        };
        how.flags = flags | O_CLOEXEC;
        how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
        const char *name = path.empty() ? "." : path.c_str();
        return Fd(static_cast<int>(syscall(SYS_openat2, m_root.get(), name, &how, sizeof how)));
    }

    // The folder that @p path lies in, made if needed, and the last part of the path. Kept for the next one of the same
    // folder; a link on the way cannot change unnoticed, as replacing it asks for another folder.
    const Fd &parentOf(const std::string &path, std::string &name)
    {
        const auto slash = path.rfind('/');
        const std::string parent = slash == std::string::npos ? std::string() : path.substr(0, slash);
        name = slash == std::string::npos ? path : path.substr(slash + 1);
        if (m_parent && parent == m_parentPath)
            return m_parent;
        m_parent = tryOpen(parent, O_PATH | O_DIRECTORY);
        if (!m_parent)
            m_parent = makeFolders(parent);
        m_parentPath = parent;
        return m_parent;
    }

    void own(int parent, const std::string &name, std::int64_t uid, std::int64_t gid) const
    {
        if (m_idCount == 0)
            return;
        if (fchownat(parent, name.c_str(), idFor(uid), idFor(gid), AT_SYMLINK_NOFOLLOW) != 0)
            throwErrno(name);
    }

private:
    unsigned idFor(std::int64_t id) const
    {
        return id >= 0 && id < m_idCount ? static_cast<unsigned>(id) : std::min(nobody, m_idCount - 1);
    }

    Fd makeFolders(const std::string &path) const
    {
        for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
            const std::string part = path.substr(0, end);
            if (!tryOpen(part, O_PATH | O_DIRECTORY))
                makeFolder(part, path);
            if (end == std::string::npos)
                break;
        }
        Fd made = tryOpen(path, O_PATH | O_DIRECTORY);
        if (!made)
            throwErrno(quoted(path));
        return made;
    }

    void makeFolder(const std::string &part, const std::string &whole) const
    {
        const auto slash = part.rfind('/');
        const Fd above = tryOpen(slash == std::string::npos ? "" : part.substr(0, slash), O_PATH | O_DIRECTORY);
        const std::string name = slash == std::string::npos ? part : part.substr(slash + 1);
        if (!above || mkdirat(above.get(), name.c_str(), 0755) != 0)
            throw ImportRefused("the folder of its entry " + quoted(whole) + " is something else than a folder");
        own(above.get(), name, 0, 0);
    }

    Fd m_root;
    std::uint32_t m_idCount;
    Fd m_parent;
    std::string m_parentPath;
};

class Importer
{
public:
    Importer(int fd, const std::string &to, const ImportOptions &options)
        : m_archive(archive_read_new(), archive_read_free)
        , m_root(to, options.idCount)
        , m_options(options)
    {
        archive *from = m_archive.get();
        archive_read_support_format_tar(from);
        archive_read_support_filter_gzip(from);
        archive_read_support_filter_bzip2(from);
        archive_read_support_filter_xz(from);
        archive_read_support_filter_zstd(from);
        if (archive_read_open_fd(from, fd, block) != ARCHIVE_OK)
            unreadable();
    }

    std::uint64_t run()
    {
        archive_entry *entry = nullptr;
        for (;;) {
            const int result = archive_read_next_header(m_archive.get(), &entry);
            if (result == ARCHIVE_EOF)
                break;
            // A warning is a name that does not fit this locale: the bytes are there all the same.
            if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
                unreadable();
            take(entry);
        }
        checkContent();
        addMountPoints();
        finishFolders();
        return m_bytes;
    }

private:
    struct Folder
    {
        std::string path;
        mode_t mode;
        timespec time;
    };

    [[noreturn]] void unreadable() const
    {
        const char *said = archive_error_string(m_archive.get());
        throw ImportRefused(std::string("it is no readable tar archive") +
                            (said != nullptr ? std::string(" (") + said + ')' : std::string()));
    }

    void take(archive_entry *entry)
    {
        if (++m_entries > m_options.entryLimit)
            throw ImportRefused("it has more than " + std::to_string(m_options.entryLimit) + " entries");
        const char *named = archive_entry_pathname(entry);
        const std::string path = cleanPath(named != nullptr ? named : "");
        if (path.empty())
            return; // the root itself: every sandbox's is the same
        std::string name;
        if (const char *target = archive_entry_hardlink(entry)) {
            hardLink(path, cleanPath(target));
            return;
        }
        const auto kind = archive_entry_filetype(entry);
        if (kind == AE_IFBLK || kind == AE_IFCHR || kind == AE_IFSOCK)
            return;
        const Fd &parent = m_root.parentOf(path, name);
        if (kind == AE_IFDIR) {
            folder(parent.get(), name, path, entry);
            return;
        }
        makeRoom(parent.get(), name, path);
        if (kind == AE_IFLNK)
            symbolicLink(parent.get(), name, entry);
        else if (kind == AE_IFIFO)
            pipe(parent.get(), name, entry);
        else if (kind == AE_IFREG)
            file(parent.get(), name, path, entry);
        else
            throw ImportRefused("its entry " + quoted(path) + " is of a kind that is not known");
    }

    // A later entry of the same path wins, as with tar.
    static void makeRoom(int parent, const std::string &name, const std::string &path)
    {
        if (unlinkat(parent, name.c_str(), 0) != 0 && errno != ENOENT)
            throw ImportRefused("its entry " + quoted(path) + " takes the place of a folder");
    }

    void folder(int parent, const std::string &name, const std::string &path, archive_entry *entry)
    {
        if (mkdirat(parent, name.c_str(), 0700) != 0) {
            // Also when a link leads to a folder: then the entry is about that one.
            if (errno != EEXIST || !m_root.tryOpen(path, O_PATH | O_DIRECTORY))
                throw ImportRefused("its folder " + quoted(path) + " takes the place of something else");
        }
        const Fd made = m_root.tryOpen(path, O_RDONLY | O_DIRECTORY);
        if (!made)
            throwErrno(quoted(path));
        m_root.own(made.get(), ".", archive_entry_uid(entry), archive_entry_gid(entry));
        attributes(made.get(), entry);
        m_folders.push_back({path, archive_entry_perm(entry) & 07777U, timeOf(entry)});
    }

    void hardLink(const std::string &path, const std::string &target)
    {
        std::string targetName;
        std::string name;
        const auto slash = target.rfind('/');
        const Fd from = m_root.tryOpen(slash == std::string::npos ? "" : target.substr(0, slash), O_PATH | O_DIRECTORY);
        targetName = slash == std::string::npos ? target : target.substr(slash + 1);
        const Fd &parent = m_root.parentOf(path, name);
        if (path == target)
            return;
        makeRoom(parent.get(), name, path);
        if (!from || linkat(from.get(), targetName.c_str(), parent.get(), name.c_str(), 0) != 0)
            throw ImportRefused("its hard link " + quoted(path) + " leads to " + quoted(target) +
                                ", which is not in it");
    }

    void symbolicLink(int parent, const std::string &name, archive_entry *entry)
    {
        const char *target = archive_entry_symlink(entry);
        if (target == nullptr || symlinkat(target, parent, name.c_str()) != 0)
            throwErrno(quoted(name));
        m_root.own(parent, name, archive_entry_uid(entry), archive_entry_gid(entry));
        const timespec time = timeOf(entry);
        const std::array<timespec, 2> times{time, time};
        utimensat(parent, name.c_str(), times.data(), AT_SYMLINK_NOFOLLOW);
    }

    void pipe(int parent, const std::string &name, archive_entry *entry)
    {
        if (mknodat(parent, name.c_str(), S_IFIFO | (archive_entry_perm(entry) & 0777U), 0) != 0)
            throwErrno(quoted(name));
        m_root.own(parent, name, archive_entry_uid(entry), archive_entry_gid(entry));
    }

    void file(int parent, const std::string &name, const std::string &path, archive_entry *entry)
    {
        const Fd fd(openat(parent, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
        if (!fd)
            throwErrno(quoted(path));
        content(fd.get(), path);
        if (archive_entry_size_is_set(entry) && ftruncate(fd.get(), archive_entry_size(entry)) != 0)
            throwErrno(quoted(path));
        m_root.own(parent, name, archive_entry_uid(entry), archive_entry_gid(entry));
        attributes(fd.get(), entry);
        if (fchmod(fd.get(), archive_entry_perm(entry) & 07777U) != 0)
            throwErrno(quoted(path));
        const timespec time = timeOf(entry);
        const std::array<timespec, 2> times{time, time};
        futimens(fd.get(), times.data());
    }

    void content(int fd, const std::string &path)
    {
        for (;;) {
            const void *data = nullptr;
            std::size_t size = 0;
            la_int64_t offset = 0;
            const int result = archive_read_data_block(m_archive.get(), &data, &size, &offset);
            if (result == ARCHIVE_EOF)
                return;
            if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
                unreadable();
            m_bytes += size;
            if (m_bytes > m_options.contentLimit)
                throw ImportRefused("its files are larger than " +
                                    std::to_string(m_options.contentLimit / (1024 * 1024)) + " MiB together");
            for (std::size_t done = 0; done < size;) {
                const ssize_t wrote =
                    pwrite(fd, static_cast<const char *>(data) + done, size - done, offset + static_cast<off_t>(done));
                if (wrote <= 0)
                    throwErrno(quoted(path));
                done += static_cast<std::size_t>(wrote);
            }
        }
    }

    // Only what means something inside: the rest is this computer's business, or the sandbox's to set.
    static void attributes(int fd, archive_entry *entry)
    {
        archive_entry_xattr_reset(entry);
        const char *name = nullptr;
        const void *value = nullptr;
        std::size_t size = 0;
        while (archive_entry_xattr_next(entry, &name, &value, &size) == ARCHIVE_OK) {
            if (std::strncmp(name, "user.", 5) == 0 || std::strcmp(name, "security.capability") == 0)
                fsetxattr(fd, name, value, size, 0); // not on every file system: then it is without
        }
    }

    static timespec timeOf(archive_entry *entry)
    {
        return {.tv_sec = archive_entry_mtime(entry), .tv_nsec = archive_entry_mtime_nsec(entry)};
    }

    bool has(const char *path) const { return static_cast<bool>(m_root.tryOpen(path, O_PATH)); }

    void checkContent() const
    {
        if (has("usr") || has("bin"))
            return;
        if (has("manifest.json") || has("oci-layout"))
            throw ImportRefused("it is a packed image with layers; take a root file system instead, such as docker "
                                "export makes of a container");
        throw ImportRefused("it is no root file system: it has neither /usr nor /bin");
    }

    void addMountPoints()
    {
        for (const char *name : {"proc", "dev", "sys", ".boxdeck", "usr", "etc", "home", "run", "root", "tmp", "var"}) {
            std::string last;
            const Fd &parent = m_root.parentOf(name, last);
            struct stat info
            {
            };
            const bool there = fstatat(parent.get(), name, &info, AT_SYMLINK_NOFOLLOW) == 0;
            if (there && S_ISDIR(info.st_mode))
                continue;
            if (there)
                unlinkat(parent.get(), name, 0);
            if (mkdirat(parent.get(), name, 0755) != 0)
                throwErrno(name);
            m_root.own(parent.get(), name, 0, 0);
            const mode_t mode = std::strcmp(name, "tmp") == 0 ? 01777 : std::strcmp(name, "root") == 0 ? 0700 : 0755;
            m_folders.push_back({name, mode, {.tv_sec = 0, .tv_nsec = UTIME_NOW}});
        }
        // Of the form that renameHost() knows for a sandbox's.
        const std::string host = "i00000000000000000000";
        small("etc/hostname", host + '\n');
        small("etc/hosts", "127.0.0.1\tlocalhost " + host + "\n::1\tlocalhost ip6-localhost\n");
    }

    void small(const std::string &path, const std::string &text)
    {
        std::string name;
        const Fd &parent = m_root.parentOf(path, name);
        makeRoom(parent.get(), name, path);
        const Fd fd(openat(parent.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
        if (!fd || write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
            throwErrno(path);
        m_root.own(parent.get(), name, 0, 0);
    }

    // Last, and the deepest first: making something in a folder changes its time, and may need rights it will not give.
    void finishFolders()
    {
        for (auto one = m_folders.rbegin(); one != m_folders.rend(); ++one) {
            const Fd fd = m_root.tryOpen(one->path, O_RDONLY | O_DIRECTORY);
            if (!fd)
                continue; // something else took its place, or it is locked already
            const std::array<timespec, 2> times{one->time, one->time};
            futimens(fd.get(), times.data());
            if (fchmod(fd.get(), one->mode) != 0)
                throwErrno(quoted(one->path));
        }
    }

    std::unique_ptr<archive, int (*)(archive *)> m_archive;
    Root m_root;
    ImportOptions m_options;
    std::vector<Folder> m_folders;
    std::uint64_t m_entries = 0;
    std::uint64_t m_bytes = 0;
};

} // namespace

void importRoot(int archiveFd, const std::string &to, const std::string &record, const ImportOptions &options)
{
    umask(022);
    const std::uint64_t bytes = Importer(archiveFd, to, options).run();
    if (chmod(to.c_str(), 0755) != 0 || (options.idCount > 0 && chown(to.c_str(), 0, 0) != 0))
        throwErrno(to);
    recordDurably(record, bytes);
}

} // namespace boxdeck::host
