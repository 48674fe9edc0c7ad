// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/json/object.hpp>

#include "backend/host/sandbox/async.h"
#include "backend/host/sandbox/complaints.h"
#include "backend/host/sandbox/mount_point.h"
#include "backend/host/sandbox/spawn.h"
#include "backend/host/sandbox/uid_range.h"

namespace boxdeck::host {

/// A sandbox could not be started, or did not do what its daemon was told. The text is for the operator.
class ContainerError : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// What all sandboxes of this host share.
struct IsolationSettings
{
    std::string bwrap;               ///< path of bubblewrap
    std::string envd;                ///< path of boxdeck-envd
    std::optional<UidRange> range;   ///< nothing: account `user` only
    std::uint64_t processes = 1024;  ///< limit of processes per account of a sandbox
    std::uint64_t openFiles = 16384; ///< limit of open files per process
    std::int64_t memoryBytes = 0;    ///< more, measured every few seconds, pauses a sandbox; 0 = not watched
    std::int64_t diskBytes = 0;      ///< the same for what its files take on the disk
};

/// Where one sandbox lives and what its daemon is told at the start.
struct ContainerSpec
{
    std::string id;
    std::string root;                ///< its root folder
    std::string log;                 ///< file that takes bubblewrap's and the daemon's complaints
    std::string socket;              ///< path of the socket of its data plane, in a folder of the host only
    bool ownUsr = false;             ///< the root brings its own /usr: show nothing of this computer in it
    std::vector<FolderMount> mounts; ///< volumes
    boost::json::object init;        ///< sent as {"op":"init", …}
};

/// The processes of one sandbox: bubblewrap, boxdeck-envd as the first process inside, and everything below it. What
/// the daemon sends is untrusted. Lives on one thread.
class Container : public std::enable_shared_from_this<Container>
{
public:
    /// Starts a sandbox on the main thread (see spawnSelf) and waits until its daemon answers. Throws ContainerError,
    /// with nothing left running.
    static asio::awaitable<std::shared_ptr<Container>> start(asio::io_context &io, const IsolationSettings &settings,
                                                             ContainerSpec spec);
    ~Container();
    Container(const Container &) = delete;
    Container &operator=(const Container &) = delete;

    /// Sends one command over the control socket and gives the answer. Throws ContainerError when the daemon refuses,
    /// answers nonsense, is too slow or gone.
    asio::awaitable<boost::json::object> ask(boost::json::object command,
                                             std::chrono::milliseconds patience = std::chrono::seconds(10));
    /// Stops every process but the daemon at once. Throws ContainerError.
    asio::awaitable<void> freeze();
    /// Lets the processes that freeze() stopped go on. Throws ContainerError.
    asio::awaitable<void> thaw();
    /// Ends every process and returns when none is left. Never throws for a sandbox that is gone already.
    asio::awaitable<void> kill();
    /// Kills without waiting, for the end of the host.
    void killNow();

    bool running() const { return m_running; }
    /// Called once, when the processes ended without kill(). Set it before anything else is awaited.
    void onUnexpectedEnd(std::function<void()> told) { m_unexpectedEnd = std::move(told); }
    /// Path to connect to for the data plane; only the host's folder leads there.
    const std::string &socketPath() const { return m_spec.socket; }

private:
    Container(asio::io_context &io, ContainerSpec spec);
    void spawn(const IsolationSettings &settings);
    asio::awaitable<void> watchEnd();
    asio::awaitable<void> readControl();
    asio::awaitable<void> readInfo(Fd info);
    asio::awaitable<void> becomeReady(const IsolationSettings &settings);
    void takeDatagram(std::string_view text);
    asio::awaitable<void> keepComplaints();
    std::string complaint();
    void kickFirstProcess();
    void killMonitor();

    asio::io_context &m_io;
    ContainerSpec m_spec;
    Child m_monitor;
    Fd m_firstProcess; // pidfd of the daemon, as soon as it is known
    asio::posix::stream_descriptor m_control;
    AsyncMutex m_asking;
    Condition m_changed;
    Complaints m_complaints;
    std::optional<boost::json::object> m_answer;
    std::function<void()> m_unexpectedEnd;
    Fd m_info;
    bool m_ready = false;
    bool m_running = false;
    bool m_killed = false;
};

/// A listening socket at @p path, before anybody serves it: connections wait. Throws ContainerError or
/// std::system_error.
Fd listenUnix(const std::string &path);

/// Waits for the end of a child and reaps it; its exit status as waitpid gives it.
asio::awaitable<int> waitForEnd(asio::io_context &io, Child &child);

/// A helper process that runs. Make it on the main thread (see spawnSelf).
class RunningHelper
{
public:
    /// Starts it with @p fds as 3, 4 …, which stay the caller's. Throws std::exception.
    explicit RunningHelper(std::vector<std::string> arguments, std::vector<int> fds = {});
    /// Waits for its end; throws ContainerError with what it said if it failed.
    asio::awaitable<void> end(asio::io_context &io);

private:
    Fd m_said;
    Child m_child;
};

/// Runs the helper with @p arguments and waits for its end; throws ContainerError with what it said if it failed.
asio::awaitable<void> runHelper(asio::io_context &io, std::vector<std::string> arguments);

/// Really starts a sandbox of a throw-away root under @p folder and ends it, to find out whether isolation works here
/// with @p settings. Gives what went wrong, empty when it works.
asio::awaitable<std::string> probeIsolation(asio::io_context &io, const IsolationSettings &settings,
                                            std::string folder);

} // namespace boxdeck::host
