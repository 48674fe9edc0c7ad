// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/content_type.h"

#include "backend/host/http/headers.h"
#include "backend/host/http/url.h"

#include <algorithm>
#include <array>

namespace boxdeck::host::envd {

namespace {

struct Extension
{
    std::string_view extension;
    std::string_view type;
};

constexpr std::array<Extension, 22> extensions{{
    {"avif", "image/avif"},
    {"css", "text/css; charset=utf-8"},
    {"csv", "text/csv; charset=utf-8"},
    {"gif", "image/gif"},
    {"gz", "application/gzip"},
    {"htm", "text/html; charset=utf-8"},
    {"html", "text/html; charset=utf-8"},
    {"jpeg", "image/jpeg"},
    {"jpg", "image/jpeg"},
    {"js", "text/javascript; charset=utf-8"},
    {"json", "application/json"},
    {"md", "text/markdown; charset=utf-8"},
    {"mjs", "text/javascript; charset=utf-8"},
    {"pdf", "application/pdf"},
    {"png", "image/png"},
    {"svg", "image/svg+xml"},
    {"tar", "application/x-tar"},
    {"txt", "text/plain; charset=utf-8"},
    {"wasm", "application/wasm"},
    {"webp", "image/webp"},
    {"xml", "text/xml; charset=utf-8"},
    {"zip", "application/zip"},
}};

} // namespace

std::string contentTypeByName(std::string_view fileName)
{
    const std::size_t dot = fileName.rfind('.');
    if (dot == std::string_view::npos || fileName.find('/', dot) != std::string_view::npos)
        return {};
    for (const Extension &known : extensions) {
        if (http::equalIgnoringCase(known.extension, fileName.substr(dot + 1)))
            return std::string(known.type);
    }
    return {};
}

std::string contentTypeByContent(std::string_view beginning)
{
    const bool text = std::none_of(beginning.begin(), beginning.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && byte != 0x1B;
    });
    return text ? "text/plain; charset=utf-8" : "application/octet-stream";
}

std::string inlineDisposition(std::string_view fileName)
{
    const auto tokenCharacter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    };
    if (!fileName.empty() && std::all_of(fileName.begin(), fileName.end(), tokenCharacter))
        return "inline; filename=" + std::string(fileName);
    const bool printable = std::all_of(fileName.begin(), fileName.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
    if (!printable)
        return "inline; filename*=utf-8''" + http::percentEncode(fileName);
    std::string quoted = "inline; filename=\"";
    for (const char c : fileName) {
        if (c == '"' || c == '\\')
            quoted.push_back('\\');
        quoted.push_back(c);
    }
    return quoted + "\"";
}

} // namespace boxdeck::host::envd
