// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include "backend/host/control_plane/data_folder.h"
#include "backend/host/control_plane/record.h"
#include "backend/host/control_plane/requests.h"
#include "backend/host/images/layer_store.h"
#include "backend/host/images/template_catalog.h"
#include "backend/host/sandbox/async.h"
#include "backend/host/sandbox/container.h"

namespace boxdeck::host {

/// One line of a sandbox's log: what the host did to it.
struct LogEntry
{
    TimePoint time;
    std::string level; ///< info, warn or error
    std::string message;
};

/// One measurement of a sandbox, in bytes and percent of all cores.
struct MetricSample
{
    TimePoint time;
    std::int64_t cpuCount = 0;
    double cpuUsedPct = 0;
    std::int64_t memUsed = 0;
    std::int64_t memTotal = 0;
    std::int64_t memCache = 0;
    std::int64_t diskUsed = 0;
    std::int64_t diskTotal = 0;
};

/// What all sandboxes together did in the seconds since the sample before.
struct TeamSample
{
    TimePoint time;
    std::int64_t concurrent = 0; ///< running at that moment
    std::int64_t started = 0;    ///< created or resumed
};

/// How creating went since the host began.
struct CreateCounts
{
    TimePoint since;
    std::int64_t successes = 0;
    std::int64_t failures = 0;
    std::int64_t starting = 0; ///< at this moment
};

/// Answer of connect: the sandbox, and whether it had to be resumed (201) or ran already (200).
struct Connected
{
    SandboxRecord record;
    bool resumed = false;
};

/// What a running sandbox's files were kept as, and its record at that moment.
struct Captured
{
    std::string layerId;
    SandboxRecord record;
};

/// One fork: a new sandbox, or why there is none.
struct ForkResult
{
    std::optional<SandboxRecord> sandbox;
    std::optional<ApiError> error;
};

/// Owns all sandboxes of this host: their records, leases, processes and files. Everything runs on one thread; files
/// are written on a second one, in order. Operations throw ApiError.
class SandboxManager
{
public:
    SandboxManager(asio::io_context &io, const DataFolder &folder, LayerStore &layers, IsolationSettings settings);
    ~SandboxManager();
    SandboxManager(const SandboxManager &) = delete;
    SandboxManager &operator=(const SandboxManager &) = delete;

    /// Reads what an earlier run left. Sandboxes whose lease ended meanwhile are paused or dropped as they asked; those
    /// that ran get a fresh daemon in the background. Call once, before serving.
    void restore();
    /// Ends the processes of all sandboxes and waits for that; records and files stay. Call once, at the end.
    asio::awaitable<void> stop();

    asio::awaitable<SandboxRecord> create(CreateRequest request, ResolvedTemplate from);
    /// All sandboxes but those being killed; one that is just pausing shows as paused.
    std::vector<SandboxRecord> list() const;
    /// Throws 404.
    SandboxRecord get(const std::string &id) const;
    asio::awaitable<void> kill(std::string id);
    /// Copies the files of a running sandbox into a new layer, which is then the caller's. Its processes stand still
    /// while that lasts, and go on afterwards whatever the outcome; they are not part of the copy. Throws 404,
    /// @p whenPaused for a paused sandbox, 409 while it changes, 503 when the copy failed.
    asio::awaitable<Captured> capture(std::string id, int whenPaused);
    /// Makes @p count sandboxes with a copy of the files, and the settings, of a running one: new ids, tokens and
    /// leases, no processes. Throws as capture(), then one result each.
    asio::awaitable<std::vector<ForkResult>> fork(std::string id, ForkRequest request);
    asio::awaitable<void> pause(std::string id, bool keepMemory);
    /// Never shortens the lease of one that runs; resumes one that is paused.
    asio::awaitable<Connected> connect(std::string id, ConnectRequest request);
    /// As connect, but 409 for one that runs.
    asio::awaitable<SandboxRecord> resume(std::string id, ConnectRequest request);
    /// May shorten; 0 means now.
    asio::awaitable<void> setTimeout(std::string id, std::chrono::seconds timeout);
    /// Only ever extends.
    asio::awaitable<void> refresh(std::string id, std::chrono::seconds duration);
    /// Replaces the network rules, which are kept for reading only.
    asio::awaitable<void> setNetwork(std::string id, boost::json::object network);

