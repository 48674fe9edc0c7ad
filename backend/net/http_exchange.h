// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/net/byte_stream.h"

#include <QElapsedTimer>
#include <QTimer>

namespace boxdeck::net {

/// One request from sending to the last byte: what is the same whatever carries it. Time limits, redirects, refused
/// answers and the log are here; a subclass moves bytes.
class HttpExchange : public ByteStream
{
    Q_OBJECT

public:
    ~HttpExchange() override = default;

    QByteArray read(qint64 max) final;
    qint64 available() const final { return m_phase == Phase::Waiting ? 0 : bodyAvailable(); }
    void abort() final;

    /// For send(): a body that grows past `limit` bytes ends in failed().
    void limitBody(qint64 limit) { m_limit = limit; }

protected:
    /// Starts when control returns to the event loop.
    HttpExchange(HttpRequest request, QObject *parent);

    // What a subclass does.
    virtual void dispatch() = 0;                 ///< send request(); may call fail()
    virtual void dropConnection() = 0;           ///< let go; nothing may be reported afterwards
    virtual QByteArray readBody(qint64 max) = 0; ///< valid after the end, too
    virtual qint64 bodyAvailable() const = 0;
    virtual bool isUploading() const = 0;   ///< part of the request's body is still to be sent
    virtual bool decodesBodies() const = 0; ///< takes compressed answers apart

    // What a subclass reports. Each may end the exchange and, through a signal, even delete it: report last.
    void connecting();
    void sent();     ///< bytes of the request may have reached the server
    void sentMore(); ///< more of its body went out
    void takeHead(int status, const HeaderList &headers);
    void bodyArrived();
    void complete();
    void fail(Error error);

    const HttpRequest &request() const { return m_request; }
    /// Method, target and headers as they go out: our defaults, then the request's own.
    HeaderList outgoingHeaders() const;
    const HttpResponse &responseHead() const { return m_head; }
    bool hasHead() const { return m_head.status != 0; }
    bool isEnded() const { return m_phase == Phase::Ended; }
    Delivery delivery() const { return m_sent ? Delivery::Unknown : Delivery::NotSent; }
    Error brokenConnection(const QString &code, const QString &message) const;

private:
    enum class Phase { Waiting, Sending, Body, Refused, Ended };

    void start();
    std::optional<Error> refusal() const;
    void redirect(int status, const QByteArray &location);
    void refuse();
    void timeOut(const QString &code, const QString &message);
    void restartIdle();
    void finishTimers();
    void log(const QString &outcome) const;

    HttpRequest m_request;
    QTimer m_connect;
    QTimer m_firstByte;
    QTimer m_idle;
    QTimer m_total;
    QElapsedTimer m_age;
    Phase m_phase = Phase::Waiting;
    HttpResponse m_head; ///< with the start of the body if it is refused
    qint64 m_limit = 0;
    qint64 m_given = 0;
    int m_redirects = 0;
    bool m_sent = false;
};

} // namespace boxdeck::net
