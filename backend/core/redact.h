// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonValue>
#include <QString>

namespace boxdeck {

/// What stands where something was taken out.
inline constexpr QLatin1String redactedMark("***");

/// JSON made safe to show, copy or log: of whatever origin and shape, however deep. The names of members stay, their
/// values go where the name says secret (key, token, password, credential, authorization, cookie …), where the member
/// holds what people put secrets into (environment variables, headers, metadata, MCP settings, volume mounts, network
/// rules and proxies; protocol/adapters.md 12.6, 12.10), and where the text itself looks like one. Nested more than 32
/// deep is cut, too.
QJsonValue redacted(const QJsonValue &value);

/// Text made safe likewise: keys of known forms, bearer and basic credentials, and what an address carries before @ or
/// behind ?.
QString redactedText(const QString &text);

} // namespace boxdeck
