// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/envd/process_table.h"
#include "backend/host/envd/rpc_router.h"
#include "backend/host/envd/settings.h"

namespace boxdeck::host::envd {

/// process.Process of protocol/envd.md section 9.
class ProcessService
{
public:
    ProcessService(asio::io_context &io, ProcessTable &table, const Settings &settings)
        : m_io(io)
        , m_table(table)
        , m_settings(settings)
    {
    }

    void addTo(RpcRouter &router);

private:
    asio::awaitable<void> start(EventStream &stream, const Message &request, const CallOptions &options);
    asio::awaitable<void> connect(EventStream &stream, const Message &request, const CallOptions &options);
    asio::awaitable<void> follow(EventStream &stream, std::shared_ptr<Process> process, std::shared_ptr<Viewer> viewer,
                                 std::chrono::seconds keepalive,
                                 std::optional<std::chrono::steady_clock::time_point> deadline);
    std::string list() const;
    asio::awaitable<void> sendInput(const std::optional<Message> &selector, const std::optional<Message> &input);
    asio::awaitable<std::string> streamInput(MessageReader &reader);
    asio::awaitable<std::optional<SpawnFailure>> setUpResult(const Spawned &spawned);
    SpawnRequest spawnRequest(const Message &request, const Account &account) const;

    asio::io_context &m_io;
    ProcessTable &m_table;
    const Settings &m_settings;
};

} // namespace boxdeck::host::envd