    /// Adds a line to a sandbox's log, if it is still there.
    void noteTo(const std::string &id, std::string message);
    /// Whether a sandbox, running or paused or just being made, has that volume.
    bool mountsVolume(const std::string &volumeId) const;

    /// The last 24 hours, a sample every 5 s.
    const std::deque<TeamSample> &teamSamples() const { return m_teamSamples; }
    CreateCounts createCounts() const;

    /// The last 1000 entries of at most seven days, kept across restarts. None for an unknown sandbox.
    std::vector<LogEntry> logs(const std::string &id) const;
    std::vector<MetricSample> metrics(const std::string &id) const;
    /// Why the sandbox is not what its state promises (its processes were lost); empty if there is nothing to say.
    std::string notice(const std::string &id) const;
    const IsolationSettings &isolation() const { return m_settings; }

    /// What the data plane needs to know of a sandbox.
    struct Reach
    {
        enum class Kind { Unknown, Paused, Changing, Ready };
        Kind kind = Kind::Unknown;
        SandboxRecord record;
        std::string socketPath; ///< of the daemon, when ready
    };
    /// Waits a little for a sandbox that is starting, pausing or resuming. Never wakes one.
    asio::awaitable<Reach> reach(std::string id);
    /// Called when the sandbox stops serving (pause, kill, death); once. The connection is gone from the list with the
    /// returned handle.
    std::shared_ptr<void> watchConnection(const std::string &id, std::function<void()> cut);

private:
    struct Sandbox;
    using Held = std::shared_ptr<Sandbox>;

    Held find(const std::string &id) const;
    Held need(const std::string &id) const;
    Held needRunning(const std::string &id) const;
    std::string folderOf(const std::string &id) const;
    asio::awaitable<void> save(Held sandbox);
    asio::awaitable<void> startProcesses(Held sandbox);
    asio::awaitable<void> runStartCommand(Held sandbox);
    asio::awaitable<void> waitUntilReady(Held sandbox);
    /// How to make the folder of a new sandbox, with its files in `root`.
    using FillRoot = std::function<asio::awaitable<void>(std::string folder)>;
    asio::awaitable<void> bringUp(Held sandbox, FillRoot fill, std::chrono::seconds timeout);
    FillRoot fillFrom(std::string layerId, std::string hostname);
    asio::awaitable<ForkResult> forkOne(Captured source, std::chrono::seconds timeout, bool last);
    asio::awaitable<void> standStill(Held sandbox);
    asio::awaitable<void> goOn(Held sandbox);
    asio::awaitable<void> wake(Held sandbox, ConnectRequest request);
    asio::awaitable<void> pauseLocked(Held sandbox, bool keepMemory);
    asio::awaitable<void> removeFolder(std::string id);
    asio::awaitable<void> removeGone(std::string folder);
    asio::awaitable<void> emptyTrash();
    asio::awaitable<void> restart(Held sandbox, std::shared_ptr<AsyncMutex> lane);
    asio::awaitable<void> endLease(Held sandbox);
    asio::awaitable<void> keepLeases();
    asio::awaitable<void> keepMeasuring();
    asio::awaitable<void> measureAll();
    asio::awaitable<void> measure(Held sandbox);
    asio::awaitable<void> pauseGreedy(Held sandbox, std::string of, std::int64_t used, std::int64_t limit);
    void restoreOne(const std::string &id);
    void cutConnections(Sandbox &sandbox);
    void containerEnded(const std::weak_ptr<Sandbox> &sandbox);
    void note(Sandbox &sandbox, std::string level, std::string message);
    void sampleTeam();

    asio::io_context &m_io;
    const DataFolder &m_folder;
    LayerStore &m_layers;
    IsolationSettings m_settings;
    asio::thread_pool m_files{1};
    asio::steady_timer m_leaseTimer;
    asio::steady_timer m_metricTimer;
    std::map<std::string, Held> m_sandboxes;
    std::list<Held> m_arriving; ///< being made, not listed yet
    std::deque<TeamSample> m_teamSamples;
    CreateCounts m_counts{.since = now()};
    std::int64_t m_startedSinceSample = 0;
    Condition m_removed;
    std::size_t m_removals = 0; ///< folders being deleted now
    bool m_stopping = false;
};

} // namespace boxdeck::host
