// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/envd_files_client.h"
#include "backend/api/envd_filesystem_client.h"
#include "backend/api/envd_process_client.h"
#include "backend/protocol/envd_codec.h"

namespace boxdeck::api {

/// What a look at a sandbox's data plane tells after a connection broke.
enum class Pulse {
    Alive,   ///< it answers: only the connection was lost
    Gone,    ///< the way in says that the sandbox does not run; confirm with the control plane
    Unknown, ///< no answer
};

/// The data plane of one sandbox. The transport outlives it.
class Envd
{
public:
    Envd(net::HttpTransport &transport, SandboxTarget target);

    EnvdFilesClient &files() { return m_files; }
    EnvdFilesystemClient &filesystem() { return m_filesystem; }
    EnvdProcessClient &processes() { return m_processes; }
    const SandboxTarget &target() const { return *m_target; }

    Call<void> health();
    /// What the sandbox uses right now. The first answer tells the processor's use since it started. Unsupported
    /// without a call where the version has no such answer.
    Call<protocol::EnvdMetrics> metrics();
    /// The variables every process of the sandbox gets. May hold secrets: never log.
    Call<QMap<QString, QString>> environment();
    /// Asks for health with a limit of five seconds. Never fails.
    Call<Pulse> pulse();

private:
    net::HttpTransport &m_transport;
    std::shared_ptr<const SandboxTarget> m_target;
    EnvdFilesClient m_files;
    EnvdFilesystemClient m_filesystem;
    EnvdProcessClient m_processes;
};

} // namespace boxdeck::api
