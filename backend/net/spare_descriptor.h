// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace boxdeck::net {

/// A second descriptor of a TCP socket. When a write fails Qt drops the socket with everything that had arrived on it,
/// which may be the answer that says why the server took no more; through this one it can still be read.
class SpareDescriptor
{
public:
    SpareDescriptor() = default;
    ~SpareDescriptor() { close(); }
    SpareDescriptor(const SpareDescriptor &) = delete;
    SpareDescriptor &operator=(const SpareDescriptor &) = delete;

    void keep(qintptr socket);
    void close();
    /// What has arrived and nobody read, up to `max` bytes. Never waits.
    QByteArray takeArrived(qsizetype max);

private:
    int m_descriptor = -1;
};

} // namespace boxdeck::net
