// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/http/request_reader.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>

#include <algorithm>

namespace boxdeck::host::http {

namespace beast = boost::beast;
using boost::system::error_code;
using boost::system::system_error;

namespace {
constexpr std::size_t readAheadLimit = 256 * 1024;

bool isProtocolError(const error_code &ec)
{
    return ec.category() == beast::http::make_error_code(beast::http::error::bad_method).category();
}
} // namespace

struct RequestReader::State
{
    using Parser = beast::http::request_parser<beast::http::buffer_body>;

    beast::flat_buffer buffer{readAheadLimit};
    std::optional<Parser> parser;
    std::optional<std::uint64_t> bodyLeft; // nothing while chunked
    bool bodyDone = true;
};

RequestReader::RequestReader()
    : m_state(std::make_unique<State>())
{
}

RequestReader::~RequestReader() = default;

asio::awaitable<RequestReader::Outcome> RequestReader::readHead(Socket &socket, std::size_t limit, Request &request)
{
    State &state = *m_state;
    state.parser.emplace();
    state.parser->header_limit(static_cast<std::uint32_t>(limit));
    state.parser->body_limit(boost::none);
    error_code ec;
    co_await beast::http::async_read_header(socket, state.buffer, *state.parser,
                                            asio::redirect_error(asio::use_awaitable, ec));
    if (ec == beast::http::error::header_limit || ec == beast::http::error::buffer_overflow)
        co_return Outcome::TooLarge;
    if (ec && isProtocolError(ec) && ec != beast::http::error::end_of_stream && ec != beast::http::error::partial_message)
        co_return Outcome::Malformed;
    if (ec)
        co_return Outcome::Closed;

    const auto &message = state.parser->get();
    // Beast takes an unknown coding for no body, so that the body would be read as the next request.
    const auto coding = message.find(beast::http::field::transfer_encoding);
    if (coding != message.end() && !beast::iequals(coding->value(), "chunked"))
        co_return Outcome::Malformed;
    request = {};
    request.method = std::string(message.method_string());
    request.target = std::string(message.target());
    const std::size_t question = request.target.find('?');
    request.path = request.target.substr(0, question);
    if (question != std::string::npos)
        request.query = request.target.substr(question + 1);
    for (const auto &field : message)
        request.headers.add(std::string(field.name_string()), std::string(field.value()));
    request.keepAlive = state.parser->keep_alive();
    state.bodyLeft.reset();
    if (!state.parser->chunked())
        state.bodyLeft = state.parser->content_length().value_or(0);
    state.bodyDone = state.bodyLeft == std::uint64_t{0};
    co_return Outcome::Complete;
}

asio::awaitable<std::size_t> RequestReader::readBody(Socket &socket, std::span<char> buffer)
{
    State &state = *m_state;
    if (state.bodyDone || buffer.empty())
        co_return 0;
    std::size_t got = 0;
    if (state.bodyLeft) {
        // Known length: the parser is passed by, bytes land where the caller wants them.
        const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), *state.bodyLeft));
        if (state.buffer.size() > 0) {
            got = asio::buffer_copy(asio::buffer(buffer.data(), want), state.buffer.data());
            state.buffer.consume(got);
        } else {
            got = co_await socket.async_read_some(asio::buffer(buffer.data(), want), asio::use_awaitable);
        }
        *state.bodyLeft -= got;
        state.bodyDone = *state.bodyLeft == 0;
        co_return got;
    }
    auto &body = state.parser->get().body();
    while (got == 0 && !state.parser->is_done()) {
        body.data = buffer.data();
        body.size = buffer.size();
        body.more = true;
        error_code ec;
        co_await beast::http::async_read_some(socket, state.buffer, *state.parser,
                                              asio::redirect_error(asio::use_awaitable, ec));
        if (ec && ec != beast::http::error::need_buffer) {
            const bool brokeOff = ec == beast::http::error::partial_message || ec == beast::http::error::end_of_stream;
            if (isProtocolError(ec) && !brokeOff)
                throw BadRequestBody(ec);
            throw system_error(ec);
        }
        got = buffer.size() - body.size;
    }
    state.bodyDone = state.parser->is_done();
    co_return got;
}

std::optional<std::uint64_t> RequestReader::contentLength() const
{
    if (m_state->parser->chunked())
        return std::nullopt;
    return m_state->parser->content_length().value_or(0);
}

std::optional<std::uint64_t> RequestReader::bodyLeft() const
{
    return m_state->bodyLeft;
}

bool RequestReader::bodyDone() const
{
    return m_state->bodyDone;
}

void RequestReader::giveUpBody()
{
    m_state->bodyDone = true;
}

bool RequestReader::knowsChunks() const
{
    return m_state->parser->get().version() >= 11;
}

bool RequestReader::hasReadAhead() const
{
    return m_state->buffer.size() > 0;
}

std::string RequestReader::takeReadAhead()
{
    auto &buffer = m_state->buffer;
    std::string bytes(static_cast<const char *>(buffer.data().data()), buffer.size());
    buffer.consume(buffer.size());
    return bytes;
}

} // namespace boxdeck::host::http
