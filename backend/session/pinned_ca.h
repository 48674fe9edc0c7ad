// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QSslConfiguration>
#include <QString>

namespace boxdeck::session {

/// TLS that trusts the authorities in a PEM file and nobody else. Local error, code "ca_unreadable" or "ca_empty" (no
/// certificate in it), with the file as the message: never the system's trust instead.
Result<QSslConfiguration> trustOnly(const QString &pemFile);

} // namespace boxdeck::session
