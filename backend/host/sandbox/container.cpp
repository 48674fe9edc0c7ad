// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/sandbox/container.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json.hpp>

#include "backend/host/sandbox/helper.h"

namespace boxdeck::host {

namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

constexpr auto startPatience = 20s;
constexpr std::size_t datagramLimit = 64 * 1024;

std::system_error lastError(const char *what)
{
    return {errno, std::generic_category(), what};
}

Fd openPidFd(pid_t pid)
{
    return Fd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

void signalPidFd(const Fd &fd, int number)
{
    if (fd)
        syscall(SYS_pidfd_send_signal, fd.get(), number, nullptr, 0);
}

// Waits until a process is gone, and reaps it if it became ours: its parent may have died before it. By descriptor, not
// by number, so that it can't be another one's.
asio::awaitable<void> waitForOrphan(asio::io_context &io, const Fd &pidFd)
{
    const int copy = pidFd ? fcntl(pidFd.get(), F_DUPFD_CLOEXEC, 3) : -1;
    if (copy < 0)
        co_return;
    asio::posix::stream_descriptor ended(io, copy);
    for (;;) {
        co_await ended.async_wait(asio::posix::stream_descriptor::wait_read, asio::use_awaitable);
        siginfo_t info{};
        const int got = waitid(P_PIDFD, static_cast<id_t>(ended.native_handle()), &info, WEXITED | WNOHANG);
        if ((got == 0 && info.si_pid != 0) || (got != 0 && errno != EINTR))
            co_return;
    }
}

} // namespace

// The first process must find a listening socket: requests that come before it is ready wait in the queue.
Fd listenUnix(const std::string &path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path)
        throw ContainerError("the path " + path + " is too long for a socket");
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    unlink(path.c_str());
    Fd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd || bind(fd.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0 ||
        listen(fd.get(), 512) != 0)
        throw lastError("a socket for the data plane");
    return fd;
}

// Reaps a child. The reactor may say that something happened when nothing did (an event of a descriptor that was closed
// in the same round), so only the kernel's answer counts; a blocking wait here would stop the whole host.
asio::awaitable<int> waitForEnd(asio::io_context &io, Child &child)
{
    asio::posix::stream_descriptor ended(io, child.pidFd.release());
    for (;;) {
        co_await ended.async_wait(asio::posix::stream_descriptor::wait_read, asio::use_awaitable);
        int status = 0;
        const pid_t got = waitpid(child.pid, &status, WNOHANG);
        if (got == child.pid)
            co_return status;
        if (got < 0 && errno != EINTR)
            co_return -1;
    }
}

asio::awaitable<bool> waitReadable(int fd, std::chrono::milliseconds patience)
{
    const auto executor = co_await asio::this_coro::executor;
    const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (copy < 0)
        throw lastError("dup");
    auto stream = std::make_shared<asio::posix::stream_descriptor>(executor, copy);
    auto late = std::make_shared<bool>(false);
    asio::steady_timer timer(executor, patience);
    timer.async_wait([stream, late](const boost::system::error_code &error) {
        if (!error) {
            *late = true;
            stream->cancel();
        }
    });
    boost::system::error_code error;
    co_await stream->async_wait(asio::posix::stream_descriptor::wait_read,
                                asio::redirect_error(asio::use_awaitable, error));
    co_return !error;
}

Container::Container(asio::io_context &io, ContainerSpec spec)
    : m_io(io)
    , m_spec(std::move(spec))
    , m_control(io)
    , m_asking(io.get_executor())
    , m_changed(io.get_executor())
    , m_complaints(io)
{
}

Container::~Container()
{
    killNow();
}

void Container::spawn(const IsolationSettings &settings)
{
    const Fd listener = listenUnix(m_spec.socket);
    std::array<int, 2> control{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, control.data()) != 0)
        throw lastError("a control socket");
    m_control.assign(control[0]);
    const Fd theirs(control[1]);
    std::array<int, 2> info{};
    if (pipe2(info.data(), O_CLOEXEC) != 0)
        throw lastError("a pipe");
    m_info.reset(info[0]);
    const Fd infoWrite(info[1]);
    const Fd errors = m_complaints.open(m_spec.log);

    RunRequest request{.bwrap = settings.bwrap,
                       .envd = settings.envd,
                       .root = m_spec.root,
                       .hostname = m_spec.id,
                       .range = settings.range,
                       .ownUsr = m_spec.ownUsr,
                       .mounts = m_spec.mounts,
                       .processes = settings.processes,
                       .openFiles = settings.openFiles,
                       .infoFd = 5,
                       .words = {"--listen-fd", "3", "--control-fd", "4"}};
    m_monitor = spawnSelf({.arguments = helperRun(request),
                           .fds = {listener.get(), theirs.get(), infoWrite.get()},
                           .errorFd = errors.get()});
    m_running = true;
}

