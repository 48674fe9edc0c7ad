// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/transfer/conflict_policy.h"

#include <QByteArray>
#include <QList>

#include <memory>
#include <optional>

// The disk of this computer, as transfers use it: bytes for names, no link followed below the folder the user chose, no
// half-written file under a real name. Everything here may block; it runs on a DiskQueue, one call at a time per
// object.

namespace boxdeck::transfer {

/// An open file descriptor, closed with its holder.
class Fd
{
public:
    Fd() = default;
    explicit Fd(int fd)
        : m_fd(fd)
    {
    }
    Fd(Fd &&other) noexcept
        : m_fd(std::exchange(other.m_fd, -1))
    {
    }
    Fd &operator=(Fd &&other) noexcept;
    Fd(const Fd &) = delete;
    Fd &operator=(const Fd &) = delete;
    ~Fd();
    int get() const { return m_fd; }
    bool isOpen() const { return m_fd >= 0; }

private:
    int m_fd = -1;
};

/// What went wrong with `path`, from errno: Local with one of transfer::code (disk_full, read_only, vanished,
/// in_the_way, bad_name) where it is known.
Error diskError(int number, const QByteArray &path);

/// Where one downloaded file goes: a name in a folder `parts` deep below the folder the user chose.
struct LocalTarget
{
    QByteArray root;         ///< the chosen folder; may be reached through links
    QList<QByteArray> parts; ///< folders below it, made when missing; a link among them is refused (code "in_the_way")
    QByteArray name;

    QByteArray path() const;
};

/// Makes the folders `parts` below `root` and opens the last. `root` itself must exist.
Result<Fd> openFolder(const QByteArray &root, const QList<QByteArray> &parts, bool create);

/// What stands at the target: nothing, or a file's facts. A folder in its place is an error (code "in_the_way"); a link
/// counts as a file, for it would be replaced, not followed.
Result<std::optional<FileFacts>> localFacts(const LocalTarget &target);

/// A name beside the target that is free: "a (2).txt", "a (3).txt" …
Result<QByteArray> freeName(const LocalTarget &target);

/// The file a download grows in: beside its target, under a name of its own, until commit() moves it there. Removed by
/// its destructor unless committed.
class PartFile
{
public:
    static Result<std::shared_ptr<PartFile>> create(const LocalTarget &target);
    ~PartFile();

    Result<void> append(const QByteArray &bytes);
    Result<void> restart(); ///< empties it
    qint64 size() const { return m_size; }

    /// Flushes to the disk, gives the file the mode of the one it replaces, and moves it to the target's name.
    /// With `replace` false and something of that name there by now: code "exists", and the part file stays.
    Result<void> commit(const QByteArray &name, bool replace);

private:
    PartFile() = default;
    Fd m_folder;
    Fd m_file;
    QByteArray m_folderPath;
    QByteArray m_partName;
    qint64 m_size = 0;
    qint64 m_flushing = 0; ///< bytes the disk was told to begin with
    bool m_committed = false;
};

/// What tells one state of a file from another. Two with the same are taken for the same content.
struct SourceStamp
{
    quint64 device = 0;
    quint64 inode = 0;
    qint64 size = 0;
    qint64 mtimeNs = 0;

    bool operator==(const SourceStamp &) const = default;
};

/// A regular file that is uploaded, with what it was when it was opened.
class SourceFile
{
public:
    static Result<std::shared_ptr<SourceFile>> open(const QByteArray &path);

    const FileFacts &facts() const { return m_facts; }
    const SourceStamp &stamp() const { return m_stamp; }

    /// The next bytes at `offset`: exactly min(max, rest). Fewer on the disk than there were: code "source_changed".
    Result<QByteArray> read(qint64 offset, qint64 max);

    /// Code "source_changed" if size or modification time are not what they were at open.
    Result<void> checkUnchanged() const;

private:
    SourceFile() = default;
    Fd m_file;
    QByteArray m_path;
    FileFacts m_facts;
    SourceStamp m_stamp;
};

} // namespace boxdeck::transfer
