// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/envd_version.h"

#include <QRegularExpression>

namespace boxdeck::protocol {

EnvdVersion::EnvdVersion(const QString &text)
{
    static const QRegularExpression shape(
        QStringLiteral("^\\s*v?(\\d{1,6}(?:\\.\\d{1,6}){1,2})(?:[-+][0-9A-Za-z.+-]*)?\\s*$"));
    const QRegularExpressionMatch match = shape.match(text);
    if (match.hasMatch())
        m_version = QVersionNumber::fromString(match.captured(1));
}

bool EnvdVersion::mayHave(int major, int minor, int patch) const
{
    return !isKnown() || surelyHas(major, minor, patch);
}

bool EnvdVersion::surelyHas(int major, int minor, int patch) const
{
    return isKnown() && m_version >= QVersionNumber(major, minor, patch);
}

} // namespace boxdeck::protocol
