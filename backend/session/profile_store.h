// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/connection_profile.h"

#include <QList>

namespace boxdeck::session {

/// The saved profiles, in the order people see them: a JSON file without any secret.
class ProfileStore
{
public:
    /// `file`: where they are kept, e.g. DATA/profiles.json. Nothing is read yet.
    explicit ProfileStore(QString file);

    /// Reads the file. A missing file is an empty list; entries that can't be used are left out; a file that can't be
    /// parsed is set aside and reported, and the list is empty.
    Result<void> load();

    const QList<ConnectionProfile> &profiles() const { return m_profiles; }
    std::optional<ConnectionProfile> find(const QUuid &id) const;

    /// Adds the profile, or replaces the one with its id, and writes the file. Ephemeral profiles are refused
    /// (InvalidRequest). If the disk refuses, the list is as before.
    Result<void> save(const ConnectionProfile &profile);

    /// Forgets the profile. Not an error if it is not there.
    Result<void> remove(const QUuid &id);

    /// A name that no profile but `except` has: `wanted`, or `wanted` with a number.
    QString uniqueName(const QString &wanted, const QUuid &except = {}) const;

private:
    Result<void> write(QList<ConnectionProfile> profiles);

    QString m_file;
    QJsonObject m_rest; // members of a newer version, kept
    QList<ConnectionProfile> m_profiles;
};

} // namespace boxdeck::session
