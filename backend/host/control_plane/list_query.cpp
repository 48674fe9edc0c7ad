// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/control_plane/list_query.h"

#include <algorithm>
#include <charconv>

#include "backend/host/control_plane/requests.h"

namespace boxdeck::host {

namespace {

std::vector<std::string> cut(std::string_view text, char at)
{
    std::vector<std::string> parts;
    for (;;) {
        const auto end = text.find(at);
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<std::string> formDecode(std::string text)
{
    std::replace(text.begin(), text.end(), '+', ' ');
    return http::percentDecode(text);
}

bool matches(const SandboxRecord &record, const ListQuery &query)
{
    if (!query.templateName.empty() && record.templateId != query.templateName && record.alias != query.templateName)
        return false;
    if (query.startedAfter && record.startedAt < *query.startedAfter)
        return false;
    return std::all_of(query.metadata.begin(), query.metadata.end(), [&record](const auto &pair) {
        const auto found = record.metadata.find(pair.first);
        return found != record.metadata.end() && found->second == pair.second;
    });
}

} // namespace

bool comesBefore(TimePoint leftTime, const std::string &leftId, TimePoint rightTime, const std::string &rightId,
                 bool ascending)
{
    if (leftTime != rightTime)
        return ascending ? leftTime < rightTime : leftTime > rightTime;
    return ascending ? leftId > rightId : leftId < rightId;
}

http::Query readQuery(std::string_view query)
{
    auto parsed = http::Query::parse(query);
    if (!parsed)
        throw ApiError(400, "validation error: the query has a malformed percent sign");
    return std::move(*parsed);
}

std::optional<std::string> singleParameter(const http::Query &query, std::string_view name)
{
    if (query.count(name) > 1)
        throw ApiError(400, "validation error: " + std::string(name) +
                                " was given more than once; join several values with commas");
    return query.get(name);
}

std::int64_t numberParameter(const http::Query &query, std::string_view name, std::int64_t fallback, std::int64_t least,
                             std::int64_t most)
{
    const auto text = singleParameter(query, name);
    if (!text)
        return fallback;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (error != std::errc() || end != text->data() + text->size() || value < least || value > most)
        throw ApiError(400, "validation error: " + std::string(name) + " must be a whole number from " +
                                std::to_string(least) + " to " + std::to_string(most));
    return value;
}

std::map<std::string, std::string> readMetadataFilter(std::string_view value)
{
    const auto fail = [] { return ApiError(400, "Error parsing metadata: expected name=value pairs joined with &"); };
    std::map<std::string, std::string> metadata;
    const auto whole = formDecode(std::string(value));
    if (!whole)
        throw fail();
    for (const std::string &part : cut(*whole, '&')) {
        if (std::count(part.begin(), part.end(), '=') != 1)
            throw fail();
        const auto equals = part.find('=');
        const auto name = formDecode(part.substr(0, equals));
        const auto content = formDecode(part.substr(equals + 1));
        if (!name || !content)
            throw fail();
        metadata[*name] = *content;
    }
    return metadata;
}

ListQuery readListQuery(std::string_view text)
{
    const http::Query parameters = readQuery(text);
    ListQuery query;
    if (const auto order = singleParameter(parameters, "order"); order && !order->empty()) {
        if (*order != "asc" && *order != "desc")
            throw ApiError(400, "validation error: order must be asc or desc");
        query.ascending = *order == "asc";
    }
    if (const auto states = singleParameter(parameters, "state"); states && !states->empty()) {
        query.running = query.paused = false;
        for (const std::string &state : cut(*states, ',')) {
            if (state == "running")
                query.running = true;
            else if (state == "paused")
                query.paused = true;
            else
                throw ApiError(400, "validation error: state must be running, paused or both joined with a comma");
        }
    }
    if (const auto metadata = singleParameter(parameters, "metadata"); metadata && !metadata->empty())
        query.metadata = readMetadataFilter(*metadata);
    if (const auto after = singleParameter(parameters, "startedAfter"); after && !after->empty()) {
        query.startedAfter = timeFromText(*after);
        if (!query.startedAfter)
            throw ApiError(400, "validation error: startedAfter must be an RFC 3339 time");
    }
    if (const auto name = singleParameter(parameters, "template"); name && !name->empty()) {
        if (name->find(':') != std::string::npos)
            throw ApiError(400, "template takes an id or a name without a tag");
        query.templateName = *name;
    }
    query.limit = static_cast<std::size_t>(numberParameter(parameters, "limit", 100, 1, 100));
    if (const auto token = singleParameter(parameters, "nextToken"); token && !token->empty())
        query.after = cursorFromToken(*token, query.ascending);
    return query;
}

ListPage makePage(std::vector<SandboxRecord> all, const ListQuery &query)
{
    std::erase_if(all, [&query](const SandboxRecord &record) { return !matches(record, query); });
    ListPage page;
    if (query.running) {
        page.totalRunning = static_cast<std::size_t>(std::count_if(
            all.begin(), all.end(), [](const SandboxRecord &record) { return record.state == SandboxState::Running; }));
    }
    std::erase_if(all, [&query](const SandboxRecord &record) {
        return record.state == SandboxState::Running ? !query.running : !query.paused;
    });
    std::sort(all.begin(), all.end(), [&query](const SandboxRecord &left, const SandboxRecord &right) {
        return comesBefore(left.startedAt, left.id, right.startedAt, right.id, query.ascending);
    });
    if (query.after) {
        std::erase_if(all, [&query](const SandboxRecord &record) {
            return !comesBefore(query.after->startedAt, query.after->id, record.startedAt, record.id, query.ascending);
        });
    }
    if (all.size() > query.limit) {
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(query.limit), all.end());
        page.nextToken = toToken({all.back().startedAt, all.back().id}, query.ascending);
    }
    page.sandboxes = std::move(all);
    return page;
}

std::string toToken(const PageCursor &cursor, bool ascending)
{
    std::string token = http::base64Encode(toText(cursor.startedAt) + "__" + cursor.id + (ascending ? "__asc" : ""));
    std::replace(token.begin(), token.end(), '+', '-');
    std::replace(token.begin(), token.end(), '/', '_');
    return token;
}

PageCursor cursorFromToken(const std::string &token, bool ascending)
{
    const ApiError invalid(400, "Invalid next token");
    const auto text = http::base64Decode(token);
    if (!text)
        throw invalid;
    std::string rest = *text;
    constexpr std::string_view suffix = "__asc";
    const bool tokenAscending = rest.ends_with(suffix);
    if (tokenAscending)
        rest.resize(rest.size() - suffix.size());
    const auto gap = rest.find("__");
    if (gap == std::string::npos || tokenAscending != ascending)
        throw invalid;
    const auto time = timeFromText(rest.substr(0, gap));
    const std::string id = rest.substr(gap + 2);
    if (!time || id.empty())
        throw invalid;
    return {*time, id};
}

} // namespace boxdeck::host
