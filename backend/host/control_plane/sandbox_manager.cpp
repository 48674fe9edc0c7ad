// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/control_plane/sandbox_manager.h"

#include <cerrno>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>

#include "backend/host/control_plane/sandbox_entry.h"
#include "backend/host/control_plane/sandbox_log.h"
#include "backend/host/sandbox/helper.h"

namespace boxdeck::host {

namespace {

constexpr const char *fromSnapshot =
    "Made from a snapshot: its files are the snapshot's, the processes that ran then were not kept.";

ApiError notFound(const std::string &id)
{
    return {404, "Sandbox \"" + id + "\" was not found"};
}

ApiError changing(const std::string &id)
{
    return {409, "Sandbox " + id + " is changing its state; try again in a moment"};
}

} // namespace

SandboxManager::SandboxManager(asio::io_context &io, const DataFolder &folder, LayerStore &layers,
                               IsolationSettings settings)
    : m_io(io)
    , m_folder(folder)
    , m_layers(layers)
    , m_settings(std::move(settings))
    , m_leaseTimer(io)
    , m_metricTimer(io)
    , m_removed(io.get_executor())
{
}

SandboxManager::~SandboxManager()
{
    m_files.join();
}

SandboxManager::Held SandboxManager::find(const std::string &id) const
{
    const auto found = m_sandboxes.find(id);
    return found == m_sandboxes.end() || found->second->killing ? nullptr : found->second;
}

SandboxManager::Held SandboxManager::need(const std::string &id) const
{
    Held sandbox = find(id);
    if (!sandbox)
        throw notFound(id);
    return sandbox;
}

SandboxManager::Held SandboxManager::needRunning(const std::string &id) const
{
    Held sandbox = need(id);
    if (sandbox->changing.locked() && !sandbox->copying)
        throw changing(id);
    if (sandbox->record.state == SandboxState::Paused)
        throw notFound(id);
    return sandbox;
}

std::string SandboxManager::folderOf(const std::string &id) const
{
    return m_folder.sandboxes() + '/' + id;
}

void SandboxManager::note(Sandbox &sandbox, std::string level, std::string message)
{
    if (sandbox.logs.size() >= logLimit)
        sandbox.logs.pop_front();
    sandbox.logs.push_back({now(), std::move(level), std::move(message)});
    // On the thread that writes the records, in order; when the sandbox is gone it finds no folder.
    asio::post(m_files,
               [folder = folderOf(sandbox.record.id), entry = sandbox.logs.back()] { appendLog(folder, entry); });
}

void SandboxManager::cutConnections(Sandbox &sandbox)
{
    // Each takes itself off the list while it is told, so walk over a copy.
    for (const auto &cut : std::list<std::function<void()>>(sandbox.connections))
        cut();
}

asio::awaitable<void> SandboxManager::save(Held sandbox)
{
    const std::string path = folderOf(sandbox->record.id) + "/record.json";
    const std::string content = boost::json::serialize(toJson(sandbox->record)) + '\n';
    std::string failure;
    const auto write = [path, content]() -> asio::awaitable<void> {
        writeDurably(path, content);
        co_return;
    };
    try {
        // One thread writes everything, so a later state can never be overtaken by an earlier one.
        co_await asio::co_spawn(m_files, write, asio::use_awaitable);
    } catch (const std::exception &error) {
        failure = error.what();
    }
    if (!failure.empty() && !sandbox->killing)
        throw ApiError(500, "the sandbox's record could not be written: " + failure, "internal_server_error");
}

asio::awaitable<void> SandboxManager::startProcesses(Held sandbox)
{
    const SandboxRecord &record = sandbox->record;
    boost::json::object variables;
    for (const auto &[name, value] : record.config.envVars)
        variables[name] = value;
    for (const auto &[name, value] : record.envVars)
        variables[name] = value;
    ContainerSpec spec{.id = record.id,
                       .root = folderOf(record.id) + "/root",
                       .log = folderOf(record.id) + "/daemon.log",
                       .socket = m_folder.socketPath(record.id),
                       .ownUsr = record.config.ownUsr,
                       .init = {{"defaultUser", record.config.defaultUser},
                                {"defaultWorkdir", record.config.workdir},
                                {"envVars", std::move(variables)},
                                {"sandboxId", record.id},
                                {"templateId", record.templateId}}};
    for (const VolumeMount &mount : record.volumeMounts)
        spec.mounts.push_back({.folder = m_folder.volumes() + '/' + mount.volumeId + "/data", .target = mount.path});
    auto container = co_await Container::start(m_io, m_settings, std::move(spec));
    container->onUnexpectedEnd([this, weak = std::weak_ptr<Sandbox>(sandbox)] { containerEnded(weak); });
    sandbox->container = std::move(container);
    co_await runStartCommand(sandbox);
}

// The first process of a sandbox only ends by itself if something is very wrong. Its files are still good, so the
// sandbox stays as one that is paused without its processes.
void SandboxManager::containerEnded(const std::weak_ptr<Sandbox> &weak)
{
    const Held sandbox = weak.lock();
    if (!sandbox || sandbox->killing || m_stopping)
        return;
    cutConnections(*sandbox);
    sandbox->container.reset();
    sandbox->notice = "The sandbox's daemon ended unexpectedly, and all processes with it. Its files are kept; "
                      "resuming starts it afresh.";
    note(*sandbox, "error", sandbox->notice);
    if (sandbox->record.state == SandboxState::Running) {
        sandbox->record.state = SandboxState::Paused;
        sandbox->record.endAt = now();
    }
    asio::co_spawn(m_io, save(sandbox), asio::detached);
}

// Makes the folder, the files and the processes of a new sandbox and lists it. On failure nothing is left.
asio::awaitable<void> SandboxManager::bringUp(Held sandbox, FillRoot fill, std::chrono::seconds timeout)
{
    const std::string id = sandbox->record.id;
    const std::string folder = folderOf(id);
    const auto arriving = m_arriving.insert(m_arriving.end(), sandbox);
    std::string failure;
    try {
        co_await fill(folder);
        co_await startProcesses(sandbox);
        co_await waitUntilReady(sandbox);
        sandbox->record.createdAt = sandbox->record.startedAt = now();
        sandbox->record.endAt = sandbox->record.startedAt + timeout;
        co_await save(sandbox);
    } catch (const std::exception &error) {
        failure = error.what();
    }
    if (m_stopping && failure.empty())
        failure = "the host is stopping";
    if (!failure.empty()) {
        ++m_counts.failures;
        sandbox->killing = true;
        if (sandbox->container)
            co_await sandbox->container->kill();
        m_arriving.erase(arriving);
        co_await removeFolder(id);
        throw ApiError(500, "The sandbox could not be started: " + failure, "sandbox_create_failed");
    }
    m_arriving.erase(arriving);
    m_sandboxes.emplace(id, sandbox);
    ++m_counts.successes;
    ++m_startedSinceSample;
    m_leaseTimer.cancel();
    // The daemon may have ended while the record was written.
    if (sandbox->container && !sandbox->container->running())
        containerEnded(sandbox);
}

SandboxManager::FillRoot SandboxManager::fillFrom(std::string layerId, std::string hostname)
{
    return [this, layerId, hostname](std::string folder) -> asio::awaitable<void> {
        const std::string root = folder + "/root";
        if (mkdir(folder.c_str(), 0700) != 0 || mkdir(root.c_str(), 0755) != 0)
            throw std::system_error(errno, std::generic_category(), "making its folder");
        if (layerId.empty())
            co_await runHelper(m_io, helperPrepare(m_settings.range, root, hostname));
        else
            co_await m_layers.materialize(layerId, root, hostname);
    };
}

asio::awaitable<SandboxRecord> SandboxManager::create(CreateRequest request, ResolvedTemplate from)
{
    SandboxRecord record{.id = 'i' + randomId(20),
                         .templateId = from.templateId,
                         .buildId = from.buildId,
                         .alias = from.alias,
                         .config = std::move(from.config),
                         .createTimeout = request.timeout,
                         .autoPause = request.autoPause,
                         .autoPauseMemory = request.autoPauseMemory,
                         .autoResume = request.autoResume,
                         .allowInternetAccess = request.allowInternetAccess,
                         .allowPublicTraffic = request.allowPublicTraffic,
                         .network = std::move(request.network),
                         .metadata = std::move(request.metadata),
                         .envVars = std::move(request.envVars),
                         .volumeMounts = std::move(request.volumeMounts)};
    if (request.secure)
        record.envdAccessToken = randomHex(64);
    if (!request.allowPublicTraffic)
        record.trafficAccessToken = randomHex(64);

    const auto sandbox = std::make_shared<Sandbox>(m_io.get_executor(), std::move(record));
    if (from.isSnapshot)
        sandbox->notice = fromSnapshot;
    co_await bringUp(sandbox, fillFrom(from.layerId, sandbox->record.id), request.timeout);
    note(*sandbox, "info", "Created from template " + (from.alias.empty() ? from.templateId : from.alias));
    co_return sandbox->record;
}

bool SandboxManager::mountsVolume(const std::string &volumeId) const
{
    const auto has = [&volumeId](const Held &sandbox) {
        const auto &mounts = sandbox->record.volumeMounts;
        return std::any_of(mounts.begin(), mounts.end(),
                           [&volumeId](const VolumeMount &mount) { return mount.volumeId == volumeId; });
    };
    return std::any_of(m_arriving.begin(), m_arriving.end(), has) ||
           std::any_of(m_sandboxes.begin(), m_sandboxes.end(), [&has](const auto &pair) { return has(pair.second); });
}

std::vector<SandboxRecord> SandboxManager::list() const
{
    std::vector<SandboxRecord> records;
    for (const auto &[id, sandbox] : m_sandboxes) {
        if (sandbox->killing)
            continue;
        records.push_back(sandbox->record);
        if (sandbox->pausing)
            records.back().state = SandboxState::Paused;
    }
    return records;
}

SandboxRecord SandboxManager::get(const std::string &id) const
{
    const Held sandbox = need(id);
    SandboxRecord record = sandbox->record;
    if (sandbox->pausing)
        record.state = SandboxState::Paused;
    return record;
}

asio::awaitable<void> SandboxManager::removeFolder(std::string id)
{
    // Out of the way first: whatever happens next, no restart can bring this sandbox back.
    const std::string gone = m_folder.trash() + '/' + id;
    if (rename(folderOf(id).c_str(), gone.c_str()) == 0)
        co_await removeGone(gone);
}

asio::awaitable<void> SandboxManager::removeGone(std::string folder)
{
    ++m_removals;
    try {
        co_await runHelper(m_io, helperRemove(m_settings.range, folder));
    } catch (const std::exception &error) {
        // Nobody's sandbox any more; the next start tries again.
        std::fprintf(stderr, "boxdeck-host: files of a deleted sandbox are left in %s: %s\n", folder.c_str(),
                     error.what());
    }
    --m_removals;
    m_removed.notifyAll();
}

asio::awaitable<void> SandboxManager::kill(std::string id)
{
    const Held sandbox = need(id);
    sandbox->killing = true;
    cutConnections(*sandbox);
    if (sandbox->container)
        sandbox->container->killNow(); // a change under way then fails soon and lets go of the lock
    const auto guard = co_await sandbox->changing.lock();
    if (sandbox->container)
        co_await sandbox->container->kill();
    cutConnections(*sandbox);
    co_await removeFolder(id);
    m_sandboxes.erase(id);
}

asio::awaitable<void> SandboxManager::pauseLocked(Held sandbox, bool keepMemory)
{
    const std::string id = sandbox->record.id;
    sandbox->pausing = true;
    std::string failure;
    if (!sandbox->container) {
        failure = "its daemon is not running";
    } else if (keepMemory) {
        try {
            co_await sandbox->container->freeze();
        } catch (const std::exception &error) {
            failure = error.what();
        }
        if (!failure.empty() && sandbox->container && sandbox->container->running()) {
            try {
                co_await sandbox->container->thaw();
            } catch (const std::exception &) {
                // It is told below that the pause failed; its death is told by containerEnded().
            }
        }
    } else {
        co_await sandbox->container->kill();
        sandbox->container.reset();
    }
    sandbox->pausing = false;
    if (sandbox->killing)
        throw notFound(id);
    if (!failure.empty()) {
        note(*sandbox, "error", "Pausing failed: " + failure);
        throw ApiError(503, "Sandbox " + id + " could not be paused: " + failure);
    }
    cutConnections(*sandbox);
    sandbox->record.state = SandboxState::Paused;
    sandbox->record.endAt = now();
    sandbox->record.diskOnly = !keepMemory;
    note(*sandbox, "info", keepMemory ? "Paused" : "Paused, keeping only the disk");
    co_await save(sandbox);
}

asio::awaitable<void> SandboxManager::pause(std::string id, bool keepMemory)
{
    const Held sandbox = need(id);
    if (sandbox->changing.locked())
        throw changing(id);
    if (sandbox->record.state == SandboxState::Paused)
        throw ApiError(409, "Sandbox " + id + " is already paused");
    const auto guard = co_await sandbox->changing.lock();
    co_await pauseLocked(sandbox, keepMemory);
}

asio::awaitable<void> SandboxManager::wake(Held sandbox, ConnectRequest request)
{
    const std::string id = sandbox->record.id;
    std::string failure;
    const bool hadProcesses = sandbox->container && sandbox->container->running();
    try {
        if (hadProcesses && !request.keepMemory) {
            const auto old = std::exchange(sandbox->container, nullptr);
            co_await old->kill();
        }
        if (sandbox->container && sandbox->container->running()) {
            co_await sandbox->container->thaw();
        } else {
            co_await startProcesses(sandbox);
            co_await waitUntilReady(sandbox);
        }
    } catch (const std::exception &error) {
        failure = error.what();
    }
    if (sandbox->killing) {
        if (sandbox->container)
            co_await sandbox->container->kill();
        throw notFound(id);
    }
    if (!failure.empty()) {
        note(*sandbox, "error", "Resuming failed: " + failure);
        throw ApiError(503, "Sandbox " + id + " could not be resumed: " + failure);
    }
    sandbox->notice =
        hadProcesses && request.keepMemory ? std::string() : "The processes of before were lost; the files are kept.";
    sandbox->record.state = SandboxState::Running;
    sandbox->record.startedAt = now();
    sandbox->record.endAt = sandbox->record.startedAt + request.timeout;
    sandbox->record.diskOnly = false;
    ++m_startedSinceSample;
    note(*sandbox, "info", "Resumed. " + sandbox->notice);
    co_await save(sandbox);
    m_leaseTimer.cancel();
}

asio::awaitable<Connected> SandboxManager::connect(std::string id, ConnectRequest request)
{
    const Held sandbox = need(id);
    auto guard = co_await sandbox->changing.lock();
    if (sandbox->killing)
        throw notFound(id);
    if (sandbox->record.state == SandboxState::Paused) {
        // The reference would resume and evict at once; nobody can mean that (protocol/compat.md, section 5).
        if (request.timeout == std::chrono::seconds(0))
            request.timeout = std::chrono::seconds(300);
        co_await wake(sandbox, request);
        co_return Connected{.record = sandbox->record, .resumed = true};
    }
    guard.release();
    const TimePoint wanted = now() + request.timeout;
    if (wanted > sandbox->record.endAt) {
        sandbox->record.endAt = wanted;
        co_await save(sandbox);
    }
    co_return Connected{.record = sandbox->record, .resumed = false};
}

asio::awaitable<SandboxRecord> SandboxManager::resume(std::string id, ConnectRequest request)
{
    if (request.timeout <= std::chrono::seconds(0))
        throw ApiError(400, "Timeout must be greater than 0");
    const Held sandbox = need(id);
    const auto guard = co_await sandbox->changing.lock();
    if (sandbox->killing)
        throw notFound(id);
    if (sandbox->record.state == SandboxState::Running)
        throw ApiError(409, "Sandbox " + id + " is already running");
    co_await wake(sandbox, request);
    co_return sandbox->record;
}

asio::awaitable<void> SandboxManager::setTimeout(std::string id, std::chrono::seconds timeout)
{
    const Held sandbox = needRunning(id);
    sandbox->record.endAt = now() + timeout;
    m_leaseTimer.cancel();
    co_await save(sandbox);
}

asio::awaitable<void> SandboxManager::refresh(std::string id, std::chrono::seconds duration)
{
    const Held sandbox = needRunning(id);
    const TimePoint wanted = now() + duration;
    if (wanted <= sandbox->record.endAt)
        co_return;
    sandbox->record.endAt = wanted;
    co_await save(sandbox);
}

asio::awaitable<void> SandboxManager::setNetwork(std::string id, boost::json::object network)
{
    const Held sandbox = needRunning(id);
    if (const auto *access = network.if_contains("allow_internet_access")) {
        sandbox->record.allowInternetAccess = access->as_bool();
        network.erase("allow_internet_access");
    }
    // These two cannot be changed after create, and a replacement does not clear them either.
    for (const char *kept : {"allowPublicTraffic", "maskRequestHost"}) {
        network.erase(kept);
        if (sandbox->record.network && sandbox->record.network->contains(kept))
            network[kept] = sandbox->record.network->at(kept);
    }
    sandbox->record.network = std::move(network);
    co_await save(sandbox);
}

} // namespace boxdeck::host
