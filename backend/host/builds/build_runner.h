// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "backend/host/builds/build_limits.h"
#include "backend/host/builds/build_log.h"
#include "backend/host/builds/build_request.h"
#include "backend/host/builds/layer_cache.h"
#include "backend/host/builds/workspace.h"
#include "backend/host/images/template_catalog.h"

namespace boxdeck::host {

/// What all builds of this host share. Everything outlives every build.
struct BuildServices
{
    asio::io_context &io;
    const DataFolder &data;
    LayerStore &layers;
    TemplateCatalog &templates;
    const IsolationSettings &isolation;
    const BuildLimits &limits;
    UploadStore &uploads;
    LayerCache &cache;
    /// The root file system registered under an image name; nothing for an unknown one.
    std::function<std::optional<BuildState>(const std::string &image)> findImage;
    /// Throws away a layer if neither a template nor the cache nor a running build needs it.
    std::function<asio::awaitable<void>(std::string layerId)> release;
};

/// One build under way: runs the steps of a template one after the other, each on the files the one before left, and
/// keeps those as layers. It leaves no process, mount or folder behind, however it ends.
class BuildRunner : public std::enable_shared_from_this<BuildRunner>
{
public:
    /// @p folder is the build's own, for its log and its files.
    BuildRunner(BuildServices &services, std::string buildId, BuildStart start, std::string folder);

    /// Does the work; call once. Gives nothing when it went well (see result()), else the reason. Never throws.
    asio::awaitable<std::optional<BuildReason>> run();
    /// Ends it soon, with @p why as the reason.
    void stop(std::string why);
    bool stopped() const { return !m_stopReason.empty(); }
    /// What it came to, after run() went well.
    const BuildState &result() const { return m_state; }
    /// The layer its next step begins with, which must not go meanwhile.
    const std::string &layerInUse() const { return m_state.layerId; }
    /// Layers it made, for whoever looks after them when it is over.
    const std::vector<std::string> &madeLayers() const { return m_madeLayers; }
    BuildLog &log() { return *m_log; }
    const std::shared_ptr<BuildLog> &sharedLog() const { return m_log; }

private:
    void checkStopped() const;
    void say(LogLevel level, std::string message);
    OutputTaker lines(LogLevel level, std::string prefix);
    void flushLines();
    asio::awaitable<void> work();
    asio::awaitable<void> watchUsage();

    // build_runner.cpp
    asio::awaitable<void> base();
    void baseFromTemplate();
    asio::awaitable<void> baseFromImage();
    asio::awaitable<void> step(std::size_t index);
    asio::awaitable<void> finalize();
    asio::awaitable<void> keep();
    asio::awaitable<void> remember(const std::string &key);

    // build_steps.cpp
    asio::awaitable<void> execute(const BuildStep &step, const std::string &prefix);
    asio::awaitable<void> runStep(const BuildStep &step, const std::string &prefix);
    asio::awaitable<void> copyStep(const BuildStep &step);
    void environmentStep(const BuildStep &step);
    asio::awaitable<void> workdirStep(const BuildStep &step);
    asio::awaitable<void> userStep(const BuildStep &step);
    CommandRequest shell(const std::string &command) const;

    // build_finish.cpp
    asio::awaitable<void> startAndWait();
    asio::awaitable<void> followStart();
    asio::awaitable<void> waitUntilReady();
    void checkStart() const;

    struct OpenLine;

    BuildServices &m_services;
    std::string m_id;
    BuildStart m_start;
    std::shared_ptr<BuildLog> m_log;
    Workspace m_workspace;
    BuildState m_state;
    std::string m_key;            ///< of the step that was done last
    std::string m_where = "base"; ///< the step under way, as logs and reasons name it
    bool m_forced = false;        ///< the cache is not used from here on
    bool m_changed = false;       ///< the step under way changed files
    bool m_finished = false;
    std::vector<std::string> m_madeLayers;
    std::string m_stopReason;
    std::vector<std::shared_ptr<OpenLine>> m_openLines;
    asio::steady_timer m_deadline;
    asio::steady_timer m_watchTimer;
    Condition m_startChanged;
    std::optional<CommandEnd> m_startEnd; ///< how the start command ended, if it did
    bool m_startFollowed = false;
};

} // namespace boxdeck::host
