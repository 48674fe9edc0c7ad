// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/socket_exchange.h"

#include "backend/net/idle_sockets.h"
#include "backend/net/request_body.h"

#include <QSslSocket>

namespace boxdeck::net {

namespace {

constexpr qint64 socketBuffer = 512 * 1024;
constexpr qint64 uploadStep = 256 * 1024;
constexpr qint64 uploadWindow = 1024 * 1024; ///< bytes of a body held between its source and the socket
constexpr qint64 readStep = 512 * 1024;

QByteArray hostOf(const QUrl &url)
{
    QString host = url.host(QUrl::FullyEncoded);
    if (host.contains(QLatin1Char(':')))
        host = QLatin1Char('[') + host + QLatin1Char(']');
    return (url.port() > 0 ? host + QLatin1Char(':') + QString::number(url.port()) : host).toLatin1();
}

} // namespace

SocketExchange::SocketExchange(Place place, HttpRequest request, QObject *parent)
    : HttpExchange(std::move(request), parent)
    , m_place(std::move(place))
{
    constexpr qint64 bulkBuffer = 4 * 1024 * 1024;
    constexpr qint64 streamBuffer = 1024 * 1024;
    const HttpRequest &asked = HttpExchange::request();
    m_bufferLimit = asked.readBuffer > 0 ? asked.readBuffer : asked.lane == Lane::Stream ? streamBuffer : bulkBuffer;
}

SocketExchange::~SocketExchange()
{
    dropConnection();
}

SocketExchange::Route SocketExchange::route() const
{
    const HttpRequest &asked = request();
    Route result;
    result.tls = asked.url.scheme() == QLatin1String("https");
    result.host = asked.url.host();
    result.port = static_cast<quint16>(asked.url.port(result.tls ? 443 : 80));
    result.peerName = asked.url.host();
    if (asked.gateway) {
        result.host = asked.gateway->host;
        result.port = asked.gateway->effectivePort();
        result.tls = asked.gateway->tls;
    } else if (!result.tls && m_place.proxy.type() == QNetworkProxy::HttpProxy) {
        result.host = m_place.proxy.hostName();
        result.port = m_place.proxy.port();
        result.absoluteForm = true;
    }
    result.key = QStringLiteral("%1 %2 %3 %4")
                     .arg(result.tls ? QStringLiteral("tls") : QStringLiteral("tcp"), result.host,
                          QString::number(result.port), result.tls ? result.peerName : QString());
    return result;
}

void SocketExchange::dispatch()
{
    const HttpRequest &asked = request();
    m_route = route();
    m_upload.reset();
    if (asked.upload) {
        m_upload = std::make_unique<UploadBody>(*asked.upload, asked.mayRepeat);
        if (m_upload->sourceError()) {
            fail(*m_upload->sourceError());
            return;
        }
        connect(m_upload.get(), &QIODevice::readyRead, this, &SocketExchange::pumpUpload);
    }
    openConnection(false);
}

void SocketExchange::openConnection(bool fresh)
{
    m_parser = std::make_unique<ResponseParser>(request().method);
    m_headSent = false;
    m_gotBytes = false;
    m_peerClosed = false;
    m_reused = false;
    // A kept connection may be dead without our knowing yet, so what must not repeat gets one of its own.
    if (!fresh && request().mayRepeat && m_place.idle)
        m_socket = m_place.idle->take(m_route.key);
    if (m_socket) {
        m_reused = true;
        attach();
        sendHead();
        return;
    }
    std::unique_ptr<QSslSocket> secure;
    if (m_route.tls) {
        secure = std::make_unique<QSslSocket>();
        if (m_place.tls)
            secure->setSslConfiguration(*m_place.tls);
        QSslSocket *raw = secure.get();
        m_socket = std::move(secure);
        attach();
        connect(raw, &QSslSocket::encrypted, this, &SocketExchange::sendHead);
        connect(raw, &QSslSocket::encryptedBytesWritten, this, &SocketExchange::pumpUpload);
    } else {
        m_socket = std::make_unique<QTcpSocket>();
        attach();
        connect(m_socket.get(), &QAbstractSocket::connected, this, &SocketExchange::sendHead);
    }
    m_socket->setProxy(m_route.absoluteForm || request().gateway ? QNetworkProxy(QNetworkProxy::NoProxy)
                                                                 : m_place.proxy);
    connecting();
    if (m_route.tls)
        static_cast<QSslSocket *>(m_socket.get())->connectToHostEncrypted(m_route.host, m_route.port, m_route.peerName);
    else
        m_socket->connectToHost(m_route.host, m_route.port);
}

void SocketExchange::attach()
{
    m_socket->setReadBufferSize(socketBuffer);
    connect(m_socket.get(), &QIODevice::readyRead, this, &SocketExchange::pumpAnswer);
    connect(m_socket.get(), &QIODevice::bytesWritten, this, &SocketExchange::pumpUpload);
    connect(m_socket.get(), &QAbstractSocket::errorOccurred, this, &SocketExchange::onError);
    connect(m_socket.get(), &QAbstractSocket::disconnected, this, &SocketExchange::onClosed);
}

void SocketExchange::sendHead()
{
    m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    m_socket->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
    const HttpRequest &asked = request();
    QByteArray target = asked.url.path(QUrl::FullyEncoded).toLatin1();
    if (target.isEmpty())
        target = "/";
    if (asked.url.hasQuery())
        target += '?' + asked.url.query(QUrl::FullyEncoded).toLatin1();
    if (m_route.absoluteForm)
        target = "http://" + hostOf(asked.url) + target;
    QByteArray bytes = asked.method + ' ' + target + " HTTP/1.1\r\n";
    const HeaderList headers = outgoingHeaders();
    if (headerValue(headers, "Host").isEmpty())
        bytes += "Host: " + hostOf(asked.url) + "\r\n";
    for (const auto &[name, value] : headers)
        bytes += name + ": " + value + "\r\n";
    if (m_route.absoluteForm && !m_place.proxy.user().isEmpty())
        bytes += "Proxy-Authorization: Basic " +
                 (m_place.proxy.user() + QLatin1Char(':') + m_place.proxy.password()).toUtf8().toBase64() + "\r\n";
    if (m_upload || !asked.body.isEmpty() || asked.method == "POST" || asked.method == "PUT")
        bytes +=
            "Content-Length: " + QByteArray::number(m_upload ? m_upload->size() : qint64(asked.body.size())) + "\r\n";
    bytes += "\r\n";
    if (!m_upload)
        bytes += asked.body;
    m_headSent = true;
    if (!m_route.tls)
        m_spare.keep(m_socket->socketDescriptor());
    m_socket->write(bytes);
    sent();
    pumpUpload();
}

qint64 SocketExchange::unsent() const
{
    qint64 count = m_socket->bytesToWrite();
    if (m_route.tls)
        count += static_cast<const QSslSocket *>(m_socket.get())->encryptedBytesToWrite();
    return count;
}

void SocketExchange::pumpUpload()
{
    if (!m_socket || !m_headSent || isEnded() || !m_upload)
        return;
    sentMore();
    while (!m_upload->atEnd() && unsent() < uploadWindow) {
        m_chunk.resize(uploadStep);
        const qint64 count = m_upload->read(m_chunk.data(), uploadStep);
        if (count < 0) {
            fail(m_upload->sourceError().value_or(localError(QStringLiteral("the source can't be read"))));
            return;
        }
        if (count == 0)
            break; // it says when there is more
        if (m_socket->write(m_chunk.constData(), count) != count) {
            fail(brokenConnection(QStringLiteral("closed"), m_socket->errorString()));
            return;
        }
    }
    if (const auto &progress = request().progress)
        progress(qMax<qint64>(0, m_upload->size() - m_upload->bytesAvailable() - unsent()), m_upload->size());
}

void SocketExchange::pumpAnswer()
{
    if (!m_socket || m_pumping || isEnded())
        return;
    m_pumping = true;
    const QPointer<SocketExchange> self(this);
    bool arrived = false;
    while (m_socket && m_parser->available() < m_bufferLimit && m_socket->bytesAvailable() > 0 &&
           (m_parser->state() == ResponseParser::State::Head || m_parser->state() == ResponseParser::State::Body)) {
        m_gotBytes = true;
        m_parser->feed(m_socket->read(readStep));
        arrived = true;
        if (!hasHead() && m_parser->state() != ResponseParser::State::Head &&
            m_parser->state() != ResponseParser::State::Broken) {
            takeHead(m_parser->head().status, m_parser->head().headers);
            if (!self)
                return;
        }
    }
    m_pumping = false;
    if (isEnded() || !m_socket)
        return;
    if (m_parser->state() == ResponseParser::State::Broken) {
        Error error = brokenConnection(QStringLiteral("bad_answer"), QStringLiteral("the answer is not HTTP"));
        error.kind = ErrorKind::Internal;
        fail(std::move(error));
        return;
    }
    if (arrived && m_parser->available() > 0) {
        bodyArrived();
        if (!self || isEnded() || !m_socket)
            return;
    }
    if (m_parser->state() == ResponseParser::State::Done)
        finishAnswer();
    else if (m_peerClosed && m_socket->bytesAvailable() == 0)
        onClosed();
}

void SocketExchange::finishAnswer()
{
    // An answer before the whole body was taken is final; the connection is of no use any more.
    m_spare.close();
    std::unique_ptr<QAbstractSocket> socket = std::move(m_socket);
    socket->disconnect(this);
    const bool whole = !m_upload || m_upload->atEnd();
    if (m_place.idle && whole && !m_peerClosed && m_parser->mayKeepConnection())
        m_place.idle->give(m_route.key, std::move(socket));
    else
        socket.release()->deleteLater(); // we may be inside one of its signals
    complete();
}

void SocketExchange::onClosed()
{
    m_peerClosed = true;
    if (!m_socket || isEnded() || m_pumping)
        return;
    if (m_socket->bytesAvailable() > 0) {
        pumpAnswer(); // comes back here when the reader has taken all
        return;
    }
    m_parser->close();
    if (m_parser->state() == ResponseParser::State::Done) {
        finishAnswer();
        return;
    }
    if (answeredBeforeItBroke() || startAgain())
        return;
    fail(brokenConnection(QStringLiteral("closed"), QStringLiteral("the connection was closed in the middle")));
}

bool SocketExchange::answeredBeforeItBroke()
{
    constexpr qsizetype enough = 64 * 1024;
    if (hasHead() || !m_headSent || m_route.tls)
        return false;
    const QByteArray arrived = m_spare.takeArrived(enough);
    m_parser->feed(arrived);
    m_parser->close();
    if (m_parser->state() != ResponseParser::State::Done)
        return false;
    m_peerClosed = true;
    const QPointer<SocketExchange> self(this);
    takeHead(m_parser->head().status, m_parser->head().headers);
    if (!self || isEnded() || !m_socket)
        return true;
    if (m_parser->available() > 0)
        bodyArrived();
    if (self && !isEnded() && m_socket)
        finishAnswer();
    return true;
}

bool SocketExchange::startAgain()
{
    // The server closed the kept connection just as we took it. Nothing came back, and the request may repeat.
    if (!m_reused || m_gotBytes || !request().mayRepeat)
        return false;
    if (m_upload && !m_upload->seek(0))
        return false;
    m_spare.close();
    std::unique_ptr<QAbstractSocket> dead = std::move(m_socket);
    dead->disconnect(this);
    dead.release()->deleteLater();
    openConnection(true);
    return true;
}

void SocketExchange::onError(QAbstractSocket::SocketError code)
{
    if (!m_socket || isEnded())
        return;
    if (code == QAbstractSocket::RemoteHostClosedError && m_headSent) {
        onClosed();
        return;
    }
    if (m_socket->bytesAvailable() > 0 && m_headSent) {
        // A reset right behind an answer: what has arrived counts.
        onClosed();
        return;
    }
    if (answeredBeforeItBroke() || startAgain())
        return;
    Error error = brokenConnection(QStringLiteral("network"), m_socket->errorString());
    switch (code) {
    case QAbstractSocket::ConnectionRefusedError:
        error.code = m_route.absoluteForm ? QStringLiteral("proxy") : QStringLiteral("refused");
        break;
    case QAbstractSocket::HostNotFoundError:
        error.code = m_route.absoluteForm ? QStringLiteral("proxy") : QStringLiteral("host_not_found");
        break;
    case QAbstractSocket::SslHandshakeFailedError:
    case QAbstractSocket::SslInternalError:
    case QAbstractSocket::SslInvalidUserDataError:
        error.code = QStringLiteral("tls");
        break;
    case QAbstractSocket::RemoteHostClosedError:
        error.code = QStringLiteral("closed");
        break;
    case QAbstractSocket::SocketTimeoutError:
        error.kind = ErrorKind::Timeout;
        error.code = QStringLiteral("connect_timeout");
        break;
    case QAbstractSocket::ProxyAuthenticationRequiredError:
    case QAbstractSocket::ProxyConnectionRefusedError:
    case QAbstractSocket::ProxyConnectionClosedError:
    case QAbstractSocket::ProxyConnectionTimeoutError:
    case QAbstractSocket::ProxyNotFoundError:
    case QAbstractSocket::ProxyProtocolError:
        error.code = QStringLiteral("proxy");
        break;
    default:
        break;
    }
    fail(std::move(error));
}

QByteArray SocketExchange::readBody(qint64 max)
{
    if (!m_parser)
        return {};
    const QByteArray bytes = m_parser->read(max);
    // Queued: a reader inside readyRead() must not be called from its own read().
    if (m_socket && m_socket->bytesAvailable() + (m_peerClosed ? 1 : 0) > 0 && m_parser->available() < m_bufferLimit)
        QMetaObject::invokeMethod(this, &SocketExchange::pumpAnswer, Qt::QueuedConnection);
    return bytes;
}

qint64 SocketExchange::bodyAvailable() const
{
    return m_parser ? m_parser->available() : 0;
}

bool SocketExchange::isUploading() const
{
    return m_upload && (!m_upload->atEnd() || (m_socket && unsent() > 0));
}

void SocketExchange::dropConnection()
{
    m_spare.close();
    if (!m_socket)
        return;
    std::unique_ptr<QAbstractSocket> socket = std::move(m_socket);
    socket->disconnect(this);
    socket->abort();
    socket.release()->deleteLater(); // we may be inside one of its signals
}

} // namespace boxdeck::net