asio::awaitable<void> Container::watchEnd()
{
    const auto self = shared_from_this();
    co_await waitForEnd(m_io, m_monitor);
    // Should bubblewrap have been killed before its child, the kernel kills that one; make sure of it.
    m_monitor.pid = -1; // reaped: the number may be anybody's from now on
    kickFirstProcess();
    co_await waitForOrphan(m_io, m_firstProcess);
    m_running = false;
    boost::system::error_code ignored;
    m_control.close(ignored);
    unlink(m_spec.socket.c_str());
    m_changed.notifyAll();
    if (!m_killed && m_unexpectedEnd)
        std::exchange(m_unexpectedEnd, nullptr)();
}

asio::awaitable<void> Container::readInfo(Fd info)
{
    const auto self = shared_from_this();
    fcntl(info.get(), F_SETFL, O_NONBLOCK);
    std::string text;
    for (;;) {
        const bool readable = co_await waitReadable(info.get(), startPatience);
        if (!readable)
            co_return;
        std::array<char, 512> buffer{};
        const ssize_t got = read(info.get(), buffer.data(), buffer.size());
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (got <= 0 || text.size() > 4096)
            break;
        text.append(buffer.data(), static_cast<std::size_t>(got));
        boost::system::error_code error;
        const json::value value = json::parse(text, error);
        if (error)
            continue; // not all of it yet
        const json::object *object = value.if_object();
        const json::value *pid = object == nullptr ? nullptr : object->if_contains("child-pid");
        if (pid != nullptr && pid->is_int64()) {
            m_firstProcess = openPidFd(static_cast<pid_t>(pid->as_int64()));
            if (m_killed || !m_running)
                kickFirstProcess();
            if (!m_running)
                co_await waitForOrphan(m_io, m_firstProcess);
        }
        break;
    }
    m_changed.notifyAll();
}

void Container::takeDatagram(std::string_view text)
{
    boost::system::error_code error;
    json::value value = json::parse(text, error);
    if (error || !value.is_object())
        return; // the daemon is untrusted: nonsense is no answer, the asker's patience ends
    json::object &object = value.as_object();
    if (const json::value *event = object.if_contains("event")) {
        if (event->is_string() && event->as_string() == "ready")
            m_ready = true;
    } else {
        m_answer = std::move(object);
    }
    m_changed.notifyAll();
}

