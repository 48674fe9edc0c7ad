// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace boxdeck::host::envd {

namespace asio = boost::asio;

/// What happened to a name below a watched directory.
struct ChangeEvent
{
    enum class Type { Create, Write, Remove, Rename, Chmod };
    Type type;
    std::string name; ///< Relative to the watched directory; "." is the directory itself.
};

/// Watches directories through one inotify instance (a user has 128 of them on the whole computer), made when it is
/// first needed. Everything happens on the I/O thread.
class DirectoryWatcher
{
public:
    explicit DirectoryWatcher(asio::io_context &io)
        : m_io(io)
    {
    }

    /// One watched directory. Watching ends when the last reference to it goes. The callbacks must not be needed any
    /// more when it goes either; both may drop it.
    class Watch
    {
    public:
        ~Watch();

    private:
        friend class DirectoryWatcher;
        DirectoryWatcher *m_owner = nullptr;
        std::string m_root;
        bool m_recursive = false;
        std::function<void(const ChangeEvent &)> m_changed;
        std::function<void(const std::string &)> m_broken;
        std::map<int, std::string> m_folders; // kernel's number -> path relative to the root, "" for the root
        // Names that a scan of a new directory has reported before their own event came.
        std::set<std::string> m_reported;
    };

    /// Begins to watch. `broken` is called when events were lost. New sub-directories of a recursive watch are
    /// followed; links are not. Throws std::system_error, ENOSPC when the computer's limit of watches is reached.
    asio::awaitable<std::shared_ptr<Watch>> watch(std::string root, bool recursive,
                                                  std::function<void(const ChangeEvent &)> changed,
                                                  std::function<void(const std::string &)> broken);

private:
    struct RawEvent
    {
        int folder;
        std::uint32_t mask;
        std::string name;
    };

    void open();
    void read();
    void handle(const RawEvent &event);
    void handleFor(const std::shared_ptr<Watch> &watch, const RawEvent &event);
    int addFolder(const std::shared_ptr<Watch> &watch, const std::string &relative);
    void dropFolders(Watch &watch, const std::string &relative);
    void dropFolder(Watch &watch, int number);
    void follow(const std::shared_ptr<Watch> &watch, const std::string &relative, bool reportContents);

    asio::io_context &m_io;
    std::unique_ptr<asio::posix::stream_descriptor> m_inotify;
    std::map<int, std::vector<std::weak_ptr<Watch>>> m_users; // kernel's number -> who wants its events
};

} // namespace boxdeck::host::envd
