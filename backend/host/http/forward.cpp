// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/http/forward.h"

#include <algorithm>
#include <array>

#include "backend/host/http/relay.h"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace boxdeck::host::http {

namespace {

constexpr std::size_t smallBody = 64 * 1024;
constexpr std::size_t headLimit = 64 * 1024;
constexpr std::size_t bufferSize = 256 * 1024;

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names)
{
    return std::any_of(names.begin(), names.end(),
                       [name](std::string_view one) { return equalIgnoringCase(name, one); });
}

bool named(std::string_view list, std::string_view name)
{
    while (!list.empty()) {
        const auto comma = list.find(',');
        std::string_view item = list.substr(0, comma);
        while (item.starts_with(' '))
            item.remove_prefix(1);
        while (item.ends_with(' '))
            item.remove_suffix(1);
        if (equalIgnoringCase(item, name))
            return true;
        list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    }
    return false;
}

} // namespace

Forward::Forward(Exchange &exchange, ForwardTarget target)
    : m_exchange(exchange)
    , m_target(std::move(target))
    , m_socket(exchange.executor())
{
}

// Keys and routing stop here: what lies beyond is the sandbox's own. A service may have an X-API-Key of its own,
// though, so there only our secrets are held back.
bool Forward::staysHere(std::string_view name, std::string_view value) const
{
    if (isHopByHop(name) || isOneOf(name, {"E2b-Sandbox-Id", "E2b-Sandbox-Port", "e2b-traffic-access-token"}))
        return true;
    if (m_target.port == 0)
        return isOneOf(name, {"X-Access-Token", "X-API-Key", "X-Team-ID", "X-Admin-Token"});
    if (!m_target.host.empty() && equalIgnoringCase(name, "Host"))
        return true;
    return std::any_of(m_target.secrets.begin(), m_target.secrets.end(), [value](const std::string &secret) {
        return !secret.empty() && value.find(secret) != std::string_view::npos;
    });
}

bool Forward::wantsUpgrade() const
{
    const Request &request = m_exchange.request();
    return m_target.port != 0 && request.keepAlive && request.headers.contains("Upgrade") &&
           named(request.headers.get("Connection").value_or(""), "Upgrade");
}

void Forward::cut()
{
    m_cut = true;
    boost::system::error_code ignored;
    m_socket.close(ignored);
}

std::string Forward::requestHead(std::optional<std::uint64_t> length) const
{
    const Request &request = m_exchange.request();
    const std::string connection(request.headers.get("Connection").value_or(""));
    std::string head = request.method + ' ' + request.target + " HTTP/1.1\r\n";
    for (const auto &[name, value] : request.headers.fields()) {
        if (!staysHere(name, value) && !named(connection, name))
            head += name + ": " + value + "\r\n";
    }
    if (!m_target.host.empty())
        head += "Host: " + m_target.host + "\r\n";
    else if (!request.headers.contains("Host"))
        head += "Host: sandbox\r\n";
    if (!length)
        head += "Transfer-Encoding: chunked\r\n";
    else if (*length > 0 || request.method == "POST" || request.method == "PUT")
        head += "Content-Length: " + std::to_string(*length) + "\r\n";
    if (m_upgrading)
        return head + "Connection: Upgrade\r\nUpgrade: " + std::string(*request.headers.get("Upgrade")) + "\r\n\r\n";
    return head + "Connection: close\r\n\r\n";
}

asio::awaitable<void> Forward::sendAll(std::string_view bytes)
{
    co_await asio::async_write(m_socket, asio::buffer(bytes.data(), bytes.size()), asio::use_awaitable);
}

asio::awaitable<void> Forward::sendBody(bool chunked)
{
    std::string buffer(bufferSize, '\0');
    for (;;) {
        const std::size_t got = co_await m_exchange.readSome(std::span(buffer));
        if (got == 0)
            break;
        const std::string_view piece(buffer.data(), got);
        if (!chunked) {
            co_await sendAll(piece);
            continue;
        }
        std::array<char, 20> frame{};
        const int frameSize = std::snprintf(frame.data(), frame.size(), "%zx\r\n", got);
        const std::array<asio::const_buffer, 3> parts{asio::buffer(frame.data(), static_cast<std::size_t>(frameSize)),
                                                      asio::buffer(piece.data(), piece.size()),
                                                      asio::buffer("\r\n", 2)};
        co_await asio::async_write(m_socket, parts, asio::use_awaitable);
    }
    if (chunked)
        co_await sendAll("0\r\n\r\n");
}

