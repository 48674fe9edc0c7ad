// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/envelope_decoder.h"

#include <QtEndian>

namespace boxdeck::net {

namespace {

constexpr qsizetype headerSize = 5;
constexpr quint8 compressedFlag = 0x01;
constexpr quint8 endFlag = 0x02;

} // namespace

QByteArray encodeEnvelope(const QByteArray &payload)
{
    QByteArray envelope(headerSize, '\0');
    qToBigEndian(static_cast<quint32>(payload.size()), envelope.data() + 1);
    return envelope + payload;
}

EnvelopeDecoder::EnvelopeDecoder(qint64 maxPayload)
    : m_maxPayload(maxPayload)
{
}

void EnvelopeDecoder::feed(const QByteArray &bytes)
{
    if (m_ended || m_error)
        return;
    if (m_offset > 0) {
        m_buffer.remove(0, m_offset);
        m_offset = 0;
    }
    m_buffer += bytes;
}

Result<std::optional<Envelope>> EnvelopeDecoder::next()
{
    const auto broken = [this](const QString &message) {
        m_error = Error{.kind = ErrorKind::Internal,
                        .delivery = Delivery::Unknown,
                        .code = QStringLiteral("bad_stream"),
                        .message = message};
        m_buffer.clear();
        m_offset = 0;
        return tl::unexpected(*m_error);
    };
    if (m_error)
        return tl::unexpected(*m_error);
    if (m_ended || buffered() < headerSize)
        return std::nullopt;
    const char *header = m_buffer.constData() + m_offset;
    const auto flags = static_cast<quint8>(header[0]);
    const auto length = static_cast<qint64>(qFromBigEndian<quint32>(header + 1));
    if (flags & ~(compressedFlag | endFlag))
        return broken(QStringLiteral("an envelope has unknown flags (%1)").arg(flags));
    if (flags & compressedFlag)
        return broken(QStringLiteral("an envelope is compressed though nobody asked for it"));
    if (length > m_maxPayload)
        return broken(QStringLiteral("an envelope of %1 bytes is too long").arg(length));
    if (buffered() < headerSize + length)
        return std::nullopt;
    Envelope envelope{.isEnd = (flags & endFlag) != 0,
                      .payload = m_buffer.mid(m_offset + headerSize, static_cast<qsizetype>(length))};
    m_offset += headerSize + static_cast<qsizetype>(length);
    if (envelope.isEnd) {
        m_ended = true;
        m_buffer.clear();
        m_offset = 0;
    }
    return envelope;
}

} // namespace boxdeck::net
