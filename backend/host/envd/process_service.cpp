// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/process_service.h"

#include "backend/host/envd/paths.h"
#include "backend/host/http/json_text.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>

namespace boxdeck::host::envd {

using boost::system::error_code;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t sendBatch = 256 * 1024;
constexpr std::string_view keepaliveJson = R"({"event":{"keepalive":{}}})";

WindowSize windowSize(const Message &terminal)
{
    const auto size = terminal.optionalMessage("size");
    if (!size)
        return {};
    return {.columns = static_cast<std::uint16_t>(size->uint32("cols")),
            .rows = static_cast<std::uint16_t>(size->uint32("rows"))};
}

std::string startJson(pid_t pid)
{
    std::string out;
    http::JsonWriter writer(out);
    writer.beginObject().key("event").beginObject().key("start").beginObject();
    writer.key("pid").number(pid).endObject().endObject().endObject();
    return out;
}

// The variables of a new process, later ones win: what every process gets, the sandbox's, the request's.
std::vector<std::string> environmentFor(const Account &account, const Settings &settings,
                                        const std::map<std::string, std::string> &requested,
                                        const std::string &directory, bool terminal)
{
    std::map<std::string, std::string> variables;
    const char *path = std::getenv("PATH");
    variables["PATH"] =
        path != nullptr && *path != '\0' ? path : "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    variables["HOME"] = account.home;
    variables["USER"] = account.name;
    variables["LOGNAME"] = account.name;
    variables["PWD"] = directory; // what the reference's way of starting gives, beside the documented ones
    for (const auto &[name, value] : settings.environment)
        variables[name] = value;
    for (const auto &[name, value] : requested)
        variables[name] = value;
    if (terminal) {
        // Without a UTF-8 locale tmux and others draw their lines in ASCII. A locale of the user's choice stays: LC_ALL
        // would override a LANG or LC_… of theirs.
        variables.try_emplace("TERM", "xterm-256color");
        const bool chosen = std::any_of(variables.begin(), variables.end(), [](const auto &variable) {
            return variable.first == "LANG" || variable.first.starts_with("LC_");
        });
        if (!chosen) {
            variables["LANG"] = "C.UTF-8";
            variables["LC_ALL"] = "C.UTF-8";
        }
    }
    std::vector<std::string> list;
    list.reserve(variables.size());
    for (const auto &[name, value] : variables)
        list.push_back(name + "=" + value);
    return list;
}

RpcError setUpError(const SpawnFailure &failure, const SpawnRequest &request)
{
    if (failure.step == SpawnFailure::Step::EnterDirectory) {
        return {Code::InvalidArgument,
                "cwd '" + request.directory + "' cannot be entered: " + errnoText(failure.error)};
    }
    if (failure.step == SpawnFailure::Step::TooLong)
        return {Code::InvalidArgument, "error starting process: " + errnoText(failure.error)};
    return {Code::PermissionDenied,
            "this sandbox cannot run processes as '" + request.account.name + "': " + errnoText(failure.error)};
}

} // namespace

void ProcessService::addTo(RpcRouter &router)
{
    const auto answer = [](std::string json) -> asio::awaitable<std::string> { co_return json; };
    router.addUnary("/process.Process/List",
                    [this, answer](http::Exchange &, const Message &, const CallOptions &) { return answer(list()); });
    router.addServerStream("/process.Process/Start",
                           [this](EventStream &stream, const Message &request, const CallOptions &options) {
                               return start(stream, request, options);
                           });
    router.addServerStream("/process.Process/Connect",
                           [this](EventStream &stream, const Message &request, const CallOptions &options) {
                               return connect(stream, request, options);
                           });
    router.addUnary(
        "/process.Process/SendInput",
        [this](http::Exchange &, const Message &request, const CallOptions &) -> asio::awaitable<std::string> {
            const auto selector = request.optionalMessage("process");
            const auto input = request.optionalMessage("input");
            co_await sendInput(selector, input);
            co_return "{}";
        });
    router.addClientStream("/process.Process/StreamInput", [this](http::Exchange &, MessageReader &reader,
                                                                  const CallOptions &) { return streamInput(reader); });
    router.addUnary(
        "/process.Process/SendSignal", [this, answer](http::Exchange &, const Message &request, const CallOptions &) {
            const auto process = m_table.require(request.optionalMessage("process"));
            const auto number = request.optionalEnum(
                "signal", {{"SIGNAL_UNSPECIFIED", 0}, {"SIGNAL_SIGTERM", SIGTERM}, {"SIGNAL_SIGKILL", SIGKILL}});
            if (number != SIGTERM && number != SIGKILL)
                throw RpcError(Code::Unimplemented, "invalid signal");
            process->signal(*number);
            return answer("{}");
        });
    router.addUnary("/process.Process/CloseStdin",
                    [this, answer](http::Exchange &, const Message &request, const CallOptions &) {
                        m_table.require(request.optionalMessage("process"))->closeInput();
                        return answer("{}");
                    });
    router.addUnary("/process.Process/Update",
                    [this, answer](http::Exchange &, const Message &request, const CallOptions &) {
                        const auto process = m_table.require(request.optionalMessage("process"));
                        if (const auto terminal = request.optionalMessage("pty"))
                            process->resize(windowSize(*terminal));
                        return answer("{}");
                    });
}

