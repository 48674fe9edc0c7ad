// SPDX-License-Identifier: GPL-3.0-or-later
// The start command of a template. The reference keeps the memory of a template, so that what was started is there in
// every sandbox; here it is started with each of them.
#include "backend/host/builds/envd_command.h"
#include "backend/host/control_plane/sandbox_entry.h"

namespace boxdeck::host {

namespace {

using namespace std::chrono_literals;

// Callers wait 60 s for a create; a service that needs longer than this goes on starting without them.
constexpr auto readyPatience = 20s;
constexpr auto readyEvery = 200ms;

CommandRequest commandOf(const SandboxRecord &record, const std::string &command)
{
    CommandRequest request = CommandRequest::shell(command);
    request.user = record.config.defaultUser;
    return request; // where it starts and its variables are the sandbox's own
}

} // namespace

asio::awaitable<void> SandboxManager::runStartCommand(Held sandbox)
{
    const SandboxRecord record = sandbox->record;
    const auto container = sandbox->container;
    if (record.config.startCmd.empty() || !container)
        co_return;
    std::string failure;
    try {
        CommandRequest request = commandOf(record, record.config.startCmd);
        request.tag = "start-command";
        co_await startCommand(container->socketPath(), std::move(request));
    } catch (const CommandFailed &error) {
        failure = error.what();
    }
    if (failure.empty())
        note(*sandbox, "info", "Started: " + record.config.startCmd);
    else
        note(*sandbox, "error", "The start command of the template could not be run: " + failure);
}

asio::awaitable<void> SandboxManager::waitUntilReady(Held sandbox)
{
    const SandboxRecord record = sandbox->record;
    const auto container = sandbox->container;
    if (record.config.startCmd.empty() || record.config.readyCmd.empty() || !container)
        co_return;
    const auto until = std::chrono::steady_clock::now() + readyPatience;
    asio::steady_timer pause(m_io);
    while (!sandbox->killing && !m_stopping && container->running()) {
        CommandRequest request = commandOf(record, record.config.readyCmd);
        const auto left = until - std::chrono::steady_clock::now();
        request.timeout = std::chrono::ceil<std::chrono::milliseconds>(left);
        if (left <= 0s) {
            note(*sandbox, "warn", "The ready command of the template has not succeeded yet.");
            co_return;
        }
        bool ready = false;
        try {
            const CommandEnd end = co_await runCommand(container->socketPath(), std::move(request), nullptr);
            ready = end.good();
        } catch (const CommandFailed &) {
            ready = false;
        }
        if (ready)
            co_return;
        pause.expires_after(readyEvery);
        co_await pause.async_wait(asio::use_awaitable);
    }
}

} // namespace boxdeck::host
