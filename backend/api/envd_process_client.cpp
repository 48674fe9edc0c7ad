// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/envd_process_client.h"

#include "backend/api/decode_job.h"
#include "backend/api/unary_call.h"

#include <QPointer>

namespace boxdeck::api {

namespace {

Result<void> nothing(Result<QByteArray> body)
{
    if (!body)
        return tl::unexpected(std::move(body.error()));
    return {};
}

} // namespace

ProcessStream::ProcessStream(std::unique_ptr<net::ConnectStream> stream, std::chrono::milliseconds silence)
    : m_stream(std::move(stream))
    , m_silence(silence)
{
    connect(m_stream.get(), &net::ConnectStream::message, this, &ProcessStream::take);
    connect(m_stream.get(), &net::ConnectStream::ended, this, &ProcessStream::end);
}

void ProcessStream::pause()
{
    m_paused = true;
    m_stream->pause();
}

void ProcessStream::resume()
{
    if (!m_paused)
        return;
    m_paused = false;
    m_stream->resume();
    // Queued: the caller may be inside a handler of event().
    QMetaObject::invokeMethod(this, &ProcessStream::deliverQueued, Qt::QueuedConnection);
}

void ProcessStream::close()
{
    m_closed = true;
    m_queue.clear();
    m_stream->disconnect(this);
    m_stream->close();
}

void ProcessStream::take(const QByteArray &json)
{
    auto events = protocol::decodeProcessEvents(json);
    if (!events) {
        m_stream->disconnect(this);
        m_stream->close();
        end({.kind = net::StreamEnd::Kind::BrokenOff, .error = std::move(events.error())});
        return;
    }
    m_queue += *events;
    deliverQueued();
}

void ProcessStream::deliverQueued()
{
    if (m_delivering)
        return;
    m_delivering = true;
    const QPointer<ProcessStream> self(this);
    while (!m_closed && !m_paused && !m_queue.isEmpty()) {
        const protocol::ProcessEvent next = m_queue.takeFirst();
        if (const auto *started = std::get_if<protocol::ProcessStarted>(&next))
            m_pid = started->pid;
        else if (const auto *exited = std::get_if<protocol::ProcessEnded>(&next))
            m_exit = *exited;
        else if (std::holds_alternative<protocol::KeepAlive>(next))
            m_stream->setSilenceLimit(m_silence);
        Q_EMIT event(next);
        if (!self)
            return;
    }
    m_delivering = false;
    if (m_end && !m_closed && !m_paused && m_queue.isEmpty()) {
        m_closed = true;
        Q_EMIT ended(*m_end);
    }
}

void ProcessStream::end(const net::StreamEnd &end)
{
    m_end = end;
    deliverQueued();
}

EnvdProcessClient::EnvdProcessClient(net::HttpTransport &transport, std::shared_ptr<const SandboxTarget> target)
    : m_transport(transport)
    , m_target(std::move(target))
{
}

EnvdProcessClient EnvdProcessClient::asUser(const QString &user) const
{
    auto target = std::make_shared<SandboxTarget>(*m_target);
    target->user = user.trimmed();
    return {m_transport, std::move(target)};
}

std::unique_ptr<ProcessStream> EnvdProcessClient::start(const protocol::ProcessStart &start,
                                                        std::chrono::milliseconds limit)
{
    return std::make_unique<ProcessStream>(
        streamingCall(m_transport, *m_target, "/process.Process/Start", protocol::encodeStart(start), false, limit),
        m_transport.patient(silenceLimit));
}

std::unique_ptr<ProcessStream> EnvdProcessClient::connect(const protocol::ProcessSelector &process)
{
    return std::make_unique<ProcessStream>(
        streamingCall(m_transport, *m_target, "/process.Process/Connect", protocol::encodeSelector(process), true),
        m_transport.patient(silenceLimit));
}

Call<QList<protocol::ProcessInfo>> EnvdProcessClient::list()
{
    return unaryCall(m_transport, *m_target, "/process.Process/List", "{}", true).chain([](Result<QByteArray> body) {
        if (!body)
            return Call<QList<protocol::ProcessInfo>>::settled(tl::unexpected(std::move(body.error())));
        return decoded(*body, &protocol::decodeProcessList);
    });
}

Call<void> EnvdProcessClient::sendInput(const protocol::ProcessSelector &process, protocol::InputKind kind,
                                        const QByteArray &data)
{
    return unaryCall(m_transport, *m_target, "/process.Process/SendInput", protocol::encodeInput(process, kind, data),
                     false)
        .map(nothing);
}

Call<void> EnvdProcessClient::streamInput(const protocol::ProcessSelector &process, protocol::InputKind kind,
                                          const QByteArray &data)
{
    constexpr qsizetype piece = 64 * 1024;
    QList<QByteArray> messages{protocol::encodeInputStart(process)};
    for (qsizetype at = 0; at < data.size(); at += piece)
        messages.append(protocol::encodeInputData(kind, data.mid(at, piece)));
    return clientStreamingCall(m_transport, *m_target, "/process.Process/StreamInput", messages).map(nothing);
}

Call<void> EnvdProcessClient::signal(const protocol::ProcessSelector &process, protocol::ProcessSignal signal)
{
    return unaryCall(m_transport, *m_target, "/process.Process/SendSignal", protocol::encodeSignal(process, signal),
                     false)
        .map(nothing);
}

Call<void> EnvdProcessClient::resize(const protocol::ProcessSelector &process, protocol::PtySize size)
{
    return unaryCall(m_transport, *m_target, "/process.Process/Update", protocol::encodeResize(process, size), true)
        .map(nothing);
}

Call<void> EnvdProcessClient::closeStdin(const protocol::ProcessSelector &process)
{
    constexpr auto feature = protocol::EnvdFeature::CloseStdin;
    if (!m_target->envdVersion.mayHave(feature))
        return Call<void>::settled(tl::unexpected(m_target->envdVersion.lacks(feature)));
    return unaryCall(m_transport, *m_target, "/process.Process/CloseStdin", protocol::encodeSelector(process), true)
        .map(nothing);
}

} // namespace boxdeck::api
