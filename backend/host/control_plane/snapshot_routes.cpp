// SPDX-License-Identifier: GPL-3.0-or-later
#include <boost/json.hpp>

#include "backend/host/control_plane/answers.h"
#include "backend/host/control_plane/paging.h"
#include "backend/host/control_plane/routes.h"
#include "backend/host/control_plane/template_answers.h"

namespace boxdeck::host {

namespace json = boost::json;

namespace {

// The form of protocol/lifecycle.md, section 5.
json::object toSnapshotInfo(const StoredTemplate &stored, const std::string &tag)
{
    const std::string name = stored.name.empty() ? stored.id : stored.fullName();
    return {{"snapshotID", name + ':' + tag}, {"names", namesOf(stored)}};
}

// The name to store a snapshot under, and the one that has it already.
const StoredTemplate *checkName(const Services &services, const TemplateName &name)
{
    if (!name.space.empty() && name.space != teamSlug)
        throw ApiError(400,
                       "the namespace of a snapshot must be '" + std::string(teamSlug) + "', not '" + name.space + "'");
    if (!name.tag.empty())
        readTag(name.tag);
    const StoredTemplate *known = services.templates.find(TemplateName{.name = name.name});
    if (known != nullptr && known->kind != StoredTemplate::Kind::Snapshot)
        throw ApiError(400, "'" + name.name + "' is the name of a template; give the snapshot another one");
    return known;
}

TemplateBuild toBuild(const Captured &captured)
{
    TemplateBuild build{.id = randomUuid(),
                        .status = BuildStatus::Ready,
                        .layerId = captured.layerId,
                        .sourceSandbox = captured.record.id,
                        .config = captured.record.config,
                        .createdAt = now()};
    build.updatedAt = build.createdAt;
    build.startedAt = build.finishedAt = build.createdAt;
    // The reference keeps them in the daemon's memory.
    for (const auto &[name, value] : captured.record.envVars)
        build.config.envVars[name] = value;
    return build;
}

// Puts the captured files into the catalog; gives the id of the template.
asio::awaitable<std::string> keep(Services &services, TemplateName name, const Captured &captured)
{
    TemplateBuild build = toBuild(captured);
    const std::string buildId = build.id;
    const std::string tag = name.tagOrDefault();
    // Asked again: while the files were copied another call may have made it, or deleted it.
    const StoredTemplate *known = name.name.empty() ? nullptr : checkName(services, name);
    if (known != nullptr) {
        const std::string id = known->id;
        co_await services.templates.change(id, [&](StoredTemplate &stored) {
            stored.builds.push_back(std::move(build));
            stored.assign(tag, buildId);
        });
        co_return id;
    }
    StoredTemplate stored{.id = randomId(20),
                          .name = name.name,
                          .kind = StoredTemplate::Kind::Snapshot,
                          .createdAt = build.createdAt,
                          .updatedAt = build.createdAt};
    stored.builds.push_back(std::move(build));
    stored.assign(tag, buildId);
    const std::string id = stored.id;
    co_await services.templates.add(std::move(stored));
    co_return id;
}

} // namespace

asio::awaitable<Answer> createSnapshot(Services &services, const Call &call, std::string sandboxId)
{
    const std::string text = readSnapshotName(call.body);
    TemplateName name;
    if (!text.empty()) {
        name = readTemplateName(text);
        checkName(services, name);
    }
    const Captured captured = co_await services.sandboxes.capture(sandboxId, 404);
    std::optional<ApiError> refusal;
    std::string id;
    try {
        id = co_await keep(services, name, captured);
    } catch (const ApiError &error) {
        refusal = error;
    }
    if (refusal) {
        co_await services.layers.remove(captured.layerId);
        throw ApiError(*refusal);
    }
    services.sandboxes.noteTo(sandboxId, "Snapshot " + (name.name.empty() ? id : name.name) + " taken");
    co_return Answer::of(toSnapshotInfo(services.templates.byId(id), name.tagOrDefault()), 201);
}

asio::awaitable<Answer> forkSandbox(Services &services, const Call &call, std::string sandboxId)
{
    services.sandboxes.get(sandboxId); // 404 before 400
    const std::vector<ForkResult> results = co_await services.sandboxes.fork(sandboxId, readFork(call.body));
    json::array array;
    for (const ForkResult &result : results) {
        if (result.sandbox)
            array.push_back(json::object{{"sandbox", toSandbox(*result.sandbox)}});
        else
            array.push_back(
                json::object{{"error", {{"code", result.error->status()}, {"message", result.error->what()}}}});
    }
    co_return Answer::of(array, 201);
}

asio::awaitable<Answer> routeSnapshots(Services &services, Call call)
{
    if (call.version != 1 || call.segments.size() != 1)
        throw call.noSuchRoute();
    call.expect("GET");
    const http::Query parameters = readQuery(call.query);
    const std::string source = singleParameter(parameters, "sandboxID").value_or("");
    const std::string text = singleParameter(parameters, "name").value_or("");
    const TemplateName wanted = text.empty() ? TemplateName() : readTemplateName(text);

    struct Shown
    {
        const StoredTemplate *stored;
        const TemplateBuild *build;
        std::string tag;
    };
    std::vector<Shown> shown;
    for (const StoredTemplate *stored : services.templates.all()) {
        if (stored->kind != StoredTemplate::Kind::Snapshot)
            continue;
        if (!text.empty() && services.templates.find(wanted) != stored)
            continue;
        // One entry per name: its newest ready build, under the tag that came to it last.
        const TagAssignment *newest = nullptr;
        const TemplateBuild *newestBuild = nullptr;
        for (const TagAssignment &one : stored->tags) {
            const TemplateBuild *build = stored->readyBuild(one.tag);
            if (build == nullptr || build->id != one.buildId || (!wanted.tag.empty() && one.tag != wanted.tag) ||
                (!source.empty() && build->sourceSandbox != source))
                continue;
            if (newestBuild == nullptr || build->createdAt >= newestBuild->createdAt) {
                newest = &one;
                newestBuild = build;
            }
        }
        if (newest != nullptr)
            shown.push_back({stored, newestBuild, newest->tag});
    }
    const std::string token = cutToPage(shown, readPageRequest(parameters), [](const Shown &one) {
        return PageCursor{one.build->createdAt, one.stored->id};
    });
    json::array array;
    for (const Shown &one : shown)
        array.push_back(toSnapshotInfo(*one.stored, one.tag));
    co_return withNextToken(Answer::of(array), token);
}

} // namespace boxdeck::host
