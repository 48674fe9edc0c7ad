// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/protocol/ids.h"
#include "backend/session/kept_record.h"

#include <QHash>
#include <QList>

#include <memory>
#include <vector>

namespace boxdeck::session {

/// The traffic tokens of an account's sandboxes. Servers tell one at create and perhaps never again
/// (protocol/compat.md 2.13, 2.14), so they are kept in the keychain, all of an account in one entry, and come back
/// when the app does.
class TrafficTokens : public QObject
{
    Q_OBJECT

public:
    static constexpr qsizetype most = 300; ///< the oldest goes first

    /// In memory only, until keepIn().
    explicit TrafficTokens(QObject *parent = nullptr);
    ~TrafficTokens() override;

    /// Keeps them in the keychain from now on, and reads those of former runs. The vault outlives this.
    void keepIn(SecretVault &vault, const QUuid &account);

    /// The token of a sandbox, empty if none is known. Waits for the keychain, which answers or is given up within its
    /// deadline. Never fails.
    Call<Secret> whenKnown(const protocol::SandboxId &id);
    /// What is known now.
    Secret of(const protocol::SandboxId &id) const;

    /// An empty token is no news: it never replaces a known one (protocol/adapters.md 3.9).
    void put(const protocol::SandboxId &id, const Secret &token);
    void remove(const protocol::SandboxId &id);

Q_SIGNALS:
    /// The keychain does not keep them: they are lost when the app ends. Told once.
    void notKept(const boxdeck::Error &error);

private:
    void load();
    void loaded(const Result<QJsonObject> &record);
    void save();

    struct Entry
    {
        protocol::SandboxId id;
        Secret token;
    };
    QList<Entry> m_entries;               // oldest first
    QList<protocol::SandboxId> m_removed; // before the keychain was read: not to come back
    std::unique_ptr<KeptRecord> m_record;
    bool m_loading = false;
    bool m_unread = false; // what former runs kept is not known
    std::vector<std::pair<protocol::SandboxId, Promise<Secret>>> m_waiting;
};

/// The purpose of its keychain entry, see recordEntry().
QString trafficTokensPurpose();

} // namespace boxdeck::session
