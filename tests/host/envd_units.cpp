// SPDX-License-Identifier: GPL-3.0-or-later
#define BOOST_TEST_MODULE envd_units
#include <boost/test/included/unit_test.hpp>

#include "backend/host/envd/accounts.h"
#include "backend/host/envd/content_type.h"
#include "backend/host/envd/entry_info.h"
#include "backend/host/envd/envelope.h"
#include "backend/host/envd/exit_status.h"
#include "backend/host/envd/files_routes.h"
#include "backend/host/envd/gzip.h"
#include "backend/host/envd/message.h"
#include "backend/host/envd/multipart.h"
#include "backend/host/envd/paths.h"
#include "backend/host/envd/rpc_error.h"
#include "backend/host/envd/rpc_router.h"
#include "backend/host/envd/upload.h"
#include "backend/host/http/json_text.h"

#include <csignal>
#include <string>
#include <vector>

using namespace boxdeck::host;
using namespace boxdeck::host::envd;
using namespace std::string_literals;

namespace {

struct Part
{
    MediaType disposition;
    std::string data;
    bool ended = false;
};

struct Recorder : MultipartParser::Sink
{
    void partBegin(const MediaType &disposition) override { parts.push_back({.disposition = disposition}); }
    void partData(std::string_view bytes) override { parts.back().data += bytes; }
    void partEnd() override { parts.back().ended = true; }
    std::vector<Part> parts;
};

std::vector<Part> parse(const std::string &body, std::size_t pieceSize)
{
    Recorder recorder;
    MultipartParser parser("XbX7q1", recorder);
    for (std::size_t at = 0; at < body.size(); at += pieceSize)
        parser.feed(std::string_view(body).substr(at, pieceSize));
    parser.finish();
    return recorder.parts;
}

std::string jsonString(std::string_view text)
{
    std::string out;
    http::appendJsonString(out, text);
    return out;
}

bool invalidArgument(const RpcError &error)
{
    return error.code() == Code::InvalidArgument;
}

} // namespace

BOOST_AUTO_TEST_SUITE(multipart)

BOOST_AUTO_TEST_CASE(parts_are_the_same_however_the_body_is_cut)
{
    const std::string binary("\0\r\n--XbX7q\r\n-\xff\r\r\n", 16);
    const std::string body = "preamble\r\n--XbX7q1\r\n"
                             "Content-Disposition: form-data; name=\"file\"; filename=\"/a/b.txt\"\r\n"
                             "Content-Type: application/octet-stream\r\n\r\n" +
                             binary +
                             "\r\n--XbX7q1  \r\n\r\nno head\r\n--XbX7q1\r\n"
                             "content-disposition: form-data; name=file; filename=empty\r\n\r\n"
                             "\r\n--XbX7q1--\r\nepilogue";
    for (std::size_t size = 1; size <= body.size(); ++size) {
        const auto parts = parse(body, size);
        BOOST_REQUIRE_EQUAL(parts.size(), 3U);
        BOOST_TEST(parts[0].disposition.parameters.at("filename") == "/a/b.txt");
        BOOST_TEST((parts[0].data == binary));
        BOOST_TEST(parts[1].disposition.type.empty());
        BOOST_TEST(parts[1].data == "no head");
        BOOST_TEST(parts[2].disposition.parameters.at("filename") == "empty");
        BOOST_TEST(parts[2].data.empty());
        BOOST_TEST(parts[2].ended);
    }
}

BOOST_AUTO_TEST_CASE(a_part_without_anything_in_it_is_empty)
{
    // No line end between the head and the boundary but the head's own.
    for (std::size_t size = 1; size < 80; ++size) {
        const auto parts = parse("--XbX7q1\r\nContent-Disposition: form-data; name=file\r\n\r\n--XbX7q1--\r\n", size);
        BOOST_REQUIRE_EQUAL(parts.size(), 1U);
        BOOST_TEST(parts[0].data.empty());
    }
}

