// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "backend/host/builds/build_manager.h"
#include "backend/host/control_plane/api_error.h"
#include "backend/host/control_plane/sandbox_manager.h"
#include "backend/host/http/headers.h"
#include "backend/host/secrets/secret_store.h"
#include "backend/host/volumes/volume_store.h"
#include "backend/host/volumes/volume_token.h"

namespace boxdeck::host {

/// What the route files work with. Everything outlives every call.
struct Services
{
    SandboxManager &sandboxes;
    TemplateCatalog &templates;
    LayerStore &layers;
    BuildManager &builds;
    VolumeStore &volumes;
    const VolumeTokens &volumeTokens;
    SecretStore &secrets;
    std::string apiKey; ///< what X-API-Key must hold
    std::string dataFolder;
};

/// One authenticated request, its body read.
struct Call
{
    std::string method;
    std::string path;  ///< raw, as it came
    std::string query; ///< raw, without the question mark
    int version = 1;   ///< 2 or 3 when the path begins with /v2 or /v3
    /// The path from the resource on (no version), each segment decoded after cutting: an encoded slash never makes
    /// two.
    std::vector<std::string> segments;
    http::Headers headers;
    std::string body;

    bool is(const char *wanted) const { return method == wanted; }
    /// Throws 405 for another method.
    void expect(const char *wanted) const
    {
        if (!is(wanted))
            throw wrongMethod();
    }
    /// Errors to throw: the path is known but not with this method; the path is not known.
    ApiError wrongMethod() const { return {405, "method " + method + " is not allowed on " + path}; }
    ApiError noSuchRoute() const
    {
        return {404, "no such route: " + method + ' ' + path + " (not served by this host)"};
    }
};

/// What a call is answered with. A body is JSON text; no body is sent as `Content-Length: 0`.
struct Answer
{
    int status = 200;
    std::string body;
    http::Headers headers;

    static Answer empty(int status = 204) { return {.status = status}; }
    static Answer of(const boost::json::value &value, int status = 200)
    {
        return {.status = status, .body = boost::json::serialize(value)};
    }
};

} // namespace boxdeck::host
