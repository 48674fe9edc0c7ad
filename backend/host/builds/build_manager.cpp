// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/builds/build_manager.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <sys/stat.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "backend/host/control_plane/api_error.h"

namespace boxdeck::host {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostBuilding = 20;
constexpr std::size_t mostReadLogs = 4;
constexpr const char *superseded = "The build was canceled because it was superseded by a newer one.";
constexpr const char *replaced = "The build was canceled because another build of the template was started.";
constexpr const char *deleted = "The build was canceled because its template was deleted.";
constexpr const char *hostStopped = "the host was stopped during the build";

// Listed tags and the one in the name; `default` only when there is none at all, or when it was asked for.
std::vector<std::string> tagsOf(const TemplateRequest &request, const TemplateName &name)
{
    std::vector<std::string> tags;
    const auto take = [&tags](const std::string &tag) {
        if (std::find(tags.begin(), tags.end(), tag) == tags.end())
            tags.push_back(tag);
    };
    for (const std::string &tag : request.tags)
        take(readTag(tag));
    if (!name.tag.empty() && (name.tag != "default" || tags.empty()))
        take(readTag(name.tag));
    if (tags.empty())
        take("default");
    return tags;
}

void markFailed(TemplateBuild &build, BuildReason reason)
{
    build.status = BuildStatus::Error;
    build.reason = std::move(reason);
    build.finishedAt = build.updatedAt = now();
}

void supersede(StoredTemplate &stored, const std::vector<std::string> &tags)
{
    for (TemplateBuild &build : stored.builds) {
        const bool same = std::any_of(stored.tags.begin(), stored.tags.end(), [&](const TagAssignment &assignment) {
            return assignment.buildId == build.id && std::find(tags.begin(), tags.end(), assignment.tag) != tags.end();
        });
        if (same && build.status == BuildStatus::Waiting)
            markFailed(build, {.message = superseded});
    }
}

} // namespace

BuildManager::BuildManager(asio::io_context &io, const DataFolder &data, LayerStore &layers, TemplateCatalog &templates,
                           const IsolationSettings &isolation, BuildLimits limits)
    : m_io(io)
    , m_data(data)
    , m_layers(layers)
    , m_templates(templates)
    , m_isolation(isolation)
    , m_limits(limits)
    , m_folder(data.path() + "/builds")
    , m_uploads(data.path() + "/uploads", limits.uploads)
    , m_cache(data.path() + "/build-cache")
    , m_services{.io = io,
                 .data = data,
                 .layers = layers,
                 .templates = templates,
                 .isolation = m_isolation,
                 .limits = m_limits,
                 .uploads = m_uploads,
                 .cache = m_cache,
                 .findImage = [](const std::string &) { return std::nullopt; },
                 .release = [this](std::string layerId) { return release(std::move(layerId)); }}
    , m_changed(io.get_executor())
{
    fs::create_directories(m_folder);
}

std::string BuildManager::folderOf(const std::string &buildId) const
{
    return m_folder + '/' + buildId;
}

void BuildManager::restore()
{
    m_cache.restore([this](const std::string &id) { return m_layers.contains(id); });
    std::set<std::string> known;
    for (const StoredTemplate *stored : m_templates.all()) {
        for (const TemplateBuild &build : stored->builds)
            known.insert(build.id);
    }
    std::vector<std::string> names;
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(m_folder, error))
        names.push_back(entry.path().filename().string());
    for (const std::string &name : names) {
        // Files of a build belong to other ids; the trash is emptied by somebody who may.
        if (!known.contains(name))
            fs::rename(folderOf(name), m_data.trash() + "/build-" + name, error);
        else if (fs::exists(folderOf(name) + "/root", error))
            fs::rename(folderOf(name) + "/root", m_data.trash() + "/build-" + name, error);
        fs::remove(Workspace::streamIn(folderOf(name)), error); // cut in the middle of a COPY
    }
}

