// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/daemon.h"

#include "backend/host/envd/control_channel.h"
#include "backend/host/envd/disk_usage.h"
#include "backend/host/envd/files_routes.h"
#include "backend/host/envd/filesystem_service.h"
#include "backend/host/envd/freezer.h"
#include "backend/host/envd/message.h"
#include "backend/host/envd/metrics.h"
#include "backend/host/envd/port_tunnel.h"
#include "backend/host/envd/process_service.h"
#include "backend/host/envd/watch_service.h"
#include "backend/host/http/json_text.h"

#include <boost/asio/thread_pool.hpp>

#include <csignal>
#include <optional>
#include <unistd.h>

namespace boxdeck::host::envd {

namespace {

constexpr std::size_t diskThreads = 4;

http::Headers jsonHeaders()
{
    http::Headers headers;
    headers.add("Content-Type", "application/json; charset=utf-8");
    headers.add("X-Content-Type-Options", "nosniff");
    return headers;
}

http::Headers textHeaders()
{
    http::Headers headers;
    headers.add("Content-Type", "text/plain; charset=utf-8");
    headers.add("X-Content-Type-Options", "nosniff");
    return headers;
}

} // namespace

struct Daemon::State
{
    explicit State(DaemonOptions with)
        : options(with)
        , processes(io)
        , processService(io, processes, settings)
        , filesystemService(disk.get_executor(), settings)
        , watchService(io, settings)
        , files(disk.get_executor(), settings)
        , server(io, [this](http::Exchange &exchange) { return serve(exchange); })
    {
        processService.addTo(router);
        filesystemService.addTo(router);
        watchService.addTo(router);
    }

    asio::awaitable<void> serve(http::Exchange &exchange);
    asio::awaitable<void> route(http::Exchange &exchange);
    asio::awaitable<void> routePlain(http::Exchange &exchange);
    std::string environmentJson() const;
    std::optional<std::uint64_t> ownDisk();
    std::string control(std::string_view datagram);
    void initialise(const Message &message);
    void quit();

