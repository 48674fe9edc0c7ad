// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/process_table.h"

#include <algorithm>
#include <csignal>
#include <sys/wait.h>

namespace boxdeck::host::envd {

namespace {

struct Selector
{
    std::optional<pid_t> pid;
    std::string tag;
};

Selector readSelector(const std::optional<Message> &message)
{
    if (message && message->has("pid"))
        return {.pid = static_cast<pid_t>(message->uint32("pid"))};
    if (message && message->has("tag"))
        return {.tag = message->string("tag")};
    throw RpcError(Code::Unimplemented, "invalid input type <nil>");
}

[[noreturn]] void notFound(const Selector &selector)
{
    throw RpcError(Code::NotFound, selector.pid ? "process with pid " + std::to_string(*selector.pid) + " not found"
                                                : "process with tag " + selector.tag + " not found");
}

} // namespace

ProcessTable::ProcessTable(asio::io_context &io)
    : m_io(io)
    , m_childSignal(io, SIGCHLD)
{
    waitForChildren();
}

void ProcessTable::waitForChildren()
{
    m_childSignal.async_wait([this](boost::system::error_code ec, int) {
        if (ec)
            return;
        collect();
        waitForChildren();
    });
}

void ProcessTable::collect()
{
    for (;;) {
        int status = 0;
        const pid_t pid = ::waitpid(-1, &status, WNOHANG);
        if (pid <= 0)
            return;
        if (const auto found = m_live.find(pid); found != m_live.end()) {
            const auto process = found->second; // its end may take it out of the table
            process->reaped(status);
        } else if (const auto expected = m_expected.find(pid); expected != m_expected.end()) {
            expected->second = status;
        }
    }
}

std::shared_ptr<Process> ProcessTable::add(ProcessConfig config, Spawned spawned, const std::shared_ptr<Viewer> &viewer)
{
    const pid_t pid = spawned.pid;
    auto process = std::make_shared<Process>(m_io, std::move(config), std::move(spawned));
    m_past.erase(pid); // the number is used again: what it meant before must not be told any more
    if (process->config().tag)
        std::erase_if(m_past, [&](const auto &past) { return past.second.tag == process->config().tag; });
    m_live[pid] = process;
    process->addViewer(viewer);
    process->run([this, pid] { ended(pid); });
    const auto expected = m_expected.find(pid);
    const auto early = expected == m_expected.end() ? std::nullopt : expected->second;
    m_expected.erase(pid);
    if (early)
        process->reaped(*early);
    return process;
}

void ProcessTable::ended(pid_t pid)
{
    const auto found = m_live.find(pid);
    if (found == m_live.end())
        return;
    const Process &process = *found->second;
    const auto until = std::chrono::steady_clock::now() + memory;
    m_past[pid] = {.pid = pid, .tag = process.config().tag, .end = *process.end(), .until = until};
    m_live.erase(found);
    auto forget = std::make_shared<asio::steady_timer>(m_io, until);
    forget->async_wait([this, pid, until, forget](boost::system::error_code ec) {
        const auto past = m_past.find(pid);
        // By then the number may stand for a later process that has ended as well.
        if (!ec && past != m_past.end() && past->second.until == until)
            m_past.erase(past);
    });
}

std::shared_ptr<Process> ProcessTable::require(const std::optional<Message> &selector) const
{
    const Selector wanted = readSelector(selector);
    if (wanted.pid) {
        if (const auto found = m_live.find(*wanted.pid); found != m_live.end())
            return found->second;
        notFound(wanted);
    }
    const auto found = std::find_if(m_live.begin(), m_live.end(),
                                    [&](const auto &entry) { return entry.second->config().tag == wanted.tag; });
    if (found == m_live.end())
        notFound(wanted);
    return found->second;
}

std::variant<std::shared_ptr<Process>, PastProcess>
ProcessTable::requireOrPast(const std::optional<Message> &selector) const
{
    try {
        return require(selector);
    } catch (const RpcError &error) {
        if (error.code() != Code::NotFound)
            throw;
    }
    const Selector wanted = readSelector(selector);
    const auto found = std::find_if(m_past.begin(), m_past.end(), [&](const auto &entry) {
        return wanted.pid ? entry.first == *wanted.pid : entry.second.tag == wanted.tag;
    });
    if (found == m_past.end())
        notFound(wanted);
    return found->second;
}

void ProcessTable::killAll()
{
    for (const auto &[pid, process] : m_live) {
        ::kill(-pid, SIGKILL); // each leads a session and group of its own
        ::kill(pid, SIGKILL);
    }
}

void ProcessTable::stop()
{
    boost::system::error_code ignored;
    m_childSignal.cancel(ignored);
}

} // namespace boxdeck::host::envd
