// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <vector>

#include "backend/host/control_plane/call.h"
#include "backend/host/control_plane/list_query.h"

namespace boxdeck::host {

/// `limit` and `nextToken` of a list that is newest first (protocol/control-plane.md, section 5).
struct PageRequest
{
    std::size_t limit = 100;
    std::optional<PageCursor> after;
};

/// Throws ApiError 400.
inline PageRequest readPageRequest(const http::Query &parameters)
{
    PageRequest request{.limit = static_cast<std::size_t>(numberParameter(parameters, "limit", 100, 1, 100))};
    if (const auto token = singleParameter(parameters, "nextToken"); token && !token->empty())
        request.after = cursorFromToken(*token, false);
    return request;
}

/// Sorts @p items newest first and leaves one page of them; @p keyOf gives the PageCursor of one. Gives the token of
/// the next page, empty on the last one.
template <typename Item, typename KeyOf>
std::string cutToPage(std::vector<Item> &items, const PageRequest &request, KeyOf keyOf)
{
    const auto before = [](const PageCursor &left, const PageCursor &right) {
        return comesBefore(left.startedAt, left.id, right.startedAt, right.id, false);
    };
    std::sort(items.begin(), items.end(),
              [&](const Item &left, const Item &right) { return before(keyOf(left), keyOf(right)); });
    if (request.after)
        std::erase_if(items, [&](const Item &item) { return !before(*request.after, keyOf(item)); });
    if (items.size() <= request.limit)
        return {};
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(request.limit), items.end());
    return toToken(keyOf(items.back()), false);
}

/// An answer with the header of the next page, if there is one.
inline Answer withNextToken(Answer answer, const std::string &token)
{
    if (!token.empty())
        answer.headers.set("X-Next-Token", token);
    return answer;
}

} // namespace boxdeck::host
