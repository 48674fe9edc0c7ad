// SPDX-License-Identifier: GPL-3.0-or-later
// The host's rules that need no sandbox: who may pass, where a request belongs, what a list holds.
#define BOOST_TEST_MODULE host_control_units
#include <boost/test/included/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json.hpp>

#include "backend/host/control_plane/api_error.h"
#include "backend/host/control_plane/data_folder.h"
#include "backend/host/control_plane/list_query.h"
#include "backend/host/control_plane/requests.h"
#include "backend/host/http/proxy_access.h"
#include "backend/host/http/proxy_route.h"
#include "backend/host/http/upstream_head.h"
#include "backend/host/sandbox/root_layout.h"
#include "backend/host/sandbox/uid_range.h"

using namespace boxdeck::host;
namespace fs = std::filesystem;

namespace {

// The token of the worked examples in protocol/envd.md, section 4.
constexpr const char *token = "4b1d0f6e2a9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e";
constexpr const char *id = "i7m2p9x4c1b8n5v3z6q0d";

http::Request request(const char *method, const std::string &target, http::Headers headers = {})
{
    http::Request made{.method = method, .target = target, .path = target.substr(0, target.find('?'))};
    if (const auto mark = target.find('?'); mark != std::string::npos)
        made.query = target.substr(mark + 1);
    made.headers = std::move(headers);
    return made;
}

http::Route routed(const http::Headers &headers)
{
    return http::routeOf(request("GET", "/x", headers));
}

int statusOf(const std::function<void()> &call)
{
    try {
        call();
    } catch (const ApiError &error) {
        return error.status();
    }
    return 0;
}

std::string messageOf(const std::function<void()> &call)
{
    try {
        call();
    } catch (const ApiError &error) {
        return error.what();
    }
    return {};
}

SandboxRecord record(const std::string &name, int second, SandboxState state = SandboxState::Running)
{
    return {.id = name,
            .templateId = "boxdecklocalbase0001",
            .alias = "base",
            .startedAt = TimePoint(std::chrono::seconds(1'000'000 + second)),
            .state = state};
}

} // namespace

BOOST_AUTO_TEST_CASE(signatures_match_the_worked_examples)
{
    BOOST_TEST(http::fileSignature("/home/user/a b.txt", "read", "", token, {}) ==
               "v1_k6butwZ4R4iYePK4of3yc6Ia3O13T0Zp4wHm9VFfnvY");
    BOOST_TEST(http::fileSignature("/home/user/out+1.bin", "write", "user", token, 1772450000) ==
               "v1_ybZScpyu5BqOSZZURGzZXpYmAlwCz+ytWya9EuwopbA");
}

BOOST_AUTO_TEST_CASE(signed_urls_pass_only_as_they_were_signed)
{
    const std::string read =
        "/files?path=%2Fhome%2Fuser%2Fa%20b.txt&signature=v1_k6butwZ4R4iYePK4of3yc6Ia3O13T0Zp4wHm9VFfnvY";
    const std::string write = "/files?path=%2Fhome%2Fuser%2Fout%2B1.bin&username=user&signature=v1_"
                              "ybZScpyu5BqOSZZURGzZXpYmAlwCz%2BytWya9EuwopbA"
                              "&signature_expiration=1772450000";
    BOOST_TEST(!http::checkAccess(request("GET", read), token, 0));
    BOOST_TEST(http::checkAccess(request("POST", read), token, 0)->message == "invalid signature");
    BOOST_TEST(!http::checkAccess(request("POST", write), token, 1772450000));
    BOOST_TEST(http::checkAccess(request("POST", write), token, 1772450001)->message == "signature is already expired");
    BOOST_TEST(http::checkAccess(request("GET", read + "&username=root"), token, 0)->message == "invalid signature");
    // A '+' left bare becomes a space, so the text is another one.
    std::string bare = write;
    bare.replace(bare.find("%2Byt"), 3, "+");
    BOOST_TEST(http::checkAccess(request("POST", bare), token, 0)->message == "invalid signature");
    BOOST_TEST(http::checkAccess(request("GET", "/files?path=a"), token, 0)->message ==
               "missing signature query parameter");
    const auto twice = http::checkAccess(request("GET", read + "&path=%2Fetc%2Fpasswd"), token, 0);
    BOOST_TEST(twice->status == 400);
    BOOST_TEST(twice->plainText);
    BOOST_TEST(http::checkAccess(request("GET", read + "&signature_expiration=soon"), token, 0)->status == 400);
    // A wrong header is not made good by a signature; an empty one counts as absent.
    BOOST_TEST(http::checkAccess(request("GET", read, {{"X-Access-Token", "nope"}}), token, 0)->status == 401);
    BOOST_TEST(!http::checkAccess(request("GET", read, {{"X-Access-Token", ""}}), token, 0));
}

