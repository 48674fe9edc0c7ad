// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/errors.h"
#include "backend/api/sandbox_target.h"
#include "backend/net/connect_stream.h"
#include "backend/net/http_transport.h"
#include "backend/protocol/process_codec.h"

#include <memory>

namespace boxdeck::api {

/// The output of one process, from when it was attached on. The process outlives the stream.
class ProcessStream : public QObject
{
    Q_OBJECT

public:
    ProcessStream(std::unique_ptr<net::ConnectStream> stream, std::chrono::milliseconds silence);

    /// Back-pressure: no events come and the socket is left unread, until resume().
    void pause();
    void resume();
    /// Detaches. After it returns nothing is emitted; the process runs on.
    void close();

    std::optional<quint32> pid() const { return m_pid; }
    /// What the process did, if it ended while attached. Counts even if the stream breaks afterwards.
    const std::optional<protocol::ProcessEnded> &exit() const { return m_exit; }

Q_SIGNALS:
    void event(const boxdeck::protocol::ProcessEvent &event);
    void ended(const boxdeck::net::StreamEnd &end);

private:
    void take(const QByteArray &json);
    void deliverQueued();
    void end(const net::StreamEnd &end);

    std::unique_ptr<net::ConnectStream> m_stream;
    QList<protocol::ProcessEvent> m_queue; ///< the rest of a message that was cut by pause()
    std::optional<net::StreamEnd> m_end;   ///< waits behind the queue
    std::chrono::milliseconds m_silence;
    std::optional<quint32> m_pid;
    std::optional<protocol::ProcessEnded> m_exit;
    bool m_paused = false;
    bool m_delivering = false;
    bool m_closed = false;
};

/// Processes of one sandbox (protocol/envd.md section 9). The transport outlives it. Errors: connectErrorOf(); NotFound
/// is about the process, never about the sandbox.
class EnvdProcessClient
{
public:
    EnvdProcessClient(net::HttpTransport &transport, std::shared_ptr<const SandboxTarget> target);

    /// Starts a process and attaches to it. Sent once. With `limit` the sandbox kills it after that long, even if
    /// nobody is attached any more; without, or when it is not positive, it may run for ever.
    std::unique_ptr<ProcessStream> start(const protocol::ProcessStart &start, std::chrono::milliseconds limit = {});
    /// Attaches to a running process; of one that ended in the last 30 s only the end is told.
    std::unique_ptr<ProcessStream> connect(const protocol::ProcessSelector &process);
    Call<QList<protocol::ProcessInfo>> list();
    /// Sent once. Keep one in flight per process: answers and handling could overtake each other.
    Call<void> sendInput(const protocol::ProcessSelector &process, protocol::InputKind kind, const QByteArray &data);
    /// All of `data` in one request, in order, as a client stream: fewer round trips than sendInput() where there is
    /// much. Sent once; after an error nobody knows how much arrived. Unsupported where a server has no such call.
    Call<void> streamInput(const protocol::ProcessSelector &process, protocol::InputKind kind, const QByteArray &data);
    Call<void> signal(const protocol::ProcessSelector &process, protocol::ProcessSignal signal);
    Call<void> resize(const protocol::ProcessSelector &process, protocol::PtySize size);
    /// End of input for a process without a PTY. Unsupported without a call where envd is too old for it.
    Call<void> closeStdin(const protocol::ProcessSelector &process);
    /// False where closeStdin() is refused or not sure to be there: give input in another way.
    bool surelyClosesStdin() const { return m_target->envdVersion.surelyHas(protocol::EnvdFeature::CloseStdin); }
    Error lacksCloseStdin() const { return m_target->envdVersion.lacks(protocol::EnvdFeature::CloseStdin); }

    /// The same sandbox for another account; empty for the sandbox's default.
    EnvdProcessClient asUser(const QString &user) const;
    /// What calls that nobody waits for may be handed to: lives as long as the transport.
    QObject &lastingOwner() const { return m_transport; }

private:
    net::HttpTransport &m_transport;
    std::shared_ptr<const SandboxTarget> m_target;
};

} // namespace boxdeck::api
