// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/secret_vault.h"

#include <QJsonObject>
#include <QObject>
#include <QTimer>

namespace boxdeck::session {

/// The name of an account's keychain entry for something besides its key, e.g. "traffic-tokens". Always the same for
/// the same two.
QUuid recordEntry(const QUuid &account, const QString &purpose);

/// One small JSON object of an account that may hold secrets, kept in the keychain beside its key, or in memory for
/// this run where there is none. The vault outlives it.
class KeptRecord : public QObject
{
    Q_OBJECT

public:
    KeptRecord(SecretVault &vault, const QUuid &account, const QString &purpose, QObject *parent = nullptr);
    ~KeptRecord() override;

    /// What is there. An empty object if nothing is; a SecretVault error if that can't be known: nothing is then
    /// written over it, save() keeps to memory.
    Call<QJsonObject> load();

    /// Keeps `object`, an empty one by removing the entry. Writes one at a time; only the newest of those that wait.
    void save(const QJsonObject &object);

Q_SIGNALS:
    /// A keychain that gave no answer in time has given it now: load() again.
    void arrivedLate();
    /// What was saved is in memory only, and why; told once.
    void notKept(const boxdeck::Error &error);

private:
    void write();
    void written(const Result<void> &result);

    SecretVault &m_vault;
    QUuid m_entry;
    QJsonObject m_wanted;
    std::optional<Error> m_unreadable;
    bool m_dirty = false;
    bool m_writing = false;
    bool m_told = false;
};

} // namespace boxdeck::session
