// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

namespace boxdeck::host::envd {

/// What boxdeck-envd is started with. Both descriptors are its own from then on.
struct DaemonOptions
{
    int listenFd = -1;  ///< A listening stream socket: HTTP, protocol/envd.md without tokens (the host checks those).
    int controlFd = -1; ///< A SOCK_SEQPACKET socket to the host; -1 for none.
};

/// The data plane of one sandbox, as the first process in it. One thread does all network and process work; a few more
/// wait for the disk.
class Daemon
{
public:
    explicit Daemon(DaemonOptions options);
    ~Daemon();
    Daemon(const Daemon &) = delete;
    Daemon &operator=(const Daemon &) = delete;

    /// Serves until the host says "quit" or goes away, then ends everything that was started here.
    void run();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace boxdeck::host::envd
