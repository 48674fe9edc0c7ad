// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/terminal/terminal_session.h"

#include "backend/core/logging.h"

#include <QElapsedTimer>

#include <algorithm>
#include <utility>

namespace boxdeck::terminal {

namespace {

using namespace std::chrono_literals;

constexpr auto SizeSettles = 100ms;
// How long one turn may feed the emulator before the event loop gets a chance, and how much at once.
constexpr int TurnMs = 8;
constexpr qsizetype Slice = 32 * 1024;
constexpr qsizetype ResumeBelow = TerminalSession::MaxQueuedOutput / 4;
constexpr qsizetype MaxTypeAhead = 64 * 1024;
// Replies of the emulator are dropped while so much input waits: a program that asks without reading is its own fault.
constexpr qsizetype MaxInputForReplies = 64 * 1024;

std::chrono::milliseconds retryDelay(int attempts)
{
    constexpr std::chrono::milliseconds Delays[] = {250ms, 500ms, 1s, 2s, 4s, 8s};
    return Delays[std::min<std::size_t>(static_cast<std::size_t>(attempts), std::size(Delays) - 1)];
}

bool isPaused(const Error &error)
{
    return error.kind == ErrorKind::Conflict && error.code == QLatin1String("paused");
}

} // namespace

TerminalSession::TerminalSession(Source source, Program program, const Clock &clock, QObject *parent)
    : QObject(parent)
    , m_source(std::move(source))
    , m_program(std::move(program))
    , m_clock(clock)
{
    m_pump.setSingleShot(true);
    connect(&m_pump, &QTimer::timeout, this, &TerminalSession::pump);
    m_settle.setSingleShot(true);
    m_settle.setInterval(SizeSettles);
    connect(&m_settle, &QTimer::timeout, this, [this] {
        if (m_channel)
            m_channel->resize({m_emulator.columns(), m_emulator.rows()});
    });
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &TerminalSession::connectToSandbox);
}

TerminalSession::~TerminalSession()
{
    dropChannel();
}

void TerminalSession::setState(SessionState state)
{
    m_status.state = state;
    Q_EMIT statusChanged();
}

// --- opening and attaching ---

void TerminalSession::start()
{
    dropChannel();
    m_pid.reset();
    m_status = {};
    m_attempts = 0;
    setState(SessionState::Connecting);
    connectToSandbox();
}

void TerminalSession::attach(quint32 pid)
{
    dropChannel();
    m_pid = pid;
    m_status = {};
    m_status.missed = MissedOutput{}; // everything up to the moment of attaching
    m_attempts = 0;
    setState(SessionState::Connecting);
    connectToSandbox();
}

void TerminalSession::proceed()
{
    switch (m_status.state) {
    case SessionState::Broken:
    case SessionState::Paused:
        m_attempts = 0;
        connectToSandbox();
        break;
    case SessionState::Exited:
    case SessionState::Lost:
        m_emulator.startNewSession();
        takeEvents();
        Q_EMIT updated();
        start();
        break;
    case SessionState::Idle:
    case SessionState::Failed:
    case SessionState::Gone:
        start();
        break;
    case SessionState::Connecting:
    case SessionState::Running:
        break;
    }
}

void TerminalSession::connectToSandbox()
{
    m_retry.stop();
    if (m_asking.isValid())
        return;
    m_asking = m_source.envd();
    m_asking.then(this, [this](const Result<std::shared_ptr<api::Envd>> &result) { onEnvd(result); });
}

void TerminalSession::onEnvd(const Result<std::shared_ptr<api::Envd>> &result)
{
    m_asking = {};
    if (result)
        return openChannel(*result);
    const Error &error = result.error();
    m_status.error = error;
    if (isPaused(error)) {
        m_status.nextTry = {};
        setState(SessionState::Paused);
    } else if (provesGone(error.kind)) {
        lost(error, SessionState::Gone);
    } else if (m_pid) {
        retryLater(error);
    } else {
        setState(SessionState::Failed);
    }
}

