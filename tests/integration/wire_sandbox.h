// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/command_run.h"
#include "tests/support/real_host.h"
#include "tests/support/waiting.h"

#include <QRandomGenerator>

#include <memory>

namespace boxdeck::test {

constexpr int patience = 20'000; // ms

/// A sandbox of a boxdeck-host of its own, or any envd: BOXDECK_ENVD_URL is its base address, BOXDECK_ENVD_USER an
/// account in it (default `user`), BOXDECK_ENVD_TOKEN its access token, BOXDECK_ENVD_VERSION its version. What is asked
/// of it does not depend on which it is. With a folder for what a test makes, which goes with close().
class WireSandbox
{
protected:
    bool open();
    void close();
    QString failure() const { return m_failure; }

    api::Envd &envd() { return *m_envd; }
    const RemotePath &home() const { return m_home; }
    const RemotePath &folder() const { return m_folder; }
    RemotePath in(const QByteArray &name) const { return m_folder.child(name).value(); }
    /// Runs a line to its end; Interrupted, with the reason on standard error, if it was refused.
    api::CommandRun run(const QString &line, api::Command command = {});

private:
    std::unique_ptr<RealHost> m_host;
    std::unique_ptr<net::HttpTransport> m_transport;
    std::shared_ptr<api::Envd> m_envd;
    RemotePath m_home;
    RemotePath m_folder;
    QString m_failure;
};

inline bool WireSandbox::open()
{
    const QString url = qEnvironmentVariable("BOXDECK_ENVD_URL");
    if (url.isEmpty()) {
        m_host = std::make_unique<RealHost>();
        m_envd = m_host->isUp() ? m_host->newSandbox() : nullptr;
        m_failure = m_host->failure();
    } else {
        m_transport = std::make_unique<net::HttpTransport>();
        const QString user = qEnvironmentVariable("BOXDECK_ENVD_USER", QStringLiteral("user"));
        const QString version = qEnvironmentVariable("BOXDECK_ENVD_VERSION", QStringLiteral("0.6.13"));
        const protocol::SandboxAccess access{.id = {QStringLiteral("debug")},
                                             .envdVersion = version,
                                             .envdAccessToken = Secret(qgetenv("BOXDECK_ENVD_TOKEN"))};
        m_envd =
            std::make_shared<api::Envd>(*m_transport, api::targetOf({.sandboxUrl = QUrl(url), .user = user}, access));
    }
    if (!m_envd)
        return false;
    const auto said = RemotePath::parse(run(QStringLiteral("printf %s \"$HOME\"")).out);
    m_home = said.value_or(RemotePath());
    m_folder = m_home.child("wire-" + QByteArray::number(QRandomGenerator::global()->generate(), 16)).value();
    const auto made = outcome(m_envd->filesystem().makeDir(m_folder));
    if (!made)
        m_failure = made.error().message;
    return said && made;
}

inline void WireSandbox::close()
{
    if (m_envd && !m_folder.isRoot())
        (void)outcome(m_envd->filesystem().remove(m_folder));
    m_envd.reset();
    m_host.reset();
}

inline api::CommandRun WireSandbox::run(const QString &line, api::Command command)
{
    command.line = line;
    auto run = outcome(runCommand(m_envd->processes(), command), std::chrono::seconds(120));
    if (!run)
        qWarning("%s: %s", qPrintable(run.error().code), qPrintable(run.error().message));
    return run.value_or(api::CommandRun{.end = api::CommandRun::End::Interrupted});
}

} // namespace boxdeck::test
