// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/boxdeck/application.h"

#include "app/boxdeck/translations.h"
#include "backend/core/clock.h"
#include "backend/core/display_text.h"
#include "backend/net/http_transport.h"
#include "backend/session/accounts.h"
#include "backend/session/local_host.h"
#include "backend/session/profile_store.h"
#include "backend/session/secret_vault.h"
#include "backend/session/settings.h"
#include "backend/transfer/transfer_engine.h"
#include "ui/common/theme.h"
#include "ui/sandboxes/sandbox_text.h"
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QIcon>
#include <QTimer>
#include <QWindow>

#include <functional>

namespace boxdeck::app {

namespace {

ui::SchemeChoice schemeOf(session::Settings::ThemeChoice choice)
{
    switch (choice) {
    case session::Settings::ThemeChoice::Light:
        return ui::SchemeChoice::Light;
    case session::Settings::ThemeChoice::Dark:
        return ui::SchemeChoice::Dark;
    case session::Settings::ThemeChoice::System:
        break;
    }
    return ui::SchemeChoice::System;
}

/// Calls back once a window has been drawn for the first time; after two seconds even if it has not, as one that is
/// started minimised never is.
class AfterFirstFrame : public QObject
{
public:
    AfterFirstFrame(QWindow *window, QObject *owner, std::function<void()> then)
        : QObject(owner)
        , m_then(std::move(then))
    {
        window->installEventFilter(this);
        m_limit.setSingleShot(true);
        connect(&m_limit, &QTimer::timeout, this, &AfterFirstFrame::done);
        m_limit.start(2000);
    }

    bool eventFilter(QObject *, QEvent *event) override
    {
        // The frame is drawn while this event is handled, so what comes next in the queue comes after it.
        if (event->type() == QEvent::Expose && m_limit.remainingTime() > 0)
            m_limit.start(0);
        return false;
    }

private:
    void done()
    {
        deleteLater();
        m_then();
    }

    std::function<void()> m_then;
    QTimer m_limit;
};

const auto kSystemDark = QStringLiteral("theme/systemWasDark");

} // namespace

// Declared from the ground up, so that what stands on something is gone before it.
struct Application::Parts
{
    Parts(QApplication &app, const CommandLine &commandLine, const QString &dataDir)
        : settings(dataDir + QLatin1String("/settings.json"))
        , theme(languageFirst(app, commandLine), schemeOf(settings.theme()), settings.viewState(kSystemDark).toBool())
        , profiles(dataDir + QLatin1String("/profiles.json"))
        , localHost({.dataDir = dataDir}, transport)
        , transfers(clock)
        , accounts({profiles, vault, localHost, settings, transport, clock})
    {
    }

    /// Texts are looked up when widgets are made, so the language comes before any of them.
    QApplication &languageFirst(QApplication &app, const CommandLine &commandLine)
    {
        translations.install(app, commandLine.language.isEmpty() ? settings.language() : commandLine.language);
        return app;
    }

    SystemClock clock;
    session::Settings settings;
    Translations translations;
    ui::Theme theme;
    net::HttpTransport transport;
    session::ProfileStore profiles;
    session::SecretVault vault;
    session::LocalHost localHost;
    transfer::TransferEngine transfers;
    session::Accounts accounts;
    std::unique_ptr<ui::MainWindow> window;
};

Application::Application(QApplication &app, const CommandLine &commandLine, const QString &dataDir)
    : m_app(app)
    , m_commandLine(commandLine)
    , m_parts(std::make_unique<Parts>(app, commandLine, dataDir))
{
    app.setWindowIcon(QIcon(QStringLiteral(":/icons/boxdeck.svg")));
}

Application::~Application() = default;

void Application::start()
{
    Parts &parts = *m_parts;
    connect(&parts.theme, &ui::Theme::systemDarkChanged, this,
            [this](bool dark) { m_parts->settings.setViewState(kSystemDark, dark); });
    parts.accounts.holdBack();
    const auto loaded = parts.accounts.load(tr("This computer"));
    parts.window = std::make_unique<ui::MainWindow>(
        ui::MainWindow::Parts{parts.accounts, parts.settings, parts.localHost, parts.transfers, parts.theme});
    parts.window->restore();
    if (!loaded) {
        parts.window->warn(
            tr("The saved accounts could not be read and were set aside: %1").arg(displayText(loaded.error().message)));
    }
    if (m_commandLine.connect)
        connectForThisRun();
    else
        parts.window->offerEnvironmentKey();
    if (!m_commandLine.account.isEmpty())
        chooseAccount();
    if (!m_commandLine.open.isEmpty())
        parts.window->openWhenReady({m_commandLine.open});
    parts.window->show();
    // The bus may be slow, and the window needs neither it nor a server to be drawn.
    new AfterFirstFrame(parts.window->windowHandle(), this, [&parts] {
        parts.accounts.letGo();
        parts.theme.followDesktop();
    });
}

void Application::connectForThisRun()
{
    auto profile = session::ConnectionProfile::selfHosted(m_commandLine.connect->host(), *m_commandLine.connect);
    profile.sandboxUrl = m_commandLine.sandboxUrl;
    if (!m_commandLine.domain.isEmpty())
        profile.domain = m_commandLine.domain;
    if (const auto key = session::Accounts::offeredEnvKey())
        m_parts->accounts.addEphemeral(profile, *key);
    else
        m_parts->window->warn(tr("--connect needs the key of the server in the environment variable E2B_API_KEY."));
}

void Application::chooseAccount()
{
    const auto ids = m_parts->accounts.ids();
    for (const QUuid &id : ids) {
        if (m_parts->accounts.profile(id)->name == m_commandLine.account) {
            m_parts->accounts.setCurrent(id);
            return;
        }
    }
    m_parts->window->warn(tr("There is no account called %1.").arg(ui::quoted(displayText(m_commandLine.account, 80))));
}

void Application::takeRequest(const QJsonObject &request)
{
    if (!m_parts->window)
        return;
    m_parts->window->bringToFront();
    const QString open = request.value(QLatin1String("open")).toString();
    if (!open.isEmpty())
        m_parts->window->openWhenReady({open});
}

} // namespace boxdeck::app
