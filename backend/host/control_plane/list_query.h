// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/host/control_plane/record.h"
#include "backend/host/http/url.h"

namespace boxdeck::host {

/// Where a page ended: the next one begins after the sandbox with this start time and id.
struct PageCursor
{
    TimePoint startedAt;
    std::string id;
};

/// What GET /v2/sandboxes was asked for (protocol/control-plane.md, section 8.2).
struct ListQuery
{
    bool running = true;
    bool paused = true;
    bool ascending = false;
    std::map<std::string, std::string> metadata; ///< all must match
    std::optional<TimePoint> startedAfter;       ///< inclusive
    std::string templateName;                    ///< id or alias; empty = all
    std::optional<PageCursor> after;
    std::size_t limit = 100;
};

/// One page of a list.
struct ListPage
{
    std::vector<SandboxRecord> sandboxes;
    std::string nextToken;                   ///< empty on the last page
    std::optional<std::size_t> totalRunning; ///< nothing when running ones were filtered out
};

/// Reads the query of GET /v2/sandboxes. Throws ApiError 400.
ListQuery readListQuery(std::string_view query);

/// Reads the one `metadata` parameter, already decoded once, the way the reference server does: decoded as a whole,
/// cut at `&`, then each name and value decoded again. Throws ApiError 400 `Error parsing metadata`.
std::map<std::string, std::string> readMetadataFilter(std::string_view value);

/// The single value of a parameter; throws ApiError 400 when it was repeated.
std::optional<std::string> singleParameter(const http::Query &query, std::string_view name);
/// Parses a query; throws ApiError 400 when a percent sign is malformed.
http::Query readQuery(std::string_view query);
/// A whole number between the bounds, or the fallback when it was not given. Throws ApiError 400.
std::int64_t numberParameter(const http::Query &query, std::string_view name, std::int64_t fallback, std::int64_t least,
                             std::int64_t most);

/// Filters, orders and cuts. Keyset paging: what is created or killed between two pages causes neither a repeat nor a
/// gap among the others.
ListPage makePage(std::vector<SandboxRecord> all, const ListQuery &query);

/// The order of all lists: newest first with ids ascending in ties; ascending order is exactly the reverse.
bool comesBefore(TimePoint leftTime, const std::string &leftId, TimePoint rightTime, const std::string &rightId,
                 bool ascending);

/// Opaque text of a cursor and back. The text says which order it belongs to; reading it for the other one, or reading
/// anything else, throws ApiError 400 `Invalid next token`.
std::string toToken(const PageCursor &cursor, bool ascending);
PageCursor cursorFromToken(const std::string &token, bool ascending);

} // namespace boxdeck::host
