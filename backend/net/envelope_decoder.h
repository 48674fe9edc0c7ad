// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QByteArray>

#include <optional>

namespace boxdeck::net {

/// One envelope of a Connect stream (protocol/envd.md section 8.4).
struct Envelope
{
    bool isEnd = false;
    QByteArray payload;

    bool operator==(const Envelope &) const = default;
};

/// Wraps one message.
QByteArray encodeEnvelope(const QByteArray &payload);

/// Cuts a byte stream into envelopes. Pure: no I/O, no time. Memory is bounded by `maxPayload` plus what was fed.
/// The end envelope is the last: what follows it is ignored.
class EnvelopeDecoder
{
public:
    static constexpr qint64 defaultMaxPayload = 64 * 1024 * 1024;

    explicit EnvelopeDecoder(qint64 maxPayload = defaultMaxPayload);

    void feed(const QByteArray &bytes);

    /// The next whole envelope, nothing if more bytes are needed, or Internal (code "bad_stream") if the stream can't
    /// be read: too long, compressed though nobody asked (protocol/compat.md 3.31), unknown flags. An error repeats.
    Result<std::optional<Envelope>> next();

    bool atEnd() const { return m_ended; }           ///< the end envelope was given out
    bool isEmpty() const { return buffered() == 0; } ///< nothing held back
    qint64 buffered() const { return m_buffer.size() - m_offset; }

private:
    qint64 m_maxPayload;
    QByteArray m_buffer;
    qsizetype m_offset = 0;
    bool m_ended = false;
    std::optional<Error> m_error;
};

} // namespace boxdeck::net
