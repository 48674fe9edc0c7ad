// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/control_plane/requests.h"

#include "backend/host/control_plane/json_members.h"
#include "backend/host/volumes/volume_mounts.h"

#include <array>
#include <limits>

#include <boost/json.hpp>

namespace boxdeck::host {

namespace json = boost::json;
using std::chrono::seconds;

namespace {

// Linux gives a process no longer one (MAX_ARG_STRLEN), and the daemon is told all of them in one datagram, where those
// of the template need their room, too.
constexpr std::size_t longestVariable = 128UL * 1024;
constexpr std::size_t mostVariables = 128UL * 1024;
constexpr std::size_t shownName = 100;

// Null means "not given" only where the protocol says so; elsewhere it is refused by the kind check.
const json::value *member(const json::object &object, const char *name)
{
    return object.if_contains(name);
}

bool readBool(const json::object &object, const char *name, bool fallback)
{
    return flagOf(member(object, name), name, fallback);
}

std::optional<std::int32_t> readInt(const json::object &object, const char *name)
{
    const json::value *value = member(object, name);
    if (value == nullptr)
        return {};
    boost::system::error_code error;
    const auto number = value->is_number() ? value->to_number<std::int64_t>(error) : 0;
    if (!value->is_number() || error || number > std::numeric_limits<std::int32_t>::max() ||
        number < std::numeric_limits<std::int32_t>::min())
        invalidRequest(std::string(name) + " must be a whole number");
    return static_cast<std::int32_t>(number);
}

std::string readText(const json::object &object, const char *name)
{
    return textOf(member(object, name), name);
}

std::map<std::string, std::string> readTexts(const json::object &object, const char *name)
{
    std::map<std::string, std::string> texts;
    const json::value *value = member(object, name);
    if (value == nullptr)
        return texts;
    if (!value->is_object())
        invalidRequest(std::string(name) + " must be an object");
    for (const auto &[key, text] : value->as_object()) {
        if (!text.is_string())
            invalidRequest(std::string(name) + '.' + std::string(key) + " must be text");
        texts.emplace(key, text.as_string());
    }
    return texts;
}

// @p in is what the member is part of, for the message: `network.` or nothing.
std::vector<std::string> readTextList(const json::object &object, const char *name, const std::string &in)
{
    return textListOf(member(object, name), in + name);
}

bool looksLikeAddress(const std::string &text)
{
    return text.find(':') != std::string::npos || text.find_first_not_of("0123456789./") == std::string::npos;
}

[[noreturn]] void noNetwork(const std::string &what)
{
    throw ApiError(400, what + " cannot be kept here: sandboxes of this host have no network at all, so there is "
                               "nothing to allow, deny or rewrite. Leave it out.");
}

// Rules that only take away are kept by having no network; rules that give cannot be.
void checkEgress(const json::object &network)
{
    const auto allow = readTextList(network, "allowOut", "network.");
    const auto deny = readTextList(network, "denyOut", "network.");
    bool deniesAll = false;
    for (const std::string &entry : deny) {
        if (!looksLikeAddress(entry))
            throw ApiError(400, "network.denyOut takes addresses and CIDR ranges only, not '" + entry + "'");
        deniesAll = deniesAll || entry == "0.0.0.0/0";
    }
    for (const std::string &entry : allow) {
        if (!looksLikeAddress(entry) && !deniesAll)
            throw ApiError(400, "network.allowOut names the domain '" + entry +
                                    "', which needs 0.0.0.0/0 in network.denyOut");
    }
    if (!allow.empty())
        noNetwork("network.allowOut");
    const json::value *rules = member(network, "rules");
    if (rules != nullptr && !rules->is_object())
        invalidRequest("network.rules must be an object");
    if (rules != nullptr && !rules->as_object().empty())
        noNetwork("network.rules");
    const json::value *proxy = member(network, "egressProxy");
    if (proxy != nullptr && !proxy->is_null())
        noNetwork("network.egressProxy");
}

// How services of the sandbox are called from outside.
void checkIngress(const json::object &network)
{
    if (const json::value *mask = member(network, "maskRequestHost"); mask != nullptr) {
        if (!mask->is_string())
            invalidRequest("network.maskRequestHost must be text");
        // It becomes a header of every request: nothing that could end it or begin another.
        std::string host(mask->as_string());
        constexpr std::string_view placeholder = "${PORT}";
        if (const auto at = host.find(placeholder); at != std::string::npos)
            host.replace(at, placeholder.size(), "1");
        constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]";
        if (host.empty() || host.size() > 255 || host.find_first_not_of(letters) != std::string::npos)
            throw ApiError(400, "network.maskRequestHost must be a host name, with a port or ${PORT} if wanted");
    }
    if (const json::value *ports = member(network, "httpsPorts"); ports != nullptr) {
        if (!ports->is_array())
            invalidRequest("network.httpsPorts must be a list");
        if (!ports->as_array().empty())
            throw ApiError(400, "network.httpsPorts: this host speaks plain HTTP to services of a sandbox. Leave it "
                                "out.");
    }
}

void readNetwork(const json::object &object, CreateRequest &request)
{
    const json::value *value = member(object, "network");
    // One Go client sends null here (protocol/compat.md, section 5).
    if (value == nullptr || value->is_null())
        return;
    if (!value->is_object())
        invalidRequest("network must be an object");
    const json::object &network = value->as_object();
    request.allowPublicTraffic = readBool(network, "allowPublicTraffic", true);
    checkEgress(network);
    checkIngress(network);
    if (!request.allowPublicTraffic && !request.secure)
        throw ApiError(400, "network.allowPublicTraffic=false needs secure=true");
    json::object kept = network;
    if (json::value *proxy = kept.if_contains("egressProxy"); proxy != nullptr)
        kept.erase("egressProxy");
    request.network = std::move(kept);
}

void refuseUnsupported(const json::object &object)
{
    if (const json::value *iam = member(object, "iam"); iam != nullptr) {
        if (!iam->is_object())
            invalidRequest("iam must be an object");
        if (!iam->as_object().empty())
            throw ApiError(400, "iam: this host issues no identity tokens");
    }
    if (const json::value *mcp = member(object, "mcp"); mcp != nullptr && !mcp->is_null())
        throw ApiError(400, "mcp: this host has no MCP gateway in its template");
}

} // namespace

