// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/secret.h"

#include <utility>

namespace boxdeck {

namespace {

void wipe(QByteArray &bytes)
{
    // Other holders of the same implicitly shared bytes still need them.
    if (bytes.isEmpty() || !bytes.isDetached())
        return;
    volatile char *p = bytes.data();
    for (qsizetype i = 0; i < bytes.size(); ++i)
        p[i] = 0;
}

} // namespace

Secret::Secret(QByteArray bytes)
    : m_bytes(std::move(bytes))
{
}

Secret::Secret(const Secret &other) = default;

Secret::Secret(Secret &&other) noexcept
    : m_bytes(std::exchange(other.m_bytes, {}))
{
}

Secret &Secret::operator=(Secret other) noexcept
{
    m_bytes.swap(other.m_bytes);
    return *this;
}

Secret::~Secret()
{
    wipe(m_bytes);
}

bool Secret::operator==(const Secret &other) const
{
    if (m_bytes.size() != other.m_bytes.size())
        return false;
    char difference = 0;
    for (qsizetype i = 0; i < m_bytes.size(); ++i)
        difference |= m_bytes[i] ^ other.m_bytes[i];
    return difference == 0;
}

} // namespace boxdeck
