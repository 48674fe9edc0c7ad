// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVersionNumber>

namespace boxdeck::protocol {

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

private:
    QVersionNumber m_version;
};

} // namespace boxdeck::protocol
