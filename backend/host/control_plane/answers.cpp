// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/control_plane/answers.h"

#include <algorithm>
#include <cmath>
#include <sys/statvfs.h>
#include <unistd.h>

#include <boost/json/serialize.hpp>

#include "backend/host/version.h"

namespace boxdeck::host {

namespace json = boost::json;

namespace {

constexpr const char *clientId = "6532622b"; // the reference server's constant; clients ignore it

json::object textObject(const std::map<std::string, std::string> &values)
{
    json::object object;
    for (const auto &[name, value] : values)
        object[name] = value;
    return object;
}

const char *stateWord(SandboxState state)
{
    return state == SandboxState::Running ? "running" : "paused";
}

void addSizes(json::object &object, const Machine &machine)
{
    object["cpuCount"] = machine.cpuCount;
    object["memoryMB"] = machine.memoryMb;
    object["diskSizeMB"] = machine.diskMb;
}

} // namespace

Machine thisMachine(const std::string &dataFolder)
{
    constexpr std::int64_t mib = 1024 * 1024;
    Machine machine;
    machine.cpuCount = std::max<std::int64_t>(1, sysconf(_SC_NPROCESSORS_ONLN));
    const std::int64_t pages = sysconf(_SC_PHYS_PAGES);
    machine.memoryMb = std::max<std::int64_t>(128, pages * sysconf(_SC_PAGESIZE) / mib);
    struct statvfs info
    {
    };
    if (statvfs(dataFolder.c_str(), &info) == 0)
        machine.diskMb = static_cast<std::int64_t>(info.f_blocks * info.f_frsize / mib);
    // The schema's field is an int32.
    machine.diskMb = std::min<std::int64_t>(machine.diskMb, 0x7fffffff);
    return machine;
}

Machine sizesOf(const IsolationSettings &settings, const std::string &dataFolder)
{
    constexpr std::int64_t mib = 1024 * 1024;
    Machine sizes = thisMachine(dataFolder);
    if (settings.memoryBytes > 0)
        sizes.memoryMb = std::min(sizes.memoryMb, settings.memoryBytes / mib);
    if (settings.diskBytes > 0)
        sizes.diskMb = std::min(sizes.diskMb, settings.diskBytes / mib);
    return sizes;
}

json::object toSandbox(const SandboxRecord &record)
{
    json::object object{{"templateID", record.templateId}, {"sandboxID", record.id},
                        {"alias", record.alias},           {"clientID", clientId},
                        {"envdVersion", envdVersion},      {"domain", nullptr}};
    if (record.secure())
        object["envdAccessToken"] = record.envdAccessToken;
    if (!record.trafficAccessToken.empty())
        object["trafficAccessToken"] = record.trafficAccessToken;
    return object;
}

json::object toListedSandbox(const SandboxRecord &record, const Machine &machine)
{
    json::object object{{"templateID", record.templateId},
                        {"alias", record.alias},
                        {"sandboxID", record.id},
                        {"clientID", clientId},
                        {"startedAt", toText(record.startedAt)},
                        {"endAt", toText(record.endAt)},
                        {"metadata", textObject(record.metadata)},
                        {"state", stateWord(record.state)},
                        {"envdVersion", envdVersion}};
    addSizes(object, machine);
    return object;
}

json::object toSandboxDetail(const SandboxRecord &record, const Machine &machine)
{
    json::object object = toListedSandbox(record, machine);
    object["domain"] = nullptr;
    object["allowInternetAccess"] = nullptr;
    if (record.allowInternetAccess)
        object["allowInternetAccess"] = *record.allowInternetAccess;
    if (record.secure())
        object["envdAccessToken"] = record.envdAccessToken;
    if (record.network)
        object["network"] = *record.network;
    json::array mounts;
    for (const VolumeMount &mount : record.volumeMounts)
        mounts.push_back(json::object{{"name", mount.name}, {"path", mount.path}});
    if (!mounts.empty() && record.state == SandboxState::Running) // the reference leaves them out while paused
        object["volumeMounts"] = std::move(mounts);
    object["lifecycle"] = {{"autoResume", record.autoResume}, {"onTimeout", record.autoPause ? "pause" : "kill"}};
    return object;
}

json::object toMetric(const MetricSample &sample)
{
    const auto seconds = std::chrono::floor<std::chrono::seconds>(sample.time);
    return {{"timestamp", toText(TimePoint(seconds))},
            {"timestampUnix", seconds.time_since_epoch().count()},
            {"cpuCount", sample.cpuCount},
            {"cpuUsedPct", std::round(sample.cpuUsedPct * 100) / 100},
            {"memUsed", sample.memUsed},
            {"memTotal", sample.memTotal},
            {"memCache", sample.memCache},
            {"diskUsed", sample.diskUsed},
            {"diskTotal", sample.diskTotal}};
}

json::object toLogEntry(const LogEntry &entry)
{
    return {{"timestamp", toText(entry.time)},
            {"message", entry.message},
            {"level", entry.level},
            {"fields", json::object{{"source", "host"}}}};
}

std::string toLogLine(const LogEntry &entry)
{
    return json::serialize(json::object{{"level", entry.level}, {"logger", "host"}, {"message", entry.message}});
}

json::object toLocalFacts(const IsolationSettings &settings, const std::string &notice)
{
    // A process that is really root here is not bound by RLIMIT_NPROC; with a range none is.
    const bool processesHold = settings.range.has_value() || geteuid() != 0;
    json::object processes{{"state", processesHold ? "enforced" : "not available"}};
    if (processesHold)
        processes["value"] = settings.processes;
    const auto watched = [](std::int64_t most) {
        json::object limit{{"state", most > 0 ? "watched" : "not available"}};
        if (most > 0)
            limit["value"] = most;
        return limit;
    };
    json::array users{"user"};
    if (settings.range)
        users.emplace_back("root");
    json::object facts{
        {"limits",
         {{"processes", std::move(processes)},
          {"openFiles", {{"state", "enforced"}, {"value", settings.openFiles}}},
          {"memory", watched(settings.memoryBytes)},
          {"disk", watched(settings.diskBytes)}}},
        {"users", std::move(users)},
        {"internet",
         {{"available", false}, {"reason", "Sandboxes of this host have a network of their own without a way out."}}}};
    if (!notice.empty())
        facts["notice"] = notice;
    return facts;
}

} // namespace boxdeck::host
