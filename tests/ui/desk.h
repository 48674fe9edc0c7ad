// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/net/http_transport.h"
#include "backend/session/accounts.h"
#include "backend/session/host_process.h"
#include "backend/session/json_file.h"
#include "backend/session/local_host.h"
#include "backend/session/profile_store.h"
#include "backend/session/secret_vault.h"
#include "backend/session/session.h"
#include "backend/session/settings.h"
#include "backend/transfer/transfer_engine.h"
#include "ui/common/theme.h"
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

namespace boxdeck::test {

inline constexpr int patience = 30'000; // ms; a loaded machine starts a host slowly

/// The app as its composition root makes it, in a data folder of a test, with the real boxdeck-host that BOXDECK_HOST
/// names. Made twice over one folder, it is the app started again.
struct Desk
{
    explicit Desk(const QString &dataDir, std::unique_ptr<session::Keychain> keychain = session::systemKeychain())
        : settings(dataDir + QLatin1String("/settings.json"))
        , theme(*qApp, ui::SchemeChoice::Light)
        , profiles(dataDir + QLatin1String("/profiles.json"))
        , vault(std::move(keychain))
        , localHost({.dataDir = dataDir}, transport)
        , transfers(clock)
        , accounts({profiles, vault, localHost, settings, transport, clock})
    {
        loaded = accounts.load(QStringLiteral("This computer")).has_value();
        window =
            std::make_unique<ui::MainWindow>(ui::MainWindow::Parts{accounts, settings, localHost, transfers, theme});
        window->restore();
        window->show();
    }

    bool becomesReady()
    {
        return QTest::qWaitFor([this] { return session() && session()->sandboxes().hasLoaded(); }, patience);
    }
    session::Session *session() const { return accounts.currentSession(); }

    template <typename Widget> Widget *find(const char *name) const
    {
        return window->findChild<Widget *>(QLatin1String(name));
    }

    SystemClock clock;
    session::Settings settings;
    ui::Theme theme;
    net::HttpTransport transport;
    session::ProfileStore profiles;
    session::SecretVault vault;
    session::LocalHost localHost;
    transfer::TransferEngine transfers;
    session::Accounts accounts;
    std::unique_ptr<ui::MainWindow> window;
    bool loaded = false;
};

/// Ends the host that an app left running in a data folder.
inline void endHost(const QString &dataDir)
{
    const QJsonObject state =
        session::readJsonFile(dataDir + QLatin1String("/local-host.json")).value_or(QJsonObject());
    const session::ProcessIdentity identity{.pid = state.value(QLatin1String("pid")).toInteger(),
                                            .startTicks =
                                                state.value(QLatin1String("startTicks")).toString().toULongLong()};
    if (const auto left = session::HostProcess::attach(identity)) {
        QSignalSpy ended(left.get(), &session::HostProcess::ended);
        left->terminate();
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, patience);
    }
}

} // namespace boxdeck::test