    DaemonOptions options;
    asio::io_context io{1};
    asio::thread_pool disk{diskThreads};
    Settings settings;
    ProcessTable processes;
    Freezer freezer;
    Metrics metrics;
    DiskUsage diskUsage{disk.get_executor()};
    RpcRouter router;
    ProcessService processService;
    FilesystemService filesystemService;
    WatchService watchService;
    FilesRoutes files;
    std::optional<ControlChannel> channel;
    http::Server server;
};

asio::awaitable<void> Daemon::State::serve(http::Exchange &exchange)
{
    std::optional<HttpError> refusal;
    try {
        co_await route(exchange);
    } catch (const HttpError &error) {
        if (exchange.started())
            throw;
        refusal = error;
    }
    if (refusal) {
        const bool text = refusal->shape() == HttpError::Shape::Text;
        http::Headers headers = text ? textHeaders() : jsonHeaders();
        std::string body = text ? refusal->what() + std::string("\n") : refusal->json();
        co_await exchange.respond(refusal->status(), std::move(headers), std::move(body));
    }
}

asio::awaitable<void> Daemon::State::route(http::Exchange &exchange)
{
    // Web pages of any origin may call (protocol/envd.md section 3): what protects the sandbox is its token.
    const http::Request &request = exchange.request();
    // Only the host itself comes with this one: it passes no CONNECT of its callers on.
    if (request.method == "CONNECT") {
        co_await serveTunnel(exchange);
        co_return;
    }
    if (request.headers.contains("Origin")) {
        exchange.addCommonHeader("Access-Control-Allow-Origin", "*");
        exchange.addCommonHeader("Access-Control-Expose-Headers", "*");
        exchange.addCommonHeader("Vary", "Origin");
        if (request.method == "OPTIONS" && request.headers.contains("Access-Control-Request-Method")) {
            http::Headers headers;
            headers.add("Access-Control-Allow-Methods", "HEAD, GET, POST, PUT, PATCH, DELETE");
            const auto wanted = request.headers.get("Access-Control-Request-Headers");
            headers.add("Access-Control-Allow-Headers", std::string(wanted.value_or("*")));
            headers.add("Access-Control-Max-Age", "7200");
            co_await exchange.respond(204, std::move(headers));
            co_return;
        }
    }
    const bool served = co_await router.serve(exchange);
    if (!served)
        co_await routePlain(exchange);
}

asio::awaitable<void> Daemon::State::routePlain(http::Exchange &exchange)
{
    const http::Request &request = exchange.request();
    const bool get = request.method == "GET";
    const bool post = request.method == "POST";
    std::string allowed;
    if (request.path == "/health") {
        // Lenient about an unknown user: the question is only whether the daemon is there.
        if (get) {
            http::Headers headers;
            headers.add("Cache-Control", "no-store");
            co_await exchange.respond(204, std::move(headers));
            co_return;
        }
        allowed = "GET";
    } else if (request.path == "/metrics" || request.path == "/envs") {
        if (get) {
            http::Headers headers;
            headers.add("Cache-Control", "no-store");
            headers.add("Content-Type", "application/json");
            std::string json = request.path == "/envs" ? environmentJson() : metrics.read(ownDisk());
            co_await exchange.respond(200, std::move(headers), std::move(json));
            co_return;
        }
        allowed = "GET";
    } else if (request.path == "/files") {
        if (get) {
            co_await files.download(exchange);
            co_return;
        }
        if (post) {
            co_await files.upload(exchange);
            co_return;
        }
        allowed = "GET, POST";
    } else if (request.path == "/files/compose") {
        if (post) {
            co_await files.compose(exchange);
            co_return;
        }
        allowed = "POST";
    } else {
        http::Headers headers = textHeaders();
        std::string text = "404 page not found\n";
        co_await exchange.respond(404, std::move(headers), std::move(text));
        co_return;
    }
    http::Headers headers;
    headers.add("Allow", allowed);
    co_await exchange.respond(405, std::move(headers));
}

std::string Daemon::State::environmentJson() const
{
    std::string json;
    http::JsonWriter out(json);
    out.beginObject();
    for (const auto &[name, value] : settings.environment)
        out.key(name).string(value);
    out.endObject();
    return json;
}

void Daemon::State::initialise(const Message &message)
{
    settings.defaultUser = message.optionalString("defaultUser").value_or(settings.defaultUser);
    settings.defaultDirectory = message.string("defaultWorkdir");
    settings.environment = message.stringMap("envVars");
    settings.environment["E2B_SANDBOX"] = "true";
    if (const auto id = message.optionalString("sandboxId"))
        settings.environment["E2B_SANDBOX_ID"] = *id;
    if (const auto id = message.optionalString("templateId"))
        settings.environment["E2B_TEMPLATE_ID"] = *id;
}

// Outside of a sandbox the root is this computer's, and nobody wants that one measured.
std::optional<std::uint64_t> Daemon::State::ownDisk()
{
    return ::getpid() == 1 ? diskUsage.read() : std::nullopt;
}

// Answers one request of the host.
std::string Daemon::State::control(std::string_view datagram)
{
    const auto failure = [](std::string_view why) {
        std::string json;
        http::JsonWriter(json).beginObject().key("ok").boolean(false).key("error").string(why).endObject();
        return json;
    };
    try {
        const Message message = Message::parse(datagram);
        const std::string operation = message.string("op");
        if (operation == "init") {
            initialise(message);
        } else if (operation == "freeze") {
            if (!Freezer::available())
                return failure("not the first process of a PID namespace");
            return R"({"ok":true,"frozen":)" + std::to_string(freezer.freeze()) + "}";
        } else if (operation == "thaw") {
            freezer.thaw();
        } else if (operation == "metrics") {
            const auto bytes = ownDisk();
            const std::string tree = bytes ? R"("diskTree":)" + std::to_string(*bytes) + ',' : std::string();
            return R"({"ok":true,)" + tree + R"("metrics":)" + metrics.read(bytes) + "}";
        } else if (operation == "quit") {
            quit();
        } else {
            return failure("unknown operation");
        }
        return R"({"ok":true})";
    } catch (const RpcError &error) {
        return failure(error.what());
    }
}

void Daemon::State::quit()
{
    if (::getpid() == 1)
        ::kill(-1, SIGKILL);
    else
        processes.killAll();
    asio::post(io, [this] { io.stop(); });
}

Daemon::Daemon(DaemonOptions options)
    : m_state(std::make_unique<State>(options))
{
}

Daemon::~Daemon() = default;

void Daemon::run()
{
    State &state = *m_state;
    state.server.adopt(state.options.listenFd);
    if (state.options.controlFd >= 0) {
        state.channel.emplace(
            state.io, state.options.controlFd, [&state](std::string_view datagram) { return state.control(datagram); },
            [&state] { state.quit(); });
        state.channel->send(R"({"event":"ready"})");
    }
    state.io.run();
    state.disk.stop();
    state.disk.join();
}

} // namespace boxdeck::host::envd
