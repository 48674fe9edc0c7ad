// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "backend/host/control_plane/record.h"
#include "backend/host/images/template_config.h"

namespace boxdeck::host {

enum class BuildStatus { Waiting, Building, Ready, Error };
/// `waiting`, `building`, `ready` or `error`.
const char *statusWord(BuildStatus status);

/// Why a build failed. `step` is `base`, the number of the step from 1, or `finalize`.
struct BuildReason
{
    std::string message;
    std::string step;

    bool operator==(const BuildReason &) const = default;
};

/// One build of a template: a root file system kept as a layer, and what belongs to it.
struct TemplateBuild
{
    std::string id; ///< UUID text
    BuildStatus status = BuildStatus::Waiting;
    std::optional<BuildReason> reason; ///< with Error
    std::int64_t cpuCount = 0;         ///< as asked for; sandboxes here see all of this computer
    std::int64_t memoryMb = 0;         ///< as asked for
    std::string layerId;               ///< of LayerStore; empty = the layout every sandbox of `base` begins with
    std::string sourceSandbox;         ///< of a snapshot: the sandbox it was taken of
    TemplateConfig config;
    TimePoint createdAt;
    TimePoint updatedAt;
    std::optional<TimePoint> startedAt;
    std::optional<TimePoint> finishedAt;

    bool operator==(const TemplateBuild &) const = default;
};

/// A tag that was put on a build. Later ones win; a build that is not ready yet does not count for lookups.
struct TagAssignment
{
    std::string tag;
    std::string buildId;
    TimePoint createdAt;

    bool operator==(const TagAssignment &) const = default;
};

/// A template or a snapshot with all its builds and tags.
struct StoredTemplate
{
    enum class Kind { Template, Snapshot };

    std::string id;   ///< 20 characters of [a-z0-9]
    std::string name; ///< without namespace; empty for a snapshot without a name
    Kind kind = Kind::Template;
    bool builtIn = false; ///< `base`: can be neither changed nor deleted, and has no namespace
    bool isPublic = false;
    TimePoint createdAt;
    TimePoint updatedAt;
    std::int64_t spawnCount = 0;
    std::optional<TimePoint> lastSpawnedAt;
    std::vector<TemplateBuild> builds; ///< oldest first
    std::vector<TagAssignment> tags;   ///< oldest first

    /// `namespace/name`, the bare name for what is built in, empty without a name.
    std::string fullName() const;
    const TemplateBuild *build(const std::string &buildId) const;
    TemplateBuild *build(const std::string &buildId);
    /// Build of the newest assignment of @p tag whose build is ready; null if there is none.
    const TemplateBuild *readyBuild(const std::string &tag) const;
    /// Build of the newest assignment of @p tag whatever its status; null if there is none.
    const TemplateBuild *newestBuild(const std::string &tag) const;
    /// Puts @p tag on a build, now.
    void assign(const std::string &tag, const std::string &buildId);

    bool operator==(const StoredTemplate &) const = default;
};

/// As its file holds it.
boost::json::object toJson(const StoredTemplate &stored);
/// Reads it back; throws std::exception when something is missing or of another kind.
StoredTemplate templateFromJson(const boost::json::object &object);

} // namespace boxdeck::host
