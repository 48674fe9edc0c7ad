// SPDX-License-Identifier: GPL-3.0-or-later
// What happens to sandboxes when the host begins and ends.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/json.hpp>

#include "backend/host/control_plane/sandbox_entry.h"
#include "backend/host/control_plane/sandbox_log.h"

namespace boxdeck::host {

namespace {

namespace fs = std::filesystem;

constexpr const char *lostByRestart = "The host was restarted: the processes of before were lost, the files are kept.";
constexpr std::uint64_t restartsAtOnce = 4;
constexpr std::chrono::seconds removalPatience{10};

std::vector<std::string> namesIn(const std::string &folder)
{
    std::vector<std::string> names;
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(folder, error))
        names.push_back(entry.path().filename().string());
    return names;
}

} // namespace

void SandboxManager::restoreOne(const std::string &id)
{
    const std::string file = folderOf(id) + "/record.json";
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        // The host ended in the middle of a create, before anybody was told of this sandbox.
        std::error_code error;
        fs::rename(folderOf(id), m_folder.trash() + '/' + id, error);
        return;
    }
    std::ostringstream text;
    text << stream.rdbuf();
    SandboxRecord record;
    try {
        record = recordFromJson(boost::json::parse(text.str()).as_object());
        if (record.id != id)
            throw std::runtime_error("it is the record of another sandbox");
    } catch (const std::exception &error) {
        // Somebody's files hang on it: leave everything where it is.
        std::fprintf(stderr, "boxdeck-host: %s is not readable (%s); sandbox %s is left out\n", file.c_str(),
                     error.what(), id.c_str());
        return;
    }
    const bool ran = record.state == SandboxState::Running;
    if (ran && record.endAt <= now()) {
        if (!record.autoPause) {
            std::error_code error;
            fs::rename(folderOf(id), m_folder.trash() + '/' + id, error);
            return;
        }
        record.state = SandboxState::Paused;
        record.diskOnly = !record.autoPauseMemory;
    }
    const auto sandbox = std::make_shared<Sandbox>(m_io.get_executor(), std::move(record));
    for (LogEntry &entry : readLog(folderOf(id)))
        sandbox->logs.push_back(std::move(entry));
    while (sandbox->logs.size() > logLimit)
        sandbox->logs.pop_front();
    sandbox->notice = lostByRestart;
    note(*sandbox, "warn", lostByRestart);
    m_sandboxes.emplace(id, sandbox);
    if (ran && sandbox->record.state == SandboxState::Paused)
        asio::co_spawn(m_io, save(sandbox), asio::detached);
}

void SandboxManager::restore()
{
    for (const std::string &id : namesIn(m_folder.sandboxes()))
        restoreOne(id);
    const auto lanes = std::make_shared<std::vector<std::shared_ptr<AsyncMutex>>>();
    for (std::uint64_t i = 0; i < restartsAtOnce; ++i)
        lanes->push_back(std::make_shared<AsyncMutex>(m_io.get_executor()));
    std::size_t next = 0;
    for (const auto &[id, sandbox] : m_sandboxes) {
        if (sandbox->record.state == SandboxState::Running)
            asio::co_spawn(m_io, restart(sandbox, (*lanes)[next++ % lanes->size()]), asio::detached);
    }
    asio::co_spawn(m_io, emptyTrash(), asio::detached);
    asio::co_spawn(m_io, keepLeases(), asio::detached);
    asio::co_spawn(m_io, keepMeasuring(), asio::detached);
}

asio::awaitable<void> SandboxManager::restart(Held sandbox, std::shared_ptr<AsyncMutex> lane)
{
    // Held from the first moment on: whoever asks for this sandbox meanwhile waits for its daemon.
    const auto guard = co_await sandbox->changing.lock();
    const auto turn = co_await lane->lock();
    if (sandbox->killing || m_stopping)
        co_return;
    std::string failure;
    try {
        co_await startProcesses(sandbox);
    } catch (const std::exception &error) {
        failure = error.what();
    }
    if (!sandbox->killing && failure.empty())
        note(*sandbox, "info", "Started again with the host");
    if (sandbox->killing || failure.empty())
        co_return;
    sandbox->notice = "After the host was restarted, the daemon could not be started (" + failure +
                      "). The files are kept; resuming tries again.";
    note(*sandbox, "error", sandbox->notice);
    sandbox->record.state = SandboxState::Paused;
    sandbox->record.endAt = now();
    co_await save(sandbox);
}

asio::awaitable<void> SandboxManager::emptyTrash()
{
    for (const std::string &name : namesIn(m_folder.trash()))
        co_await removeGone(m_folder.trash() + '/' + name);
}

asio::awaitable<void> SandboxManager::stop()
{
    m_stopping = true;
    m_leaseTimer.cancel();
    m_metricTimer.cancel();
    std::vector<std::shared_ptr<Container>> ending;
    for (const auto &[id, sandbox] : m_sandboxes) {
        cutConnections(*sandbox);
        if (sandbox->container) {
            note(*sandbox, "info", "Stopped, because the host ends");
            sandbox->container->killNow();
            ending.push_back(sandbox->container);
        }
    }
    for (const auto &container : ending)
        co_await container->kill();
    // What is being deleted is let finish; a very big one goes on at the next start.
    const auto until = std::chrono::steady_clock::now() + removalPatience;
    asio::steady_timer timer(m_io, until);
    timer.async_wait([this](const boost::system::error_code &error) {
        if (!error)
            m_removed.notifyAll();
    });
    while (m_removals > 0 && std::chrono::steady_clock::now() < until)
        co_await m_removed.wait();
}

} // namespace boxdeck::host
