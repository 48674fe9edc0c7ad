// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/errors.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace boxdeck::api {

namespace {

ErrorKind kindOfStatus(int status)
{
    switch (status) {
    case 400:
    case 416:
    case 422:
        return ErrorKind::InvalidRequest;
    case 401:
    case 403:
        return ErrorKind::Authentication;
    case 404:
        return ErrorKind::NotFound;
    case 405:
    case 415:
    case 501:
        return ErrorKind::Unsupported;
    case 408:
    case 504:
        return ErrorKind::Timeout;
    case 409:
        return ErrorKind::Conflict;
    case 410:
        return ErrorKind::Terminal;
    case 413:
    case 429:
    case 507:
        return ErrorKind::Capacity;
    default:
        return status >= 500 && status < 600 ? ErrorKind::Unavailable : ErrorKind::Internal;
    }
}

Error errorOf(const net::HttpResponse &response)
{
    return {.kind = kindOfStatus(response.status),
            .delivery = Delivery::Answered,
            .httpStatus = response.status,
            .message = net::messageOfBody(response.status, response.body),
            .requestId = response.requestId(),
            .retryAfter = response.retryAfter()};
}

/// `code` of a body where it is a word. Some servers write the status there, as a number or as text.
QString wordOf(const QJsonObject &body)
{
    const QString code = body.value(QLatin1String("code")).toString();
    bool isNumber = false;
    code.toInt(&isNumber);
    return isNumber ? QString() : code;
}

} // namespace

Error controlError(const net::HttpResponse &response, Operation operation)
{
    Error error = errorOf(response);
    const QJsonObject body = QJsonDocument::fromJson(response.body).object();
    error.code = body.value(QLatin1String("error_code")).toString();
    if (error.code.isEmpty())
        error.code = wordOf(body);
    switch (operation) {
    case Operation::Create:
    case Operation::Build:
        if (response.status == 404)
            error.kind = ErrorKind::InvalidRequest;
        break;
    case Operation::Connect:
    case Operation::Get:
        if (response.status == 400 && error.message.contains(QLatin1String("invalid sandbox id"), Qt::CaseInsensitive))
            error.kind = ErrorKind::NotFound;
        break;
    case Operation::List:
        if (response.status == 404)
            error.kind = ErrorKind::Unsupported;
        break;
    case Operation::BuildStatus:
        if (response.status == 400)
            error.kind = ErrorKind::NotFound;
        break;
    case Operation::DeleteTemplate:
        if (response.status == 400)
            error.kind = ErrorKind::Conflict;
        break;
    case Operation::Other:
        break;
    }
    return error;
}

Error filesError(const net::HttpResponse &response)
{
    Error error = errorOf(response);
    const QJsonObject body = QJsonDocument::fromJson(response.body).object();
    if (response.status == 502 && body.contains(QLatin1String("sandboxId")))
        error.code = QStringLiteral("http_bad_gateway");
    else if (const QString code = wordOf(body); !code.isEmpty())
        error.code = code;
    else
        error.code = QStringLiteral("http_") + net::connectCodeOfStatus(response.status);
    return error;
}

} // namespace boxdeck::api
