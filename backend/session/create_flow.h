// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/control_plane_client.h"

#include <chrono>

namespace boxdeck::session {

/// The pauses before each look into the list. A server may still be placing the sandbox when it stopped answering.
using Looks = QList<std::chrono::milliseconds>;
Looks usualLooks(); ///< five, over 15 s

/// Creates a sandbox with one request, and finds out what became of it when the answer was lost
/// (protocol/lifecycle.md section 11): the request carries a mark of its own in its metadata, under `markKey`, and the
/// list is searched for it, once per entry of `looks`. Found, the sandbox's detail gives the access (without a traffic
/// token, which only the lost answer held). Not found, or the list out of reach: the first error, Delivery::Unknown.
/// `client` is not needed after the call returned.
Call<protocol::SandboxAccess> createOnce(api::ControlPlaneClient &client, protocol::NewSandbox wanted,
                                         const QString &markKey, const Looks &looks = usualLooks());

} // namespace boxdeck::session
