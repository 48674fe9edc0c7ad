// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/builds/envd_command.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <boost/json.hpp>

#include "backend/host/http/upstream_head.h"
#include "backend/host/http/url.h"
#include "backend/host/sandbox/spawn.h"

namespace boxdeck::host {

namespace {

namespace json = boost::json;

constexpr std::size_t headLimit = 64 * 1024;
constexpr std::size_t messageLimit = 4 * 1024 * 1024;
constexpr std::size_t block = 256 * 1024;
constexpr unsigned endFlag = 2;

std::string basicUser(const std::string &user)
{
    return "Basic " + http::base64Encode(user + ':');
}

std::string textMember(const json::object &object, const char *name)
{
    const json::value *value = object.if_contains(name);
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

const json::object *objectMember(const json::object &object, const char *name)
{
    const json::value *value = object.if_contains(name);
    return value == nullptr ? nullptr : value->if_object();
}

// One request to the daemon and its answer, piece by piece.
class Talk
{
public:
    Talk(asio::any_io_executor executor, std::string path)
        : m_socket(executor)
        , m_path(std::move(path))
        , m_buffer(block, '\0')
    {
    }

    asio::awaitable<void> send(std::string text)
    {
        if (!m_socket.is_open())
            co_await m_socket.async_connect(asio::local::stream_protocol::endpoint(m_path), asio::use_awaitable);
        co_await asio::async_write(m_socket, asio::buffer(text), asio::use_awaitable);
    }

    asio::awaitable<http::UpstreamHead> head()
    {
        for (;;) {
            const auto end = m_have.find("\r\n\r\n");
            if (end != std::string::npos) {
                http::UpstreamHead head = http::parseUpstreamHead(std::string_view(m_have).substr(0, end), false);
                m_have.erase(0, end + 4);
                if (head.status >= 200)
                    co_return head;
                continue;
            }
            if (m_have.size() > headLimit)
                throw CommandFailed("the sandbox's daemon gave a strange answer");
            const bool more = co_await read();
            if (!more)
                throw CommandFailed("the sandbox's daemon gave no answer");
        }
    }

    // Adds what comes next of a chunked or closing body to @p text; false at its end.
    asio::awaitable<bool> body(bool chunked, std::string &text)
    {
        if (m_have.empty()) {
            bool more = !m_chunks.done();
            if (more)
                more = co_await read();
            if (!more)
                co_return false;
        }
        if (chunked) {
            for (const std::string_view piece : m_chunks.feed(m_have))
                text += piece;
        } else {
            text += m_have;
        }
        m_have.clear();
        co_return true;
    }

private:
    asio::awaitable<bool> read()
    {
        boost::system::error_code error;
        const std::size_t got =
            co_await m_socket.async_read_some(asio::buffer(m_buffer), asio::redirect_error(asio::use_awaitable, error));
        m_have.append(m_buffer.data(), got);
        co_return got > 0;
    }

    asio::local::stream_protocol::socket m_socket;
    std::string m_path;
    std::string m_buffer;
    std::string m_have;
    http::ChunkedBody m_chunks;
};

std::string startBody(const CommandRequest &request)
{
    json::object process{{"cmd", request.program},
                         {"args", json::array(request.arguments.begin(), request.arguments.end())}};
    json::object variables;
    for (const auto &[name, value] : request.variables)
        variables[name] = value;
    process["envs"] = std::move(variables);
    if (!request.directory.empty())
        process["cwd"] = request.directory;
    json::object message{{"process", std::move(process)}, {"stdin", false}};
    if (!request.tag.empty())
        message["tag"] = request.tag;
    const std::string text = json::serialize(message);
    std::string envelope(5, '\0');
    for (int i = 0; i < 4; ++i)
        envelope[static_cast<std::size_t>(4 - i)] = static_cast<char>((text.size() >> (8 * i)) & 0xff);
    return envelope + text;
}

std::string startHead(const CommandRequest &request, std::size_t size)
{
    std::string head = "POST /process.Process/Start HTTP/1.1\r\nHost: sandbox\r\nConnection: close\r\n"
                       "Content-Type: application/connect+json\r\nConnect-Protocol-Version: 1\r\n";
    if (request.timeout.count() > 0)
        head += "Connect-Timeout-Ms: " + std::to_string(request.timeout.count()) + "\r\n";
    return head + "Authorization: " + basicUser(request.user) + "\r\nContent-Length: " + std::to_string(size) +
           "\r\n\r\n";
}

// Reads a refusal's body and makes a sentence of it.
asio::awaitable<std::string> refusalText(Talk &talk, http::UpstreamHead head)
{
    std::string text;
    const bool chunked = head.body == http::UpstreamHead::Body::Chunked;
    for (bool more = true; more && text.size() < headLimit;) {
        more = co_await talk.body(chunked, text);
        if (head.body == http::UpstreamHead::Body::Length && text.size() >= head.length)
            break;
    }
    boost::system::error_code error;
    const json::value value = json::parse(text, error);
    const json::object *object = error ? nullptr : value.if_object();
    std::string message = object != nullptr ? textMember(*object, "message") : std::string();
    co_return message.empty() ? "status " + std::to_string(head.status) : message;
}

// Takes one envelope off the front of @p have; nothing when it is not all there yet.
std::optional<std::pair<unsigned, std::string>> takeEnvelope(std::string &have)
{
    if (have.size() < 5)
        return {};
    std::size_t size = 0;
    for (std::size_t i = 1; i < 5; ++i)
        size = size << 8 | static_cast<unsigned char>(have[i]);
    if (size > messageLimit)
        throw CommandFailed("the sandbox's daemon sent a message that is too long");
    if (have.size() < 5 + size)
        return {};
    std::pair<unsigned, std::string> envelope(static_cast<unsigned char>(have[0]), have.substr(5, size));
    have.erase(0, 5 + size);
    return envelope;
}

// Follows the messages of one Start call.
class Follower
{
public:
    explicit Follower(OutputTaker taker)
        : m_taker(std::move(taker))
    {
    }

    bool started() const { return m_started; }
    bool over() const { return m_over; }

    void take(unsigned flags, const std::string &text)
    {
        boost::system::error_code error;
        const json::value value = json::parse(text, error);
        const json::object *object = error ? nullptr : value.if_object();
        if (object == nullptr)
            throw CommandFailed("the sandbox's daemon sent no JSON");
        if ((flags & endFlag) != 0) {
            m_over = true;
            if (const json::object *failure = objectMember(*object, "error"))
                throw CommandFailed(textMember(*failure, "message"));
            return;
        }
        const json::object *event = objectMember(*object, "event");
        if (event == nullptr)
            return;
        if (event->contains("start"))
            m_started = true;
        if (const json::object *data = objectMember(*event, "data")) {
            pass(CommandOutput::Standard, textMember(*data, "stdout"));
            pass(CommandOutput::Error, textMember(*data, "stderr"));
        }
        if (const json::object *end = objectMember(*event, "end")) {
            CommandEnd told{.status = textMember(*end, "status")};
            const json::value *code = end->if_contains("exitCode"); // absent when 0
            if (code != nullptr && code->is_int64())
                told.exitCode = static_cast<int>(code->as_int64());
            m_end = std::move(told);
        }
    }

    CommandEnd result() const
    {
        if (!m_end)
            throw CommandFailed("the sandbox ended before the command did");
        return *m_end;
    }

private:
    void pass(CommandOutput output, const std::string &coded)
    {
        if (coded.empty() || !m_taker)
            return;
        if (const auto bytes = http::base64Decode(coded))
            m_taker(output, *bytes);
    }

    OutputTaker m_taker;
    std::optional<CommandEnd> m_end;
    bool m_started = false;
    bool m_over = false;
};

asio::awaitable<void> follow(Talk &talk, Follower &follower, bool onlyStart)
{
    std::string have;
    while (!follower.over() && !(onlyStart && follower.started())) {
        const bool more = co_await talk.body(true, have);
        while (auto envelope = takeEnvelope(have))
            follower.take(envelope->first, envelope->second);
        if (!more)
            co_return;
    }
}

asio::awaitable<void> open(Talk &talk, const CommandRequest &request)
{
    const std::string body = startBody(request);
    co_await talk.send(startHead(request, body.size()) + body);
    const http::UpstreamHead head = co_await talk.head();
    if (head.status == 200 && head.body == http::UpstreamHead::Body::Chunked)
        co_return;
    const std::string why = co_await refusalText(talk, head);
    throw CommandFailed(why);
}

// Everything that goes wrong on the way is one kind of failure.
template <typename Work> asio::awaitable<void> guarded(Work work)
{
    std::string failure;
    try {
        co_await work();
        co_return;
    } catch (const CommandFailed &error) {
        failure = error.what();
    } catch (const boost::system::system_error &) {
        failure = "the connection to the sandbox broke";
    } catch (const std::exception &error) {
        failure = error.what();
    }
    throw CommandFailed(failure);
}

} // namespace

CommandRequest CommandRequest::shell(const std::string &text)
{
    return {.program = "/bin/bash", .arguments = {"-l", "-c", text}};
}

asio::awaitable<CommandEnd> runCommand(std::string socketPath, CommandRequest request, OutputTaker taker)
{
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    Talk talk(executor, std::move(socketPath));
    Follower follower(std::move(taker));
    const auto work = [&]() -> asio::awaitable<void> {
        co_await open(talk, request);
        co_await follow(talk, follower, false);
    };
    co_await guarded(work);
    co_return follower.result();
}

asio::awaitable<void> startCommand(std::string socketPath, CommandRequest request)
{
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    Talk talk(executor, std::move(socketPath));
    Follower follower(nullptr);
    const auto work = [&]() -> asio::awaitable<void> {
        co_await open(talk, request);
        co_await follow(talk, follower, true);
        if (!follower.started())
            throw CommandFailed("the command was not started");
    };
    co_await guarded(work);
}

asio::awaitable<void> sendFileInto(std::string socketPath, std::string from, std::string to, std::string user)
{
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    Talk talk(executor, std::move(socketPath));
    const auto work = [&]() -> asio::awaitable<void> {
        const Fd fd(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
        struct stat info = {};
        if (!fd || fstat(fd.get(), &info) != 0)
            throw CommandFailed("cannot read " + from);
        auto left = static_cast<std::uint64_t>(info.st_size);
        co_await talk.send("POST /files?path=" + http::percentEncode(to) + "&username=" + http::percentEncode(user) +
                           " HTTP/1.1\r\nHost: sandbox\r\nConnection: close\r\nContent-Type: "
                           "application/octet-stream\r\nContent-Length: " +
                           std::to_string(left) + "\r\n\r\n");
        std::string piece;
        while (left > 0) {
            piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left, block)));
            const ssize_t got = read(fd.get(), piece.data(), piece.size());
            if (got <= 0)
                throw CommandFailed("cannot read " + from);
            piece.resize(static_cast<std::size_t>(got));
            left -= static_cast<std::uint64_t>(got);
            co_await talk.send(piece);
        }
        http::UpstreamHead head = co_await talk.head();
        if (head.status / 100 != 2) {
            const std::string why = co_await refusalText(talk, std::move(head));
            throw CommandFailed(why);
        }
    };
    co_await guarded(work);
}

} // namespace boxdeck::host
