// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/local_walker.h"

#include "backend/transfer/local_disk.h"

#include <QStringDecoder>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

namespace boxdeck::transfer {

namespace {

bool isUtf8(const QByteArray &name)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    [[maybe_unused]] const QString text = decoder(name);
    return !decoder.hasError();
}

QByteArray resolved(const QByteArray &path)
{
    char buffer[PATH_MAX];
    return ::realpath(path.constData(), buffer) ? QByteArray(buffer) : QByteArray();
}

class Scanner
{
public:
    Scanner(const std::atomic_bool &stop, WalkLimits limits)
        : m_stop(stop)
        , m_limits(limits)
    {
    }

    void root(QByteArray path)
    {
        while (path.size() > 1 && path.endsWith('/'))
            path.chop(1);
        const QByteArray name = path.mid(path.lastIndexOf('/') + 1);
        if (name.isEmpty()) {
            problem("/", code::badName, false, "the whole file system can't be uploaded");
            return;
        }
        struct stat info = {};
        if (::stat(path.constData(), &info) != 0) {
            failure(name, errno, path);
            return;
        }
        m_rootReal = resolved(path);
        if (!isUtf8(name))
            problem(name, code::badName, false, "the name is not UTF-8");
        else if (S_ISDIR(info.st_mode))
            folder(path, name, 1);
        else
            file(path, name, info);
    }

    LocalScan take() { return std::move(m_scan); }

private:
    void folder(const QByteArray &path, const QByteArray &relative, int depth)
    {
        if (depth > m_limits.depth) {
            problem(relative, code::tooMuch, false, "too deep");
            return;
        }
        DIR *dir = ::opendir(path.constData());
        if (!dir) {
            failure(relative, errno, path);
            return;
        }
        m_scan.folders.append(relative);
        QList<QByteArray> names;
        while (const dirent *entry = ::readdir(dir)) {
            const QByteArray name(entry->d_name);
            if (name != "." && name != "..")
                names.append(name);
        }
        ::closedir(dir);
        std::sort(names.begin(), names.end());
        for (const QByteArray &name : names) {
            if (m_stop || m_full)
                return;
            entry(path + '/' + name, relative + '/' + name, name, depth);
        }
    }

    void entry(const QByteArray &path, const QByteArray &relative, const QByteArray &name, int depth)
    {
        if (++m_seen > m_limits.entries) {
            m_full = true;
            problem(relative, code::tooMuch, false, "too many entries");
            return;
        }
        if (!isUtf8(name)) {
            problem(relative, code::badName, false, "the name is not UTF-8");
            return;
        }
        struct stat info = {};
        if (::lstat(path.constData(), &info) != 0) {
            failure(relative, errno, path);
            return;
        }
        if (S_ISLNK(info.st_mode)) {
            if (::stat(path.constData(), &info) != 0) {
                problem(relative, code::brokenLink, true, "a link that leads nowhere");
                return;
            }
            const QByteArray target = resolved(path);
            const bool inside = target.startsWith(m_rootReal + '/');
            if (!S_ISREG(info.st_mode) || !inside) {
                problem(relative, code::link, true,
                        S_ISDIR(info.st_mode) ? "a link to a folder" : "a link to something outside the folder");
                return;
            }
        }
        if (S_ISDIR(info.st_mode))
            folder(path, relative, depth + 1);
        else
            file(path, relative, info);
    }

    void file(const QByteArray &path, const QByteArray &relative, const struct stat &info)
    {
        if (!S_ISREG(info.st_mode)) {
            problem(relative, code::special, true, "not a regular file");
            return;
        }
        m_scan.files.append({path, relative, info.st_size});
        m_scan.bytes += info.st_size;
    }

    void problem(const QByteArray &relative, QLatin1String code, bool skipped, const char *message)
    {
        m_scan.problems.append({.name = QString::fromUtf8(relative),
                                .skipped = skipped,
                                .error = {.kind = ErrorKind::Local, .code = code, .message = QLatin1String(message)}});
    }

    void failure(const QByteArray &relative, int number, const QByteArray &path)
    {
        m_scan.problems.append({.name = QString::fromUtf8(relative), .error = diskError(number, path)});
    }

    const std::atomic_bool &m_stop;
    WalkLimits m_limits;
    LocalScan m_scan;
    QByteArray m_rootReal;
    qint64 m_seen = 0;
    bool m_full = false;
};

} // namespace

LocalScan scanLocal(const QList<QByteArray> &roots, const std::atomic_bool &stop, WalkLimits limits)
{
    Scanner scanner(stop, limits);
    for (const QByteArray &root : roots) {
        if (stop)
            break;
        scanner.root(root);
    }
    return scanner.take();
}

} // namespace boxdeck::transfer
