// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/process.h"

#include "backend/host/envd/envelope.h"
#include "backend/host/http/url.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>

namespace boxdeck::host::envd {

using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using Descriptor = asio::posix::stream_descriptor;

namespace {

constexpr std::size_t pipeChunk = 32 * 1024;
constexpr std::size_t terminalChunk = 16 * 1024;
// Little, so that Ctrl+C is not followed by a long tail of output that was on its way already.
constexpr std::size_t viewerRoom = 256 * 1024;
constexpr std::size_t viewerLag = 16 * 1024 * 1024;
constexpr std::chrono::seconds viewerPatience{10};
// After a kill, what other holders of the pipe still write is not waited for.
constexpr std::size_t lastDrain = 1024 * 1024;

} // namespace

Process::Process(asio::io_context &io, ProcessConfig config, Spawned spawned)
    : m_io(io)
    , m_pid(spawned.pid)
    , m_config(std::move(config))
    , m_hasTerminal(static_cast<bool>(spawned.terminal))
    , m_room(io)
    , m_watch(io)
    , m_inputFree(io)
    , m_deadline(io)
{
    // Used as condition variables: only ever cancelled.
    m_room.expires_at(Clock::time_point::max());
    m_inputFree.expires_at(Clock::time_point::max());
    if (m_hasTerminal) {
        // Two descriptors, so that waiting to write and waiting to read do not cancel each other.
        const int copy = ::fcntl(spawned.terminal.get(), F_DUPFD_CLOEXEC, 0);
        if (copy >= 0)
            m_input = std::make_shared<Descriptor>(io, copy);
        m_outputs.emplace_back(std::make_shared<Descriptor>(io, spawned.terminal.release()), "pty");
    } else {
        m_outputs.emplace_back(std::make_shared<Descriptor>(io, spawned.standardOutput.release()), "stdout");
        m_outputs.emplace_back(std::make_shared<Descriptor>(io, spawned.standardError.release()), "stderr");
        if (spawned.standardInput)
            m_input = std::make_shared<Descriptor>(io, spawned.standardInput.release());
    }
}

Process::~Process() = default;

void Process::run(std::function<void()> ended)
{
    m_ended = std::move(ended);
    m_openOutputs = m_outputs.size();
    for (const auto &[descriptor, member] : m_outputs) {
        asio::co_spawn(
            m_io, [self = shared_from_this(), from = descriptor, name = member] { return self->pump(from, name); },
            asio::detached);
    }
}

asio::awaitable<void> Process::pump(std::shared_ptr<Descriptor> from, std::string_view member)
{
    const std::size_t chunk = m_hasTerminal ? terminalChunk : pipeChunk;
    std::vector<char> buffer(chunk);
    std::size_t drained = 0;
    for (bool open = true; open;) {
        co_await waitForRoom();
        // A terminal hands out at most 4 KiB at a time: several reads make one message.
        std::size_t have = 0;
        bool empty = false;
        while (have < chunk && open && !empty) {
            const ssize_t n = ::read(from->native_handle(), buffer.data() + have, chunk - have);
            if (n > 0)
                have += static_cast<std::size_t>(n);
            else if (n < 0 && errno == EAGAIN)
                empty = true;
            else if (n == 0 || errno != EINTR)
                open = false; // a terminal ends with EIO
        }
        if (have > 0)
            broadcast(member, std::string_view(buffer.data(), have));
        if (m_exit && m_dropPipes) {
            drained += have;
            if (empty || drained > lastDrain)
                break;
        }
        if (open && empty) {
            error_code ec;
            co_await from->async_wait(Descriptor::wait_read, asio::redirect_error(asio::use_awaitable, ec));
        } else if (open) {
            // A program that never stops printing must not keep the loop from everybody else.
            co_await asio::post(m_io, asio::use_awaitable);
        }
    }
    error_code ignored;
    from->close(ignored);
    --m_openOutputs;
    finishIfDone();
}

bool Process::hasRoom() const
{
    bool live = false;
    for (const auto &viewer : m_viewers) {
        if (viewer->failure)
            continue;
        live = true;
        if (viewer->queued < viewerRoom)
            return true;
    }
    return !live;
}

asio::awaitable<void> Process::waitForRoom()
{
    while (!hasRoom()) {
        error_code ec;
        co_await m_room.async_wait(asio::redirect_error(asio::use_awaitable, ec));
    }
}

void Process::broadcast(std::string_view member, std::string_view bytes)
{
    const bool wanted =
        std::any_of(m_viewers.begin(), m_viewers.end(), [](const auto &viewer) { return !viewer->failure; });
    if (!wanted)
        return;
    constexpr std::string_view open = R"({"event":{"data":{")";
    constexpr std::string_view middle = R"(":")";
    constexpr std::string_view close = R"("}}})";
    const std::size_t base64Size = (bytes.size() + 2) / 3 * 4;
    const std::size_t size = open.size() + member.size() + middle.size() + base64Size + close.size();
    auto envelope = std::make_shared<std::string>();
    envelope->reserve(size + 5);
    appendEnvelopeHead(*envelope, 0, size);
    *envelope += open;
    *envelope += member;
    *envelope += middle;
    http::appendBase64(*envelope, bytes);
    *envelope += close;

    for (const auto &viewer : m_viewers) {
        if (viewer->failure)
            continue;
        if (viewer->queue.empty() && !viewer->sending)
            viewer->lastTaken = Clock::now();
        viewer->queue.push_back(envelope);
        viewer->queued += envelope->size();
        if (viewer->queued > viewerLag)
            fail(*viewer);
        viewer->wake.cancel();
    }
    if (!m_watching) {
        m_watching = true;
        checkViewers();
    }
}

