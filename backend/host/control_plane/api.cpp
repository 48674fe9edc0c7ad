// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/control_plane/api.h"

#include <algorithm>

#include <boost/json.hpp>

#include "backend/host/control_plane/list_query.h"
#include "backend/host/control_plane/secret_compare.h"

namespace boxdeck::host {

namespace json = boost::json;

namespace {

constexpr std::size_t bodyLimit = 16 * 1024 * 1024;
constexpr std::chrono::seconds connectDefault{300};
constexpr std::chrono::seconds resumeDefault{15};

http::Headers crossOrigin()
{
    return {{"Access-Control-Allow-Origin", "*"},
            {"Access-Control-Expose-Headers", "X-Next-Token, X-Total-Running, RateLimit-Limit, RateLimit-Remaining, "
                                              "RateLimit-Reset, Retry-After"}};
}

// Routing is on the raw text: an encoded slash never makes two segments.
std::vector<std::string> segmentsOf(const std::string &path)
{
    std::vector<std::string> segments;
    std::size_t at = 0;
    while (at < path.size() && path[at] == '/') {
        const auto end = path.find('/', at + 1);
        const auto decoded = http::percentDecode(path.substr(at + 1, end - at - 1));
        if (!decoded)
            throw ApiError(400, "validation error: the path has a malformed percent sign");
        segments.push_back(*decoded);
        if (end == std::string::npos)
            break;
        at = end;
    }
    return segments;
}

} // namespace

struct ControlPlane::Answer
{
    int status = 200;
    std::string body;
    http::Headers headers;

    static Answer empty(int status = 204) { return {.status = status}; }
    static Answer of(const json::value &value, int status = 200)
    {
        return {.status = status, .body = json::serialize(value)};
    }
    static Answer of(const ApiError &error)
    {
        json::object body{{"code", error.status()}, {"message", error.what()}};
        if (!error.errorCode().empty())
            body["error_code"] = error.errorCode();
        return of(body, error.status());
    }
};

struct ControlPlane::Call
{
    std::string method;
    std::string path;
    std::string query;
    std::vector<std::string> segments;
    std::string body;

