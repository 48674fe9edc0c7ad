// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/net/http_exchange.h"
#include "backend/net/response_parser.h"
#include "backend/net/spare_descriptor.h"

#include <QAbstractSocket>
#include <QNetworkProxy>
#include <QPointer>
#include <QSslConfiguration>

#include <memory>

namespace boxdeck::net {

class IdleSockets;
class UploadBody;

/// An exchange on a socket of its own: file contents and streams.
///
/// Measured with Qt 6.4: of 40 chunked answers longer than setReadBufferSize() whose peer closed between two chunks,
/// QNetworkAccessManager left 33 open for ever, and of 40 unbounded ones it called 19 complete. A terminal must notice
/// that its host is gone, and a download that it was cut. Here the bound, the end and the number of connections are
/// ours, and nothing is ever sent twice but a repeatable request whose kept connection turned out to be dead.
class SocketExchange final : public HttpExchange
{
    Q_OBJECT

public:
    struct Place
    {
        QPointer<IdleSockets> idle;
        QNetworkProxy proxy{QNetworkProxy::NoProxy};
        std::optional<QSslConfiguration> tls;
    };

    SocketExchange(Place place, HttpRequest request, QObject *parent = nullptr);
    ~SocketExchange() override;

protected:
    void dispatch() override;
    void dropConnection() override;
    QByteArray readBody(qint64 max) override;
    qint64 bodyAvailable() const override;
    bool isUploading() const override;
    bool decodesBodies() const override { return false; }

private:
    struct Route
    {
        QString host;
        quint16 port = 0;
        bool tls = false;
        QString peerName;          ///< for the certificate
        bool absoluteForm = false; ///< a plain proxy takes the whole URL
        QString key;               ///< what a kept connection must match
    };

    Route route() const;
    void openConnection(bool fresh);
    void attach();
    void sendHead();
    void pumpUpload();
    void pumpAnswer();
    void onClosed();
    void onError(QAbstractSocket::SocketError code);
    void finishAnswer();
    bool startAgain();
    bool answeredBeforeItBroke();
    qint64 unsent() const;

    Place m_place;
    Route m_route;
    std::unique_ptr<QAbstractSocket> m_socket;
    std::unique_ptr<UploadBody> m_upload;
    std::unique_ptr<ResponseParser> m_parser;
    SpareDescriptor m_spare; ///< while a body is sent
    QByteArray m_chunk;      ///< kept to read uploads into
    qint64 m_bufferLimit = 0;
    bool m_reused = false;
    bool m_headSent = false;
    bool m_gotBytes = false;
    bool m_peerClosed = false;
    bool m_pumping = false;
};

} // namespace boxdeck::net
