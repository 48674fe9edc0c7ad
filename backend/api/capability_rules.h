// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/capabilities.h"

#include <optional>

namespace boxdeck::api {

/// How an answer is read, which depends on what was asked.
enum class Ask {
    List,   ///< a list that needs no object: "not found" is about the call
    Batch,  ///< metrics of many, whose path another server takes for a sandbox called "metrics"
    Post,   ///< a post that names no object: complaints about the body prove the call
    Object, ///< a call about one object: its "not found" proves nothing
};

struct Asked
{
    Feature feature;
    Ask ask;
};

/// Which feature a request is about, if any. `path` begins behind the API address, without a query.
std::optional<Asked> featureOf(const QByteArray &method, const QByteArray &path);

/// What an answer says about a feature. `keyWorks`: this key has listed sandboxes, so a 401 is about the kind of login.
Finding judge(Ask ask, const net::HttpResponse &response, bool keyWorks);

/// The verdict that goes with a reason.
Support supportOf(Why why);

} // namespace boxdeck::api
