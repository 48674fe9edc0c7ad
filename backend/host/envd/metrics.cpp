// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/metrics.h"

#include "backend/host/http/json_text.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <sstream>
#include <sys/statvfs.h>
#include <unistd.h>

namespace boxdeck::host::envd {

namespace {

std::map<std::string, std::uint64_t> memoryInfo()
{
    std::map<std::string, std::uint64_t> values; // bytes
    std::ifstream file("/proc/meminfo");
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        std::string name;
        std::uint64_t kibibytes = 0;
        if (fields >> name >> kibibytes && !name.empty())
            values[name.substr(0, name.size() - 1)] = kibibytes * 1024;
    }
    return values;
}

} // namespace

std::string Metrics::read()
{
    std::ifstream file("/proc/stat");
    std::string label;
    file >> label;
    std::uint64_t total = 0;
    std::uint64_t idle = 0;
    for (int column = 0; column < 8; ++column) {
        std::uint64_t ticks = 0;
        file >> ticks;
        total += ticks;
        if (column == 3 || column == 4)
            idle += ticks;
    }
    const std::uint64_t busy = total - idle;
    const std::uint64_t totalSince = total - m_total;
    const double percent = totalSince == 0 || busy < m_busy
                               ? 0.0
                               : 100.0 * static_cast<double>(busy - m_busy) / static_cast<double>(totalSince);
    m_busy = busy;
    m_total = total;

    auto memory = memoryInfo();
    const std::uint64_t memoryTotal = memory["MemTotal"];
    const std::uint64_t cache = memory["Cached"];
    const std::uint64_t available = memory["MemAvailable"];
    const std::uint64_t used = memoryTotal > available ? memoryTotal - available : 0;
    constexpr std::uint64_t mib = 1024 * 1024;

    struct statvfs disk
    {
    };
    std::uint64_t diskTotal = 0;
    std::uint64_t diskUsed = 0;
    if (::statvfs("/", &disk) == 0) {
        diskTotal = static_cast<std::uint64_t>(disk.f_blocks) * disk.f_frsize;
        diskUsed = diskTotal - static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
    }
    std::array<char, 32> percentText{};
    std::snprintf(percentText.data(), percentText.size(), "%.2f", percent);

    const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    std::string json;
    http::JsonWriter out(json);
    out.beginObject();
    out.key("ts").number(std::time(nullptr));
    out.key("cpu_count").number(::sysconf(_SC_NPROCESSORS_ONLN));
    out.key("cpu_used_pct").raw(percentText.data());
    out.key("mem_total_mib").number(number(memoryTotal / mib));
    out.key("mem_used_mib").number(number(used / mib));
    out.key("mem_total").number(number(memoryTotal));
    out.key("mem_used").number(number(used));
    out.key("mem_cache").number(number(cache));
    out.key("disk_used").number(number(diskUsed));
    out.key("disk_total").number(number(diskTotal));
    out.endObject();
    return json;
}

} // namespace boxdeck::host::envd
