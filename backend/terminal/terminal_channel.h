// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/envd.h"

#include <QByteArray>
#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

namespace boxdeck::terminal {

/// One attachment to a process with a PTY: its output, and the way in for keys and sizes.
///
/// Input is one request in flight and the rest joined behind it, so keys never reorder; output flows on a stream of
/// its own, so that keys never wait behind it. The process outlives the channel. After close() or destruction nothing
/// is emitted.
class TerminalChannel : public QObject
{
    Q_OBJECT

public:
    /// Largest piece of input sent at once, in bytes.
    static constexpr qsizetype MaxPiece = qsizetype{64} * 1024;
    /// Most input kept waiting, in bytes: a very large paste.
    static constexpr qsizetype MaxPending = qsizetype{16} * 1024 * 1024;

    explicit TerminalChannel(std::shared_ptr<api::Envd> envd, QObject *parent = nullptr);
    ~TerminalChannel() override;

    /// Starts a process and attaches to it. Call one of start() and attach(), once.
    void start(const protocol::ProcessStart &start);
    /// Attaches to a running process and tells it the size, whether or not that changed.
    void attach(quint32 pid, protocol::PtySize size);

    /// Queues input; it is sent once the process is known. False if there is no room for it: nothing of it was taken.
    bool write(const QByteArray &bytes);
    /// Bytes of input not yet confirmed.
    qsizetype pendingInput() const { return m_pending.size() + m_inFlight.size(); }
    qsizetype inputInFlight() const { return m_inFlight.size(); }
    /// Tells the PTY its size in cells. The last one wins.
    void resize(protocol::PtySize size);
    /// Stops reading output until resume(): the process has to wait.
    void pause();
    void resume();
    /// Detaches; the process runs on.
    void close();

    std::optional<quint32> pid() const { return m_pid; }

Q_SIGNALS:
    void started(quint32 pid);
    void data(const QByteArray &bytes);
    /// The process ended. Counts even if the stream then breaks.
    void exited(const boxdeck::protocol::ProcessEnded &end);
    /// The stream ended without the process's end: the connection broke or the server gave up.
    void broken(const boxdeck::net::StreamEnd &end);
    /// Input was lost: `unknown` bytes may or may not have arrived, `unsent` bytes have not.
    void inputLost(const boxdeck::Error &error, qsizetype unknown, qsizetype unsent);

private:
    void open(std::unique_ptr<api::ProcessStream> stream);
    void onEvent(const protocol::ProcessEvent &event);
    void onEnded(const net::StreamEnd &end);
    void sendInput();
    void onInputSent(const Result<void> &result);
    void sendSize();

    std::shared_ptr<api::Envd> m_envd;
    std::unique_ptr<api::ProcessStream> m_stream;
    std::optional<quint32> m_pid;
    QByteArray m_inFlight;
    QByteArray m_pending;
    QTimer m_retryInput;
    std::optional<protocol::PtySize> m_size; ///< to be told
    bool m_sizeInFlight = false;
    bool m_exited = false;
};

} // namespace boxdeck::terminal
