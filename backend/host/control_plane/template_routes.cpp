// SPDX-License-Identifier: GPL-3.0-or-later
#include <boost/json.hpp>

#include "backend/host/control_plane/answers.h"
#include "backend/host/control_plane/list_query.h"
#include "backend/host/control_plane/routes.h"

namespace boxdeck::host {

namespace json = boost::json;

asio::awaitable<Answer> routeTemplates(Services &services, Call call)
{
    const bool newer = call.version == 2;
    const auto &segments = call.segments;
    const bool alias = segments.size() == 3 && segments[1] == "aliases";
    const bool readable = newer ? segments.size() == 1 : call.version == 1 && (segments.size() <= 2 || alias);
    if (!readable)
        throw call.noSuchRoute();
    if (!call.is("GET"))
        throw ApiError(405, "templates of this host cannot be made, changed or deleted yet (" + call.method + ' ' +
                                call.path + ')');
    const Machine machine = thisMachine(services.dataFolder);
    if (alias) {
        const Template known = resolveTemplate(segments[2]);
        co_return Answer::of(json::object{{"templateID", known.id}, {"public", true}});
    }
    if (!newer && segments.size() == 2) {
        const Template known = templateById(segments[1]);
        co_return Answer::of(toTemplateWithBuilds(known, machine, services.sandboxes.spawns(known.id)));
    }
    if (newer) {
        const http::Query parameters = readQuery(call.query);
        numberParameter(parameters, "limit", 100, 1, 100);
        // There is never a second page, so no token of ours exists.
        if (const auto token = singleParameter(parameters, "nextToken"); token && !token->empty())
            throw ApiError(400, "Invalid next token");
    }
    json::array templates;
    for (const Template &known : allTemplates())
        templates.push_back(toTemplate(known, machine, services.sandboxes.spawns(known.id)));
    co_return Answer::of(templates);
}

} // namespace boxdeck::host
