// SPDX-License-Identifier: GPL-3.0-or-later
#include <boost/json.hpp>

#include "backend/host/control_plane/answers.h"
#include "backend/host/control_plane/list_query.h"
#include "backend/host/control_plane/routes.h"

namespace boxdeck::host {

namespace json = boost::json;

namespace {

constexpr std::chrono::seconds connectDefault{300};
constexpr std::chrono::seconds resumeDefault{15};

asio::awaitable<Answer> create(Services &services, Call call)
{
    CreateRequest request = readCreate(call.body, call.version == 2 ? ApiGeneration::V2 : ApiGeneration::V1);
    ResolvedTemplate from = services.templates.resolve(request.templateName);
    for (VolumeMount &mount : request.volumeMounts) {
        const auto volume = services.volumes.findByName(mount.name);
        if (!volume)
            throw ApiError(400, "volumeMounts: there is no volume named '" + mount.name + "'");
        mount.volumeId = volume->id;
    }
    const SandboxRecord record = co_await services.sandboxes.create(std::move(request), std::move(from));
    services.templates.countSpawn(record.templateId, record.startedAt);
    co_return Answer::of(toSandbox(record), 201);
}

Answer list(const Services &services, const Call &call)
{
    ListQuery query = readListQuery(call.query);
    if (!query.templateName.empty())
        query.templateName = [&] {
            try {
                return services.templates.find(query.templateName).id;
            } catch (const ApiError &error) {
                if (error.status() != 404)
                    throw;
                return query.templateName; // unknown: nothing will match
            }
        }();
    const ListPage page = makePage(services.sandboxes.list(), query);
    const Machine machine = sizesOf(services.sandboxes.isolation(), services.dataFolder);
    json::array sandboxes;
    for (const SandboxRecord &record : page.sandboxes)
        sandboxes.push_back(toListedSandbox(record, machine));
    Answer answer = Answer::of(sandboxes);
    if (page.totalRunning)
        answer.headers.set("X-Total-Running", std::to_string(*page.totalRunning));
    if (!page.nextToken.empty())
        answer.headers.set("X-Next-Token", page.nextToken);
    return answer;
}

Answer listRunning(const Services &services, const Call &call)
{
    ListQuery query{.paused = false};
    const http::Query parameters = readQuery(call.query);
    if (const auto metadata = singleParameter(parameters, "metadata"); metadata && !metadata->empty())
        query.metadata = readMetadataFilter(*metadata);
    query.limit = static_cast<std::size_t>(-1); // this form has no pages
    const Machine machine = sizesOf(services.sandboxes.isolation(), services.dataFolder);
    json::array sandboxes;
    for (const SandboxRecord &record : makePage(services.sandboxes.list(), query).sandboxes)
        sandboxes.push_back(toListedSandbox(record, machine));
    return Answer::of(sandboxes);
}

asio::awaitable<Answer> routeSandbox(Services &services, Call call)
{
    const std::string verb = call.segments.size() > 2 ? call.segments[2] : std::string();
    const std::string &text = call.segments[1];
    if (call.version == 2 && verb != "connect" && verb != "logs")
        throw call.noSuchRoute();
    if (verb.empty()) {
        const std::string id = readSandboxId(text);
        if (call.is("DELETE")) {
            co_await services.sandboxes.kill(id);
            co_return Answer::empty();
        }
        call.expect("GET");
        json::object detail =
            toSandboxDetail(services.sandboxes.get(id), sizesOf(services.sandboxes.isolation(), services.dataFolder));
        const json::object facts = toLocalFacts(services.sandboxes.isolation(), services.sandboxes.notice(id));
        for (const auto &[name, value] : facts)
            detail[name] = value;
        co_return Answer::of(detail);
    }
    if (verb == "metrics" || verb == "logs") {
        call.expect("GET");
        co_return verb == "metrics" ? answerMetrics(services, call, readSandboxId(text))
                                    : answerLogs(services, call, readSandboxId(text));
    }
    if (verb == "network") {
        call.expect("PUT");
        const std::string id = readSandboxId(text);
        services.sandboxes.get(id); // 404 before 400
        co_await services.sandboxes.setNetwork(id, readNetworkUpdate(call.body));
        co_return Answer::empty();
    }
    if (verb == "snapshots" || verb == "fork") {
        call.expect("POST");
        const std::string id = readSandboxId(text);
        if (verb == "fork")
            co_return co_await forkSandbox(services, call, id);
        co_return co_await createSnapshot(services, call, id);
    }
    if (verb != "pause" && verb != "resume" && verb != "connect" && verb != "timeout" && verb != "refreshes")
        throw call.noSuchRoute();
    call.expect("POST");
    const std::string id = readSandboxId(text);
    if (verb == "pause") {
        co_await services.sandboxes.pause(id, readPause(call.body));
        co_return Answer::empty();
    }
    if (verb == "timeout") {
        co_await services.sandboxes.setTimeout(id, readTimeout(call.body));
        co_return Answer::empty();
    }
    if (verb == "refreshes") {
        co_await services.sandboxes.refresh(id, readRefresh(call.body));
        co_return Answer::empty();
    }
    if (verb == "resume") {
        const SandboxRecord record = co_await services.sandboxes.resume(id, readConnect(call.body, resumeDefault));
        co_return Answer::of(toSandbox(record), 201);
    }
    const Connected connected = co_await services.sandboxes.connect(id, readConnect(call.body, connectDefault));
    co_return Answer::of(toSandbox(connected.record), connected.resumed ? 201 : 200);
}

} // namespace

asio::awaitable<Answer> routeSandboxes(Services &services, Call call)
{
    if (call.version > 2)
        throw call.noSuchRoute();
    if (call.segments.size() == 1) {
        if (call.is("POST"))
            co_return co_await create(services, std::move(call));
        call.expect("GET");
        co_return call.version == 2 ? list(services, call) : listRunning(services, call);
    }
    if (call.version == 1 && call.segments.size() == 2 && call.segments[1] == "metrics") {
        call.expect("GET");
        co_return answerBatchMetrics(services, call);
    }
    if (call.segments.size() > 3)
        throw call.noSuchRoute();
    co_return co_await routeSandbox(services, std::move(call));
}

} // namespace boxdeck::host
