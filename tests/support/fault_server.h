// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/script.h"

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QList>
#include <QUrl>

#include <functional>
#include <memory>

namespace boxdeck::test {

/// What one request was, byte for byte.
struct RecordedRequest
{
    QByteArray method;
    QByteArray target; ///< as on the request line
    net::HeaderList headers;
    QByteArray body;    ///< chunks joined
    int connection = 0; ///< which TCP connection it came on, from 0

    QByteArray header(const QByteArray &name) const { return net::headerValue(headers, name); }
    QByteArray path() const { return target.left(target.indexOf('?') < 0 ? target.size() : target.indexOf('?')); }
    QByteArray query() const { return target.indexOf('?') < 0 ? QByteArray() : target.mid(target.indexOf('?') + 1); }
};

/// What a request with a JSON body asks for.
inline QJsonObject jsonBody(const RecordedRequest &request)
{
    return QJsonDocument::fromJson(request.body).object();
}

/// A real HTTP/1.1 server on 127.0.0.1 that does to its clients what a real one can't be asked for. Runs on threads of
/// its own, so that a client under test may block or stop reading.
class FaultServer
{
public:
    /// Runs on a connection's thread, for each request in turn; `nth` counts all requests from 0.
    using Handler = std::function<Script(const RecordedRequest &request, int nth)>;

    explicit FaultServer(Handler handler);
    /// The same script for every request.
    explicit FaultServer(const Script &script);
    ~FaultServer();
    FaultServer(const FaultServer &) = delete;
    FaultServer &operator=(const FaultServer &) = delete;

    quint16 port() const;
    QUrl url(const QByteArray &pathAndQuery = "/") const;
    QByteArray authority() const; ///< 127.0.0.1:port

    QList<RecordedRequest> requests() const; ///< so far
    int requestCount() const;
    int connectionCount() const; ///< ever opened
    int openConnections() const;
    /// Stops reading request bodies after so many bytes; -1: reads on.
    void stopReadingBodiesAfter(qint64 bytes);
    /// Plays its script as soon as a request's head is there, as a server does that refuses a body; then closes with
    /// the rest unread. Such requests are recorded without their body.
    void answerBeforeBodies();
    /// The same once `bytes` of a request's body are there, if it has more. 0: off.
    void answerInBodiesAfter(qint64 bytes);
    /// Reads request bodies in steps of `bytes` with pauses; 0 ms: as fast as possible.
    void paceBodies(qint64 bytes, int milliseconds);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace boxdeck::test
