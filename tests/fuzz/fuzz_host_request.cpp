// SPDX-License-Identifier: GPL-3.0-or-later
// What a client may send to boxdeck-host and boxdeck-envd: request heads and bodies, forms, envelopes, queries.
#include "tests/fuzz/fuzz_target.h"

#include "backend/host/envd/envelope.h"
#include "backend/host/envd/multipart.h"
#include "backend/host/envd/rpc_error.h"
#include "backend/host/http/request_reader.h"
#include "backend/host/http/url.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace asio = boost::asio;
using namespace boxdeck::host;
using boxdeck::fuzz::require;

namespace {

asio::awaitable<void> readRequests(http::RequestReader::Socket &socket, std::size_t sent)
{
    http::RequestReader reader;
    std::vector<char> buffer(512);
    std::size_t total = 0;
    for (;;) {
        http::Request request;
        const auto outcome = co_await reader.readHead(socket, 4096, request);
        if (outcome != http::RequestReader::Outcome::Complete)
            co_return;
        require(request.target.starts_with(request.path));
        http::Query::parse(request.query);
        try {
            for (;;) {
                const std::size_t n = co_await reader.readBody(socket, buffer);
                if (n == 0)
                    break;
                total += n;
            }
        } catch (const boost::system::system_error &) {
            co_return;
        }
        require(total <= sent);
    }
}

void fuzzRequests(std::string_view input)
{
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    [[maybe_unused]] const ssize_t written = ::send(ends[0], input.data(), input.size(), MSG_DONTWAIT);
    ::shutdown(ends[0], SHUT_WR);
    asio::io_context io;
    http::RequestReader::Socket socket(io, asio::generic::stream_protocol(AF_UNIX, 0), ends[1]);
    asio::co_spawn(io, readRequests(socket, input.size()), asio::detached);
    io.run();
    ::close(ends[0]);
}

struct Transcript : envd::MultipartParser::Sink
{
    void partBegin(const envd::MediaType &disposition) override
    {
        text += "<" + disposition.type;
        for (const auto &[name, value] : disposition.parameters)
            text += "|" + name + "=" + value;
        text += ">";
    }
    void partData(std::string_view bytes) override { text += bytes; }
    void partEnd() override { text += "</>"; }
    std::string text;
};

std::string parseForm(std::string_view input, std::size_t piece)
{
    Transcript transcript;
    try {
        envd::MultipartParser parser("B", transcript);
        for (std::size_t at = 0; at < input.size(); at += piece)
            parser.feed(input.substr(at, piece));
        parser.finish();
    } catch (const envd::MultipartError &error) {
        return error.what();
    }
    return transcript.text;
}

void fuzzEnvelopes(std::string_view input)
{
    envd::EnvelopeDecoder decoder(1024);
    std::size_t total = 0;
    try {
        for (const char c : input) {
            decoder.feed(std::string_view(&c, 1));
            while (const auto envelope = decoder.next())
                total += envelope->payload.size() + 5;
        }
        require(total <= input.size());
        require(decoder.pending() == (total < input.size()));
    } catch (const envd::RpcError &) {
        // Too long.
    }
}

} // namespace

std::vector<std::string> boxdeck::fuzz::seeds()
{
    return {
        "POST /files?path=%2Fa HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\n\r\n",
        "POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n4;a=b\r\nWiki\r\n0\r\nT: "
        "1\r\n\r\n",
        "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\\\"b\\\\\"\r\n\r\n\r\n--C\r\n--B--\r\n",
        "--B\r\n\r\n\r\n--B \r\nX: y\r\nContent-Disposition: form-data; name*=UTF-8''a%20b\r\n\r\n--B--",
        std::string("\0\0\0\0\x02{}\x02\0\0\0\x02{}", 14),
    };
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view input(reinterpret_cast<const char *>(data), size);
    fuzzRequests(input);
    fuzzEnvelopes(input);
    // However the network cuts it, a form means the same.
    const std::string whole = parseForm(input, input.size() + 1);
    require(parseForm(input, 1) == whole);
    require(parseForm(input, 7) == whole);
    envd::MediaType::parse(input);
    http::basicUserName(input);
    return 0;
}
