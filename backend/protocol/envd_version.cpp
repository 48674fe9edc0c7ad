// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/envd_version.h"

#include <QRegularExpression>

namespace boxdeck::protocol {

namespace {

struct Gate
{
    QVersionNumber since;
    QLatin1String what;
};

Gate gateOf(EnvdFeature feature)
{
    switch (feature) {
    case EnvdFeature::RecursiveWatch:
        return {QVersionNumber(0, 1, 4), QLatin1String("watching folders within a folder")};
    case EnvdFeature::Metrics:
        return {QVersionNumber(0, 1, 5), QLatin1String("telling the use of processor and memory")};
    case EnvdFeature::OwnDefaultUser:
        return {QVersionNumber(0, 4, 0), QLatin1String("choosing the user by itself")};
    case EnvdFeature::CloseStdin:
        return {QVersionNumber(0, 5, 2), QLatin1String("ending the input of a process")};
    case EnvdFeature::Compose:
        return {QVersionNumber(0, 5, 5), QLatin1String("joining uploaded parts")};
    case EnvdFeature::RawUpload:
        return {QVersionNumber(0, 5, 7), QLatin1String("taking a file as a raw body")};
    case EnvdFeature::FileMetadata:
        return {QVersionNumber(0, 6, 2), QLatin1String("metadata of files")};
    case EnvdFeature::WatchEntries:
        return {QVersionNumber(0, 6, 3), QLatin1String("telling entries with changes")};
    case EnvdFeature::WatchNetworkMounts:
        return {QVersionNumber(0, 6, 4), QLatin1String("watching network mounts")};
    }
    return {};
}

} // namespace

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

bool EnvdVersion::mayHave(EnvdFeature feature) const
{
    return !isKnown() || surelyHas(feature);
}

bool EnvdVersion::surelyHas(EnvdFeature feature) const
{
    return isKnown() && m_version >= gateOf(feature).since;
}

Error EnvdVersion::lacks(EnvdFeature feature) const
{
    const Gate gate = gateOf(feature);
    const QString here = isKnown() ? QStringLiteral("has %1").arg(toString()) : QStringLiteral("does not tell its own");
    return {
        .kind = ErrorKind::Unsupported,
        .code = QStringLiteral("too_old"),
        .message =
            QStringLiteral("%1 needs envd %2 or newer; this sandbox %3").arg(gate.what, gate.since.toString(), here)};
}

} // namespace boxdeck::protocol
