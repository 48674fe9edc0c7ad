// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_plane_client.h"
#include "backend/core/call.h"
#include "backend/core/secret.h"
#include "backend/session/host_process.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <QUrl>

#include <memory>
#include <optional>

namespace boxdeck::session {

/// boxdeck-host for "This computer": finds the one a former run of the app kept, or starts one; starts it again when
/// it dies. The host is never tied to the app's life: quitting decides with stop() or keepRunning(), and after a crash
/// of the app it is found again.
class LocalHost : public QObject
{
    Q_OBJECT

public:
    enum class State {
        Off,        ///< not wanted, or stopped
        Starting,   ///< being looked for, started or waited for
        Ready,      ///< answers, and knows the key
        Restarting, ///< it was lost; the next try is on its way
        Stopping,
        Failed, ///< given up: lastError() says why; start() tries again
    };

    struct Options
    {
        QString dataDir; ///< of the app: DATA/host is the host's own folder, DATA/local-host.json tells how to find it
        QString program; ///< boxdeck-host; empty: BOXDECK_HOST, then beside the app, then PATH
        std::chrono::milliseconds startLimit{20000};
        std::chrono::milliseconds stopLimit{10000}; ///< then it is killed
    };

    /// The transport outlives it.
    LocalHost(Options options, net::HttpTransport &transport, QObject *parent = nullptr);
    /// Leaves a running host alone.
    ~LocalHost() override;

    State state() const { return m_state; }
    std::optional<Error> lastError() const { return m_lastError; }
    /// Valid while Ready, and while Restarting for views that show the old address.
    QUrl apiUrl() const { return m_apiUrl; }
    QUrl sandboxUrl() const { return m_sandboxUrl; }
    Secret apiKey() const { return m_apiKey; }
    qint64 pid() const; ///< 0 without a host

    /// Finds or starts it. Does nothing while it is being started or ready. Local errors by failed(), codes:
    /// "missing" (no program), "refused" (it ended at once; the message is what it said, e.g. which package to
    /// install), "silent" (no start line in time), "unreachable".
    void start();

    /// Ends the host and with it the processes in its sandboxes. Off by stateChanged(), also if there was none.
    void stop();

    /// Lets go of the host without ending it; it is found again by the next start().
    void keepRunning();

Q_SIGNALS:
    /// The host answers at these addresses with this key. Also after each restart.
    void ready(const QUrl &apiUrl, const QUrl &sandboxUrl, const boxdeck::Secret &apiKey);
    void failed(const boxdeck::Error &error);
    /// The host died by itself; its sandboxes come back with files and lease, their processes are lost.
    void lost();
    void stateChanged();

private:
    void setState(State state);
    void lookForKept();
    void replaceKept();
    void adopt(std::unique_ptr<HostProcess> process);
    void launch(int port);
    void check(const HostStartLine &line);
    void becomeReady(const HostStartLine &line);
    void giveUpOn(Error error);
    void fail(Error error);
    void hostEnded();
    bool adoptStranger(const QString &refusal);
    void deadlinePassed();
    QString findProgram() const;
    QString hostDir() const;
    QString stateFile() const;
    void saveState(const HostStartLine &line) const;

    Options m_options;
    net::HttpTransport &m_transport;
    State m_state = State::Off;
    std::optional<Error> m_lastError;
    QUrl m_apiUrl;
    QUrl m_sandboxUrl;
    Secret m_apiKey;
    std::unique_ptr<HostProcess> m_process;
    std::unique_ptr<HostProcess> m_dying; // given up and killed, not reaped yet
    Call<void> m_check;
    QTimer m_deadline;
    QTimer m_retry;
    QElapsedTimer m_uptime;
    int m_quickDeaths = 0;
    int m_portAsked = 0;
    QString m_strangersRefusal; // while a host that somebody else started on our folder is being asked
    bool m_replacing = false;   // a kept host that does not answer is being ended
};

} // namespace boxdeck::session
