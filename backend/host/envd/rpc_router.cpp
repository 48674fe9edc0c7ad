// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/rpc_router.h"

#include "backend/host/envd/gzip.h"
#include "backend/host/envd/rpc_error.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace boxdeck::host::envd {

namespace {

constexpr std::string_view unaryType = "application/json";
constexpr std::string_view streamType = "application/connect+json";

std::string mediaType(std::string_view contentType)
{
    std::string_view type = contentType.substr(0, contentType.find(';'));
    while (!type.empty() && type.back() == ' ')
        type.remove_suffix(1);
    while (!type.empty() && type.front() == ' ')
        type.remove_prefix(1);
    std::string lower(type);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    return lower;
}

http::Headers contentTypeHeader(std::string_view type)
{
    http::Headers headers;
    headers.add("Content-Type", std::string(type));
    return headers;
}

Message parseEnvelope(const Envelope &envelope, bool gzip)
{
    if ((envelope.flags & Envelope::compressed) != 0) {
        if (!gzip)
            throw RpcError(Code::Internal, "protocol error: sent compressed message without compression support");
        try {
            return Message::parse(gunzip(envelope.payload, MessageReader::limit));
        } catch (const GzipError &error) {
            throw RpcError(Code::InvalidArgument, error.what());
        }
    }
    return Message::parse(envelope.payload);
}

bool checkedGzip(const http::Headers &headers, std::string_view name)
{
    const auto coding = headers.get(name);
    if (!coding || coding->empty() || http::equalIgnoringCase(*coding, "identity"))
        return false;
    if (http::equalIgnoringCase(*coding, "gzip"))
        return true;
    throw RpcError(Code::Unimplemented,
                   "unknown compression \"" + std::string(*coding) + "\": supported encodings are gzip");
}

std::string endJson(const std::optional<RpcError> &error)
{
    return error ? "{\"error\":" + error->json() + "}" : "{}";
}

} // namespace

CallOptions callOptions(const http::Headers &headers)
{
    CallOptions options;
    if (const auto version = headers.get("Connect-Protocol-Version"); version && *version != "1") {
        throw RpcError(Code::InvalidArgument,
                       "connect-protocol-version must be \"1\": got \"" + std::string(*version) + "\"");
    }
    if (const auto text = headers.get("Connect-Timeout-Ms"); text && !text->empty()) {
        std::uint64_t milliseconds = 0;
        const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), milliseconds);
        if (error != std::errc() || end != text->data() + text->size() || text->size() > 10)
            throw RpcError(Code::InvalidArgument,
                           "protocol error: invalid timeout \"" + std::string(*text) + "\" in Connect-Timeout-Ms");
        options.timeout = std::chrono::milliseconds(milliseconds);
    }
    if (const auto text = headers.get("Keepalive-Ping-Interval")) {
        std::int64_t seconds = 0;
        const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), seconds);
        // The reference crashes on 0; a client that sends it means "whatever you do by default".
        if (error == std::errc() && end == text->data() + text->size() && seconds > 0)
            options.keepalive = std::chrono::seconds(std::min<std::int64_t>(seconds, 86'400));
    }
    return options;
}

asio::awaitable<void> EventStream::open()
{
    if (m_open)
        co_return;
    m_open = true;
    http::Headers headers = contentTypeHeader(streamType);
    headers.add("Connect-Accept-Encoding", "gzip");
    co_await m_exchange.startStream(200, std::move(headers));
}

asio::awaitable<void> EventStream::send(std::string_view json)
{
    std::string head;
    appendEnvelopeHead(head, 0, json.size());
    const std::string_view pieces[] = {head, json};
    co_await sendEnvelopes(pieces);
}

asio::awaitable<void> EventStream::sendEnvelopes(std::span<const std::string_view> envelopes)
{
    co_await open();
    co_await m_exchange.write(envelopes);
}

asio::awaitable<void> EventStream::end(std::string_view json)
{
    co_await open();
    const std::string envelope = makeEnvelope(Envelope::endOfStream, json);
    co_await m_exchange.write(envelope);
    co_await m_exchange.finish();
}

MessageReader::MessageReader(http::Exchange &exchange)
    : m_exchange(exchange)
    , m_gzip(checkedGzip(exchange.request().headers, "Connect-Content-Encoding"))
{
}

