// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include <boost/json.hpp>

#include "backend/host/control_plane/list_query.h"
#include "backend/host/control_plane/routes.h"

namespace boxdeck::host {

namespace json = boost::json;

namespace {

ApiError noSuchTag(const std::string &tag, const StoredTemplate &stored)
{
    return {404,
            "tag '" + tag + "' does not exist for template '" + (stored.name.empty() ? stored.id : stored.name) + "'"};
}

asio::awaitable<Answer> assign(Services &services, const Call &call)
{
    const TagsRequest request = readAssignTags(call.body);
    const TemplateName target = readTemplateName(request.name);
    const StoredTemplate &stored = services.templates.find(request.name);
    const TemplateBuild *build = stored.readyBuild(target.tagOrDefault());
    if (build == nullptr)
        throw noSuchTag(target.tagOrDefault(), stored);
    const std::string buildId = build->id;
    std::vector<std::string> tags;
    for (const std::string &text : request.tags) {
        const std::string tag = readTag(text);
        if (std::find(tags.begin(), tags.end(), tag) == tags.end())
            tags.push_back(tag);
    }
    co_await services.templates.change(stored.id, [&](StoredTemplate &one) {
        for (const std::string &tag : tags)
            one.assign(tag, buildId);
    });
    co_return Answer::of(json::object{{"tags", json::array(tags.begin(), tags.end())}, {"buildID", buildId}}, 201);
}

asio::awaitable<Answer> remove(Services &services, const Call &call)
{
    const TagsRequest request = readRemoveTags(call.body);
    if (!readTemplateName(request.name).tag.empty())
        throw ApiError(400, "name must be without a tag; the tags to remove go into tags");
    const StoredTemplate &stored = services.templates.find(request.name);
    std::set<std::string> tags;
    for (const std::string &text : request.tags) {
        const std::string tag = readTag(text);
        if (tag == "default")
            throw ApiError(400, "the tag 'default' cannot be removed; put it on another build instead");
        if (stored.newestBuild(tag) == nullptr)
            throw noSuchTag(tag, stored);
        tags.insert(tag);
    }
    co_await services.templates.change(stored.id, [&](StoredTemplate &one) {
        std::erase_if(one.tags, [&tags](const TagAssignment &assignment) { return tags.contains(assignment.tag); });
    });
    co_return Answer::empty();
}

} // namespace

Answer listTags(const Services &services, const Call &call)
{
    const StoredTemplate &stored = services.templates.find(call.segments[1]);
    std::set<std::string> seen;
    json::array array;
    for (auto one = stored.tags.rbegin(); one != stored.tags.rend(); ++one) {
        if (seen.insert(one->tag).second)
            array.push_back(
                json::object{{"tag", one->tag}, {"buildID", one->buildId}, {"createdAt", toText(one->createdAt)}});
    }
    return Answer::of(array);
}

asio::awaitable<Answer> routeTags(Services &services, Call call)
{
    if (call.is("POST"))
        co_return co_await assign(services, call);
    call.expect("DELETE");
    co_return co_await remove(services, call);
}

} // namespace boxdeck::host
