// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/freezer.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <dirent.h>
#include <fstream>
#include <sched.h>
#include <set>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace boxdeck::host::envd {

namespace {

struct ProcessState
{
    pid_t pid = 0;
    pid_t parent = 0;
    int terminal = 0; // 0 is none
    char state = '?';
    std::string startTime;
};

// From /proc/PID/stat; the name in it may hold anything, blanks and brackets included.
std::optional<ProcessState> readState(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    if (!std::getline(file, text, '\0'))
        return std::nullopt;
    const std::size_t bracket = text.rfind(')');
    if (bracket == std::string::npos)
        return std::nullopt;
    std::istringstream fields(text.substr(bracket + 1));
    ProcessState process{.pid = pid};
    std::string skipped;
    fields >> process.state >> process.parent >> skipped >> skipped >> process.terminal;
    for (int i = 8; i < 22; ++i)
        fields >> skipped;
    fields >> process.startTime;
    return process;
}

std::vector<ProcessState> allProcesses()
{
    std::vector<ProcessState> processes;
    DIR *const stream = ::opendir("/proc");
    if (stream == nullptr)
        return processes;
    while (const dirent *entry = ::readdir(stream)) {
        pid_t pid = 0;
        const std::string_view name = entry->d_name;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (error != std::errc() || end != name.data() + name.size() || pid == ::getpid())
            continue;
        if (auto process = readState(pid))
            processes.push_back(std::move(*process));
    }
    ::closedir(stream);
    return processes;
}

bool stopped(const ProcessState &process)
{
    return process.state == 'T' || process.state == 't';
}

int depthOf(pid_t pid, const std::map<pid_t, pid_t> &parents)
{
    int depth = 0;
    for (auto at = parents.find(pid); at != parents.end(); at = parents.find(at->second))
        ++depth;
    return depth;
}

// A shell that still runs when its job stops believes that the user stopped it. So those that sit at a terminal and
// have children are stopped first, from the top down, each seen to stand still. Only a courtesy with a tight limit:
// what stops everything, without a gap, is the signal to all that follows.
void stopShells(const std::vector<ProcessState> &processes)
{
    using Clock = std::chrono::steady_clock;
    const auto limit = Clock::now() + std::chrono::milliseconds(20);
    std::map<pid_t, pid_t> parents;
    std::set<pid_t> withChildren;
    for (const ProcessState &process : processes) {
        parents[process.pid] = process.parent;
        withChildren.insert(process.parent);
    }
    std::vector<std::pair<int, pid_t>> order;
    for (const ProcessState &process : processes) {
        if (process.terminal != 0 && !stopped(process) && withChildren.contains(process.pid))
            order.emplace_back(depthOf(process.pid, parents), process.pid);
    }
    std::sort(order.begin(), order.end());
    for (const auto &[depth, pid] : order) {
        if (Clock::now() > limit || ::kill(pid, SIGSTOP) != 0)
            continue;
        for (auto now = readState(pid); now && !stopped(*now) && Clock::now() < limit; now = readState(pid))
            ::sched_yield();
    }
}

} // namespace

bool Freezer::available()
{
    return ::getpid() == 1;
}

std::size_t Freezer::freeze()
{
    if (m_frozen)
        return 0;
    m_stoppedBefore.clear();
    std::size_t count = 0;
    const auto processes = allProcesses();
    for (const ProcessState &process : processes) {
        if (stopped(process))
            m_stoppedBefore[process.pid] = process.startTime;
        else if (process.state != 'Z')
            ++count;
    }
    stopShells(processes);
    ::kill(-1, SIGSTOP);
    m_frozen = true;
    return count;
}

void Freezer::thaw()
{
    if (!m_frozen)
        return;
    m_frozen = false;
    const auto processes = allProcesses();
    std::map<pid_t, pid_t> parents;
    for (const ProcessState &process : processes)
        parents[process.pid] = process.parent;
    std::vector<std::pair<int, pid_t>> order; // depth, process
    for (const ProcessState &process : processes) {
        const auto before = m_stoppedBefore.find(process.pid);
        if (before != m_stoppedBefore.end() && before->second == process.startTime)
            continue;
        order.emplace_back(depthOf(process.pid, parents), process.pid);
    }
    std::sort(order.rbegin(), order.rend());
    for (const auto &[depth, pid] : order)
        ::kill(pid, SIGCONT);
    m_stoppedBefore.clear();
}

} // namespace boxdeck::host::envd
