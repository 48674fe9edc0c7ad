// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/http/upstream_head.h"

#include <algorithm>
#include <charconv>

namespace boxdeck::host::http {

namespace {

constexpr std::size_t chunkLineLimit = 4096;

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

bool isToken(std::string_view name)
{
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char letter) {
        return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
               (letter >= 'A' && letter <= 'Z') ||
               std::string_view("!#$%&'*+-.^_`|~").find(letter) != std::string_view::npos;
    });
}

std::uint64_t number(std::string_view text, int base)
{
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        throw BadUpstream("a length that is no number");
    return value;
}

} // namespace

bool isHopByHop(std::string_view name)
{
    for (const std::string_view one :
         {"Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authorization", "TE", "Trailer",
          "Transfer-Encoding", "Upgrade", "Content-Length", "Expect"}) {
        if (equalIgnoringCase(name, one))
            return true;
    }
    return false;
}

UpstreamHead parseUpstreamHead(std::string_view text, bool answerToHead)
{
    UpstreamHead head;
    const auto next = [&text] {
        const auto end = text.find("\r\n");
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
        return line;
    };
    const std::string_view first = next();
    if (first.size() < 12 || !first.starts_with("HTTP/1.") || first[8] != ' ' ||
        (first.size() > 12 && first[12] != ' '))
        throw BadUpstream("no HTTP/1.1 answer");
    head.status = static_cast<int>(number(first.substr(9, 3), 10));
    if (head.status < 100)
        throw BadUpstream("no status");

    bool chunked = false;
    std::optional<std::uint64_t> length;
    while (!text.empty()) {
        const std::string_view line = next();
        const auto colon = line.find(':');
        if (colon == std::string_view::npos || !isToken(line.substr(0, colon)))
            throw BadUpstream("a header line that is none");
        const std::string_view name = line.substr(0, colon);
        const std::string_view value = trimmed(line.substr(colon + 1));
        // A client may take a bare line feed for the end of the field, and what follows for one of ours.
        if (value.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos)
            throw BadUpstream("a header field with a line break in it");
        if (equalIgnoringCase(name, "Transfer-Encoding")) {
            if (!equalIgnoringCase(value, "chunked") || chunked)
                throw BadUpstream("an unknown transfer coding");
            chunked = true;
        } else if (equalIgnoringCase(name, "Content-Length")) {
            const std::uint64_t value64 = number(value, 10);
            if (length && *length != value64)
                throw BadUpstream("two lengths");
            length = value64;
        } else if (head.status == 101 && equalIgnoringCase(name, "Upgrade")) {
            head.upgrade = std::string(value);
        } else if (!isHopByHop(name) && !equalIgnoringCase(name, "Date")) {
            head.headers.add(std::string(name), std::string(value));
        }
    }
    if (chunked && length)
        throw BadUpstream("a length and chunks");
    if (answerToHead || head.status < 200 || head.status == 204 || head.status == 304)
        head.body = UpstreamHead::Body::None;
    else if (chunked)
        head.body = UpstreamHead::Body::Chunked;
    else if (length)
        head.body = UpstreamHead::Body::Length;
    else
        head.body = UpstreamHead::Body::UntilClose;
    head.length = length.value_or(0);
    return head;
}

std::vector<std::string_view> ChunkedBody::feed(std::string_view input)
{
    std::vector<std::string_view> pieces;
    while (!input.empty() && m_state != State::Done) {
        if (m_state == State::Data) {
            const std::string_view piece =
                input.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(m_left, input.size())));
            pieces.push_back(piece);
            input.remove_prefix(piece.size());
            m_left -= piece.size();
            if (m_left == 0)
                m_state = State::DataEnd;
            continue;
        }
        const auto end = input.find('\n');
        m_line.append(input.substr(0, end));
        if (m_line.size() > chunkLineLimit)
            throw BadUpstream("a chunk line without end");
        if (end == std::string_view::npos)
            break;
        input.remove_prefix(end + 1);
        if (m_line.ends_with('\r'))
            m_line.pop_back();
        if (m_state == State::DataEnd) {
            if (!m_line.empty())
                throw BadUpstream("a chunk longer than its size");
            m_state = State::Size;
        } else if (m_state == State::Trailer) {
            if (m_line.empty())
                m_state = State::Done;
        } else {
            m_left = number(trimmed(std::string_view(m_line).substr(0, m_line.find(';'))), 16);
            m_state = m_left == 0 ? State::Trailer : State::Data;
        }
        m_line.clear();
    }
    return pieces;
}

} // namespace boxdeck::host::http
