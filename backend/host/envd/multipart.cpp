// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/multipart.h"

#include "backend/host/http/headers.h"
#include "backend/host/http/url.h"

#include <algorithm>
#include <cstring>

namespace boxdeck::host::envd {

namespace {

constexpr std::size_t headLimit = 64 * 1024;

std::string lower(std::string_view text)
{
    std::string out(text);
    for (char &c : out)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    return out;
}

std::string_view trim(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

// The value at the front of the text, which is moved behind it.
std::string takeValue(std::string_view &text)
{
    if (text.empty() || text.front() != '"') {
        const std::size_t end = std::min(text.find(';'), text.size());
        std::string value(trim(text.substr(0, end)));
        text.remove_prefix(end);
        return value;
    }
    std::string value;
    std::size_t at = 1;
    for (; at < text.size() && text[at] != '"'; ++at) {
        // A backslash before anything else is itself: Windows clients send whole paths.
        if (text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '"' || text[at + 1] == '\\'))
            ++at;
        value.push_back(text[at]);
    }
    text.remove_prefix(std::min(at + 1, text.size()));
    return value;
}

std::optional<std::string> extendedValue(std::string_view value)
{
    const std::size_t charset = value.find('\'');
    const std::size_t language = charset == std::string_view::npos ? charset : value.find('\'', charset + 1);
    if (language == std::string_view::npos)
        return std::nullopt;
    return http::percentDecode(value.substr(language + 1));
}

} // namespace

MediaType MediaType::parse(std::string_view value)
{
    MediaType result;
    std::size_t end = std::min(value.find(';'), value.size());
    result.type = lower(trim(value.substr(0, end)));
    std::string_view rest = value.substr(end);
    while (!rest.empty()) {
        rest.remove_prefix(1); // the semicolon
        end = rest.find_first_of("=;");
        if (end == std::string_view::npos)
            break;
        const std::string name = lower(trim(rest.substr(0, end)));
        const bool hasValue = rest[end] == '=';
        rest.remove_prefix(end);
        if (!hasValue)
            continue;
        rest.remove_prefix(1);
        while (!rest.empty() && rest.front() == ' ')
            rest.remove_prefix(1);
        std::string text = takeValue(rest);
        rest.remove_prefix(std::min(rest.find(';'), rest.size()));
        if (name.ends_with('*')) {
            if (auto decoded = extendedValue(text))
                result.parameters[name.substr(0, name.size() - 1)] = std::move(*decoded);
        } else {
            result.parameters.try_emplace(name, std::move(text));
        }
    }
    return result;
}

MultipartParser::MultipartParser(std::string_view boundary, Sink &sink)
    : m_delimiter("\r\n--" + std::string(boundary))
    , m_sink(sink)
    , m_kept("\r\n") // the first boundary may stand at the very beginning
{
}

void MultipartParser::feed(std::string_view bytes)
{
    std::string joined;
    if (m_kept.empty()) {
        m_input = bytes;
    } else {
        joined = std::move(m_kept);
        joined += bytes;
        m_input = joined;
    }
    m_kept.clear();
    while (step()) {
    }
    m_kept = std::string(m_input);
    m_input = {};
}

// Goes one state further; false when more input is needed.
bool MultipartParser::step()
{
    switch (m_state) {
    case State::Preamble: {
        const std::size_t at = m_input.find(m_delimiter);
        if (at == std::string_view::npos) {
            m_input.remove_prefix(m_input.size() - std::min(m_input.size(), m_delimiter.size()));
            return false;
        }
        m_input.remove_prefix(at + m_delimiter.size());
        m_state = State::AfterBoundary;
        return true;
    }
    case State::AfterBoundary: {
        if (m_input.size() < 2)
            return false;
        if (m_input.starts_with("--")) {
            m_state = State::Epilogue;
            return true;
        }
        const std::size_t end = m_input.find("\r\n");
        if (end == std::string_view::npos) {
            if (m_input.size() > headLimit)
                throw MultipartError("multipart: no line end after a boundary");
            return false;
        }
        if (!trim(m_input.substr(0, end)).empty())
            throw MultipartError("multipart: text after a boundary");
        m_input.remove_prefix(end); // the line end stays: a head without fields is only that
        m_state = State::Head;
        return true;
    }
    case State::Head:
        return readHead();
    case State::Data:
        return readData();
    case State::Epilogue:
        m_input = {};
        return false;
    }
    return false;
}

bool MultipartParser::readHead()
{
    const std::size_t end = m_input.find("\r\n\r\n");
    if (end == std::string_view::npos) {
        if (m_input.size() > headLimit)
            throw MultipartError("multipart: the head of a part is too long");
        return false;
    }
    MediaType disposition;
    std::string_view head = m_input.substr(0, end);
    while (!head.empty()) {
        head.remove_prefix(2);
        std::size_t lineEnd = head.find("\r\n");
        const std::string_view line = head.substr(0, lineEnd);
        head = lineEnd == std::string_view::npos ? std::string_view() : head.substr(lineEnd);
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos)
            throw MultipartError("multipart: malformed head of a part");
        if (http::equalIgnoringCase(line.substr(0, colon), "Content-Disposition"))
            disposition = MediaType::parse(trim(line.substr(colon + 1)));
    }
    // Two of the four bytes stay: they may begin the next boundary when the part is empty.
    m_input.remove_prefix(end + 2);
    m_state = State::Data;
    m_sink.partBegin(disposition);
    m_skipLineEnd = true;
    return true;
}

bool MultipartParser::readData()
{
    if (m_skipLineEnd) {
        // Decide between an empty part (its boundary follows at once) and data.
        if (m_input.size() < m_delimiter.size() && m_delimiter.starts_with(m_input))
            return false;
        m_skipLineEnd = false;
        if (!m_input.starts_with(m_delimiter))
            m_input.remove_prefix(2);
    }
    const auto *found =
        static_cast<const char *>(::memmem(m_input.data(), m_input.size(), m_delimiter.data(), m_delimiter.size()));
    if (found != nullptr) {
        const auto size = static_cast<std::size_t>(found - m_input.data());
        if (size > 0)
            m_sink.partData(m_input.substr(0, size));
        m_input.remove_prefix(size + m_delimiter.size());
        m_state = State::AfterBoundary;
        m_sink.partEnd();
        return true;
    }
    // Everything but a tail that may be the beginning of a boundary.
    std::size_t tail = std::min(m_input.size(), m_delimiter.size() - 1);
    while (tail > 0 && !m_delimiter.starts_with(m_input.substr(m_input.size() - tail)))
        --tail;
    const std::size_t size = m_input.size() - tail;
    if (size > 0)
        m_sink.partData(m_input.substr(0, size));
    m_input.remove_prefix(size);
    return false;
}

void MultipartParser::finish() const
{
    if (m_state != State::Epilogue)
        throw MultipartError("multipart: NextPart: EOF");
}

} // namespace boxdeck::host::envd
