// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace boxdeck::host {

/// Bearer tokens of the volume-content API: a JWT (HS256) that names one volume and expires
/// (protocol/control-plane.md, section 10). Only this host reads them, with the key that signed them.
class VolumeTokens
{
public:
    /// @p key is the text of the host's signing key.
    explicit VolumeTokens(std::string key)
        : m_key(std::move(key))
    {
    }

    /// A token for @p volumeId, good until 24 hours after @p unixNow.
    std::string issue(const std::string &volumeId, std::int64_t unixNow) const;
    /// Whether @p token is one of ours for exactly that volume and not expired at @p unixNow.
    bool accepts(std::string_view token, const std::string &volumeId, std::int64_t unixNow) const;

private:
    std::string sign(std::string_view text) const;

    std::string m_key;
};

} // namespace boxdeck::host
