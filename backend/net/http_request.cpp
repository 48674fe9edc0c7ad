// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/http_request.h"

namespace boxdeck::net {

QByteArray headerValue(const HeaderList &headers, const QByteArray &name)
{
    for (const auto &[key, value] : headers) {
        if (key.compare(name, Qt::CaseInsensitive) == 0)
            return value;
    }
    return {};
}

std::optional<Gateway> Gateway::parse(const QString &text)
{
    const QString trimmed = text.trimmed();
    const QUrl url(trimmed.contains(QLatin1String("://")) ? trimmed : QStringLiteral("http://") + trimmed,
                   QUrl::StrictMode);
    const QString scheme = url.scheme().toLower();
    if (trimmed.isEmpty() || url.host().isEmpty() ||
        (scheme != QLatin1String("http") && scheme != QLatin1String("https")))
        return std::nullopt;
    const bool tls = scheme == QLatin1String("https");
    return Gateway{.host = url.host(), .port = static_cast<quint16>(url.port(tls ? 443 : 80)), .tls = tls};
}

QString HttpResponse::requestId() const
{
    for (const char *name : {"X-Request-Id", "Request-Id", "X-Trace-Id", "CF-Ray"}) {
        const QByteArray value = header(name);
        if (!value.isEmpty())
            return QString::fromLatin1(value.left(128));
    }
    return {};
}

std::optional<std::chrono::seconds> HttpResponse::retryAfter() const
{
    bool ok = false;
    const qint64 seconds = header("Retry-After").trimmed().toLongLong(&ok);
    return ok && seconds >= 0 ? std::optional(std::chrono::seconds(seconds)) : std::nullopt;
}

} // namespace boxdeck::net
