// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/error.h"

namespace boxdeck {

QLatin1String kindName(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::NotFound:
        return QLatin1String("not_found");
    case ErrorKind::Terminal:
        return QLatin1String("terminal");
    case ErrorKind::Authentication:
        return QLatin1String("authentication");
    case ErrorKind::InvalidRequest:
        return QLatin1String("invalid_request");
    case ErrorKind::Unsupported:
        return QLatin1String("unsupported");
    case ErrorKind::Conflict:
        return QLatin1String("conflict");
    case ErrorKind::Capacity:
        return QLatin1String("capacity");
    case ErrorKind::Timeout:
        return QLatin1String("timeout");
    case ErrorKind::Unavailable:
        return QLatin1String("unavailable");
    case ErrorKind::Internal:
        return QLatin1String("internal");
    case ErrorKind::Local:
        return QLatin1String("local");
    }
    return QLatin1String("internal");
}

bool provesGone(ErrorKind kind)
{
    return kind == ErrorKind::NotFound || kind == ErrorKind::Terminal;
}

Error localError(const QString &message)
{
    return {.kind = ErrorKind::Local, .message = message};
}

} // namespace boxdeck