    bool is(const char *wanted) const { return method == wanted; }
    ApiError wrongMethod() const { return {405, "method " + method + " is not allowed on " + path}; }
    ApiError noSuchRoute() const
    {
        return {404, "no such route: " + method + ' ' + path + " (not served by this host)"};
    }
};

ControlPlane::ControlPlane(SandboxManager &manager, std::string apiKey, std::string dataFolder)
    : m_manager(manager)
    , m_apiKey(std::move(apiKey))
    , m_dataFolder(std::move(dataFolder))
{
}

void ControlPlane::checkKey(const http::Request &request) const
{
    const auto key = request.headers.get("X-API-Key");
    if (!key || key->empty())
        throw ApiError(401, request.headers.contains("Authorization")
                                ? "This host takes an API key only: the X-API-Key header is missing"
                                : "Missing authorization header: send the API key in X-API-Key");
    if (equalSecrets(*key, m_apiKey))
        return;
    constexpr std::string_view prefix = "e2b_";
    if (std::string_view(m_apiKey).starts_with(prefix) && !key->starts_with(prefix))
        throw ApiError(401, "Invalid API key format: keys of this host begin with e2b_");
    throw ApiError(401, "Invalid API key, please check that it is the key of this host");
}

asio::awaitable<void> ControlPlane::serve(http::Exchange &exchange)
{
    const http::Request &request = exchange.request();
    if (request.method == "OPTIONS") {
        http::Headers headers = crossOrigin();
        headers.set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
        const auto asked = request.headers.get("Access-Control-Request-Headers");
        headers.set("Access-Control-Allow-Headers", asked ? std::string(*asked) : "*");
        headers.set("Access-Control-Max-Age", "7200");
        co_await exchange.respond(204, std::move(headers));
        co_return;
    }
    Answer result;
    try {
        result = co_await answer(exchange);
    } catch (const ApiError &error) {
        result = Answer::of(error);
    } catch (const http::BodyTooLarge &) {
        result = Answer::of(ApiError(413, "the request body is larger than 16 MiB"));
    } catch (const boost::system::system_error &) {
        throw; // the connection broke
    } catch (const std::exception &error) {
        result = Answer::of(ApiError(500, error.what(), "internal_server_error"));
    }
    const http::Headers common = crossOrigin();
    for (const auto &[name, value] : common.fields())
        result.headers.set(name, value);
    if (!result.body.empty())
        result.headers.set("Content-Type", "application/json; charset=utf-8");
    co_await exchange.respond(result.status, std::move(result.headers), std::move(result.body));
}

asio::awaitable<ControlPlane::Answer> ControlPlane::answer(http::Exchange &exchange)
{
    const http::Request &request = exchange.request();
    Call call{
        .method = request.method, .path = request.path, .query = request.query, .segments = segmentsOf(request.path)};
    if (call.path == "/health") {
        if (!call.is("GET") && !call.is("HEAD"))
            throw call.wrongMethod();
        co_return Answer::empty();
    }
    checkKey(request);
    call.body = co_await exchange.readBody(bodyLimit);
    co_return co_await route(std::move(call));
}

asio::awaitable<ControlPlane::Answer> ControlPlane::route(Call call)
{
    const auto &segments = call.segments;
    if (!segments.empty() && segments[0] == "sandboxes")
        co_return co_await routeSandboxes(std::move(call));
    if (segments.size() >= 2 && segments[0] == "v2" && segments[1] == "sandboxes")
        co_return co_await routeSandboxes(std::move(call));
    if ((!segments.empty() && segments[0] == "templates") ||
        (segments.size() == 2 && segments[0] == "v2" && segments[1] == "templates"))
        co_return routeTemplates(call);
    throw call.noSuchRoute();
}

asio::awaitable<ControlPlane::Answer> ControlPlane::create(Call call)
{
    const bool newer = call.segments[0] == "v2";
    CreateRequest request = readCreate(call.body, newer ? ApiGeneration::V2 : ApiGeneration::V1);
    Template from = resolveTemplate(request.templateName);
    const SandboxRecord record = co_await m_manager.create(std::move(request), std::move(from));
    co_return Answer::of(toSandbox(record), 201);
}

asio::awaitable<ControlPlane::Answer> ControlPlane::routeSandboxes(Call call)
{
    const bool newer = call.segments[0] == "v2";
    const std::size_t first = newer ? 2 : 1;
    if (call.segments.size() == first) {
        if (call.is("POST"))
            co_return co_await create(std::move(call));
        if (!call.is("GET"))
            throw call.wrongMethod();
        co_return newer ? list(call) : listRunning(call);
    }
    if (!newer && call.segments.size() == 2 && call.segments[1] == "metrics") {
        if (!call.is("GET"))
            throw call.wrongMethod();
        co_return batchMetrics(call);
    }
    if (call.segments.size() > first + 2)
        throw call.noSuchRoute();
    co_return co_await routeSandbox(std::move(call));
}

asio::awaitable<ControlPlane::Answer> ControlPlane::routeSandbox(Call call)
{
    const bool newer = call.segments[0] == "v2";
    const std::size_t first = newer ? 2 : 1;
    const std::string verb = call.segments.size() > first + 1 ? call.segments[first + 1] : std::string();
    const std::string &text = call.segments[first];
    const auto expect = [&call](const char *method) {
        if (!call.is(method))
            throw call.wrongMethod();
    };
    if (newer && verb != "connect" && verb != "logs")
        throw call.noSuchRoute();
    if (verb.empty()) {
        const std::string id = readSandboxId(text);
        if (call.is("DELETE")) {
            co_await m_manager.kill(id);
            co_return Answer::empty();
        }
        expect("GET");
        json::object detail = toSandboxDetail(m_manager.get(id), thisMachine(m_dataFolder));
        const json::object facts = toLocalFacts(m_manager.isolation(), m_manager.notice(id));
        for (const auto &[name, value] : facts)
            detail[name] = value;
        co_return Answer::of(detail);
    }
    if (verb == "metrics" || verb == "logs") {
        expect("GET");
        co_return verb == "metrics" ? metrics(call, readSandboxId(text)) : logs(call, readSandboxId(text));
    }
    if (verb == "network") {
        expect("PUT");
        const std::string id = readSandboxId(text);
        m_manager.get(id); // 404 before 400
        co_await m_manager.setNetwork(id, readNetworkUpdate(call.body));
        co_return Answer::empty();
    }
    if (verb != "pause" && verb != "resume" && verb != "connect" && verb != "timeout" && verb != "refreshes")
        throw call.noSuchRoute();
    expect("POST");
    const std::string id = readSandboxId(text);
    if (verb == "pause") {
        co_await m_manager.pause(id, readPause(call.body));
        co_return Answer::empty();
    }
    if (verb == "timeout") {
        co_await m_manager.setTimeout(id, readTimeout(call.body));
        co_return Answer::empty();
    }
    if (verb == "refreshes") {
        co_await m_manager.refresh(id, readRefresh(call.body));
        co_return Answer::empty();
    }
    if (verb == "resume") {
        const SandboxRecord record = co_await m_manager.resume(id, readConnect(call.body, resumeDefault));
        co_return Answer::of(toSandbox(record), 201);
    }
    const Connected connected = co_await m_manager.connect(id, readConnect(call.body, connectDefault));
    co_return Answer::of(toSandbox(connected.record), connected.resumed ? 201 : 200);
}

ControlPlane::Answer ControlPlane::list(const Call &call) const
{
    ListQuery query = readListQuery(call.query);
    if (!query.templateName.empty())
        query.templateName = [&query] {
            try {
                return resolveTemplate(query.templateName).id;
            } catch (const ApiError &error) {
                if (error.status() != 404)
                    throw;
                return query.templateName; // unknown: nothing will match
            }
        }();
    const ListPage page = makePage(m_manager.list(), query);
    const Machine machine = thisMachine(m_dataFolder);
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

ControlPlane::Answer ControlPlane::listRunning(const Call &call) const
{
    ListQuery query{.paused = false};
    const http::Query parameters = readQuery(call.query);
    if (const auto metadata = singleParameter(parameters, "metadata"); metadata && !metadata->empty())
        query.metadata = readMetadataFilter(*metadata);
    query.limit = static_cast<std::size_t>(-1); // this form has no pages
    const Machine machine = thisMachine(m_dataFolder);
    json::array sandboxes;
    for (const SandboxRecord &record : makePage(m_manager.list(), query).sandboxes)
        sandboxes.push_back(toListedSandbox(record, machine));
    return Answer::of(sandboxes);
}

ControlPlane::Answer ControlPlane::routeTemplates(const Call &call) const
{
    const bool newer = call.segments[0] == "v2";
    const auto &segments = call.segments;
    const bool alias = segments.size() == 3 && segments[1] == "aliases";
    const bool readable = newer || segments.size() <= 2 || alias;
    if (!readable)
        throw call.noSuchRoute();
    if (!call.is("GET"))
        throw ApiError(405, "templates of this host cannot be made, changed or deleted yet (" + call.method + ' ' +
                                call.path + ')');
    const Machine machine = thisMachine(m_dataFolder);
    if (alias) {
        const Template known = resolveTemplate(segments[2]);
        return Answer::of(json::object{{"templateID", known.id}, {"public", true}});
    }
    if (!newer && segments.size() == 2) {
        const Template known = templateById(segments[1]);
        return Answer::of(toTemplateWithBuilds(known, machine, m_manager.spawns(known.id)));
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
        templates.push_back(toTemplate(known, machine, m_manager.spawns(known.id)));
    return Answer::of(templates);
}

ControlPlane::Answer ControlPlane::metrics(const Call &call, const std::string &id) const
{
    constexpr std::int64_t forever = 4'000'000'000;
    const http::Query parameters = readQuery(call.query);
    const std::int64_t start = numberParameter(parameters, "start", 0, 0, INT64_MAX);
    const std::int64_t end = numberParameter(parameters, "end", forever, 0, INT64_MAX);
    json::array samples;
    for (const MetricSample &sample : m_manager.metrics(id)) {
        const auto at = std::chrono::floor<std::chrono::seconds>(sample.time).time_since_epoch().count();
        if (at >= start && at <= end)
            samples.push_back(toMetric(sample));
    }
    return Answer::of(samples);
}

ControlPlane::Answer ControlPlane::batchMetrics(const Call &call) const
{
    const auto ids = singleParameter(readQuery(call.query), "sandbox_ids");
    if (!ids || ids->empty())
        throw ApiError(400, "validation error: sandbox_ids is required");
    json::object sandboxes;
    std::size_t count = 0;
    for (std::size_t at = 0; at <= ids->size();) {
        const auto end = std::min(ids->find(',', at), ids->size());
        const std::string id = readSandboxId(std::string_view(*ids).substr(at, end - at));
        at = end + 1;
        if (++count > 100)
            throw ApiError(400, "validation error: sandbox_ids takes at most 100 ids");
        try {
            const auto samples = m_manager.metrics(id);
            if (!samples.empty())
                sandboxes[id] = toMetric(samples.back());
        } catch (const ApiError &) {
            continue; // an unknown one is simply missing from the map
        }
    }
    return Answer::of(json::object{{"sandboxes", std::move(sandboxes)}});
}

ControlPlane::Answer ControlPlane::logs(const Call &call, const std::string &id) const
{
    const bool newer = call.segments[0] == "v2";
    const http::Query parameters = readQuery(call.query);
    const std::int64_t limit = numberParameter(parameters, "limit", 1000, 0, newer ? 1000 : INT32_MAX);
    const std::int64_t from = numberParameter(parameters, newer ? "cursor" : "start", -1, 0, INT64_MAX);
    const std::string direction = newer ? singleParameter(parameters, "direction").value_or("backward") : "forward";
    if (direction != "forward" && direction != "backward")
        throw ApiError(400, "validation error: direction must be forward or backward");
    const std::string level = singleParameter(parameters, "level").value_or("debug");
    const std::vector<std::string> levels{"debug", "info", "warn", "error"};
    const auto least = std::find(levels.begin(), levels.end(), level);
    if (least == levels.end())
        throw ApiError(400, "validation error: level must be debug, info, warn or error");
    const std::string search = singleParameter(parameters, "search").value_or("");
    if (!newer)
        m_manager.get(id); // the older form knows 404
    std::vector<LogEntry> entries = m_manager.logs(id);
    std::erase_if(entries, [&](const LogEntry &entry) {
        const auto at = std::chrono::duration_cast<std::chrono::milliseconds>(entry.time.time_since_epoch()).count();
        const bool outside = from >= 0 && (direction == "forward" ? at < from : at > from);
        return outside || std::find(levels.begin(), levels.end(), entry.level) < least ||
               entry.message.find(search) == std::string::npos;
    });
    if (direction == "backward")
        std::reverse(entries.begin(), entries.end());
    if (entries.size() > static_cast<std::size_t>(limit))
        entries.resize(static_cast<std::size_t>(limit));
    json::array structured;
    json::array lines;
    for (const LogEntry &entry : entries) {
        structured.push_back(toLogEntry(entry));
        lines.push_back(json::object{{"timestamp", toText(entry.time)}, {"line", entry.message}});
    }
    if (newer)
        return Answer::of(json::object{{"logs", std::move(structured)}});
    return Answer::of(json::object{{"logs", std::move(lines)}, {"logEntries", std::move(structured)}});
}

} // namespace boxdeck::host