void TerminalSession::openChannel(std::shared_ptr<api::Envd> envd)
{
    dropChannel();
    m_envd = std::move(envd);
    m_channel = std::make_unique<TerminalChannel>(m_envd);
    connect(m_channel.get(), &TerminalChannel::started, this, &TerminalSession::onStarted);
    connect(m_channel.get(), &TerminalChannel::data, this, &TerminalSession::onData);
    connect(m_channel.get(), &TerminalChannel::exited, this, &TerminalSession::onExited);
    connect(m_channel.get(), &TerminalChannel::broken, this, &TerminalSession::onBroken);
    connect(m_channel.get(), &TerminalChannel::inputLost, this, &TerminalSession::inputLost);
    const protocol::PtySize size{m_emulator.columns(), m_emulator.rows()};
    if (m_pid)
        return m_channel->attach(*m_pid, size);
    protocol::ProcessStart start;
    start.config = {.cmd = m_program.cmd, .args = m_program.args, .envs = m_program.envs};
    // Programs draw lines with ASCII unless the locale says UTF-8.
    for (const auto &[name, value] : {std::pair("TERM", "xterm-256color"), std::pair("COLORTERM", "truecolor"),
                                      std::pair("LANG", "C.UTF-8"), std::pair("LC_ALL", "C.UTF-8")})
        if (!start.config.envs.contains(QLatin1String(name)))
            start.config.envs.insert(QLatin1String(name), QLatin1String(value));
    if (m_program.cwd)
        start.config.cwd = m_program.cwd->toString();
    start.pty = size;
    start.tag = m_program.tag;
    m_channel->start(start);
}

void TerminalSession::onStarted(quint32 pid)
{
    m_pid = pid;
    m_attempts = 0;
    m_status.error.reset();
    m_status.nextTry = {};
    if (m_status.missed && !m_status.missed->to.isValid())
        m_status.missed->to = m_clock.now();
    m_lastHeard = m_clock.now();
    if (const QByteArray typed = std::exchange(m_typeAhead, {}); !typed.isEmpty())
        m_channel->write(typed);
    setState(SessionState::Running);
}

// --- endings ---

void TerminalSession::onExited(const protocol::ProcessEnded &end)
{
    drain();
    m_emulator.finish();
    m_status.exit = end;
    m_pid.reset();
    dropChannel();
    Q_EMIT updated();
    setState(SessionState::Exited);
}

void TerminalSession::onBroken(const net::StreamEnd &end)
{
    drain();
    const bool wasRunning = m_status.state == SessionState::Running;
    const Error error = end.error;
    reportUnsentInput(error);
    dropChannel();
    if (!m_pid) {
        // The start itself: nothing to go back to. What the server said may be a sandbox that just went away.
        m_status.error = error;
        m_source.forget();
        return setState(SessionState::Failed);
    }
    if (wasRunning && (!m_status.missed || !m_status.missed->from.isValid()))
        m_status.missed = MissedOutput{.from = m_lastHeard, .to = {}};
    else if (wasRunning && m_status.missed->to.isValid())
        m_status.missed->to = {}; // one span from the first break on, until it was seen
    if (end.kind == net::StreamEnd::Kind::Failed && error.kind == ErrorKind::NotFound)
        return lost(error, SessionState::Lost); // about the process, never about the sandbox
    if (error.delivery == Delivery::Answered || m_attempts > 0)
        m_source.forget(); // it was answered, but not by a daemon that knows us: ask how the sandbox is
    retryLater(error);
}

void TerminalSession::lost(const Error &error, SessionState state)
{
    m_status.error = error;
    m_status.nextTry = {};
    m_pid.reset();
    m_typeAhead.clear();
    m_emulator.finish();
    Q_EMIT updated();
    setState(state);
}

void TerminalSession::retryLater(const Error &error)
{
    const auto delay = retryDelay(m_attempts++);
    m_status.error = error;
    m_status.nextTry = m_clock.now().addMSecs(delay.count());
    m_retry.start(delay);
    setState(SessionState::Broken);
}

void TerminalSession::dropChannel()
{
    m_settle.stop();
    m_asking.cancel();
    m_retry.stop();
    m_throttled = false;
    if (!m_channel)
        return;
    m_channel->close();
    m_channel->disconnect(this);
    m_channel.release()->deleteLater(); // it may be the one that is calling
}

// Keys that wait when the connection goes are not sent to whatever the shell is doing by the time it is back.
void TerminalSession::reportUnsentInput(const Error &error)
{
    if (!m_channel || m_channel->pendingInput() == 0)
        return;
    const qsizetype unknown = m_channel->inputInFlight();
    Q_EMIT inputLost(error, unknown, m_channel->pendingInput() - unknown);
}

void TerminalSession::detach()
{
    drain();
    dropChannel();
    m_pid.reset();
    m_typeAhead.clear();
    m_status = {};
    setState(SessionState::Idle);
}

