// SPDX-License-Identifier: GPL-3.0-or-later
// What happens to sandboxes by themselves: leases end, measurements are taken; and how the data plane finds them.
#include <algorithm>
#include <cmath>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/json.hpp>

#include "backend/host/control_plane/sandbox_entry.h"

namespace boxdeck::host {

namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

// The reference looks every 50 ms; leases here are looked at when the next one is due. The upper bound is for a wall
// clock that was set forward.
constexpr std::chrono::microseconds longestNap = 1s;
constexpr auto sampleEvery = 5s;
constexpr std::size_t sampleLimit = 720; // one hour
constexpr auto reachPatience = 15s;
constexpr std::chrono::hours logRetention{7 * 24}; // the reference's

double number(const json::object &object, const char *name)
{
    const json::value *value = object.if_contains(name);
    boost::system::error_code error;
    const double result = value != nullptr && value->is_number() ? value->to_number<double>(error) : 0;
    return error || !std::isfinite(result) ? 0 : result;
}

std::int64_t whole(const json::object &object, const char *name)
{
    return static_cast<std::int64_t>(std::clamp(number(object, name), 0.0, 9e15));
}

} // namespace

asio::awaitable<void> SandboxManager::endLease(Held sandbox)
{
    const std::string id = sandbox->record.id;
    try {
        if (!sandbox->record.autoPause) {
            if (!sandbox->killing && sandbox->record.endAt <= now()) // nobody extended it in the meantime
                co_await kill(id);
            co_return;
        }
        const auto guard = co_await sandbox->changing.lock();
        if (sandbox->killing || sandbox->record.state != SandboxState::Running || sandbox->record.endAt > now())
            co_return;
        co_await pauseLocked(sandbox, sandbox->record.autoPauseMemory);
    } catch (const std::exception &error) {
        note(*sandbox, "error", std::string("The lease ended, but: ") + error.what());
    }
}