BOOST_AUTO_TEST_CASE(a_body_that_breaks_off_is_an_error)
{
    const std::string whole = "--XbX7q1\r\nContent-Disposition: form-data; name=file\r\n\r\nhello\r\n--XbX7q1--";
    BOOST_CHECK_NO_THROW(parse(whole, 7));
    for (std::size_t size = 0; size < whole.size(); ++size)
        BOOST_CHECK_THROW(parse(whole.substr(0, size), 7), MultipartError);
    BOOST_CHECK_THROW(parse("--XbX7q1\r\nno colon here\r\n\r\nx\r\n--XbX7q1--", 100), MultipartError);
    BOOST_CHECK_THROW(parse("--XbX7q1\r\nX: " + std::string(100'000, 'a'), 4096), MultipartError);
}

BOOST_AUTO_TEST_CASE(names_keep_quotes_backslashes_and_percent_signs)
{
    const auto fileName = [](const std::string &value) {
        return MediaType::parse("form-data; name=\"file\"; filename=" + value).parameters.at("filename");
    };
    BOOST_TEST(fileName(R"("re\"port.txt")") == R"(re"port.txt)");
    BOOST_TEST(fileName(R"("ends\\")") == R"(ends\)");
    BOOST_TEST(fileName(R"("C:\dir\x.txt")") == R"(C:\dir\x.txt)");
    BOOST_TEST(fileName(R"("semi;x=1")") == "semi;x=1");
    BOOST_TEST(fileName(R"("a%22b%0Ac")") == "a%22b%0Ac");
    BOOST_TEST(fileName("\"\xE6\x96\x87\"") == "\xE6\x96\x87");
    BOOST_TEST(fileName("plain.txt ; other=1") == "plain.txt");
    BOOST_TEST(fileName("\"never closed") == "never closed");
    BOOST_TEST(MediaType::parse("form-data; filename*=UTF-8''a%20b").parameters.at("filename") == "a b");
    BOOST_TEST(MediaType::parse(" Multipart/Form-Data ; BOUNDARY=abc").type == "multipart/form-data");
    BOOST_TEST(MediaType::parse("multipart/form-data;boundary=\"a b\"").parameters.at("boundary") == "a b");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(paths)

BOOST_AUTO_TEST_CASE(a_path_is_expanded_as_the_protocol_says)
{
    const auto expand = [](std::string_view path, std::string_view folder = {}) {
        return expandPath(path, "/home/user", folder);
    };
    BOOST_TEST(expand("/a/../b//c") == "/a/../b//c");
    BOOST_TEST(expand("a/../b//c/") == "/home/user/b/c");
    BOOST_TEST(expand("../x") == "/home/x");
    BOOST_TEST(expand("") == "/home/user");
    BOOST_TEST(expand("", "/work") == "/work");
    BOOST_TEST(expand("x", "/work") == "/home/user/x");
    BOOST_TEST(expand("~") == "/home/user");
    BOOST_TEST(expand("~/x") == "/home/user/x");
    BOOST_TEST(expand("a~") == "/home/user/a~");
    BOOST_CHECK_THROW(expand("~other/x"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(paths_are_taken_apart)
{
    BOOST_TEST(cleanPath("/a/./b/../../..//c/") == "/c");
    BOOST_TEST(cleanPath("../a/..") == "..");
    BOOST_TEST(cleanPath("") == ".");
    BOOST_TEST(parentPath("/a/b") == "/a");
    BOOST_TEST(parentPath("/a") == "/");
    BOOST_TEST(parentPath("a") == ".");
    BOOST_TEST(baseName("/a/b//") == "b");
    BOOST_TEST(baseName("/") == "/");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(protocol)

BOOST_AUTO_TEST_CASE(envelopes_match_the_bytes_of_the_specification)
{
    const std::string start = makeEnvelope(0, R"({"event":{"start":{"pid":512}}})");
    BOOST_TEST(start.substr(0, 5) == "\0\0\0\0\x1f"s);
    BOOST_TEST(makeEnvelope(Envelope::endOfStream, "{}") == "\x02\0\0\0\x02{}"s);
    EnvelopeDecoder decoder(1024);
    const std::string both = start + makeEnvelope(Envelope::endOfStream, "{}");
    std::vector<Envelope> found;
    for (const char c : both) {
        decoder.feed(std::string_view(&c, 1));
        while (auto envelope = decoder.next())
            found.push_back(*envelope);
    }
    BOOST_REQUIRE_EQUAL(found.size(), 2U);
    BOOST_TEST(found[0].payload == R"({"event":{"start":{"pid":512}}})");
    BOOST_TEST(found[1].flags == Envelope::endOfStream);
    BOOST_TEST(!decoder.pending());
}

BOOST_AUTO_TEST_CASE(an_envelope_above_the_limit_is_refused_before_it_is_there)
{
    EnvelopeDecoder decoder(1024);
    decoder.feed("\0\x7f\xff\xff\xff"s);
    BOOST_CHECK_EXCEPTION(decoder.next(), RpcError,
                          [](const RpcError &error) { return error.code() == Code::ResourceExhausted; });
}

BOOST_AUTO_TEST_CASE(messages_are_read_tolerantly)
{
    const Message message =
        Message::parse(R"({"watcher_id":"w1","depth":"7","recursive":null,"unknown":{"a":[1]},)"
                       R"("stdin":false,"pid":12.0,"bytes":"_-8","signal":9,"named":"SIGNAL_SIGKILL",)"
                       R"("envs":{"A":"1"},"args":["x","y"],"other":"SIGNAL_NEW"})");
    BOOST_TEST(message.string("watcherId") == "w1");
    BOOST_TEST(message.uint32("depth") == 7U);
    BOOST_TEST(message.uint32("pid") == 12U);
    BOOST_TEST(!message.has("recursive"));
    BOOST_TEST(message.optionalBool("stdin").value() == false);
    BOOST_TEST(message.optionalBytes("bytes").value() == "\xff\xef"s);
    BOOST_TEST(message.stringMap("envs").at("A") == "1");
    BOOST_TEST(message.strings("args").size() == 2U);
    const std::vector<std::pair<std::string_view, int>> signals{{"SIGNAL_SIGKILL", 9}};
    BOOST_TEST(message.optionalEnum("signal", signals).value() == 9);
    BOOST_TEST(message.optionalEnum("named", signals).value() == 9);
    BOOST_TEST(message.optionalEnum("other", signals).value() == -1);
    BOOST_CHECK_EXCEPTION(message.string("depth2").empty() ? (void)message.uint32("watcherId") : (void)0, RpcError,
                          invalidArgument);
    BOOST_CHECK_EXCEPTION(Message::parse(""), RpcError, invalidArgument);
    BOOST_CHECK_EXCEPTION(Message::parse("[]"), RpcError, invalidArgument);
    BOOST_CHECK_EXCEPTION(Message::parse("{} x"), RpcError, invalidArgument);
}

BOOST_AUTO_TEST_CASE(timing_headers_have_sane_fallbacks)
{
    const auto options = [](std::string name, std::string value) {
        http::Headers headers;
        headers.add(std::move(name), std::move(value));
        return callOptions(headers);
    };
    using std::chrono::seconds;
    BOOST_TEST((options("Keepalive-Ping-Interval", "50").keepalive == seconds(50)));
    for (const char *bad : {"0", "-3", "abc", "", "1.5", "99999999999999999999"})
        BOOST_TEST((options("keepalive-ping-interval", bad).keepalive == seconds(90)));
    BOOST_TEST((options("Connect-Timeout-Ms", "60000").timeout.value() == std::chrono::milliseconds(60000)));
    BOOST_TEST(!options("X", "").timeout);
    for (const char *bad : {"12345678901", "-1", "5s"})
        BOOST_CHECK_EXCEPTION(options("Connect-Timeout-Ms", bad), RpcError, invalidArgument);
    BOOST_CHECK_EXCEPTION(options("Connect-Protocol-Version", "2"), RpcError, invalidArgument);
    BOOST_CHECK_NO_THROW(options("Connect-Protocol-Version", "1"));
}

BOOST_AUTO_TEST_CASE(an_end_is_told_in_the_words_of_the_specification)
{
    BOOST_TEST(ExitStatus::fromWait(3 << 8).eventJson() ==
               R"({"event":{"end":{"exitCode":3,"exited":true,"status":"exit status 3","error":"exit status 3"}}})");
    BOOST_TEST(ExitStatus::fromWait(0).eventJson() == R"({"event":{"end":{"exited":true,"status":"exit status 0"}}})");
    BOOST_TEST(ExitStatus::fromWait(SIGKILL).eventJson() ==
               R"({"event":{"end":{"exitCode":-1,"status":"signal: killed","error":"signal: killed"}}})");
    BOOST_TEST(ExitStatus::fromWait(SIGTERM).status == "signal: terminated");
}

BOOST_AUTO_TEST_CASE(json_text_is_always_valid)
{
    BOOST_TEST(jsonString("a\"b\\c\n\x01\x7f") == "\"a\\\"b\\\\c\\n\\u0001\\u007f\"");
    BOOST_TEST(jsonString("\xE2\x82\xAC \xF0\x9F\x98\x80") == "\"\xE2\x82\xAC \xF0\x9F\x98\x80\"");
    const std::string bad = "\xEF\xBF\xBD";
    BOOST_TEST(jsonString("x\xffy") == "\"x" + bad + "y\"");
    BOOST_TEST(jsonString("\xC0\xAF") == "\"" + bad + bad + "\"");           // overlong
    BOOST_TEST(jsonString("\xED\xA0\x80") == "\"" + bad + bad + bad + "\""); // surrogate
    BOOST_TEST(jsonString("\xE2\x82") == "\"" + bad + bad + "\"");           // cut
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(files)

BOOST_AUTO_TEST_CASE(ranges)
{
    using Kind = ByteRange::Kind;
    const auto range = [](std::string_view header, std::uint64_t size) { return ByteRange::parse(header, size); };
    const auto part = [&](std::string_view header, std::uint64_t first, std::uint64_t length) {
        const ByteRange got = range(header, 100);
        BOOST_TEST_CONTEXT(header)
        {
            BOOST_TEST((got.kind == Kind::Part));
            BOOST_TEST(got.first == first);
            BOOST_TEST(got.length == length);
        }
    };
    part("bytes=0-0", 0, 1);
    part("bytes=10-", 10, 90);
    part("bytes=10-1000", 10, 90);
    part("bytes=-10", 90, 10);
    part("bytes=-1000", 0, 100);
    part("bytes= 5 - 6 ", 5, 2);
    for (const char *bad :
         {"bytes=100-", "bytes=5-4", "bytes=x-", "bytes=-0", "bytes=", "bytes=-x", "bytes=99999999999999999999-"})
        BOOST_TEST((range(bad, 100).kind == Kind::Unsatisfiable), bad);
    BOOST_TEST((range("bytes=0-1,5-6", 100).kind == Kind::Whole));
    BOOST_TEST((range("lines=0-1", 100).kind == Kind::Whole));
    BOOST_TEST((range("bytes=0-", 0).kind == Kind::Whole));
}

BOOST_AUTO_TEST_CASE(codings)
{
    BOOST_TEST((chooseCoding(std::nullopt) == Coding::Identity));
    BOOST_TEST((chooseCoding("identity") == Coding::Identity));
    BOOST_TEST((chooseCoding("gzip, deflate, br") == Coding::Gzip));
    BOOST_TEST((chooseCoding("br, deflate") == Coding::Identity));
    BOOST_TEST((chooseCoding("gzip;q=0.1, identity;q=0.9") == Coding::Identity));
    BOOST_TEST((chooseCoding("gzip;q=0") == Coding::Identity));
    BOOST_TEST((chooseCoding("identity;q=0, br") == Coding::None));
    BOOST_TEST((chooseCoding("identity;q=0, gzip") == Coding::Gzip));
    BOOST_TEST((chooseCoding("*;q=0") == Coding::None));
}

BOOST_AUTO_TEST_CASE(gzip_streams_are_read_in_pieces)
{
    std::string text;
    for (int i = 0; i < 50'000; ++i)
        text += "line " + std::to_string(i) + "\n";
    GzipWriter writer;
    std::string packed = writer.feed(std::string_view(text).substr(0, 1000), false);
    packed += writer.feed(std::string_view(text).substr(1000), true);
    const std::string twice = packed + packed;
    GzipReader reader;
    std::string got;
    for (std::size_t at = 0; at < twice.size(); at += 777)
        reader.feed(std::string_view(twice).substr(at, 777), [&](std::string_view block) { got += block; });
    reader.finish();
    BOOST_TEST((got == text + text));
    BOOST_CHECK_THROW(gunzip(packed.substr(0, packed.size() - 1), 1 << 20), GzipError);
    BOOST_CHECK_EXCEPTION(gunzip("no gzip at all", 100), GzipError,
                          [](const GzipError &error) { return error.atStart; });
    BOOST_CHECK_THROW(gunzip(packed, 1000), GzipError);
}

BOOST_AUTO_TEST_CASE(permissions_are_written_as_go_writes_them)
{
    BOOST_TEST(permissionText(S_IFREG | 0644) == "-rw-r--r--");
    BOOST_TEST(permissionText(S_IFDIR | 0755) == "drwxr-xr-x");
    BOOST_TEST(permissionText(S_IFLNK | 0777) == "Lrwxrwxrwx");
    BOOST_TEST(permissionText(S_IFDIR | S_ISVTX | 0777) == "dtrwxrwxrwx");
    BOOST_TEST(permissionText(S_IFREG | S_ISUID | 0755) == "urwxr-xr-x");
    BOOST_TEST(permissionText(S_IFCHR | 0600) == "Dcrw-------");
    BOOST_TEST(permissionText(S_IFIFO | 0600) == "prw-------");
    BOOST_TEST(permissionText(S_IFSOCK | 0600) == "Srw-------");
}

BOOST_AUTO_TEST_CASE(metadata_headers_are_checked)
{
    const auto metadata = uploadMetadata(
        {{"X-Metadata-Origin", "demo"}, {"x-metadata-origin", "later"}, {"X-Metadata-", "no key"}, {"Accept", "x"}});
    BOOST_TEST(metadata.size() == 1U);
    BOOST_TEST(metadata.at("origin") == "demo");
    const auto refused = [](const HttpError &error) { return error.status() == 400; };
    BOOST_CHECK_EXCEPTION(uploadMetadata({{"X-Metadata-a", "\xC3\xA9"}}), HttpError, refused);
    BOOST_CHECK_EXCEPTION(uploadMetadata({{"X-Metadata-" + std::string(247, 'k'), "v"}}), HttpError, refused);
    BOOST_CHECK_EXCEPTION(uploadMetadata({{"X-Metadata-a", std::string(4096, 'v')}}), HttpError, refused);
}

BOOST_AUTO_TEST_CASE(a_file_name_cannot_break_the_disposition_header)
{
    BOOST_TEST(inlineDisposition("a.txt") == "inline; filename=a.txt");
    BOOST_TEST(inlineDisposition("a b.txt") == "inline; filename=\"a b.txt\"");
    BOOST_TEST(inlineDisposition("a\"\\b") == "inline; filename=\"a\\\"\\\\b\"");
    BOOST_TEST(inlineDisposition("\xE6\x96\x87\n") == "inline; filename*=utf-8''%E6%96%87%0A");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(accounts_are_read_from_the_two_files)
{
    const Accounts accounts = Accounts::parse("root:x:0:0:root:/root:/bin/bash\n"
                                              "user:x:1000:1000:,,,:/home/user:/bin/bash\n"
                                              "# comment:x:5:5::/:\n"
                                              "broken:x:abc:1::/:\n"
                                              "short:x:7\n"
                                              "homeless:x:8:8:::/bin/sh\n",
                                              "root:x:0:\nuser:x:1000:\ndocker:x:998:other,user\n"
                                              "sudo:x:27:user\nprimary:x:1000:user\nbad\n");
    const auto user = accounts.find("user");
    BOOST_REQUIRE(user);
    BOOST_TEST(user->uid == 1000U);
    BOOST_TEST(user->home == "/home/user");
    BOOST_TEST((user->groups == std::vector<gid_t>{1000, 998, 27}));
    BOOST_TEST(accounts.find("homeless")->home == "/");
    BOOST_TEST(!accounts.find("broken"));
    BOOST_TEST(!accounts.find("short"));
    BOOST_TEST(!accounts.find(""));
    BOOST_TEST(accounts.userName(1000) == "user");
    BOOST_TEST(accounts.userName(4711) == "4711");
    BOOST_TEST(accounts.groupName(998) == "docker");
    BOOST_TEST(accounts.groupName(4711) == "4711");
}