// Runs beside the answer, which may come before the body is through (a refusal, or a stream both ways). It never
// returns by itself: the end of the answer ends it.
asio::awaitable<void> Forward::pumpBody()
{
    bool callerBroke = false;
    try {
        co_await sendBody(!m_exchange.contentLength());
        watchCaller();
    } catch (const BadRequestBody &) {
        m_badBody = std::current_exception();
        callerBroke = true;
    } catch (const boost::system::system_error &error) {
        // A daemon that closed early may still have answered; a caller that broke off must not look like a short body.
        callerBroke = error.code() != asio::error::broken_pipe && error.code() != asio::error::operation_aborted;
    }
    if (callerBroke)
        cut();
    asio::steady_timer never(m_exchange.executor(), asio::steady_timer::time_point::max());
    boost::system::error_code ignored;
    co_await never.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

void Forward::watchCaller()
{
    // A viewer that leaves must be seen by the daemon, also while nothing is being sent.
    m_exchange.onPeerGone([this] { cut(); });
}

asio::awaitable<std::size_t> Forward::readMore()
{
    if (m_begin == m_end)
        m_begin = m_end = 0;
    boost::system::error_code error;
    const std::size_t got =
        co_await m_socket.async_read_some(asio::buffer(m_buffer.data() + m_end, m_buffer.size() - m_end),
                                          asio::redirect_error(asio::use_awaitable, error));
    if (error && error != asio::error::eof)
        throw boost::system::system_error(error);
    m_end += got;
    co_return got;
}

asio::awaitable<UpstreamHead> Forward::readHead()
{
    for (;;) {
        const std::string_view have(m_buffer.data() + m_begin, m_end - m_begin);
        const auto end = have.find("\r\n\r\n");
        if (end != std::string_view::npos) {
            UpstreamHead head = parseUpstreamHead(have.substr(0, end), m_exchange.request().method == "HEAD");
            m_begin += end + 4;
            if (head.status >= 200 || head.status == 101)
                co_return head;
            continue; // 100 Continue and the like are between us and the daemon
        }
        if (have.size() > headLimit)
            throw BadUpstream("a head without end");
        co_await needMore("no answer");
    }
}

asio::awaitable<void> Forward::needMore(const char *otherwise)
{
    const std::size_t got = co_await readMore(); // named: GCC 12 miscompiles a co_await within a condition
    if (got == 0)
        throw BadUpstream(otherwise);
}

asio::awaitable<void> Forward::passLength(std::uint64_t length)
{
    while (length > 0) {
        if (m_begin == m_end)
            co_await needMore("the answer ended early");
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(length, m_end - m_begin));
        co_await m_exchange.write(std::string_view(m_buffer.data() + m_begin, size));
        m_begin += size;
        length -= size;
    }
}

asio::awaitable<void> Forward::passChunks()
{
    ChunkedBody body;
    while (!body.done()) {
        if (m_begin == m_end)
            co_await needMore("the answer ended early");
        const auto pieces = body.feed(std::string_view(m_buffer.data() + m_begin, m_end - m_begin));
        m_begin = m_end;
        if (!pieces.empty())
            co_await m_exchange.write(std::span(pieces.data(), pieces.size()));
    }
}

asio::awaitable<void> Forward::passUntilClose()
{
    for (;;) {
        if (m_begin != m_end)
            co_await m_exchange.write(std::string_view(m_buffer.data() + m_begin, m_end - m_begin));
        m_begin = m_end;
        const std::size_t got = co_await readMore();
        if (got == 0)
            co_return;
    }
}

