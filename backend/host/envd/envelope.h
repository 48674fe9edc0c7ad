// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace boxdeck::host::envd {

/// One message of a Connect stream (protocol/envd.md 8.4): a flag byte, a big-endian length, the payload.
struct Envelope
{
    static constexpr std::uint8_t compressed = 0x01;
    static constexpr std::uint8_t endOfStream = 0x02;

    std::uint8_t flags = 0;
    std::string payload;
};

/// Appends the five bytes before a payload of that size.
void appendEnvelopeHead(std::string &out, std::uint8_t flags, std::size_t size);
/// A whole envelope.
std::string makeEnvelope(std::uint8_t flags, std::string_view payload);

/// Puts envelopes together from pieces that are cut anywhere.
class EnvelopeDecoder
{
public:
    /// Payloads above `limit` bytes are refused before anything is allocated for them.
    explicit EnvelopeDecoder(std::size_t limit)
        : m_limit(limit)
    {
    }

    void feed(std::string_view bytes) { m_buffer.append(bytes); }
    /// The next complete envelope. Throws RpcError (resource_exhausted) for one above the limit.
    std::optional<Envelope> next();
    /// Whether bytes of an unfinished envelope are left.
    bool pending() const { return m_buffer.size() > m_start; }

private:
    std::size_t m_limit;
    std::string m_buffer;
    std::size_t m_start = 0;
};

} // namespace boxdeck::host::envd
