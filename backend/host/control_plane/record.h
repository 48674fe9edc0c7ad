// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "backend/host/images/template_config.h"

namespace boxdeck::host {

/// A point in time as the API shows it: UTC, microseconds.
using TimePoint = std::chrono::sys_time<std::chrono::microseconds>;

/// Now, by the wall clock (leases survive restarts of the host).
TimePoint now();
/// RFC 3339 text with six decimals and Z.
std::string toText(TimePoint time);
/// Reads RFC 3339 (any offset, up to nanoseconds); nothing if it is something else.
std::optional<TimePoint> timeFromText(const std::string &text);

/// The two states a client sees (protocol/lifecycle.md, section 1).
enum class SandboxState { Running, Paused };

/// A volume shown inside a sandbox.
struct VolumeMount
{
    std::string volumeId;
    std::string name;
    std::string path; ///< absolute and clean

    bool operator==(const VolumeMount &) const = default;
};

/// What is known of one sandbox and kept across restarts. Holds secrets: it goes to its 0600 file and nowhere else.
struct SandboxRecord
{
    std::string id;
    std::string templateId;
    std::string buildId; ///< of the template; unknown (empty) for sandboxes of an older host
    std::string alias;
    TemplateConfig config; ///< what the template brings besides files
    TimePoint createdAt;
    TimePoint startedAt; ///< start or last resume
    TimePoint endAt;     ///< end of the lease; when paused, the time of the pause
    SandboxState state = SandboxState::Running;
    std::chrono::seconds createTimeout{300}; ///< what the lease was at create, for auto-resume
    bool autoPause = false;                  ///< pause instead of kill at the end of the lease
    bool autoPauseMemory = true;             ///< keep the processes in that pause
    bool autoResume = false;                 ///< wake up for traffic
    bool diskOnly = false;                   ///< paused with memory=false: traffic never wakes it
    std::optional<bool> allowInternetAccess; ///< as asked for; there is no network in any case
    bool allowPublicTraffic = true;
    std::optional<boost::json::object> network; ///< as asked for, for the detail answer
    std::string envdAccessToken;                ///< empty when the sandbox is not secure
    std::string trafficAccessToken;             ///< empty when every port is public
    std::map<std::string, std::string> metadata;
    std::map<std::string, std::string> envVars; ///< as asked for at create; they win over the template's

    std::vector<VolumeMount> volumeMounts;

    bool secure() const { return !envdAccessToken.empty(); }
    bool operator==(const SandboxRecord &) const = default;
};

/// The record as its file holds it.
boost::json::object toJson(const SandboxRecord &record);
/// Reads a record back; throws std::exception when a member is missing or of another kind.
SandboxRecord recordFromJson(const boost::json::object &object);

} // namespace boxdeck::host
