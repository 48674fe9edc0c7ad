// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/net/http_exchange.h"

#include <QNetworkReply>
#include <QPointer>
#include <QSslConfiguration>

class QNetworkAccessManager;
class QNetworkRequest;

namespace boxdeck::net {

class UploadBody;

/// An exchange on a QNetworkAccessManager: short calls, kept connections, compressed answers.
class ManagerExchange final : public HttpExchange
{
    Q_OBJECT

public:
    struct Place
    {
        QNetworkAccessManager &manager;
        std::optional<QSslConfiguration> tls;
        bool viaProxy = false;
    };

    ManagerExchange(Place place, HttpRequest request, QObject *parent = nullptr);
    ~ManagerExchange() override;

protected:
    void dispatch() override;
    void dropConnection() override;
    QByteArray readBody(qint64 max) override;
    qint64 bodyAvailable() const override;
    bool isUploading() const override;
    bool decodesBodies() const override { return true; }

private:
    QNetworkRequest networkRequest() const;
    void watchReply();
    void onHead();
    void onFinished();
    Error transportError(QNetworkReply::NetworkError code, const QString &message) const;

    Place m_place;
    QPointer<QNetworkReply> m_reply;
    QPointer<UploadBody> m_upload;
};

} // namespace boxdeck::net
