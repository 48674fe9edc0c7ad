// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/connect_error.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>

#include <optional>

namespace boxdeck::net {

namespace {

constexpr qsizetype maxMessage = 2000;

const QHash<QString, ErrorKind> &kinds()
{
    static const QHash<QString, ErrorKind> table{
        {QStringLiteral("canceled"), ErrorKind::Timeout},
        {QStringLiteral("deadline_exceeded"), ErrorKind::Timeout},
        {QStringLiteral("unavailable"), ErrorKind::Unavailable},
        {QStringLiteral("unauthenticated"), ErrorKind::Authentication},
        {QStringLiteral("permission_denied"), ErrorKind::Authentication},
        {QStringLiteral("resource_exhausted"), ErrorKind::Capacity},
        {QStringLiteral("invalid_argument"), ErrorKind::InvalidRequest},
        {QStringLiteral("out_of_range"), ErrorKind::InvalidRequest},
        {QStringLiteral("not_found"), ErrorKind::NotFound},
        {QStringLiteral("already_exists"), ErrorKind::Conflict},
        {QStringLiteral("aborted"), ErrorKind::Conflict},
        {QStringLiteral("failed_precondition"), ErrorKind::Conflict},
        {QStringLiteral("unimplemented"), ErrorKind::Unsupported},
        {QStringLiteral("internal"), ErrorKind::Internal},
        {QStringLiteral("data_loss"), ErrorKind::Internal},
        {QStringLiteral("unknown"), ErrorKind::Internal},
    };
    return table;
}

QString reasonPhrase(int status)
{
    static const QHash<int, QString> phrases{
        {400, QStringLiteral("Bad Request")},
        {401, QStringLiteral("Unauthorized")},
        {403, QStringLiteral("Forbidden")},
        {404, QStringLiteral("Not Found")},
        {405, QStringLiteral("Method Not Allowed")},
        {408, QStringLiteral("Request Timeout")},
        {409, QStringLiteral("Conflict")},
        {410, QStringLiteral("Gone")},
        {413, QStringLiteral("Content Too Large")},
        {415, QStringLiteral("Unsupported Media Type")},
        {416, QStringLiteral("Range Not Satisfiable")},
        {429, QStringLiteral("Too Many Requests")},
        {500, QStringLiteral("Internal Server Error")},
        {501, QStringLiteral("Not Implemented")},
        {502, QStringLiteral("Bad Gateway")},
        {503, QStringLiteral("Service Unavailable")},
        {504, QStringLiteral("Gateway Timeout")},
        {507, QStringLiteral("Insufficient Storage")},
    };
    const QString phrase = phrases.value(status);
    return phrase.isEmpty() ? QStringLiteral("HTTP %1").arg(status)
                            : QStringLiteral("HTTP %1 %2").arg(status).arg(phrase);
}

/// The HTTP status an error body repeats as `code`: a number, or on some servers its text. Codes of gRPC are small
/// numbers, too, and no status.
std::optional<int> statusIn(const QJsonValue &code)
{
    const int number = code.isString() ? code.toString().toInt() : code.toInt();
    return number >= 400 && number < 600 ? std::optional(number) : std::nullopt;
}

/// The words of one member of an error body: text, an object with a message, or a list of what was wrong, as web
/// frameworks give for bodies they refuse.
QString wordsOf(const QJsonValue &value)
{
    if (value.isArray())
        return wordsOf(value.toArray().first());
    if (!value.isObject())
        return value.toString().trimmed();
    const QJsonObject object = value.toObject();
    const QString message = object.value(QLatin1String("message")).toString().trimmed();
    return message.isEmpty() ? object.value(QLatin1String("msg")).toString().trimmed() : message;
}

/// What a code of the proxy or the authentication layer means to us, where it differs from the table.
ErrorKind plainKind(int status, const QString &code)
{
    // No such RPC here. Taken for a missing file or process it would look like an empty sandbox.
    if (status == 404 || status == 405 || status == 415)
        return ErrorKind::Unsupported;
    return connectKind(code);
}

} // namespace

ErrorKind connectKind(const QString &code)
{
    return kinds().value(code, ErrorKind::Internal);
}

QString connectCodeOfStatus(int status)
{
    switch (status) {
    case 400:
        return QStringLiteral("invalid_argument");
    case 401:
        return QStringLiteral("unauthenticated");
    case 403:
        return QStringLiteral("permission_denied");
    case 404:
        return QStringLiteral("not_found");
    case 409:
        return QStringLiteral("already_exists");
    case 413:
    case 429:
        return QStringLiteral("resource_exhausted");
    case 499:
        return QStringLiteral("canceled");
    case 500:
        return QStringLiteral("internal");
    case 501:
    case 505:
        return QStringLiteral("unimplemented");
    case 502:
    case 503:
        return QStringLiteral("unavailable");
    case 504:
        return QStringLiteral("deadline_exceeded");
    default:
        return QStringLiteral("unknown");
    }
}

Error connectErrorOf(const HttpResponse &response)
{
    const QJsonObject body = QJsonDocument::fromJson(response.body).object();
    const QJsonValue code = body.value(QLatin1String("code"));
    Error error{.delivery = Delivery::Answered,
                .httpStatus = response.status,
                .message = messageOfBody(response.status, response.body),
                .requestId = response.requestId(),
                .retryAfter = response.retryAfter()};
    if (kinds().contains(code.toString())) {
        error.code = code.toString();
        error.kind = connectKind(error.code);
        return error;
    }
    const int status = statusIn(code).value_or(response.status);
    const QString plain = connectCodeOfStatus(status);
    error.kind = plainKind(status, plain);
    error.code = status == 502 && body.contains(QLatin1String("sandboxId")) ? QStringLiteral("http_bad_gateway")
                                                                            : QStringLiteral("http_") + plain;
    return error;
}

Error connectErrorOf(const QJsonObject &object)
{
    const QString code = object.value(QLatin1String("code")).toString();
    return {.kind = connectKind(code),
            .delivery = Delivery::Answered,
            .code = code.isEmpty() ? QStringLiteral("unknown") : code,
            .message = object.value(QLatin1String("message")).toString().left(maxMessage)};
}

std::optional<Error> endOfStreamError(const QByteArray &payload)
{
    const QJsonValue error = QJsonDocument::fromJson(payload).object().value(QLatin1String("error"));
    if (error.isUndefined() || error.isNull())
        return std::nullopt;
    return connectErrorOf(error.toObject());
}

QString messageOfBody(int status, const QByteArray &body)
{
    const QJsonObject object = QJsonDocument::fromJson(body).object();
    for (const QLatin1String key : {QLatin1String("message"), QLatin1String("error"), QLatin1String("detail")}) {
        const QString text = wordsOf(object.value(key));
        if (!text.isEmpty())
            return text.left(maxMessage);
    }
    const QString text = QString::fromUtf8(body.left(4 * maxMessage)).trimmed();
    // A page for browsers says nothing in its first lines.
    if (text.isEmpty() || text.startsWith(QLatin1Char('<')) || text.startsWith(QLatin1Char('{')))
        return reasonPhrase(status);
    return text.left(maxMessage);
}

} // namespace boxdeck::net