asio::awaitable<RegisteredBuild> BuildManager::add(TemplateRequest request)
{
    const TemplateName name = readTemplateName(request.name);
    if (!name.space.empty() && name.space != teamSlug)
        throw ApiError(400, "the namespace '" + name.space + "' is not this host's, which is '" + teamSlug + "'");
    const std::vector<std::string> tags = tagsOf(request, name);
    if (m_running.size() >= mostBuilding)
        throw ApiError(429, "you have reached the maximum number of concurrent template builds (" +
                                std::to_string(mostBuilding) + "). Please wait for existing builds to complete.");
    if (m_templates.contains(name.name) != nullptr)
        throw ApiError(409, "'" + name.name + "' is the id of a template and cannot be the name of another");
    const TimePoint time = now();
    const TemplateBuild build{.id = randomUuid(),
                              .cpuCount = request.cpuCount,
                              .memoryMb = request.memoryMb,
                              .createdAt = time,
                              .updatedAt = time};
    const auto apply = [&](StoredTemplate &stored) {
        supersede(stored, tags);
        stored.builds.push_back(build);
        for (const std::string &tag : tags)
            stored.assign(tag, build.id);
    };
    const StoredTemplate *existing = m_templates.find(TemplateName{.space = name.space, .name = name.name});
    if (existing != nullptr && existing->kind == StoredTemplate::Kind::Snapshot)
        throw ApiError(403, "the name '" + name.name + "' belongs to a snapshot");
    if (existing != nullptr) {
        const std::string id = existing->id;
        co_await m_templates.change(id, apply);
        co_return RegisteredBuild{.templateId = id, .buildId = build.id, .tags = tags};
    }
    StoredTemplate stored{.id = randomId(20), .name = name.name, .createdAt = time, .updatedAt = time};
    const std::string id = stored.id;
    apply(stored);
    co_await m_templates.add(std::move(stored));
    co_return RegisteredBuild{.templateId = id, .buildId = build.id, .tags = tags};
}

asio::awaitable<void> BuildManager::fail(std::string templateId, std::string buildId, BuildReason reason)
{
    co_await m_templates.change(templateId, [&](StoredTemplate &stored) {
        if (TemplateBuild *build = stored.build(buildId))
            markFailed(*build, std::move(reason));
    });
}

// Ends the builds of a template but one, and returns when they have.
asio::awaitable<void> BuildManager::end(std::string templateId, std::string except, std::string why)
{
    const auto others = [&] {
        std::vector<std::shared_ptr<BuildRunner>> runners;
        for (const auto &[id, running] : m_running) {
            if (running.templateId == templateId && id != except)
                runners.push_back(running.runner);
        }
        return runners;
    };
    for (const auto &runner : others())
        runner->stop(why);
    m_changed.notifyAll(); // one that stands in line must see it
    while (!others().empty())
        co_await m_changed.wait();
}

asio::awaitable<void> BuildManager::start(std::string templateId, std::string buildId, BuildStart start)
{
    const StoredTemplate *stored = m_templates.contains(templateId);
    if (stored == nullptr || stored->build(buildId) == nullptr)
        throw ApiError(404, "template '" + templateId + "' has no build '" + buildId + "'");
    if (stored->builtIn)
        throw ApiError(403, "template '" + stored->name + "' is built in and cannot be built");
    // Before anything else is checked (protocol/control-plane.md, section 8.8).
    co_await end(templateId, buildId, replaced);
    stored = m_templates.contains(templateId);
    const TemplateBuild *build = stored == nullptr ? nullptr : stored->build(buildId);
    if (build == nullptr)
        throw ApiError(404, "template '" + templateId + "' has no build '" + buildId + "'");
    if (build->status != BuildStatus::Waiting || m_stopping)
        throw ApiError(400, "build is not in waiting state");
    if (!start.fault.empty()) {
        BuildReason reason{.message = start.fault, .step = "base"};
        co_await fail(templateId, buildId, std::move(reason));
        throw ApiError(500, "Error when starting template build: " + start.fault);
    }
    const std::string folder = folderOf(buildId);
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        throw ApiError(500, "the folder of the build could not be made", "internal_server_error");
    auto runner = std::make_shared<BuildRunner>(m_services, buildId, std::move(start), folder);
    m_running.emplace(buildId, Running{.templateId = templateId, .runner = runner});
    std::string failure;
    try {
        co_await m_templates.change(templateId, [&](StoredTemplate &changed) {
            if (TemplateBuild *started = changed.build(buildId)) {
                started->status = BuildStatus::Building;
                started->startedAt = started->updatedAt = now();
            }
        });
    } catch (const std::exception &error) {
        failure = error.what();
    }
    if (!failure.empty()) {
        m_running.erase(buildId);
        m_changed.notifyAll();
        throw ApiError(500, failure, "internal_server_error");
    }
    asio::co_spawn(m_io, run(templateId, buildId, std::move(runner)), asio::detached);
}

