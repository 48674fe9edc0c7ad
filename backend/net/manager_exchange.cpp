// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/manager_exchange.h"

#include "backend/net/request_body.h"

#include <QNetworkAccessManager>
#include <QNetworkRequest>

namespace boxdeck::net {

ManagerExchange::ManagerExchange(Place place, HttpRequest request, QObject *parent)
    : HttpExchange(std::move(request), parent)
    , m_place(std::move(place))
{
}

ManagerExchange::~ManagerExchange()
{
    dropConnection();
}

QNetworkRequest ManagerExchange::networkRequest() const
{
    const HttpRequest &asked = HttpExchange::request();
    QUrl url = asked.url;
    QNetworkRequest result;
    if (asked.gateway) {
        // Without the sandbox's name in the TLS handshake too, it fails.
        result.setPeerVerifyName(url.host());
        url.setScheme(asked.gateway->tls ? QStringLiteral("https") : QStringLiteral("http"));
        url.setHost(asked.gateway->host);
        url.setPort(asked.gateway->effectivePort());
    }
    result.setUrl(url);
    if (m_place.tls)
        result.setSslConfiguration(*m_place.tls);
    result.setDecompressedSafetyCheckThreshold(asked.maxBody);
    for (const auto &[name, value] : outgoingHeaders())
        result.setRawHeader(name, value);
    result.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    result.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    result.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    result.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    result.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    result.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    result.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    return result;
}

void ManagerExchange::dispatch()
{
    const HttpRequest &asked = HttpExchange::request();
    QNetworkRequest outgoing = networkRequest();
    std::unique_ptr<QIODevice> device;
    if (asked.upload) {
        auto upload = std::make_unique<UploadBody>(*asked.upload, asked.mayRepeat);
        if (upload->sourceError()) {
            fail(*upload->sourceError());
            return;
        }
        m_upload = upload.get();
        // Queued: it is told from inside a read of the reply.
        connect(
            upload.get(), &UploadBody::broken, this,
            [this] {
                if (m_upload)
                    fail(*m_upload->sourceError());
            },
            Qt::QueuedConnection);
        outgoing.setHeader(QNetworkRequest::ContentLengthHeader, asked.upload->size);
        device = std::move(upload);
    } else if (!asked.mayRepeat && !asked.body.isEmpty()) {
        outgoing.setHeader(QNetworkRequest::ContentLengthHeader, asked.body.size());
        device = std::make_unique<OneShotBody>(asked.body);
    }
    if (device) {
        outgoing.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
        m_reply = m_place.manager.sendCustomRequest(outgoing, asked.method, device.get());
        device.release()->setParent(m_reply); // the reply reads it as long as it lives
    } else if (asked.body.isEmpty() && asked.method == "GET") {
        m_reply = m_place.manager.get(outgoing);
    } else {
        m_reply = m_place.manager.sendCustomRequest(outgoing, asked.method, asked.body);
    }
    watchReply();
}

void ManagerExchange::watchReply()
{
    constexpr qint64 defaultBuffer = 4 * 1024 * 1024;
    const qint64 wanted = HttpExchange::request().readBuffer;
    m_reply->setReadBufferSize(wanted > 0 ? wanted : defaultBuffer);
    connect(m_reply, &QNetworkReply::socketStartedConnecting, this, [this] { connecting(); });
    connect(m_reply, &QNetworkReply::requestSent, this, [this] { sent(); });
    connect(m_reply, &QNetworkReply::uploadProgress, this, [this](qint64 count, qint64 total) {
        if (count > 0)
            sentMore();
        if (HttpExchange::request().progress && total > 0)
            HttpExchange::request().progress(count, total);
    });
    connect(m_reply, &QNetworkReply::metaDataChanged, this, &ManagerExchange::onHead);
    connect(m_reply, &QNetworkReply::readyRead, this, [this] { bodyArrived(); });
    connect(m_reply, &QNetworkReply::finished, this, &ManagerExchange::onFinished);
}

void ManagerExchange::onHead()
{
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status >= 200)
        takeHead(status, m_reply->rawHeaderPairs());
}

void ManagerExchange::onFinished()
{
    const QPointer<ManagerExchange> self(this);
    if (!hasHead())
        onHead(); // an answer without a body may come with its end
    if (!self || !m_reply)
        return;
    const QNetworkReply::NetworkError code = m_reply->error();
    // Qt turns error statuses into errors of its own (200 and above); those are answers.
    const int status = responseHead().status;
    if (status != 0 && (code == QNetworkReply::NoError || (status >= 400 && code >= 200)))
        complete();
    else if (m_upload && m_upload->sourceError())
        fail(*m_upload->sourceError());
    else
        fail(transportError(code, m_reply->errorString()));
}

Error ManagerExchange::transportError(QNetworkReply::NetworkError code, const QString &message) const
{
    Error error = brokenConnection(QStringLiteral("network"), message);
    switch (code) {
    case QNetworkReply::ConnectionRefusedError:
        error.code = m_place.viaProxy ? QStringLiteral("proxy") : QStringLiteral("refused");
        error.delivery = Delivery::NotSent;
        break;
    case QNetworkReply::HostNotFoundError:
        error.code = QStringLiteral("host_not_found");
        break;
    case QNetworkReply::SslHandshakeFailedError:
        error.code = QStringLiteral("tls");
        break;
    case QNetworkReply::RemoteHostClosedError:
    case QNetworkReply::ContentReSendError: // the connection went away and the body can't be sent again
        error.code = QStringLiteral("closed");
        break;
    case QNetworkReply::TimeoutError:
    case QNetworkReply::ProxyTimeoutError:
        error.kind = ErrorKind::Timeout;
        error.code = QStringLiteral("connect_timeout");
        break;
    case QNetworkReply::ProxyConnectionRefusedError:
    case QNetworkReply::ProxyConnectionClosedError:
    case QNetworkReply::ProxyNotFoundError:
    case QNetworkReply::ProxyAuthenticationRequiredError:
    case QNetworkReply::UnknownProxyError:
        error.code = QStringLiteral("proxy");
        error.delivery = Delivery::NotSent;
        break;
    case QNetworkReply::ProtocolFailure:
    case QNetworkReply::ProtocolUnknownError:
    case QNetworkReply::UnknownContentError:
        error.kind = ErrorKind::Internal;
        error.code = QStringLiteral("bad_answer");
        break;
    default:
        break;
    }
    return error;
}

QByteArray ManagerExchange::readBody(qint64 max)
{
    return m_reply ? m_reply->read(max) : QByteArray();
}

qint64 ManagerExchange::bodyAvailable() const
{
    return m_reply ? m_reply->bytesAvailable() : 0;
}

bool ManagerExchange::isUploading() const
{
    return m_upload && !m_upload->atEnd();
}

void ManagerExchange::dropConnection()
{
    if (!m_reply)
        return;
    QNetworkReply *reply = m_reply.data();
    m_reply.clear();
    reply->disconnect(this);
    if (reply->isRunning() && reply->error() == QNetworkReply::NoError)
        reply->abort();
    reply->deleteLater();
}

} // namespace boxdeck::net
