// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/kept_record.h"

#include "backend/core/logging.h"

#include <QJsonDocument>
#include <QPointer>

namespace boxdeck::session {

QUuid recordEntry(const QUuid &account, const QString &purpose)
{
    return QUuid::createUuidV5(account, purpose);
}

KeptRecord::KeptRecord(SecretVault &vault, const QUuid &account, const QString &purpose, QObject *parent)
    : QObject(parent)
    , m_vault(vault)
    , m_entry(recordEntry(account, purpose))
{
    connect(&vault, &SecretVault::arrivedLate, this, [this](const QUuid &entry) {
        if (entry == m_entry)
            Q_EMIT arrivedLate();
    });
}

KeptRecord::~KeptRecord() = default;

Call<QJsonObject> KeptRecord::load()
{
    return m_vault.read(m_entry).map([self = QPointer(this)](const Result<Secret> &read) -> Result<QJsonObject> {
        if (read) {
            if (self)
                self->m_unreadable.reset();
            return QJsonDocument::fromJson(read->reveal()).object();
        }
        if (read.error().code == QLatin1String("not_found"))
            return QJsonObject();
        if (self)
            self->m_unreadable = read.error();
        return Failure(read.error());
    });
}

void KeptRecord::save(const QJsonObject &object)
{
    m_wanted = object;
    m_dirty = true;
    if (!m_writing)
        write();
}

void KeptRecord::write()
{
    m_dirty = false;
    if (m_unreadable) {
        // What can't be read would be lost if it were written over.
        written(Failure(*m_unreadable));
        return;
    }
    m_writing = true;
    auto stored = m_wanted.isEmpty()
                      ? m_vault.remove(m_entry)
                      : m_vault.replace(m_entry, Secret(QJsonDocument(m_wanted).toJson(QJsonDocument::Compact)));
    stored.then(this, [this](const Result<void> &result) {
        m_writing = false;
        written(result);
        if (m_dirty)
            write();
    });
}

void KeptRecord::written(const Result<void> &result)
{
    // Nothing of ours can be in a keychain that is not there.
    if (result || m_wanted.isEmpty() || m_told)
        return;
    m_told = true;
    qCWarning(lcSession) << "kept in memory only:" << result.error().code;
    Q_EMIT notKept(result.error());
}

} // namespace boxdeck::session