Call<void> TerminalSession::kill()
{
    const auto pid = m_pid;
    const auto envd = m_envd;
    if (!pid || !envd) {
        detach();
        return Call<void>::settled({});
    }
    // An interactive bash ignores SIGTERM. The kernel hangs up whatever else runs on the PTY.
    return envd->processes().signal(*pid, protocol::ProcessSignal::Kill).map([envd](Result<void> result) {
        if (!result && result.error().kind == ErrorKind::NotFound)
            return Result<void>{};
        return result;
    });
}

void TerminalSession::sandboxStateChanged(protocol::SandboxState state)
{
    const auto now = m_status.state;
    if (state == protocol::SandboxState::Running) {
        if (now == SessionState::Paused || (now == SessionState::Broken && m_retry.isActive())) {
            m_attempts = 0;
            connectToSandbox();
        }
    } else if (state == protocol::SandboxState::Paused) {
        if (now != SessionState::Running && now != SessionState::Broken && now != SessionState::Connecting)
            return;
        drain();
        reportUnsentInput({.kind = ErrorKind::Conflict, .code = QStringLiteral("paused")});
        dropChannel();
        m_source.forget();
        m_status.nextTry = {};
        setState(SessionState::Paused);
    } else if (state == protocol::SandboxState::Terminal) {
        if (now == SessionState::Gone || now == SessionState::Exited)
            return;
        drain();
        dropChannel();
        lost({.kind = ErrorKind::Terminal, .delivery = Delivery::Answered}, SessionState::Gone);
    }
}

// --- in and out ---

bool TerminalSession::write(const QByteArray &bytes)
{
    if (bytes.isEmpty())
        return true;
    if (m_status.state == SessionState::Running && m_channel)
        return m_channel->write(bytes);
    if (m_status.state != SessionState::Connecting || m_typeAhead.size() + bytes.size() > MaxTypeAhead)
        return false;
    m_typeAhead += bytes;
    return true;
}

void TerminalSession::resize(int rows, int columns)
{
    if (rows == m_emulator.rows() && columns == m_emulator.columns())
        return;
    m_emulator.resize(rows, columns);
    m_settle.start();
    Q_EMIT updated();
}

void TerminalSession::acknowledgeMissed()
{
    if (m_status.missed && m_status.missed->to.isValid()) {
        m_status.missed.reset();
        Q_EMIT statusChanged();
    }
}

void TerminalSession::onData(const QByteArray &bytes)
{
    m_lastHeard = m_clock.now();
    m_queued += bytes.size();
    m_queue.push_back(bytes);
    if (m_queued > MaxQueuedOutput && !m_throttled) {
        m_throttled = true;
        m_channel->pause();
    }
    if (!m_pump.isActive())
        m_pump.start(0);
}

void TerminalSession::pump()
{
    QElapsedTimer turn;
    turn.start();
    while (!m_queue.empty() && !turn.hasExpired(TurnMs)) {
        QByteArray &front = m_queue.front();
        if (front.size() <= Slice) {
            feed(front);
            m_queue.pop_front();
        } else {
            feed(front.left(Slice));
            front.remove(0, Slice);
        }
    }
    if (!m_queue.empty())
        m_pump.start(0);
    if (m_throttled && m_queued < ResumeBelow) {
        m_throttled = false;
        if (m_channel)
            m_channel->resume();
    }
    takeEvents();
    Q_EMIT updated();
}

// Everything that has arrived, now: something follows that must not come before it.
void TerminalSession::drain()
{
    m_pump.stop();
    while (!m_queue.empty()) {
        feed(m_queue.front());
        m_queue.pop_front();
    }
    takeEvents();
}

void TerminalSession::feed(const QByteArray &bytes)
{
    m_queued -= bytes.size();
    m_emulator.feed(bytes);
    const QByteArray replies = m_emulator.takeReplies();
    if (!replies.isEmpty() && m_channel && m_channel->pendingInput() < MaxInputForReplies)
        m_channel->write(replies);
}

void TerminalSession::takeEvents()
{
    const EmulatorEvents events = m_emulator.takeEvents();
    if (events.bell)
        Q_EMIT bell();
    if (events.title)
        Q_EMIT titleChanged(*events.title);
    if (events.clipboard)
        Q_EMIT clipboardWritten(*events.clipboard);
    if (events.clipboardReadRefused)
        Q_EMIT clipboardReadRefused();
}

} // namespace boxdeck::terminal