asio::awaitable<void> Forward::passAnswer()
{
    UpstreamHead head = co_await readHead();
    if (head.status == 101) {
        co_await passUpgrade(std::move(head));
        co_return;
    }
    if (head.body == UpstreamHead::Body::None) {
        if (head.length > 0)
            head.headers.set("Content-Length", std::to_string(head.length));
        co_await m_exchange.respond(head.status, std::move(head.headers));
        co_return;
    }
    if (head.body == UpstreamHead::Body::Length)
        head.headers.set("Content-Length", std::to_string(head.length));
    co_await m_exchange.startStream(head.status, std::move(head.headers));
    if (head.body == UpstreamHead::Body::Length)
        co_await passLength(head.length);
    else if (head.body == UpstreamHead::Body::Chunked)
        co_await passChunks();
    else
        co_await passUntilClose();
    co_await m_exchange.finish();
}

asio::awaitable<void> Forward::guardedAnswer()
{
    try {
        co_await passAnswer();
    } catch (...) {
        m_failure = std::current_exception();
    }
}

asio::awaitable<void> Forward::passUpgrade(UpstreamHead head)
{
    if (!m_upgrading || head.upgrade.empty())
        throw BadUpstream("a change of protocol that nobody asked for");
    head.headers.set("Connection", "Upgrade");
    head.headers.set("Upgrade", head.upgrade);
    co_await m_exchange.respond(head.status, std::move(head.headers));
    m_exchange.hijack();
    const std::string early = m_exchange.readAhead();
    const std::string answered(m_buffer.data() + m_begin, m_end - m_begin);
    co_await writeAll(m_socket, early);
    co_await writeAll(m_exchange.socket(), answered);
    co_await relay(m_exchange.socket(), m_socket);
}

asio::awaitable<Forward::Outcome> Forward::connect()
{
    boost::system::error_code error;
    co_await m_socket.async_connect(asio::local::stream_protocol::endpoint(m_target.socketPath),
                                    asio::redirect_error(asio::use_awaitable, error));
    if (error)
        co_return Outcome::NoAnswer;
    if (m_target.port == 0)
        co_return Outcome::Done;
    co_return co_await openTunnel();
}

asio::awaitable<Forward::Outcome> Forward::openTunnel()
{
    Outcome outcome = Outcome::NoAnswer;
    try {
        co_await sendAll("CONNECT localhost:" + std::to_string(m_target.port) + " HTTP/1.1\r\nHost: sandbox\r\n\r\n");
        const UpstreamHead head = co_await readHead();
        if (head.status == 200)
            outcome = Outcome::Done;
        else if (head.status == 502)
            outcome = Outcome::PortClosed;
    } catch (const std::exception &) {
        // The daemon went away: no answer.
    }
    co_return outcome;
}

asio::awaitable<void> Forward::exchangeSmall(std::uint64_t length)
{
    const std::string body = co_await m_exchange.readBody(smallBody);
    m_upgrading = length == 0 && wantsUpgrade();
    if (!m_upgrading) // after an upgrade the relay sees both ends by itself
        watchCaller();
    try {
        co_await sendAll(requestHead(length) + body);
    } catch (const boost::system::system_error &) {
        // It may have answered all the same.
    }
    co_await guardedAnswer();
}

asio::awaitable<bool> Forward::exchangeStreamed()
{
    using namespace asio::experimental::awaitable_operators;
    try {
        co_await sendAll(requestHead(m_exchange.contentLength()));
    } catch (const boost::system::system_error &) {
        co_return false;
    }
    co_await (guardedAnswer() || pumpBody());
    co_return true;
}

asio::awaitable<Forward::Outcome> Forward::run()
{
    m_buffer.resize(bufferSize);
    const Outcome connected = co_await connect();
    if (connected != Outcome::Done)
        co_return connected;
    const auto length = m_exchange.contentLength();
    if (length && *length <= smallBody) {
        co_await exchangeSmall(*length);
    } else {
        const bool sent = co_await exchangeStreamed();
        if (!sent)
            co_return Outcome::NoAnswer;
    }
    boost::system::error_code ignored;
    m_socket.close(ignored);
    if (m_badBody && !m_exchange.started())
        std::rethrow_exception(m_badBody);
    if (!m_failure)
        co_return Outcome::Done;
    if (!m_exchange.started() && !m_exchange.peerGone())
        co_return Outcome::NoAnswer;
    std::rethrow_exception(m_failure);
}

} // namespace boxdeck::host::http
