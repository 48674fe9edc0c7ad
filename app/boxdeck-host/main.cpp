// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/json.hpp>

#include "app/boxdeck-host/options.h"
#include "backend/host/control_plane/answers.h"
#include "backend/host/control_plane/api.h"
#include "backend/host/http/proxy.h"
#include "backend/host/sandbox/helper.h"
#include "backend/host/sandbox/preflight.h"
#include "backend/host/volumes/content_server.h"
#include "backend/host/volumes/volume_content.h"

namespace boxdeck::host {

namespace {

std::string envdBesideUs()
{
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "boxdeck-envd").string();
}

std::string findEnvd(const std::string &asked)
{
    std::error_code error;
    const auto path = std::filesystem::canonical(asked.empty() ? envdBesideUs() : asked, error);
    if (error || access(path.c_str(), X_OK) != 0)
        throw StartError("boxdeck-envd, the program that runs inside sandboxes, is not at " +
                         (asked.empty() ? envdBesideUs() : asked) + "; name it with --envd");
    return path.string();
}

// Every sandbox costs a handful of descriptors here.
void allowManyFiles()
{
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

std::string urlFor(const Options &options, std::uint16_t port)
{
    std::string host = options.address;
    if (host == "0.0.0.0")
        host = "127.0.0.1";
    else if (host == "::")
        host = "[::1]";
    else if (host.find(':') != std::string::npos)
        host = '[' + host + ']';
    return "http://" + host + ':' + std::to_string(port);
}

bool loopback(const std::string &address)
{
    return address.starts_with("127.") || address == "::1";
}

// Before anything is served: who sees us ready can build from every image that was named.
void readImages(asio::io_context &io, ImageStore &images, const std::vector<ImageOption> &options)
{
    for (const ImageOption &option : options) {
        bool done = false;
        std::exception_ptr failure;
        asio::co_spawn(io, images.apply(option), [&](std::exception_ptr thrown) {
            failure = std::move(thrown);
            done = true;
        });
        io.restart(); // it stops whenever it runs out of work
        while (!done)
            io.run_one();
        if (failure)
            std::rethrow_exception(failure);
    }
    io.restart();
}

int serve(const Options &options)
{
    const std::string envd = findEnvd(options.envd);
    const DataFolder folder(options.data.empty() ? defaultDataFolder() : options.data);
    const std::string key = options.apiKeyFile.empty() ? folder.ownApiKey() : readApiKeyFile(options.apiKeyFile);

    asio::io_context io(1);
    Preflight preflight = checkIsolation(io, envd, folder.path() + "/probe", folder.boundIds());
    if (!preflight.refusal.empty())
        throw StartError(preflight.refusal);
    if (!preflight.warning.empty())
        std::fprintf(stderr, "boxdeck-host: %s\n", preflight.warning.c_str());
    folder.bindIds(idsText(preflight.settings));
    if (!loopback(options.address))
        std::fprintf(stderr, "boxdeck-host: listening on %s, beyond this computer, without encryption\n",
                     options.address.c_str());

    constexpr std::int64_t mib = 1024 * 1024;
    const Machine machine = thisMachine(folder.path());
    preflight.settings.memoryBytes = (options.memoryMib > 0 ? options.memoryMib : machine.memoryMb / 2) * mib;
    preflight.settings.diskBytes = (options.diskMib > 0 ? options.diskMib : machine.diskMb / 2) * mib;
    LayerStore layers(io, folder.layers(), folder.trash(), preflight.settings.range);
    TemplateCatalog templates(folder.templates());
    SandboxManager manager(io, folder, layers, std::move(preflight.settings));
    BuildManager builds(io, folder, layers, templates, manager.isolation(), options.buildLimits);
    VolumeStore volumes(io, folder.volumes(), folder.trash(), manager.isolation().range);
    SecretStore secrets(folder.path() + "/secrets.json");
    const VolumeTokens volumeTokens(folder.ownSecret("volume-key"));
    VolumeContent volumeContent(io, volumes, volumeTokens, folder.socketPath("volumes"));
    ImageStore images(layers, folder.path() + "/images.json");
    builds.setImages([&images](const std::string &name) -> std::optional<BuildState> {
        const auto layer = images.find(name);
        return layer ? std::optional(BuildState{.layerId = *layer, .config = {.ownUsr = true}}) : std::nullopt;
    });
    layers.restore();
    const bool allRead = templates.restore([&layers](const std::string &id) { return layers.contains(id); });
    builds.restore();
    images.restore();
    std::set<std::string> needed = templates.layers();
    needed.merge(builds.layers());
    needed.merge(images.layers());
    if (allRead) // a template that cannot be read needs layers that nobody knows of
        layers.sweep(needed);
    readImages(io, images, options.images);
    volumes.restore();
    ControlPlane controlPlane({.sandboxes = manager,
                               .templates = templates,
                               .layers = layers,
                               .builds = builds,
                               .volumes = volumes,
                               .volumeTokens = volumeTokens,
                               .secrets = secrets,
                               .apiKey = key,
                               .dataFolder = folder.path()});
    http::Proxy proxy(manager, key);
    http::Server server(io, [&](http::Exchange &exchange) -> asio::awaitable<void> {
        const http::Route route = http::routeOf(exchange.request());
        if (route.kind == http::Route::Kind::Refused)
            co_await http::refuse(exchange, route);
        else if (route.kind == http::Route::Kind::DataPlane)
            co_await proxy.serve(exchange, route);
        else if (isContentPath(exchange.request().path) && exchange.request().method != "OPTIONS")
            co_await volumeContent.serve(exchange);
        else
            co_await controlPlane.serve(exchange);
    });
    std::uint16_t port = 0;
    try {
        port = server.listenTcp(options.address, options.port);
    } catch (const boost::system::system_error &error) {
        throw StartError("cannot listen on " + options.address + ':' + std::to_string(options.port) + ": " +
                         error.code().message());
    }
    manager.restore();

    asio::signal_set signals(io, SIGTERM, SIGINT);
    signals.async_wait([&](const boost::system::error_code &error, int) {
        if (error)
            return;
        server.stop();
        const auto stopAll = [&]() -> asio::awaitable<void> {
            co_await builds.stop();
            co_await volumeContent.stop();
            co_await manager.stop();
        };
        asio::co_spawn(io, stopAll, [&io](std::exception_ptr) { io.stop(); });
    });

    const std::string url = urlFor(options, port);
    const boost::json::object ready{{"apiUrl", url}, {"sandboxUrl", url}, {"apiKey", key}, {"pid", getpid()}};
    std::printf("%s\n", boost::json::serialize(ready).c_str());
    std::fflush(stdout);
    io.run();
    return 0;
}

} // namespace

} // namespace boxdeck::host

int main(int argc, char *argv[])
{
    using namespace boxdeck::host;
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (!words.empty() && words[0] == helperArgument)
        return helperMain({words.begin() + 1, words.end()});
    std::signal(SIGPIPE, SIG_IGN);
    umask(077);
    try {
        const Options options = readOptions(words);
        if (options.help) {
            std::fputs(helpText(), stdout);
            return 0;
        }
        if (options.version) {
            std::puts("boxdeck-host " BOXDECK_VERSION);
            return 0;
        }
        allowManyFiles();
        // A daemon whose bubblewrap was killed comes to us, who reap it; not every init does.
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        return serve(options);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "boxdeck-host: %s\n", error.what());
        return 1;
    }
}
