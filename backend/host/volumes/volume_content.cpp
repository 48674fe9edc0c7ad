// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/volumes/volume_content.h"

#include <array>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "backend/host/http/forward.h"
#include "backend/host/sandbox/container.h"
#include "backend/host/sandbox/helper.h"
#include "backend/host/volumes/content_server.h"

namespace boxdeck::host {

namespace {

std::string_view bearer(const http::Request &request)
{
    constexpr std::string_view scheme = "bearer ";
    const std::string_view text = request.headers.get("Authorization").value_or("");
    if (text.size() < scheme.size() || !http::equalIgnoringCase(text.substr(0, scheme.size()), scheme))
        return {};
    return text.substr(scheme.size());
}

} // namespace

VolumeContent::VolumeContent(asio::io_context &io, const VolumeStore &store, const VolumeTokens &tokens,
                             std::string socket)
    : m_io(io)
    , m_store(store)
    , m_tokens(tokens)
    , m_socket(std::move(socket))
    , m_changed(io.get_executor())
{
}

void VolumeContent::start()
{
    const Fd listener = listenUnix(m_socket);
    std::array<int, 2> leash{};
    if (pipe2(leash.data(), O_CLOEXEC) != 0)
        throw std::system_error(errno, std::generic_category(), "a pipe");
    const Fd theirs(leash[0]);
    m_leash.reset(leash[1]);
    m_process = spawnSelf({.arguments = helperServeVolumes(m_store.range(), m_store.folder()),
                           .fds = {listener.get(), theirs.get()},
                           .errorFd = STDERR_FILENO});
    m_running = true;
    asio::co_spawn(m_io, watchEnd(), asio::detached);
}

asio::awaitable<void> VolumeContent::watchEnd()
{
    co_await waitForEnd(m_io, m_process);
    m_running = false; // the next request starts another
    unlink(m_socket.c_str());
    m_changed.notifyAll();
}

asio::awaitable<void> VolumeContent::stop()
{
    m_stopping = true;
    m_leash.reset();
    while (m_running)
        co_await m_changed.wait();
}

asio::awaitable<void> VolumeContent::serve(http::Exchange &exchange)
{
    exchange.addCommonHeader("Access-Control-Allow-Origin", "*");
    const http::Request &request = exchange.request();
    const auto target = readContentPath(request.path);
    if (!target) {
        co_await sendContentError(exchange, 404, "not_found", "no such route: " + request.path);
        co_return;
    }
    // Whether there is such a volume is for those to know who hold its token.
    if (!m_tokens.accepts(bearer(request), target->volumeId, std::time(nullptr))) {
        co_await sendContentError(exchange, 401, "unauthenticated",
                                  "the token is missing, expired, or not this volume's: get a fresh one from "
                                  "GET /volumes/" +
                                      target->volumeId);
        co_return;
    }
    if (!m_store.contains(target->volumeId)) {
        co_await sendContentError(exchange, 404, "volume_not_found", "the volume was not found");
        co_return;
    }
    if (!m_running && !m_stopping)
        start();
    http::ForwardTarget process{.socketPath = m_socket};
    http::Forward forward(exchange, std::move(process));
    const http::Forward::Outcome outcome = co_await forward.run();
    if (outcome != http::Forward::Outcome::Done && !exchange.started())
        co_await sendContentError(exchange, 500, "internal_server_error", "the files of volumes cannot be reached");
}

} // namespace boxdeck::host
