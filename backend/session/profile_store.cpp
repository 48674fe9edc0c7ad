// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/profile_store.h"

#include "backend/session/json_file.h"

#include <QJsonArray>

#include <algorithm>

namespace boxdeck::session {

namespace {

const auto kProfiles = QLatin1String("profiles");

} // namespace

ProfileStore::ProfileStore(QString file)
    : m_file(std::move(file))
{
}

Result<void> ProfileStore::load()
{
    m_profiles.clear();
    m_rest = {};
    const auto object = readJsonFile(m_file);
    if (!object)
        return Failure(object.error());
    m_rest = *object;
    m_rest.remove(kProfiles);
    const QJsonArray entries = object->value(kProfiles).toArray();
    for (const QJsonValue &entry : entries) {
        const auto profile = profileFromJson(entry.toObject());
        if (profile && !find(profile->id))
            m_profiles.append(*profile);
    }
    return {};
}

std::optional<ConnectionProfile> ProfileStore::find(const QUuid &id) const
{
    for (const ConnectionProfile &profile : m_profiles) {
        if (profile.id == id)
            return profile;
    }
    return std::nullopt;
}

Result<void> ProfileStore::save(const ConnectionProfile &profile)
{
    if (profile.ephemeral || profile.id.isNull())
        return Failure(Error{.kind = ErrorKind::InvalidRequest, .message = QStringLiteral("a profile not to be kept")});
    QList<ConnectionProfile> next = m_profiles;
    const auto at = std::find_if(next.begin(), next.end(), [&](const auto &old) { return old.id == profile.id; });
    if (at != next.end())
        *at = profile;
    else
        next.append(profile);
    return write(std::move(next));
}

Result<void> ProfileStore::remove(const QUuid &id)
{
    QList<ConnectionProfile> next = m_profiles;
    if (next.removeIf([&](const ConnectionProfile &profile) { return profile.id == id; }) == 0)
        return {};
    return write(std::move(next));
}

QString ProfileStore::uniqueName(const QString &wanted, const QUuid &except) const
{
    const auto taken = [&](const QString &name) {
        return std::any_of(m_profiles.begin(), m_profiles.end(),
                           [&](const auto &profile) { return profile.name == name && profile.id != except; });
    };
    QString name = wanted;
    for (int number = 2; taken(name); ++number)
        name = QStringLiteral("%1 (%2)").arg(wanted).arg(number);
    return name;
}

Result<void> ProfileStore::write(QList<ConnectionProfile> profiles)
{
    QJsonArray entries;
    for (const ConnectionProfile &profile : profiles)
        entries.append(toJson(profile));
    QJsonObject object = m_rest;
    object[kProfiles] = entries;
    auto done = writeJsonFile(m_file, object);
    if (done)
        m_profiles = std::move(profiles);
    return done;
}

} // namespace boxdeck::session
