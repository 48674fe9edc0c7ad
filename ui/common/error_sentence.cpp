// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/error_sentence.h"

#include "backend/core/display_text.h"
#include "ui/common/format.h"

#include <QCoreApplication>

namespace boxdeck::ui {

namespace {

struct Sentence
{
    Q_DECLARE_TR_FUNCTIONS(Sentence)
};

bool is(const Error &error, const char *code)
{
    return error.code.compare(QLatin1String(code), Qt::CaseInsensitive) == 0;
}

bool saysDiskFull(const Error &error)
{
    return error.httpStatus == 507 || is(error, "disk_full") || is(error, "ENOSPC") || is(error, "no_space") ||
           error.message.contains(QLatin1String("no space left"), Qt::CaseInsensitive);
}

QString capacityReason(const Error &error)
{
    if (saysDiskFull(error))
        return Sentence::tr("The sandbox's disk is full. Delete files there, then try again.");
    if (error.httpStatus == 413)
        return Sentence::tr("It is larger than the server accepts.");
    if (error.retryAfter) {
        return Sentence::tr("The server limits how often it may be asked. Try again in %1.")
            .arg(formatDuration(*error.retryAfter));
    }
    if (error.httpStatus == 429) {
        return Sentence::tr("The server's limit is reached: too many requests, or too many sandboxes at once. Wait a "
                            "little, or end a sandbox that is no longer needed, then try again.");
    }
    return Sentence::tr("The server has no room for it now. Try again later.");
}

QString keychainReason(const Error &error)
{
    if (is(error, "no_service"))
        return Sentence::tr("This desktop has no keychain service running.");
    if (is(error, "locked"))
        return Sentence::tr("The keychain is locked. Unlock it, then try again.");
    if (is(error, "denied"))
        return Sentence::tr("The keychain refused access. Allow it there, then try again.");
    return {};
}

} // namespace

QString errorReason(const Error &error)
{
    const QString keychain = keychainReason(error);
    if (!keychain.isEmpty())
        return keychain;
    switch (error.kind) {
    case ErrorKind::NotFound:
        return Sentence::tr("It is gone: the server does not know it any more. Refresh the list to see what is there.");
    case ErrorKind::Terminal:
        return Sentence::tr("It has ended: its time ran out or it was killed. Nothing can bring it back.");
    case ErrorKind::Authentication:
        if (error.httpStatus == 403)
            return Sentence::tr("The server refused access with this key. Check the key and what it is allowed to do "
                                "under Accounts.");
        return Sentence::tr("The server did not accept the key. Check or replace it under Accounts.");
    case ErrorKind::InvalidRequest:
        return Sentence::tr("The server did not accept the request. Its answer is below.");
    case ErrorKind::Unsupported:
        return Sentence::tr("This server does not offer that.");
    case ErrorKind::Conflict:
        if (is(error, "paused"))
            return Sentence::tr("It is paused. Resume it first; that starts its time again.");
        if (is(error, "already_exists"))
            return Sentence::tr("Something with this name is already there. Choose another name.");
        return Sentence::tr("Its state just changed, so that was not possible. Refresh, then try again.");
    case ErrorKind::Capacity:
        return capacityReason(error);
    case ErrorKind::Timeout:
        if (error.delivery == Delivery::NotSent)
            return Sentence::tr("No connection could be made in time. Check the network, then try again.");
        return Sentence::tr("No answer came in time; it may have happened all the same. Refresh before trying again.");
    case ErrorKind::Unavailable:
        if (error.httpStatus != 0)
            return Sentence::tr("The server is not able to answer now. Try again in a moment.");
        if (error.delivery == Delivery::Unknown)
            return Sentence::tr("The connection broke before the answer came; it may have happened all the same. "
                                "Refresh before trying again.");
        return Sentence::tr("The server can't be reached. Check the network and the server's address.");
    case ErrorKind::Internal:
        if (is(error, "bad_answer") || (error.httpStatus >= 200 && error.httpStatus < 300))
            return Sentence::tr("The server's answer could not be understood. Is the address that of an "
                                "E2B-compatible server?");
        return Sentence::tr("Something unexpected went wrong. The details below help in a report.");
    case ErrorKind::Local:
        if (saysDiskFull(error))
            return Sentence::tr("This computer's disk is full. Free some space, then try again.");
        return Sentence::tr("This computer could not do it.");
    }
    return {};
}

QString errorSentence(const Error &error, const QString &what)
{
    const QString reason = errorReason(error);
    return what.isEmpty() ? reason : what + QLatin1Char(' ') + reason;
}

QString errorDetails(const Error &error)
{
    QStringList parts;
    if (error.httpStatus != 0)
        parts << Sentence::tr("HTTP %1").arg(error.httpStatus);
    if (!error.code.isEmpty())
        parts << displayText(error.code, 80);
    if (!error.requestId.isEmpty())
        parts << Sentence::tr("request %1").arg(displayText(error.requestId, 120));
    if (!error.message.isEmpty())
        parts << displayText(error.message);
    return parts.join(QStringLiteral(" · "));
}

QString errorForClipboard(const Error &error, const QString &what)
{
    const QString details = errorDetails(error);
    return details.isEmpty() ? errorSentence(error, what) : errorSentence(error, what) + QLatin1Char('\n') + details;
}

} // namespace boxdeck::ui
