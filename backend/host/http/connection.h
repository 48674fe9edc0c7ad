// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/http/request_reader.h"
#include "backend/host/http/server.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

namespace boxdeck::host::http {

/// What a server and its connections share.
struct ServerState
{
    Handler handler;
    ServerOptions options;
    std::mutex mutex; // guards connections
    std::unordered_set<Connection *> connections;
    std::atomic<bool> stopped = false;
};

/// One accepted socket and the exchange that is going on over it.
class Connection : public std::enable_shared_from_this<Connection>
{
public:
    using Socket = asio::generic::stream_protocol::socket;
    using Clock = std::chrono::steady_clock;

    Connection(std::shared_ptr<ServerState> server, Socket socket);
    ~Connection();

    /// Serves requests until the connection ends. Runs on the socket's executor, a strand.
    asio::awaitable<void> run();
    /// The next two may be called from any thread.
    void closeIfOverdue(Clock::time_point now);
    void closeSoon();

private:
    friend class Exchange;

    void close();
    asio::awaitable<bool> readHead();
    asio::awaitable<void> handle();
    asio::awaitable<void> refuse(int status);
    asio::awaitable<std::size_t> readBodyPart(std::span<char> buffer);
    asio::awaitable<bool> drainBody(std::size_t limit);
    asio::awaitable<void> linger();
    asio::awaitable<void> send(std::vector<asio::const_buffer> buffers);
    asio::awaitable<void> send(std::string_view bytes);
    std::string head(int status, const Headers &headers, std::string_view extra) const;
    void watchPeer();
    void peerIsGone();

    void deadline(std::chrono::milliseconds in)
    {
        m_deadline.store((Clock::now() + in).time_since_epoch().count(), std::memory_order_relaxed);
    }
    void noDeadline() { m_deadline.store(0, std::memory_order_relaxed); }
    const ServerOptions &options() const { return m_server->options; }

    std::shared_ptr<ServerState> m_server;
    Socket m_socket;
    RequestReader m_reader;
    std::atomic<Clock::rep> m_deadline = 0;

    // The exchange going on.
    Request m_request;
    Headers m_commonHeaders;
    bool m_expectContinue = false;
    bool m_started = false;
    bool m_streaming = false;
    bool m_chunked = false;
    bool m_headOnly = false;
    bool m_close = false;
    bool m_gone = false;
    bool m_watching = false;
    bool m_hijacked = false;
    std::uint64_t m_responseLeft = 0;
    std::function<void()> m_onGone;
    Clock::time_point m_lastWrite;
};

} // namespace boxdeck::host::http
