// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "backend/host/http/headers.h"

namespace boxdeck::host::http {

/// A daemon answered something that is not HTTP/1.1 as it should be.
class BadUpstream : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// Head of an answer from a daemon, which is untrusted.
struct UpstreamHead
{
    enum class Body { None, Length, Chunked, UntilClose };
    int status = 0;
    Headers headers; ///< without those that only concern one connection
    Body body = Body::None;
    std::uint64_t length = 0;
    std::string upgrade; ///< of a 101: what the connection becomes
};

/// Reads a head, without its empty line. Throws BadUpstream.
UpstreamHead parseUpstreamHead(std::string_view text, bool answerToHead);

/// Whether a header field is only for one connection (or names the framing), so never passed on.
bool isHopByHop(std::string_view name);

/// Takes chunked coding apart without copying. Throws BadUpstream.
class ChunkedBody
{
public:
    /// The parts of @p input that are content, in order; views into it.
    std::vector<std::string_view> feed(std::string_view input);
    /// Whether the last chunk and its trailer have been seen.
    bool done() const { return m_state == State::Done; }

private:
    enum class State { Size, Data, DataEnd, Trailer, Done };
    State m_state = State::Size;
    std::string m_line;
    std::uint64_t m_left = 0;
};

} // namespace boxdeck::host::http
