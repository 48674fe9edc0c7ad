// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/connection_test.h"
#include "backend/session/local_host.h"
#include "backend/session/profile_store.h"
#include "backend/session/secret_vault.h"
#include "backend/session/session.h"
#include "backend/session/settings.h"

#include <QHash>
#include <QObject>

#include <memory>
#include <vector>

namespace boxdeck::session {

/// Where a key is kept. There is no file on purpose.
enum class KeyPlace { Keychain, ThisSession };

/// The accounts of the app: "This computer" and servers with a key each; which one is current; and a Session for each
/// that is in use.
class Accounts : public QObject
{
    Q_OBJECT

public:
    enum class State {
        Idle,       ///< not used yet in this run
        Connecting, ///< waiting for the keychain, or for boxdeck-host
        Ready,      ///< session() is there; whether the server answers is told by its stores
        NeedsKey,   ///< the keychain gave none: error() has a SecretVault code
        Failed,     ///< boxdeck-host could not be started, or the CA file can't be used: error() says why
    };

    struct Parts
    {
        ProfileStore &profiles;
        SecretVault &vault;
        LocalHost &localHost;
        Settings &settings;
        net::HttpTransport &transport;
        const Clock &clock;
    };

    explicit Accounts(const Parts &parts, QObject *parent = nullptr);
    ~Accounts() override;

    /// Reads the profiles, makes "This computer" (named `localName`) if it is not there yet, and activates the current
    /// account. Local error if the saved profiles could not be read: they were set aside, and the app still works.
    Result<void> load(const QString &localName);

    /// Until letGo(), accounts that are activated stay Connecting: neither the keychain is asked nor boxdeck-host
    /// started. Both cost the first frame of the window dearly.
    void holdBack() { m_heldBack = true; }
    void letGo();

    QList<QUuid> ids() const; ///< in the order shown to people
    std::optional<ConnectionProfile> profile(const QUuid &id) const;
    State state(const QUuid &id) const;
    std::optional<Error> error(const QUuid &id) const;
    bool keyIsInMemoryOnly(const QUuid &id) const;
    /// Null unless the account was Ready once in this run. Stays the same object until the account is removed.
    Session *session(const QUuid &id) const;

    QUuid current() const { return m_current; }
    Session *currentSession() const { return session(m_current); }
    /// Makes an account current and activates it.
    void setCurrent(const QUuid &id);
    /// Gets an account ready for use: reads its key, or starts boxdeck-host. Also the retry after NeedsKey and Failed.
    void activate(const QUuid &id);

    /// Adds an account with its key and makes it current. With KeyPlace::Keychain the key is stored first; a
    /// SecretVault error then means that nothing was added, and KeyPlace::ThisSession can be offered. The name is made
    /// unique. A CA file that can't be used is refused, see trustOnly(). Like setKey() and remove() it is carried to
    /// its end even if the caller loses interest. `defaults` go where the key goes.
    Call<QUuid> add(ConnectionProfile profile, const Secret &key, KeyPlace place, const CreateDefaults &defaults = {});
    /// An account for this run only (--connect), current at once; its key stays in memory.
    QUuid addEphemeral(ConnectionProfile profile, const Secret &key);
    /// Gives an existing account a key: the answer to NeedsKey, or another key in place of the old one.
    Call<void> setKey(const QUuid &id, const Secret &key, KeyPlace place);
    Result<void> rename(const QUuid &id, const QString &name);
    /// Saves other settings of a profile (address, domain, user …); kind and id stay. A CA file that can't be used is
    /// refused, see trustOnly().
    Result<void> update(const ConnectionProfile &profile);
    /// Forgets the account and its key. "This computer" can't be removed (Unsupported). A keychain that can't delete
    /// the key now (locked, denied, no answer) gives its error and the account stays, unless `evenIfKeyStays`.
    Call<void> remove(const QUuid &id, bool evenIfKeyStays = false);

    /// Tries an address and a key without saving anything.
    Call<TestReport> test(const ConnectionProfile &profile, const Secret &key);
    /// Tries what was typed for an account that has its key already.
    Call<TestReport> testWithKeptKey(const ConnectionProfile &profile);

    /// The key in E2B_API_KEY, to be offered: nothing uses it before a person says so.
    static std::optional<Secret> offeredEnvKey();

    void setVisible(bool visible); ///< sessions poll slower while the window is hidden

Q_SIGNALS:
    void added(const QUuid &id);
    void removed(const QUuid &id); ///< its session is gone when this is emitted
    void aboutToRemove(const QUuid &id);
    void changed(const QUuid &id); ///< name, settings, state or error
    void currentChanged(const QUuid &id);
    void sessionReady(const QUuid &id); ///< session(id) is there, or was given a new address
    /// The keychain does not keep what belongs to this account's sandboxes; see Session::secretsNotKept().
    void secretsNotKept(const QUuid &id, const boxdeck::Error &error);

private:
    struct Account;
    Account *find(const QUuid &id) const;
    void open(const QUuid &id, const Secret &key);
    void setState(const QUuid &id, State state, std::optional<Error> error = {});
    void localReady(const QUrl &apiUrl, const QUrl &sandboxUrl, const Secret &key);
    Account *local() const;
    template <typename T, typename F> Call<T> ownedCall(Call<void> stored, F finish);
    void drop(const QUuid &id);
    Result<net::HttpTransport *> transportFor(const ConnectionProfile &profile);
    void makeSession(Account &account, const Secret &key, net::HttpTransport &transport);
    void append(const ConnectionProfile &profile);
    void connectAccount(Account &account);

    Parts m_parts;
    std::vector<std::unique_ptr<Account>> m_accounts;
    /// One for each CA file that an account pins, by its content. Children of this object: calls may outlive accounts.
    QHash<QByteArray, net::HttpTransport *> m_pinned;
    QUuid m_current;
    bool m_visible = true;
    bool m_heldBack = false;
};

} // namespace boxdeck::session
