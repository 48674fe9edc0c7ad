// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/sandbox.h"
#include "backend/session/connection_profile.h"
#include "backend/session/create_defaults.h"

namespace boxdeck::session {

/// What a new sandbox of an account is before the person chose anything (protocol/adapters.md 5.4 to 5.12): fields that
/// nobody set stay unset, so that they are not sent. Waking on traffic is left out where the end is no pause.
protocol::NewSandbox newSandboxFor(const ConnectionProfile &profile, const CreateDefaults &defaults);

/// A wished-for lifetime as servers take it (protocol/adapters.md 5.9): whole seconds, rounded up; zero means `usual`.
/// InvalidRequest, code "bad_timeout", for less than a second and for "never", which no server has.
Result<std::chrono::seconds> createLifetime(std::chrono::milliseconds wished, std::chrono::seconds usual);

} // namespace boxdeck::session
