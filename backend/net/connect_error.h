// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/net/http_request.h"

#include <QJsonObject>

namespace boxdeck::net {

/// The kind behind a Connect code (protocol/lifecycle.md section 9). Internal for an unknown one.
ErrorKind connectKind(const QString &code);

/// The Connect code a plain HTTP failure stands for (protocol/envd.md section 8.6).
QString connectCodeOfStatus(int status);

/// The error of a failed RPC. A Connect error (text code) is taken as it is; anything else is mapped by its numeric
/// code or its status, and `code` is prefixed with "http_" so that e.g. a proxy's 404 is not taken for a missing file:
/// its kind is Unsupported (protocol/compat.md 3.24). 502 from the proxy has the code "http_bad_gateway" when its body
/// names the sandbox, else "http_unavailable".
Error connectErrorOf(const HttpResponse &response);

/// The error object of an end-of-stream envelope.
Error connectErrorOf(const QJsonObject &error);

/// Why a stream failed, from the payload of its end envelope; nothing if it did not. An empty payload is not conforming
/// but sent by some servers: no error (protocol/compat.md 3.15).
std::optional<Error> endOfStreamError(const QByteArray &payload);

/// What a server said in an error body: its `message`, `error` or `detail`, else the text itself, cut to a sane length,
/// else the reason phrase of the status (protocol/control-plane.md section 3). Untrusted.
QString messageOfBody(int status, const QByteArray &body);

} // namespace boxdeck::net
