// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/core/secret.h"

#include <QObject>
#include <QSocketNotifier>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QUrl>

#include <memory>
#include <optional>

namespace boxdeck::session {

/// What boxdeck-host prints when it is ready.
struct HostStartLine
{
    QUrl apiUrl;
    QUrl sandboxUrl;
    Secret apiKey;
    qint64 pid = 0;
};

/// Reads the start line (JSON). Internal if a member is missing or of another kind.
Result<HostStartLine> parseStartLine(const QByteArray &line);

/// A process identified beyond its pid, so that a reused pid is never taken for it.
struct ProcessIdentity
{
    qint64 pid = 0;
    quint64 startTicks = 0; ///< field 22 of /proc/PID/stat

    static std::optional<ProcessIdentity> of(qint64 pid); ///< only a live process of this user
    bool operator==(const ProcessIdentity &) const = default;
};

/// A boxdeck-host process, started by us or by a former run of the app. It is watched, not owned: this object's death
/// leaves it running, in a session of its own, with no pipe of ours that could break under it.
class HostProcess : public QObject
{
    Q_OBJECT

public:
    ~HostProcess() override;

    /// Starts the program; its standard error goes to `logFile` (made anew, 0600). Local, code "missing", if it can't
    /// be run. The start line comes by started().
    static Result<std::unique_ptr<HostProcess>> launch(const QString &program, const QStringList &arguments,
                                                       const QString &logFile);
    /// A process of this user that runs `program` (by its file name) with `argument` among its arguments.
    static std::optional<ProcessIdentity> findByArgument(const QString &program, const QString &argument);
    /// Watches one that runs already. Nothing if it is not there any more.
    static std::unique_ptr<HostProcess> attach(const ProcessIdentity &identity);

    qint64 pid() const { return m_identity.pid; }
    const ProcessIdentity &identity() const { return m_identity; }
    bool isOurChild() const { return m_child; } ///< launched by this run of the app
    void terminate();                           ///< SIGTERM
    void kill();                                ///< SIGKILL
    /// The end of what it wrote to standard error, at most 4 KiB; empty for an attached one.
    QString lastWords() const;

Q_SIGNALS:
    void startLine(const QByteArray &line); ///< holds the key: not for a log
    void ended();

private:
    HostProcess() = default;
    void watch();
    void readStdout();
    void signalProcess(int signal);
    void reap();

    ProcessIdentity m_identity;
    QString m_logFile;
    int m_pidFd = -1;
    int m_stdoutFd = -1;
    bool m_child = false;
    bool m_ended = false;
    QByteArray m_line;
    std::unique_ptr<QSocketNotifier> m_exitNotifier;
    std::unique_ptr<QSocketNotifier> m_stdoutNotifier;
    QTimer m_alivePoll; // where there is no pidfd
};

} // namespace boxdeck::session
