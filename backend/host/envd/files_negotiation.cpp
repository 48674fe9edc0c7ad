// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/files_routes.h"

#include "backend/host/envd/rpc_error.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <vector>

namespace boxdeck::host::envd {

namespace {

std::string_view trim(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

std::optional<std::uint64_t> number(std::string_view text)
{
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

struct Preference
{
    std::string_view coding;
    double quality = 1;
};

std::vector<Preference> preferences(std::string_view header)
{
    std::vector<Preference> list;
    while (!header.empty()) {
        const std::size_t comma = std::min(header.find(','), header.size());
        std::string_view item = header.substr(0, comma);
        header.remove_prefix(std::min(comma + 1, header.size()));
        const std::size_t semicolon = std::min(item.find(';'), item.size());
        Preference preference{.coding = trim(item.substr(0, semicolon))};
        const std::string_view parameters = item.substr(semicolon);
        if (const std::size_t q = parameters.find("q="); q != std::string_view::npos)
            preference.quality = std::strtod(std::string(parameters.substr(q + 2)).c_str(), nullptr);
        if (!preference.coding.empty())
            list.push_back(preference);
    }
    return list;
}

std::optional<double> qualityOf(const std::vector<Preference> &list, std::string_view coding)
{
    for (const Preference &preference : list) {
        if (http::equalIgnoringCase(preference.coding, coding))
            return preference.quality;
    }
    return std::nullopt;
}

} // namespace

http::Query filesQuery(const http::Request &request)
{
    auto query = http::Query::parse(request.query);
    if (!query)
        throw HttpError(400, "Invalid query: malformed percent-encoding", HttpError::Shape::Text);
    for (const char *name : {"path", "username"}) {
        if (query->count(name) > 1)
            throw HttpError(400, "Invalid format for parameter " + std::string(name) + ": multiple values",
                            HttpError::Shape::Text);
    }
    return std::move(*query);
}

ByteRange ByteRange::parse(std::string_view header, std::uint64_t size)
{
    constexpr std::string_view unit = "bytes=";
    const ByteRange whole{.length = size};
    const ByteRange unsatisfiable{.kind = Kind::Unsatisfiable};
    if (!header.starts_with(unit) || header.find(',') != std::string_view::npos)
        return whole;
    const std::string_view range = trim(header.substr(unit.size()));
    const std::size_t dash = range.find('-');
    if (dash == std::string_view::npos)
        return unsatisfiable;
    const std::string_view from = trim(range.substr(0, dash));
    const std::string_view to = trim(range.substr(dash + 1));
    if (from.empty()) {
        const auto last = number(to);
        if (!last)
            return unsatisfiable;
        if (size == 0)
            return whole;
        if (*last == 0)
            return unsatisfiable;
        const std::uint64_t length = std::min(*last, size);
        return {.kind = Kind::Part, .first = size - length, .length = length};
    }
    const auto first = number(from);
    const auto last = to.empty() ? std::optional(size == 0 ? 0 : size - 1) : number(to);
    if (!first || !last || (!to.empty() && *last < *first))
        return unsatisfiable;
    if (size == 0)
        return whole;
    if (*first >= size)
        return unsatisfiable;
    return {.kind = Kind::Part, .first = *first, .length = std::min(*last, size - 1) - *first + 1};
}

bool identityAllowed(std::optional<std::string_view> acceptEncoding)
{
    const auto list = preferences(acceptEncoding.value_or(std::string_view()));
    if (const auto quality = qualityOf(list, "identity"))
        return *quality > 0;
    const auto any = qualityOf(list, "*");
    return !any || *any > 0;
}

Coding chooseCoding(std::optional<std::string_view> acceptEncoding)
{
    const auto list = preferences(acceptEncoding.value_or(std::string_view()));
    const auto any = qualityOf(list, "*");
    const double gzip = qualityOf(list, "gzip").value_or(any.value_or(0));
    const bool identity = identityAllowed(acceptEncoding);
    const double plain = qualityOf(list, "identity").value_or(0);
    if (gzip > 0 && (gzip >= plain || !identity))
        return Coding::Gzip;
    return identity ? Coding::Identity : Coding::None;
}

} // namespace boxdeck::host::envd
