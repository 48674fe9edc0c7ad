// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/bootstrap_archive.h"

#include "backend/core/background.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QTemporaryFile>

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace boxdeck::session {

namespace {

constexpr size_t chunk = 256 * 1024;

Failure failure(ErrorKind kind, const char *code, const QByteArray &path, const char *what)
{
    return tl::unexpected(
        Error{.kind = kind,
              .code = QString::fromLatin1(code),
              .message = QStringLiteral("'%1' %2").arg(QString::fromUtf8(path), QString::fromUtf8(what))});
}

Failure badPath(const QByteArray &path, const char *what)
{
    return failure(ErrorKind::InvalidRequest, "bad_path", path, what);
}

Failure changed(const QByteArray &path)
{
    return failure(ErrorKind::Conflict, "source_changed", path, "changed while it was packed");
}

Failure systemError(const QByteArray &path)
{
    return failure(ErrorKind::Local, "disk", path, std::strerror(errno));
}

bool sameState(const struct stat &a, const struct stat &b)
{
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_mode == b.st_mode && a.st_size == b.st_size &&
           a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec &&
           a.st_ctim.tv_sec == b.st_ctim.tv_sec && a.st_ctim.tv_nsec == b.st_ctim.tv_nsec;
}

Result<QList<QByteArray>> namesIn(const QByteArray &folder)
{
    DIR *dir = ::opendir(folder.constData());
    if (!dir)
        return systemError(folder);
    QList<QByteArray> names;
    errno = 0;
    while (const dirent *entry = ::readdir(dir)) {
        const QByteArray name(entry->d_name);
        if (name != "." && name != "..")
            names.append(name);
    }
    const int error = errno;
    ::closedir(dir);
    if (error != 0) {
        errno = error;
        return systemError(folder);
    }
    std::sort(names.begin(), names.end());
    return names;
}

QByteArray realPath(const QByteArray &path)
{
    char buffer[PATH_MAX];
    const char *resolved = ::realpath(path.constData(), buffer);
    return resolved ? QByteArray(resolved) : QByteArray();
}

bool isInside(const QByteArray &path, const QByteArray &root)
{
    return path == root || path.startsWith(root + '/');
}

} // namespace

/// Writes one archive.
class ArchiveBuilder
{
public:
    ArchiveBuilder(const BootstrapLimits &limits, const std::function<void(const QByteArray &)> &onEntry)
        : m_limits(limits)
        , m_onEntry(onEntry)
        , m_out(::archive_write_new())
        , m_buffer(chunk, Qt::Uninitialized)
    {
    }
    ~ArchiveBuilder() { ::archive_write_free(m_out); }
    ArchiveBuilder(const ArchiveBuilder &) = delete;
    ArchiveBuilder &operator=(const ArchiveBuilder &) = delete;

    Result<BootstrapArchivePtr> build(const QList<BootstrapTree> &trees)
    {
        std::shared_ptr<BootstrapArchive> archive(new BootstrapArchive);
        QTemporaryFile file(QDir::tempPath() + QStringLiteral("/boxdeck-bootstrap-XXXXXX.tar"));
        file.setAutoRemove(false);
        if (!file.open())
            return tl::unexpected(localError(file.errorString()));
        archive->m_path = file.fileName(); // from here on it goes with the archive
        archive->m_trees = trees;
        ::archive_write_set_format_gnutar(m_out);
        ::archive_write_set_bytes_in_last_block(m_out, 1);
        if (::archive_write_open_fd(m_out, file.handle()) != ARCHIVE_OK)
            return archiveError();
        QList<QByteArray> names;
        for (const BootstrapTree &tree : trees) {
            if (!RemotePath::isEntryName(tree.name) || names.contains(tree.name))
                return badPath(tree.name, "is no name for a folder of the archive");
            names.append(tree.name);
            if (auto packed = packTree(tree); !packed)
                return tl::unexpected(packed.error());
        }
        if (::archive_write_close(m_out) != ARCHIVE_OK)
            return archiveError();
        return finished(archive, file);
    }

private:
    static Result<BootstrapArchivePtr> finished(const std::shared_ptr<BootstrapArchive> &archive, QTemporaryFile &file)
    {
        QCryptographicHash hash(QCryptographicHash::Sha256);
        if (!file.seek(0) || !hash.addData(&file) || !file.setPermissions(QFile::ReadOwner))
            return tl::unexpected(localError(file.errorString()));
        archive->m_size = file.size();
        archive->m_sha256 = QString::fromLatin1(hash.result().toHex());
        return BootstrapArchivePtr(archive);
    }

    Result<void> packTree(const BootstrapTree &tree)
    {
        if (!tree.localFolder.startsWith('/'))
            return badPath(tree.localFolder, "is not absolute");
        m_root = realPath(tree.localFolder);
        m_target = tree.target.bytes();
        struct stat info = {};
        if (m_root.isEmpty() || ::stat(m_root.constData(), &info) != 0)
            return badPath(tree.localFolder, "can't be found");
        if (!S_ISDIR(info.st_mode))
            return badPath(tree.localFolder, "is no folder");
        if (m_root == "/" || tree.target.isRoot())
            return badPath(tree.localFolder, "is all there is, or would replace all there is");
        return packFolder(m_root, tree.name, info);
    }

    Result<void> pack(const QByteArray &path, const QByteArray &name)
    {
        struct stat info = {};
        if (::lstat(path.constData(), &info) != 0)
            return errno == ENOENT ? changed(path) : systemError(path);
        if (S_ISDIR(info.st_mode))
            return packFolder(path, name, info);
        if (S_ISREG(info.st_mode))
            return packFile(path, name, info);
        if (S_ISLNK(info.st_mode))
            return packLink(path, name, info);
        return badPath(path, "is a socket, pipe or device");
    }

    Result<void> packFolder(const QByteArray &path, const QByteArray &name, const struct stat &before)
    {
        if (auto written = header(name + '/', before, AE_IFDIR, 0); !written)
            return written;
        const auto names = namesIn(path);
        if (!names)
            return tl::unexpected(names.error());
        for (const QByteArray &child : *names) {
            if (auto packed = pack(path + '/' + child, name + '/' + child); !packed)
                return packed;
        }
        return checkSame(path, before);
    }

    Result<void> packFile(const QByteArray &path, const QByteArray &name, const struct stat &before)
    {
        if (before.st_size > m_limits.fileBytes)
            return failure(ErrorKind::Capacity, "too_large", path, "is larger than a file may be");
        m_total += before.st_size;
        if (m_total > m_limits.totalBytes)
            return failure(ErrorKind::Capacity, "too_large", path, "makes the archive larger than it may be");
        // Not through a link that took its place, and no waiting for a pipe that did.
        const int fd = ::open(path.constData(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (fd < 0)
            return errno == ELOOP || errno == ENOENT ? changed(path) : systemError(path);
        auto copied =
            header(name, before, AE_IFREG, before.st_size).and_then([&] { return content(fd, path, before); });
        ::close(fd);
        return copied ? checkSame(path, before) : copied;
    }

    Result<void> content(int fd, const QByteArray &path, const struct stat &before)
    {
        struct stat now = {};
        if (::fstat(fd, &now) != 0 || !sameState(before, now))
            return changed(path);
        qint64 left = before.st_size;
        while (left > 0) {
            const ssize_t n = ::read(fd, m_buffer.data(), std::min<size_t>(chunk, static_cast<size_t>(left)));
            if (n < 0 && errno == EINTR)
                continue;
            if (n < 0)
                return systemError(path);
            if (n == 0)
                return changed(path);
            if (::archive_write_data(m_out, m_buffer.constData(), static_cast<size_t>(n)) != n)
                return archiveError();
            left -= n;
        }
        if (::fstat(fd, &now) != 0 || !sameState(before, now))
            return changed(path);
        return {};
    }

    Result<void> packLink(const QByteArray &path, const QByteArray &name, const struct stat &before)
    {
        char buffer[PATH_MAX];
        const ssize_t n = ::readlink(path.constData(), buffer, sizeof buffer);
        if (n < 0)
            return changed(path);
        const auto text = movedLink(path, QByteArray(buffer, n));
        if (!text)
            return tl::unexpected(text.error());
        if (auto written = header(name, before, AE_IFLNK, 0, *text); !written)
            return written;
        return checkSame(path, before);
    }

    /// What a link says once its tree stands in the sandbox.
    Result<QByteArray> movedLink(const QByteArray &path, const QByteArray &text) const
    {
        const QByteArray resolved = realPath(path);
        if (resolved.isEmpty())
            return badPath(path, "is a link to nothing");
        if (!isInside(resolved, m_root))
            return badPath(path, "is a link out of its tree");
        if (text.startsWith('/'))
            return resolved == m_root ? m_target : m_target + resolved.mid(m_root.size());
        // Where it leads must not depend on what the tree is called here.
        QByteArray at = path.left(path.lastIndexOf('/'));
        const QList<QByteArray> steps = text.split('/');
        for (const QByteArray &step : steps) {
            if (step == "..")
                at.truncate(at.lastIndexOf('/'));
            else if (!step.isEmpty() && step != ".")
                at += '/' + step;
            if (!isInside(at, m_root))
                return badPath(path, "is a link that leaves its tree on the way");
        }
        return text;
    }

    Result<void> header(const QByteArray &name, const struct stat &info, unsigned type, qint64 size,
                        const QByteArray &link = {})
    {
        if (++m_entries > m_limits.entries)
            return failure(ErrorKind::Capacity, "too_large", name, "is one entry more than there may be");
        archive_entry *entry = ::archive_entry_new();
        ::archive_entry_copy_pathname(entry, name.constData());
        ::archive_entry_set_filetype(entry, type);
        ::archive_entry_set_perm(entry, info.st_mode & 07777);
        ::archive_entry_set_size(entry, size);
        ::archive_entry_set_mtime(entry, 0, 0);
        if (!link.isEmpty())
            ::archive_entry_copy_symlink(entry, link.constData());
        const int written = ::archive_write_header(m_out, entry);
        ::archive_entry_free(entry);
        if (written < ARCHIVE_WARN)
            return archiveError();
        if (m_onEntry)
            m_onEntry(name);
        return {};
    }

    static Result<void> checkSame(const QByteArray &path, const struct stat &before)
    {
        struct stat now = {};
        if (::lstat(path.constData(), &now) != 0 || !sameState(before, now))
            return changed(path);
        return {};
    }

    Failure archiveError() const
    {
        const char *text = ::archive_error_string(m_out);
        return tl::unexpected(localError(QString::fromLocal8Bit(text ? text : "the archive can't be written")));
    }

    const BootstrapLimits m_limits;
    const std::function<void(const QByteArray &)> &m_onEntry;
    archive *m_out;
    QByteArray m_buffer;
    QByteArray m_root;   ///< of the tree at hand, without links
    QByteArray m_target; ///< of the tree at hand
    int m_entries = 0;
    qint64 m_total = 0;
};

BootstrapArchive::~BootstrapArchive()
{
    QFile::remove(m_path);
}

Result<BootstrapArchivePtr> buildBootstrapArchive(const QList<BootstrapTree> &trees, const BootstrapLimits &limits,
                                                  const std::function<void(const QByteArray &)> &onEntry)
{
    return ArchiveBuilder(limits, onEntry).build(trees);
}

Call<BootstrapArchivePtr> packBootstrapArchive(const QList<BootstrapTree> &trees, const BootstrapLimits &limits)
{
    return inBackground([trees, limits] { return buildBootstrapArchive(trees, limits); });
}

} // namespace boxdeck::session
