// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/entry_info.h"

#include "backend/host/envd/paths.h"
#include "backend/host/envd/rpc_error.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string_view>
#include <sys/xattr.h>

namespace boxdeck::host::envd {

namespace {

constexpr std::string_view attributePrefix = "user.e2b.";

std::string_view typeName(mode_t mode)
{
    if (S_ISREG(mode))
        return "FILE_TYPE_FILE";
    if (S_ISDIR(mode))
        return "FILE_TYPE_DIRECTORY";
    return {};
}

std::string timestamp(const timespec &time)
{
    std::tm utc{};
    gmtime_r(&time.tv_sec, &utc);
    std::array<char, 64> text{};
    int length = std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d", utc.tm_year + 1900,
                               utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
    std::string out(text.data(), static_cast<std::size_t>(length));
    if (time.tv_nsec != 0) {
        length = std::snprintf(text.data(), text.size(), ".%09ld", time.tv_nsec);
        out.append(text.data(), static_cast<std::size_t>(length));
        // As protobuf: three, six or nine digits.
        while (out.ends_with("000"))
            out.resize(out.size() - 3);
    }
    return out + "Z";
}

template <typename Number, typename Names, typename LookUp>
const std::string &nameOf(Names &names, Number number, LookUp lookUp)
{
    const auto found = names.find(number);
    return found == names.end() ? names.emplace(number, lookUp(number)).first->second : found->second;
}

} // namespace

std::map<std::string, std::string> readMetadata(const std::string &path)
{
    std::map<std::string, std::string> metadata;
    std::array<char, 4096> small{};
    ssize_t size = ::listxattr(path.c_str(), small.data(), small.size());
    if (size == 0 || (size < 0 && errno != ERANGE))
        return metadata;
    std::string names;
    if (size > 0) {
        names.assign(small.data(), static_cast<std::size_t>(size));
    } else {
        size = ::listxattr(path.c_str(), nullptr, 0);
        names.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
        size = ::listxattr(path.c_str(), names.data(), names.size());
        names.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    }
    for (std::size_t start = 0; start < names.size();) {
        const std::size_t end = std::min(names.find('\0', start), names.size());
        const std::string name = names.substr(start, end - start);
        start = end + 1;
        if (!name.starts_with(attributePrefix))
            continue;
        std::array<char, 8192> value{};
        const ssize_t length = ::getxattr(path.c_str(), name.c_str(), value.data(), value.size());
        if (length >= 0)
            metadata[name.substr(attributePrefix.size())] = std::string(value.data(), static_cast<std::size_t>(length));
    }
    return metadata;
}

std::string permissionText(mode_t mode)
{
    std::string text;
    if (S_ISDIR(mode))
        text += 'd';
    if (S_ISLNK(mode))
        text += 'L';
    if (S_ISBLK(mode) || S_ISCHR(mode))
        text += 'D';
    if (S_ISFIFO(mode))
        text += 'p';
    if (S_ISSOCK(mode))
        text += 'S';
    if ((mode & S_ISUID) != 0)
        text += 'u';
    if ((mode & S_ISGID) != 0)
        text += 'g';
    if (S_ISCHR(mode))
        text += 'c';
    if ((mode & S_ISVTX) != 0)
        text += 't';
    if (text.empty())
        text += '-';
    constexpr std::string_view letters = "rwxrwxrwx";
    for (unsigned bit = 0; bit < letters.size(); ++bit)
        text += (mode & (0400U >> bit)) != 0 ? letters[bit] : '-';
    return text;
}

std::optional<std::string> resolvedPath(const std::string &path)
{
    const std::unique_ptr<char, void (*)(void *)> resolved(::realpath(path.c_str(), nullptr), std::free);
    if (!resolved)
        return std::nullopt;
    return std::string(resolved.get());
}

void EntryWriter::write(http::JsonWriter &out, const std::string &realPath, const std::string &path,
                        std::string_view name, const struct stat &info)
{
    const bool link = S_ISLNK(info.st_mode);
    mode_t targetMode = info.st_mode;
    if (link) {
        struct stat target = {};
        targetMode = ::stat(realPath.c_str(), &target) == 0 ? target.st_mode : 0;
    }
    out.beginObject();
    out.key("name").string(name);
    if (const auto type = typeName(targetMode); !type.empty())
        out.key("type").string(type);
    out.key("path").string(path);
    if (info.st_size != 0)
        out.key("size").numberText(info.st_size);
    if ((targetMode & 0777) != 0)
        out.key("mode").number(targetMode & 0777);
    out.key("permissions").string(permissionText(info.st_mode));
    out.key("owner").string(nameOf(m_owners, info.st_uid, [this](uid_t uid) { return m_accounts.userName(uid); }));
    out.key("group").string(nameOf(m_groups, info.st_gid, [this](gid_t gid) { return m_accounts.groupName(gid); }));
    out.key("modifiedTime").string(timestamp(info.st_mtim));
    if (link)
        out.key("symlinkTarget").string(resolvedPath(realPath).value_or(path));
    // Only these can have any.
    if (S_ISREG(targetMode) || S_ISDIR(targetMode)) {
        if (const auto metadata = readMetadata(realPath); !metadata.empty()) {
            out.key("metadata").beginObject();
            for (const auto &[key, value] : metadata)
                out.key(key).string(value);
            out.endObject();
        }
    }
    out.endObject();
}

std::string entryJson(const std::string &path, const Accounts &accounts)
{
    struct stat info = {};
    if (::lstat(path.c_str(), &info) != 0) {
        const std::string text = "lstat " + path + ": " + errnoText(errno);
        if (errno == ENOENT)
            throw RpcError(Code::NotFound, "file not found: " + text);
        throw RpcError(Code::Internal, "error getting file info: " + text);
    }
    std::string json;
    http::JsonWriter out(json);
    out.beginObject().key("entry");
    EntryWriter(accounts).write(out, path, path, baseName(path), info);
    out.endObject();
    return json;
}

} // namespace boxdeck::host::envd
