// SPDX-License-Identifier: GPL-3.0-or-later
// What can be seen of sandboxes over time: measurements and what the host did to them.
#include <algorithm>

#include <boost/json.hpp>

#include "backend/host/control_plane/answers.h"
#include "backend/host/control_plane/list_query.h"
#include "backend/host/control_plane/routes.h"

namespace boxdeck::host {

namespace json = boost::json;

Answer answerMetrics(const Services &services, const Call &call, const std::string &id)
{
    constexpr std::int64_t forever = 4'000'000'000;
    const http::Query parameters = readQuery(call.query);
    const std::int64_t start = numberParameter(parameters, "start", 0, 0, INT64_MAX);
    const std::int64_t end = numberParameter(parameters, "end", forever, 0, INT64_MAX);
    if (start > end)
        throw ApiError(400, "start is after end");
    json::array samples;
    for (const MetricSample &sample : services.sandboxes.metrics(id)) {
        const auto at = std::chrono::floor<std::chrono::seconds>(sample.time).time_since_epoch().count();
        if (at >= start && at <= end)
            samples.push_back(toMetric(sample));
    }
    return Answer::of(samples);
}

Answer answerBatchMetrics(const Services &services, const Call &call)
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
            const auto samples = services.sandboxes.metrics(id);
            if (!samples.empty())
                sandboxes[id] = toMetric(samples.back());
        } catch (const ApiError &) {
            continue; // an unknown one is simply missing from the map
        }
    }
    return Answer::of(json::object{{"sandboxes", std::move(sandboxes)}});
}

Answer answerLogs(const Services &services, const Call &call, const std::string &id)
{
    const bool newer = call.version == 2;
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
    if (search.size() > 256)
        throw ApiError(400, "validation error: search takes at most 256 characters");
    if (!newer)
        services.sandboxes.get(id); // the older form knows 404
    std::vector<LogEntry> entries = services.sandboxes.logs(id);
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
        lines.push_back(json::object{{"timestamp", toText(entry.time)}, {"line", toLogLine(entry)}});
    }
    if (newer)
        return Answer::of(json::object{{"logs", std::move(structured)}});
    return Answer::of(json::object{{"logs", std::move(lines)}, {"logEntries", std::move(structured)}});
}

} // namespace boxdeck::host