CreateRequest readCreate(std::string_view body, ApiGeneration generation)
{
    const json::object object = objectOf(body, false);
    CreateRequest request;
    const json::value *name = member(object, "templateID");
    if (name == nullptr || !name->is_string())
        invalidRequest("templateID is required and must be text");
    request.templateName = std::string(name->as_string());
    request.timeout = seconds(readInt(object, "timeout").value_or(generation == ApiGeneration::V1 ? 15 : 300));
    if (request.timeout <= seconds(0))
        throw ApiError(400, "Timeout must be greater than 0");
    request.autoPause = readBool(object, "autoPause", false);
    request.autoPauseMemory = readBool(object, "autoPauseMemory", true);
    if (const json::value *resume = member(object, "autoResume"); resume != nullptr) {
        if (!resume->is_object())
            invalidRequest("autoResume must be an object with the member enabled");
        request.autoResume = readBool(resume->as_object(), "enabled", false);
    }
    // The newer form has no such member: every sandbox is secured.
    request.secure = generation == ApiGeneration::V2 || readBool(object, "secure", false);
    if (member(object, "allow_internet_access") != nullptr)
        request.allowInternetAccess = readBool(object, "allow_internet_access", true);
    readNetwork(object, request);
    request.metadata = readTexts(object, "metadata");
    request.envVars = readTexts(object, "envVars");
    for (const auto &[key, value] : request.envVars) {
        if (key.empty() || key.find('=') != std::string::npos || key.find('\0') != std::string::npos ||
            value.find('\0') != std::string::npos)
            invalidRequest("envVars has a name or value that no environment can hold");
        if (key.size() + value.size() + 2 > longestVariable)
            invalidRequest("the variable " + key.substr(0, shownName) +
                           " of envVars is longer than a process may be given");
    }
    if (const json::value *variables = member(object, "envVars");
        variables != nullptr && json::serialize(*variables).size() > mostVariables)
        invalidRequest("envVars is larger than " + std::to_string(mostVariables / 1024) + " KiB");
    if (const json::value *mounts = member(object, "volumeMounts"); mounts != nullptr)
        request.volumeMounts = readVolumeMounts(*mounts);
    refuseUnsupported(object);
    if (!request.autoPauseMemory && !request.autoPause)
        throw ApiError(400, "autoPauseMemory=false needs autoPause=true");
    if (!request.autoPauseMemory && request.autoResume)
        throw ApiError(400, "autoPauseMemory=false and autoResume.enabled=true exclude each other");
    return request;
}

