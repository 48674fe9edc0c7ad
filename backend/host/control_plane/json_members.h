// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

namespace boxdeck::host {

// Members of a request's body, read strictly. A null @p value counts as absent; whether a JSON null does is the
// caller's to say, as the routes differ (protocol/compat.md, section 5). @p name is for the message. All of them throw
// ApiError 400.

[[noreturn]] void invalidRequest(const std::string &what);

/// The whole body, which must be a JSON object; nothing but blanks is an empty one where @p mayBeEmpty.
boost::json::object objectOf(std::string_view body, bool mayBeEmpty);

std::string textOf(const boost::json::value *value, const std::string &name);
bool flagOf(const boost::json::value *value, const std::string &name, bool fallback);
std::vector<std::string> textListOf(const boost::json::value *value, const std::string &name);

} // namespace boxdeck::host
