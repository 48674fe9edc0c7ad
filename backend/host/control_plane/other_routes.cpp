// SPDX-License-Identifier: GPL-3.0-or-later
// Teams, keys and nodes. This host has one person, one key and one computer: what it can say truly it says, and what
// would need more of them is 501 with a sentence, so that a client does not take it for a missing object.
#include <algorithm>
#include <array>
#include <fstream>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <boost/json.hpp>

#include "backend/host/control_plane/answers.h"
#include "backend/host/control_plane/list_query.h"
#include "backend/host/control_plane/routes.h"
#include "backend/host/version.h"

namespace boxdeck::host {

namespace json = boost::json;

namespace {

// The one team and the one node there are, the same on every host and at every start.
constexpr const char *teamId = "b0bdec00-0000-4000-8000-000000000001";
constexpr const char *keyId = "b0bdec00-0000-4000-8000-000000000002";
constexpr const char *nodeId = "this-computer";
constexpr const char *noCluster = "00000000-0000-0000-0000-000000000000";

ApiError oneOfEach(const std::string &what)
{
    return {501, what + ": this host serves one person on one computer, with the key in its data folder"};
}

json::object team(const Services &services)
{
    // The reference makes a new key at every call; here it is the one that the caller has already.
    return {{"teamID", teamId}, {"name", "This computer"}, {"apiKey", services.apiKey}, {"isDefault", true}};
}

struct Window
{
    std::int64_t start = 0;
    std::int64_t end = 0;
};

Window readWindow(const http::Query &parameters)
{
    constexpr std::int64_t week = 7 * 24 * 3600;
    const std::int64_t present = std::chrono::floor<std::chrono::seconds>(now()).time_since_epoch().count();
    Window window{.end = numberParameter(parameters, "end", present, 0, INT64_MAX)};
    window.start = numberParameter(parameters, "start", std::max<std::int64_t>(0, window.end - week), 0, INT64_MAX);
    if (window.start > window.end)
        throw ApiError(400, "start is after end");
    return window;
}

// protocol/control-plane.md, section 8.1.
std::int64_t bucketSeconds(std::int64_t range)
{
    constexpr std::int64_t hour = 3600;
    constexpr std::pair<std::int64_t, std::int64_t> ladder[] = {
        {hour, 5}, {6 * hour, 30}, {12 * hour, 60}, {24 * hour, 120}, {7 * 24 * hour, 300}};
    for (const auto &[below, width] : ladder) {
        if (range < below)
            return width;
    }
    return 900;
}

struct Bucket
{
    std::int64_t at = 0;
    std::int64_t concurrent = 0; ///< the most
    std::int64_t started = 0;
};

std::vector<Bucket> bucketsOf(const Services &services, const Window &window, std::int64_t width)
{
    std::vector<Bucket> buckets;
    for (const TeamSample &sample : services.sandboxes.teamSamples()) {
        const auto at = std::chrono::floor<std::chrono::seconds>(sample.time).time_since_epoch().count();
        if (at < window.start || at > window.end)
            continue;
        if (buckets.empty() || buckets.back().at != at - at % width)
            buckets.push_back({.at = at - at % width});
        buckets.back().concurrent = std::max(buckets.back().concurrent, sample.concurrent);
        buckets.back().started += sample.started;
    }
    return buckets;
}

json::object timed(std::int64_t at)
{
    return {{"timestamp", toText(TimePoint(std::chrono::seconds(at)))}, {"timestampUnix", at}};
}

Answer teamMetrics(const Services &services, const Call &call)
{
    const Window window = readWindow(readQuery(call.query));
    const std::int64_t width = bucketSeconds(window.end - window.start);
    json::array metrics;
    for (const Bucket &bucket : bucketsOf(services, window, width)) {
        json::object metric = timed(bucket.at);
        metric["concurrentSandboxes"] = bucket.concurrent;
        metric["sandboxStartRate"] = static_cast<double>(bucket.started) / static_cast<double>(width);
        metrics.push_back(std::move(metric));
    }
    return Answer::of(metrics);
}

Answer teamPeak(const Services &services, const Call &call)
{
    const http::Query parameters = readQuery(call.query);
    const Window window = readWindow(parameters);
    const std::string metric = singleParameter(parameters, "metric").value_or("");
    if (metric != "concurrent_sandboxes" && metric != "sandbox_start_rate")
        throw ApiError(400, "validation error: metric must be concurrent_sandboxes or sandbox_start_rate");
    const std::int64_t width = bucketSeconds(window.end - window.start);
    double peak = 0;
    std::int64_t at = window.end;
    for (const Bucket &bucket : bucketsOf(services, window, width)) {
        const double value = metric == "concurrent_sandboxes"
                                 ? static_cast<double>(bucket.concurrent)
                                 : static_cast<double>(bucket.started) / static_cast<double>(width);
        if (value > peak) {
            peak = value;
            at = bucket.at;
        }
    }
    json::object answer = timed(at);
    answer["value"] = peak;
    return Answer::of(answer);
}

std::string processorField(const std::string &wanted)
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const auto colon = line.find(':');
        if (colon != std::string::npos && line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1) == wanted)
            return colon + 2 <= line.size() ? line.substr(colon + 2) : std::string();
    }
    return {};
}

json::object machineInfo()
{
    utsname names{};
    uname(&names);
    return {{"cpuFamily", processorField("cpu family")},
            {"cpuModel", processorField("model")},
            {"cpuModelName", processorField("model name")},
            {"cpuArchitecture", names.machine}};
}

