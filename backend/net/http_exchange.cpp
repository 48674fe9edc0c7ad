// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/http_exchange.h"

#include "backend/core/logging.h"

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

void setHeader(HeaderList &headers, const QByteArray &name, const QByteArray &value)
{
    for (auto &[key, old] : headers) {
        if (key.compare(name, Qt::CaseInsensitive) == 0) {
            old = value;
            return;
        }
    }
    headers.emplace_back(name, value);
}

} // namespace

HttpExchange::HttpExchange(HttpRequest request, QObject *parent)
    : m_request(std::move(request))
{
    setParent(parent);
    for (QTimer *timer : {&m_connect, &m_firstByte, &m_idle, &m_total})
        timer->setSingleShot(true);
    connect(&m_connect, &QTimer::timeout, this,
            [this] { timeOut(QStringLiteral("connect_timeout"), QStringLiteral("no connection in time")); });
    connect(&m_firstByte, &QTimer::timeout, this, [this] {
        if (isUploading())
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
    if (m_request.timeouts.total.count() > 0 && !m_total.isActive())
        m_total.start(m_request.timeouts.total);
    if (m_request.timeouts.firstByte.count() > 0)
        m_firstByte.start(m_request.timeouts.firstByte);
    dispatch();
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
            return invalid(QStringLiteral("a header can't be sent: it holds a line break"));
    }
    return std::nullopt;
}

HeaderList HttpExchange::outgoingHeaders() const
{
    // Qt's own User-Agent is Mozilla/5.0, and the proxy before sandboxes answers browsers in HTML.
    HeaderList headers{{"User-Agent", "Boxdeck/" BOXDECK_VERSION}, {"Accept", "application/json, */*;q=0.5"}};
    // Compressed files lose their length, and compressed streams wait for more to compress.
    if (!decodesBodies())
        headers.emplace_back("Accept-Encoding", "identity");
    if (!m_request.body.isEmpty() || m_request.upload)
        headers.emplace_back("Content-Type", "application/json");
    for (const auto &[name, value] : m_request.headers)
        setHeader(headers, name, value);
    headers.removeIf([](const auto &header) { return header.second.isNull(); });
    // The sandbox's own name stays in Host when a gateway is dialled.
    if (m_request.gateway) {
        const QUrl &url = m_request.url;
        const QString host = url.host(QUrl::FullyEncoded);
        setHeader(headers, "Host",
                  (url.port() > 0 ? host + QLatin1Char(':') + QString::number(url.port()) : host).toLatin1());
    }
    return headers;
}

void HttpExchange::connecting()
{
    if (m_request.timeouts.connect.count() > 0)
        m_connect.start(m_request.timeouts.connect);
}

void HttpExchange::sent()
{
    m_sent = true;
    m_connect.stop();
    if (m_firstByte.isActive())
        m_firstByte.start();
}

void HttpExchange::sentMore()
{
    m_sent = true;
    if (m_firstByte.isActive())
        m_firstByte.start();
}

void HttpExchange::takeHead(int status, const HeaderList &headers)
{
    if (m_phase != Phase::Sending)
        return;
    m_sent = true;
    m_connect.stop();
    m_firstByte.stop();
    if (const QByteArray location = headerValue(headers, "Location"); isRedirect(status) && !location.isEmpty()) {
        redirect(status, location);
        return;
    }
    m_head.status = status;
    m_head.headers = headers;
    const QByteArray coding = m_head.header("Content-Encoding");
    if (!decodesBodies() && !coding.isEmpty() && coding.compare("identity", Qt::CaseInsensitive) != 0) {
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

void HttpExchange::redirect(int status, const QByteArray &location)
{
    QUrl target = m_request.url.resolved(QUrl::fromEncoded(location));
    target.setUserInfo(QString()); // a name and password of the server's choice would be sent as ours
    const bool keepsMethod = m_request.method == "GET" || status == 307 || status == 308;
    const bool mayResend = !m_request.upload || m_request.mayRepeat;
    if (m_request.followRedirects && keepsMethod && mayResend && sameOrigin(target, m_request.url) &&
        m_redirects < maxRedirects) {
        ++m_redirects;
        m_request.url = target;
        dropConnection();
        m_phase = Phase::Waiting;
        QMetaObject::invokeMethod(this, &HttpExchange::start, Qt::QueuedConnection);
        return;
    }
    // Following would hand the credentials in our headers to whoever is named there.
    fail({.kind = ErrorKind::Unsupported,
          // 303: it was done, and what came of it is told elsewhere. The others only name a place.
          .delivery = status == 303 && m_request.method != "GET" ? Delivery::Unknown : Delivery::Answered,
          .httpStatus = status,
          .code = QStringLiteral("redirected"),
          .message = QStringLiteral("server redirected to %1").arg(target.toDisplayString(QUrl::RemoveQuery))});
}

void HttpExchange::bodyArrived()
{
    if (m_phase == Phase::Refused) {
        m_head.body += readBody(refusedBodyLimit - m_head.body.size());
        if (m_head.body.size() >= refusedBodyLimit)
            refuse();
        return;
    }
    if (m_phase != Phase::Body)
        return;
    if (m_limit > 0 && m_given + bodyAvailable() > m_limit) {
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
    if (m_phase != Phase::Body && m_phase != Phase::Ended)
        return {};
    const QByteArray bytes = readBody(max);
    m_given += bytes.size();
    if (m_phase == Phase::Body)
        restartIdle();
    return bytes;
}

void HttpExchange::complete()
{
    if (m_phase == Phase::Refused) {
        m_head.body += readBody(refusedBodyLimit - m_head.body.size());
        refuse();
        return;
    }
    if (m_phase != Phase::Body)
        return;
    if (m_limit > 0 && m_given + bodyAvailable() > m_limit) {
        bodyArrived(); // tells that it is too large
        return;
    }
    bool announced = false;
    const qint64 length = m_head.header("Content-Length").toLongLong(&announced);
    const bool hasBody = m_request.method != "HEAD" && m_head.status != 204 && m_head.status != 304;
    if (announced && hasBody && m_head.header("Content-Encoding").isEmpty() &&
        m_head.header("Transfer-Encoding").isEmpty() && length != m_given + bodyAvailable()) {
        fail(brokenConnection(QStringLiteral("closed"), QStringLiteral("the answer was cut")));
        return;
    }
    m_phase = Phase::Ended;
    finishTimers();
    log(QString::number(m_head.status));
    Q_EMIT finished();
}

void HttpExchange::refuse()
{
    fail(m_request.statusError(m_head));
}

void HttpExchange::fail(Error error)
{
    if (m_phase == Phase::Ended)
        return;
    m_phase = Phase::Ended;
    finishTimers();
    dropConnection();
    log(error.code.isEmpty() ? QString(kindName(error.kind)) : error.code);
    Q_EMIT failed(error);
}

void HttpExchange::timeOut(const QString &code, const QString &message)
{
    fail({.kind = ErrorKind::Timeout, .delivery = delivery(), .code = code, .message = message});
}

Error HttpExchange::brokenConnection(const QString &code, const QString &message) const
{
    return {.kind = ErrorKind::Unavailable, .delivery = delivery(), .code = code, .message = message};
}

void HttpExchange::restartIdle()
{
    // While the reader has not taken what is there, silence is its own doing.
    if (m_request.timeouts.idle.count() > 0 && bodyAvailable() == 0)
        m_idle.start(m_request.timeouts.idle);
    else
        m_idle.stop();
}

void HttpExchange::finishTimers()
{
    for (QTimer *timer : {&m_connect, &m_firstByte, &m_idle, &m_total})
        timer->stop();
}

void HttpExchange::abort()
{
    if (m_phase != Phase::Ended)
        log(QStringLiteral("aborted"));
    m_phase = Phase::Ended;
    finishTimers();
    dropConnection();
}

void HttpExchange::log(const QString &outcome) const
{
    // No header and no query ever: they hold keys, tokens and file names.
    qCDebug(lcNet).noquote() << m_request.method << m_request.url.host() << m_request.url.path(QUrl::FullyEncoded)
                             << outcome << (m_age.isValid() ? m_age.elapsed() : 0) << "ms" << m_head.requestId();
}

} // namespace boxdeck::net
