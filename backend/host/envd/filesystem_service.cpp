// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/filesystem_service.h"

#include "backend/host/envd/entry_info.h"
#include "backend/host/envd/offload.h"
#include "backend/host/envd/paths.h"
#include "backend/host/envd/rpc_error.h"
#include "backend/host/envd/unique_fd.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <system_error>
#include <vector>

namespace boxdeck::host::envd {

namespace {

struct Listing
{
    std::vector<std::string> names;
    int error = 0;
};

// Sorted names of a directory; an error that is not "it has vanished" is given back.
Listing readNames(int fd)
{
    Listing listing;
    DIR *const stream = ::fdopendir(fd);
    if (stream == nullptr) {
        listing.error = errno;
        ::close(fd);
        return listing;
    }
    errno = 0;
    while (const dirent *entry = ::readdir(stream)) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..")
            listing.names.emplace_back(name);
        errno = 0;
    }
    listing.error = errno;
    ::closedir(stream);
    std::sort(listing.names.begin(), listing.names.end());
    return listing;
}

// A directory that is being listed: what is left of it, and where it is.
struct Level
{
    UniqueFd fd;
    std::vector<std::string> names;
    std::size_t next = 0;
    std::string realPath;
    std::string shownPath;
};

std::optional<Level> openLevel(int parent, const std::string &name, std::string realPath, std::string shownPath)
{
    const int fd =
        ::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | (parent == AT_FDCWD ? 0 : O_NOFOLLOW));
    if (fd < 0) {
        if (errno == ENOENT && parent != AT_FDCWD)
            return std::nullopt; // vanished since it was listed
        throw RpcError(Code::Internal, "error reading directory " + realPath + ": " + errnoText(errno));
    }
    Listing listing = readNames(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
    if (listing.error != 0) {
        ::close(fd);
        throw RpcError(Code::Internal, "error reading directory " + realPath + ": " + errnoText(listing.error));
    }
    return Level{.fd = UniqueFd(fd),
                 .names = std::move(listing.names),
                 .realPath = std::move(realPath),
                 .shownPath = std::move(shownPath)};
}

std::string below(const std::string &folder, const std::string &name)
{
    return folder == "/" ? "/" + name : folder + "/" + name;
}

void checkIsDirectory(const std::string &path)
{
    struct stat info = {};
    if (::stat(path.c_str(), &info) != 0) {
        const std::string text = path + ": " + errnoText(errno);
        if (errno == ENOENT)
            throw RpcError(Code::NotFound, "path not found: " + text);
        if (errno == ELOOP)
            throw RpcError(Code::FailedPrecondition, "cyclic symlink or chain of too many links at \"" + path + "\"");
        throw RpcError(Code::Internal, "error resolving symlink: " + text);
    }
    if (!S_ISDIR(info.st_mode))
        throw RpcError(Code::InvalidArgument, "path is not a directory: " + path);
}

void makeParents(const std::string &path, const Account &account)
{
    try {
        ensureDirectories(path, account.uid, account.gid);
    } catch (const std::system_error &error) {
        throw RpcError(Code::Internal, "failed to create directory " + std::string(error.what()));
    }
}

int removeTree(int parent, const std::string &name)
{
    if (::unlinkat(parent, name.c_str(), 0) == 0 || errno == ENOENT)
        return 0;
    if (errno != EISDIR && errno != EPERM && errno != EACCES)
        return errno;
    const int unlinkError = errno;
    const int fd = ::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? 0 : (errno == ENOTDIR || errno == ELOOP) ? unlinkError : errno;
    const UniqueFd folder(fd);
    // Again until it stays empty: something may still be writing into it.
    for (int round = 0; round < 3; ++round) {
        const Listing listing = readNames(::openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (listing.error != 0)
            return listing.error;
        for (const std::string &child : listing.names) {
            if (const int error = removeTree(fd, child); error != 0)
                return error;
        }
        if (::unlinkat(parent, name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT)
            return 0;
        if (errno != ENOTEMPTY && errno != EEXIST)
            return errno;
    }
    return ENOTEMPTY;
}

} // namespace

std::string listDirectory(const std::string &path, std::uint32_t depth, const Accounts &accounts)
{
    checkIsDirectory(path);
    const std::string real = resolvedPath(path).value_or(path);
    std::string json;
    http::JsonWriter out(json);
    EntryWriter entries(accounts);
    bool any = false;

    std::vector<Level> levels;
    levels.push_back(*openLevel(AT_FDCWD, real, real, cleanPath(path)));
    json.reserve(levels.back().names.size() * 256);
    out.beginObject();
    while (!levels.empty()) {
        Level &level = levels.back();
        if (level.next == level.names.size()) {
            levels.pop_back();
            continue;
        }
        const std::string &name = level.names[level.next++];
        struct stat info = {};
        if (::fstatat(level.fd.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
            if (errno == ENOENT)
                continue;
            throw RpcError(Code::Internal, "error reading directory " + level.realPath + ": lstat " +
                                               below(level.realPath, name) + ": " + errnoText(errno));
        }
        std::string realPath = below(level.realPath, name);
        std::string shownPath = below(level.shownPath, name);
        if (!std::exchange(any, true))
            out.key("entries").beginArray();
        entries.write(out, realPath, shownPath, name, info);
        if (S_ISDIR(info.st_mode) && levels.size() < depth) {
            if (auto next = openLevel(level.fd.get(), name, std::move(realPath), std::move(shownPath)))
                levels.push_back(std::move(*next));
        }
    }
    if (any)
        out.endArray();
    out.endObject();
    return json;
}

void removeAll(const std::string &path)
{
    if (baseName(path) == ".")
        throw RpcError(Code::Internal, "error removing file or directory: RemoveAll " + path + ": invalid argument");
    std::string clean = path;
    while (clean.size() > 1 && clean.back() == '/')
        clean.pop_back();
    if (const int error = removeTree(AT_FDCWD, clean); error != 0 && error != ENOTDIR)
        throw RpcError(Code::Internal, "error removing file or directory: unlinkat " + path + ": " + errnoText(error));
    else if (error == ENOTDIR)
        throw RpcError(Code::Internal, "error removing file or directory: " + path + ": " + errnoText(error));
}

std::string FilesystemService::Context::expand(const std::string &path) const
{
    try {
        return expandPath(path, account.home, defaultDirectory);
    } catch (const std::invalid_argument &error) {
        throw RpcError(Code::InvalidArgument, error.what());
    }
}

void FilesystemService::add(RpcRouter &router, const std::string &method, Work work)
{
    router.addUnary("/filesystem.Filesystem/" + method,
                    [this, work](http::Exchange &exchange, const Message &request,
                                 const CallOptions &) -> asio::awaitable<std::string> {
                        Context context{.accounts = Accounts::load(), .defaultDirectory = m_settings.defaultDirectory};
                        context.account =
                            accountFor(exchange.request().headers.get("Authorization"), m_settings, context.accounts);
                        auto run = [&] { return work(context, request); };
                        std::string answer = co_await offload(m_blocking, run);
                        co_return answer;
                    });
}

void FilesystemService::addTo(RpcRouter &router)
{
    add(router, "Stat", [](const Context &context, const Message &request) {
        return entryJson(context.expand(request.string("path")), context.accounts);
    });
    add(router, "ListDir", [](const Context &context, const Message &request) {
        const std::uint32_t depth = request.uint32("depth");
        return listDirectory(context.expand(request.string("path")), depth == 0 ? 1 : depth, context.accounts);
    });
    add(router, "MakeDir", [](const Context &context, const Message &request) {
        const std::string path = context.expand(request.string("path"));
        struct stat info = {};
        if (::stat(path.c_str(), &info) == 0) {
            if (S_ISDIR(info.st_mode))
                throw RpcError(Code::AlreadyExists, "directory already exists: " + path);
            throw RpcError(Code::InvalidArgument, "path already exists but it is not a directory: " + path);
        }
        if (errno != ENOENT)
            throw RpcError(Code::Internal, "error getting file info: stat " + path + ": " + errnoText(errno));
        makeParents(path, context.account);
        return entryJson(path, context.accounts);
    });
    add(router, "Move", [](const Context &context, const Message &request) {
        const std::string source = context.expand(request.string("source"));
        const std::string destination = context.expand(request.string("destination"));
        makeParents(parentPath(destination), context.account);
        // rename() would replace an empty directory; the reference never does.
        struct stat info = {};
        const bool ontoDirectory = ::lstat(destination.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
        struct stat from = {};
        if (::lstat(source.c_str(), &from) == 0 && ontoDirectory &&
            (from.st_dev != info.st_dev || from.st_ino != info.st_ino))
            throw RpcError(Code::Internal, "error renaming: rename " + source + " " + destination + ": file exists");
        if (::rename(source.c_str(), destination.c_str()) != 0) {
            const std::string text = "rename " + source + " " + destination + ": " + errnoText(errno);
            if (errno == ENOENT)
                throw RpcError(Code::NotFound, "source file not found: " + text);
            throw RpcError(Code::Internal, "error renaming: " + text);
        }
        return entryJson(destination, context.accounts);
    });
    add(router, "Remove", [](const Context &context, const Message &request) {
        removeAll(context.expand(request.string("path")));
        return std::string("{}");
    });
}

} // namespace boxdeck::host::envd
