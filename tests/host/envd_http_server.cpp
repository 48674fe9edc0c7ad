// SPDX-License-Identifier: GPL-3.0-or-later
#define BOOST_TEST_MODULE http_server
#include <boost/test/included/unit_test.hpp>

#include "backend/host/http/server.h"
#include "backend/host/http/url.h"

#include <arpa/inet.h>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <future>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace boxdeck::host;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

/// A server with a few routes, run by two threads as boxdeck-host runs it.
struct Fixture
{
    explicit Fixture(http::ServerOptions options = {})
        : server(
              io, [this](http::Exchange &exchange) { return serve(exchange); }, options)
        , port(server.listenTcp("127.0.0.1", 0))
        , first([this] { io.run(); })
        , second([this] { io.run(); })
    {
    }
    ~Fixture()
    {
        asio::post(io, [this] { server.stop(); });
        work.reset();
        first.join();
        second.join();
    }

    asio::awaitable<void> serve(http::Exchange &exchange)
    {
        const std::string path = exchange.request().path;
        if (path == "/echo") {
            std::string body = co_await exchange.readBody(64 * 1024 * 1024);
            http::Headers headers;
            headers.add("X-Query", exchange.request().query);
            co_await exchange.respond(200, std::move(headers), std::move(body));
        } else if (path == "/limited") {
            bool tooLarge = false;
            try {
                co_await exchange.readBody(10);
            } catch (const http::BodyTooLarge &) {
                tooLarge = true;
            }
            co_await exchange.respond(tooLarge ? 413 : 200, {});
        } else if (path == "/early") {
            co_await exchange.respond(507, {}, "full");
        } else if (path == "/chunks") {
            co_await exchange.startStream(200, {});
            co_await exchange.write("one ");
            const std::string_view pieces[] = {"two ", "three"};
            co_await exchange.write(pieces);
            co_await exchange.finish();
        } else if (path == "/cut") {
            co_await exchange.startStream(200, {});
            co_await exchange.write("half");
            throw std::runtime_error("disk broke");
        } else if (path == "/throw") {
            throw std::runtime_error("never shown");
        } else if (path == "/injection") {
            http::Headers headers;
            headers.add("X-Name", "a\r\nX-Evil: 1");
            co_await exchange.respond(200, std::move(headers));
        } else if (path == "/file") {
            http::Headers headers;
            headers.add("Content-Length", std::to_string(fileSize - 7));
            co_await exchange.startStream(200, std::move(headers));
            co_await exchange.sendFile(file, 7, fileSize - 7, pool.get_executor());
            co_await exchange.finish();
        } else if (path == "/wait") {
            asio::steady_timer timer(exchange.executor(), 20s);
            exchange.onPeerGone([&] { timer.cancel(); });
            co_await exchange.startStream(200, {});
            boost::system::error_code ec;
            try {
                co_await timer.async_wait(asio::use_awaitable);
            } catch (const boost::system::system_error &) {
            }
            gone.set_value(exchange.peerGone());
        } else {
            co_await exchange.respond(204, {});
        }
    }

    asio::io_context io;
    asio::executor_work_guard<asio::io_context::executor_type> work{io.get_executor()};
    asio::thread_pool pool{1};
    std::promise<bool> gone;
    int file = -1;
    std::uint64_t fileSize = 0;
    http::Server server;
    std::uint16_t port;
    std::thread first;
    std::thread second;
};

struct Client
{
    explicit Client(std::uint16_t port)
        : fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        BOOST_REQUIRE_EQUAL(::connect(fd, reinterpret_cast<sockaddr *>(&to), sizeof(to)), 0);
        const timeval limit{20, 0};
        ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
        ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
    }
    ~Client() { ::close(fd); }

    bool send(std::string_view text) const
    {
        while (!text.empty()) {
            const ssize_t n = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
            if (n <= 0)
                return false;
            text.remove_prefix(static_cast<std::size_t>(n));
        }
        return true;
    }
    /// Reads until the text contains `until`, or to the end of the connection when that is empty.
    std::string read(std::string_view until = {}) const
    {
        std::string text;
        std::vector<char> buffer(256 * 1024);
        while (until.empty() || text.find(until) == std::string::npos) {
            const ssize_t n = ::recv(fd, buffer.data(), buffer.size(), 0);
            if (n <= 0)
                return text;
            text.append(buffer.data(), static_cast<std::size_t>(n));
        }
        return text;
    }

    int fd;
};

