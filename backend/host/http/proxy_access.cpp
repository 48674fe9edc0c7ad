// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/http/proxy_access.h"

#include <array>
#include <charconv>

#include <openssl/evp.h>

#include "backend/host/control_plane/secret_compare.h"
#include "backend/host/http/url.h"

namespace boxdeck::host::http {

namespace {

std::string sha256(std::string_view text)
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    if (EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1)
        throw std::runtime_error("SHA-256 is not available");
    return {reinterpret_cast<const char *>(digest.data()), length};
}

bool isPreflight(const Request &request)
{
    return request.method == "OPTIONS" && request.headers.contains("Origin") &&
           request.headers.contains("Access-Control-Request-Method");
}

// The two file routes check for themselves: a token in the header, or a signature in the query.
std::optional<AccessRefusal> checkFiles(const Request &request, std::string_view token, std::int64_t unixNow)
{
    const auto query = Query::parse(request.query);
    if (!query)
        return AccessRefusal{.status = 400, .message = "malformed query\n", .plainText = true};
    // Two readers of one request must never disagree about what it says.
    for (const char *name : {"path", "username", "signature", "signature_expiration"}) {
        if (query->count(name) > 1)
            return AccessRefusal{.status = 400,
                                 .message = std::string("query parameter '") + name + "' was given twice\n",
                                 .plainText = true};
    }
    std::optional<std::int64_t> expiration;
    if (const auto text = query->get("signature_expiration")) {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
        if (error != std::errc() || end != text->data() + text->size())
            return AccessRefusal{.status = 400,
                                 .message = "query parameter 'signature_expiration' is not an integer\n",
                                 .plainText = true};
        expiration = value;
    }
    if (token.empty())
        return {};
    const auto given = request.headers.get("X-Access-Token");
    if (given && !given->empty()) {
        if (equalSecrets(*given, token))
            return {};
        return AccessRefusal{.message = "unauthorized access, the access token in the header is not this sandbox's"};
    }
    const auto signature = query->get("signature");
    if (!signature)
        return AccessRefusal{.message = "missing signature query parameter"};
    const std::string right = fileSignature(query->get("path").value_or(""), request.method == "GET" ? "read" : "write",
                                            query->get("username").value_or(""), token, expiration);
    if (!equalSecrets(*signature, right))
        return AccessRefusal{.message = "invalid signature"};
    if (expiration && *expiration < unixNow)
        return AccessRefusal{.message = "signature is already expired"};
    return {};
}

} // namespace

std::string fileSignature(std::string_view path, std::string_view operation, std::string_view user,
                          std::string_view token, std::optional<std::int64_t> expiration)
{
    std::string raw;
    raw.append(path).append(":").append(operation).append(":").append(user).append(":").append(token);
    if (expiration)
        raw.append(":").append(std::to_string(*expiration));
    std::string text = base64Encode(sha256(raw));
    while (text.ends_with('='))
        text.pop_back();
    return "v1_" + text;
}

std::optional<AccessRefusal> checkAccess(const Request &request, std::string_view token, std::int64_t unixNow)
{
    if (request.path == "/files" && (request.method == "GET" || request.method == "POST"))
        return checkFiles(request, token, unixNow);
    if (token.empty() || (request.path == "/health" && request.method == "GET") || isPreflight(request))
        return {};
    const auto given = request.headers.get("X-Access-Token");
    if (given && equalSecrets(*given, token))
        return {};
    return AccessRefusal{.message = "unauthorized access, please provide a valid access token or method signing if "
                                    "supported"};
}

} // namespace boxdeck::host::http
