// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <chrono>
#include <optional>

namespace boxdeck {

/// What kind of failure happened, as far as a caller has to branch on it. One kind per row of the neutral error
/// taxonomy (protocol/lifecycle.md section 9), plus Local for this computer's own disk and permissions.
/// A cancelled call has no outcome, so there is no kind for it.
enum class ErrorKind {
    NotFound,       ///< the object does not exist
    Terminal,       ///< permanently gone
    Authentication, ///< missing or refused credential
    InvalidRequest, ///< the request itself was wrong
    Unsupported,    ///< this server can't do that
    Conflict,       ///< the object's state forbids it now
    Capacity,       ///< quota, rate or space
    Timeout,        ///< no answer in time, effect unknown
    Unavailable,    ///< network or server out of reach
    Internal,       ///< anything else, including an answer that can't be read
    Local,          ///< a file, folder or program on this computer
};

/// Whether the request may have had an effect. Decides if repeating it is safe.
enum class Delivery {
    NotSent,  ///< never reached the server
    Unknown,  ///< may have reached it
    Answered, ///< the server answered
};

/// A failure. `message` is what the server or the system said, untranslated and untrusted; sentences for
/// people are made from `kind` in ui/common. Branch on `kind` and `code`, never on `message`.
struct Error
{
    ErrorKind kind = ErrorKind::Internal;
    Delivery delivery = Delivery::NotSent;
    int httpStatus = 0; ///< 0 without an HTTP answer
    QString code;       ///< machine code: Connect code, or `error_code` of the control plane; may be empty
    QString message;
    QString requestId;                              ///< the server's id of the request, if it sent one
    std::optional<std::chrono::seconds> retryAfter; ///< from Retry-After

    bool operator==(const Error &) const = default;
};

/// The kind's stable English name, for logs.
QLatin1String kindName(ErrorKind kind);

/// True if only this kind proves that the object is gone, so that a view or binding of it may be dropped.
bool provesGone(ErrorKind kind);

/// An error of this computer, e.g. a full disk.
Error localError(const QString &message);

} // namespace boxdeck
