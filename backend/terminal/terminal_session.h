// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/remote_path.h"
#include "backend/terminal/emulator.h"
#include "backend/terminal/terminal_channel.h"

#include <QDateTime>
#include <QObject>
#include <QTimer>

#include <deque>
#include <functional>
#include <memory>
#include <optional>

namespace boxdeck::terminal {

/// What a terminal tab is doing.
enum class SessionState {
    Idle,       ///< nothing asked for yet
    Connecting, ///< starting a shell or attaching for the first time
    Running,
    Exited, ///< the process ended; see SessionStatus::exit
    Broken, ///< the connection is gone, the process may run on; tries again by itself
    Lost,   ///< the process is gone, and how it ended is not known
    Paused, ///< the sandbox is paused; the process waits in it
    Gone,   ///< the sandbox is gone
    Failed, ///< the shell could not be started; see SessionStatus::error
};

/// A span of time in which output was sent and not received: the protocol has no replay.
struct MissedOutput
{
    QDateTime from; ///< UTC; invalid: since before this terminal was attached
    QDateTime to;   ///< invalid while it still lasts

    bool operator==(const MissedOutput &) const = default;
};

struct SessionStatus
{
    SessionState state = SessionState::Idle;
    std::optional<protocol::ProcessEnded> exit;
    std::optional<Error> error; ///< why it is Broken, Lost, Failed or Gone
    std::optional<MissedOutput> missed;
    QDateTime nextTry; ///< when Broken: the next attempt

    bool operator==(const SessionStatus &) const = default;
};

/// A terminal: an emulator and whatever process it is attached to, kept together over broken connections.
///
/// Looks only: it starts, attaches and detaches on the data plane, and never calls anything that could wake or extend a
/// sandbox (the lease rule of the product).
class TerminalSession : public QObject
{
    Q_OBJECT

public:
    /// How a session gets at its sandbox. `envd` answers Conflict with code "paused" for a paused one and NotFound or
    /// Terminal for one that is gone; `forget` says that the last one given turned out stale.
    struct Source
    {
        std::function<Call<std::shared_ptr<api::Envd>>()> envd;
        std::function<void()> forget;
    };

    /// What to run; by default a login shell in UTF-8.
    struct Program
    {
        QString cmd = QStringLiteral("/bin/bash");
        QStringList args{QStringLiteral("-i"), QStringLiteral("-l")};
        QMap<QString, QString> envs; ///< on top of TERM, LANG and LC_ALL; wins over them
        std::optional<RemotePath> cwd;
        QString tag;
    };

    /// Most output kept between network and emulator, in bytes; beyond it the network waits.
    static constexpr qsizetype MaxQueuedOutput = qsizetype{1024} * 1024;

    /// `clock` outlives the session.
    TerminalSession(Source source, Program program, const Clock &clock, QObject *parent = nullptr);
    ~TerminalSession() override;

    /// Starts the program.
    void start();
    /// Attaches to a process that runs already.
    void attach(quint32 pid);
    /// The one thing to do about the state: tries again when Broken, Paused or Failed, opens a new shell when Exited or
    /// Lost. Nothing while Running.
    void proceed();
    /// Leaves the process running and forgets it; nothing is emitted afterwards but statusChanged(). Input on its way
    /// is dropped.
    void detach();
    /// Kills the process, then it is Exited. Without a process it only detaches.
    Call<void> kill();
    /// The sandbox runs again, or stopped: from the list, so that a tab need not find out by itself.
    void sandboxStateChanged(protocol::SandboxState state);

    const SessionStatus &status() const { return m_status; }
    std::optional<quint32> pid() const { return m_pid; }
    const Program &program() const { return m_program; }
    Emulator &emulator() { return m_emulator; }
    const Emulator &emulator() const { return m_emulator; }

    /// Sends input. False, and nothing sent, unless Running or Connecting.
    bool write(const QByteArray &bytes);
    /// The window's size in cells. The emulator follows at once, the process when it has settled.
    void resize(int rows, int columns);
    /// Puts the message about missed output away.
    void acknowledgeMissed();

Q_SIGNALS:
    void statusChanged();
    /// The grid changed, or the scrollback, modes or title.
    void updated();
    void bell();
    void titleChanged(const QString &title);
    void clipboardWritten(const QString &text);
    void clipboardReadRefused();
    /// See TerminalChannel.
    void inputLost(const boxdeck::Error &error, qsizetype unknown, qsizetype unsent);

private:
    void connectToSandbox();
    void onEnvd(const Result<std::shared_ptr<api::Envd>> &result);
    void openChannel(std::shared_ptr<api::Envd> envd);
    void onStarted(quint32 pid);
    void onData(const QByteArray &bytes);
    void onExited(const protocol::ProcessEnded &end);
    void onBroken(const net::StreamEnd &end);
    void retryLater(const Error &error);
    void lost(const Error &error, SessionState state);
    void dropChannel();
    void reportUnsentInput(const Error &error);
    void setState(SessionState state);
    void pump();
    void drain();
    void feed(const QByteArray &bytes);
    void takeEvents();

    Source m_source;
    Program m_program;
    const Clock &m_clock;
    Emulator m_emulator;
    SessionStatus m_status;
    std::optional<quint32> m_pid;
    std::shared_ptr<api::Envd> m_envd;
    Call<std::shared_ptr<api::Envd>> m_asking;
    std::unique_ptr<TerminalChannel> m_channel;
    std::deque<QByteArray> m_queue;
    qsizetype m_queued = 0;
    bool m_throttled = false;
    QByteArray m_typeAhead; ///< typed before there was a process
    QDateTime m_lastHeard;  ///< when output or a sign of life last came
    int m_attempts = 0;
    QTimer m_pump;
    QTimer m_settle;
    QTimer m_retry;
};

} // namespace boxdeck::terminal
