// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/net/byte_stream.h"

#include <QElapsedTimer>
#include <QNetworkReply>
#include <QPointer>
#include <QSslConfiguration>
#include <QTimer>

class QNetworkAccessManager;
class QNetworkRequest;

namespace boxdeck::net {

class UploadBody;

/// Where an exchange runs.
struct ExchangePlace
{
    QNetworkAccessManager &manager;
    std::shared_ptr<void> slot; ///< held until the exchange ends, then given back
    std::optional<QSslConfiguration> tls;
    bool viaProxy = false;
};

/// One request on one manager, from sending to the last byte: limits, redirects and errors in one place.
class HttpExchange final : public ByteStream
{
    Q_OBJECT

public:
    /// Starts when control returns to the event loop.
    HttpExchange(ExchangePlace place, HttpRequest request, QObject *parent = nullptr);
    ~HttpExchange() override;

    QByteArray read(qint64 max) override;
    qint64 available() const override;
    void abort() override;

    /// For send(): a body that grows past `limit` bytes ends in failed().
    void limitBody(qint64 limit) { m_limit = limit; }

private:
    enum class Phase { Waiting, Sending, Body, Refused, Ended };

    void start();
    std::optional<Error> refusal() const;
    QNetworkRequest networkRequest() const;
    QNetworkReply *dispatch(const QNetworkRequest &request);
    void watchReply();
    void onHead();
    void onReadyRead();
    void onFinished();
    bool redirect(int status);
    void succeed();
    void refuse();
    void fail(Error error);
    void timeOut(const QString &code, const QString &message);
    Error transportError(QNetworkReply::NetworkError code, const QString &message) const;
    Delivery delivery() const { return m_sent ? Delivery::Unknown : Delivery::NotSent; }
    void restartIdle();
    void stopTimers();
    void dropReply();
    void log(const QString &outcome) const;

    ExchangePlace m_place;
    HttpRequest m_request;
    QPointer<QNetworkReply> m_reply;
    QPointer<UploadBody> m_upload;
    QTimer m_connect;
    QTimer m_firstByte;
    QTimer m_idle;
    QTimer m_total;
    QElapsedTimer m_age;
    Phase m_phase = Phase::Waiting;
    HttpResponse m_head;
    qint64 m_limit = 0;
    qint64 m_given = 0;
    int m_redirects = 0;
    bool m_sent = false;
};

} // namespace boxdeck::net
