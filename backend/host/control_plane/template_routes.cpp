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
    const Machine machine = thisMachine(services.dataFolder);
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
    return withNextToken(Answer::of(toTemplateWithBuilds(stored, builds, thisMachine(services.dataFolder))), token);
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

} // namespace

asio::awaitable<Answer> routeTemplates(Services &services, Call call)
{
    if (isBuildCall(call))
        co_return co_await routeBuilds(services, std::move(call));
    const auto &segments = call.segments;
    if (segments.size() == 1 && call.version <= 2) {
        call.expect("GET");
        co_return list(services, call);
    }
    if (call.version == 1 && segments.size() == 3 && segments[1] == "aliases") {
        call.expect("GET");
        co_return alias(services, call);
    }
    if (call.version == 1 && segments.size() == 2) {
        call.expect("GET");
        co_return get(services, call);
    }
    throw call.noSuchRoute();
}

} // namespace boxdeck::host
