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
    enum class Step { Dns, Tcp, Tls, Key, Listing };
    enum class Verdict {
        Passed,
        Failed,
        Skipped, ///< does not apply: TLS over http, names and sockets behind a proxy
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

/// Tries the server of a profile: name, connection, certificate, key, list. Takes at most about 40 s; cancelling the
/// call ends it. The report is the value even if a step failed.
Call<TestReport> testConnection(const ConnectionProfile &profile, const Secret &key, net::HttpTransport &transport);

} // namespace boxdeck::session
