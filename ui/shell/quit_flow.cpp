// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/quit_flow.h"

#include "backend/session/local_host.h"
#include "ui/common/confirm.h"

#include <QWidget>

namespace boxdeck::ui {

using session::LocalHost;
using AtQuit = session::Settings::AtQuit;

QuitFlow::QuitFlow(LocalHost &host, session::Settings &settings, Facts facts, QWidget *window)
    : QObject(window)
    , m_host(host)
    , m_settings(settings)
    , m_facts(std::move(facts))
    , m_window(window)
{
    connect(&host, &LocalHost::stateChanged, this, [this] {
        if (m_step == Step::Stopping && m_host.state() == LocalHost::State::Off)
            finish();
    });
}

void QuitFlow::begin()
{
    if (m_step == Step::Asking || m_step == Step::Stopping)
        return;
    m_step = Step::Asking;
    const int transfers = m_facts.runningTransfers();
    if (transfers == 0) {
        askAboutSandboxes();
        return;
    }
    ask(m_window,
        {.name = QStringLiteral("quitTransfersQuestion"),
         .title = tr("Quit Boxdeck"),
         .text = transfers == 1 ? tr("A transfer is still running. Quit all the same?")
                                : tr("%n transfers are still running. Quit all the same?", nullptr, transfers),
         .consequence = tr("What has not arrived yet is given up. No half-written file is left under its real name."),
         .acceptVerb = tr("Quit Boxdeck"),
         .cancelVerb = tr("Keep transferring")},
        this, [this](Answer answer) {
            if (answer == Answer::Accept)
                askAboutSandboxes();
            else
                m_step = Step::Idle;
        });
}

void QuitFlow::askAboutSandboxes()
{
    if (m_host.state() == LocalHost::State::Off || m_host.state() == LocalHost::State::Failed) {
        finish();
        return;
    }
    const int sandboxes = m_facts.localSandboxes();
    const AtQuit choice = m_settings.localSandboxesAtQuit();
    if (sandboxes == 0 || choice == AtQuit::Stop) {
        stop();
        return;
    }
    if (choice == AtQuit::KeepRunning) {
        keep();
        return;
    }
    ask(m_window,
        {.name = QStringLiteral("quitQuestion"),
         .title = tr("Quit Boxdeck"),
         .text = sandboxes == 1 ? tr("A sandbox lives on this computer. Keep it?")
                                : tr("%n sandboxes live on this computer. Keep them?", nullptr, sandboxes),
         .consequence = tr("Kept, running programs go on until the time of their sandbox ends, and Boxdeck finds them "
                           "again. Stopped, all programs end now, also those of paused sandboxes; files stay."),
         .acceptVerb = tr("Keep sandboxes"),
         .alternativeVerb = tr("Stop sandboxes"),
         .cancelVerb = tr("Don't quit")},
        this, [this](Answer answer) {
            if (answer == Answer::Accept)
                keep();
            else if (answer == Answer::Alternative)
                stop();
            else
                m_step = Step::Idle;
        });
}

void QuitFlow::keep()
{
    m_host.keepRunning();
    finish();
}

void QuitFlow::stop()
{
    m_step = Step::Stopping;
    Q_EMIT stopping();
    m_host.stop();
    if (m_step == Step::Stopping && m_host.state() == LocalHost::State::Off)
        finish();
}

void QuitFlow::finish()
{
    if (m_step == Step::Finished)
        return;
    m_step = Step::Finished;
    Q_EMIT finished();
}

} // namespace boxdeck::ui