SpawnRequest ProcessService::spawnRequest(const Message &request, const Account &account) const
{
    const Message process = request.optionalMessage("process").value_or(Message());
    const auto terminal = request.optionalMessage("pty");
    SpawnRequest spawn{.command = process.string("cmd"),
                       .args = process.strings("args"),
                       .account = account,
                       .withStdin = request.optionalBool("stdin").value_or(true)};
    if (terminal)
        spawn.terminal = windowSize(*terminal);
    try {
        spawn.directory = expandPath(process.string("cwd"), account.home, m_settings.defaultDirectory);
    } catch (const std::invalid_argument &error) {
        throw RpcError(Code::InvalidArgument, error.what());
    }
    struct stat info = {};
    if (::stat(spawn.directory.c_str(), &info) != 0)
        throw RpcError(Code::InvalidArgument, errno == ENOENT ? "cwd '" + spawn.directory + "' does not exist"
                                                              : "cwd '" + spawn.directory + "': " + errnoText(errno));
    if (!S_ISDIR(info.st_mode))
        throw RpcError(Code::InvalidArgument, "cwd '" + spawn.directory + "' is not a directory");
    spawn.environment =
        environmentFor(account, m_settings, process.stringMap("envs"), spawn.directory, terminal.has_value());
    return spawn;
}

asio::awaitable<std::optional<SpawnFailure>> ProcessService::setUpResult(const Spawned &spawned)
{
    // A copy: the descriptor object closes what it holds.
    asio::posix::stream_descriptor status(m_io, ::fcntl(spawned.status.get(), F_DUPFD_CLOEXEC, 0));
    for (;;) {
        SpawnFailure failure{};
        const ssize_t n = ::read(status.native_handle(), &failure, sizeof(failure));
        if (n == sizeof(failure))
            co_return failure;
        if (n >= 0 || (errno != EAGAIN && errno != EINTR))
            co_return std::nullopt;
        error_code ec;
        co_await status.async_wait(asio::posix::stream_descriptor::wait_read,
                                   asio::redirect_error(asio::use_awaitable, ec));
    }
}

asio::awaitable<void> ProcessService::start(EventStream &stream, const Message &request, const CallOptions &options)
{
    const auto account =
        accountFor(stream.exchange().request().headers.get("Authorization"), m_settings, Accounts::load());
    if (options.timeout == std::chrono::milliseconds(0))
        throw RpcError(Code::DeadlineExceeded, "context deadline exceeded");
    const SpawnRequest spawning = spawnRequest(request, account);
    const Message config = request.optionalMessage("process").value_or(Message());

    Spawned spawned;
    try {
        spawned = spawn(spawning);
    } catch (const std::system_error &error) {
        throw RpcError(spawning.terminal ? Code::InvalidArgument : Code::ResourceExhausted,
                       std::string("error starting process '") + spawning.command + "': " + error.what());
    }
    m_table.expect(spawned.pid);
    const auto failure = co_await setUpResult(spawned);
    if (failure) {
        m_table.forget(spawned.pid);
        throw setUpError(*failure, spawning);
    }
    spawned.status.reset();

    const auto viewer = std::make_shared<Viewer>(m_io);
    const pid_t pid = spawned.pid;
    ProcessConfig told{.command = spawning.command,
                       .args = spawning.args,
                       .environment = config.stringMap("envs"),
                       .directory = config.optionalString("cwd"),
                       .tag = request.optionalString("tag")};
    const auto process = m_table.add(std::move(told), std::move(spawned), viewer);
    std::optional<Clock::time_point> deadline;
    if (options.timeout) {
        // Also the deadline of the process itself, whether anybody still listens or not.
        deadline = Clock::now() + *options.timeout;
        process->killAt(*deadline);
    }
    const std::string started = startJson(pid);
    try {
        co_await stream.send(started);
        co_await follow(stream, process, viewer, options.keepalive, deadline);
    } catch (...) {
        process->removeViewer(viewer);
        throw;
    }
    process->removeViewer(viewer);
}

asio::awaitable<void> ProcessService::connect(EventStream &stream, const Message &request, const CallOptions &options)
{
    const auto found = m_table.requireOrPast(request.optionalMessage("process"));
    if (options.timeout == std::chrono::milliseconds(0))
        throw RpcError(Code::DeadlineExceeded, "context deadline exceeded");
    if (const auto *past = std::get_if<PastProcess>(&found)) {
        const std::string start = startJson(past->pid);
        const std::string end = past->end.eventJson();
        co_await stream.send(start);
        co_await stream.send(end);
        co_return;
    }
    const auto process = std::get<std::shared_ptr<Process>>(found);
    const auto viewer = std::make_shared<Viewer>(m_io);
    process->addViewer(viewer);
    std::optional<Clock::time_point> deadline;
    if (options.timeout)
        deadline = Clock::now() + *options.timeout;
    const std::string started = startJson(process->pid());
    try {
        co_await stream.send(started);
        co_await follow(stream, process, viewer, options.keepalive, deadline);
    } catch (...) {
        process->removeViewer(viewer);
        throw;
    }
    process->removeViewer(viewer);
}

