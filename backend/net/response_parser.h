// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/net/http_request.h"

#include <QByteArray>

#include <deque>

namespace boxdeck::net {

/// Reads one HTTP/1.1 answer from bytes, however they are cut. Pure and strict: what is not plainly right is broken.
/// It knows for certain whether a body came to its end, which decides if a download is whole.
class ResponseParser
{
public:
    enum class State {
        Head,   ///< waiting for the status and headers
        Body,   ///< head() is there
        Done,   ///< the last byte has come; what follows belongs to another answer
        Broken, ///< not HTTP
    };

    /// `method` decides if the answer has a body.
    explicit ResponseParser(const QByteArray &method);

    void feed(const QByteArray &bytes);
    /// The peer will send no more. Done if that is how this answer ends, else the state stays and the answer was cut.
    void close();

    State state() const { return m_state; }
    const HttpResponse &head() const { return m_head; } ///< from Body on; its body stays empty
    bool mayKeepConnection() const { return m_keep && m_state == State::Done && m_line.isEmpty(); }

    qint64 available() const { return m_available; }
    QByteArray read(qint64 max);

private:
    enum class Part { Head, Counted, UntilClose, ChunkSize, ChunkData, ChunkEnd, Trailer };

    qsizetype feedLine(const char *bytes, qsizetype size, qsizetype limit);
    void takeLine();
    void takeHeadLine(const QByteArray &line);
    void takeChunkSize(const QByteArray &line);
    void beginBody();
    void give(const QByteArray &bytes);
    void broken();

    QByteArray m_method;
    State m_state = State::Head;
    Part m_part = Part::Head;
    HttpResponse m_head;
    QByteArray m_line;
    bool m_lineComplete = false;
    qint64 m_headSize = 0;
    qint64 m_left = 0; ///< of the body or the chunk
    std::deque<QByteArray> m_body;
    qint64 m_available = 0;
    bool m_keep = true;
};

} // namespace boxdeck::net
