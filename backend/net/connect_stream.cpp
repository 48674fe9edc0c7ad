// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/connect_stream.h"

#include "backend/net/connect_error.h"

#include <QJsonDocument>
#include <QPointer>

namespace boxdeck::net {

namespace {

constexpr qint64 readSize = 256 * 1024;

bool isSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

Error unsaidEnd()
{
    return {.kind = ErrorKind::Unavailable,
            .delivery = Delivery::Unknown,
            .code = QStringLiteral("closed"),
            .message = QStringLiteral("the stream ended without saying so")};
}

} // namespace

Result<QByteArray> messageOfStream(const QByteArray &body)
{
    if (body.trimmed().startsWith('{')) { // one plain JSON message (protocol/compat.md 3.18)
        const QJsonObject object = QJsonDocument::fromJson(body).object();
        if (object.contains(QLatin1String("code")))
            return tl::unexpected(connectErrorOf(object));
        return body;
    }
    EnvelopeDecoder decoder;
    decoder.feed(body);
    QByteArray message;
    while (true) {
        const auto envelope = decoder.next();
        if (!envelope)
            return tl::unexpected(envelope.error());
        if (!*envelope)
            return tl::unexpected(unsaidEnd());
        if (!(*envelope)->isEnd) {
            message = (*envelope)->payload;
            continue;
        }
        if (auto error = endOfStreamError((*envelope)->payload))
            return tl::unexpected(std::move(*error));
        return message;
    }
}

ConnectStream::ConnectStream(std::unique_ptr<ByteStream> bytes, std::chrono::milliseconds silence)
    : m_bytes(std::move(bytes))
{
    m_silence.setSingleShot(true);
    m_silence.setInterval(silence);
    connect(&m_silence, &QTimer::timeout, this, [this] {
        end(StreamEnd::Kind::BrokenOff, {.kind = ErrorKind::Timeout,
                                         .delivery = Delivery::Unknown,
                                         .code = QStringLiteral("silent"),
                                         .message = QStringLiteral("the connection went silent")});
    });
    connect(m_bytes.get(), &ByteStream::head, this, &ConnectStream::onHead);
    connect(m_bytes.get(), &ByteStream::readyRead, this, &ConnectStream::drain);
    connect(m_bytes.get(), &ByteStream::finished, this, &ConnectStream::onFinished);
    connect(m_bytes.get(), &ByteStream::failed, this, [this](const Error &error) {
        // With a status the server refused; without one, or in the middle of the body, the connection is what failed.
        const bool refused = error.delivery == Delivery::Answered && error.httpStatus != 0;
        end(refused ? StreamEnd::Kind::Failed : StreamEnd::Kind::BrokenOff, error);
    });
}

ConnectStream::~ConnectStream()
{
    close();
}

void ConnectStream::setSilenceLimit(std::chrono::milliseconds silence)
{
    m_silence.setInterval(silence);
    if (m_started)
        restartSilence();
}

void ConnectStream::pause()
{
    m_paused = true;
    m_silence.stop();
}

void ConnectStream::resume()
{
    if (!m_paused)
        return;
    m_paused = false;
    restartSilence();
    // Queued: the caller may be inside a handler of message().
    QMetaObject::invokeMethod(this, &ConnectStream::drain, Qt::QueuedConnection);
}

void ConnectStream::close()
{
    if (m_closed)
        return;
    m_closed = true;
    m_silence.stop();
    m_bytes->disconnect(this);
    m_bytes->abort();
}

void ConnectStream::onHead(int, const HeaderList &)
{
    restartSilence();
}

void ConnectStream::onFinished()
{
    m_complete = true;
    drain();
}

void ConnectStream::drain()
{
    if (m_draining)
        return;
    m_draining = true;
    const QPointer<ConnectStream> self(this);
    while (!m_closed && !m_paused) {
        const auto envelope = m_decoder.next();
        if (!envelope) {
            end(StreamEnd::Kind::BrokenOff, envelope.error());
            return; // closed for good, or gone
        }
        if (*envelope) {
            if ((*envelope)->isEnd)
                takeEnd((*envelope)->payload);
            else
                Q_EMIT message((*envelope)->payload);
            if (!self)
                return;
            continue;
        }
        const QByteArray bytes = m_bytes->read(readSize);
        if (bytes.isEmpty())
            break;
        restartSilence();
        if (!m_started) {
            const auto *first = std::find_if_not(bytes.begin(), bytes.end(), isSpace);
            if (first == bytes.end())
                continue;
            m_started = true;
            // Some servers answer with one plain JSON message instead of envelopes (protocol/compat.md 3.18).
            m_isPlain = *first == '{';
        }
        if (m_isPlain)
            m_plain += bytes;
        else
            m_decoder.feed(bytes);
        if (m_plain.size() > EnvelopeDecoder::defaultMaxPayload)
            end(StreamEnd::Kind::BrokenOff, {.kind = ErrorKind::Internal,
                                             .delivery = Delivery::Unknown,
                                             .code = QStringLiteral("bad_stream"),
                                             .message = QStringLiteral("the answer is too long")});
        if (!self)
            return;
    }
    m_draining = false;
    if (m_complete && !m_closed && !m_paused && m_bytes->available() == 0) {
        if (m_isPlain) {
            takePlain();
            return;
        }
        end(StreamEnd::Kind::BrokenOff, unsaidEnd());
    }
}

void ConnectStream::takePlain()
{
    const QJsonObject object = QJsonDocument::fromJson(m_plain).object();
    if (object.contains(QLatin1String("code")) && !object.contains(QLatin1String("event"))) {
        end(StreamEnd::Kind::Failed, connectErrorOf(object));
        return;
    }
    const QPointer<ConnectStream> self(this);
    Q_EMIT message(std::exchange(m_plain, {}));
    if (self)
        end(StreamEnd::Kind::Finished);
}

void ConnectStream::takeEnd(const QByteArray &payload)
{
    if (auto error = endOfStreamError(payload))
        end(StreamEnd::Kind::Failed, std::move(*error));
    else
        end(StreamEnd::Kind::Finished);
}

void ConnectStream::end(StreamEnd::Kind kind, Error error)
{
    if (m_closed)
        return;
    close();
    Q_EMIT ended({.kind = kind, .error = std::move(error)});
}

void ConnectStream::restartSilence()
{
    if (m_silence.intervalAsDuration().count() > 0 && !m_paused && !m_closed)
        m_silence.start();
}

} // namespace boxdeck::net
