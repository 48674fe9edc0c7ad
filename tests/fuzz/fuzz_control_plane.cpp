// SPDX-License-Identifier: GPL-3.0-or-later
// What boxdeck-host reads: whom a request is for, bodies and queries of the control plane, its own files, and what a
// sandbox answers (which is as hostile as any client).
#include "tests/fuzz/fuzz_target.h"

#include "backend/host/control_plane/api_error.h"
#include "backend/host/control_plane/list_query.h"
#include "backend/host/control_plane/requests.h"
#include "backend/host/http/proxy_route.h"
#include "backend/host/http/upstream_head.h"
#include "backend/host/images/template_config.h"
#include "backend/host/images/template_name.h"

#include <boost/json.hpp>

#include <algorithm>
#include <functional>
#include <string_view>

using namespace boxdeck::host;
namespace json = boost::json;
using boxdeck::fuzz::require;

namespace {

bool plainId(const std::string &id)
{
    return !id.empty() &&
           std::all_of(id.begin(), id.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
}

void checkRoute(const http::Request &request)
{
    const http::Route route = http::routeOf(request);
    // It becomes part of a path on this computer.
    require(route.kind != http::Route::Kind::DataPlane || plainId(route.sandboxId));
    require(route.kind != http::Route::Kind::Refused || route.status >= 400);
}

void fuzzRoutes(std::string_view input)
{
    const std::string text(input);
    http::Request byHost{.method = "GET", .target = text, .path = text, .headers = {{"Host", text}}};
    checkRoute(byHost);
    checkRoute({.method = "GET",
                .target = "/",
                .path = "/",
                .headers = {{"Host", "localhost"}, {"E2b-Sandbox-Id", text}, {"E2b-Sandbox-Port", "49983"}}});
    checkRoute({.method = "GET",
                .target = "/",
                .path = "/",
                .headers = {{"Host", "x"}, {"E2b-Sandbox-Id", "iaaaabbbbccccdddd1111"}, {"E2b-Sandbox-Port", text}}});
    const std::string clean = http::cleanPath(text);
    require(clean.starts_with('/') && clean.find("//") == std::string::npos && clean.find("/../") == std::string::npos);
    http::orchestratorOnly(text);
}

// Refused or read, and nothing else.
void refusable(const std::function<void()> &read)
{
    try {
        read();
    } catch (const ApiError &error) {
        require(error.status() >= 400 && error.status() < 500);
    }
}

void fuzzRequests(std::string_view input)
{
    refusable([&] { readCreate(input, ApiGeneration::V1); });
    refusable([&] { readCreate(input, ApiGeneration::V2); });
    refusable([&] { readConnect(input, std::chrono::seconds(15)); });
    refusable([&] { readPause(input); });
    refusable([&] { readTimeout(input); });
    refusable([&] { require(readRefresh(input) >= std::chrono::seconds(15)); });
    refusable([&] { readNetworkUpdate(input); });
    refusable([&] { require(plainId(readSandboxId(input))); });
    refusable([&] { readMetadataFilter(input); });
    refusable([&] { readTemplateName(std::string(input)); });
    refusable([&] { readTag(std::string(input)); });
    refusable([&] {
        const ListQuery query = readListQuery(input);
        require(query.limit > 0);
    });
    for (const bool ascending : {false, true}) {
        refusable([&] {
            const PageCursor cursor = cursorFromToken(std::string(input), ascending);
            const PageCursor again = cursorFromToken(toToken(cursor, ascending), ascending);
            require(again.id == cursor.id && again.startedAt == cursor.startedAt);
        });
    }
}

void fuzzOwnFiles(std::string_view input)
{
    boost::system::error_code error;
    const json::value value = json::parse(input, error);
    if (error || !value.is_object())
        return;
    try {
        const SandboxRecord record = recordFromJson(value.as_object());
        require(recordFromJson(toJson(record)) == record);
    } catch (const std::exception &) {
        // Not such a record.
    }
    try {
        const TemplateConfig config = configFromJson(value.as_object());
        require(configFromJson(toJson(config)) == config);
    } catch (const std::exception &) {
        // Not such a file.
    }
}

std::string content(std::string_view input, std::size_t piece)
{
    http::ChunkedBody body;
    std::string text;
    try {
        for (std::size_t at = 0; at < input.size(); at += piece)
            for (const std::string_view part : body.feed(input.substr(at, piece)))
                text += part;
    } catch (const http::BadUpstream &) {
        return "bad";
    }
    return text + (body.done() ? "|done" : "|more");
}

void fuzzAnswers(std::string_view input)
{
    for (const bool toHead : {false, true}) {
        try {
            const http::UpstreamHead head = http::parseUpstreamHead(input, toHead);
            require(head.status >= 100 && head.status < 1000);
            for (const auto &[name, value] : head.headers.fields())
                require(!name.empty() &&
                        (name + value).find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
        } catch (const http::BadUpstream &) {
            // Told to the caller as 502.
        }
    }
    const std::string whole = content(input, input.size() + 1);
    require(content(input, 1) == whole && content(input, 3) == whole);
}

} // namespace

std::vector<std::string> boxdeck::fuzz::seeds()
{
    return {
        "49983-iaaaabbbbccccdddd1111-6532622b.e2b.app:443",
        "/sandboxes/iaaaabbbbccccdddd1111/../x%2f//",
        R"({"templateID":"base:v1","timeout":300,"metadata":{"a":"b"},"envVars":{"A":"b"},"secure":true,"autoPause":true,)"
        R"("autoResume":{"enabled":true},"network":{"allowOut":["1.1.1.1"],"allowPublicTraffic":false},)"
        R"("lifecycle":{"onTimeout":"pause","autoResume":true},"allow_internet_access":false,"mcp":null,"volumeMounts":[]})",
        R"({"timeout":60,"memory":false,"duration":15})",
        "metadata=a%3Db%26c%3Dd&state=running,paused&limit=7&nextToken=x&order=asc&template=base",
        "a%3Db&c=d%2520e",
        "team/base:v1.2-x",
        R"({"id":"i1","templateId":"base","alias":"base","createdAt":"2026-01-02T03:04:05.678901Z","state":"running"})",
        R"({"ownUsr":true,"defaultUser":"user","workdir":"/code","envVars":{"A":"b"},"startCmd":"x","readyCmd":"y"})",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: x, close\r\nX: y\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: y\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        "HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
        "5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n",
        toToken({.startedAt = TimePoint(std::chrono::microseconds(1770000000000000)), .id = "iaaaa"}, false)};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view input(reinterpret_cast<const char *>(data), size);
    fuzzRoutes(input);
    fuzzRequests(input);
    fuzzOwnFiles(input);
    fuzzAnswers(input);
    return 0;
}
