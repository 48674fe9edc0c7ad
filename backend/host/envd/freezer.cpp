// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/freezer.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <dirent.h>
#include <fstream>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace boxdeck::host::envd {

namespace {

struct ProcessState
{
    pid_t pid = 0;
    pid_t parent = 0;
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
    fields >> process.state >> process.parent;
    std::string skipped;
    for (int i = 5; i < 22; ++i)
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
    for (const ProcessState &process : allProcesses()) {
        if (stopped(process))
            m_stoppedBefore[process.pid] = process.startTime;
        else if (process.state != 'Z')
            ++count;
    }
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
        int depth = 0;
        for (auto at = parents.find(process.pid); at != parents.end(); at = parents.find(at->second))
            ++depth;
        order.emplace_back(depth, process.pid);
    }
    std::sort(order.rbegin(), order.rend());
    for (const auto &[depth, pid] : order)
        ::kill(pid, SIGCONT);
    m_stoppedBefore.clear();
}

} // namespace boxdeck::host::envd
