// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_plane_client.h"
#include "backend/api/envd.h"
#include "tests/support/host_process.h"

#include <memory>

namespace boxdeck::test {

/// A HostProcess with what most tests want of it: a client of its control plane and sandboxes to work in. Ends its
/// sandboxes with it.
class RealHost
{
public:
    RealHost();
    ~RealHost();
    RealHost(const RealHost &) = delete;
    RealHost &operator=(const RealHost &) = delete;

    bool isUp() const { return m_control != nullptr; }
    QString failure() const { return m_failure; } ///< why isUp() or newSandbox() gave nothing

    HostProcess &process() { return m_process; }
    net::HttpTransport &transport() { return m_transport; }
    api::ControlPlaneClient &control() { return *m_control; }

    /// Creates a sandbox of `base` and opens its data plane. Null if it failed.
    std::shared_ptr<api::Envd> newSandbox(protocol::NewSandbox wanted = {});

    /// Runs a command line in a sandbox as its user; what it printed. Nothing if it could not run or failed.
    std::optional<QByteArray> run(api::Envd &envd, const QString &commandLine);

private:
    net::HttpTransport m_transport;
    HostProcess m_process;
    QString m_failure;
    std::unique_ptr<api::ControlPlaneClient> m_control;
};

} // namespace boxdeck::test
