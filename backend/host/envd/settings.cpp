// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/settings.h"

#include "backend/host/envd/rpc_error.h"
#include "backend/host/http/url.h"

namespace boxdeck::host::envd {

Account accountFor(std::optional<std::string_view> authorization, const Settings &settings, const Accounts &accounts)
{
    if (authorization) {
        if (const auto name = http::basicUserName(*authorization)) {
            if (auto account = accounts.find(*name))
                return *account;
            throw RpcError(Code::Unauthenticated, "invalid username: '" + *name + "'");
        }
    }
    if (settings.defaultUser.empty())
        throw RpcError(Code::Unauthenticated, "no user specified");
    if (auto account = accounts.find(settings.defaultUser))
        return *account;
    throw RpcError(Code::Unauthenticated, "invalid default user: '" + settings.defaultUser + "'");
}

} // namespace boxdeck::host::envd
