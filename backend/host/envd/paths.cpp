// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/paths.h"

#include <cerrno>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace boxdeck::host::envd {

namespace {

[[noreturn]] void fail(int error, const std::string &path)
{
    throw std::system_error(error, std::generic_category(), path);
}

} // namespace

std::string cleanPath(std::string_view path)
{
    const bool absolute = !path.empty() && path.front() == '/';
    std::vector<std::string_view> parts;
    while (!path.empty()) {
        const std::size_t slash = path.find('/');
        const std::string_view part = path.substr(0, slash);
        path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
        if (part.empty() || part == ".")
            continue;
        if (part == ".." && !parts.empty() && parts.back() != "..")
            parts.pop_back();
        else if (part != ".." || !absolute)
            parts.push_back(part);
    }
    std::string out = absolute ? "/" : "";
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0)
            out.push_back('/');
        out += parts[i];
    }
    return out.empty() ? "." : out;
}

std::string joinPath(std::string_view base, std::string_view name)
{
    std::string joined(base);
    joined.push_back('/');
    joined += name;
    return cleanPath(joined);
}

std::string parentPath(std::string_view path)
{
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos)
        return ".";
    return cleanPath(path.substr(0, slash + 1));
}

std::string baseName(std::string_view path)
{
    if (path.empty())
        return ".";
    while (path.size() > 1 && path.back() == '/')
        path.remove_suffix(1);
    const std::size_t slash = path.rfind('/');
    return std::string(slash == std::string_view::npos || path.size() == 1 ? path : path.substr(slash + 1));
}

std::string expandPath(std::string_view path, std::string_view home, std::string_view defaultDirectory)
{
    // The system would take the part before it for the whole: another file than the one named.
    if (path.find('\0') != std::string_view::npos)
        throw std::invalid_argument("a path can't hold a NUL character");
    if (path.empty())
        path = defaultDirectory;
    if (!path.empty() && path.front() == '~') {
        if (path.size() > 1 && path[1] != '/')
            throw std::invalid_argument("failed to expand path '" + std::string(path) +
                                        "': cannot expand user-specific home dir");
        return joinPath(home, path.substr(1));
    }
    if (!path.empty() && path.front() == '/')
        return std::string(path);
    return joinPath(home, path);
}

void ensureDirectories(const std::string &path, uid_t uid, gid_t gid)
{
    const std::string clean = cleanPath(path);
    for (std::size_t end = clean.find('/', 1);; end = clean.find('/', end + 1)) {
        const std::string part = clean.substr(0, end);
        struct stat info = {};
        if (::stat(part.c_str(), &info) == 0) {
            if (!S_ISDIR(info.st_mode))
                fail(ENOTDIR, part);
        } else if (errno != ENOENT) {
            fail(errno, part);
        } else {
            const bool made = ::mkdir(part.c_str(), 0755) == 0;
            if (!made && errno != EEXIST)
                fail(errno, part);
            // Also when another upload was quicker: it may not have come to its chown yet, and must not win with root.
            if (const int error = chownPath(part, uid, gid); error != 0)
                fail(error, part);
        }
        if (end == std::string::npos)
            return;
    }
}

int chownPath(const std::string &path, uid_t uid, gid_t gid)
{
    if (::chown(path.c_str(), uid, gid) == 0)
        return 0;
    const int error = errno;
    struct stat info = {};
    const bool right = error == EPERM && ::stat(path.c_str(), &info) == 0 && info.st_uid == uid && ::geteuid() == uid;
    return right ? 0 : error;
}

int chownFd(int fd, uid_t uid, gid_t gid)
{
    if (::fchown(fd, uid, gid) == 0)
        return 0;
    const int error = errno;
    struct stat info = {};
    const bool right = error == EPERM && ::fstat(fd, &info) == 0 && info.st_uid == uid && ::geteuid() == uid;
    return right ? 0 : error;
}

} // namespace boxdeck::host::envd