BOOST_AUTO_TEST_CASE(every_other_route_needs_the_token)
{
    const http::Headers good{{"x-access-token", token}};
    for (const char *target : {"/envs", "/metrics", "/process.Process/Start", "/files/compose", "/files/", "//files",
                               "/health/", "/fi%6ces"}) {
        BOOST_TEST_CONTEXT(target)
        {
            BOOST_TEST(http::checkAccess(request("POST", target), token, 0)->status == 401);
            BOOST_TEST(http::checkAccess(request("GET", target), token, 0)->status == 401);
            BOOST_TEST(!http::checkAccess(request("POST", target, good), token, 0));
            BOOST_TEST(!http::checkAccess(request("POST", target), "", 0));
        }
    }
    BOOST_TEST(!http::checkAccess(request("GET", "/health"), token, 0));
    BOOST_TEST(http::checkAccess(request("POST", "/health"), token, 0)->status == 401);
    BOOST_TEST(http::checkAccess(request("DELETE", "/files?path=x"), token, 0)->status == 401);
}

BOOST_AUTO_TEST_CASE(requests_find_their_sandbox)
{
    using Kind = http::Route::Kind;
    const http::Route wanted{.kind = Kind::DataPlane, .sandboxId = id, .port = 49983};
    const std::string host = std::string("49983-") + id;
    BOOST_TEST((routed({{"Host", host + ".e2b.app"}}) == wanted));
    BOOST_TEST((routed({{"Host", host + ".localhost:3000"}}) == wanted));
    BOOST_TEST((routed({{"Host", host + "-6532622b.e2b.app"}}) == wanted));
    for (const char *by : {"localhost:80", "127.0.0.1:1234", "[::1]:80", "sandbox.e2b.app"})
        BOOST_TEST((routed({{"Host", by}, {"E2b-Sandbox-Id", id}, {"e2b-sandbox-port", "49983"}}) == wanted));
    // On a sandbox's own host the headers mean nothing.
    BOOST_TEST(
        (routed({{"Host", host + ".e2b.app"}, {"E2b-Sandbox-Id", "other"}, {"E2b-Sandbox-Port", "1"}}) == wanted));
    for (const char *by : {"localhost", "127.0.0.1:3000", "api.e2b.app", "my-laptop.local", "box", "[::1]:3000"})
        BOOST_TEST((routed({{"Host", by}}).kind == Kind::ControlPlane));

    const auto refused = [](const http::Headers &headers) {
        const http::Route route = routed(headers);
        BOOST_TEST((route.kind == Kind::Refused));
        return std::pair(route.status, route.text);
    };
    BOOST_TEST(
        (refused({{"Host", "localhost"}, {"E2b-Sandbox-Id", id}}) == std::pair(400, std::string("missing header\n"))));
    BOOST_TEST((refused({{"Host", "localhost"}, {"E2b-Sandbox-Port", "1"}}).first == 400));
    BOOST_TEST((refused({{"Host", "sandbox.local"}}).second == "missing header\n"));
    BOOST_TEST((refused({{"Host", "49983-NOT_AN_ID.x"}}) == std::pair(400, std::string("Invalid sandbox ID\n"))));
    BOOST_TEST((refused({{"Host", "localhost"}, {"E2b-Sandbox-Id", id}, {"E2b-Sandbox-Port", "abc"}}) ==
                std::pair(500, std::string("Unexpected error when routing request: invalid sandbox port\n"))));
    BOOST_TEST((refused({{"Host", std::string("x-") + id + ".e2b.app"}}).first == 500));
}

