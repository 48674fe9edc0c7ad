// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/connection_profile.h"

#include "backend/net/proxy_environment.h"

namespace boxdeck::session {

namespace {

using Kind = ConnectionProfile::Kind;

const auto kId = QLatin1String("id");
const auto kName = QLatin1String("name");
const auto kKind = QLatin1String("kind");
const auto kApiUrl = QLatin1String("apiUrl");
const auto kSandboxUrl = QLatin1String("sandboxUrl");
const auto kDomain = QLatin1String("domain");
const auto kGateway = QLatin1String("gateway");
const auto kUser = QLatin1String("user");
const auto kEnvdPort = QLatin1String("envdPort");
const auto kLifetime = QLatin1String("lifetimeSeconds");
const auto kEnvdScheme = QLatin1String("envdScheme");
const auto kCaFile = QLatin1String("caFile");
const auto kForceMultipart = QLatin1String("forceMultipart");
const auto kStrict = QLatin1String("strict");
const auto kTemplate = QLatin1String("defaultTemplate");
const auto kInternet = QLatin1String("allowInternetAccess");
const auto kAutoPause = QLatin1String("autoPause");
const auto kAutoResume = QLatin1String("autoResume");
const auto kSecure = QLatin1String("secure");
const auto kWorkspace = QLatin1String("workspaceRoot");
const auto kHome = QLatin1String("homeDir");
const auto kTemp = QLatin1String("tempRoot");
const auto kShell = QLatin1String("shell");

/// Members that are kept only where they differ from what a new profile has.
struct TextMember
{
    QLatin1String key;
    QString ConnectionProfile::*member;
};
const TextMember textMembers[] = {
    {kEnvdScheme, &ConnectionProfile::envdScheme},
    {kCaFile, &ConnectionProfile::caFile},
    {kTemplate, &ConnectionProfile::defaultTemplate},
    {kWorkspace, &ConnectionProfile::workspaceRoot},
    {kHome, &ConnectionProfile::homeDir},
    {kTemp, &ConnectionProfile::tempRoot},
    {kShell, &ConnectionProfile::shell},
};
struct BoolMember
{
    QLatin1String key;
    bool ConnectionProfile::*member;
};
const BoolMember boolMembers[] = {
    {kForceMultipart, &ConnectionProfile::forceMultipart},
    {kStrict, &ConnectionProfile::strict},
    {kSecure, &ConnectionProfile::secure},
};
struct ChoiceMember
{
    QLatin1String key;
    std::optional<bool> ConnectionProfile::*member;
};
const ChoiceMember choiceMembers[] = {
    {kInternet, &ConnectionProfile::allowInternetAccess},
    {kAutoPause, &ConnectionProfile::autoPause},
    {kAutoResume, &ConnectionProfile::autoResume},
};

QString kindText(Kind kind)
{
    switch (kind) {
    case Kind::ThisComputer:
        return QStringLiteral("this-computer");
    case Kind::E2bCloud:
        return QStringLiteral("e2b-cloud");
    case Kind::SelfHosted:
        break;
    }
    return QStringLiteral("self-hosted");
}

std::optional<QUrl> urlMember(const QJsonObject &object, QLatin1String key)
{
    const auto url = parseServerUrl(object.value(key).toString());
    return url ? std::optional(*url) : std::nullopt;
}

Failure refused(const char *code, const QString &typed)
{
    return Failure(Error{.kind = ErrorKind::InvalidRequest, .code = QLatin1String(code), .message = typed});
}

} // namespace

ConnectionProfile ConnectionProfile::thisComputer(const QString &name)
{
    ConnectionProfile profile;
    profile.id = QUuid::createUuid();
    profile.name = name;
    profile.kind = Kind::ThisComputer;
    // Nothing is billed here, and the warnings before the end would greet whoever starts a sandbox of five minutes.
    profile.lifetime = std::chrono::hours(1);
    return profile;
}

ConnectionProfile ConnectionProfile::cloud(const QString &name)
{
    ConnectionProfile profile;
    profile.id = QUuid::createUuid();
    profile.name = name;
    profile.kind = Kind::E2bCloud;
    profile.apiUrl = QUrl(QStringLiteral("https://api.e2b.app"));
    profile.domain = QStringLiteral("e2b.app");
    return profile;
}

ConnectionProfile ConnectionProfile::selfHosted(const QString &name, const QUrl &apiUrl)
{
    ConnectionProfile profile;
    profile.id = QUuid::createUuid();
    profile.name = name;
    profile.apiUrl = apiUrl;
    return profile;
}

Result<QUrl> parseServerUrl(const QString &typed)
{
    QString text = typed.trimmed();
    if (text.isEmpty())
        return refused("empty", typed);
    if (!text.contains(QLatin1String("://"))) {
        const QUrl guess(QStringLiteral("http://") + text);
        text.prepend(net::isLoopback(guess.host()) ? QLatin1String("http://") : QLatin1String("https://"));
    }
    while (text.endsWith(u'/'))
        text.chop(1);
    QUrl url(text, QUrl::StrictMode);
    if (url.scheme() != QLatin1String("http") && url.scheme() != QLatin1String("https"))
        return refused("scheme", typed);
    if (!url.userInfo().isEmpty())
        return refused("credentials", QString()); // the text may hold a password: not repeated
    if (!url.isValid() || url.host().isEmpty())
        return refused("host", typed);
    if (url.hasQuery() || url.hasFragment())
        return refused("query", typed);
    return url;
}

QJsonObject toJson(const ConnectionProfile &profile)
{
    QJsonObject object = profile.extras;
    object[kId] = profile.id.toString(QUuid::WithoutBraces);
    object[kName] = profile.name;
    object[kKind] = kindText(profile.kind);
    object[kUser] = profile.user;
    object[kEnvdPort] = profile.envdPort;
    object[kLifetime] = qint64(profile.lifetime.count());
    if (!profile.apiUrl.isEmpty())
        object[kApiUrl] = profile.apiUrl.toString(QUrl::FullyEncoded);
    if (profile.sandboxUrl)
        object[kSandboxUrl] = profile.sandboxUrl->toString(QUrl::FullyEncoded);
    if (!profile.domain.isEmpty())
        object[kDomain] = profile.domain;
    if (profile.gateway)
        object[kGateway] = profile.gateway->toString(QUrl::FullyEncoded);
    const ConnectionProfile fresh;
    for (const auto &[key, member] : textMembers) {
        if (profile.*member != fresh.*member)
            object[key] = profile.*member;
    }
    for (const auto &[key, member] : boolMembers) {
        if (profile.*member != fresh.*member)
            object[key] = profile.*member;
    }
    for (const auto &[key, member] : choiceMembers) {
        if (profile.*member)
            object[key] = *(profile.*member);
    }
    return object;
}

std::optional<ConnectionProfile> profileFromJson(const QJsonObject &object)
{
    ConnectionProfile profile;
    profile.id = QUuid(object.value(kId).toString());
    if (profile.id.isNull())
        return std::nullopt;
    profile.name = object.value(kName).toString();
    const QString kind = object.value(kKind).toString();
    for (const Kind known : {Kind::ThisComputer, Kind::E2bCloud}) {
        if (kind == kindText(known))
            profile.kind = known;
    }
    profile.apiUrl = urlMember(object, kApiUrl).value_or(QUrl());
    profile.sandboxUrl = urlMember(object, kSandboxUrl);
    profile.domain = object.value(kDomain).toString();
    profile.gateway = urlMember(object, kGateway);
    profile.user = object.value(kUser).toString(profile.user);
    const int port = object.value(kEnvdPort).toInt(profile.envdPort);
    if (port > 0 && port < 65536)
        profile.envdPort = port;
    const auto lifetime = std::chrono::seconds(object.value(kLifetime).toInteger(profile.lifetime.count()));
    if (lifetime.count() > 0)
        profile.lifetime = lifetime;
    for (const auto &[key, member] : textMembers)
        profile.*member = object.value(key).toString(profile.*member);
    for (const auto &[key, member] : boolMembers)
        profile.*member = object.value(key).toBool(profile.*member);
    for (const auto &[key, member] : choiceMembers) {
        if (object.value(key).isBool())
            profile.*member = object.value(key).toBool();
    }
    profile.extras = object;
    for (const auto &[key, member] : textMembers)
        profile.extras.remove(key);
    for (const auto &[key, member] : boolMembers)
        profile.extras.remove(key);
    for (const auto &[key, member] : choiceMembers)
        profile.extras.remove(key);
    for (const QLatin1String known :
         {kId, kName, kKind, kApiUrl, kSandboxUrl, kDomain, kGateway, kUser, kEnvdPort, kLifetime})
        profile.extras.remove(known);
    return profile;
}

} // namespace boxdeck::session
