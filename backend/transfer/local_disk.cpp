// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/local_disk.h"

#include "backend/transfer/transfer_info.h"

#include <QRandomGenerator>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace boxdeck::transfer {

namespace {

constexpr qint64 flushStep = 16 * 1024 * 1024;

Failure failed(int number, const QByteArray &path)
{
    return tl::unexpected(diskError(number, path));
}

Failure coded(QLatin1String code, const QByteArray &path, const char *what)
{
    return tl::unexpected(Error{.kind = ErrorKind::Local,
                                .code = code,
                                .message = QStringLiteral("%1: %2").arg(QString::fromUtf8(path), QLatin1String(what))});
}

qint64 nanoseconds(const timespec &time)
{
    return static_cast<qint64>(time.tv_sec) * 1000000000 + time.tv_nsec;
}

FileFacts factsOf(const struct stat &info)
{
    return {.size = info.st_size,
            .modified = QDateTime::fromMSecsSinceEpoch(nanoseconds(info.st_mtim) / 1000000, Qt::UTC)};
}

QByteArray joined(const QByteArray &folder, const QByteArray &name)
{
    return folder.endsWith('/') ? folder + name : folder + '/' + name;
}

} // namespace

Fd &Fd::operator=(Fd &&other) noexcept
{
    if (this != &other) {
        if (m_fd >= 0)
            ::close(m_fd);
        m_fd = std::exchange(other.m_fd, -1);
    }
    return *this;
}

Fd::~Fd()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

Error diskError(int number, const QByteArray &path)
{
    QString code;
    switch (number) {
    case ENOSPC:
    case EDQUOT:
        code = code::diskFull;
        break;
    case EACCES:
    case EPERM:
    case EROFS:
        code = code::readOnly;
        break;
    case ENOENT:
    case ESTALE:
        code = code::vanished;
        break;
    case ENOTDIR:
    case EISDIR:
    case ELOOP:
        code = code::inTheWay;
        break;
    case ENAMETOOLONG:
    case EILSEQ:
        code = code::badName;
        break;
    default:
        break;
    }
    return {.kind = ErrorKind::Local,
            .code = code,
            .message =
                QStringLiteral("%1: %2").arg(QString::fromUtf8(path), QString::fromLocal8Bit(std::strerror(number)))};
}

QByteArray LocalTarget::path() const
{
    QByteArray path = root;
    for (const QByteArray &part : parts)
        path = joined(path, part);
    return joined(path, name);
}

