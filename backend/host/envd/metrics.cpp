// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/metrics.h"

#include "backend/host/http/json_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <dirent.h>
#include <fstream>
#include <sstream>
#include <sys/statvfs.h>
#include <unistd.h>

namespace boxdeck::host::envd {

namespace {

// A reading over less time says nothing: the kernel counts in hundredths of a second.
constexpr std::chrono::milliseconds shortestSpan{500};

struct Usage
{
    std::uint64_t ticks = 0; ///< processor time of everything that ran here, ended and waited-for processes included
    std::uint64_t bytes = 0; ///< memory that is there for these processes alone
};

std::uint64_t memoryTotal()
{
    std::ifstream file("/proc/meminfo");
    std::string name;
    std::uint64_t kibibytes = 0;
    file >> name >> kibibytes;
    return kibibytes * 1024;
}

// /proc shows this sandbox's processes only, so their sum is the sandbox; /proc/stat and meminfo tell of the machine.
Usage usageOfAll()
{
    Usage usage;
    DIR *processes = ::opendir("/proc");
    if (processes == nullptr)
        return usage;
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    while (const dirent *entry = ::readdir(processes)) {
        const std::string name = entry->d_name;
        if (name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        std::ifstream statFile("/proc/" + name + "/stat");
        std::string line;
        std::getline(statFile, line);
        // The command may hold anything, so count the fields from its closing bracket.
        const auto bracket = line.rfind(')');
        if (bracket == std::string::npos)
            continue;
        std::istringstream fields(line.substr(bracket + 1));
        std::string skipped;
        for (int field = 3; field < 14; ++field)
            fields >> skipped;
        for (int time = 0; time < 4; ++time) { // user, system, and both of children that were waited for
            std::uint64_t ticks = 0;
            fields >> ticks;
            usage.ticks += ticks;
        }
        std::ifstream memoryFile("/proc/" + name + "/statm");
        std::uint64_t size = 0;
        std::uint64_t resident = 0;
        std::uint64_t shared = 0;
        if (memoryFile >> size >> resident >> shared && resident > shared)
            usage.bytes += (resident - shared) * page;
    }
    ::closedir(processes);
    struct statvfs memoryFiles
    {
    };
    if (::statvfs("/dev/shm", &memoryFiles) == 0)
        usage.bytes += static_cast<std::uint64_t>(memoryFiles.f_blocks - memoryFiles.f_bfree) * memoryFiles.f_frsize;
    return usage;
}

} // namespace

std::string Metrics::read(std::optional<std::uint64_t> ownDisk)
{
    const Usage usage = usageOfAll();
    const auto now = std::chrono::steady_clock::now();
    const auto cores = static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN));
    if (now - m_at >= shortestSpan) {
        const double seconds = std::chrono::duration<double>(now - m_at).count();
        const double used = usage.ticks > m_ticks ? static_cast<double>(usage.ticks - m_ticks) : 0.0;
        // Processes nobody waited for take their time along when they end, so the sum can also fall.
        m_percent = m_at == std::chrono::steady_clock::time_point()
                        ? 0.0
                        : std::min(100.0, 100.0 * used / static_cast<double>(::sysconf(_SC_CLK_TCK)) / seconds / cores);
        m_at = now;
        m_ticks = usage.ticks;
    }
    const std::uint64_t total = memoryTotal();
    constexpr std::uint64_t mib = 1024 * 1024;

    struct statvfs disk = {};
    std::uint64_t diskTotal = 0;
    std::uint64_t diskUsed = 0;
    if (::statvfs("/", &disk) == 0) {
        diskTotal = static_cast<std::uint64_t>(disk.f_blocks) * disk.f_frsize;
        diskUsed = diskTotal - static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
    }
    diskUsed = ownDisk.value_or(diskUsed);
    std::array<char, 32> percentText{};
    std::snprintf(percentText.data(), percentText.size(), "%.2f", m_percent);

    const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    std::string json;
    http::JsonWriter out(json);
    out.beginObject();
    out.key("ts").number(std::time(nullptr));
    out.key("cpu_count").number(static_cast<std::int64_t>(cores));
    out.key("cpu_used_pct").raw(percentText.data());
    out.key("mem_total_mib").number(number(total / mib));
    out.key("mem_used_mib").number(number(usage.bytes / mib));
    out.key("mem_total").number(number(total));
    out.key("mem_used").number(number(usage.bytes));
    out.key("mem_cache").number(0); // cached files are the whole machine's
    out.key("disk_used").number(number(diskUsed));
    out.key("disk_total").number(number(diskTotal));
    out.endObject();
    return json;
}

} // namespace boxdeck::host::envd
