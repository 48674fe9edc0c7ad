// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

#include <QString>
#include <QVersionNumber>

namespace boxdeck::protocol {

/// What an envd has from some version on (protocol/envd.md section 11).
enum class EnvdFeature {
    RecursiveWatch,     ///< 0.1.4
    Metrics,            ///< 0.1.5
    OwnDefaultUser,     ///< 0.4.0: who runs what names nobody; before, `user` must be named always
    CloseStdin,         ///< 0.5.2
    Compose,            ///< 0.5.5
    RawUpload,          ///< 0.5.7
    FileMetadata,       ///< 0.6.2
    WatchEntries,       ///< 0.6.3
    WatchNetworkMounts, ///< 0.6.4
};

/// The version a sandbox's envd reports, as gates ask for it (protocol/envd.md section 11). Some servers send free
/// text such as "test" or nothing; such a version is not known.
class EnvdVersion
{
public:
    EnvdVersion() = default;
    /// Reads "0.6.13", "v0.6.13" and "0.6"; anything else is not known.
    explicit EnvdVersion(const QString &text);

    bool isKnown() const { return !m_version.isNull(); }
    /// For what an older envd would refuse but a foreign one probably has: an unknown version passes.
    bool mayHave(int major, int minor, int patch) const;
    /// For what breaks where it is missing (raw uploads): an unknown version does not pass.
    bool surelyHas(int major, int minor, int patch) const;

    bool mayHave(EnvdFeature feature) const;
    bool surelyHas(EnvdFeature feature) const;
    /// Why a feature is not asked for: Unsupported, code "too_old", with both versions in its message.
    Error lacks(EnvdFeature feature) const;

    QString toString() const { return m_version.toString(); } ///< empty if it is not known

private:
    QVersionNumber m_version;
};

} // namespace boxdeck::protocol
