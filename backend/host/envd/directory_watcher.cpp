// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/directory_watcher.h"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <deque>
#include <dirent.h>
#include <optional>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace boxdeck::host::envd {

namespace {

constexpr std::uint32_t wanted = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_MODIFY | IN_ATTRIB |
                                 IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

std::string under(const std::string &folder, std::string_view name)
{
    if (folder.empty())
        return std::string(name);
    std::string path = folder;
    path.push_back('/');
    path += name;
    return path;
}

struct Child
{
    std::string name;
    bool folder;
};

std::vector<Child> childrenOf(const std::string &path)
{
    std::vector<Child> children;
    DIR *const stream = ::opendir(path.c_str());
    if (stream == nullptr)
        return children;
    while (const dirent *entry = ::readdir(stream)) {
        const std::string_view name = entry->d_name;
        if (name == "." || name == "..")
            continue;
        bool folder = entry->d_type == DT_DIR;
        if (entry->d_type == DT_UNKNOWN) {
            struct stat info = {};
            folder =
                ::fstatat(::dirfd(stream), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode);
        }
        children.push_back({std::string(name), folder});
    }
    ::closedir(stream);
    return children;
}

} // namespace

DirectoryWatcher::Watch::~Watch()
{
    if (m_owner == nullptr)
        return;
    while (!m_folders.empty())
        m_owner->dropFolder(*this, m_folders.begin()->first);
}

void DirectoryWatcher::open()
{
    if (m_inotify)
        return;
    const int fd = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd < 0)
        throw std::system_error(errno, std::generic_category(), "inotify");
    m_inotify = std::make_unique<asio::posix::stream_descriptor>(m_io, fd);
    read();
}

void DirectoryWatcher::read()
{
    m_inotify->async_wait(asio::posix::stream_descriptor::wait_read, [this](boost::system::error_code ec) {
        if (ec)
            return;
        alignas(inotify_event) std::array<char, 64 * 1024> buffer;
        const ssize_t size = ::read(m_inotify->native_handle(), buffer.data(), buffer.size());
        std::optional<RawEvent> last;
        for (ssize_t at = 0; at < size;) {
            inotify_event head{};
            std::memcpy(&head, buffer.data() + at, sizeof(head));
            RawEvent event{.folder = head.wd, .mask = head.mask, .name = {}};
            if (head.len > 0)
                event.name = buffer.data() + at + sizeof(head); // ends with a zero byte
            at += static_cast<ssize_t>(sizeof(head) + head.len);
            // A file that is being written makes one event for every write.
            const bool repeated = last && last->folder == event.folder && last->mask == event.mask &&
                                  last->name == event.name && (event.mask & (IN_MODIFY | IN_ATTRIB)) != 0;
            if (!repeated)
                handle(event);
            last = std::move(event);
        }
        read();
    });
}

void DirectoryWatcher::handle(const RawEvent &event)
{
    if ((event.mask & IN_Q_OVERFLOW) != 0) {
        std::set<std::shared_ptr<Watch>> all;
        for (const auto &[number, users] : m_users) {
            for (const auto &weak : users) {
                if (auto watch = weak.lock())
                    all.insert(std::move(watch));
            }
        }
        for (const auto &watch : all)
            watch->m_broken("too many changes at once: events were lost");
        return;
    }
    const auto found = m_users.find(event.folder);
    if (found == m_users.end())
        return;
    const auto users = found->second; // a callback may change the table
    for (const auto &weak : users) {
        if (const auto watch = weak.lock())
            handleFor(watch, event);
    }
    if ((event.mask & IN_IGNORED) != 0) {
        for (const auto &weak : users) {
            if (const auto watch = weak.lock())
                watch->m_folders.erase(event.folder);
        }
        m_users.erase(event.folder);
    }
}