asio::awaitable<void> BuildManager::run(std::string templateId, std::string buildId,
                                        std::shared_ptr<BuildRunner> runner)
{
    if (m_atWork >= m_limits.running)
        runner->log().add(LogLevel::Info, "base", "Waiting for other builds of this host to finish");
    while (m_atWork >= m_limits.running && !runner->stopped())
        co_await m_changed.wait();
    ++m_atWork;
    std::optional<BuildReason> reason = co_await runner->run();
    --m_atWork;
    co_await finish(templateId, buildId, std::move(reason), runner->result());
    keepLog(buildId, runner->sharedLog());
    m_running.erase(buildId);
    m_changed.notifyAll();
    // Two builds of the same steps at once each made a layer, of which the cache has one; a build that failed may have
    // made what nothing needs.
    for (const std::string &layer : runner->madeLayers())
        co_await release(layer);
    co_await shrinkCache();
}

asio::awaitable<void> BuildManager::finish(std::string templateId, std::string buildId,
                                           std::optional<BuildReason> reason, BuildState state)
{
    if (m_templates.contains(templateId) == nullptr)
        co_return; // deleted meanwhile
    const auto end = [&](StoredTemplate &stored) {
        TemplateBuild *build = stored.build(buildId);
        if (build == nullptr)
            return;
        if (reason) {
            markFailed(*build, *reason);
            return;
        }
        build->status = BuildStatus::Ready;
        build->layerId = state.layerId;
        build->config = state.config;
        build->finishedAt = build->updatedAt = now();
    };
    std::string failure;
    try {
        co_await m_templates.change(templateId, end);
    } catch (const std::exception &error) {
        failure = error.what();
    }
    if (failure.empty())
        co_return;
    // Nobody may wait for ever for a build that has ended.
    m_templates.changeInMemory(templateId, end);
    std::fprintf(stderr, "boxdeck-host: the end of build %s was not written: %s\n", buildId.c_str(), failure.c_str());
}

asio::awaitable<void> BuildManager::forget(std::string templateId)
{
    co_await end(templateId, {}, deleted);
    const StoredTemplate *stored = m_templates.contains(templateId);
    if (stored == nullptr)
        co_return;
    std::error_code ignored;
    m_readLogs.clear();
    for (const TemplateBuild &build : stored->builds)
        fs::remove_all(folderOf(build.id), ignored); // only logs are left in it
}

asio::awaitable<void> BuildManager::stop()
{
    m_stopping = true;
    for (const auto &[id, running] : m_running)
        running.runner->stop(hostStopped);
    m_changed.notifyAll();
    while (!m_running.empty())
        co_await m_changed.wait();
}

bool BuildManager::needed(const std::string &layerId) const
{
    const auto inUse = [&layerId](const auto &running) { return running.second.runner->layerInUse() == layerId; };
    return m_cache.layers().contains(layerId) || m_templates.layers().contains(layerId) ||
           std::any_of(m_running.begin(), m_running.end(), inUse);
}

asio::awaitable<void> BuildManager::release(std::string layerId)
{
    if (!layerId.empty() && m_layers.contains(layerId) && !needed(layerId))
        co_await m_layers.remove(layerId);
}

asio::awaitable<void> BuildManager::shrinkCache()
{
    const auto own = [this] {
        const std::set<std::string> templates = m_templates.layers();
        std::uint64_t bytes = 0;
        for (const std::string &layer : m_cache.layers()) {
            if (!templates.contains(layer))
                bytes += static_cast<std::uint64_t>(m_layers.bytes(layer));
        }
        return bytes;
    };
    for (const std::string &key : m_cache.oldestFirst()) {
        if (own() <= m_limits.cacheBytes)
            co_return;
        const auto found = m_cache.entries().find(key);
        if (found == m_cache.entries().end())
            continue;
        const std::string layer = found->second.state.layerId;
        m_cache.drop(key);
        co_await release(layer);
    }
}

std::shared_ptr<const BuildLog> BuildManager::log(const std::string &buildId) const
{
    if (const auto running = m_running.find(buildId); running != m_running.end())
        return running->second.runner->sharedLog();
    for (const auto &[id, log] : m_readLogs) {
        if (id == buildId)
            return log;
    }
    auto log = std::make_shared<const BuildLog>(folderOf(buildId) + "/log.jsonl");
    keepLog(buildId, log);
    return log;
}

void BuildManager::keepLog(const std::string &buildId, std::shared_ptr<const BuildLog> log) const
{
    std::erase_if(m_readLogs, [&buildId](const auto &known) { return known.first == buildId; });
    m_readLogs.emplace_front(buildId, std::move(log));
    if (m_readLogs.size() > mostReadLogs)
        m_readLogs.pop_back();
}

} // namespace boxdeck::host
