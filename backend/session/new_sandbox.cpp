// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/new_sandbox.h"

#include "backend/protocol/network_codec.h"

#include <QJsonDocument>

namespace boxdeck::session {

using std::chrono::milliseconds;
using std::chrono::seconds;

protocol::NewSandbox newSandboxFor(const ConnectionProfile &profile, const CreateDefaults &defaults)
{
    protocol::NewSandbox result;
    const QString wanted = profile.defaultTemplate.trimmed();
    if (!wanted.isEmpty())
        result.templateId = wanted;
    result.timeout = profile.lifetime;
    result.secure = profile.secure;
    result.allowInternetAccess = profile.allowInternetAccess;
    result.autoPause = profile.autoPause.value_or(false);
    result.autoResume = result.autoPause && profile.autoResume.value_or(false);
    result.metadata = defaults.metadata;
    result.envVars = defaults.envVars;
    if (!defaults.network.isEmpty())
        result.network = protocol::readNetwork(protocol::JsonReader(defaults.network));
    if (!defaults.mcp.isEmpty())
        result.mcp = Secret(QJsonDocument(defaults.mcp).toJson(QJsonDocument::Compact));
    result.volumeMounts = protocol::readVolumeMounts(protocol::JsonReader(defaults.volumeMounts));
    return result;
}

Result<seconds> createLifetime(milliseconds wished, seconds usual)
{
    if (wished == milliseconds::zero())
        return usual;
    if (wished < seconds(1)) {
        return Failure(Error{.kind = ErrorKind::InvalidRequest,
                             .code = QStringLiteral("bad_timeout"),
                             .message = QStringLiteral("a sandbox lives at least one second")});
    }
    return std::chrono::ceil<seconds>(wished);
}

} // namespace boxdeck::session
