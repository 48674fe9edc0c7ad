// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/call.h"
#include "backend/core/secret.h"
#include "backend/session/keychain.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QUuid>

#include <chrono>
#include <memory>

namespace boxdeck::session {

/// Keys of profiles: in the desktop's keychain, or in memory for this session. Never in a file of ours.
///
/// Errors carry one of these codes, and they lead to different answers:
/// - "not_found"  (NotFound)       no entry; the only one after which write() writes
/// - "no_service" (Unavailable)    this desktop has no keychain
/// - "locked"     (Authentication) the keychain is locked
/// - "denied"     (Authentication) access was refused
/// - "timeout"    (Timeout)        no answer within the deadline; a key that comes later is announced
/// - "exists"     (Conflict)       write() met another key; nothing was changed
/// - "failed"     (Internal)       anything else, with the keychain's words
/// For all but the first the choice to offer is keepInMemory(): a failed read must never look like an empty one.
class SecretVault : public QObject
{
    Q_OBJECT

public:
    explicit SecretVault(std::unique_ptr<Keychain> keychain = systemKeychain(), QObject *parent = nullptr);
    ~SecretVault() override;

    /// How long an operation may take before it answers "timeout"; 5 s.
    void setDeadline(std::chrono::milliseconds deadline) { m_deadline = deadline; }

    /// The key of a profile: from memory if it is there, else from the keychain.
    Call<Secret> read(const QUuid &profile);

    /// Stores a first key, after making sure that there is none. Storing the same key again succeeds.
    Call<void> write(const QUuid &profile, const Secret &secret);

    /// Stores a key over an older one. The keychain must be readable all the same.
    Call<void> replace(const QUuid &profile, const Secret &secret);

    /// Forgets the key everywhere. No entry is a success.
    Call<void> remove(const QUuid &profile);

    /// Keeps the key until the app ends, and nowhere else.
    void keepInMemory(const QUuid &profile, const Secret &secret);
    void forgetMemory(const QUuid &profile); ///< what is in the keychain stays there
    bool isInMemory(const QUuid &profile) const { return m_memory.contains(profile); }

Q_SIGNALS:
    /// A read that had answered "timeout" got its key after all (somebody unlocked the keychain); read() has it now.
    void arrivedLate(const QUuid &profile);

private:
    Call<void> store(const QUuid &profile, const Secret &secret, bool overwrite);
    template <typename T> void startDeadline(const Promise<T> &promise);

    std::unique_ptr<Keychain> m_keychain;
    std::chrono::milliseconds m_deadline{5000};
    QHash<QUuid, Secret> m_memory;
    QSet<QUuid> m_awaited; // reads that timed out and may still be answered
};

} // namespace boxdeck::session
