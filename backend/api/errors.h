// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/net/connect_error.h"

namespace boxdeck::api {

/// What a call was about, where the meaning of a status depends on it (protocol/lifecycle.md section 9).
enum class Operation {
    Other,
    Create,         ///< 404 means that the template is unknown: InvalidRequest
    Connect,        ///< 400 "invalid sandbox id" is NotFound
    Get,            ///< likewise
    List,           ///< 404, 405: there is no such call: Unsupported
    Build,          ///< asking for or starting a build. 404 means that a template it names is unknown: InvalidRequest
    BuildStatus,    ///< 400 and 404 are both "no such build": NotFound (protocol/compat.md 2.29)
    DeleteTemplate, ///< of templates, snapshots and volumes. 400: a sandbox still depends on it: Conflict
};

/// The error of a control-plane answer. Its `error_code`, else a `code` that is a word, becomes the code. The status
/// alone decides the kind; a body without JSON is its message.
Error controlError(const net::HttpResponse &response, Operation operation);

/// The error of an answer on /health and /files of the data plane. A 502 that names the sandbox has the code
/// "http_bad_gateway": not a proof that it is gone, ask the control plane (protocol/compat.md 3.35). A 401 is
/// Authentication and names the token.
Error filesError(const net::HttpResponse &response);

} // namespace boxdeck::api
