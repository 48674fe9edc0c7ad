// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/images/stored_template.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <boost/json.hpp>

#include "backend/host/images/template_name.h"

namespace boxdeck::host {

namespace json = boost::json;

namespace {

std::string text(const json::object &object, const char *name)
{
    return std::string(object.at(name).as_string());
}

TimePoint timeOf(const json::value &value)
{
    const auto time = timeFromText(std::string(value.as_string()));
    if (!time)
        throw std::runtime_error("a member is no time");
    return *time;
}

std::optional<TimePoint> optionalTime(const json::object &object, const char *name)
{
    const json::value *value = object.if_contains(name);
    return value == nullptr ? std::nullopt : std::optional(timeOf(*value));
}

BuildStatus statusFromText(const std::string &word)
{
    for (const BuildStatus status :
         {BuildStatus::Waiting, BuildStatus::Building, BuildStatus::Ready, BuildStatus::Error}) {
        if (word == statusWord(status))
            return status;
    }
    throw std::runtime_error("'" + word + "' is no status of a build");
}

json::object toJson(const TemplateBuild &build)
{
    json::object object{{"buildID", build.id},
                        {"status", statusWord(build.status)},
                        {"cpuCount", build.cpuCount},
                        {"memoryMB", build.memoryMb},
                        {"layer", build.layerId},
                        {"sourceSandbox", build.sourceSandbox},
                        {"config", toJson(build.config)},
                        {"createdAt", toText(build.createdAt)},
                        {"updatedAt", toText(build.updatedAt)}};
    if (build.reason)
        object["reason"] = {{"message", build.reason->message}, {"step", build.reason->step}};
    if (build.startedAt)
        object["startedAt"] = toText(*build.startedAt);
    if (build.finishedAt)
        object["finishedAt"] = toText(*build.finishedAt);
    return object;
}

TemplateBuild buildFromJson(const json::object &object)
{
    TemplateBuild build{.id = text(object, "buildID"),
                        .status = statusFromText(text(object, "status")),
                        .cpuCount = object.at("cpuCount").to_number<std::int64_t>(),
                        .memoryMb = object.at("memoryMB").to_number<std::int64_t>(),
                        .layerId = text(object, "layer"),
                        .sourceSandbox = text(object, "sourceSandbox"),
                        .config = configFromJson(object.at("config").as_object()),
                        .createdAt = timeOf(object.at("createdAt")),
                        .updatedAt = timeOf(object.at("updatedAt")),
                        .startedAt = optionalTime(object, "startedAt"),
                        .finishedAt = optionalTime(object, "finishedAt")};
    if (const json::value *reason = object.if_contains("reason"))
        build.reason =
            BuildReason{.message = text(reason->as_object(), "message"), .step = text(reason->as_object(), "step")};
    return build;
}

} // namespace

const char *statusWord(BuildStatus status)
{
    switch (status) {
    case BuildStatus::Waiting:
        return "waiting";
    case BuildStatus::Building:
        return "building";
    case BuildStatus::Ready:
        return "ready";
    case BuildStatus::Error:
        break;
    }
    return "error";
}

std::string StoredTemplate::fullName() const
{
    return builtIn || name.empty() ? name : std::string(teamSlug) + '/' + name;
}

const TemplateBuild *StoredTemplate::build(const std::string &buildId) const
{
    const auto found =
        std::find_if(builds.begin(), builds.end(), [&buildId](const TemplateBuild &one) { return one.id == buildId; });
    return found == builds.end() ? nullptr : &*found;
}

TemplateBuild *StoredTemplate::build(const std::string &buildId)
{
    return const_cast<TemplateBuild *>(std::as_const(*this).build(buildId));
}

const TemplateBuild *StoredTemplate::readyBuild(const std::string &tag) const
{
    for (auto assignment = tags.rbegin(); assignment != tags.rend(); ++assignment) {
        const TemplateBuild *candidate = assignment->tag == tag ? build(assignment->buildId) : nullptr;
        if (candidate != nullptr && candidate->status == BuildStatus::Ready)
            return candidate;
    }
    return nullptr;
}

const TemplateBuild *StoredTemplate::newestBuild(const std::string &tag) const
{
    for (auto assignment = tags.rbegin(); assignment != tags.rend(); ++assignment) {
        if (assignment->tag == tag)
            return build(assignment->buildId);
    }
    return nullptr;
}

void StoredTemplate::assign(const std::string &tag, const std::string &buildId)
{
    // An older assignment of the same pair says nothing any more.
    std::erase_if(tags, [&](const TagAssignment &one) { return one.tag == tag && one.buildId == buildId; });
    tags.push_back({tag, buildId, now()});
}

json::object toJson(const StoredTemplate &stored)
{
    json::array builds;
    for (const TemplateBuild &build : stored.builds)
        builds.push_back(toJson(build));
    json::array tags;
    for (const TagAssignment &one : stored.tags)
        tags.push_back(json::object{{"tag", one.tag}, {"buildID", one.buildId}, {"createdAt", toText(one.createdAt)}});
    json::object object{{"version", 1},
                        {"templateID", stored.id},
                        {"name", stored.name},
                        {"kind", stored.kind == StoredTemplate::Kind::Snapshot ? "snapshot" : "template"},
                        {"public", stored.isPublic},
                        {"createdAt", toText(stored.createdAt)},
                        {"updatedAt", toText(stored.updatedAt)},
                        {"spawnCount", stored.spawnCount},
                        {"builds", std::move(builds)},
                        {"tags", std::move(tags)}};
    if (stored.lastSpawnedAt)
        object["lastSpawnedAt"] = toText(*stored.lastSpawnedAt);
    return object;
}

StoredTemplate templateFromJson(const json::object &object)
{
    StoredTemplate stored{.id = text(object, "templateID"),
                          .name = text(object, "name"),
                          .kind = text(object, "kind") == "snapshot" ? StoredTemplate::Kind::Snapshot
                                                                     : StoredTemplate::Kind::Template,
                          .isPublic = object.at("public").as_bool(),
                          .createdAt = timeOf(object.at("createdAt")),
                          .updatedAt = timeOf(object.at("updatedAt")),
                          .spawnCount = object.at("spawnCount").to_number<std::int64_t>(),
                          .lastSpawnedAt = optionalTime(object, "lastSpawnedAt")};
    for (const json::value &build : object.at("builds").as_array())
        stored.builds.push_back(buildFromJson(build.as_object()));
    for (const json::value &one : object.at("tags").as_array()) {
        const json::object &tag = one.as_object();
        stored.tags.push_back({text(tag, "tag"), text(tag, "buildID"), timeOf(tag.at("createdAt"))});
    }
    return stored;
}

} // namespace boxdeck::host