asio::awaitable<void> Container::readControl()
{
    const auto self = shared_from_this();
    std::string buffer(datagramLimit, '\0');
    for (;;) {
        boost::system::error_code error;
        co_await m_control.async_wait(asio::posix::stream_descriptor::wait_read,
                                      asio::redirect_error(asio::use_awaitable, error));
        if (error)
            co_return;
        const ssize_t got = recv(m_control.native_handle(), buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (got > 0)
            takeDatagram(std::string_view(buffer).substr(0, static_cast<std::size_t>(got)));
        else if (got == 0 || (errno != EAGAIN && errno != EINTR))
            break;
    }
    // The daemon let go of its end: it is going, or gone wrong. Either way nothing can be asked of it any more.
    signalPidFd(m_firstProcess, SIGKILL);
}

asio::awaitable<json::object> Container::ask(json::object command, std::chrono::milliseconds patience)
{
    const auto self = shared_from_this();
    const auto guard = co_await m_asking.lock();
    if (!m_running)
        throw ContainerError("the sandbox's daemon has ended");
    m_answer.reset();
    const std::string text = json::serialize(command);
    if (send(m_control.native_handle(), text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL) !=
        static_cast<ssize_t>(text.size()))
        throw ContainerError("the sandbox's daemon does not take commands");

    auto late = std::make_shared<bool>(false);
    asio::steady_timer timer(m_io, patience);
    timer.async_wait([late, self](const boost::system::error_code &error) {
        if (!error) {
            *late = true;
            self->m_changed.notifyAll();
        }
    });
    while (!m_answer && m_running && !*late)
        co_await m_changed.wait();
    if (!m_answer)
        throw ContainerError(m_running ? "the sandbox's daemon did not answer in time"
                                       : "the sandbox's daemon has ended");
    json::object answer = std::move(*m_answer);
    m_answer.reset();
    const json::value *ok = answer.if_contains("ok");
    if (ok == nullptr || !ok->is_bool() || !ok->as_bool()) {
        const json::value *why = answer.if_contains("error");
        throw ContainerError("the sandbox's daemon refused" + (why != nullptr && why->is_string()
                                                                   ? ": " + std::string(why->as_string()).substr(0, 200)
                                                                   : std::string()));
    }
    co_return answer;
}

asio::awaitable<void> Container::freeze()
{
    json::object command;
    command["op"] = "freeze";
    co_await ask(std::move(command));
}

asio::awaitable<void> Container::thaw()
{
    json::object command;
    command["op"] = "thaw";
    co_await ask(std::move(command));
}

void Container::kickFirstProcess()
{
    signalPidFd(m_firstProcess, SIGKILL);
}

void Container::killNow()
{
    m_killed = true;
    kickFirstProcess();
    if (!m_firstProcess)
        killMonitor();
}

void Container::killMonitor()
{
    if (m_monitor.pid > 0)
        ::kill(m_monitor.pid, SIGKILL);
}

asio::awaitable<void> Container::kill()
{
    const auto self = shared_from_this();
    m_killed = true;
    // Killing the first process makes the kernel end all others, and bubblewrap ends when the last is gone.
    killNow();
    asio::steady_timer timer(m_io, 5s);
    timer.async_wait([self](const boost::system::error_code &error) {
        if (!error)
            self->killMonitor();
    });
    while (m_running)
        co_await m_changed.wait();
}

asio::awaitable<void> Container::keepComplaints()
{
    const auto self = shared_from_this();
    co_await m_complaints.keep();
}

std::string Container::complaint()
{
    const std::string said = m_complaints.tail();
    return said.empty() ? std::string() : ": " + said;
}

asio::awaitable<void> Container::becomeReady(const IsolationSettings &settings)
{
    spawn(settings);
    asio::co_spawn(m_io, watchEnd(), asio::detached);
    asio::co_spawn(m_io, readInfo(std::move(m_info)), asio::detached);
    asio::co_spawn(m_io, readControl(), asio::detached);
    asio::co_spawn(m_io, keepComplaints(), asio::detached);
    auto late = std::make_shared<bool>(false);
    asio::steady_timer timer(m_io, startPatience);
    timer.async_wait([late, self = shared_from_this()](const boost::system::error_code &error) {
        if (!error) {
            *late = true;
            self->m_changed.notifyAll();
        }
    });
    while ((!m_ready || !m_firstProcess) && m_running && !*late)
        co_await m_changed.wait();
    if (!m_running)
        throw ContainerError("the sandbox's daemon ended at once" + complaint());
    if (*late)
        throw ContainerError("the sandbox's daemon did not get ready" + complaint());
    json::object init = m_spec.init;
    init["op"] = "init";
    co_await ask(std::move(init));
}

asio::awaitable<std::shared_ptr<Container>> Container::start(asio::io_context &io, const IsolationSettings &settings,
                                                             ContainerSpec spec)
{
    const std::shared_ptr<Container> container(new Container(io, std::move(spec)));
    std::string failure;
    try {
        co_await container->becomeReady(settings);
        co_return container;
    } catch (const std::exception &error) {
        failure = error.what();
    }
    co_await container->kill();
    throw ContainerError(failure);
}

RunningHelper::RunningHelper(std::vector<std::string> arguments, std::vector<int> fds)
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        throw ContainerError("no pipe for the helper");
    m_said.reset(ends[0]);
    const Fd writeEnd(ends[1]);
    m_child = spawnSelf({.arguments = std::move(arguments), .fds = std::move(fds), .errorFd = writeEnd.get()});
}

asio::awaitable<void> RunningHelper::end(asio::io_context &io)
{
    const int status = co_await waitForEnd(io, m_child);
    if (status == 0)
        co_return;
    std::array<char, 1024> said{};
    const ssize_t got = read(m_said.get(), said.data(), said.size());
    std::string text(said.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    constexpr std::string_view ownName = "boxdeck-host: ";
    if (text.starts_with(ownName))
        text.erase(0, ownName.size());
    throw ContainerError(text.empty() ? "the sandbox helper failed" : text);
}

asio::awaitable<void> runHelper(asio::io_context &io, std::vector<std::string> arguments)
{
    RunningHelper helper(std::move(arguments));
    co_await helper.end(io);
}

asio::awaitable<std::string> probeIsolation(asio::io_context &io, const IsolationSettings &settings, std::string folder)
{
    std::string failure;
    const std::string root = folder + "/root";
    try {
        co_await runHelper(io, helperRemove(settings.range, folder));
        if (mkdir(folder.c_str(), 0711) != 0 || mkdir(root.c_str(), 0755) != 0)
            throw lastError(folder.c_str());
        co_await runHelper(io, helperPrepare(settings.range, root, "probe"));
        RunRequest request{.bwrap = settings.bwrap,
                           .envd = "/usr/bin/true",
                           .root = root,
                           .hostname = "probe",
                           .range = settings.range,
                           .infoFd = 2};
        co_await runHelper(io, helperRun(request));
    } catch (const std::exception &error) {
        failure = error.what();
    }
    try {
        co_await runHelper(io, helperRemove(settings.range, folder));
    } catch (const std::exception &error) {
        if (failure.empty())
            failure = error.what();
    }
    co_return failure;
}

} // namespace boxdeck::host