void Process::fail(Viewer &viewer)
{
    viewer.failure.emplace(Code::ResourceExhausted,
                           "this viewer took no output for too long; the process goes on without it");
    viewer.queue.clear();
    viewer.queued = 0;
    viewer.wake.cancel();
    m_room.cancel();
}

void Process::checkViewers()
{
    bool busy = false;
    const auto now = Clock::now();
    for (const auto &viewer : m_viewers) {
        if (viewer->failure || (viewer->queue.empty() && !viewer->sending))
            continue;
        busy = true;
        const auto taken = viewer->progress ? std::max(viewer->lastTaken, viewer->progress()) : viewer->lastTaken;
        if (now - taken > viewerPatience)
            fail(*viewer);
    }
    if (!busy) {
        m_watching = false;
        return;
    }
    m_watch.expires_after(std::chrono::seconds(1));
    m_watch.async_wait([weak = weak_from_this()](error_code ec) {
        const auto self = weak.lock();
        if (!ec && self)
            self->checkViewers();
    });
}

void Process::addViewer(const std::shared_ptr<Viewer> &viewer)
{
    m_viewers.push_back(viewer);
    m_room.cancel(); // the pumps may be waiting for slower ones
}

void Process::removeViewer(const std::shared_ptr<Viewer> &viewer)
{
    std::erase(m_viewers, viewer);
    m_room.cancel();
}

void Process::viewerTook(Viewer &viewer, std::size_t bytes)
{
    const bool wasFull = viewer.queued >= viewerRoom;
    viewer.queued -= std::min(bytes, viewer.queued);
    viewer.lastTaken = Clock::now();
    if (wasFull && viewer.queued < viewerRoom)
        m_room.cancel();
}

