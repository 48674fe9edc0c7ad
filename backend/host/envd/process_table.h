// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/envd/message.h"
#include "backend/host/envd/process.h"

#include <boost/asio/signal_set.hpp>

#include <map>
#include <memory>
#include <variant>

namespace boxdeck::host::envd {

/// A process that has ended, kept for thirty seconds for those who come late.
struct PastProcess
{
    pid_t pid = 0;
    std::optional<std::string> tag;
    ExitStatus end;
    std::chrono::steady_clock::time_point until;
};

/// Every process that was started here, and the one place where children are collected: as the first process of its
/// namespace the daemon also inherits every orphan.
class ProcessTable
{
public:
    static constexpr std::chrono::seconds memory{30};

    explicit ProcessTable(asio::io_context &io);

    /// Notes a child whose set-up is not over, so that an end that comes before add() is not lost.
    void expect(pid_t pid) { m_expected[pid] = std::nullopt; }
    /// It never became a process: only to be collected.
    void forget(pid_t pid) { m_expected.erase(pid); }
    /// Takes an expected child over and begins to read its output, with a viewer that is there from the first byte on.
    std::shared_ptr<Process> add(ProcessConfig config, Spawned spawned, const std::shared_ptr<Viewer> &viewer);
    const std::map<pid_t, std::shared_ptr<Process>> &live() const { return m_live; }

    /// The process a selector ({"pid":…} or {"tag":…}) means. Throws RpcError: not_found, unimplemented without one.
    std::shared_ptr<Process> require(const std::optional<Message> &selector) const;
    /// As require(), but also one that has ended less than 30 s ago.
    std::variant<std::shared_ptr<Process>, PastProcess> requireOrPast(const std::optional<Message> &selector) const;

    /// SIGKILL to everything that was started here, and to the rest of their sessions' first groups.
    void killAll();
    /// Stops waiting for children.
    void stop();

private:
    void waitForChildren();
    void collect();
    void ended(pid_t pid);

    asio::io_context &m_io;
    asio::signal_set m_childSignal;
    std::map<pid_t, std::shared_ptr<Process>> m_live;
    std::map<pid_t, std::optional<int>> m_expected; // with the wait status once it has ended
    std::map<pid_t, PastProcess> m_past;
};

} // namespace boxdeck::host::envd