ConnectRequest readConnect(std::string_view body, seconds defaultTimeout)
{
    const json::object object = objectOf(body, true);
    ConnectRequest request;
    request.timeout = seconds(readInt(object, "timeout").value_or(static_cast<std::int32_t>(defaultTimeout.count())));
    if (request.timeout < seconds(0))
        throw ApiError(400, "Timeout must be greater than 0");
    request.keepMemory = readBool(object, "memory", true);
    return request;
}

bool readPause(std::string_view body)
{
    return readBool(objectOf(body, true), "memory", true);
}

seconds readTimeout(std::string_view body)
{
    const json::object object = objectOf(body, false);
    const auto value = readInt(object, "timeout");
    if (!value)
        invalidRequest("timeout is required");
    if (*value < 0)
        throw ApiError(400, "Timeout must not be negative");
    return seconds(*value);
}

seconds readRefresh(std::string_view body)
{
    constexpr std::int32_t least = 15;
    constexpr std::int32_t most = 3600;
    const std::int32_t value = readInt(objectOf(body, true), "duration").value_or(least);
    if (value < 0 || value > most)
        invalidRequest("duration must be between 0 and 3600 seconds");
    return seconds(std::max(value, least));
}

json::object readNetworkUpdate(std::string_view body)
{
    json::object object = objectOf(body, false);
    readBool(object, "allow_internet_access", true);
    checkEgress(object);
    object.erase("egressProxy");
    object.erase("rules");
    return object;
}

ForkRequest readFork(std::string_view body)
{
    constexpr std::int32_t defaultTimeout = 15;
    constexpr std::int32_t most = 100;
    const json::object object = objectOf(body, true);
    const std::int32_t count = readInt(object, "count").value_or(1);
    if (count < 1 || count > most)
        throw ApiError(400, "count must be between 1 and 100");
    const seconds timeout(readInt(object, "timeout").value_or(defaultTimeout));
    if (timeout <= seconds(0))
        throw ApiError(400, "Timeout must be greater than 0");
    return {.count = static_cast<std::size_t>(count), .timeout = timeout};
}

std::string readSnapshotName(std::string_view body)
{
    // The body is required; the reference takes `{}`, and some clients send none at all.
    return readText(objectOf(body, true), "name");
}

std::optional<bool> readTemplateUpdate(std::string_view body)
{
    const json::object object = objectOf(body, false);
    if (member(object, "public") == nullptr)
        return {};
    return readBool(object, "public", false);
}

namespace {

TagsRequest readTags(std::string_view body, const char *name)
{
    const json::object object = objectOf(body, false);
    TagsRequest request{.name = readText(object, name), .tags = readTextList(object, "tags", "")};
    if (request.name.empty())
        invalidRequest(std::string(name) + " is required");
    if (request.tags.empty())
        throw ApiError(400, "tags must name at least one tag");
    return request;
}

} // namespace

TagsRequest readAssignTags(std::string_view body)
{
    return readTags(body, "target");
}

TagsRequest readRemoveTags(std::string_view body)
{
    return readTags(body, "name");
}

std::string readSandboxId(std::string_view text)
{
    const auto dash = text.find('-');
    const std::string_view id = text.substr(0, dash);
    const std::string_view client = dash == std::string_view::npos ? std::string_view() : text.substr(dash + 1);
    const auto plain = [](std::string_view part) {
        return part.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == std::string_view::npos;
    };
    if (id.empty() || id.size() > 64 || !plain(id) || !plain(client))
        throw ApiError(400, "Invalid sandbox ID");
    return std::string(id);
}

} // namespace boxdeck::host