bool contains(const std::string &text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_CASE(keeps_a_connection_alive_and_separates_path_from_query)
{
    Fixture fixture;
    const Client client(fixture.port);
    client.send("POST /echo?a=%20b HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nfirst");
    const std::string first = client.read("first");
    BOOST_TEST(contains(first, "HTTP/1.1 200 OK\r\n"));
    BOOST_TEST(contains(first, "Content-Length: 5\r\n"));
    BOOST_TEST(contains(first, "X-Query: a=%20b\r\n"));
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const std::string second = client.read("\r\n\r\n");
    BOOST_TEST(contains(second, "204 No Content"));
    BOOST_TEST(!contains(second, "Content-Length"));
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\n\r\nlast");
    BOOST_TEST(contains(client.read(), "last"));
}

BOOST_AUTO_TEST_CASE(reads_a_chunked_body_however_it_is_cut)
{
    Fixture fixture;
    const Client client(fixture.port);
    const std::string request = "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                                "4\r\nWiki\r\n6;ext=1\r\npedia \r\nE\r\nin \r\n\r\nchunks.\r\n0\r\n\r\n";
    for (const char c : request)
        BOOST_REQUIRE(client.send(std::string_view(&c, 1)));
    BOOST_TEST(contains(client.read("chunks."), "Content-Length: 24\r\n"));
    client.send(request);
    BOOST_TEST(contains(client.read("chunks."), "Wikipedia in \r\n\r\nchunks."));
}

BOOST_AUTO_TEST_CASE(carries_a_large_body_both_ways)
{
    Fixture fixture;
    const Client client(fixture.port);
    std::string body(24 * 1024 * 1024, '\0');
    for (std::size_t i = 0; i < body.size(); ++i)
        body[i] = static_cast<char>(i * 31 + i / 7919);
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n\r\n");
    client.send(body);
    const std::string answer = client.read();
    const std::size_t start = answer.find("\r\n\r\n");
    BOOST_REQUIRE(start != std::string::npos);
    BOOST_TEST((answer.substr(start + 4) == body));
}

BOOST_AUTO_TEST_CASE(refuses_a_body_above_the_limit)
{
    Fixture fixture;
    const Client client(fixture.port);
    client.send("POST /limited HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n12345678901");
    BOOST_TEST(contains(client.read("\r\n\r\n"), "413"));
    const Client chunked(fixture.port);
    chunked.send(
        "POST /limited HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n12345678901\r\n0\r\n\r\n");
    BOOST_TEST(contains(chunked.read("\r\n\r\n"), "413"));
}

BOOST_AUTO_TEST_CASE(says_continue_only_when_the_body_is_wanted)
{
    Fixture fixture;
    const Client client(fixture.port);
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    BOOST_TEST(contains(client.read("\r\n\r\n"), "100 Continue"));
    client.send("ok");
    BOOST_TEST(contains(client.read("ok"), "200 OK"));
    const Client early(fixture.port);
    early.send("POST /early HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    const std::string answer = early.read("full");
    BOOST_TEST(contains(answer, "507"));
    BOOST_TEST(!contains(answer, "100 Continue"));
}

BOOST_AUTO_TEST_CASE(an_early_answer_survives_an_upload_that_goes_on)
{
    Fixture fixture;
    const Client client(fixture.port);
    client.send("POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 33554432\r\n\r\n");
    const std::string block(1024 * 1024, 'x');
    for (int i = 0; i < 32; ++i)
        BOOST_REQUIRE(client.send(block));
    const std::string answer = client.read();
    BOOST_TEST(contains(answer, "507 Insufficient Storage"));
    BOOST_TEST(contains(answer, "Connection: close"));
    BOOST_TEST(contains(answer, "full"));
}

BOOST_AUTO_TEST_CASE(streams_in_chunks_and_never_completes_a_failed_body)
{
    Fixture fixture;
    const Client client(fixture.port);
    client.send("GET /chunks HTTP/1.1\r\nHost: x\r\n\r\n");
    BOOST_TEST(contains(client.read("0\r\n\r\n"), "\r\n\r\n4\r\none \r\n9\r\ntwo three\r\n0\r\n\r\n"));
    client.send("GET /cut HTTP/1.1\r\nHost: x\r\n\r\n");
    const std::string cut = client.read();
    BOOST_TEST(contains(cut, "4\r\nhalf\r\n"));
    BOOST_TEST(!contains(cut, "0\r\n\r\n"));
}

BOOST_AUTO_TEST_CASE(a_failing_handler_is_a_500_that_tells_nothing)
{
    Fixture fixture;
    const Client client(fixture.port);
    client.send("GET /throw HTTP/1.1\r\nHost: x\r\n\r\n");
    const std::string answer = client.read("internal error");
    BOOST_TEST(contains(answer, "500 Internal Server Error"));
    BOOST_TEST(!contains(answer, "never shown"));
}

BOOST_AUTO_TEST_CASE(a_header_value_cannot_start_a_header)
{
    Fixture fixture;
    const Client client(fixture.port);
    client.send("GET /injection HTTP/1.1\r\nHost: x\r\n\r\n");
    BOOST_TEST(!contains(client.read("\r\n\r\n"), "\nX-Evil"));
}

BOOST_AUTO_TEST_CASE(sends_a_file_from_an_offset)
{
    Fixture fixture;
    std::string content(9 * 1024 * 1024 + 3, '\0');
    for (std::size_t i = 0; i < content.size(); ++i)
        content[i] = static_cast<char>(i * 131 + i / 4093);
    char name[] = "/tmp/boxdeck-http-XXXXXX";
    fixture.file = ::mkstemp(name);
    BOOST_REQUIRE(fixture.file >= 0);
    ::unlink(name);
    fixture.fileSize = content.size();
    BOOST_REQUIRE_EQUAL(::write(fixture.file, content.data(), content.size()), static_cast<ssize_t>(content.size()));
    const Client client(fixture.port);
    client.send("GET /file HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const std::string answer = client.read();
    BOOST_TEST((answer.substr(answer.find("\r\n\r\n") + 4) == content.substr(7)));
    ::close(fixture.file);
}

BOOST_AUTO_TEST_CASE(an_idle_stream_learns_that_its_peer_is_gone)
{
    Fixture fixture;
    auto gone = fixture.gone.get_future();
    {
        const Client client(fixture.port);
        client.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
        BOOST_TEST(contains(client.read("\r\n\r\n"), "200"));
        BOOST_TEST((gone.wait_for(0s) == std::future_status::timeout));
    }
    BOOST_REQUIRE((gone.wait_for(10s) == std::future_status::ready));
    BOOST_TEST(gone.get());
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_http_and_heads_that_are_too_long)
{
    Fixture fixture(http::ServerOptions{.headerLimit = 4096});
    const Client garbage(fixture.port);
    garbage.send("\x16\x03\x01 hello\r\n\r\n");
    BOOST_TEST(contains(garbage.read(), "400 Bad Request"));
    const Client longHead(fixture.port);
    longHead.send("GET / HTTP/1.1\r\nX: " + std::string(8000, 'a') + "\r\n\r\n");
    BOOST_TEST(contains(longHead.read(), "431"));
    const Client smuggler(fixture.port);
    smuggler.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    BOOST_TEST(contains(smuggler.read(), "400 Bad Request"));
    for (const char *coding : {"gzip, chunked", "xchunked", "identity"}) {
        const Client hider(fixture.port);
        hider.send("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: " + std::string(coding) +
                   "\r\n\r\n0\r\n\r\nGET /hidden HTTP/1.1\r\nHost: x\r\n\r\n");
        const std::string answer = hider.read();
        BOOST_TEST(answer.starts_with("HTTP/1.1 400 Bad Request"));
        BOOST_TEST(!contains(answer.substr(8), "HTTP/1.1"));
    }
}

BOOST_AUTO_TEST_CASE(a_head_or_body_that_never_comes_is_given_up)
{
    Fixture fixture(http::ServerOptions{.idle = 10s, .header = 100ms, .body = 100ms, .write = 10s, .linger = 1s});
    const Client slow(fixture.port);
    slow.send("GET / HT");
    const auto start = std::chrono::steady_clock::now();
    BOOST_TEST(slow.read().empty());
    const Client stuck(fixture.port);
    stuck.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
    BOOST_TEST(stuck.read().empty());
    BOOST_TEST((std::chrono::steady_clock::now() - start < 5s));
}

BOOST_AUTO_TEST_CASE(decodes_percent_and_base64_once)
{
    BOOST_TEST(*http::percentDecode("report%2520name+.txt") == "report%20name+.txt");
    BOOST_TEST(!http::percentDecode("100%"));
    const auto query = http::Query::parse("path=a%2Bb+c&empty&path=2");
    BOOST_REQUIRE(query);
    BOOST_TEST(*query->get("path") == "a+b c");
    BOOST_TEST(query->count("path") == 2U);
    BOOST_TEST(query->get("empty")->empty());
    BOOST_TEST(!http::Query::parse("a=%zz"));
    for (std::size_t size = 0; size < 20; ++size) {
        std::string bytes;
        for (std::size_t i = 0; i < size; ++i)
            bytes.push_back(static_cast<char>(250 + i * 37));
        BOOST_TEST((http::base64Decode(http::base64Encode(bytes)) == bytes));
    }
    BOOST_TEST(http::base64Encode("hi\n") == "aGkK");
    BOOST_TEST(*http::base64Decode("_-8") == *http::base64Decode("/+8="));
    BOOST_TEST(!http::base64Decode("a*b="));
    BOOST_TEST(*http::basicUserName("basic dXNlcjo=") == "user");
    BOOST_TEST(http::basicUserName("Basic Og==")->empty());
    BOOST_TEST(!http::basicUserName("Bearer dXNlcjo="));
}
