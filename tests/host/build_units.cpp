// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of template builds that need no process: reading requests, variables, hashes, and logs page by page.
#define BOOST_TEST_MODULE build_units
#include <boost/test/included/unit_test.hpp>

#include <algorithm>

#include "backend/host/builds/build_limits.h"
#include "backend/host/builds/build_log.h"
#include "backend/host/builds/build_request.h"
#include "backend/host/builds/copy_stream.h"
#include "backend/host/builds/layer_cache.h"
#include "backend/host/control_plane/api_error.h"

using namespace boxdeck::host;

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Lines at the given milliseconds, named by their place.
std::vector<BuildLogEntry> linesAt(const std::vector<int> &times)
{
    std::vector<BuildLogEntry> entries;
    for (std::size_t i = 0; i < times.size(); ++i)
        entries.push_back({.time = TimePoint(std::chrono::milliseconds(times[i])), .message = std::to_string(i)});
    return entries;
}

std::vector<std::string> namesOf(const std::vector<BuildLogEntry> &entries)
{
    std::vector<std::string> names;
    for (const BuildLogEntry &entry : entries)
        names.push_back(entry.message);
    return names;
}

std::vector<std::string> numbers(int from, int to)
{
    std::vector<std::string> names;
    for (int i = from; i != to; i += from < to ? 1 : -1)
        names.push_back(std::to_string(i));
    return names;
}

} // namespace

BOOST_AUTO_TEST_CASE(variables_are_expanded_and_nothing_runs)
{
    const std::map<std::string, std::string> known{{"A", "1"}, {"LONG_2", "two"}, {"EMPTY", ""}};
    const struct
    {
        const char *text;
        const char *result;
    } cases[] = {
        {"plain", "plain"},
        {"$A", "1"},
        {"x$A-y", "x1-y"},
        {"$LONG_2$A", "two1"},
        {"${A}b", "1b"},
        {"$AB", ""},
        {"${MISSING}", ""},
        {"${MISSING:-word}", "word"},
        {"${EMPTY:-word}", "word"},
        {"${A:-word}", "1"},
        {"$(id) `id`", "$(id) `id`"},
        {"$", "$"},
        {"$$ $1 ${", "$$ $1 ${"},
        {"${A", "${A"},
        {"${A#x}", "${A#x}"},
        {"\\$A", "\\1"},
        {"100%", "100%"},
    };
    for (const auto &one : cases)
        BOOST_TEST(expandVariables(one.text, known) == one.result, one.text);
}