// Since this computer was started: nobody samples it for this.
std::int64_t processorPercent()
{
    std::ifstream file("/proc/stat");
    std::string word;
    file >> word;
    std::array<std::uint64_t, 8> ticks{};
    std::uint64_t total = 0;
    for (std::uint64_t &one : ticks) {
        file >> one;
        total += one;
    }
    const std::uint64_t idle = ticks[3] + ticks[4];
    return total == 0 ? 0 : static_cast<std::int64_t>((total - idle) * 100 / total);
}

json::object nodeMetrics(const Services &services)
{
    constexpr std::int64_t mib = 1024 * 1024;
    const Machine machine = thisMachine(services.dataFolder);
    const std::int64_t page = sysconf(_SC_PAGESIZE);
    const std::int64_t total = sysconf(_SC_PHYS_PAGES) * page;
    struct statvfs disk
    {
    };
    statvfs(services.dataFolder.c_str(), &disk);
    const json::object folder{{"mountPoint", services.dataFolder},
                              {"device", ""},
                              {"filesystemType", ""},
                              {"usedBytes", (disk.f_blocks - disk.f_bfree) * disk.f_frsize},
                              {"totalBytes", disk.f_blocks * disk.f_frsize}};
    // Nothing is set apart for one sandbox: each sees all of this computer.
    return {{"allocatedCPU", 0},
            {"cpuPercent", processorPercent()},
            {"cpuCount", machine.cpuCount},
            {"allocatedMemoryBytes", 0},
            {"memoryUsedBytes", total - sysconf(_SC_AVPHYS_PAGES) * page},
            {"memoryTotalBytes", machine.memoryMb * mib},
            {"hugePagesTotal", 0},
            {"hugePagesUsed", 0},
            {"hugePagesReserved", 0},
            {"hugePageSizeBytes", 0},
            {"disks", json::array{folder}}};
}

json::object node(const Services &services, bool listed)
{
    const std::vector<SandboxRecord> sandboxes = services.sandboxes.list();
    const auto running = std::count_if(sandboxes.begin(), sandboxes.end(), [](const SandboxRecord &record) {
        return record.state == SandboxState::Running;
    });
    const CreateCounts counts = services.sandboxes.createCounts();
    json::object object{{"clusterID", noCluster},
                        {"version", BOXDECK_VERSION},
                        {"commit", ""},
                        {"id", nodeId},
                        {"serviceInstanceID", nodeId},
                        {"machineInfo", machineInfo()},
                        {"status", "ready"},
                        {"statusChangedAt", toText(counts.since)},
                        {"sandboxCount", running},
                        {"metrics", nodeMetrics(services)},
                        {"createSuccesses", counts.successes},
                        {"createFails", counts.failures}};
    if (listed)
        object["sandboxStartingCount"] = counts.starting;
    return object;
}

} // namespace

asio::awaitable<Answer> routeTeams(Services &services, Call call)
{
    const auto &segments = call.segments;
    const bool metrics = segments.size() >= 3 && segments[2] == "metrics";
    const bool peak = segments.size() == 4 && metrics && segments[3] == "max";
    if (call.version != 1 || (segments.size() != 1 && !(segments.size() == 3 && metrics) && !peak))
        throw call.noSuchRoute();
    call.expect("GET");
    if (segments.size() == 1)
        co_return Answer::of(json::array{team(services)});
    if (segments[1] != teamId)
        throw ApiError(403, "team '" + segments[1] + "' is not the one of this host");
    co_return peak ? teamPeak(services, call) : teamMetrics(services, call);
}

asio::awaitable<Answer> routeApiKeys(Services &services, Call call)
{
    if (call.version != 1 || call.segments.size() > 2)
        throw call.noSuchRoute();
    if (call.segments.size() == 1 && call.is("GET")) {
        constexpr std::size_t shownAhead = 2;
        constexpr std::size_t shownBehind = 4;
        const std::string prefix = services.apiKey.starts_with("e2b_") ? "e2b_" : "";
        const std::string secret = services.apiKey.substr(prefix.size());
        const bool longEnough = secret.size() > 4 * (shownAhead + shownBehind); // a short one would be given away
        const json::object mask{{"prefix", prefix},
                                {"valueLength", secret.size()},
                                {"maskedValuePrefix", longEnough ? secret.substr(0, shownAhead) : ""},
                                {"maskedValueSuffix", longEnough ? secret.substr(secret.size() - shownBehind) : ""}};
        co_return Answer::of(json::array{json::object{{"id", keyId},
                                                      {"name", "The key of this host"},
                                                      {"mask", mask},
                                                      {"createdAt", toText(services.sandboxes.createCounts().since)},
                                                      {"createdBy", nullptr},
                                                      {"lastUsed", toText(now())}}});
    }
    throw oneOfEach("API keys cannot be made, renamed or deleted");
}

asio::awaitable<Answer> routeAccessTokens(Services &, Call call)
{
    if (call.version != 1 || call.segments.size() > 2)
        throw call.noSuchRoute();
    if (call.is("POST")) // the documented answer of a server that has them switched off
        throw ApiError(410, "access tokens are deprecated and not made by this host; use the API key");
    throw oneOfEach("There are no access tokens");
    co_return Answer::empty();
}

asio::awaitable<Answer> routeNodes(Services &services, Call call)
{
    const auto &segments = call.segments;
    if (call.version != 1 || segments.size() > 2)
        throw call.noSuchRoute();
    if (segments.size() == 1) {
        call.expect("GET");
        co_return Answer::of(json::array{node(services, true)});
    }
    if (segments[1] != nodeId)
        throw ApiError(404, "node '" + segments[1] + "' not found");
    if (call.is("POST"))
        throw oneOfEach("The only node cannot be drained or put on standby");
    call.expect("GET");
    co_return Answer::of(node(services, false));
}

} // namespace boxdeck::host