void DirectoryWatcher::handleFor(const std::shared_ptr<Watch> &watch, const RawEvent &event)
{
    using Type = ChangeEvent::Type;
    const auto folder = watch->m_folders.find(event.folder);
    if (folder == watch->m_folders.end())
        return;
    if (event.name.empty()) {
        // About the directory itself; that of a sub-directory is told by the one above it.
        if (!folder->second.empty())
            return;
        if ((event.mask & IN_MOVE_SELF) != 0)
            watch->m_changed({Type::Rename, "."});
        if ((event.mask & IN_ATTRIB) != 0)
            watch->m_changed({Type::Chmod, "."});
        if ((event.mask & IN_DELETE_SELF) != 0)
            watch->m_changed({Type::Remove, "."});
        return;
    }
    const std::string name = under(folder->second, event.name);
    const bool reported = watch->m_reported.erase(name) > 0;
    const bool directory = (event.mask & IN_ISDIR) != 0 && watch->m_recursive;
    if ((event.mask & (IN_CREATE | IN_MOVED_TO)) != 0 && !reported)
        watch->m_changed({Type::Create, name});
    if ((event.mask & IN_MOVED_FROM) != 0)
        watch->m_changed({Type::Rename, name});
    if ((event.mask & IN_ATTRIB) != 0)
        watch->m_changed({Type::Chmod, name});
    if ((event.mask & IN_MODIFY) != 0)
        watch->m_changed({Type::Write, name});
    if ((event.mask & IN_DELETE) != 0)
        watch->m_changed({Type::Remove, name});

    if (directory && (event.mask & IN_MOVED_FROM) != 0)
        dropFolders(*watch, name);
    if (directory && (event.mask & (IN_CREATE | IN_MOVED_TO)) != 0 && !reported)
        follow(watch, name, (event.mask & IN_CREATE) != 0);
}

// Watches a directory that has appeared. What was made in it before the watch was there has no event of its own.
void DirectoryWatcher::follow(const std::shared_ptr<Watch> &watch, const std::string &relative, bool reportContents)
{
    if (addFolder(watch, relative) != 0)
        return;
    for (const Child &child : childrenOf(watch->m_root + "/" + relative)) {
        const std::string name = under(relative, child.name);
        if (reportContents) {
            watch->m_reported.insert(name);
            watch->m_changed({ChangeEvent::Type::Create, name});
        }
        if (child.folder)
            follow(watch, name, reportContents);
    }
}

int DirectoryWatcher::addFolder(const std::shared_ptr<Watch> &watch, const std::string &relative)
{
    const std::string path = relative.empty() ? watch->m_root : watch->m_root + "/" + relative;
    const int number = ::inotify_add_watch(m_inotify->native_handle(), path.c_str(),
                                           wanted | (relative.empty() ? 0U : IN_DONT_FOLLOW));
    if (number < 0)
        return errno;
    auto &users = m_users[number];
    const bool known = watch->m_folders.contains(number);
    watch->m_folders[number] = relative;
    if (!known)
        users.push_back(watch);
    return 0;
}

void DirectoryWatcher::dropFolders(Watch &watch, const std::string &relative)
{
    std::vector<int> numbers;
    for (const auto &[number, path] : watch.m_folders) {
        if (path == relative || path.starts_with(relative + "/"))
            numbers.push_back(number);
    }
    for (const int number : numbers)
        dropFolder(watch, number);
}

void DirectoryWatcher::dropFolder(Watch &watch, int number)
{
    watch.m_folders.erase(number);
    const auto found = m_users.find(number);
    if (found == m_users.end())
        return;
    std::erase_if(found->second, [&watch](const std::weak_ptr<Watch> &weak) {
        const auto user = weak.lock();
        return !user || user.get() == &watch;
    });
    if (found->second.empty()) {
        m_users.erase(found);
        ::inotify_rm_watch(m_inotify->native_handle(), number);
    }
}

asio::awaitable<std::shared_ptr<DirectoryWatcher::Watch>>
DirectoryWatcher::watch(std::string root, bool recursive, std::function<void(const ChangeEvent &)> changed,
                        std::function<void(const std::string &)> broken)
{
    open();
    const auto watch = std::make_shared<Watch>();
    watch->m_owner = this;
    watch->m_root = std::move(root);
    watch->m_recursive = recursive;
    watch->m_changed = std::move(changed);
    watch->m_broken = std::move(broken);
    if (const int error = addFolder(watch, {}); error != 0)
        throw std::system_error(error, std::generic_category(), watch->m_root);
    if (!recursive)
        co_return watch;
    constexpr int foldersPerTurn = 64; // a large tree must not hold up the terminals
    int done = 0;
    std::deque<std::string> left{std::string()};
    while (!left.empty()) {
        const std::string folder = std::move(left.front());
        left.pop_front();
        for (const Child &child : childrenOf(folder.empty() ? watch->m_root : watch->m_root + "/" + folder)) {
            if (!child.folder)
                continue;
            const std::string name = under(folder, child.name);
            const int error = addFolder(watch, name);
            if (error == 0)
                left.push_back(name);
            else if (error != ENOENT && error != ENOTDIR && error != EACCES)
                throw std::system_error(error, std::generic_category(), watch->m_root + "/" + name);
        }
        if (++done % foldersPerTurn == 0)
            co_await asio::post(m_io, asio::use_awaitable);
    }
    co_return watch;
}

} // namespace boxdeck::host::envd
