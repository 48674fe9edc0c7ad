// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/control_plane/template_answers.h"

#include <boost/json.hpp>

#include "backend/host/version.h"

namespace boxdeck::host {

namespace json = boost::json;

namespace {

constexpr const char *noBuild = "00000000-0000-0000-0000-000000000000";

json::array oneOrNone(const std::string &name)
{
    return name.empty() ? json::array() : json::array{name};
}

json::object head(const StoredTemplate &stored)
{
    json::object object{{"templateID", stored.id},
                        {"public", stored.isPublic},
                        {"aliases", aliasesOf(stored)},
                        {"names", namesOf(stored)},
                        {"createdAt", toText(stored.createdAt)},
                        {"updatedAt", toText(stored.updatedAt)},
                        {"lastSpawnedAt", nullptr},
                        {"spawnCount", stored.spawnCount}};
    if (stored.lastSpawnedAt)
        object["lastSpawnedAt"] = toText(*stored.lastSpawnedAt);
    return object;
}

void addSizes(json::object &object, const TemplateBuild &build, const Machine &machine)
{
    object["cpuCount"] = build.cpuCount > 0 ? build.cpuCount : machine.cpuCount;
    object["memoryMB"] = build.memoryMb > 0 ? build.memoryMb : machine.memoryMb;
}

} // namespace

json::array namesOf(const StoredTemplate &stored)
{
    return oneOrNone(stored.fullName());
}

json::array aliasesOf(const StoredTemplate &stored)
{
    return oneOrNone(stored.name);
}

json::object toTemplate(const StoredTemplate &stored, const Machine &machine)
{
    json::object object = head(stored);
    const TemplateBuild *ready = stored.readyBuild("default");
    const TemplateBuild *newest = stored.newestBuild("default");
    object["buildID"] = ready == nullptr ? noBuild : ready->id;
    object["createdBy"] = nullptr;
    object["buildCount"] = stored.builds.size();
    object["buildStatus"] = statusWord(newest == nullptr ? BuildStatus::Waiting : newest->status);
    object["envdVersion"] = ready == nullptr ? "" : envdVersion;
    if (ready == nullptr) {
        for (const char *size : {"cpuCount", "memoryMB", "diskSizeMB"})
            object[size] = 0;
    } else {
        addSizes(object, *ready, machine);
        object["diskSizeMB"] = machine.diskMb;
    }
    return object;
}

json::object toTemplateBuild(const TemplateBuild &build, const Machine &machine)
{
    json::object object{{"buildID", build.id},
                        {"status", statusWord(build.status)},
                        {"createdAt", toText(build.createdAt)},
                        {"updatedAt", toText(build.updatedAt)}};
    if (build.finishedAt)
        object["finishedAt"] = toText(*build.finishedAt);
    addSizes(object, build, machine);
    if (build.status == BuildStatus::Ready) {
        object["diskSizeMB"] = machine.diskMb;
        object["envdVersion"] = envdVersion;
    }
    return object;
}

json::object toTemplateWithBuilds(const StoredTemplate &stored, const std::vector<const TemplateBuild *> &builds,
                                  const Machine &machine)
{
    json::object object = head(stored);
    json::array page;
    for (const TemplateBuild *build : builds)
        page.push_back(toTemplateBuild(*build, machine));
    object["builds"] = std::move(page);
    return object;
}

} // namespace boxdeck::host
