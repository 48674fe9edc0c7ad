// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/disk_usage.h"

#include "backend/host/envd/unique_fd.h"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <atomic>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unordered_set>
#include <vector>

namespace boxdeck::host::envd {

namespace {

constexpr std::chrono::seconds shortestPause{4};
constexpr int pausePerWalk = 50;
constexpr std::uint64_t blockSize = 512; // of st_blocks, whatever the file system's is
// Folders that wait for their turn keep their parents open: no more than this many, far below the limit of open files.
constexpr std::size_t deepest = 4096;

struct Waiting
{
    std::shared_ptr<UniqueFd> parent;
    std::string name;
    std::size_t depth = 0;
};

} // namespace

std::optional<std::uint64_t> measureTree(const char *folder, const std::function<bool()> &stop)
{
    std::uint64_t blocks = 0;
    std::unordered_set<ino_t> counted; // of files with several names
    struct stat top = {};
    if (::lstat(folder, &top) != 0)
        return 0;
    std::vector<Waiting> waiting{{.parent = nullptr, .name = folder}};
    while (!waiting.empty()) {
        if (stop())
            return {};
        const Waiting now = std::move(waiting.back());
        waiting.pop_back();
        const int parent = now.parent ? now.parent->get() : AT_FDCWD;
        const int fd = ::openat(parent, now.name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NOATIME);
        const auto own = std::make_shared<UniqueFd>(fd);
        const int copy = fd < 0 ? -1 : ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
        DIR *entries = copy < 0 ? nullptr : ::fdopendir(copy);
        if (entries == nullptr) {
            if (copy >= 0)
                ::close(copy);
            continue;
        }
        while (const dirent *entry = ::readdir(entries)) {
            const std::string name = entry->d_name;
            struct stat info = {};
            if (name == "." || name == ".." || ::fstatat(fd, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 ||
                info.st_dev != top.st_dev)
                continue;
            if (S_ISDIR(info.st_mode)) {
                if (now.depth < deepest)
                    waiting.push_back({.parent = own, .name = name, .depth = now.depth + 1});
            } else if (info.st_nlink > 1 && !counted.insert(info.st_ino).second) {
                continue;
            }
            blocks += static_cast<std::uint64_t>(info.st_blocks);
        }
        ::closedir(entries);
    }
    return blocks * blockSize;
}

struct DiskUsage::Shared
{
    std::atomic<bool> stopping = false;
    std::atomic<bool> walking = false;
    std::atomic<bool> known = false;
    std::atomic<std::uint64_t> bytes = 0;
    std::atomic<std::chrono::steady_clock::duration> took{};
};

DiskUsage::DiskUsage(boost::asio::any_io_executor worker)
    : m_worker(std::move(worker))
    , m_shared(std::make_shared<Shared>())
{
}

DiskUsage::~DiskUsage()
{
    m_shared->stopping = true;
}

std::optional<std::uint64_t> DiskUsage::read()
{
    const auto now = std::chrono::steady_clock::now();
    Shared &shared = *m_shared;
    if (!shared.walking && now >= m_next + shared.took.load() * pausePerWalk) {
        m_next = now + shortestPause;
        shared.walking = true;
        boost::asio::post(m_worker, [shared = m_shared, begin = now] {
            const auto found = measureTree("/", [&shared] { return shared->stopping.load(); });
            if (found) {
                shared->bytes = *found;
                shared->known = true;
            }
            shared->took = std::chrono::steady_clock::now() - begin;
            shared->walking = false;
        });
    }
    return shared.known ? std::optional(shared.bytes.load()) : std::nullopt;
}

} // namespace boxdeck::host::envd