asio::awaitable<void> Process::writeInput(bool toTerminal, std::string bytes)
{
    const auto self = shared_from_this();
    if (m_hasTerminal && !toTerminal)
        throw RpcError(Code::Internal, "error writing to stdin: tty assigned to process — input should be written to "
                                       "the pty, not the stdin");
    if (!m_hasTerminal && toTerminal)
        throw RpcError(Code::Internal, "error writing to tty: tty not assigned to process — input should be written "
                                       "to the stdin, not the tty");
    // One writer at a time, in the order of arrival; the lock is handed to the next one without being opened.
    if (m_inputBusy) {
        error_code ec;
        co_await m_inputFree.async_wait(asio::redirect_error(asio::use_awaitable, ec));
    }
    m_inputBusy = true;
    struct Release
    {
        Process &process;
        ~Release()
        {
            if (process.m_inputFree.cancel_one() == 0)
                process.m_inputBusy = false;
        }
    } const release{*this};

    std::string_view left = bytes;
    while (!left.empty()) {
        const auto input = m_input;
        if (!input || !input->is_open())
            throw RpcError(Code::Internal, "error writing to stdin: stdin not enabled or closed");
        const ssize_t n = ::write(input->native_handle(), left.data(), left.size());
        if (n >= 0) {
            left.remove_prefix(static_cast<std::size_t>(n));
        } else if (errno == EAGAIN) {
            error_code ec;
            co_await input->async_wait(Descriptor::wait_write, asio::redirect_error(asio::use_awaitable, ec));
        } else if (errno != EINTR) {
            throw RpcError(Code::Internal, "error writing to " + std::string(toTerminal ? "tty" : "stdin") +
                                               " of process '" + std::to_string(m_pid) + "': " + errnoText(errno));
        }
    }
    if (bytes.empty() && !m_input)
        throw RpcError(Code::Internal, "error writing to stdin: stdin not enabled or closed");
}

void Process::closeInput()
{
    if (m_hasTerminal)
        throw RpcError(Code::Unknown, "error closing stdin: cannot close stdin for PTY process — send Ctrl+D (0x04) "
                                      "instead");
    if (!m_input)
        return;
    error_code ignored;
    m_input->close(ignored);
    m_input.reset();
}

void Process::resize(WindowSize size)
{
    if (!m_hasTerminal || m_outputs.empty() || !m_outputs.front().first->is_open())
        throw RpcError(Code::Internal, "error resizing tty: tty not assigned to process");
    if (!setWindowSize(m_outputs.front().first->native_handle(), size))
        throw RpcError(Code::Internal, "error resizing tty: " + errnoText(errno));
}

void Process::signal(int number)
{
    m_dropPipes = true;
    if (m_exit) {
        // Only its children still hold its output: what is asked for is its end.
        dropPipes();
        return;
    }
    if (::kill(m_pid, number) != 0)
        throw RpcError(Code::Internal, "error sending signal: " + errnoText(errno));
}

void Process::killAt(Clock::time_point deadline)
{
    m_deadline.expires_at(deadline);
    m_deadline.async_wait([weak = weak_from_this()](error_code ec) {
        const auto self = weak.lock();
        if (ec || !self || self->m_end)
            return;
        try {
            self->signal(SIGKILL);
        } catch (const RpcError &) {
            // It was quicker.
        }
    });
}

void Process::reaped(int waitStatus)
{
    m_exit = ExitStatus::fromWait(waitStatus);
    if (m_dropPipes)
        dropPipes();
    finishIfDone();
}

// Wakes the pumps: they take what is there and stop.
void Process::dropPipes()
{
    error_code ignored;
    for (const auto &output : m_outputs) {
        if (output.first->is_open())
            output.first->cancel(ignored);
    }
}

void Process::finishIfDone()
{
    if (m_end || !m_exit || m_openOutputs > 0)
        return;
    m_end = m_exit;
    m_deadline.cancel();
    if (m_input) {
        error_code ignored;
        m_input->close(ignored);
        m_input.reset();
    }
    for (const auto &viewer : m_viewers)
        viewer->wake.cancel();
    if (const auto ended = std::exchange(m_ended, nullptr))
        ended();
}

} // namespace boxdeck::host::envd
