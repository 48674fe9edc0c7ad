// SPDX-License-Identifier: GPL-3.0-or-later
#define BOOST_TEST_MODULE template_units
#include <boost/test/included/unit_test.hpp>

#include <filesystem>
#include <fstream>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>

#include "backend/host/control_plane/api_error.h"
#include "backend/host/control_plane/paging.h"
#include "backend/host/control_plane/template_answers.h"
#include "backend/host/images/template_catalog.h"

using namespace boxdeck::host;
namespace fs = std::filesystem;

namespace {

struct Folder
{
    Folder()
    {
        std::string name = (fs::temp_directory_path() / "boxdeck-templates-XXXXXX").string();
        path = mkdtemp(name.data());
    }
    ~Folder() { fs::remove_all(path); }
    std::string path;
};

// Runs one operation to its end and gives what it threw, 0 for nothing.
int statusOf(asio::awaitable<void> operation)
{
    asio::io_context io;
    int status = 0;
    asio::co_spawn(io, std::move(operation), [&status](const std::exception_ptr &thrown) {
        try {
            if (thrown)
                std::rethrow_exception(thrown);
        } catch (const ApiError &error) {
            status = error.status();
        }
    });
    io.run();
    return status;
}

template <typename Function> std::pair<int, std::string> refusalOf(Function function)
{
    try {
        function();
    } catch (const ApiError &error) {
        return {error.status(), error.what()};
    }
    return {0, {}};
}

TemplateBuild build(const std::string &id, BuildStatus status, const std::string &layer = {})
{
    return {.id = id, .status = status, .layerId = layer, .createdAt = now(), .updatedAt = now()};
}

StoredTemplate nightly()
{
    StoredTemplate stored{.id = "abcdefghij0123456789", .name = "nightly", .createdAt = now(), .updatedAt = now()};
    stored.builds = {build("11111111-1111-4111-8111-111111111111", BuildStatus::Ready, "layerone"),
                     build("22222222-2222-4222-8222-222222222222", BuildStatus::Building)};
    stored.builds[0].config = {.defaultUser = "root", .envVars = {{"A", "ü\n"}}, .startCmd = "serve", .readyCmd = "ok"};
    stored.builds[0].startedAt = stored.builds[0].finishedAt = now();
    stored.assign("default", stored.builds[0].id);
    stored.assign("v1", stored.builds[0].id);
    return stored;
}

const auto anyLayer = [](const std::string &) { return true; };

} // namespace

BOOST_AUTO_TEST_CASE(names_are_read_in_every_form)
{
    BOOST_TEST((readTemplateName(" Team/Name:V1.2 ") == TemplateName{"team", "name", "v1.2"}));
    BOOST_TEST((readTemplateName("name") == TemplateName{"", "name", ""}));
    BOOST_TEST(readTemplateName("name").tagOrDefault() == "default");
    for (const char *bad : {"", "a b", "base:", "base:a b", "/base", "a/b/c", "a:b:c", "a/", "ä", "a%2fb"})
        BOOST_TEST(refusalOf([bad] { readTemplateName(bad); }).first == 400, bad);
    BOOST_TEST(refusalOf([] { readTemplateName(std::string(129, 'a')); }).first == 400);
    BOOST_TEST(readTag(" V2 ") == "v2");
    BOOST_TEST(refusalOf([] { readTag("11111111-1111-4111-8111-111111111111"); }).first == 400);
    BOOST_TEST(isUuid(randomUuid()));
}

BOOST_AUTO_TEST_CASE(the_built_in_template_resolves)
{
    const Folder folder;
    const TemplateCatalog catalog(folder.path);
    for (const char *good : {"base", " Base ", "base:default", "boxdecklocalbase0001"})
        BOOST_TEST(catalog.resolve(good).alias == "base", good);
    BOOST_TEST(refusalOf([&] { catalog.resolve("nightly-tools"); }).second == "template 'nightly-tools' not found");
    BOOST_TEST(refusalOf([&] { catalog.resolve("base:v2"); }).second == "tag 'v2' does not exist for template 'base'");
    BOOST_TEST(refusalOf([&] { catalog.resolve("other/base"); }).first == 404);
    BOOST_TEST(refusalOf([&] { catalog.resolve("a b"); }).first == 400);
}

BOOST_AUTO_TEST_CASE(a_tag_counts_when_its_build_is_ready)
{
    const Folder folder;
    TemplateCatalog catalog(folder.path);
    BOOST_TEST(statusOf(catalog.add(nightly())) == 0);
    const std::string second = "22222222-2222-4222-8222-222222222222";
    const std::string first = "11111111-1111-4111-8111-111111111111";
    BOOST_TEST(statusOf(catalog.change("abcdefghij0123456789",
                                       [&](StoredTemplate &one) { one.assign("default", second); })) == 0);
    BOOST_TEST(catalog.resolve("nightly").buildId == first);
    BOOST_TEST(catalog.resolve("local/nightly:v1").config.startCmd == "serve");
    const Machine machine{.cpuCount = 4, .memoryMb = 1000, .diskMb = 9};
    auto shown = toTemplate(catalog.byId("abcdefghij0123456789"), machine);
    BOOST_TEST(shown.at("buildStatus").as_string() == "building");
    BOOST_TEST(shown.at("buildID").as_string() == first);
    statusOf(catalog.change("abcdefghij0123456789",
                            [&](StoredTemplate &one) { one.build(second)->status = BuildStatus::Ready; }));
    BOOST_TEST(catalog.resolve("nightly").buildId == second);
    // Back to the older one: the newest assignment wins, not the newest build.
    statusOf(catalog.change("abcdefghij0123456789", [&](StoredTemplate &one) { one.assign("default", first); }));
    BOOST_TEST(catalog.resolve("nightly").buildId == first);
}

