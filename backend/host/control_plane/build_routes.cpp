// SPDX-License-Identifier: GPL-3.0-or-later
// Template builds (protocol/control-plane.md, section 8.8).
#include <charconv>
#include <sstream>

#include <boost/json.hpp>

#include "backend/host/builds/build_manager.h"
#include "backend/host/control_plane/list_query.h"
#include "backend/host/control_plane/routes.h"
#include "backend/host/control_plane/template_answers.h"
#include "backend/host/version.h"

namespace boxdeck::host {

namespace json = boost::json;

namespace {

constexpr std::int64_t mostEntries = 100;

json::object toBuildLogEntry(const BuildLogEntry &entry)
{
    json::object object{{"timestamp", toText(entry.time)}, {"message", entry.message}, {"level", toText(entry.level)}};
    if (!entry.step.empty())
        object["step"] = entry.step;
    return object;
}

json::array toArray(const std::vector<BuildLogEntry> &entries)
{
    json::array array;
    for (const BuildLogEntry &entry : entries)
        array.push_back(toBuildLogEntry(entry));
    return array;
}

LogLevel leastLevel(const http::Query &parameters)
{
    const auto word = singleParameter(parameters, "level");
    if (!word)
        return LogLevel::Debug;
    const auto level = logLevelFromText(*word);
    if (!level)
        throw ApiError(400, "validation error: level must be debug, info, warn or error");
    return *level;
}

std::size_t limitOf(const http::Query &parameters)
{
    return static_cast<std::size_t>(numberParameter(parameters, "limit", mostEntries, 0, mostEntries));
}

// What may be read of a build: 400 for one that is not there, as the reference answers.
const TemplateBuild &buildOf(const Services &services, const Call &call)
{
    const std::string &buildId = call.segments[3];
    if (!isUuid(buildId))
        throw ApiError(400, "Invalid build id");
    const StoredTemplate *stored = services.templates.contains(call.segments[1]);
    const TemplateBuild *build = stored == nullptr ? nullptr : stored->build(buildId);
    if (build == nullptr)
        throw ApiError(400, "Build '" + buildId + "' not found");
    return *build;
}

Answer status(const Services &services, const Call &call)
{
    const TemplateBuild &build = buildOf(services, call);
    const http::Query parameters = readQuery(call.query);
    const auto offset = static_cast<std::size_t>(numberParameter(parameters, "logsOffset", 0, 0, INT32_MAX));
    const std::size_t limit = limitOf(parameters);
    const LogLevel least = leastLevel(parameters);
    const bool underWay = services.builds.underWay(build.id);
    json::object answer{{"logs", json::array()},
                        {"logEntries", json::array()},
                        {"templateID", call.segments[1]},
                        {"buildID", build.id},
                        {"status", statusWord(underWay ? BuildStatus::Building : build.status)}};
    std::vector<BuildLogEntry> page;
    if (build.status != BuildStatus::Waiting)
        page = sliceOf(services.builds.log(build.id)->entries(), offset, limit, least);
    answer["logEntries"] = toArray(page);
    if (build.reason && !underWay) {
        json::object reason{{"message", build.reason->message}};
        if (!build.reason->step.empty())
            reason["step"] = build.reason->step;
        std::erase_if(page, [&build](const BuildLogEntry &entry) {
            return entry.level < LogLevel::Warn || entry.step != build.reason->step;
        });
        reason["logEntries"] = toArray(page);
        answer["reason"] = std::move(reason);
    }
    return Answer::of(answer);
}

Answer logs(const Services &services, const Call &call)
{
    const TemplateBuild &build = buildOf(services, call);
    const http::Query parameters = readQuery(call.query);
    const std::int64_t cursor = numberParameter(parameters, "cursor", -1, 0, INT64_MAX);
    const std::size_t limit = limitOf(parameters);
    const LogLevel least = leastLevel(parameters);
    const std::string direction = singleParameter(parameters, "direction").value_or("forward");
    if (direction != "forward" && direction != "backward")
        throw ApiError(400, "validation error: direction must be forward or backward");
    // One log serves both: it is on the disk and in memory at the same time.
    const std::string source = singleParameter(parameters, "source").value_or("temporary");
    if (source != "temporary" && source != "persistent")
        throw ApiError(400, "validation error: source must be temporary or persistent");
    json::array lines;
    if (build.status != BuildStatus::Waiting) {
        const auto from = cursor >= 0 ? std::optional(cursor) : std::nullopt;
        lines = toArray(pageAt(services.builds.log(build.id)->entries(), from, direction == "forward", limit, least));
    }
    return Answer::of(json::object{{"logs", std::move(lines)}});
}

json::array toArray(const std::vector<std::string> &texts)
{
    return json::array(texts.begin(), texts.end());
}

asio::awaitable<Answer> add(Services &services, Call call)
{
    TemplateRequest request = readTemplateRequest(call.body, call.version);
    const std::int32_t cpuCount = request.cpuCount;
    const std::int32_t memoryMb = request.memoryMb;
    const RegisteredBuild made = co_await services.builds.add(std::move(request));
    const StoredTemplate &stored = services.templates.byId(made.templateId);
    json::object answer{{"templateID", stored.id},
                        {"buildID", made.buildId},
                        {"public", stored.isPublic},
                        {"aliases", aliasesOf(stored)}};
    if (call.version == 3) {
        answer["names"] = namesOf(stored);
        answer["tags"] = toArray(made.tags);
        co_return Answer::of(answer, 202);
    }
    answer["cpuCount"] = cpuCount;
    answer["memoryMB"] = memoryMb;
    answer["diskSizeMB"] = 0; // nothing is built yet
    answer["createdAt"] = toText(stored.createdAt);
    answer["updatedAt"] = toText(stored.updatedAt);
    answer["createdBy"] = nullptr;
    answer["lastSpawnedAt"] = nullptr;
    if (stored.lastSpawnedAt)
        answer["lastSpawnedAt"] = toText(*stored.lastSpawnedAt);
    answer["spawnCount"] = stored.spawnCount;
    answer["buildCount"] = stored.builds.size();
    answer["envdVersion"] = envdVersion;
    co_return Answer::of(answer, 202);
}

// The version of an official SDK selects the form of a template; one that cannot be read is refused.
void checkUserAgent(const http::Headers &headers)
{
    std::istringstream words(std::string(headers.get("User-Agent").value_or("")));
    for (std::string word; words >> word;) {
        for (const std::string_view prefix : {"e2b-js-sdk/", "e2b-python-sdk/"}) {
            if (!word.starts_with(prefix))
                continue;
            int major = 0;
            const char *begin = word.data() + prefix.size();
            const auto [end, error] = std::from_chars(begin, word.data() + word.size(), major);
            if (error != std::errc() || (end != word.data() + word.size() && *end != '.'))
                throw ApiError(400, "Error when parsing user agent: '" + word + "' has no version");
            return;
        }
    }
}

asio::awaitable<Answer> start(Services &services, Call call)
{
    BuildStart start = readBuildStart(call.body);
    if (!isUuid(call.segments[3]))
        throw ApiError(400, "Invalid build ID: " + call.segments[3]);
    checkUserAgent(call.headers);
    co_await services.builds.start(call.segments[1], call.segments[3], std::move(start));
    co_return Answer::empty(202);
}

Answer fileLink(Services &services, const Call &call)
{
    services.templates.byId(call.segments[1]); // 404
    const auto hash = readFilesHash(call.segments[3]);
    if (!hash)
        throw ApiError(400, "validation error: the hash of files is 64 hexadecimal characters");
    // As the caller reached us, also through something that speaks TLS for us.
    const std::string host(call.headers.get("Host").value_or("localhost"));
    const bool secure = call.headers.get("X-Forwarded-Proto").value_or("") == "https";
    // Given even for files that are here: a client may want to upload them again.
    return Answer::of(
        json::object{{"present", services.builds.uploads().contains(*hash)},
                     {"url", (secure ? "https://" : "http://") + host + services.builds.uploads().makeLink(*hash)}},
        201);
}

} // namespace

bool isBuildCall(const Call &call)
{
    const std::size_t count = call.segments.size();
    if (count == 1)
        return call.is("POST");
    if (count == 2)
        return call.is("POST") && call.version == 1;
    return count >= 4 && (call.segments[2] == "builds" || call.segments[2] == "files");
}

asio::awaitable<Answer> routeBuilds(Services &services, Call call)
{
    const auto &segments = call.segments;
    const std::string verb = segments.size() == 5 ? segments[4] : std::string();
    if (segments.size() == 1 && call.version >= 2)
        co_return co_await add(services, std::move(call));
    if (call.version == 2 && segments.size() == 4 && segments[2] == "builds") {
        call.expect("POST");
        co_return co_await start(services, std::move(call));
    }
    if (call.version != 1)
        throw call.noSuchRoute();
    if (segments.size() == 4 && segments[2] == "files") {
        call.expect("GET");
        co_return fileLink(services, call);
    }
    if (segments.size() == 5 && segments[2] == "builds" && (verb == "status" || verb == "logs")) {
        call.expect("GET");
        co_return verb == "status" ? status(services, call) : logs(services, call);
    }
    if (segments.size() <= 2 || (segments.size() == 4 && segments[2] == "builds"))
        throw ApiError(405, "builds from the text of a Dockerfile are not made by this host; use POST /v3/templates "
                            "and POST /v2/templates/{templateID}/builds/{buildID}");
    throw call.noSuchRoute();
}

} // namespace boxdeck::host
