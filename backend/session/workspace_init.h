// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_plane_client.h"
#include "backend/api/retry.h"
#include "backend/session/bootstrap_install.h"

namespace boxdeck::session {

/// What a new sandbox gets before it is used.
struct WorkspacePlan
{
    QList<RemotePath> folders;   ///< made with their parents; fine if they are there
    BootstrapArchivePtr archive; ///< may be null
    QString binding;             ///< for the manifest
    BootstrapPlace place;
    /// A new sandbox may answer before it can: six tries with 200 ms, doubled up to 2 s, between them.
    api::RetryPolicy retry{.attempts = 6};
};

/// Makes the folders of a plan in one command, which may be repeated safely and is, for as long as the failure is of a
/// passing kind. A command that says no is final: Internal, code "folders_failed".
Call<void> makeWorkspaceFolders(const api::EnvdProcessClient &processes, const WorkspacePlan &plan,
                                const api::Pauses &pauses = {});

/// Prepares a sandbox that was just created. If that fails it is deleted again, and the error is the first cause with
/// the code "initialisation_failed", its own code at the front of the message. `control` is not needed after the call
/// returned.
Call<void> prepareSandbox(api::ControlPlaneClient &control, std::shared_ptr<api::Envd> envd, const WorkspacePlan &plan,
                          const api::Pauses &pauses = {});

} // namespace boxdeck::session
