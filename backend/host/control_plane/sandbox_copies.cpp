// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of running sandboxes: what snapshots are made of, and forks.
#include <boost/json.hpp>

#include "backend/host/control_plane/sandbox_entry.h"

namespace boxdeck::host {

namespace {

ApiError notCopied(const std::string &id, const std::string &why)
{
    return {503, "The files of sandbox " + id + " could not be copied: " + why + ". The sandbox goes on."};
}

} // namespace

asio::awaitable<void> SandboxManager::standStill(Held sandbox)
{
    std::string failure;
    if (!sandbox->container)
        throw notCopied(sandbox->record.id, "its daemon is not running");
    try {
        co_await sandbox->container->freeze();
        co_return;
    } catch (const std::exception &error) {
        failure = error.what();
    }
    co_await goOn(sandbox);
    throw notCopied(sandbox->record.id, "its processes could not be stopped for it (" + failure + ')');
}

// Lets the processes go on. Should that fail, the sandbox is what it then looks like: paused, with a reason.
asio::awaitable<void> SandboxManager::goOn(Held sandbox)
{
    if (sandbox->killing || !sandbox->container || !sandbox->container->running())
        co_return; // its end is told by containerEnded()
    std::string failure;
    try {
        co_await sandbox->container->thaw();
        co_return;
    } catch (const std::exception &error) {
        failure = error.what();
    }
    if (sandbox->killing || !sandbox->container)
        co_return;
    sandbox->notice = "After its files were copied, the processes could not be set going again (" + failure +
                      "), so it is paused; resuming tries again.";
    note(*sandbox, "error", sandbox->notice);
    cutConnections(*sandbox);
    sandbox->record.state = SandboxState::Paused;
    sandbox->record.endAt = now();
    co_await save(sandbox);
}

asio::awaitable<Captured> SandboxManager::capture(std::string id, int whenPaused)
{
    const Held sandbox = need(id);
    const ApiError missing(404, "Sandbox \"" + id + "\" was not found");
    if (sandbox->pausing)
        throw ApiError(409, "Sandbox " + id + " is being paused");
    const auto guard = co_await sandbox->changing.lock();
    if (sandbox->killing)
        throw missing;
    if (sandbox->record.state == SandboxState::Paused)
        throw ApiError(whenPaused,
                       "Sandbox " + id + " is paused; only a running one can be copied, so resume it first");
    sandbox->copying = true;
    Captured captured{.record = sandbox->record};
    std::string failure;
    try {
        co_await standStill(sandbox);
        captured.layerId = co_await m_layers.capture(folderOf(id) + "/root");
    } catch (const std::exception &error) {
        failure = error.what();
    }
    co_await goOn(sandbox);
    sandbox->copying = false;
    if (failure.empty() && !sandbox->killing)
        co_return captured;
    if (!captured.layerId.empty())
        co_await m_layers.remove(captured.layerId);
    if (sandbox->killing)
        throw missing;
    note(*sandbox, "error", "Copying the files failed: " + failure);
    throw notCopied(id, failure);
}

asio::awaitable<ForkResult> SandboxManager::forkOne(Captured source, std::chrono::seconds timeout, bool last)
{
    SandboxRecord record = source.record;
    record.id = 'i' + randomId(20);
    record.createTimeout = timeout;
    if (record.secure())
        record.envdAccessToken = randomHex(64);
    if (!record.trafficAccessToken.empty())
        record.trafficAccessToken = randomHex(64);
    const auto sandbox = std::make_shared<Sandbox>(m_io.get_executor(), std::move(record));
    sandbox->notice = "A fork of " + source.record.id +
                      ": its files are a copy of that one's, the processes that ran there were not carried over.";
    FillRoot fill = fillFrom(source.layerId, sandbox->record.id);
    if (last)
        fill = [this, source, id = sandbox->record.id](std::string folder) -> asio::awaitable<void> {
            co_await m_layers.moveTo(source.layerId, folder, id);
        };
    try {
        co_await bringUp(sandbox, std::move(fill), timeout);
        note(*sandbox, "info", "Forked from sandbox " + source.record.id);
        co_return ForkResult{.sandbox = sandbox->record};
    } catch (const ApiError &error) {
        co_return ForkResult{.error = error};
    }
}

asio::awaitable<std::vector<ForkResult>> SandboxManager::fork(std::string id, ForkRequest request)
{
    const Captured source = co_await capture(id, 409);
    std::vector<ForkResult> results;
    for (std::size_t i = 0; i < request.count; ++i)
        results.push_back(co_await forkOne(source, request.timeout, i + 1 == request.count));
    co_await m_layers.remove(source.layerId); // nothing to do when the last fork has taken it
    if (const Held sandbox = find(id))
        note(*sandbox, "info", "Forked " + std::to_string(request.count) + " times");
    co_return results;
}

} // namespace boxdeck::host