BOOST_AUTO_TEST_CASE(a_template_without_the_default_tag_waits)
{
    StoredTemplate stored = nightly();
    std::erase_if(stored.tags, [](const TagAssignment &one) { return one.tag == "default"; });
    const auto shown = toTemplate(stored, {});
    BOOST_TEST(shown.at("buildStatus").as_string() == "waiting");
    BOOST_TEST(shown.at("buildID").as_string() == "00000000-0000-0000-0000-000000000000");
    BOOST_TEST(shown.at("cpuCount").as_int64() == 0);
    BOOST_TEST(shown.at("envdVersion").as_string() == "");
}

BOOST_AUTO_TEST_CASE(templates_come_back_as_they_were)
{
    const Folder folder;
    StoredTemplate before = nightly();
    {
        TemplateCatalog catalog(folder.path);
        BOOST_TEST(statusOf(catalog.add(before)) == 0);
        catalog.countSpawn(before.id, now());
    }
    TemplateCatalog again(folder.path);
    again.restore(anyLayer);
    const StoredTemplate &after = again.byId(before.id);
    BOOST_TEST(after.spawnCount == 1);
    BOOST_TEST(after.lastSpawnedAt.has_value());
    BOOST_TEST((after.builds[0] == before.builds[0]));
    BOOST_TEST((after.tags == before.tags));
    BOOST_TEST((after.builds[1].status == BuildStatus::Error)); // it was under way
    BOOST_TEST(after.builds[1].reason->message.find("restarted") != std::string::npos);
    BOOST_TEST(again.layers().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_build_whose_files_are_gone_is_an_error_that_says_so)
{
    const Folder folder;
    {
        TemplateCatalog catalog(folder.path);
        statusOf(catalog.add(nightly()));
    }
    TemplateCatalog again(folder.path);
    again.restore([](const std::string &) { return false; });
    BOOST_TEST(refusalOf([&] { again.resolve("nightly"); }).first == 404);
    BOOST_TEST(again.byId("abcdefghij0123456789").builds[0].reason->message.find("missing") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_change_that_cannot_be_written_did_not_happen)
{
    const Folder folder;
    TemplateCatalog catalog(folder.path);
    BOOST_TEST(statusOf(catalog.add(nightly())) == 0);
    const StoredTemplate before = catalog.byId("abcdefghij0123456789");
    fs::create_directory(folder.path + "/abcdefghij0123456789.json.new"); // in the way of whoever writes
    const auto edit = [](StoredTemplate &one) { one.isPublic = !one.isPublic; };
    BOOST_TEST(statusOf(catalog.change(before.id, edit)) == 500);
    BOOST_TEST((catalog.byId(before.id) == before));
    catalog.changeInMemory(before.id, edit);
    BOOST_TEST(catalog.byId(before.id).isPublic != before.isPublic);
}

BOOST_AUTO_TEST_CASE(what_is_built_in_or_taken_is_refused)
{
    const Folder folder;
    TemplateCatalog catalog(folder.path);
    BOOST_TEST(statusOf(catalog.remove("boxdecklocalbase0001")) == 403);
    BOOST_TEST(statusOf(catalog.change("boxdecklocalbase0001", [](StoredTemplate &) {})) == 403);
    BOOST_TEST(statusOf(catalog.remove("nosuch")) == 404);
    StoredTemplate other = nightly();
    other.name = "base";
    BOOST_TEST(statusOf(catalog.add(other)) == 409);
    BOOST_TEST(statusOf(catalog.add(nightly())) == 0);
    BOOST_TEST(statusOf(catalog.add(nightly())) == 409);
    BOOST_TEST(statusOf(catalog.remove("abcdefghij0123456789")) == 0);
    BOOST_TEST(fs::is_empty(folder.path));
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_left_alone)
{
    const Folder folder;
    const std::string file = folder.path + "/broken.json";
    std::ofstream(file) << "{\"version\":1";
    TemplateCatalog catalog(folder.path);
    BOOST_TEST(!catalog.restore(anyLayer)); // so nobody deletes the layers that it may need
    BOOST_TEST(catalog.all().size() == 1U);
    BOOST_TEST(fs::exists(file));
}

BOOST_AUTO_TEST_CASE(pages_hold_each_item_once)
{
    struct Item
    {
        PageCursor key;
    };
    const auto keyOf = [](const Item &item) { return item.key; };
    std::vector<Item> all;
    for (int i = 0; i < 7; ++i)
        all.push_back({{TimePoint(std::chrono::microseconds(i / 2)), std::string(1, static_cast<char>('a' + i))}});
    std::string seen;
    PageRequest request{.limit = 3};
    for (int pages = 1;; ++pages) {
        std::vector<Item> page = all;
        const std::string token = cutToPage(page, request, keyOf);
        for (const Item &item : page)
            seen += item.key.id;
        if (token.empty()) {
            BOOST_TEST(pages == 3);
            break;
        }
        request.after = cursorFromToken(token, false);
    }
    BOOST_TEST(seen == "gefcdab");
}
