// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/http_request.h"

#include <algorithm>

namespace boxdeck::net {

QDateTime httpDate(QByteArray text)
{
    text.replace("GMT", "+0000");
    return QDateTime::fromString(QString::fromLatin1(text.trimmed()), Qt::RFC2822Date);
}

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
    constexpr std::chrono::seconds longest = std::chrono::hours(24);
    const QByteArray text = header("Retry-After").trimmed();
    bool isNumber = !text.isEmpty();
    for (const char digit : text)
        isNumber = isNumber && digit >= '0' && digit <= '9';
    if (isNumber) {
        bool fits = false;
        const qint64 seconds = text.toLongLong(&fits);
        return fits ? std::min(std::chrono::seconds(seconds), longest) : longest;
    }
    const QDateTime until = httpDate(text);
    const QDateTime now = httpDate(header("Date"));
    if (!until.isValid() || !now.isValid())
        return std::nullopt;
    return std::clamp(std::chrono::seconds(now.secsTo(until)), std::chrono::seconds(0), longest);
}

} // namespace boxdeck::net
