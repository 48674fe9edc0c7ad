// SPDX-License-Identifier: GPL-3.0-or-later
// The small readers of boxdeck-envd: addresses, paths, ranges, dates, compressed bodies, messages, and the JSON it
// writes.
#include "tests/fuzz/fuzz_target.h"

#include "backend/host/envd/files_routes.h"
#include "backend/host/envd/gzip.h"
#include "backend/host/envd/message.h"
#include "backend/host/envd/paths.h"
#include "backend/host/envd/rpc_error.h"
#include "backend/host/http/json_text.h"
#include "backend/host/http/response_head.h"
#include "backend/host/http/url.h"

#include <boost/json.hpp>

#include <string_view>

using namespace boxdeck::host;
namespace json = boost::json;
using boxdeck::fuzz::require;

namespace {

void fuzzAddresses(std::string_view input)
{
    require(http::percentDecode(http::percentEncode(input)) == input);
    if (const auto decoded = http::percentDecode(input))
        require(decoded->size() <= input.size());
    if (const auto query = http::Query::parse(input)) {
        for (const char *name : {"path", "username", ""})
            require(query->all(name).size() == query->count(name));
    }
    require(http::base64Decode(http::base64Encode(input)) == input);
    http::base64Decode(input);
}

void fuzzPaths(std::string_view input)
{
    const std::string clean = envd::cleanPath(input);
    require(envd::cleanPath(clean) == clean);
    try {
        const std::string path = envd::expandPath(input, "/home/user", "/code");
        require(path.starts_with('/') && path.find('\0') == std::string::npos);
        const std::string cleaned = envd::cleanPath(path);
        require(cleaned.find("/../") == std::string::npos && !cleaned.ends_with("/.."));
        require(cleaned == "/" || envd::joinPath(envd::parentPath(cleaned), envd::baseName(cleaned)) == cleaned);
    } catch (const std::invalid_argument &) {
        // Another account's home, or a NUL.
    }
}

void fuzzRanges(std::string_view input)
{
    for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{10}, ~std::uint64_t{0} / 2}) {
        const auto range = envd::ByteRange::parse(input, size);
        if (range.kind == envd::ByteRange::Kind::Part)
            require(range.length > 0 && range.first < size && range.length <= size - range.first);
        if (range.kind == envd::ByteRange::Kind::Whole)
            require(range.first == 0 && range.length == size);
    }
    envd::chooseCoding(input);
    envd::identityAllowed(input);
    // What is read is said again the same way.
    if (const auto time = http::parseHttpDate(input))
        require(http::parseHttpDate(http::httpDate(*time)) == time);
}

void fuzzGzip(std::string_view input)
{
    constexpr std::size_t most = 64UL * 1024;
    try {
        require(envd::gunzip(input, most).size() <= most);
    } catch (const envd::GzipError &) {
        // No gzip, cut, or too much of it.
    }
    if (input.size() % 8 != 0) // a window of 256 KiB each time
        return;
    envd::GzipWriter writer;
    const std::string packed = writer.feed(input, true);
    require(envd::gunzip(packed, input.size() + 1) == input);
}

void fuzzMessages(std::string_view input)
{
    try {
        const auto message = envd::Message::parse(input);
        const auto inner = message.optionalMessage("process").value_or(message);
        for (const char *name : {"path", "tag", "cmd"})
            inner.optionalString(name);
        inner.strings("args");
        inner.stringMap("envs");
        inner.uint32("depth");
        inner.boolean("recursive");
        inner.optionalBytes("stdin");
        inner.optionalEnum("signal", {{"SIGNAL_SIGKILL", 9}});
    } catch (const envd::RpcError &) {
        // Not such a message.
    }
}

// Whatever a name holds, what is written about it is JSON, and says the same where it is text at all.
void fuzzWriter(std::string_view input)
{
    std::string text;
    http::JsonWriter(text).beginObject().key(input).string(input).endObject();
    boost::system::error_code error;
    const json::value value = json::parse(text, error);
    require(!error && value.as_object().size() == 1);
    std::string plain = "\"";
    for (const char c : input)
        plain += c;
    plain += '"';
    const json::value before = json::parse(plain, error);
    if (!error && before.as_string() == input)
        require(value.as_object().begin()->value().as_string() == input);
}

} // namespace

std::vector<std::string> boxdeck::fuzz::seeds()
{
    using namespace std::string_literals;
    return {"path=%2Fhome%2Fuser%2Fa+b&username=user&path=%2e%2e%2fetc%2f",
            "/home/user/../../etc/./passwd//x/..",
            "~/a/~b",
            "~root/x",
            "bytes=0-4",
            "bytes=-5",
            "bytes=5-,7-9",
            "bytes=18446744073709551615-",
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "gzip;q=0.5, identity;q=0, *;q=0.1",
            "\x1f\x8b\x08\0\0\0\0\0\0\x03\xcbH\xcd\xc9\xc9\x07\0\x86\xa6\x10\x36\x05\0\0\0"s,
            R"({"process":{"cmd":"sh","args":["-c",null],"envs":{"A":"b"},"cwd":null},"stdin":"aGk=","depth":"7"})",
            R"({"signal":"SIGNAL_SIGKILL","recursive":true,"path":"\ud800\u0000"})",
            "\xff\xc0\xaf\xed\xa0\x80\x00\x1f\xe2\x80\xa8"s};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view input(reinterpret_cast<const char *>(data), size);
    fuzzAddresses(input);
    fuzzPaths(input);
    fuzzRanges(input);
    fuzzGzip(input);
    fuzzMessages(input);
    fuzzWriter(input);
    return 0;
}
