// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/volumes/volume_mounts.h"

#include <algorithm>

#include <boost/json.hpp>

#include "backend/host/control_plane/api_error.h"

namespace boxdeck::host {

namespace {

namespace json = boost::json;

constexpr std::size_t mostMounts = 16;
constexpr std::size_t longestPath = 1024;

// What is in these is this computer's, the image's or the kernel's.
constexpr std::string_view closedTrees[] = {"/proc", "/dev",   "/sys",   "/usr",    "/etc",  "/bin",     "/sbin",
                                            "/lib",  "/lib32", "/lib64", "/libx32", "/boot", "/.boxdeck"};
// Folders in these can be mounted, but not over the whole of them.
constexpr std::string_view closedFolders[] = {"/", "/home", "/home/user", "/root", "/tmp", "/var", "/var/tmp", "/run"};

bool isBelow(std::string_view path, std::string_view folder)
{
    return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

[[noreturn]] void refuse(const std::string &path, const std::string &why)
{
    throw ApiError(400, "volumeMounts: the path '" + path + "' " + why);
}

void checkPath(const std::string &path)
{
    const bool odd = std::any_of(path.begin(), path.end(), [](char letter) {
        return static_cast<unsigned char>(letter) < ' ' || letter == 0x7f;
    });
    if (path.empty() || path[0] != '/')
        refuse(path, "is not absolute");
    if (odd || path.size() > longestPath)
        refuse(path, "has control characters or is too long");
    if (path == "/")
        refuse(path, "is the sandbox's root");
    for (const std::string_view part : {"//", "/./", "/../"}) {
        if ((path + '/').find(part) != std::string::npos)
            refuse(path, "is not clean: leave out doubled slashes, '.', '..' and a slash at the end");
    }
    for (const std::string_view tree : closedTrees) {
        if (path == tree || isBelow(path, tree))
            refuse(path, "lies in " + std::string(tree) + ", where nothing can be mounted");
    }
    for (const std::string_view folder : closedFolders) {
        if (path == folder)
            refuse(path, "would hide what the sandbox needs; use a folder below it");
    }
}

std::string textMember(const json::value &mount, const char *name)
{
    const json::value *value = mount.is_object() ? mount.as_object().if_contains(name) : nullptr;
    if (value == nullptr || !value->is_string())
        throw ApiError(400, "validation error: volumeMounts must hold objects with name and path");
    return std::string(value->as_string());
}

} // namespace

std::vector<VolumeMount> readVolumeMounts(const json::value &value)
{
    if (!value.is_array())
        throw ApiError(400, "validation error: volumeMounts must be a list");
    std::vector<VolumeMount> mounts;
    for (const json::value &one : value.as_array()) {
        VolumeMount mount{.name = textMember(one, "name"), .path = textMember(one, "path")};
        checkPath(mount.path);
        for (const VolumeMount &other : mounts) {
            if (other.path == mount.path)
                refuse(mount.path, "was given twice");
            if (isBelow(mount.path, other.path) || isBelow(other.path, mount.path))
                refuse(mount.path, "and '" + other.path + "' lie in each other");
        }
        mounts.push_back(std::move(mount));
        if (mounts.size() > mostMounts)
            throw ApiError(400, "volumeMounts takes at most 16 entries");
    }
    return mounts;
}

} // namespace boxdeck::host
