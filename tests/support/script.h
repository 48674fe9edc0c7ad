// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/net/http_request.h"

#include <QByteArray>
#include <QList>

namespace boxdeck::test {

/// What the server does to one request, step by step. Without close() or reset() at its end the connection is kept.
class Script
{
public:
    /// A whole, well-formed answer.
    static Script answer(int status, const QByteArray &body = {}, const net::HeaderList &headers = {});
    /// The head of a chunked answer; go on with chunk() and lastChunk().
    static Script chunked(int status = 200, const net::HeaderList &headers = {});

    Script &send(const QByteArray &bytes); ///< as they are
    Script &chunk(const QByteArray &bytes);
    Script &lastChunk();
    Script &wait(int milliseconds);
    Script &repeat(const QByteArray &bytes, int times, int milliseconds); ///< sends, waits, and so on
    Script &stall();     ///< for ever, with the socket open and nothing read
    Script &halfClose(); ///< no more from here; what comes is read, for ever
    Script &close();
    Script &reset(); ///< with RST

    struct Step
    {
        enum class Kind { Send, Wait, Stall, Drain, HalfClose, Close, Reset } kind;
        QByteArray bytes;
        int milliseconds = 0;
    };
    const QList<Step> &steps() const { return m_steps; }

private:
    QList<Step> m_steps;
};

} // namespace boxdeck::test