BOOST_AUTO_TEST_CASE(orchestrator_routes_are_recognised_however_they_are_written)
{
    for (const char *path : {"/init", "/init/", "//init", "/./init", "/a/../init", "/%69nit", "/freeze", "/unfreeze",
                             "/collapse", "/fsfreeze", "/fsthaw", "/upgrade"})
        BOOST_TEST(http::orchestratorOnly(path), path);
    for (const char *path : {"/", "/initial", "/files", "/init/x", "/health"})
        BOOST_TEST(!http::orchestratorOnly(path), path);
}

BOOST_AUTO_TEST_CASE(metadata_is_decoded_three_times)
{
    using Pairs = std::map<std::string, std::string>;
    const auto read = [](const char *query) { return readListQuery(query).metadata; };
    BOOST_TEST((read("metadata=team%3Da%252520b%252526c") == Pairs{{"team", "a b&c"}}));
    BOOST_TEST((read("metadata=a%3D1%26b%3D2") == Pairs{{"a", "1"}, {"b", "2"}}));
    BOOST_TEST((read("metadata=owner%3Dci-17") == Pairs{{"owner", "ci-17"}}));
    for (const char *bad : {"metadata=plain", "metadata=a%3D1%3D2", "metadata=a%3D1%26", "metadata=a%3D%2525zz"})
        BOOST_TEST(statusOf([bad] { readListQuery(bad); }) == 400, bad);
}

BOOST_AUTO_TEST_CASE(list_queries_say_what_is_wrong)
{
    BOOST_TEST(readListQuery("state=running,paused").paused);
    BOOST_TEST(!readListQuery("state=running").paused);
    BOOST_TEST(readListQuery("").limit == 100U);
    for (const char *bad :
         {"state=running&state=paused", "state=stopped", "limit=0", "limit=101", "limit=x", "limit=", "order=up",
          "startedAfter=yesterday", "template=base:v1", "nextToken=bogus", "nextToken=%%"})
        BOOST_TEST(statusOf([bad] { readListQuery(bad); }) == 400, bad);
    BOOST_TEST(messageOf([] { readListQuery("nextToken=bogus"); }) == "Invalid next token");
}

BOOST_AUTO_TEST_CASE(pages_neither_repeat_nor_skip)
{
    std::vector<SandboxRecord> all;
    for (int i = 0; i < 7; ++i)
        all.push_back(record("i" + std::to_string(i), i / 2)); // ties in time
    for (const char *order : {"desc", "asc"}) {
        std::vector<std::string> seen;
        std::string text = std::string("limit=2&order=") + order;
        const std::string first = text;
        for (int page = 0; page < 10; ++page) {
            const ListPage got = makePage(all, readListQuery(text));
            for (const SandboxRecord &one : got.sandboxes)
                seen.push_back(one.id);
            if (page == 0) {
                // Killed and created between the pages.
                std::erase_if(all, [&](const SandboxRecord &one) { return one.id == seen.front(); });
                all.push_back(record(std::string(order) + "new", std::string(order) == "desc" ? 100 : -100));
            }
            if (got.nextToken.empty())
                break;
            text = first + "&nextToken=" + http::percentEncode(got.nextToken);
        }
        std::vector<std::string> sorted = seen;
        std::sort(sorted.begin(), sorted.end());
        BOOST_TEST((std::unique(sorted.begin(), sorted.end()) == sorted.end()));
        BOOST_TEST(seen.size() == 7U); // what was made in between lies before the first page
    }
    const std::string ascending = toToken({now(), "i1"}, true);
    BOOST_TEST(messageOf([&] { readListQuery("nextToken=" + http::percentEncode(ascending)); }) ==
               "Invalid next token");
}

BOOST_AUTO_TEST_CASE(running_ones_are_counted_before_paging)
{
    const std::vector<SandboxRecord> all{record("a", 1), record("b", 2), record("c", 3, SandboxState::Paused)};
    BOOST_TEST(*makePage(all, readListQuery("limit=1")).totalRunning == 2U);
    BOOST_TEST(!makePage(all, readListQuery("state=paused")).totalRunning.has_value());
    BOOST_TEST(makePage(all, readListQuery("state=paused")).sandboxes.size() == 1U);
}

