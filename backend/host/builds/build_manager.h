// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "backend/host/builds/build_runner.h"

namespace boxdeck::host {

/// What a new build is known by.
struct RegisteredBuild
{
    std::string templateId;
    std::string buildId;
    std::vector<std::string> tags;
};

/// All template builds of this host: registers them, runs them, keeps their logs and the results of their steps.
/// Everything runs on one thread. Operations throw ApiError.
class BuildManager
{
public:
    /// References must outlive this. Throws std::system_error when its folders cannot be made.
    BuildManager(asio::io_context &io, const DataFolder &data, LayerStore &layers, TemplateCatalog &templates,
                 const IsolationSettings &isolation, BuildLimits limits);

    /// Finds the cache and the logs of an earlier run; what a build left half done goes. Call once, after the layers
    /// and the catalog are read.
    void restore();
    /// Layers that the cache needs.
    std::set<std::string> layers() const { return m_cache.layers(); }
    /// Ends all builds and waits for that. Call once, at the end.
    asio::awaitable<void> stop();

    /// POST /v3/templates: a new build that waits for its start; waiting ones of the same tags are superseded.
    asio::awaitable<RegisteredBuild> add(TemplateRequest request);
    /// POST /v2/templates/{id}/builds/{id}: ends another build of the template that is under way, then starts this one.
    asio::awaitable<void> start(std::string templateId, std::string buildId, BuildStart start);
    /// Ends the builds of a template that is being deleted and forgets their logs. The layers are released when the
    /// catalog has forgotten the template.
    asio::awaitable<void> forget(std::string templateId);
    /// Throws away a layer if neither a template nor the cache nor a running build needs it.
    asio::awaitable<void> release(std::string layerId);

    /// Whether a build has begun and its end is not on the disk yet: nobody is told of an end that a crash could undo.
    bool underWay(const std::string &buildId) const { return m_running.contains(buildId); }
    /// The log of a build, oldest line first.
    std::shared_ptr<const BuildLog> log(const std::string &buildId) const;
    UploadStore &uploads() { return m_uploads; }
    /// How images are found by their names; nothing is known without it.
    void setImages(std::function<std::optional<BuildState>(const std::string &)> find)
    {
        m_services.findImage = std::move(find);
    }

private:
    struct Running
    {
        std::string templateId;
        std::shared_ptr<BuildRunner> runner;
    };

    std::string folderOf(const std::string &buildId) const;
    asio::awaitable<void> end(std::string templateId, std::string except, std::string why);
    asio::awaitable<void> run(std::string templateId, std::string buildId, std::shared_ptr<BuildRunner> runner);
    asio::awaitable<void> finish(std::string templateId, std::string buildId, std::optional<BuildReason> reason,
                                 BuildState state);
    asio::awaitable<void> fail(std::string templateId, std::string buildId, BuildReason reason);
    asio::awaitable<void> shrinkCache();
    void keepLog(const std::string &buildId, std::shared_ptr<const BuildLog> log) const;
    bool needed(const std::string &layerId) const;

    asio::io_context &m_io;
    const DataFolder &m_data;
    LayerStore &m_layers;
    TemplateCatalog &m_templates;
    IsolationSettings m_isolation;
    BuildLimits m_limits;
    std::string m_folder;
    UploadStore m_uploads;
    LayerCache m_cache;
    BuildServices m_services;
    /// Logs that were read last, newest first: clients read them in many small pages.
    mutable std::deque<std::pair<std::string, std::shared_ptr<const BuildLog>>> m_readLogs;
    std::map<std::string, Running> m_running; ///< by build id, those in line too
    std::size_t m_atWork = 0;
    Condition m_changed; ///< some build ended
    bool m_stopping = false;
};

} // namespace boxdeck::host
