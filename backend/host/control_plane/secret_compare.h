// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include <openssl/crypto.h>

namespace boxdeck::host {

/// Whether two secrets are equal, in a time that says nothing about where they differ. Their lengths are no secret.
inline bool equalSecrets(std::string_view left, std::string_view right)
{
    return left.size() == right.size() && CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

} // namespace boxdeck::host
