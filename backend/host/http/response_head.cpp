// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/http/response_head.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>

namespace boxdeck::host::http {

namespace {

constexpr std::array<const char *, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<const char *, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

void appendClean(std::string &text, std::string_view value)
{
    for (const char c : value) {
        const auto byte = static_cast<unsigned char>(c);
        text.push_back((byte < 0x20 && c != '\t') || byte == 0x7f ? ' ' : c);
    }
}

} // namespace

std::string_view reasonPhrase(int status)
{
    switch (status) {
    case 100:
        return "Continue";
    case 101:
        return "Switching Protocols";
    case 200:
        return "OK";
    case 201:
        return "Created";
    case 202:
        return "Accepted";
    case 204:
        return "No Content";
    case 206:
        return "Partial Content";
    case 301:
        return "Moved Permanently";
    case 302:
        return "Found";
    case 304:
        return "Not Modified";
    case 307:
        return "Temporary Redirect";
    case 308:
        return "Permanent Redirect";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 406:
        return "Not Acceptable";
    case 408:
        return "Request Timeout";
    case 409:
        return "Conflict";
    case 410:
        return "Gone";
    case 411:
        return "Length Required";
    case 412:
        return "Precondition Failed";
    case 413:
        return "Payload Too Large";
    case 415:
        return "Unsupported Media Type";
    case 416:
        return "Range Not Satisfiable";
    case 422:
        return "Unprocessable Entity";
    case 429:
        return "Too Many Requests";
    case 431:
        return "Request Header Fields Too Large";
    case 500:
        return "Internal Server Error";
    case 501:
        return "Not Implemented";
    case 502:
        return "Bad Gateway";
    case 503:
        return "Service Unavailable";
    case 504:
        return "Gateway Timeout";
    case 507:
        return "Insufficient Storage";
    default:
        return "";
    }
}

std::string responseHead(int status, const Headers &headers, bool close, std::string_view extra)
{
    std::string text = "HTTP/1.1 " + std::to_string(status) + " ";
    text += reasonPhrase(status);
    text += "\r\n";
    for (const auto &[name, value] : headers.fields()) {
        appendClean(text, name);
        text += ": ";
        appendClean(text, value);
        text += "\r\n";
    }
    if (!headers.contains("Date"))
        text += "Date: " + httpDate(std::time(nullptr)) + "\r\n";
    if (close && !headers.contains("Connection"))
        text += "Connection: close\r\n";
    text += extra;
    text += "\r\n";
    return text;
}

std::string httpDate(std::int64_t unixSeconds)
{
    const auto time = static_cast<std::time_t>(unixSeconds);
    std::tm utc{};
    gmtime_r(&time, &utc);
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                  days[static_cast<std::size_t>(utc.tm_wday)], utc.tm_mday,
                  months[static_cast<std::size_t>(utc.tm_mon)], utc.tm_year + 1900, utc.tm_hour, utc.tm_min,
                  utc.tm_sec);
    return text.data();
}

std::optional<std::int64_t> parseHttpDate(std::string_view text)
{
    std::array<char, 4> month{};
    std::tm utc{};
    if (std::sscanf(std::string(text).c_str(), "%*3s, %2d %3s %4d %2d:%2d:%2d GMT", &utc.tm_mday, month.data(),
                    &utc.tm_year, &utc.tm_hour, &utc.tm_min, &utc.tm_sec) != 6)
        return std::nullopt;
    const auto found = std::find_if(months.begin(), months.end(),
                                    [&](const char *name) { return std::string_view(name) == month.data(); });
    if (found == months.end())
        return std::nullopt;
    utc.tm_mon = static_cast<int>(found - months.begin());
    utc.tm_year -= 1900;
    return timegm(&utc);
}

} // namespace boxdeck::host::http
