// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/net/byte_stream.h"
#include "backend/net/envelope_decoder.h"

#include <QTimer>

#include <chrono>

namespace boxdeck::net {

/// How a stream ended. What a process did is told by its own end event, which counts however the stream ends.
struct StreamEnd
{
    enum class Kind {
        Finished,  ///< the server said that this is the end
        Failed,    ///< the server said why it can't go on
        BrokenOff, ///< the connection went away; what it carried may go on
    };

    Kind kind = Kind::Finished;
    Error error; ///< empty when Finished

    bool operator==(const StreamEnd &) const = default;
};

/// The one message of a client stream's answer, which must end as a stream does. Empty if there was none. Errors: what
/// the end envelope says; Unavailable, code "closed", if there is no end envelope.
Result<QByteArray> messageOfStream(const QByteArray &body);

/// A server stream of the Connect protocol with JSON messages. Ends once, and only an end envelope is Finished. After
/// close() returns, or when it is deleted, nothing is emitted.
class ConnectStream : public QObject
{
    Q_OBJECT

public:
    /// `silence`: how long nothing at all may arrive before the connection counts as lost; 0 = for ever. Time spent
    /// paused does not count.
    explicit ConnectStream(std::unique_ptr<ByteStream> bytes, std::chrono::milliseconds silence = {});
    ~ConnectStream() override;

    /// Starts watching for silence, e.g. once the server has shown that it sends keepalives.
    void setSilenceLimit(std::chrono::milliseconds silence);

    /// Stops taking messages: buffers fill up and the server has to wait.
    void pause();
    void resume();
    bool isPaused() const { return m_paused; }
    /// Drops the connection. The server may go on with what it was doing.
    void close();

Q_SIGNALS:
    void message(const QByteArray &json);
    void ended(const boxdeck::net::StreamEnd &end);

private:
    void onHead(int status, const HeaderList &headers);
    void onFinished();
    void drain();
    void takePlain();
    void takeEnd(const QByteArray &payload);
    void end(StreamEnd::Kind kind, Error error = {});
    void restartSilence();

    std::unique_ptr<ByteStream> m_bytes;
    EnvelopeDecoder m_decoder;
    QByteArray m_plain;
    QTimer m_silence;
    bool m_isPlain = false;
    bool m_started = false;
    bool m_complete = false;
    bool m_paused = false;
    bool m_draining = false;
    bool m_closed = false;
};

} // namespace boxdeck::net
