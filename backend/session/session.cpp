// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/session.h"

#include "backend/core/logging.h"
#include "backend/session/create_flow.h"

#include <QPointer>

#include <algorithm>

using namespace std::chrono_literals;
using std::chrono::seconds;

namespace boxdeck::session {

using protocol::ForkRequest;
using protocol::ForkResult;
using protocol::SandboxAccess;
using protocol::SandboxDetail;
using protocol::SandboxId;
using protocol::SandboxState;

namespace {

using EnvdPtr = std::shared_ptr<api::Envd>;

// Further requests for one list of templates, for those whose build is under way.
constexpr int mostReconciled = 10;

// The window and its lists come first.
constexpr auto askAfter = 3s;

QString defaultsPurpose()
{
    return QStringLiteral("create-defaults");
}

Error conflict(const char *code, const QString &message)
{
    return Error{
        .kind = ErrorKind::Conflict, .delivery = Delivery::NotSent, .code = QLatin1String(code), .message = message};
}

Error sessionGone()
{
    return Error{.kind = ErrorKind::Internal, .message = QStringLiteral("the account was closed")};
}

/// Why a sandbox in this state has no data plane now.
std::optional<Error> notRunning(const protocol::SandboxSummary &sandbox)
{
    switch (sandbox.state) {
    case SandboxState::Running:
        return std::nullopt;
    case SandboxState::Paused:
        return conflict("paused", sandbox.rawState);
    case SandboxState::Terminal:
        return Error{.kind = ErrorKind::Terminal, .delivery = Delivery::Answered, .message = sandbox.rawState};
    case SandboxState::Transitioning:
    case SandboxState::Unknown:
        break;
    }
    return conflict("not_running", sandbox.rawState);
}

} // namespace

api::Endpoint endpointOf(const ConnectionProfile &profile, Secret key)
{
    api::Endpoint endpoint;
    endpoint.apiUrl = profile.apiUrl;
    endpoint.sandboxUrl = profile.sandboxUrl;
    endpoint.domain = profile.domain;
    endpoint.envdScheme = profile.envdScheme.isEmpty() ? profile.apiUrl.scheme() : profile.envdScheme;
    if (profile.gateway)
        endpoint.gateway = net::Gateway::parse(profile.gateway->toString());
    endpoint.apiKey = std::move(key);
    endpoint.user = profile.user;
    endpoint.envdPort = profile.envdPort;
    endpoint.forceMultipart = profile.forceMultipart;
    endpoint.createDialect.plainFieldsOnly = profile.strict;
    return endpoint;
}

Session::Session(ConnectionProfile profile, Secret key, net::HttpTransport &transport, const Clock &clock,
                 QObject *parent)
    : QObject(parent)
    , m_profile(std::move(profile))
    , m_transport(&transport)
    , m_clock(clock)
{
    makeClients(std::move(key));
    m_sandboxes = std::make_unique<SandboxStore>(
        SandboxStore::Source{.list = [this] { return m_control->listAllSandboxes(); },
                             .detail = [this](const SandboxId &id) { return m_control->sandbox(id); },
                             .clockOffsetMs = [this] { return m_control->clockOffsetMs(); }},
        clock);
    m_templates = std::make_unique<TemplateStore>([this] { return listTemplates(); }, clock);

    m_capabilities = std::make_unique<CapabilityStore>(
        CapabilityStore::Source{
            .probe =
                [this](api::Capabilities known) {
                    return api::probeCapabilities(*m_transport, m_control->endpoint(), m_clock, std::move(known));
                },
            .fingerprint = [this] { return api::serverFingerprint(*m_transport, m_control->endpoint()); },
            .address = [this] { return m_profile.apiUrl.toString(QUrl::FullyEncoded); }},
        clock);
    listenToAnswers();
    m_askSoon.setSingleShot(true);
    m_askSoon.setInterval(askAfter);
    connect(&m_askSoon, &QTimer::timeout, m_capabilities.get(), &CapabilityStore::checkIfNeeded);
    connect(m_sandboxes.get(), &SandboxStore::updated, this, [this] {
        if (!m_askSoon.isActive())
            m_askSoon.start();
    });
    connect(&m_tokens, &TrafficTokens::notKept, this, &Session::secretsNotKept);

    // A sandbox that is gone or was paused may come back with another daemon behind the same id.
    connect(m_sandboxes.get(), &SandboxStore::removed, this, [this](const SandboxId &id) {
        m_envds.remove(id);
        m_tokens.remove(id);
    });
    connect(m_sandboxes.get(), &SandboxStore::changed, this, [this](const SandboxId &id) {
        const auto sandbox = m_sandboxes->find(id);
        if (sandbox && sandbox->state != SandboxState::Running)
            m_envds.remove(id);
    });
}

Session::~Session() = default;

QStringList keptPurposes()
{
    return {trafficTokensPurpose(), defaultsPurpose()};
}

void Session::keepSecretsIn(SecretVault &vault)
{
    if (m_keptDefaults)
        return;
    m_tokens.keepIn(vault, m_profile.id);
    m_keptDefaults = std::make_unique<KeptRecord>(vault, m_profile.id, defaultsPurpose());
    connect(m_keptDefaults.get(), &KeptRecord::notKept, this, &Session::secretsNotKept);
    const auto load = [this] {
        m_keptDefaults->load().then(this, [this](const Result<QJsonObject> &record) {
            // What was set meanwhile is newer.
            if (!record || record->isEmpty() || !m_defaults.isEmpty())
                return;
            m_defaults = CreateDefaults::fromJson(*record);
            Q_EMIT createDefaultsChanged();
        });
    };
    connect(m_keptDefaults.get(), &KeptRecord::arrivedLate, this, load);
    load();
}

void Session::setCreateDefaults(const CreateDefaults &defaults)
{
    if (m_defaults == defaults)
        return;
    m_defaults = defaults;
    if (m_keptDefaults)
        m_keptDefaults->save(defaults.isEmpty() ? QJsonObject() : defaults.toJson());
    Q_EMIT createDefaultsChanged();
}

// A list shows the newest build with the tag "default", and not whether an older one boots or any ever will.
Call<QList<protocol::TemplateSummary>> Session::listTemplates()
{
    using List = QList<protocol::TemplateSummary>;
    return m_control->listTemplates().chain([client = m_control->templates()](Result<List> list) mutable {
        if (!list)
            return Call<List>::settled(std::move(list));
        return client.reconcileAll(std::move(*list), mostReconciled);
    });
}

template <typename T> Call<T> Session::thenListTemplates(Call<T> call)
{
    return std::move(call).map([self = QPointer(this)](Result<T> result) {
        if (self)
            self->m_templates->refresh();
        return result;
    });
}

Call<protocol::TemplateSummary> Session::ensureStandardTemplate(const api::StandardTemplate &wanted)
{
    return thenListTemplates(api::ensureStandardTemplate(m_control->templates(), wanted));
}

Call<protocol::TemplateSummary> Session::replaceStandardTemplate(const api::StandardTemplate &wanted)
{
    return thenListTemplates(api::replaceStandardTemplate(m_control->templates(), wanted));
}

Call<QMap<protocol::TemplateId, Error>> Session::removeSupersededTemplates(const QString &name,
                                                                           const protocol::TemplateId &keep)
{
    return thenListTemplates(api::removeSuperseded(m_control->templates(), name, keep));
}

void Session::listenToAnswers()
{
    connect(m_transport, &net::HttpTransport::answered, this,
            [this](const QByteArray &method, const QUrl &url, const net::HttpResponse &response) {
                // The transport serves other accounts as well.
                const QUrl &base = m_profile.apiUrl;
                QString prefix = base.path(QUrl::FullyEncoded);
                while (prefix.endsWith(u'/'))
                    prefix.chop(1);
                const QString path = url.path(QUrl::FullyEncoded);
                if (url.scheme() != base.scheme() || url.authority() != base.authority() ||
                    !path.startsWith(prefix + u'/'))
                    return;
                m_capabilities->learn(method, path.mid(prefix.size()).toLatin1(), response);
            });
}

void Session::start()
{
    m_sandboxes->start();
    m_templates->start();
}

void Session::stop()
{
    m_sandboxes->stop();
    m_templates->stop();
}

void Session::setVisible(bool visible)
{
    m_sandboxes->setVisible(visible);
    m_templates->setVisible(visible);
}

void Session::makeClients(Secret key)
{
    m_control = std::make_unique<api::ControlPlaneClient>(*m_transport, endpointOf(m_profile, std::move(key)));
}

void Session::reconnect(ConnectionProfile profile, Secret key, net::HttpTransport *transport)
{
    if (transport && transport != m_transport) {
        disconnect(m_transport, nullptr, this, nullptr);
        m_transport = transport;
        listenToAnswers();
    }
    m_profile = std::move(profile);
    m_envds.clear();
    makeClients(std::move(key));
    m_sandboxes->noteLocalChange(); // answers of the old address count no more
    m_sandboxes->refresh();
    m_templates->refresh();
    m_capabilities->reconnected();
    Q_EMIT endpointChanged();
}

Call<EnvdPtr> Session::envd(const SandboxId &id)
{
    if (const auto kept = m_envds.constFind(id); kept != m_envds.constEnd())
        return Call<EnvdPtr>::settled(*kept);
    return m_sandboxes->refreshOne(id).chain(
        [this, self = QPointer(this)](const Result<SandboxDetail> &detail) -> Call<EnvdPtr> {
            if (!self)
                return Call<EnvdPtr>::settled(Failure(sessionGone()));
            if (!detail)
                return Call<EnvdPtr>::settled(Failure(detail.error()));
            if (auto error = notRunning(*detail))
                return Call<EnvdPtr>::settled(Failure(*error));
            // The detail never tells the traffic token; the keychain may still be about to.
            return m_tokens.whenKnown(detail->id)
                .map([this, self, detail = *detail](const Result<Secret> &token) -> Result<EnvdPtr> {
                    if (!self)
                        return Failure(sessionGone());
                    EnvdPtr &envd = m_envds[detail.id];
                    if (!envd)
                        envd = std::make_shared<api::Envd>(
                            *m_transport, api::targetOf(m_control->endpoint(), detail, token.value_or(Secret())));
                    return envd;
                });
        });
}

void Session::forgetEnvd(const SandboxId &id)
{
    m_envds.remove(id);
}

void Session::keepTrafficToken(const SandboxAccess &access)
{
    m_tokens.put(access.id, access.trafficAccessToken);
}

Call<SandboxAccess> Session::create(protocol::NewSandbox wanted)
{
    m_sandboxes->noteLocalChange();
    return createOnce(*m_control, std::move(wanted), createMark())
        .map([this, self = QPointer(this)](Result<SandboxAccess> access) {
            if (!self)
                return access;
            m_sandboxes->noteLocalChange();
            if (!access) {
                m_sandboxes->refresh();
            } else {
                showSoon(access->id);
                keepTrafficToken(*access);
                const auto &endpoint = m_control->endpoint();
                m_envds.insert(access->id, std::make_shared<api::Envd>(*m_transport, api::targetOf(endpoint, *access)));
            }
            return access;
        });
}

// Its detail is there at once; a list may leave it out for a while.
void Session::showSoon(const SandboxId &id)
{
    m_sandboxes->noteLocalChange();
    m_sandboxes->refreshOne(id).then(this, [this](const Result<SandboxDetail> &) { m_sandboxes->refresh(); });
}

Call<void> Session::pause(const SandboxId &id)
{
    return m_control->pause(id).chain([this, self = QPointer(this), id](const Result<void> &paused) {
        if (!self)
            return Call<void>::settled(paused);
        m_envds.remove(id);
        // The answer alone is not the truth: 409 may mean "paused already", 500 that the sandbox was lost.
        return m_sandboxes->refreshOne(id).map([paused](const Result<SandboxDetail> &detail) -> Result<void> {
            if (paused || (detail && detail->state == SandboxState::Paused))
                return {};
            return paused;
        });
    });
}

Call<void> Session::kill(const SandboxId &id)
{
    return m_control->kill(id).map([this, self = QPointer(this), id](const Result<void> &killed) {
        if (self && killed) {
            m_tokens.remove(id);
            m_sandboxes->forget(id);
        }
        if (self)
            m_sandboxes->refresh();
        return killed;
    });
}

Call<SandboxAccess> Session::resume(const SandboxId &id, seconds lifetime)
{
    return m_control->connect(id, std::max(lifetime, 1s))
        .map([this, self = QPointer(this), id](Result<SandboxAccess> access) {
            if (!self)
                return access;
            m_envds.remove(id);
            if (access)
                keepTrafficToken(*access);
            showSoon(id);
            return access;
        });
}

Call<QList<ForkResult>> Session::fork(const SandboxId &id, const ForkRequest &request)
{
    return m_control->fork(id, request).map([this, self = QPointer(this), id](Result<QList<ForkResult>> forks) {
        if (!self)
            return forks;
        if (forks) {
            for (const ForkResult &one : *forks) {
                if (one)
                    keepTrafficToken(*one);
            }
        }
        showSoon(id); // a checkpoint that failed may have cost the source
        return forks;
    });
}

Call<QDateTime> Session::extend(const SandboxId &id, seconds by)
{
    if (by < 1s) {
        return Call<QDateTime>::settled(
            Failure(Error{.kind = ErrorKind::InvalidRequest, .message = QStringLiteral("less than a second")}));
    }
    return m_sandboxes->refreshOne(id).chain(
        [this, self = QPointer(this), by](const Result<SandboxDetail> &detail) -> Call<QDateTime> {
            if (!self)
                return Call<QDateTime>::settled(Failure(sessionGone()));
            if (!detail)
                return Call<QDateTime>::settled(Failure(detail.error()));
            if (auto error = notRunning(*detail))
                return Call<QDateTime>::settled(Failure(*error));
            if (!detail->endAt.isValid())
                return Call<QDateTime>::settled(QDateTime()); // it never ends
            return extendFrom(*detail, by);
        });
}

Call<QDateTime> Session::extendFrom(const SandboxDetail &detail, seconds by)
{
    const QDateTime oldEnd = detail.endAt;
    // The server takes a life from now, so what is left is added; rounded up, or a round trip would eat a second.
    const qint64 leftMs = std::max<qint64>(0, m_sandboxes->serverNow().msecsTo(oldEnd));
    const seconds life = by + seconds((leftMs + 999) / 1000);
    return m_control->setTimeout(detail.id, life)
        .chain([this, self = QPointer(this), id = detail.id, oldEnd](const Result<void> &set) -> Call<QDateTime> {
            if (!self)
                return Call<QDateTime>::settled(Failure(sessionGone()));
            if (!set)
                return Call<QDateTime>::settled(Failure(set.error()));
            // Servers may cap what they were asked for: only the detail tells the end.
            return m_sandboxes->refreshOne(id).map([oldEnd](const Result<SandboxDetail> &now) -> Result<QDateTime> {
                if (!now)
                    return Failure(now.error());
                if (now->endAt.isValid() && now->endAt <= oldEnd) {
                    return Failure(
                        Error{.kind = ErrorKind::Capacity,
                              .delivery = Delivery::Answered,
                              .code = QStringLiteral("lifetime_limit"),
                              .message = QStringLiteral("the end is still %1").arg(now->endAt.toString(Qt::ISODate))});
                }
                return now->endAt;
            });
        });
}

} // namespace boxdeck::session
