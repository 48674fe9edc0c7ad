// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/envd/accounts.h"

#include <map>
#include <optional>
#include <string>

namespace boxdeck::host::envd {

/// What the host tells the daemon about its sandbox (the "init" message of the control socket).
struct Settings
{
    std::string defaultUser = "root";               ///< As the reference before its initialisation.
    std::string defaultDirectory;                   ///< Empty: the user's home.
    std::map<std::string, std::string> environment; ///< Sandbox-wide, E2B_SANDBOX and friends included.
};

/// The account a request acts for: the one its "Authorization: Basic" names, else the default one. Throws RpcError
/// (unauthenticated) when there is no such account.
Account accountFor(std::optional<std::string_view> authorization, const Settings &settings, const Accounts &accounts);

} // namespace boxdeck::host::envd