Result<Fd> openFolder(const QByteArray &root, const QList<QByteArray> &parts, bool create)
{
    Fd folder(::open(root.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.isOpen())
        return failed(errno, root);
    QByteArray path = root;
    for (const QByteArray &part : parts) {
        path = joined(path, part);
        if (create && ::mkdirat(folder.get(), part.constData(), 0777) != 0 && errno != EEXIST)
            return failed(errno, path);
        // A link here was not made by this transfer: following it could write anywhere.
        Fd next(::openat(folder.get(), part.constData(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!next.isOpen())
            return failed(errno, path);
        folder = std::move(next);
    }
    return folder;
}

Result<std::optional<FileFacts>> localFacts(const LocalTarget &target)
{
    auto folder = openFolder(target.root, target.parts, true);
    if (!folder)
        return tl::unexpected(folder.error());
    struct stat info = {};
    if (::fstatat(folder->get(), target.name.constData(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno == ENOENT)
            return std::optional<FileFacts>();
        return failed(errno, target.path());
    }
    if (S_ISDIR(info.st_mode))
        return failed(EISDIR, target.path());
    return std::optional<FileFacts>(factsOf(info));
}

Result<QByteArray> freeName(const LocalTarget &target)
{
    auto folder = openFolder(target.root, target.parts, true);
    if (!folder)
        return tl::unexpected(folder.error());
    for (int number = 2; number < 10000; ++number) {
        const QByteArray name = numberedName(target.name, number);
        struct stat info = {};
        if (::fstatat(folder->get(), name.constData(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
            if (errno == ENOENT)
                return name;
            return failed(errno, target.path());
        }
    }
    return coded(code::exists, target.path(), "no free name");
}

Result<std::shared_ptr<PartFile>> PartFile::create(const LocalTarget &target)
{
    auto folder = openFolder(target.root, target.parts, true);
    if (!folder)
        return tl::unexpected(folder.error());
    std::shared_ptr<PartFile> part(new PartFile);
    part->m_folder = std::move(*folder);
    part->m_folderPath = target.path().left(target.path().size() - target.name.size());
    for (int attempt = 0; attempt < 16; ++attempt) {
        // Short and of its own: the target's name may have all of the 255 bytes.
        const QByteArray name =
            ".boxdeck-" + QByteArray::number(QRandomGenerator::global()->generate64(), 16) + ".part";
        part->m_file = Fd(::openat(part->m_folder.get(), name.constData(),
                                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
        if (part->m_file.isOpen()) {
            part->m_partName = name;
            return part;
        }
        if (errno != EEXIST)
            return failed(errno, target.path());
    }
    return failed(EEXIST, target.path());
}

PartFile::~PartFile()
{
    if (!m_committed && !m_partName.isEmpty())
        ::unlinkat(m_folder.get(), m_partName.constData(), 0);
}

Result<void> PartFile::append(const QByteArray &bytes)
{
    qsizetype done = 0;
    while (done < bytes.size()) {
        const ssize_t n = ::write(m_file.get(), bytes.constData() + done, static_cast<size_t>(bytes.size() - done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return failed(errno, m_folderPath);
        done += n;
        m_size += n;
    }
    if (m_size - m_flushing >= flushStep) {
        // Lets the disk begin now, so that commit() does not wait for the whole file at the end. Only a hint.
        ::sync_file_range(m_file.get(), m_flushing, m_size - m_flushing, SYNC_FILE_RANGE_WRITE);
        m_flushing = m_size;
    }
    return {};
}

Result<void> PartFile::restart()
{
    if (::ftruncate(m_file.get(), 0) != 0 || ::lseek(m_file.get(), 0, SEEK_SET) < 0)
        return failed(errno, m_folderPath);
    m_size = 0;
    m_flushing = 0;
    return {};
}

Result<void> PartFile::commit(const QByteArray &name, bool replace)
{
    const QByteArray path = m_folderPath + name;
    struct stat old = {};
    if (::fstatat(m_folder.get(), name.constData(), &old, AT_SYMLINK_NOFOLLOW) == 0) {
        if (!replace)
            return coded(code::exists, path, "exists");
        if (S_ISDIR(old.st_mode))
            return failed(EISDIR, path);
        if (S_ISREG(old.st_mode) && ::fchmod(m_file.get(), old.st_mode & 0777) != 0)
            return failed(errno, path);
    }
    if (::fsync(m_file.get()) != 0)
        return failed(errno, path);
    // NOREPLACE closes the gap since the look above; a file system that can't do it has to live with the gap.
    int moved = replace ? ::renameat(m_folder.get(), m_partName.constData(), m_folder.get(), name.constData())
                        : ::renameat2(m_folder.get(), m_partName.constData(), m_folder.get(), name.constData(),
                                      RENAME_NOREPLACE);
    if (moved != 0 && !replace && (errno == EINVAL || errno == ENOSYS))
        moved = ::renameat(m_folder.get(), m_partName.constData(), m_folder.get(), name.constData());
    if (moved != 0) {
        if (errno == EEXIST)
            return coded(code::exists, path, "exists");
        return failed(errno, path);
    }
    m_committed = true;
    ::fsync(m_folder.get()); // the name, too; a file system that can't sync a folder has it written anyway
    return {};
}

Result<std::shared_ptr<SourceFile>> SourceFile::open(const QByteArray &path)
{
    std::shared_ptr<SourceFile> source(new SourceFile);
    source->m_path = path;
    // Without O_NONBLOCK a pipe that took the file's place would hang here.
    source->m_file = Fd(::open(path.constData(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!source->m_file.isOpen())
        return failed(errno, path);
    struct stat info = {};
    if (::fstat(source->m_file.get(), &info) != 0)
        return failed(errno, path);
    if (!S_ISREG(info.st_mode))
        return coded(code::special, path, "not a regular file");
    source->m_facts = factsOf(info);
    source->m_stamp = {info.st_dev, info.st_ino, info.st_size, nanoseconds(info.st_mtim)};
    return source;
}

Result<QByteArray> SourceFile::read(qint64 offset, qint64 max)
{
    const qint64 wanted = std::min(max, m_facts.size - offset);
    QByteArray bytes(std::max<qint64>(wanted, 0), Qt::Uninitialized);
    qint64 done = 0;
    while (done < wanted) {
        const ssize_t n = ::pread(m_file.get(), bytes.data() + done, static_cast<size_t>(wanted - done), offset + done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return failed(errno, m_path);
        if (n == 0)
            return coded(code::sourceChanged, m_path, "became shorter while it was read");
        done += n;
    }
    return bytes;
}

Result<void> SourceFile::checkUnchanged() const
{
    struct stat info = {};
    if (::fstat(m_file.get(), &info) != 0)
        return failed(errno, m_path);
    if (info.st_size != m_stamp.size || nanoseconds(info.st_mtim) != m_stamp.mtimeNs)
        return coded(code::sourceChanged, m_path, "changed while it was read");
    return {};
}

} // namespace boxdeck::transfer