asio::awaitable<std::optional<Message>> MessageReader::next()
{
    std::vector<char> buffer(64 * 1024);
    for (;;) {
        if (const auto envelope = m_decoder.next()) {
            if ((envelope->flags & Envelope::endOfStream) != 0)
                co_return std::nullopt;
            co_return parseEnvelope(*envelope, m_gzip);
        }
        const std::size_t n = co_await m_exchange.readSome(buffer);
        if (n == 0) {
            if (m_decoder.pending())
                throw RpcError(Code::InvalidArgument, "protocol error: incomplete envelope: unexpected EOF");
            co_return std::nullopt;
        }
        m_decoder.feed(std::string_view(buffer.data(), n));
    }
}

asio::awaitable<bool> RpcRouter::serve(http::Exchange &exchange) const
{
    const std::string_view path = exchange.request().path;
    const auto unary = m_unary.find(path);
    const auto serverStream = m_serverStreams.find(path);
    const auto clientStream = m_clientStreams.find(path);
    const bool isUnary = unary != m_unary.end();
    if (!isUnary && serverStream == m_serverStreams.end() && clientStream == m_clientStreams.end())
        co_return false;

    http::Headers refusal;
    if (exchange.request().method != "POST") {
        refusal.add("Allow", "POST");
        co_await exchange.respond(405, std::move(refusal));
        co_return true;
    }
    const std::string type = mediaType(exchange.request().headers.get("Content-Type").value_or(std::string_view()));
    if (type != (isUnary ? unaryType : streamType)) {
        refusal.add("Accept-Post", std::string(isUnary ? unaryType : streamType));
        co_await exchange.respond(415, std::move(refusal));
        co_return true;
    }
    if (isUnary)
        co_await serveUnary(exchange, unary->second);
    else if (serverStream != m_serverStreams.end())
        co_await serveServerStream(exchange, serverStream->second);
    else
        co_await serveClientStream(exchange, clientStream->second);
    co_return true;
}

asio::awaitable<void> RpcRouter::serveUnary(http::Exchange &exchange, const UnaryHandler &handler) const
{
    std::string answer;
    int status = 200;
    try {
        const CallOptions options = callOptions(exchange.request().headers);
        const bool gzip = checkedGzip(exchange.request().headers, "Content-Encoding");
        std::string body = co_await exchange.readBody(MessageReader::limit);
        if (gzip)
            body = gunzip(body, MessageReader::limit);
        const Message message = Message::parse(body);
        answer = co_await handler(exchange, message, options);
    } catch (const RpcError &error) {
        status = httpStatus(error.code());
        answer = error.json();
    } catch (const GzipError &error) {
        status = httpStatus(Code::InvalidArgument);
        answer = RpcError(Code::InvalidArgument, error.what()).json();
    } catch (const http::BodyTooLarge &error) {
        status = httpStatus(Code::ResourceExhausted);
        answer = RpcError(Code::ResourceExhausted, error.what()).json();
    }
    http::Headers headers = contentTypeHeader(unaryType);
    co_await exchange.respond(status, std::move(headers), std::move(answer));
}

asio::awaitable<void> RpcRouter::serveServerStream(http::Exchange &exchange, const ServerStreamHandler &handler) const
{
    EventStream stream(exchange);
    std::optional<RpcError> failure;
    try {
        const CallOptions options = callOptions(exchange.request().headers);
        MessageReader reader(exchange);
        const auto message = co_await reader.next();
        if (!message)
            throw RpcError(Code::Unimplemented, "unary request has zero messages");
        const auto second = co_await reader.next();
        if (second)
            throw RpcError(Code::Unimplemented, "unary request has multiple messages");
        co_await handler(stream, *message, options);
    } catch (const RpcError &error) {
        failure = error;
    }
    const std::string end = endJson(failure);
    co_await stream.end(end);
}

asio::awaitable<void> RpcRouter::serveClientStream(http::Exchange &exchange, const ClientStreamHandler &handler) const
{
    EventStream stream(exchange);
    std::optional<RpcError> failure;
    std::string answer;
    try {
        const CallOptions options = callOptions(exchange.request().headers);
        MessageReader reader(exchange);
        answer = co_await handler(exchange, reader, options);
    } catch (const RpcError &error) {
        failure = error;
    }
    if (!failure)
        co_await stream.send(answer);
    const std::string end = endJson(failure);
    co_await stream.end(end);
}

} // namespace boxdeck::host::envd
