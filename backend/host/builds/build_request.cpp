// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/builds/build_request.h"

#include <algorithm>
#include <stdexcept>

#include <boost/json.hpp>

#include "backend/host/control_plane/api_error.h"
#include "backend/host/control_plane/json_members.h"

namespace boxdeck::host {

namespace json = boost::json;

namespace {

// Null counts as absent: the JavaScript SDK of some versions writes it for what was not set.
const json::value *given(const json::object &object, const char *name)
{
    const json::value *value = object.if_contains(name);
    return value == nullptr || value->is_null() ? nullptr : value;
}

std::string text(const json::object &object, const char *name)
{
    return textOf(given(object, name), name);
}

bool flag(const json::object &object, const char *name)
{
    return flagOf(given(object, name), name, false);
}

std::vector<std::string> texts(const json::object &object, const char *name)
{
    std::vector<std::string> list = textListOf(given(object, name), name);
    for (const std::string &one : list) {
        if (one.find('\0') != std::string::npos)
            invalidRequest(std::string(name) + " must not hold a NUL");
    }
    return list;
}

std::int32_t number(const json::object &object, const char *name, std::int32_t fallback)
{
    const json::value *value = given(object, name);
    if (value == nullptr)
        return fallback;
    if (!value->is_int64() || value->as_int64() < 0 || value->as_int64() > INT32_MAX)
        invalidRequest(std::string(name) + " must be a whole number");
    return static_cast<std::int32_t>(value->as_int64());
}

std::string upper(std::string word)
{
    std::transform(word.begin(), word.end(), word.begin(), [](char letter) {
        return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 32) : letter;
    });
    return word;
}

std::vector<BuildStep> readSteps(const json::object &object)
{
    std::vector<BuildStep> steps;
    const json::value *value = given(object, "steps");
    if (value == nullptr)
        return steps;
    if (!value->is_array())
        invalidRequest("steps must be a list");
    for (const json::value &one : value->as_array()) {
        if (!one.is_object())
            invalidRequest("each of steps must be an object");
        const json::object &step = one.as_object();
        if (given(step, "type") == nullptr)
            invalidRequest("each of steps needs a type");
        steps.push_back({.type = upper(text(step, "type")),
                         .args = texts(step, "args"),
                         .filesHash = text(step, "filesHash"),
                         .force = flag(step, "force")});
    }
    return steps;
}

bool isNameStart(char letter)
{
    return letter == '_' || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

std::size_t nameEnd(std::string_view value, std::size_t from)
{
    while (from < value.size() && (isNameStart(value[from]) || (value[from] >= '0' && value[from] <= '9')))
        ++from;
    return from;
}

} // namespace

TemplateRequest readTemplateRequest(std::string_view body, int version)
{
    const json::object object = objectOf(body, false);
    TemplateRequest request{.name = text(object, "name"), .tags = texts(object, "tags")};
    if (request.name.empty() || version < 3)
        request.name = text(object, "alias");
    if (request.name.empty())
        throw ApiError(400, version < 3 ? "validation error: alias is required" : "validation error: name is required");
    if (request.name.size() > 128)
        invalidRequest("the name of a template has at most 128 characters");
    request.cpuCount = number(object, "cpuCount", request.cpuCount);
    request.memoryMb = number(object, "memoryMB", request.memoryMb);
    const bool cpuGood =
        request.cpuCount == 1 || (request.cpuCount % 2 == 0 && request.cpuCount >= 2 && request.cpuCount <= 32);
    if (!cpuGood)
        throw ApiError(400, "cpuCount must be 1 or an even number up to 32");
    if (request.memoryMb < 128 || request.memoryMb % 2 != 0)
        throw ApiError(400, "memoryMB must be an even number of at least 128");
    return request;
}

BuildStart readBuildStart(std::string_view body)
{
    const json::object object = objectOf(body, false);
    BuildStart start{.fromImage = text(object, "fromImage"),
                     .fromTemplate = text(object, "fromTemplate"),
                     .force = flag(object, "force"),
                     .steps = readSteps(object),
                     .startCmd = text(object, "startCmd"),
                     .readyCmd = text(object, "readyCmd")};
    if (start.fromImage.empty() == start.fromTemplate.empty())
        start.fault = "give exactly one of fromImage and fromTemplate";
    if (const json::value *registry = given(object, "fromImageRegistry")) {
        start.hasRegistry = true;
        const json::object *details = registry->if_object();
        const std::string type = details == nullptr ? std::string() : text(*details, "type");
        if (type != "aws" && type != "gcp" && type != "registry" && type != "general")
            start.fault = "fromImageRegistry has the unknown type '" + type + "'";
    }
    return start;
}

std::optional<std::string> readFilesHash(std::string_view text)
{
    std::string hash(text);
    std::transform(hash.begin(), hash.end(), hash.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'F' ? static_cast<char>(letter + 32) : letter;
    });
    if (hash.size() != 64 || hash.find_first_not_of("0123456789abcdef") != std::string::npos)
        return {};
    return hash;
}

std::vector<std::pair<std::string, std::string>> environmentPairs(const BuildStep &step)
{
    if (step.args.empty())
        throw std::runtime_error(step.type + " needs at least one name and value");
    std::vector<std::pair<std::string, std::string>> pairs;
    if (step.args.size() % 2 == 0) {
        for (std::size_t i = 0; i < step.args.size(); i += 2)
            pairs.emplace_back(step.args[i], step.args[i + 1]);
    } else {
        for (const std::string &arg : step.args) {
            const auto equals = arg.find('=');
            if (equals == std::string::npos || equals == 0)
                throw std::runtime_error(step.type + " requires both a key and value arguments; '" + arg +
                                         "' stands alone");
            pairs.emplace_back(arg.substr(0, equals), arg.substr(equals + 1));
        }
    }
    for (const auto &[name, value] : pairs) {
        if (name.empty() || name.find('=') != std::string::npos || name.find('\0') != std::string::npos ||
            value.find('\0') != std::string::npos)
            throw std::runtime_error("'" + name + "' cannot be the name of a variable");
    }
    return pairs;
}

std::string expandVariables(std::string_view value, const std::map<std::string, std::string> &variables)
{
    const auto known = [&variables](std::string_view name) {
        const auto found = variables.find(std::string(name));
        return found == variables.end() ? std::string() : found->second;
    };
    std::string out;
    for (std::size_t at = 0; at < value.size() && out.size() <= mostVariables;) {
        const char next = at + 1 < value.size() ? value[at + 1] : '\0';
        if (value[at] == '$' && isNameStart(next)) {
            const std::size_t end = nameEnd(value, at + 1);
            out += known(value.substr(at + 1, end - at - 1));
            at = end;
            continue;
        }
        if (value[at] == '$' && next == '{') {
            const std::size_t end = nameEnd(value, at + 2);
            const auto close = value.find('}', end);
            const bool plain = end > at + 2 && close != std::string_view::npos;
            const std::string_view rest = plain ? value.substr(end, close - end) : std::string_view();
            if (plain && (rest.empty() || rest.starts_with(":-"))) {
                std::string found = known(value.substr(at + 2, end - at - 2));
                out += found.empty() && !rest.empty() ? std::string(rest.substr(2)) : found;
                at = close + 1;
                continue;
            }
        }
        out += value[at++];
    }
    if (out.size() > mostVariables)
        throw std::runtime_error("the value of a variable becomes longer than " + std::to_string(mostVariables / 1024) +
                                 " KiB");
    return out;
}

} // namespace boxdeck::host
