// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/envelope.h"

#include "backend/host/envd/rpc_error.h"

namespace boxdeck::host::envd {

void appendEnvelopeHead(std::string &out, std::uint8_t flags, std::size_t size)
{
    out.push_back(static_cast<char>(flags));
    for (int shift = 24; shift >= 0; shift -= 8)
        out.push_back(static_cast<char>(size >> shift & 0xFF));
}

std::string makeEnvelope(std::uint8_t flags, std::string_view payload)
{
    std::string out;
    out.reserve(payload.size() + 5);
    appendEnvelopeHead(out, flags, payload.size());
    out += payload;
    return out;
}

std::optional<Envelope> EnvelopeDecoder::next()
{
    constexpr std::size_t headSize = 5;
    if (m_buffer.size() - m_start < headSize)
        return std::nullopt;
    std::size_t length = 0;
    for (std::size_t i = 1; i < headSize; ++i)
        length = length << 8 | static_cast<unsigned char>(m_buffer[m_start + i]);
    if (length > m_limit) {
        throw RpcError(Code::ResourceExhausted, "message size " + std::to_string(length) +
                                                    " is larger than the limit of " + std::to_string(m_limit));
    }
    if (m_buffer.size() - m_start - headSize < length)
        return std::nullopt;
    Envelope envelope{.flags = static_cast<std::uint8_t>(m_buffer[m_start]),
                      .payload = m_buffer.substr(m_start + headSize, length)};
    m_start += headSize + length;
    if (m_start == m_buffer.size() || m_start > 64 * 1024) {
        m_buffer.erase(0, m_start);
        m_start = 0;
    }
    return envelope;
}

} // namespace boxdeck::host::envd
