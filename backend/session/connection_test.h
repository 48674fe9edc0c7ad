// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"
#include "backend/core/secret.h"
#include "backend/net/http_transport.h"
#include "backend/session/connection_profile.h"

#include <QList>

namespace boxdeck::session {

/// What trying a server found, step by step, up to the first that failed.
struct TestReport
{
    enum class Step {
        CaFile, ///< reading the account's own authorities; only if it has some
        Dns,
        Tcp,
        Tls,
        Key,
        Listing,
        Sandboxes, ///< the way to sandboxes: their domain, address or gateway, and its certificate
    };
    enum class Verdict {
        Passed,
        Failed,
        Skipped, ///< does not apply: TLS over http, names and sockets behind a proxy, sandboxes of an unknown domain
    };
    struct Line
    {
        Step step;
        Verdict verdict;
        std::optional<Error> error; ///< of a failed step
        qint64 milliseconds = 0;
    };

    QList<Line> lines;

    bool passed() const;
    std::optional<Line> failure() const; ///< the step that failed
};

/// Tries the server of a profile: name, connection, certificate, key, list, and whether anybody answers where its
/// sandboxes are: a made-up one is asked for its health, without key or token, and any answer will do. Takes at most
/// about 50 s; cancelling the call ends it. The report is the value even if a step failed.
Call<TestReport> testConnection(const ConnectionProfile &profile, const Secret &key, net::HttpTransport &transport);

} // namespace boxdeck::session
