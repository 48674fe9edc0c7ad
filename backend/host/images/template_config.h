// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

#include <boost/json/object.hpp>

namespace boxdeck::host {

/// What sandboxes made from a build get besides its files.
struct TemplateConfig
{
    bool ownUsr = false;              ///< the files bring their own /usr; otherwise this computer's is shown there
    std::string defaultUser = "user"; ///< account that commands run as unless they say otherwise
    std::string workdir;              ///< where commands start; empty = the account's home
    std::map<std::string, std::string> envVars;
    std::string startCmd; ///< shell command that is started with the sandbox, may be empty
    std::string readyCmd; ///< shell command that succeeds when startCmd is ready, may be empty

    bool operator==(const TemplateConfig &) const = default;
};

/// As files hold it; reading throws std::exception when something is missing or of another kind.
boost::json::object toJson(const TemplateConfig &config);
TemplateConfig configFromJson(const boost::json::object &object);

} // namespace boxdeck::host