BOOST_AUTO_TEST_CASE(times_are_read_and_written_exactly)
{
    const auto time = timeFromText("2026-03-02T10:11:12.345678Z");
    BOOST_REQUIRE(time.has_value());
    BOOST_TEST(toText(*time) == "2026-03-02T10:11:12.345678Z");
    BOOST_TEST((timeFromText("2026-03-02T12:11:12.345678912+02:00") == time));
    BOOST_TEST(toText(*timeFromText("2024-02-29T23:59:59Z")) == "2024-02-29T23:59:59.000000Z");
    for (const char *bad : {"", "2026-03-02", "2026-13-02T10:11:12Z", "2026-02-30T10:11:12Z", "2026-03-02T10:11:12",
                            "2026-03-02T10:11:12.Z", "2026-03-02T10:11:12+0200"})
        BOOST_TEST(!timeFromText(bad).has_value(), bad);
}

BOOST_AUTO_TEST_CASE(create_bodies_are_checked)
{
    const auto v1 = [](const char *body) { return readCreate(body, ApiGeneration::V1); };
    const auto v2 = [](const char *body) { return readCreate(body, ApiGeneration::V2); };
    BOOST_TEST(v1(R"({"templateID":"base"})").timeout.count() == 15);
    BOOST_TEST(v2(R"({"templateID":"base"})").timeout.count() == 300);
    BOOST_TEST(!v1(R"({"templateID":"base"})").secure);
    BOOST_TEST(v2(R"({"templateID":"base","secure":false})").secure);
    BOOST_TEST(v1(R"({"templateID":"base","unknown":{"a":1},"network":null,"mcp":null})").allowPublicTraffic);
    for (const char *bad :
         {"",
          "[]",
          "{",
          R"({"timeout":5})",
          R"({"templateID":null})",
          R"({"templateID":"base","timeout":0})",
          R"({"templateID":"base","timeout":-1})",
          R"({"templateID":"base","timeout":-3600})",
          R"({"templateID":"base","timeout":"5"})",
          R"({"templateID":"base","timeout":1.5})",
          R"({"templateID":"base","timeout":null})",
          R"({"templateID":"base","metadata":{"a":1}})",
          R"({"templateID":"base","metadata":null})",
          R"({"templateID":"base","autoResume":true})",
          R"({"templateID":"base","autoPauseMemory":false})",
          R"({"templateID":"base","autoPause":true,"autoPauseMemory":false,"autoResume":{"enabled":true}})",
          R"({"templateID":"base","network":{"allowPublicTraffic":false}})",
          R"({"templateID":"base","network":{"allowOut":["files.example"]}})",
          R"({"templateID":"base","network":{"allowOut":["1.1.1.1"]}})",
          R"({"templateID":"base","network":{"denyOut":["files.example"]}})",
          R"({"templateID":"base","network":{"rules":{"a.b":[]}}})",
          R"({"templateID":"base","volumeMounts":[{"name":"a","path":"b"}]})",
          R"({"templateID":"base","volumeMounts":[{"name":"a","path":"/proc/b"}]})",
          R"({"templateID":"base","envVars":{"A=B":"c"}})"})
        BOOST_TEST(statusOf([&] { v1(bad); }) == 400, bad);
    BOOST_TEST(messageOf([&] { v1(R"({"templateID":"base","timeout":0})"); }) == "Timeout must be greater than 0");
    const auto withVariables = [](std::size_t count, std::size_t size) {
        std::string body = R"({"templateID":"base","envVars":{"A":"")";
        for (std::size_t i = 0; i < count; ++i)
            body += ",\"V" + std::to_string(i) + "\":\"" + std::string(size, 'x') + '"';
        return body + "}}";
    };
    BOOST_TEST(v1(withVariables(12, 10'000).c_str()).envVars.size() == 13U);
    BOOST_TEST(messageOf([&] { v1(withVariables(1, 130 * 1024).c_str()); }).find("V0") != std::string::npos);
    BOOST_TEST(messageOf([&] { v1(withVariables(14, 10'000).c_str()); }).find("128 KiB") != std::string::npos);
    // Denying is what having no network does anyway.
    BOOST_TEST(v1(R"({"templateID":"base","network":{"denyOut":["0.0.0.0/0"]},"allow_internet_access":false})")
                   .allowInternetAccess.value_or(true) == false);
}

BOOST_AUTO_TEST_CASE(other_bodies_and_ids)
{
    BOOST_TEST(readConnect("", std::chrono::seconds(300)).timeout.count() == 300);
    BOOST_TEST(readConnect("{}", std::chrono::seconds(15)).timeout.count() == 15);
    BOOST_TEST(statusOf([] { readConnect(R"({"timeout":-1})", std::chrono::seconds(1)); }) == 400);
    BOOST_TEST(readPause(R"({"keepMemory":false})"));
    BOOST_TEST(!readPause(R"({"memory":false})"));
    BOOST_TEST(statusOf([] { readTimeout(""); }) == 400);
    BOOST_TEST(statusOf([] { readTimeout("{}"); }) == 400);
    BOOST_TEST(readRefresh("").count() == 15);
    BOOST_TEST(readRefresh(R"({"duration":60})").count() == 60);
    BOOST_TEST(statusOf([] { readRefresh(R"({"duration":3601})"); }) == 400);
    BOOST_TEST(readSandboxId(id) == id);
    BOOST_TEST(readSandboxId(std::string(id) + "-6532622b") == id);
    for (const char *bad : {"", "a-b-c", "UPPER", "a/b", "../x"})
        BOOST_TEST(messageOf([bad] { readSandboxId(bad); }) == "Invalid sandbox ID", bad);
}

BOOST_AUTO_TEST_CASE(records_come_back_as_they_were)
{
    SandboxRecord one = record(id, 5, SandboxState::Paused);
    one.metadata = {{"owner", "ci-17"}, {"ü", "\"\n"}};
    one.envVars = {{"LANG", "C.UTF-8"}};
    one.envdAccessToken = token;
    one.allowInternetAccess = false;
    one.network = boost::json::object{{"denyOut", boost::json::array{"0.0.0.0/0"}}};
    one.diskOnly = true;
    one.buildId = "5b0c8c1e-52f4-4c86-9d0b-0b0de0000001";
    one.config = {
        .ownUsr = true, .defaultUser = "root", .workdir = "/srv", .envVars = {{"A", "b"}}, .startCmd = "serve"};
    BOOST_TEST((recordFromJson(boost::json::parse(boost::json::serialize(toJson(one))).as_object()) == one));
}

BOOST_AUTO_TEST_CASE(subordinate_ids_are_found)
{
    const std::string file = "other:100000:65536\nme:bad\nme:200000:10\nme:300000:65536\n1001:400000:65536\n";
    BOOST_TEST((findSubordinateRange(file, "me", 1000, 2000) == std::pair(300000U, 65536U)));
    BOOST_TEST((findSubordinateRange(file, "", 1001, 2000) == std::pair(400000U, 65536U)));
    BOOST_TEST(!findSubordinateRange(file, "nobody", 1002, 2000).has_value());
    BOOST_TEST(!findSubordinateRange("me:0:65536\nme:4294967290:65536\n", "me", 1000, 2000).has_value());
    const UidRange range{.firstUid = 1, .firstGid = 2, .count = 3, .direct = true};
    BOOST_TEST((uidRangeFromText(toText(range)) == range));
    BOOST_TEST(!uidRangeFromText("1:2:3:directly").has_value());
}

BOOST_AUTO_TEST_CASE(answers_of_a_daemon_are_read_strictly)
{
    using Body = http::UpstreamHead::Body;
    const auto chunked = http::parseUpstreamHead("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: b", false);
    BOOST_TEST((chunked.body == Body::Chunked));
    BOOST_TEST(*chunked.headers.get("x-a") == "b");
    BOOST_TEST(!chunked.headers.contains("Transfer-Encoding"));
    BOOST_TEST((http::parseUpstreamHead("HTTP/1.1 204 No Content", false).body == Body::None));
    BOOST_TEST(http::parseUpstreamHead("HTTP/1.1 200 OK\r\nContent-Length: 5", false).length == 5U);
    for (const char *bad : {"", "200 OK", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\nContent-Length: -1",
                            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2",
                            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked",
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip", "HTTP/1.1 200 OK\r\nno header"})
        BOOST_CHECK_THROW(http::parseUpstreamHead(bad, false), http::BadUpstream);
}

BOOST_AUTO_TEST_CASE(chunks_are_read_however_they_are_cut)
{
    const std::string stream = "5\r\nhello\r\n1;ext=1\r\n \r\n6\r\nworld!\r\n0\r\nTrailer: x\r\n\r\n";
    for (std::size_t step = 1; step <= stream.size(); ++step) {
        http::ChunkedBody body;
        std::string content;
        for (std::size_t at = 0; at < stream.size(); at += step) {
            for (const std::string_view piece : body.feed(std::string_view(stream).substr(at, step)))
                content += piece;
            BOOST_TEST(body.done() == (at + step >= stream.size()));
        }
        BOOST_TEST(content == "hello world!");
    }
    http::ChunkedBody body;
    BOOST_CHECK_THROW(body.feed("5\r\nhelloX\r\n"), http::BadUpstream);
    http::ChunkedBody other;
    BOOST_CHECK_THROW(other.feed("zz\r\n"), http::BadUpstream);
}

BOOST_AUTO_TEST_CASE(deleting_is_not_fooled_by_depth_or_links)
{
    std::string pattern = (fs::temp_directory_path() / "boxdeck-XXXXXX").string();
    BOOST_REQUIRE(mkdtemp(pattern.data()) != nullptr);
    const fs::path outside = fs::path(pattern) / "outside";
    const fs::path folder = fs::path(pattern) / "folder";
    fs::create_directories(outside);
    std::ofstream(outside / "keep") << "x";
    fs::create_directories(folder);
    fs::create_directory_symlink(outside, folder / "link");
    // Deeper than any path and any number of descriptors.
    const int start = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    BOOST_REQUIRE(chdir(folder.c_str()) == 0);
    for (int i = 0; i < 6000; ++i) {
        BOOST_REQUIRE(mkdir("deeper-and-deeper", 0700) == 0);
        BOOST_REQUIRE(chdir("deeper-and-deeper") == 0);
    }
    std::ofstream("file") << "x";
    BOOST_REQUIRE(fchdir(start) == 0);
    close(start);
    fs::create_directories(folder / "locked" / "inner" / "more");
    fs::permissions(folder / "locked" / "inner", fs::perms::none);
    fs::permissions(folder / "locked", fs::perms::none);
    removeTree(folder.string());
    BOOST_TEST(!fs::exists(folder));
    BOOST_TEST(fs::exists(outside / "keep"));
    removeTree(folder.string()); // gone already: nothing to do
    fs::remove_all(pattern);
}

BOOST_AUTO_TEST_CASE(a_data_folder_has_one_host_and_keeps_its_key_to_itself)
{
    std::string pattern = (fs::temp_directory_path() / "boxdeck-XXXXXX").string();
    BOOST_REQUIRE(mkdtemp(pattern.data()) != nullptr);
    {
        const DataFolder folder(pattern + "/data");
        BOOST_CHECK_THROW(DataFolder(pattern + "/data"), StartError);
        const std::string key = folder.ownApiKey();
        BOOST_TEST(key.size() == 44U);
        BOOST_TEST(key.starts_with("e2b_"));
        BOOST_TEST(folder.ownApiKey() == key);
        struct stat info
        {
        };
        BOOST_REQUIRE(stat((folder.path() + "/api-key").c_str(), &info) == 0);
        BOOST_TEST((info.st_mode & 07777) == 0600);
    }
    const DataFolder again(pattern + "/data");
    std::ofstream(pattern + "/key") << "  some-key\n";
    BOOST_TEST(readApiKeyFile(pattern + "/key") == "some-key");
    std::ofstream(pattern + "/bad") << "two words";
    BOOST_CHECK_THROW(readApiKeyFile(pattern + "/bad"), StartError);
    BOOST_CHECK_THROW(readApiKeyFile(pattern + "/missing"), StartError);
    fs::remove_all(pattern);
}
