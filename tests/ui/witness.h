// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_plane_client.h"
#include "backend/api/envd.h"
#include "tests/support/host_process.h"

#include <memory>
#include <optional>

namespace boxdeck::test {

/// A real boxdeck-host, and somebody beside the window who can look at it and its sandboxes.
class Witness
{
public:
    /// Starts the host; an empty answer is success.
    QString start();
    void kill() { m_host.kill(); }

    HostProcess &host() { return m_host; }
    QString url() const { return m_host.endpoint().apiUrl.toString(); }
    Secret key() const { return m_host.endpoint().apiKey; }
    api::ControlPlaneClient control() { return api::ControlPlaneClient(m_transport, m_host.endpoint()); }

    /// Runs a command line in a sandbox with a shell of its own. Empty if it could not run or failed.
    QByteArray run(const protocol::SandboxId &sandbox, const QString &commandLine);

private:
    HostProcess m_host;
    net::HttpTransport m_transport;
};

} // namespace boxdeck::test
