// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/volumes/volume_token.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <boost/json.hpp>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "backend/host/control_plane/data_folder.h"
#include "backend/host/control_plane/secret_compare.h"
#include "backend/host/http/url.h"

namespace boxdeck::host {

namespace {

namespace json = boost::json;

constexpr std::int64_t lifetimeSeconds = 24 * 3600;
constexpr const char *issuer = "boxdeck-host";

std::string base64Url(std::string_view bytes)
{
    std::string text = http::base64Encode(bytes);
    std::replace(text.begin(), text.end(), '+', '-');
    std::replace(text.begin(), text.end(), '/', '_');
    while (text.ends_with('='))
        text.pop_back();
    return text;
}

// The only head there is: a token never gets to say how it is to be checked.
const std::string &head()
{
    static const std::string text = base64Url(R"({"alg":"HS256","typ":"JWT"})");
    return text;
}

} // namespace

std::string VolumeTokens::sign(std::string_view text) const
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    const auto *bytes = reinterpret_cast<const unsigned char *>(text.data());
    if (HMAC(EVP_sha256(), m_key.data(), static_cast<int>(m_key.size()), bytes, text.size(), digest.data(), &length) ==
        nullptr)
        throw std::runtime_error("HMAC is not available");
    return base64Url({reinterpret_cast<const char *>(digest.data()), length});
}

std::string VolumeTokens::issue(const std::string &volumeId, std::int64_t unixNow) const
{
    const json::object claims{{"iss", issuer},  {"volid", volumeId},
                              {"iat", unixNow}, {"exp", unixNow + lifetimeSeconds},
                              {"nbf", unixNow}, {"jti", randomHex(32)}};
    const std::string signedPart = head() + '.' + base64Url(json::serialize(claims));
    return signedPart + '.' + sign(signedPart);
}

bool VolumeTokens::accepts(std::string_view token, const std::string &volumeId, std::int64_t unixNow) const
{
    const auto dot = token.rfind('.');
    if (dot == std::string_view::npos || !token.starts_with(head() + '.') || dot <= head().size())
        return false;
    const std::string_view signedPart = token.substr(0, dot);
    // Nothing of it is read before this.
    if (!equalSecrets(token.substr(dot + 1), sign(signedPart)))
        return false;
    const auto text = http::base64Decode(signedPart.substr(head().size() + 1));
    boost::system::error_code error;
    const json::value value = text ? json::parse(*text, error) : json::value();
    const json::object *claims = error ? nullptr : value.if_object();
    if (claims == nullptr)
        return false;
    const json::value *volume = claims->if_contains("volid");
    const json::value *expires = claims->if_contains("exp");
    return volume != nullptr && volume->is_string() && volume->as_string() == volumeId && expires != nullptr &&
           expires->is_int64() && expires->as_int64() > unixNow;
}

} // namespace boxdeck::host