// Sends what comes into the viewer's queue until the process's end, the deadline, or the loss of the viewer's place.
asio::awaitable<void> ProcessService::follow(EventStream &stream, std::shared_ptr<Process> process,
                                             std::shared_ptr<Viewer> viewer, std::chrono::seconds keepalive,
                                             std::optional<Clock::time_point> deadline)
{
    http::Exchange &exchange = stream.exchange();
    viewer->progress = [&exchange] { return exchange.lastWriteProgress(); };
    struct Unbind
    {
        Viewer &viewer;
        ~Unbind() { viewer.progress = nullptr; }
    } const unbind{*viewer};
    exchange.onPeerGone([viewer] { viewer->wake.cancel(); });

    auto lastSent = Clock::now();
    while (!exchange.peerGone()) {
        if (viewer->failure)
            throw RpcError(*viewer->failure);
        if (deadline && Clock::now() >= *deadline)
            throw RpcError(Code::DeadlineExceeded, "context deadline exceeded");
        if (!viewer->queue.empty()) {
            // As many as are there in one write: a fast program must not cost a system call for every few KiB.
            std::vector<std::shared_ptr<const std::string>> batch;
            std::vector<std::string_view> pieces;
            std::size_t size = 0;
            while (!viewer->queue.empty() && (batch.empty() || size + viewer->queue.front()->size() <= sendBatch)) {
                batch.push_back(std::move(viewer->queue.front()));
                viewer->queue.pop_front();
                pieces.emplace_back(*batch.back());
                size += batch.back()->size();
            }
            viewer->sending = true;
            co_await stream.sendEnvelopes(pieces);
            viewer->sending = false;
            process->viewerTook(*viewer, size);
            lastSent = Clock::now();
            continue;
        }
        if (process->end()) {
            const std::string end = process->end()->eventJson();
            co_await stream.send(end);
            co_return;
        }
        if (Clock::now() >= lastSent + keepalive) {
            co_await stream.send(keepaliveJson);
            lastSent = Clock::now();
            continue;
        }
        auto until = lastSent + keepalive;
        if (deadline)
            until = std::min(until, *deadline);
        viewer->wake.expires_at(until);
        error_code ec;
        co_await viewer->wake.async_wait(asio::redirect_error(asio::use_awaitable, ec));
    }
}

std::string ProcessService::list() const
{
    std::string out;
    http::JsonWriter writer(out);
    writer.beginObject();
    if (!m_table.live().empty()) {
        writer.key("processes").beginArray();
        for (const auto &[pid, process] : m_table.live()) {
            const ProcessConfig &config = process->config();
            writer.beginObject().key("config").beginObject().key("cmd").string(config.command);
            if (!config.args.empty()) {
                writer.key("args").beginArray();
                for (const std::string &arg : config.args)
                    writer.string(arg);
                writer.endArray();
            }
            if (!config.environment.empty()) {
                writer.key("envs").beginObject();
                for (const auto &[name, value] : config.environment)
                    writer.key(name).string(value);
                writer.endObject();
            }
            if (config.directory)
                writer.key("cwd").string(*config.directory);
            writer.endObject().key("pid").number(pid);
            if (config.tag)
                writer.key("tag").string(*config.tag);
            writer.endObject();
        }
        writer.endArray();
    }
    writer.endObject();
    return out;
}

asio::awaitable<void> ProcessService::sendInput(const std::optional<Message> &selector,
                                                const std::optional<Message> &input)
{
    const auto process = m_table.require(selector);
    if (input) {
        if (auto bytes = input->optionalBytes("pty")) {
            co_await process->writeInput(true, std::move(*bytes));
            co_return;
        }
        if (auto bytes = input->optionalBytes("stdin")) {
            co_await process->writeInput(false, std::move(*bytes));
            co_return;
        }
    }
    throw RpcError(Code::Unimplemented, "invalid input type <nil>");
}

asio::awaitable<std::string> ProcessService::streamInput(MessageReader &reader)
{
    std::optional<Message> selector;
    for (;;) {
        const auto message = co_await reader.next();
        if (!message)
            break;
        if (const auto begin = message->optionalMessage("start")) {
            selector = begin->optionalMessage("process").value_or(Message());
            m_table.require(selector);
        } else if (const auto data = message->optionalMessage("data")) {
            if (!selector)
                throw RpcError(Code::InvalidArgument, "data before start");
            const auto input = data->optionalMessage("input");
            co_await sendInput(selector, input);
        } else if (!message->has("keepalive")) {
            throw RpcError(Code::Unimplemented, "invalid event type <nil>");
        }
    }
    co_return "{}";
}

} // namespace boxdeck::host::envd