asio::awaitable<void> SandboxManager::keepLeases()
{
    while (!m_stopping) {
        std::chrono::microseconds nap = longestNap;
        bool any = false;
        std::vector<Held> over;
        for (const auto &[id, sandbox] : m_sandboxes) {
            if (sandbox->killing || sandbox->record.state != SandboxState::Running)
                continue;
            any = true;
            const auto left = sandbox->record.endAt - now();
            if (left > 0us)
                nap = std::min(nap, left);
            else if (!sandbox->changing.locked())
                over.push_back(sandbox);
            else
                nap = std::min<std::chrono::microseconds>(nap, 20ms);
        }
        for (const Held &sandbox : over)
            asio::co_spawn(m_io, endLease(sandbox), asio::detached);
        m_leaseTimer.expires_after(any ? std::max<std::chrono::microseconds>(nap, 1ms)
                                       : std::chrono::duration_cast<std::chrono::microseconds>(1h));
        boost::system::error_code ignored;
        co_await m_leaseTimer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
}

asio::awaitable<void> SandboxManager::measure(Held sandbox)
{
    const auto container = sandbox->container;
    json::object command;
    command["op"] = "metrics";
    const json::object answer = co_await container->ask(std::move(command), 1s);
    const json::value *inner = answer.if_contains("metrics");
    const json::object &from = inner != nullptr && inner->is_object() ? inner->as_object() : answer;
    if (sandbox->metrics.size() >= sampleLimit)
        sandbox->metrics.pop_front();
    sandbox->metrics.push_back({.time = now(),
                                .cpuCount = whole(from, "cpu_count"),
                                .cpuUsedPct = std::clamp(number(from, "cpu_used_pct"), 0.0, 100.0),
                                .memUsed = whole(from, "mem_used"),
                                .memTotal = whole(from, "mem_total"),
                                .memCache = whole(from, "mem_cache"),
                                .diskUsed = whole(from, "disk_used"),
                                .diskTotal = whole(from, "disk_total")});
    const std::int64_t memory = sandbox->metrics.back().memUsed;
    if (m_settings.memoryBytes > 0)
        sandbox->metrics.back().memTotal = m_settings.memoryBytes;
    if (m_settings.memoryBytes > 0 && memory > m_settings.memoryBytes)
        co_await pauseGreedy(sandbox, "its processes used {} MiB of memory", memory, m_settings.memoryBytes);
    if (m_settings.diskBytes <= 0 || !answer.contains("diskTree"))
        co_return;
    const std::int64_t disk = whole(answer, "diskTree");
    sandbox->metrics.back().diskTotal = m_settings.diskBytes;
    // One that was resumed may clean up, and is only stopped again when it takes still more.
    if (disk <= m_settings.diskBytes) {
        sandbox->diskForgiven = 0;
    } else if (disk > sandbox->diskForgiven) {
        sandbox->diskForgiven = disk;
        co_await pauseGreedy(sandbox, "its files take {} MiB of the disk", disk, m_settings.diskBytes);
    }
}

// Stopped in the middle, nothing is lost: whoever owns it can look, kill, or go on.
asio::awaitable<void> SandboxManager::pauseGreedy(Held sandbox, std::string of, std::int64_t used, std::int64_t limit)
{
    constexpr std::int64_t mib = 1024 * 1024;
    if (sandbox->killing || sandbox->changing.locked() || sandbox->record.state != SandboxState::Running)
        co_return;
    const auto guard = co_await sandbox->changing.lock();
    // Said before it shows as paused, so that nobody sees the one without the other.
    of.replace(of.find("{}"), 2, std::to_string(used / mib));
    sandbox->notice = "Paused because " + of + ", more than " + std::to_string(limit / mib) + " MiB.";
    note(*sandbox, "warn", sandbox->notice);
    co_await pauseLocked(sandbox, true);
}

asio::awaitable<void> SandboxManager::measureAll()
{
    std::vector<Held> running;
    for (const auto &[id, sandbox] : m_sandboxes) {
        if (!sandbox->killing && sandbox->container && sandbox->record.state == SandboxState::Running)
            running.push_back(sandbox);
    }
    for (const Held &sandbox : running) {
        if (!sandbox->container || sandbox->killing || sandbox->changing.locked() || m_stopping)
            continue;
        try {
            co_await measure(sandbox);
        } catch (const std::exception &) {
            // No sample this time: charts show a gap, and a dead daemon is told elsewhere.
        }
    }
}

void SandboxManager::sampleTeam()
{
    constexpr std::size_t mostSamples = 24 * 3600 / 5;
    if (m_teamSamples.size() >= mostSamples)
        m_teamSamples.pop_front();
    const auto running = std::count_if(m_sandboxes.begin(), m_sandboxes.end(), [](const auto &pair) {
        return !pair.second->killing && pair.second->record.state == SandboxState::Running;
    });
    m_teamSamples.push_back({.time = now(), .concurrent = running, .started = std::exchange(m_startedSinceSample, 0)});
}

CreateCounts SandboxManager::createCounts() const
{
    CreateCounts counts = m_counts;
    counts.starting = static_cast<std::int64_t>(m_arriving.size());
    return counts;
}

asio::awaitable<void> SandboxManager::keepMeasuring()
{
    while (!m_stopping) {
        sampleTeam();
        co_await measureAll();
        m_metricTimer.expires_after(sampleEvery);
        boost::system::error_code ignored;
        co_await m_metricTimer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
}

void SandboxManager::noteTo(const std::string &id, std::string message)
{
    if (const Held sandbox = find(id))
        note(*sandbox, "info", std::move(message));
}

std::vector<LogEntry> SandboxManager::logs(const std::string &id) const
{
    const Held sandbox = find(id);
    if (!sandbox)
        return {};
    std::vector<LogEntry> entries(sandbox->logs.begin(), sandbox->logs.end());
    std::erase_if(entries, [oldest = now() - logRetention](const LogEntry &entry) { return entry.time < oldest; });
    return entries;
}

std::vector<MetricSample> SandboxManager::metrics(const std::string &id) const
{
    const Held sandbox = need(id);
    return {sandbox->metrics.begin(), sandbox->metrics.end()};
}

std::string SandboxManager::notice(const std::string &id) const
{
    const Held sandbox = find(id);
    return sandbox ? sandbox->notice : std::string();
}

asio::awaitable<SandboxManager::Reach> SandboxManager::reach(std::string id)
{
    const Held sandbox = find(id);
    if (!sandbox)
        co_return Reach{};
    if (sandbox->changing.locked()) {
        // A pause or resume takes milliseconds, the restart of many sandboxes after a restart of the host seconds.
        const auto until = std::chrono::steady_clock::now() + reachPatience;
        asio::steady_timer timer(m_io);
        while (sandbox->changing.locked() && !sandbox->killing && std::chrono::steady_clock::now() < until) {
            timer.expires_after(10ms);
            co_await timer.async_wait(asio::use_awaitable);
        }
    }
    Reach reach{.record = sandbox->record};
    if (sandbox->killing)
        reach.kind = Reach::Kind::Unknown;
    else if (sandbox->changing.locked())
        reach.kind = Reach::Kind::Changing;
    else if (sandbox->record.state == SandboxState::Paused || !sandbox->container)
        reach.kind = Reach::Kind::Paused;
    else {
        reach.kind = Reach::Kind::Ready;
        reach.socketPath = sandbox->container->socketPath();
    }
    co_return reach;
}

std::shared_ptr<void> SandboxManager::watchConnection(const std::string &id, std::function<void()> cut)
{
    const Held sandbox = find(id);
    if (!sandbox)
        return {};
    const auto place = sandbox->connections.insert(sandbox->connections.end(), std::move(cut));
    return std::shared_ptr<void>(nullptr, [sandbox, place](void *) { sandbox->connections.erase(place); });
}

} // namespace boxdeck::host
