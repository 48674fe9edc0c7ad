// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "backend/host/control_plane/api_error.h"
#include "backend/host/control_plane/record.h"

namespace boxdeck::host {

/// The older or the newer form of a call; their defaults differ (protocol/control-plane.md, section 13).
enum class ApiGeneration { V1, V2 };

/// A create request that passed every check.
struct CreateRequest
{
    std::string templateName; ///< as sent: id or [namespace/]name[:tag]
    std::chrono::seconds timeout{};
    bool autoPause = false;
    bool autoPauseMemory = true;
    bool autoResume = false;
    bool secure = false;
    std::optional<bool> allowInternetAccess;
    bool allowPublicTraffic = true;
    std::optional<boost::json::object> network;
    std::map<std::string, std::string> metadata;
    std::map<std::string, std::string> envVars;
    std::vector<VolumeMount> volumeMounts; ///< by name: the ids are found by the caller
};

/// Body of connect and resume.
struct ConnectRequest
{
    std::chrono::seconds timeout{};
    bool keepMemory = true;
};

/// Each reads a body and throws ApiError 400 with a message that names what is wrong. Unknown members are ignored.
CreateRequest readCreate(std::string_view body, ApiGeneration generation);
/// An empty body means the defaults. A timeout of 0 or below is refused for a sandbox that is to start again
/// (checked by the caller, who knows the state); negative ones always.
ConnectRequest readConnect(std::string_view body, std::chrono::seconds defaultTimeout);
/// Whether the processes are to be kept.
bool readPause(std::string_view body);
std::chrono::seconds readTimeout(std::string_view body);
/// At least 15 s, also for an empty body.
std::chrono::seconds readRefresh(std::string_view body);
/// PUT …/network. There is no network to set rules for, so anything but the absence of access is refused.
boost::json::object readNetworkUpdate(std::string_view body);

/// Body of fork.
struct ForkRequest
{
    std::size_t count = 1;
    std::chrono::seconds timeout{};
};
ForkRequest readFork(std::string_view body);
/// The name in the body of a snapshot request, empty when none was given.
std::string readSnapshotName(std::string_view body);

/// Body of PATCH /templates/{id}: the new visibility, if one was given.
std::optional<bool> readTemplateUpdate(std::string_view body);

/// Body of POST and of DELETE /templates/tags.
struct TagsRequest
{
    std::string name; ///< `target`, a name with a tag, or `name`, one without
    std::vector<std::string> tags;
};
TagsRequest readAssignTags(std::string_view body);
TagsRequest readRemoveTags(std::string_view body);

/// The sandbox id a path names, without the `-<clientID>` of older ones. Throws ApiError 400 `Invalid sandbox ID`.
std::string readSandboxId(std::string_view text);

} // namespace boxdeck::host
