// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/http/proxy_answers.h"

#include <algorithm>
#include <initializer_list>

#include <boost/json.hpp>

namespace boxdeck::host::http {

namespace {

namespace json = boost::json;

constexpr const char *portClosed = "The sandbox is running but port is not open";

std::string lowerHeader(const Request &request, const char *name)
{
    std::string text(request.headers.get(name).value_or(""));
    std::transform(text.begin(), text.end(), text.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    });
    return text;
}

bool holdsOneOf(const std::string &text, std::initializer_list<std::string_view> words)
{
    return std::any_of(words.begin(), words.end(),
                       [&text](std::string_view word) { return text.find(word) != std::string::npos; });
}

// What goes in is an id of [a-z0-9], a number and our own sentences: nothing to escape.
std::string page(const Route &route, int status, const std::string &message, const std::string &advice)
{
    return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + message +
           "</title>\n<meta name=\"viewport\" content=\"width=device-width\">\n"
           "<style>:root{color-scheme:light dark}body{font:1rem/1.5 sans-serif;max-width:36rem;margin:15vh auto;"
           "padding:0 1rem}</style></head>\n<body><h1>" +
           message + "</h1>\n<p>" + advice + "</p>\n<p>Sandbox <code>" + route.sandboxId + "</code>, port <code>" +
           std::to_string(route.port) + "</code>, status " + std::to_string(status) + "</p></body></html>\n";
}

asio::awaitable<void> sendPage(Exchange &exchange, int status, std::string html)
{
    Headers headers{{"Content-Type", "text/html; charset=utf-8"},
                    {"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"},
                    {"X-Content-Type-Options", "nosniff"},
                    {"Cache-Control", "no-store"}};
    co_await exchange.respond(status, std::move(headers), std::move(html));
}

} // namespace

bool wantsPage(const Request &request)
{
    const std::string agent = lowerHeader(request, "User-Agent");
    if (!holdsOneOf(agent, {"mozilla", "chrome", "safari", "firefox", "edge", "opera", "msie"}))
        return false;
    const std::string mode = lowerHeader(request, "Sec-Fetch-Mode");
    if (mode == "cors" || mode == "no-cors" || mode == "same-origin" || mode == "websocket")
        return false;
    if (mode != "navigate" && !lowerHeader(request, "X-Requested-With").empty())
        return false;
    const std::string accept = lowerHeader(request, "Accept");
    return !holdsOneOf(accept, {"application/json"}) || holdsOneOf(accept, {"text/html"});
}

asio::awaitable<void> sendJson(Exchange &exchange, int status, json::object body)
{
    Headers headers{{"Content-Type", "application/json; charset=utf-8"},
                    {"X-Content-Type-Options", "nosniff"},
                    {"Access-Control-Allow-Origin", "*"}};
    co_await exchange.respond(status, std::move(headers), json::serialize(body));
}

asio::awaitable<void> sendText(Exchange &exchange, int status, std::string text)
{
    Headers headers{{"Content-Type", "text/plain; charset=utf-8"},
                    {"X-Content-Type-Options", "nosniff"},
                    {"Access-Control-Allow-Origin", "*"}};
    co_await exchange.respond(status, std::move(headers), std::move(text));
}

asio::awaitable<void> sendError(Exchange &exchange, const Route &route, int status, const char *message)
{
    if (wantsPage(exchange.request())) {
        const char *advice = status == 502   ? "It was deleted, or it is paused. Look at your list of sandboxes."
                             : status == 403 ? "This address needs a token that a browser does not send by itself."
                                             : "Try again in a moment.";
        co_await sendPage(exchange, status, page(route, status, message, advice));
        co_return;
    }
    json::object body{{"sandboxId", route.sandboxId}, {"message", message}, {"code", status}};
    co_await sendJson(exchange, status, std::move(body));
}

asio::awaitable<void> sendPortClosed(Exchange &exchange, const Route &route)
{
    constexpr int status = 502;
    if (wantsPage(exchange.request())) {
        const char *advice = "Start the service that should listen there, then load this page again.";
        co_await sendPage(exchange, status, page(route, status, portClosed, advice));
        co_return;
    }
    json::object body{{"sandboxId", route.sandboxId}, {"message", portClosed}, {"port", route.port}, {"code", status}};
    co_await sendJson(exchange, status, std::move(body));
}

} // namespace boxdeck::host::http
