// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/asio/awaitable.hpp>

#include "backend/host/control_plane/call.h"

namespace boxdeck::host {

/// One function per resource, that is per first segment of the path; ControlPlane's table names them. Each throws
/// ApiError for everything it refuses.
asio::awaitable<Answer> routeSandboxes(Services &services, Call call);
asio::awaitable<Answer> routeSnapshots(Services &services, Call call);
asio::awaitable<Answer> routeTemplates(Services &services, Call call);
asio::awaitable<Answer> routeVolumes(Services &services, Call call);
asio::awaitable<Answer> routeSecrets(Services &services, Call call);
/// See other_routes.cpp.
asio::awaitable<Answer> routeTeams(Services &services, Call call);
asio::awaitable<Answer> routeApiKeys(Services &services, Call call);
asio::awaitable<Answer> routeAccessTokens(Services &services, Call call);
asio::awaitable<Answer> routeNodes(Services &services, Call call);

/// Calls below /templates that make, start or follow builds; see build_routes.cpp.
bool isBuildCall(const Call &call);
asio::awaitable<Answer> routeBuilds(Services &services, Call call);

/// POST and DELETE /templates/tags, and GET /templates/{id}/tags; see tag_routes.cpp.
asio::awaitable<Answer> routeTags(Services &services, Call call);
Answer listTags(const Services &services, const Call &call);

/// GET …/metrics of one sandbox and of several, and both forms of GET …/logs; see observation_routes.cpp.
Answer answerMetrics(const Services &services, const Call &call, const std::string &id);
Answer answerBatchMetrics(const Services &services, const Call &call);
Answer answerLogs(const Services &services, const Call &call, const std::string &id);

/// POST /sandboxes/{id}/snapshots and …/fork; see snapshot_routes.cpp.
asio::awaitable<Answer> createSnapshot(Services &services, const Call &call, std::string sandboxId);
asio::awaitable<Answer> forkSandbox(Services &services, const Call &call, std::string sandboxId);

} // namespace boxdeck::host
