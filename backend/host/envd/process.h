// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/envd/exit_status.h"
#include "backend/host/envd/rpc_error.h"
#include "backend/host/envd/spawn.h"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boxdeck::host::envd {

namespace asio = boost::asio;

/// Somebody who gets a process's output: one Start or Connect stream.
///
/// A process is throttled by its fastest viewer: while one still has room it goes on. A viewer that takes nothing for
/// ten seconds, or falls too far behind a faster one, loses its place and is told so (resource_exhausted).
struct Viewer
{
    explicit Viewer(asio::io_context &io)
        : wake(io)
    {
    }

    /// Envelopes to send, oldest first. Shared with the other viewers.
    std::deque<std::shared_ptr<const std::string>> queue;
    std::size_t queued = 0; ///< Bytes in the queue.
    std::optional<RpcError> failure;
    std::chrono::steady_clock::time_point lastTaken = std::chrono::steady_clock::now();
    /// When the connection last made progress with what was taken from the queue but not yet sent.
    std::function<std::chrono::steady_clock::time_point()> progress;
    bool sending = false;
    asio::steady_timer wake; ///< Cancelled whenever there is something to look at.
};

/// What a Start request said, as List repeats it.
struct ProcessConfig
{
    std::string command;
    std::vector<std::string> args;
    std::map<std::string, std::string> environment;
    std::optional<std::string> directory;
    std::optional<std::string> tag;
};

/// A running (or just ended) process: its output to the viewers, its input, its end. Lives on the daemon's one I/O
/// thread.
class Process : public std::enable_shared_from_this<Process>
{
public:
    Process(asio::io_context &io, ProcessConfig config, Spawned spawned);
    ~Process();

    pid_t pid() const { return m_pid; }
    const ProcessConfig &config() const { return m_config; }
    /// Set once all output is in the viewers' queues and the process has been reaped.
    const std::optional<ExitStatus> &end() const { return m_end; }

    /// Begins to read the output. `ended` is called once, when end() is set.
    void run(std::function<void()> ended);

    void addViewer(const std::shared_ptr<Viewer> &viewer);
    void removeViewer(const std::shared_ptr<Viewer> &viewer);
    /// The viewer has taken something from its queue.
    void viewerTook(Viewer &viewer, std::size_t bytes);

    /// Writes all of it in the order of the calls; returns when the process's pipe or terminal has taken it. Throws
    /// RpcError (internal) for the wrong kind of input and for input that is closed.
    asio::awaitable<void> writeInput(bool toTerminal, std::string bytes);
    /// Ends the standard input. Throws RpcError (unknown) for a terminal.
    void closeInput();
    /// Throws RpcError (internal) without a terminal.
    void resize(WindowSize size);
    /// SIGTERM or SIGKILL to the process itself. From then on its end does not wait for others that hold its output.
    void signal(int number);

    /// SIGKILL at that time, whether anybody still watches or not.
    void killAt(std::chrono::steady_clock::time_point deadline);

    /// The reaper has collected it.
    void reaped(int waitStatus);

private:
    asio::awaitable<void> pump(std::shared_ptr<asio::posix::stream_descriptor> from, std::string_view member);
    asio::awaitable<void> waitForRoom();
    bool hasRoom() const;
    void broadcast(std::string_view member, std::string_view bytes);
    void checkViewers();
    void fail(Viewer &viewer);
    void dropPipes();
    void finishIfDone();

    asio::io_context &m_io;
    const pid_t m_pid;
    const ProcessConfig m_config;
    const bool m_hasTerminal;
    std::vector<std::pair<std::shared_ptr<asio::posix::stream_descriptor>, std::string_view>> m_outputs;
    std::shared_ptr<asio::posix::stream_descriptor> m_input;
    std::size_t m_openOutputs = 0;
    std::vector<std::shared_ptr<Viewer>> m_viewers;
    asio::steady_timer m_room;
    asio::steady_timer m_watch;
    bool m_watching = false;
    bool m_inputBusy = false;
    asio::steady_timer m_inputFree;
    asio::steady_timer m_deadline;
    bool m_dropPipes = false;
    std::optional<ExitStatus> m_exit;
    std::optional<ExitStatus> m_end;
    std::function<void()> m_ended;
};

} // namespace boxdeck::host::envd
