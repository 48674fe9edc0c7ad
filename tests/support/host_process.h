// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/sandbox_target.h"

#include <QProcess>
#include <QTemporaryDir>

#include <memory>

namespace boxdeck::test {

/// A real boxdeck-host of a test's own: on a free port, with a data folder that goes with it. The environment variable
/// BOXDECK_HOST names the program. Ends with this object, and so do its sandboxes.
class HostProcess
{
public:
    HostProcess();
    ~HostProcess();
    HostProcess(const HostProcess &) = delete;
    HostProcess &operator=(const HostProcess &) = delete;

    /// Starts it and waits for its line. After stop() or kill() it starts again on the same port and data.
    bool start();
    /// Asks it to end and waits.
    void stop();
    /// Ends it without a warning, as a crash would.
    void kill();

    bool isRunning() const { return m_process && m_process->state() == QProcess::Running; }
    QString failure() const { return m_failure; } ///< why start() gave false, with what the host said
    qint64 pid() const { return m_process ? m_process->processId() : 0; }
    QString dataFolder() const { return m_data.path(); }
    /// What it said on its error output so far, to search it for secrets.
    QByteArray log();

    /// How to reach it. The user is `user`.
    api::Endpoint endpoint() const { return m_endpoint; }

private:
    bool readLine();

    QTemporaryDir m_data;
    std::unique_ptr<QProcess> m_process;
    api::Endpoint m_endpoint;
    QString m_failure;
    QByteArray m_log;
};

} // namespace boxdeck::test
