// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "backend/host/builds/envd_command.h"
#include "backend/host/control_plane/data_folder.h"
#include "backend/host/images/layer_store.h"
#include "backend/host/images/template_config.h"
#include "backend/host/sandbox/container.h"

namespace boxdeck::host {

/// What a build uses now, in bytes.
struct WorkspaceUsage
{
    std::int64_t memory = 0;
    std::int64_t disk = 0;
};

/// Where one build works: a root folder filled from a layer when it is first needed, and a container on it while
/// something runs. Nothing is left of it after discard(). Throws std::exception with a sentence for the build's author.
class Workspace
{
public:
    /// @p folder is the build's own and exists; @p name is unique among what runs.
    Workspace(asio::io_context &io, const DataFolder &data, LayerStore &layers, const IsolationSettings &settings,
              std::string folder, std::string name);

    const std::string &folder() const { return m_folder; }
    /// Where the files of a COPY lie while it is under way, in the folder of a build.
    static std::string streamIn(const std::string &folder) { return folder + "/copy"; }
    /// Account that may do everything inside: `root`, or `user` where there is no root.
    std::string administrator() const { return m_settings.range ? "root" : "user"; }

    /// Starts the container on the files of @p layerId with @p config, unless it runs already.
    asio::awaitable<void> enter(const std::string &layerId, const TemplateConfig &config);
    /// Runs a command in it; see runCommand().
    asio::awaitable<CommandEnd> run(CommandRequest request, OutputTaker taker);
    /// Runs a tool of the daemon's program as administrator() and gives what it printed. What it complains about is
    /// thrown.
    asio::awaitable<std::string> tool(std::vector<std::string> words);
    /// Brings a file of this side in.
    asio::awaitable<void> bring(const std::string &from, const std::string &to);
    /// Ends every process. The files stay.
    asio::awaitable<void> leave();
    /// Ends every process at once, without waiting, from outside of what is going on.
    void stopNow();
    /// Ends every process and keeps the files as a new layer, which they then are known to be.
    asio::awaitable<std::string> keep();
    /// Ends every process and deletes the files.
    asio::awaitable<void> discard();
    /// What the processes and files use; zeros when nothing runs.
    asio::awaitable<WorkspaceUsage> usage();

private:
    asio::awaitable<void> fill(const std::string &layerId);
    std::string rootFolder() const { return m_folder + "/root"; }

    asio::io_context &m_io;
    const DataFolder &m_data;
    LayerStore &m_layers;
    const IsolationSettings &m_settings;
    std::string m_folder;
    std::string m_name;
    std::shared_ptr<Container> m_container;
    std::optional<std::string> m_filledFrom; ///< the layer that the root is, or began as
    bool m_stopped = false;
};

} // namespace boxdeck::host
