// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "backend/host/control_plane/answers.h"
#include "backend/host/control_plane/sandbox_manager.h"
#include "backend/host/http/server.h"

namespace boxdeck::host {

/// The control plane: the calls of protocol/compat.md section 6, as far as this host has them; 404 or 405 with a JSON
/// message for everything else.
class ControlPlane
{
public:
    /// @p apiKey is what X-API-Key must hold. References must outlive this.
    ControlPlane(SandboxManager &manager, std::string apiKey, std::string dataFolder);

    /// Answers one request. Never throws for what a caller can cause.
    asio::awaitable<void> serve(http::Exchange &exchange);

private:
    struct Answer;
    struct Call;

    void checkKey(const http::Request &request) const;
    asio::awaitable<Answer> answer(http::Exchange &exchange);
    asio::awaitable<Answer> route(Call call);
    asio::awaitable<Answer> routeSandboxes(Call call);
    asio::awaitable<Answer> routeSandbox(Call call);
    asio::awaitable<Answer> create(Call call);
    Answer list(const Call &call) const;
    Answer listRunning(const Call &call) const;
    Answer routeTemplates(const Call &call) const;
    Answer metrics(const Call &call, const std::string &id) const;
    Answer batchMetrics(const Call &call) const;
    Answer logs(const Call &call, const std::string &id) const;

    SandboxManager &m_manager;
    std::string m_apiKey;
    std::string m_dataFolder;
};

} // namespace boxdeck::host