BOOST_AUTO_TEST_CASE(environment_steps_take_pairs_and_assignments)
{
    const auto pairs = [](std::vector<std::string> args) {
        return environmentPairs({.type = "ENV", .args = std::move(args)});
    };
    BOOST_TEST((pairs({"A", "1", "B", ""}) == Pairs{{"A", "1"}, {"B", ""}}));
    BOOST_TEST((pairs({"A=1"}) == Pairs{{"A", "1"}}));
    BOOST_TEST((pairs({"A=1=2", "B=", "C=x y"}) == Pairs{{"A", "1=2"}, {"B", ""}, {"C", "x y"}}));
    BOOST_TEST((pairs({"A", "x=y"}) == Pairs{{"A", "x=y"}}));
    for (const std::vector<std::string> &bad :
         {std::vector<std::string>{}, {"A"}, {"A", "1", "B"}, {"=1"}, {"", "1"}, {"A=B", "1"}})
        BOOST_CHECK_THROW(pairs(bad), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(hashes_are_64_hexadecimal_characters)
{
    const std::string good(64, 'a');
    BOOST_TEST(readFilesHash(good).value_or("") == good);
    BOOST_TEST(readFilesHash(std::string(64, 'A')).value_or("") == good);
    const std::string nul = std::string(63, 'a') + '\0';
    for (const std::string &bad : {std::string(), good + "a", good.substr(1), "../" + good.substr(3), nul,
                                   std::string(64, 'g'), good.substr(1) + "\n", good.substr(1) + "/"})
        BOOST_TEST(!readFilesHash(bad).has_value());
}

BOOST_AUTO_TEST_CASE(sources_are_cut_at_their_first_glob)
{
    const struct
    {
        const char *source;
        const char *base;
    } cases[] = {{".", ""},        {"./", ""},      {"a", "a"},       {"./a//b/", "a/b"}, {"*.txt", ""},
                 {"dir/*", "dir"}, {"a/b?/c", "a"}, {"a/[x]/b", "a"}, {"{a,b}/c", ""},    {"a.b/c-d", "a.b/c-d"}};
    for (const auto &one : cases)
        BOOST_TEST(copyBase(one.source) == one.base, one.source);
    for (const char *bad : {"/", "/a", "..", "a/../b", "a/.."})
        BOOST_CHECK_THROW(copyBase(bad), CopyRefused);
}

BOOST_AUTO_TEST_CASE(build_bodies_are_read_leniently_and_checked_as_a_whole)
{
    const BuildStart start = readBuildStart(
        R"({"fromTemplate":"base","steps":[{"type":"run","args":["x"],"force":null},{"type":"ENV"}],"startCmd":null})");
    BOOST_TEST(start.fault.empty());
    BOOST_TEST(start.steps.size() == 2U);
    BOOST_TEST(start.steps[0].type == "RUN");
    for (const char *faulty :
         {"{}", R"({"fromTemplate":"a","fromImage":"b"})", R"({"fromImage":"b","fromImageRegistry":{"type":"x"}})"})
        BOOST_TEST(!readBuildStart(faulty).fault.empty(), faulty);
    for (const char *type : {"aws", "gcp", "registry", "general"})
        BOOST_TEST(readBuildStart(R"({"fromImage":"b","fromImageRegistry":{"type":")" + std::string(type) + "\"}}")
                       .fault.empty(),
                   type);
    for (const char *bad :
         {"", "[]", "{", R"({"steps":{}})", R"({"steps":[1]})", R"({"steps":[{}]})",
          R"({"steps":[{"type":"RUN","args":[1]}]})", R"({"steps":[{"type":"WORKDIR","args":["/a\u0000b"]}]})",
          R"({"fromImage":1})", R"({"force":"yes"})"})
        BOOST_CHECK_THROW(readBuildStart(bad), ApiError);
    BOOST_TEST(readTemplateRequest(R"({"alias":"x"})", 3).name == "x");
    BOOST_TEST(readTemplateRequest(R"({"name":"y","alias":"x"})", 3).name == "y");
    BOOST_CHECK_THROW(readTemplateRequest(R"({"name":"y"})", 2), ApiError);
}

BOOST_AUTO_TEST_CASE(limits_are_read_over_the_defaults)
{
    const BuildLimits limits = readBuildLimits("time=5,log=2,archive=3,running=1");
    BOOST_TEST(limits.time.count() == 5);
    BOOST_TEST(limits.logBytes == 2048U);
    BOOST_TEST(limits.uploads.archive == 3U * 1024 * 1024);
    BOOST_TEST(limits.ready.count() == 600);
    for (const char *bad : {"x=1", "time", "time=", "time=-1", "time=1x", "running=0", "time=99999999999"})
        BOOST_CHECK_THROW(readBuildLimits(bad), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(keys_depend_on_everything_before)
{
    BOOST_TEST(stepKey("a", {"b", "c"}) == stepKey("a", {"b", "c"}));
    BOOST_TEST(stepKey("a", {"b", "c"}) != stepKey("a", {"bc"}));
    BOOST_TEST(stepKey("a", {"b", "c"}) != stepKey("a", {"b\n1:c"}));
    BOOST_TEST(stepKey("a", {"b"}) != stepKey("b", {"b"}));
    BOOST_TEST(stepKey("", {}).size() == 64U);
}

BOOST_AUTO_TEST_CASE(output_is_cut_into_lines_wherever_it_arrives)
{
    const std::string text = "one\r\ntwo\n\nlong " + std::string(LineCutter::lineLimit * 2, 'x') + "\nrest";
    LineCutter whole;
    std::vector<std::string> expected = whole.feed(text);
    BOOST_TEST(whole.rest() == "rest");
    BOOST_TEST(expected[0] == "one");
    BOOST_TEST(expected[2].empty());
    LineCutter bytewise;
    std::vector<std::string> lines;
    for (const char letter : text) {
        for (std::string &line : bytewise.feed(std::string_view(&letter, 1)))
            lines.push_back(std::move(line));
    }
    BOOST_TEST(lines == expected);
    BOOST_TEST(bytewise.rest() == "rest");
    BOOST_TEST(std::all_of(lines.begin(), lines.end(),
                           [](const std::string &line) { return line.size() <= LineCutter::lineLimit; }));
}

BOOST_AUTO_TEST_CASE(pages_end_between_milliseconds_and_leave_nothing_out)
{
    std::vector<int> times;
    for (int i = 0; i < 90; ++i)
        times.push_back(i / 3); // three in each
    for (int i = 0; i < 40; ++i)
        times.push_back(50); // forty in one
    for (int i = 0; i < 120; ++i)
        times.push_back(60 + i);
    const auto entries = linesAt(times);
    for (const bool forward : {true, false}) {
        for (const std::size_t limit : {100U, 41U, 40U}) {
            std::vector<std::string> seen;
            std::optional<std::int64_t> cursor;
            for (;;) {
                const auto page = pageAt(entries, cursor, forward, limit, LogLevel::Debug);
                if (page.empty())
                    break;
                BOOST_TEST_REQUIRE(page.size() <= limit);
                for (const std::string &name : namesOf(page))
                    seen.push_back(name);
                const auto last = std::chrono::floor<std::chrono::milliseconds>(page.back().time.time_since_epoch());
                cursor = last.count() + (forward ? 1 : -1);
            }
            BOOST_TEST(seen == (forward ? numbers(0, 250) : numbers(249, -1)));
        }
    }
    // A page smaller than a millisecond's lines gives what it can.
    BOOST_TEST(pageAt(entries, 50, true, 10, LogLevel::Debug).size() == 10U);
    BOOST_TEST(pageAt(entries, {}, true, 0, LogLevel::Debug).empty());
}

BOOST_AUTO_TEST_CASE(slices_count_only_what_is_shown)
{
    auto entries = linesAt({1, 2, 3, 4, 5});
    entries[1].level = LogLevel::Debug;
    entries[3].level = LogLevel::Error;
    BOOST_TEST(namesOf(sliceOf(entries, 0, 10, LogLevel::Info)) == (std::vector<std::string>{"0", "2", "3", "4"}));
    BOOST_TEST(namesOf(sliceOf(entries, 1, 2, LogLevel::Info)) == (std::vector<std::string>{"2", "3"}));
    BOOST_TEST(namesOf(sliceOf(entries, 0, 10, LogLevel::Error)) == (std::vector<std::string>{"3"}));
    BOOST_TEST(sliceOf(entries, 9, 10, LogLevel::Debug).empty());
}
