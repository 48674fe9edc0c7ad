// SPDX-License-Identifier: GPL-3.0-or-later
#include <boost/json.hpp>

#include "backend/host/control_plane/paging.h"
#include "backend/host/control_plane/routes.h"
#include "backend/host/control_plane/template_answers.h"

namespace boxdeck::host {

namespace json = boost::json;

namespace {

std::vector<const StoredTemplate *> listedTemplates(const Services &services)
{
    std::vector<const StoredTemplate *> templates = services.templates.all();
    std::erase_if(templates, [](const StoredTemplate *one) { return one->kind == StoredTemplate::Kind::Snapshot; });
    return templates;
}

Answer list(const Services &services, const Call &call)
{
    const http::Query parameters = readQuery(call.query);
    std::vector<const StoredTemplate *> templates = listedTemplates(services);
    PageRequest page{.limit = templates.size()};
    if (call.version == 2)
        page = readPageRequest(parameters);
    const std::string token = cutToPage(templates, page, [](const StoredTemplate *one) {
        return PageCursor{one->createdAt, one->id};
    });
    if (call.version == 1)
        std::reverse(templates.begin(), templates.end()); // the older form begins with the oldest
    const Machine machine = sizesOf(services.sandboxes.isolation(), services.dataFolder);
    json::array array;
    for (const StoredTemplate *one : templates)
        array.push_back(toTemplate(*one, machine));
    return withNextToken(Answer::of(array), token);
}

Answer get(const Services &services, const Call &call)
{
    const StoredTemplate &stored = services.templates.byId(call.segments[1]);
    std::vector<const TemplateBuild *> builds;
    for (const TemplateBuild &build : stored.builds)
        builds.push_back(&build);
    const std::string token = cutToPage(builds, readPageRequest(readQuery(call.query)), [](const TemplateBuild *one) {
        return PageCursor{one->createdAt, one->id};
    });
    return withNextToken(
        Answer::of(toTemplateWithBuilds(stored, builds, sizesOf(services.sandboxes.isolation(), services.dataFolder))),
        token);
}

Answer alias(const Services &services, const Call &call)
{
    const TemplateName name = readTemplateName(call.segments[2]);
    if (!name.space.empty() && name.space != teamSlug)
        throw ApiError(400, "the namespace '" + name.space + "' is not this host's, which is '" + teamSlug + "'");
    const StoredTemplate &stored = services.templates.find(call.segments[2]);
    if (!name.tag.empty() && stored.newestBuild(name.tag) == nullptr)
        throw ApiError(404, "tag '" + name.tag + "' does not exist for template '" + name.name + "'");
    return Answer::of(json::object{{"templateID", stored.id}, {"public", stored.isPublic}});
}

// Nothing of a sandbox hangs on its template here, its files are a copy. Refused all the same, as the reference does:
// whoever deletes is told what was made from it (protocol/lifecycle.md, section 5).
void refuseWhileUsed(const Services &services, const StoredTemplate &stored)
{
    constexpr std::size_t named = 5;
    std::string users;
    std::size_t count = 0;
    for (const SandboxRecord &record : services.sandboxes.list()) {
        if (record.templateId != stored.id || ++count > named)
            continue;
        users += (users.empty() ? "" : ", ") + record.id + (record.state == SandboxState::Paused ? " (paused)" : "");
    }
    if (count == 0)
        return;
    if (count > named)
        users += " and " + std::to_string(count - named) + " more";
    throw ApiError(400, std::string("cannot delete ") +
                            (stored.kind == StoredTemplate::Kind::Snapshot ? "the snapshot" : "the template") +
                            " because sandboxes made from it exist: " + users);
}

asio::awaitable<Answer> erase(Services &services, const Call &call)
{
    // A tag is read and ignored: everything of that name goes.
    const std::string id = services.templates.find(call.segments[1]).id;
    if (!services.templates.byId(id).builtIn)
        refuseWhileUsed(services, services.templates.byId(id));
    co_await services.builds.forget(id);
    const std::vector<TemplateBuild> builds = services.templates.byId(id).builds;
    co_await services.templates.remove(id);
    for (const TemplateBuild &build : builds)
        co_await services.builds.release(build.layerId);
    co_return Answer::empty();
}

asio::awaitable<Answer> change(Services &services, const Call &call)
{
    const std::string id = services.templates.find(call.segments[1]).id;
    if (const auto isPublic = readTemplateUpdate(call.body))
        co_await services.templates.change(id, [&](StoredTemplate &stored) { stored.isPublic = *isPublic; });
    if (call.version == 1)
        co_return Answer::empty(200);
    co_return Answer::of(json::object{{"names", namesOf(services.templates.byId(id))}});
}

} // namespace

asio::awaitable<Answer> routeTemplates(Services &services, Call call)
{
    const auto &segments = call.segments;
    if (segments.size() == 2 && segments[1] == "tags" && call.version == 1)
        co_return co_await routeTags(services, std::move(call));
    if (isBuildCall(call))
        co_return co_await routeBuilds(services, std::move(call));
    if (segments.size() == 1 && call.version <= 2) {
        call.expect("GET");
        co_return list(services, call);
    }
    if (call.version == 1 && segments.size() == 3 && segments[1] == "aliases") {
        call.expect("GET");
        co_return alias(services, call);
    }
    if (segments.size() == 3 && segments[2] == "tags" && call.version == 1) {
        call.expect("GET");
        co_return listTags(services, call);
    }
    if (segments.size() == 2 && call.version <= 2) {
        if (call.is("PATCH"))
            co_return co_await change(services, call);
        if (call.version == 2)
            throw call.wrongMethod();
        if (call.is("DELETE"))
            co_return co_await erase(services, call);
        call.expect("GET");
        co_return get(services, call);
    }
    throw call.noSuchRoute();
}

} // namespace boxdeck::host
