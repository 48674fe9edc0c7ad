// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/http_exchange.h"

#include "backend/core/logging.h"
#include "backend/net/request_body.h"

#include <QNetworkAccessManager>
#include <QNetworkRequest>

namespace boxdeck::net {

namespace {

constexpr qint64 refusedBodyLimit = 64 * 1024;
constexpr std::chrono::milliseconds refusedBodyTime{5'000};
constexpr int maxRedirects = 5;

bool isRedirect(int status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

bool sameOrigin(const QUrl &a, const QUrl &b)
{
    const auto port = [](const QUrl &url) { return url.port(url.scheme() == QLatin1String("https") ? 443 : 80); };
    return a.scheme() == b.scheme() && a.host() == b.host() && port(a) == port(b);
}

bool breaksHeader(const QByteArray &text)
{
    return text.contains('\r') || text.contains('\n') || text.contains('\0');
}

} // namespace

HttpExchange::HttpExchange(ExchangePlace place, HttpRequest request, QObject *parent)
    : m_place(std::move(place))
    , m_request(std::move(request))
{
    setParent(parent);
    for (QTimer *timer : {&m_connect, &m_firstByte, &m_idle, &m_total})
        timer->setSingleShot(true);
    connect(&m_connect, &QTimer::timeout, this,
            [this] { timeOut(QStringLiteral("connect_timeout"), QStringLiteral("no connection in time")); });
    connect(&m_firstByte, &QTimer::timeout, this, [this] {
        if (m_upload && !m_upload->atEnd())
            timeOut(QStringLiteral("stalled"), QStringLiteral("the server stopped taking bytes"));
        else
            timeOut(QStringLiteral("first_byte_timeout"), QStringLiteral("no answer in time"));
    });
    connect(&m_idle, &QTimer::timeout, this, [this] {
        if (m_phase == Phase::Refused)
            refuse();
        else
            timeOut(QStringLiteral("stalled"), QStringLiteral("the answer stopped in the middle"));
    });
    connect(&m_total, &QTimer::timeout, this,
            [this] { timeOut(QStringLiteral("total_timeout"), QStringLiteral("not done in time")); });
    QMetaObject::invokeMethod(this, &HttpExchange::start, Qt::QueuedConnection);
}

HttpExchange::~HttpExchange()
{
    m_phase = Phase::Ended;
    dropReply();
}

void HttpExchange::start()
{
    if (m_phase != Phase::Waiting)
        return;
    m_age.start();
    if (auto error = refusal()) {
        fail(std::move(*error));
        return;
    }
    m_phase = Phase::Sending;
    m_sent = false;
    if (m_request.timeouts.total.count() > 0 && !m_total.isActive())
        m_total.start(m_request.timeouts.total);
    if (m_request.timeouts.firstByte.count() > 0)
        m_firstByte.start(m_request.timeouts.firstByte);
    m_reply = dispatch(networkRequest());
    if (m_reply)
        watchReply();
}

std::optional<Error> HttpExchange::refusal() const
{
    const auto invalid = [](const QString &message) {
        return Error{.kind = ErrorKind::InvalidRequest, .code = QStringLiteral("bad_request"), .message = message};
    };
    const QString scheme = m_request.url.scheme();
    if (!m_request.url.isValid() || m_request.url.host().isEmpty() ||
        (scheme != QLatin1String("http") && scheme != QLatin1String("https")))
        return invalid(QStringLiteral("not an http address"));
    // A key pasted with a line break would otherwise become a header of its own.
    for (const auto &[name, value] : m_request.headers) {
        if (name.isEmpty() || breaksHeader(name) || breaksHeader(value))
            return invalid(QStringLiteral("the header %1 can't be sent").arg(QString::fromLatin1(name)));
    }
    return std::nullopt;
}

QNetworkRequest HttpExchange::networkRequest() const
{
    QUrl url = m_request.url;
    QNetworkRequest request;
    if (m_request.gateway) {
        // The sandbox's own name stays in Host and in the TLS handshake; without the latter the handshake fails.
        const Gateway &gateway = *m_request.gateway;
        request.setRawHeader("Host", url.authority(QUrl::FullyEncoded).toLatin1());
        request.setPeerVerifyName(url.host());
        url.setScheme(gateway.tls ? QStringLiteral("https") : QStringLiteral("http"));
        url.setHost(gateway.host);
        url.setPort(gateway.port != 0 ? gateway.port : (gateway.tls ? 443 : 80));
    }
    request.setUrl(url);
    if (m_place.tls)
        request.setSslConfiguration(*m_place.tls);
    // Qt's own User-Agent is Mozilla/5.0, and the proxy before sandboxes answers browsers in HTML.
    request.setRawHeader("User-Agent", "Boxdeck/" BOXDECK_VERSION);
    request.setRawHeader("Accept", "application/json, */*;q=0.5");
    if (m_request.lane == Lane::Control) {
        request.setDecompressedSafetyCheckThreshold(m_request.maxBody);
    } else {
        // Qt asks for gzip by itself, then gives up on very compressible bodies and loses the length.
        request.setRawHeader("Accept-Encoding", "identity");
    }
    if (!m_request.body.isEmpty() || m_request.upload)
        request.setRawHeader("Content-Type", "application/json");
    for (const auto &[name, value] : m_request.headers)
        request.setRawHeader(name, value);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    request.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    return request;
}

QNetworkReply *HttpExchange::dispatch(const QNetworkRequest &original)
{
    QNetworkRequest request = original;
    std::unique_ptr<QIODevice> device;
    if (m_request.upload) {
        auto upload = std::make_unique<UploadBody>(*m_request.upload, m_request.mayRepeat);
        if (upload->sourceError()) {
            fail(*upload->sourceError());
            return nullptr;
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
        request.setHeader(QNetworkRequest::ContentLengthHeader, m_request.upload->size);
        device = std::move(upload);
    } else if (!m_request.mayRepeat && !m_request.body.isEmpty()) {
        request.setHeader(QNetworkRequest::ContentLengthHeader, m_request.body.size());
        device = std::make_unique<OneShotBody>(m_request.body);
    }
    QNetworkReply *reply = nullptr;
    if (device) {
        request.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
        reply = m_place.manager.sendCustomRequest(request, m_request.method, device.get());
        device.release()->setParent(reply); // the reply reads it as long as it lives
    } else if (m_request.body.isEmpty() && m_request.method == "GET") {
        reply = m_place.manager.get(request);
    } else {
        reply = m_place.manager.sendCustomRequest(request, m_request.method, m_request.body);
    }
    return reply;
}

void HttpExchange::watchReply()
{
    constexpr qint64 bulkBuffer = 4 * 1024 * 1024;
    constexpr qint64 streamBuffer = 1024 * 1024;
    const qint64 fallback = m_request.lane == Lane::Stream ? streamBuffer : bulkBuffer;
    m_reply->setReadBufferSize(m_request.readBuffer > 0 ? m_request.readBuffer : fallback);

    connect(m_reply, &QNetworkReply::socketStartedConnecting, this, [this] {
        if (m_request.timeouts.connect.count() > 0)
            m_connect.start(m_request.timeouts.connect);
    });
    connect(m_reply, &QNetworkReply::requestSent, this, [this] {
        m_sent = true;
        m_connect.stop();
        if (m_firstByte.isActive())
            m_firstByte.start();
    });
    connect(m_reply, &QNetworkReply::uploadProgress, this, [this](qint64 sent, qint64 total) {
        if (sent > 0)
            m_sent = true;
        if (m_firstByte.isActive())
            m_firstByte.start();
        if (m_request.progress && total > 0)
            m_request.progress(sent, total);
    });
    connect(m_reply, &QNetworkReply::metaDataChanged, this, &HttpExchange::onHead);
    connect(m_reply, &QNetworkReply::readyRead, this, &HttpExchange::onReadyRead);
    connect(m_reply, &QNetworkReply::finished, this, &HttpExchange::onFinished);
}

void HttpExchange::onHead()
{
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (m_phase != Phase::Sending || status < 200)
        return;
    m_sent = true;
    m_connect.stop();
    m_firstByte.stop();
    if (isRedirect(status) && redirect(status))
        return;
    m_head.status = status;
    m_head.headers = m_reply->rawHeaderPairs();
    if (m_request.lane != Lane::Control && !m_head.header("Content-Encoding").isEmpty() &&
        m_head.header("Content-Encoding").compare("identity", Qt::CaseInsensitive) != 0) {
        fail({.kind = ErrorKind::Internal,
              .delivery = Delivery::Answered,
              .httpStatus = status,
              .code = QStringLiteral("bad_answer"),
              .message = QStringLiteral("the server compressed an answer that was asked for as it is")});
        return;
    }
    if (m_request.statusError && !m_head.isSuccess()) {
        m_phase = Phase::Refused;
        m_idle.start(refusedBodyTime);
        return;
    }
    m_phase = Phase::Body;
    restartIdle();
    Q_EMIT head(status, m_head.headers);
}

bool HttpExchange::redirect(int status)
{
    const QByteArray location = m_reply->rawHeader("Location");
    if (location.isEmpty())
        return false;
    const QUrl target = m_request.url.resolved(QUrl::fromEncoded(location));
    if (m_request.method == "GET" && sameOrigin(target, m_request.url) && m_redirects < maxRedirects) {
        ++m_redirects;
        m_request.url = target;
        dropReply();
        m_phase = Phase::Waiting;
        QMetaObject::invokeMethod(this, &HttpExchange::start, Qt::QueuedConnection);
        return true;
    }
    // Following would hand the credentials in our headers to whoever is named there.
    fail({.kind = ErrorKind::Unsupported,
          .delivery = Delivery::Answered,
          .httpStatus = status,
          .code = QStringLiteral("redirected"),
          .message = QStringLiteral("server redirected to %1")
                         .arg(target.toDisplayString(QUrl::RemoveUserInfo | QUrl::RemoveQuery))});
    return true;
}

void HttpExchange::onReadyRead()
{
    if (m_phase == Phase::Refused) {
        m_head.body += m_reply->read(refusedBodyLimit - m_head.body.size());
        if (m_head.body.size() >= refusedBodyLimit)
            refuse();
        return;
    }
    if (m_phase != Phase::Body)
        return;
    if (m_limit > 0 && m_given + m_reply->bytesAvailable() > m_limit) {
        fail({.kind = ErrorKind::Internal,
              .delivery = Delivery::Answered,
              .httpStatus = m_head.status,
              .code = QStringLiteral("too_large"),
              .message = QStringLiteral("the answer is longer than %1 bytes").arg(m_limit)});
        return;
    }
    restartIdle();
    Q_EMIT readyRead();
}

QByteArray HttpExchange::read(qint64 max)
{
    if (!m_reply || (m_phase != Phase::Body && m_phase != Phase::Ended))
        return {};
    const QByteArray bytes = m_reply->read(max);
    m_given += bytes.size();
    if (m_phase == Phase::Body)
        restartIdle();
    return bytes;
}

qint64 HttpExchange::available() const
{
    return m_reply ? m_reply->bytesAvailable() : 0;
}

void HttpExchange::onFinished()
{
    if (m_phase == Phase::Ended || m_phase == Phase::Waiting)
        return;
    const QPointer<HttpExchange> self(this);
    if (m_phase == Phase::Sending)
        onHead(); // an answer without a body may come with its end
    if (!self || m_phase == Phase::Ended || m_phase == Phase::Waiting)
        return;
    if (m_phase == Phase::Refused) {
        onReadyRead();
        if (m_phase == Phase::Refused)
            refuse();
        return;
    }
    const QNetworkReply::NetworkError code = m_reply->error();
    // Qt turns error statuses into errors of its own (200 and above); those are answers.
    const bool answered =
        m_phase == Phase::Body && (code == QNetworkReply::NoError || (m_head.status >= 400 && code >= 200));
    if (!answered && m_upload && m_upload->sourceError()) {
        fail(*m_upload->sourceError());
        return;
    }
    if (!answered) {
        fail(transportError(code, m_reply->errorString()));
        return;
    }
    if (m_limit > 0 && m_given + m_reply->bytesAvailable() > m_limit) {
        onReadyRead();
        return;
    }
    bool announced = false;
    const qint64 length = m_head.header("Content-Length").toLongLong(&announced);
    const bool hasBody = m_request.method != "HEAD" && m_head.status != 204 && m_head.status != 304;
    if (announced && hasBody && m_head.header("Content-Encoding").isEmpty() &&
        length != m_given + m_reply->bytesAvailable()) {
        fail(transportError(QNetworkReply::RemoteHostClosedError, QStringLiteral("the answer was cut")));
        return;
    }
    succeed();
}

void HttpExchange::succeed()
{
    m_phase = Phase::Ended;
    stopTimers();
    m_place.slot.reset();
    log(QString::number(m_head.status));
    Q_EMIT finished();
}

void HttpExchange::refuse()
{
    Error error = m_request.statusError(m_head);
    fail(std::move(error));
}

void HttpExchange::fail(Error error)
{
    if (m_phase == Phase::Ended)
        return;
    m_phase = Phase::Ended;
    stopTimers();
    dropReply();
    m_place.slot.reset();
    log(error.code.isEmpty() ? QString(kindName(error.kind)) : error.code);
    Q_EMIT failed(error);
}

void HttpExchange::timeOut(const QString &code, const QString &message)
{
    fail({.kind = ErrorKind::Timeout, .delivery = delivery(), .code = code, .message = message});
}

Error HttpExchange::transportError(QNetworkReply::NetworkError code, const QString &message) const
{
    Error error{.kind = ErrorKind::Unavailable, .delivery = delivery(), .message = message};
    switch (code) {
    case QNetworkReply::ConnectionRefusedError:
        error.code = m_place.viaProxy ? QStringLiteral("proxy") : QStringLiteral("refused");
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
        break;
    case QNetworkReply::ProtocolFailure:
    case QNetworkReply::ProtocolUnknownError:
    case QNetworkReply::UnknownContentError:
        error.kind = ErrorKind::Internal;
        error.code = QStringLiteral("bad_answer");
        break;
    default:
        error.code = QStringLiteral("network");
        break;
    }
    // Proxies may fail late, but then nothing has reached the server.
    if (error.code == QLatin1String("proxy") || error.code == QLatin1String("refused"))
        error.delivery = Delivery::NotSent;
    return error;
}

void HttpExchange::restartIdle()
{
    // While the reader has not taken what is there, silence is its own doing.
    if (m_request.timeouts.idle.count() > 0 && m_reply->bytesAvailable() == 0)
        m_idle.start(m_request.timeouts.idle);
    else
        m_idle.stop();
}

void HttpExchange::stopTimers()
{
    for (QTimer *timer : {&m_connect, &m_firstByte, &m_idle, &m_total})
        timer->stop();
}

void HttpExchange::abort()
{
    if (m_phase != Phase::Ended)
        log(QStringLiteral("aborted"));
    m_phase = Phase::Ended;
    stopTimers();
    dropReply();
    m_place.slot.reset();
}

void HttpExchange::dropReply()
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

void HttpExchange::log(const QString &outcome) const
{
    // No header and no query ever: they hold keys, tokens and file names.
    qCDebug(lcNet).noquote() << m_request.method << m_request.url.host() << m_request.url.path(QUrl::FullyEncoded)
                             << outcome << m_age.elapsed() << "ms" << m_head.requestId();
}

} // namespace boxdeck::net
