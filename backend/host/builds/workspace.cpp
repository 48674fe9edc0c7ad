// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/builds/workspace.h"

#include <cerrno>
#include <sys/stat.h>
#include <system_error>

#include <boost/json.hpp>

#include "backend/host/sandbox/helper.h"

namespace boxdeck::host {

namespace {

namespace json = boost::json;

constexpr const char *toolProgram = "/.boxdeck/envd";
constexpr std::size_t toolOutputLimit = 64 * 1024;

} // namespace

Workspace::Workspace(asio::io_context &io, const DataFolder &data, LayerStore &layers,
                     const IsolationSettings &settings, std::string folder, std::string name)
    : m_io(io)
    , m_data(data)
    , m_layers(layers)
    , m_settings(settings)
    , m_folder(std::move(folder))
    , m_name(std::move(name))
{
}

asio::awaitable<void> Workspace::fill(const std::string &layerId)
{
    if (m_filledFrom == layerId)
        co_return;
    m_filledFrom.reset();
    co_await runHelper(m_io, helperRemove(m_settings.range, rootFolder()));
    if (mkdir(rootFolder().c_str(), 0755) != 0)
        throw std::system_error(errno, std::generic_category(), "making the folder of the build");
    if (layerId.empty())
        co_await runHelper(m_io, helperPrepare(m_settings.range, rootFolder(), m_name));
    else
        co_await m_layers.materialize(layerId, rootFolder(), m_name);
    m_filledFrom = layerId;
}

asio::awaitable<void> Workspace::enter(const std::string &layerId, const TemplateConfig &config)
{
    if (m_container && m_container->running())
        co_return;
    m_container.reset();
    co_await fill(layerId);
    ContainerSpec spec{.id = m_name,
                       .root = rootFolder(),
                       .log = m_folder + "/daemon.log",
                       .socket = m_data.socketPath(m_name),
                       .ownUsr = config.ownUsr,
                       .init = {{"defaultUser", config.defaultUser},
                                {"defaultWorkdir", ""},
                                {"envVars", json::object()},
                                {"sandboxId", m_name}}};
    auto container = co_await Container::start(m_io, m_settings, std::move(spec));
    m_container = std::move(container);
    if (m_stopped)
        m_container->killNow();
}

asio::awaitable<CommandEnd> Workspace::run(CommandRequest request, OutputTaker taker)
{
    if (!m_container)
        throw CommandFailed("the build's container is not running");
    co_return co_await runCommand(m_container->socketPath(), std::move(request), std::move(taker));
}

asio::awaitable<std::string> Workspace::tool(std::vector<std::string> words)
{
    words.insert(words.begin(), "--tool");
    CommandRequest request{
        .program = toolProgram, .arguments = std::move(words), .user = administrator(), .directory = "/"};
    std::string said;
    std::string complaint;
    const CommandEnd end = co_await run(std::move(request), [&](CommandOutput output, std::string_view piece) {
        std::string &text = output == CommandOutput::Standard ? said : complaint;
        text.append(piece.substr(0, toolOutputLimit - std::min(text.size(), toolOutputLimit)));
    });
    if (end.good())
        co_return said;
    while (!complaint.empty() && complaint.back() == '\n')
        complaint.pop_back();
    throw CommandFailed(complaint.empty() ? end.status : complaint);
}

asio::awaitable<void> Workspace::bring(const std::string &from, const std::string &to)
{
    if (!m_container)
        throw CommandFailed("the build's container is not running");
    co_await sendFileInto(m_container->socketPath(), from, to, administrator());
}

asio::awaitable<void> Workspace::leave()
{
    if (const auto container = std::exchange(m_container, nullptr))
        co_await container->kill();
}

void Workspace::stopNow()
{
    m_stopped = true;
    if (m_container)
        m_container->killNow();
}

asio::awaitable<std::string> Workspace::keep()
{
    co_await leave();
    std::string layerId = co_await m_layers.capture(rootFolder());
    m_filledFrom = layerId;
    co_return layerId;
}

asio::awaitable<void> Workspace::discard()
{
    co_await leave();
    m_filledFrom.reset();
    co_await runHelper(m_io, helperRemove(m_settings.range, rootFolder()));
}

asio::awaitable<WorkspaceUsage> Workspace::usage()
{
    const auto container = m_container;
    if (!container || !container->running())
        co_return WorkspaceUsage{};
    json::object command;
    command["op"] = "metrics";
    const json::object answer = co_await container->ask(std::move(command));
    const auto whole = [](const json::object *object, const char *name) {
        const json::value *value = object == nullptr ? nullptr : object->if_contains(name);
        return value != nullptr && value->is_int64() ? value->as_int64() : std::int64_t(0);
    };
    const json::value *metrics = answer.if_contains("metrics");
    co_return WorkspaceUsage{.memory = whole(metrics == nullptr ? nullptr : metrics->if_object(), "mem_used"),
                             .disk = whole(&answer, "diskTree")};
}

} // namespace boxdeck::host
