// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace boxdeck::host::envd {

/// A media type by file extension; empty when the extension says nothing.
std::string contentTypeByName(std::string_view fileName);
/// A media type by a file's first bytes: text, or application/octet-stream.
std::string contentTypeByContent(std::string_view beginning);
/// `inline; filename=…` as RFC 6266 and 2231 want it: a token, a quoted string, or percent-encoded UTF-8.
std::string inlineDisposition(std::string_view fileName);

} // namespace boxdeck::host::envd
