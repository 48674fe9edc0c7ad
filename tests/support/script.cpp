// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/script.h"

namespace boxdeck::test {

Script Script::answer(int status, const QByteArray &body, const net::HeaderList &headers)
{
    QByteArray bytes = "HTTP/1.1 " + QByteArray::number(status) + " Scripted\r\n";
    for (const auto &[name, value] : headers)
        bytes += name + ": " + value + "\r\n";
    if (status != 204 && net::headerValue(headers, "Content-Length").isEmpty())
        bytes += "Content-Length: " + QByteArray::number(body.size()) + "\r\n";
    Script script;
    script.send(bytes + "\r\n" + body);
    return script;
}

Script Script::chunked(int status, const net::HeaderList &headers)
{
    QByteArray bytes = "HTTP/1.1 " + QByteArray::number(status) + " Scripted\r\nTransfer-Encoding: chunked\r\n";
    for (const auto &[name, value] : headers)
        bytes += name + ": " + value + "\r\n";
    Script script;
    script.send(bytes + "\r\n");
    return script;
}

Script &Script::send(const QByteArray &bytes)
{
    m_steps.append({Step::Kind::Send, bytes, 0});
    return *this;
}

Script &Script::chunk(const QByteArray &bytes)
{
    return send(QByteArray::number(bytes.size(), 16) + "\r\n" + bytes + "\r\n");
}

Script &Script::lastChunk()
{
    return send("0\r\n\r\n");
}

Script &Script::wait(int milliseconds)
{
    m_steps.append({Step::Kind::Wait, {}, milliseconds});
    return *this;
}

Script &Script::repeat(const QByteArray &bytes, int times, int milliseconds)
{
    for (int i = 0; i < times; ++i)
        send(bytes).wait(milliseconds);
    return *this;
}

Script &Script::stall()
{
    m_steps.append({Step::Kind::Stall, {}, 0});
    return *this;
}

Script &Script::halfClose()
{
    m_steps.append({Step::Kind::HalfClose, {}, 0});
    m_steps.append({Step::Kind::Drain, {}, 0});
    return *this;
}

Script &Script::close()
{
    m_steps.append({Step::Kind::Close, {}, 0});
    return *this;
}

Script &Script::reset()
{
    m_steps.append({Step::Kind::Reset, {}, 0});
    return *this;
}

} // namespace boxdeck::test
