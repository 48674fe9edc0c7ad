// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/spare_descriptor.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

namespace boxdeck::net {

void SpareDescriptor::keep(qintptr socket)
{
    close();
    m_descriptor = ::fcntl(static_cast<int>(socket), F_DUPFD_CLOEXEC, 0);
}

void SpareDescriptor::close()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
    m_descriptor = -1;
}

QByteArray SpareDescriptor::takeArrived(qsizetype max)
{
    QByteArray arrived;
    std::array<char, 16 * 1024> part{};
    while (m_descriptor >= 0 && arrived.size() < max) {
        const ssize_t count = ::recv(m_descriptor, part.data(), part.size(), MSG_DONTWAIT);
        if (count <= 0)
            break;
        arrived.append(part.data(), static_cast<qsizetype>(count));
    }
    return arrived;
}

} // namespace boxdeck::net
