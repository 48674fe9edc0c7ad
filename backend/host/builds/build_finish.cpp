// SPDX-License-Identifier: GPL-3.0-or-later
// Start and ready command at the end of a build (protocol/lifecycle.md, section 7).
#include "backend/host/builds/build_runner.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace boxdeck::host {

namespace {

constexpr std::chrono::seconds readyEvery{2};

} // namespace

asio::awaitable<void> BuildRunner::followStart()
{
    const auto self = shared_from_this();
    CommandEnd end;
    try {
        end = co_await m_workspace.run(shell(m_state.config.startCmd), lines(LogLevel::Info, "[start]"));
    } catch (const std::exception &error) {
        end = {.exitCode = -1, .status = error.what()};
    }
    m_startEnd = std::move(end);
    m_startChanged.notifyAll();
}

void BuildRunner::checkStart() const
{
    if (m_startEnd && !m_startEnd->good())
        throw CommandFailed("start command failed: " + m_startEnd->status);
}

asio::awaitable<void> BuildRunner::startAndWait()
{
    co_await m_workspace.enter(m_state.layerId, m_state.config);
    checkStopped();
    const bool starts = !m_state.config.startCmd.empty();
    if (starts) {
        say(LogLevel::Info, "Running start command: " + m_state.config.startCmd);
        asio::co_spawn(m_services.io, followStart(), asio::detached);
    }
    std::exception_ptr failure;
    try {
        co_await waitUntilReady();
        checkStart();
    } catch (const std::exception &) {
        failure = std::current_exception();
    }
    // Its files are kept, its processes cannot be.
    co_await m_workspace.leave();
    while (starts && !m_startEnd)
        co_await m_startChanged.wait();
    if (failure)
        std::rethrow_exception(failure);
    say(LogLevel::Info, "Template is ready");
    if (starts)
        say(LogLevel::Info, "This host keeps no memory of a template: the start command is run again whenever a "
                            "sandbox of it starts.");
}

asio::awaitable<void> BuildRunner::waitUntilReady()
{
    const auto self = shared_from_this();
    const std::string &command = m_state.config.readyCmd;
    const auto &limits = m_services.limits;
    const auto patience = command.empty() ? limits.defaultReadyWait : limits.ready;
    const auto until = std::chrono::steady_clock::now() + patience;
    // Also ends a ready command that hangs.
    auto late = std::make_shared<bool>(false);
    asio::steady_timer deadline(m_services.io, until);
    deadline.async_wait([self, late, kill = !command.empty()](const boost::system::error_code &error) {
        if (error)
            return;
        *late = true;
        if (kill)
            self->m_workspace.stopNow();
        self->m_startChanged.notifyAll();
    });
    if (command.empty()) {
        say(LogLevel::Info, "There is no ready command: waiting " + std::to_string(patience.count()) + " s");
        while (!*late) {
            checkStopped();
            checkStart();
            co_await m_startChanged.wait();
        }
        co_return;
    }
    say(LogLevel::Info, "Waiting for template to be ready: " + command);
    asio::steady_timer pause(m_services.io);
    for (;;) {
        CommandEnd end;
        try {
            CommandRequest request = shell(command);
            request.timeout = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
            request.timeout = std::max(request.timeout, std::chrono::milliseconds(1));
            end = co_await m_workspace.run(std::move(request), lines(LogLevel::Debug, "[ready]"));
        } catch (const CommandFailed &error) {
            end = {.exitCode = -1, .status = error.what()};
        }
        checkStopped();
        if (*late)
            throw CommandFailed("ready command failed: ready command timed out after " +
                                std::to_string(patience.count()) + " s");
        if (end.good())
            co_return;
        checkStart();
        say(LogLevel::Debug, "Template is not ready: " + end.status);
        pause.expires_after(readyEvery);
        pause.async_wait([self](const boost::system::error_code &error) {
            if (!error)
                self->m_startChanged.notifyAll();
        });
        co_await m_startChanged.wait();
        pause.cancel();
    }
}

} // namespace boxdeck::host
