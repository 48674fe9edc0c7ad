// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/settings.h"

#include <QObject>

#include <functional>

class QWidget;

namespace boxdeck::session {
class LocalHost;
}

namespace boxdeck::ui {

/// What happens between "quit" and the end: asks about running transfers and about the sandboxes on this computer, and
/// waits for their server to stop if that was chosen. One at a time; cancelled, it can begin again.
class QuitFlow : public QObject
{
    Q_OBJECT

public:
    struct Facts
    {
        std::function<int()> runningTransfers;
        std::function<int()> localSandboxes; ///< running and paused: the programs of both end with their server
    };

    QuitFlow(session::LocalHost &host, session::Settings &settings, Facts facts, QWidget *window);

    void begin();
    bool isStopping() const { return m_step == Step::Stopping; }

Q_SIGNALS:
    void stopping(); ///< the local server is being stopped
    void finished(); ///< the window may close

private:
    enum class Step { Idle, Asking, Stopping, Finished };
    void askAboutSandboxes();
    void keep();
    void stop();
    void finish();

    session::LocalHost &m_host;
    session::Settings &m_settings;
    Facts m_facts;
    QWidget *m_window;
    Step m_step = Step::Idle;
};

} // namespace boxdeck::ui
