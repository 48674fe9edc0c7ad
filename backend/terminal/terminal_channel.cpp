// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/terminal/terminal_channel.h"

#include "backend/core/logging.h"

#include <utility>

namespace boxdeck::terminal {

namespace {

using namespace std::chrono_literals;
constexpr auto InputRetry = 500ms; // after a request that never left

} // namespace

TerminalChannel::TerminalChannel(std::shared_ptr<api::Envd> envd, QObject *parent)
    : QObject(parent)
    , m_envd(std::move(envd))
{
    m_retryInput.setSingleShot(true);
    m_retryInput.setInterval(InputRetry);
    connect(&m_retryInput, &QTimer::timeout, this, &TerminalChannel::sendInput);
}

TerminalChannel::~TerminalChannel()
{
    close();
}

void TerminalChannel::start(const protocol::ProcessStart &start)
{
    // A resize() that came before is what the process starts with.
    protocol::ProcessStart wanted = start;
    if (m_size && wanted.pty)
        wanted.pty = m_size;
    m_size.reset();
    open(m_envd->processes().start(wanted));
}

void TerminalChannel::attach(quint32 pid, protocol::PtySize size)
{
    m_size = size;
    open(m_envd->processes().connect(pid));
}

void TerminalChannel::open(std::unique_ptr<api::ProcessStream> stream)
{
    m_stream = std::move(stream);
    connect(m_stream.get(), &api::ProcessStream::event, this, &TerminalChannel::onEvent);
    connect(m_stream.get(), &api::ProcessStream::ended, this, &TerminalChannel::onEnded);
}

void TerminalChannel::onEvent(const protocol::ProcessEvent &event)
{
    if (const auto *start = std::get_if<protocol::ProcessStarted>(&event)) {
        m_pid = start->pid;
        sendSize();
        sendInput();
        Q_EMIT started(start->pid);
    } else if (const auto *output = std::get_if<protocol::ProcessOutput>(&event)) {
        Q_EMIT data(output->data);
    } else if (const auto *end = std::get_if<protocol::ProcessEnded>(&event)) {
        m_exited = true;
        m_pending.clear();
        m_retryInput.stop();
        Q_EMIT exited(*end);
    }
}

void TerminalChannel::onEnded(const net::StreamEnd &end)
{
    if (!m_exited)
        Q_EMIT broken(end);
}

bool TerminalChannel::write(const QByteArray &bytes)
{
    if (m_exited || m_pending.size() + bytes.size() > MaxPending)
        return false;
    m_pending += bytes;
    sendInput();
    return true;
}

void TerminalChannel::sendInput()
{
    if (!m_pid || !m_inFlight.isEmpty() || m_pending.isEmpty() || m_retryInput.isActive() || !m_stream)
        return;
    m_inFlight = m_pending.left(MaxPiece);
    m_pending.remove(0, m_inFlight.size());
    m_envd->processes()
        .sendInput(*m_pid, protocol::InputKind::Pty, m_inFlight)
        .then(this, [this](const Result<void> &result) { onInputSent(result); });
}

void TerminalChannel::onInputSent(const Result<void> &result)
{
    const QByteArray sent = std::exchange(m_inFlight, {});
    if (!m_stream)
        return;
    if (result)
        return sendInput();
    const Error &error = result.error();
    if (error.delivery == Delivery::NotSent && !m_exited) {
        // It certainly has not arrived, so it can go again, in its place.
        m_pending.prepend(sent);
        m_retryInput.start();
        return;
    }
    // It may have arrived: not again. And what was typed behind it must not run without it.
    const qsizetype unknown = error.delivery == Delivery::Unknown ? sent.size() : 0;
    const qsizetype unsent = std::exchange(m_pending, {}).size() + sent.size() - unknown;
    qCInfo(lcTerminal) << "terminal input failed:" << kindName(error.kind);
    if (!m_exited)
        Q_EMIT inputLost(error, unknown, unsent);
}

void TerminalChannel::resize(protocol::PtySize size)
{
    m_size = size;
    sendSize();
}

void TerminalChannel::sendSize()
{
    if (!m_pid || !m_size || m_sizeInFlight || m_exited || !m_stream)
        return;
    const protocol::PtySize size = *std::exchange(m_size, std::nullopt);
    m_sizeInFlight = true;
    m_envd->processes().resize(*m_pid, size).then(this, [this, size](const Result<void> &result) {
        m_sizeInFlight = false;
        // A size that got lost leaves programs drawing for another window; saying it twice does no harm.
        const bool again = !result && result.error().delivery != Delivery::Answered;
        if (again && !m_size)
            QTimer::singleShot(InputRetry, this, [this, size] {
                if (!m_size && !m_sizeInFlight)
                    resize(size);
            });
        else
            sendSize();
    });
}

void TerminalChannel::pause()
{
    if (m_stream)
        m_stream->pause();
}

void TerminalChannel::resume()
{
    if (m_stream)
        m_stream->resume();
}

void TerminalChannel::close()
{
    m_retryInput.stop();
    if (!m_stream)
        return;
    m_stream->close();
    m_stream->disconnect(this);
    // It may be the stream itself that is calling.
    m_stream.release()->deleteLater();
}

} // namespace boxdeck::terminal
