// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/script.h"

#include <QString>

#include <array>

namespace boxdeck::test {

/// A way for an exchange to go wrong, or at least to be unusual.
enum class Fault {
    Cut,       ///< the connection is closed in the middle
    Stall,     ///< nothing more comes, with the connection open
    Reset,     ///< the connection is reset in the middle
    Garbage,   ///< what comes is not HTTP
    Limited,   ///< 429 with a Retry-After
    Outage,    ///< 503
    Slow,      ///< all of it comes, a little at a time, in a multiple of any pause that is allowed
    HalfClose, ///< the server says that nothing more comes from it, in the middle, and reads on
    Replay,    ///< the whole answer comes twice: what comes behind the first must reach nobody
};

inline constexpr std::array allFaults{Fault::Cut,    Fault::Stall, Fault::Reset,     Fault::Garbage, Fault::Limited,
                                      Fault::Outage, Fault::Slow,  Fault::HalfClose, Fault::Replay};
QString faultName(Fault fault);

/// An answer that is right.
struct GoodAnswer
{
    int status = 200;
    net::HeaderList headers;
    QList<QByteArray> pieces; ///< of its body; "the middle" is behind the first half of them
    bool chunked = false;     ///< each piece is a chunk; else the length is announced

    /// An answer with an announced length, in small pieces.
    static GoodAnswer counted(int status, const QByteArray &body, const net::HeaderList &headers = {});
};

/// Where a fault that can happen anywhere happens.
enum class At {
    Start,  ///< before a byte of the answer
    Middle, ///< in its body
};

/// What a server does that would give `good`, but for the fault. `pause` is what Slow waits between pieces.
Script withFault(Fault fault, At at, const GoodAnswer &good, int pause);

} // namespace boxdeck::test
