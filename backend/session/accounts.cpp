// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/accounts.h"

#include "backend/core/logging.h"
#include "backend/session/pinned_ca.h"

#include <QCryptographicHash>
#include <QPointer>

#include <algorithm>

namespace boxdeck::session {

namespace {

using Kind = ConnectionProfile::Kind;

QString capabilitiesName(const QUuid &id)
{
    return QStringLiteral("capabilities/") + id.toString(QUuid::WithoutBraces);
}

Error noSuchAccount()
{
    return Error{.kind = ErrorKind::NotFound, .message = QStringLiteral("no such account")};
}

} // namespace

struct Accounts::Account
{
    ConnectionProfile profile;
    State state = State::Idle;
    std::optional<Error> error;
    std::unique_ptr<Session> session;
    Call<Secret> reading;
};

Accounts::Accounts(const Parts &parts, QObject *parent)
    : QObject(parent)
    , m_parts(parts)
{
    connect(&parts.localHost, &LocalHost::ready, this, &Accounts::localReady);
    connect(&parts.localHost, &LocalHost::failed, this, [this](const Error &error) {
        if (const Account *account = local())
            setState(account->profile.id, State::Failed, error);
    });
    connect(&parts.localHost, &LocalHost::lost, this, [this] {
        if (const Account *account = local())
            setState(account->profile.id, State::Connecting);
    });
    connect(&parts.vault, &SecretVault::arrivedLate, this, [this](const QUuid &id) {
        const Account *account = find(id);
        if (account && account->state == State::NeedsKey)
            activate(id);
    });
}

Accounts::~Accounts() = default;

Result<void> Accounts::load(const QString &localName)
{
    const auto loaded = m_parts.profiles.load();
    for (const ConnectionProfile &profile : m_parts.profiles.profiles())
        append(profile);
    if (!local()) {
        const auto profile = ConnectionProfile::thisComputer(m_parts.profiles.uniqueName(localName));
        append(profile);
        if (const auto saved = m_parts.profiles.save(profile); !saved)
            qCWarning(lcSession) << "profiles not saved:" << saved.error().message;
    }
    const QUuid wanted = m_parts.settings.currentAccount();
    setCurrent(find(wanted) ? wanted : local()->profile.id);
    return loaded;
}

void Accounts::append(const ConnectionProfile &profile)
{
    auto account = std::make_unique<Account>();
    account->profile = profile;
    m_accounts.push_back(std::move(account));
    Q_EMIT added(profile.id);
}

Accounts::Account *Accounts::find(const QUuid &id) const
{
    const auto at = std::find_if(m_accounts.begin(), m_accounts.end(),
                                 [&](const auto &account) { return account->profile.id == id; });
    return at == m_accounts.end() ? nullptr : at->get();
}

Accounts::Account *Accounts::local() const
{
    const auto at = std::find_if(m_accounts.begin(), m_accounts.end(),
                                 [](const auto &account) { return account->profile.kind == Kind::ThisComputer; });
    return at == m_accounts.end() ? nullptr : at->get();
}

QList<QUuid> Accounts::ids() const
{
    QList<QUuid> ids;
    for (const auto &account : m_accounts)
        ids.append(account->profile.id);
    return ids;
}

std::optional<ConnectionProfile> Accounts::profile(const QUuid &id) const
{
    const Account *account = find(id);
    return account ? std::optional(account->profile) : std::nullopt;
}

Accounts::State Accounts::state(const QUuid &id) const
{
    const Account *account = find(id);
    return account ? account->state : State::Idle;
}

std::optional<Error> Accounts::error(const QUuid &id) const
{
    const Account *account = find(id);
    return account ? account->error : std::nullopt;
}

bool Accounts::keyIsInMemoryOnly(const QUuid &id) const
{
    return m_parts.vault.isInMemory(id);
}

Session *Accounts::session(const QUuid &id) const
{
    const Account *account = find(id);
    return account ? account->session.get() : nullptr;
}

void Accounts::setState(const QUuid &id, State state, std::optional<Error> error)
{
    Account *account = find(id);
    if (!account || (account->state == state && account->error == error))
        return;
    account->state = state;
    account->error = std::move(error);
    Q_EMIT changed(id);
}

void Accounts::setCurrent(const QUuid &id)
{
    const Account *account = find(id);
    if (!account)
        return;
    if (m_current != id) {
        m_current = id;
        if (!account->profile.ephemeral)
            m_parts.settings.setCurrentAccount(id);
        Q_EMIT currentChanged(id);
    }
    activate(id);
}

void Accounts::activate(const QUuid &id)
{
    Account *account = find(id);
    if (!account || account->state == State::Connecting || account->state == State::Ready)
        return;
    setState(id, State::Connecting);
    if (!m_heldBack)
        connectAccount(*account);
}

void Accounts::letGo()
{
    m_heldBack = false;
    const auto all = ids();
    for (const QUuid &id : all) {
        Account *account = find(id);
        if (account && account->state == State::Connecting && !account->reading.isValid())
            connectAccount(*account);
    }
}

void Accounts::connectAccount(Account &account)
{
    const QUuid id = account.profile.id;
    if (account.profile.kind == Kind::ThisComputer) {
        const LocalHost &host = m_parts.localHost;
        if (host.state() == LocalHost::State::Ready)
            localReady(host.apiUrl(), host.sandboxUrl(), host.apiKey());
        else
            m_parts.localHost.start();
        return;
    }
    account.reading = m_parts.vault.read(id);
    account.reading.then(this, [this, id](const Result<Secret> &key) {
        if (key)
            open(id, *key);
        else
            setState(id, State::NeedsKey, key.error());
    });
}

void Accounts::open(const QUuid &id, const Secret &key)
{
    Account *account = find(id);
    if (!account)
        return;
    const auto transport = transportFor(account->profile);
    if (!transport) {
        setState(id, State::Failed, transport.error()); // never with the system's trust instead
        return;
    }
    if (account->session)
        account->session->reconnect(account->profile, key, *transport);
    else
        makeSession(*account, key, **transport);
    setState(id, State::Ready);
    Q_EMIT sessionReady(id);
}

void Accounts::makeSession(Account &account, const Secret &key, net::HttpTransport &transport)
{
    const QUuid id = account.profile.id;
    account.session = std::make_unique<Session>(account.profile, key, transport, m_parts.clock);
    Session *session = account.session.get();
    session->setVisible(m_visible);
    if (!account.profile.ephemeral) {
        connect(session, &Session::secretsNotKept, this,
                [this, id](const Error &error) { Q_EMIT secretsNotKept(id, error); });
        session->keepSecretsIn(m_parts.vault);
        CapabilityStore &capabilities = session->capabilities();
        capabilities.restore(api::Capabilities::fromJson(m_parts.settings.viewState(capabilitiesName(id)).toObject()));
        connect(&capabilities, &CapabilityStore::changed, this, [this, id, &capabilities] {
            m_parts.settings.setViewState(capabilitiesName(id), capabilities.known().toJson());
        });
    }
    session->start();
}

Result<net::HttpTransport *> Accounts::transportFor(const ConnectionProfile &profile)
{
    if (profile.caFile.isEmpty())
        return &m_parts.transport;
    const auto tls = trustOnly(profile.caFile);
    if (!tls)
        return Failure(tls.error());
    QCryptographicHash content(QCryptographicHash::Sha256);
    const auto authorities = tls->caCertificates();
    for (const QSslCertificate &authority : authorities)
        content.addData(authority.toDer());
    net::HttpTransport *&transport = m_pinned[content.result()];
    if (!transport) {
        net::TransportOptions options;
        options.tls = *tls;
        transport = new net::HttpTransport(std::move(options), this);
    }
    return transport;
}

void Accounts::localReady(const QUrl &apiUrl, const QUrl &sandboxUrl, const Secret &key)
{
    Account *account = local();
    if (!account)
        return;
    account->profile.apiUrl = apiUrl;
    account->profile.sandboxUrl = sandboxUrl;
    open(account->profile.id, key);
}

// What was begun is finished even if the one who asked (a dialog) is gone: half of it would be a key without its
// account, or an account without its key.
template <typename T, typename F> Call<T> Accounts::ownedCall(Call<void> stored, F finish)
{
    Promise<T> promise;
    stored.then(this, [promise, finish](const Result<void> &result) { promise.settle(finish(result)); });
    return promise.call();
}

Call<QUuid> Accounts::add(ConnectionProfile profile, const Secret &key, KeyPlace place, const CreateDefaults &defaults)
{
    if (profile.kind == Kind::ThisComputer || profile.ephemeral)
        return Call<QUuid>::settled(Failure(Error{.kind = ErrorKind::InvalidRequest}));
    if (profile.id.isNull() || find(profile.id))
        profile.id = QUuid::createUuid();
    profile.name = m_parts.profiles.uniqueName(profile.name);
    if (const auto transport = transportFor(profile); !transport)
        return Call<QUuid>::settled(Failure(transport.error()));

    const auto finish = [this, profile, key, defaults](const Result<void> &stored) -> Result<QUuid> {
        if (!stored)
            return Failure(stored.error());
        if (const auto saved = m_parts.profiles.save(profile); !saved) {
            m_parts.vault.remove(profile.id).then(this, [](const Result<void> &) {}); // no key without its account
            return Failure(saved.error());
        }
        append(profile);
        open(profile.id, key);
        if (Session *made = session(profile.id))
            made->setCreateDefaults(defaults);
        setCurrent(profile.id);
        return profile.id;
    };
    if (place == KeyPlace::ThisSession || key.isEmpty()) {
        m_parts.vault.keepInMemory(profile.id, key);
        return Call<QUuid>::settled(finish({}));
    }
    return ownedCall<QUuid>(m_parts.vault.write(profile.id, key), finish);
}

QUuid Accounts::addEphemeral(ConnectionProfile profile, const Secret &key)
{
    profile.ephemeral = true;
    if (profile.id.isNull() || find(profile.id))
        profile.id = QUuid::createUuid();
    m_parts.vault.keepInMemory(profile.id, key);
    // A run for one server uses that one: what the start would have opened waits until it is chosen.
    if (m_heldBack) {
        const auto all = ids();
        for (const QUuid &id : all) {
            if (state(id) == State::Connecting)
                setState(id, State::Idle);
        }
    }
    append(profile);
    setCurrent(profile.id);
    return profile.id;
}

Call<void> Accounts::setKey(const QUuid &id, const Secret &key, KeyPlace place)
{
    Account *account = find(id);
    if (!account || account->profile.kind == Kind::ThisComputer)
        return Call<void>::settled(Failure(noSuchAccount()));
    const auto finish = [this, id, key](const Result<void> &stored) -> Result<void> {
        if (stored)
            open(id, key);
        return stored;
    };
    account->reading.cancel();
    if (place == KeyPlace::ThisSession) {
        m_parts.vault.keepInMemory(id, key);
        return Call<void>::settled(finish({}));
    }
    return ownedCall<void>(m_parts.vault.replace(id, key), finish);
}

Result<void> Accounts::rename(const QUuid &id, const QString &name)
{
    const Account *account = find(id);
    if (!account)
        return Failure(noSuchAccount());
    ConnectionProfile profile = account->profile;
    profile.name = m_parts.profiles.uniqueName(name.trimmed().isEmpty() ? profile.name : name.trimmed(), id);
    return update(profile);
}

Result<void> Accounts::update(const ConnectionProfile &profile)
{
    Account *account = find(profile.id);
    if (!account)
        return Failure(noSuchAccount());
    ConnectionProfile next = profile;
    next.kind = account->profile.kind;
    next.ephemeral = account->profile.ephemeral;
    const auto transport = transportFor(next);
    if (!transport)
        return Failure(transport.error());
    if (!next.ephemeral) {
        ConnectionProfile saved = next;
        if (saved.kind == Kind::ThisComputer) { // its address is the host's affair, and another one each day
            saved.apiUrl.clear();
            saved.sandboxUrl.reset();
        }
        if (auto done = m_parts.profiles.save(saved); !done)
            return done;
    }
    account->profile = next;
    if (account->session) {
        account->session->reconnect(next, account->session->control().endpoint().apiKey, *transport);
        account->state = State::Ready;
        account->error.reset();
    } else if (account->state == State::Failed && next.kind != Kind::ThisComputer) {
        activate(profile.id); // it may be another CA file
    }
    Q_EMIT changed(profile.id);
    return {};
}

Call<void> Accounts::remove(const QUuid &id, bool evenIfKeyStays)
{
    const Account *account = find(id);
    if (!account)
        return Call<void>::settled(Failure(noSuchAccount()));
    if (account->profile.kind == Kind::ThisComputer)
        return Call<void>::settled(Failure(Error{.kind = ErrorKind::Unsupported}));
    const bool stored = !account->profile.ephemeral;
    const auto finish = [this, id, evenIfKeyStays](const Result<void> &forgotten) -> Result<void> {
        // Where there is no keychain, no key of ours can be in it.
        const bool done = forgotten || evenIfKeyStays || forgotten.error().code == QLatin1String("no_service");
        if (!done)
            return forgotten;
        if (auto saved = m_parts.profiles.remove(id); !saved)
            return saved;
        for (const QString &purpose : keptPurposes()) // best effort: the key, which opens things, is gone already
            m_parts.vault.remove(recordEntry(id, purpose)).then(this, [](const Result<void> &) {});
        m_parts.settings.setViewState(capabilitiesName(id), QJsonValue::Undefined);
        drop(id);
        return {};
    };
    if (stored)
        return ownedCall<void>(m_parts.vault.remove(id), finish);
    m_parts.vault.forgetMemory(id);
    return Call<void>::settled(finish({}));
}

void Accounts::drop(const QUuid &id)
{
    if (!find(id))
        return;
    Q_EMIT aboutToRemove(id);
    if (m_current == id)
        setCurrent(local()->profile.id);
    std::erase_if(m_accounts, [&](const auto &entry) { return entry->profile.id == id; });
    Q_EMIT removed(id);
}

Call<TestReport> Accounts::test(const ConnectionProfile &profile, const Secret &key)
{
    return testConnection(profile, key, m_parts.transport);
}

Call<TestReport> Accounts::testWithKeptKey(const ConnectionProfile &profile)
{
    if (Session *known = session(profile.id))
        return test(profile, known->control().endpoint().apiKey);
    return m_parts.vault.read(profile.id).chain([this, self = QPointer(this), profile](const Result<Secret> &key) {
        if (!self || !key)
            return Call<TestReport>::settled(Failure(key ? noSuchAccount() : key.error()));
        return test(profile, *key);
    });
}

std::optional<Secret> Accounts::offeredEnvKey()
{
    Secret key(qgetenv("E2B_API_KEY").trimmed());
    return key.isEmpty() ? std::nullopt : std::optional(std::move(key));
}

void Accounts::setVisible(bool visible)
{
    m_visible = visible;
    for (const auto &account : m_accounts) {
        if (account->session)
            account->session->setVisible(visible);
    }
}

} // namespace boxdeck::session
