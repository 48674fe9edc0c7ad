// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/response_parser.h"

#include <algorithm>
#include <cstring>

namespace boxdeck::net {

namespace {

constexpr qsizetype maxLine = 64 * 1024;
constexpr qint64 maxHead = 256 * 1024;

bool isTokenChar(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::strchr("!#$%&'*+-.^_`|~", c) != nullptr;
}

bool isDigits(const QByteArray &text)
{
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

ResponseParser::ResponseParser(const QByteArray &method)
    : m_method(method)
{
}

void ResponseParser::feed(const QByteArray &bytes)
{
    qsizetype at = 0;
    while (at < bytes.size() && (m_state == State::Head || m_state == State::Body)) {
        if (m_part == Part::Counted || m_part == Part::ChunkData || m_part == Part::UntilClose) {
            qint64 count = bytes.size() - at;
            if (m_part != Part::UntilClose)
                count = qMin(count, m_left);
            // The common case takes the whole buffer as it is, without a copy.
            give(at == 0 && count == bytes.size() ? bytes : bytes.mid(at, static_cast<qsizetype>(count)));
            at += static_cast<qsizetype>(count);
            m_left -= m_part == Part::UntilClose ? 0 : count;
            if (m_part == Part::Counted && m_left == 0)
                m_state = State::Done;
            else if (m_part == Part::ChunkData && m_left == 0)
                m_part = Part::ChunkEnd;
            continue;
        }
        at += feedLine(bytes.constData() + at, bytes.size() - at, maxLine);
        if (m_lineComplete)
            takeLine();
    }
    if (m_state == State::Done && at < bytes.size())
        m_keep = false; // it said more than it should
}

qsizetype ResponseParser::feedLine(const char *bytes, qsizetype size, qsizetype limit)
{
    const auto *end = static_cast<const char *>(std::memchr(bytes, '\n', static_cast<size_t>(size)));
    const qsizetype count = end ? end - bytes + 1 : size;
    m_headSize += count;
    if (m_line.size() + count > limit || (m_state == State::Head && m_headSize > maxHead)) {
        broken();
        return size;
    }
    m_line.append(bytes, count);
    m_lineComplete = end != nullptr;
    return count;
}

void ResponseParser::takeLine()
{
    QByteArray line = std::exchange(m_line, {});
    m_lineComplete = false;
    line.chop(1);
    if (line.endsWith('\r'))
        line.chop(1);
    switch (m_part) {
    case Part::Head:
        takeHeadLine(line);
        break;
    case Part::ChunkSize:
        takeChunkSize(line);
        break;
    case Part::ChunkEnd:
        if (line.isEmpty())
            m_part = Part::ChunkSize;
        else
            broken();
        break;
    case Part::Trailer:
        if (line.isEmpty())
            m_state = State::Done;
        break;
    case Part::Counted:
    case Part::ChunkData:
    case Part::UntilClose:
        break;
    }
}

void ResponseParser::takeHeadLine(const QByteArray &line)
{
    if (m_head.status == 0) {
        const bool shaped = line.size() >= 12 && line.startsWith("HTTP/1.") && line[8] == ' ' &&
                            isDigits(line.mid(9, 3)) && (line.size() == 12 || line[12] == ' ');
        if (!shaped) {
            broken();
            return;
        }
        m_keep = line[7] != '0';
        m_head.status = line.mid(9, 3).toInt();
        if (m_head.status < 100)
            broken();
        return;
    }
    if (line.isEmpty()) {
        beginBody();
        return;
    }
    const qsizetype colon = line.indexOf(':');
    if (colon <= 0 || !std::all_of(line.begin(), line.begin() + colon, isTokenChar) || line.contains('\0')) {
        broken();
        return;
    }
    m_head.headers.emplace_back(line.left(colon), line.mid(colon + 1).trimmed());
}

void ResponseParser::beginBody()
{
    const int status = m_head.status;
    if (status < 200) {
        m_head = {}; // 100 Continue and the like: the answer follows
        if (status == 101)
            broken(); // nobody asked for another protocol
        return;
    }
    QByteArray length;
    bool chunked = false;
    for (const auto &[name, value] : m_head.headers) {
        if (name.compare("Content-Length", Qt::CaseInsensitive) == 0) {
            if (!isDigits(value) || (!length.isEmpty() && length != value)) {
                broken();
                return;
            }
            length = value;
        } else if (name.compare("Transfer-Encoding", Qt::CaseInsensitive) == 0) {
            if (value.compare("chunked", Qt::CaseInsensitive) != 0) {
                broken();
                return;
            }
            chunked = true;
        } else if (name.compare("Connection", Qt::CaseInsensitive) == 0 && value.toLower().contains("close")) {
            m_keep = false;
        }
    }
    m_state = State::Body;
    if (m_method == "HEAD" || status == 204 || status == 304) {
        m_state = State::Done;
    } else if (chunked) {
        m_part = Part::ChunkSize;
        m_keep = m_keep && length.isEmpty(); // both at once is how requests are smuggled
    } else if (!length.isEmpty()) {
        bool fits = false;
        m_left = length.toLongLong(&fits);
        m_part = Part::Counted;
        if (!fits)
            broken();
        else if (m_left == 0)
            m_state = State::Done;
    } else {
        m_part = Part::UntilClose;
        m_keep = false;
    }
}

void ResponseParser::takeChunkSize(const QByteArray &line)
{
    const qsizetype semicolon = line.indexOf(';');
    const QByteArray digits = (semicolon < 0 ? line : line.left(semicolon)).trimmed();
    bool ok = false;
    const qint64 size = digits.toLongLong(&ok, 16);
    if (!ok || size < 0 || digits.size() > 15 || digits.startsWith('+') || digits.startsWith("0x")) {
        broken();
        return;
    }
    m_left = size;
    m_part = size == 0 ? Part::Trailer : Part::ChunkData;
}

void ResponseParser::close()
{
    if (m_state == State::Body && m_part == Part::UntilClose)
        m_state = State::Done;
}

void ResponseParser::give(const QByteArray &bytes)
{
    if (bytes.isEmpty())
        return;
    m_body.push_back(bytes);
    m_available += bytes.size();
}

QByteArray ResponseParser::read(qint64 max)
{
    QByteArray out;
    while (!m_body.empty() && out.size() < max) {
        QByteArray &first = m_body.front();
        const qint64 room = max - out.size();
        if (first.size() <= room) {
            out = out.isEmpty() ? std::move(first) : out + first;
            m_body.pop_front();
        } else {
            out += first.left(static_cast<qsizetype>(room));
            first.remove(0, static_cast<qsizetype>(room));
        }
    }
    m_available -= out.size();
    return out;
}

void ResponseParser::broken()
{
    m_state = State::Broken;
    m_keep = false;
}

} // namespace boxdeck::net
