// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/profile_import.h"

#include "backend/core/display_text.h"
#include "backend/core/redact.h"

#include <QDir>
#include <QJsonDocument>

#include <algorithm>
#include <cmath>

namespace boxdeck::session {

namespace {

using Source = ImportedProfile::Source;

constexpr qsizetype longestShown = 200;

/// One option: its spellings, the first of which is its name.
struct Option
{
    const char *name;
    QList<const char *> aliases;
};

const QList<Option> &options()
{
    // The environment comes second, so `api_key_env` is read before `api_key`, and the domain before the API base.
    static const QList<Option> all = {
        {"name", {}},
        {"api_key", {}},
        {"api_key_env", {"apiKeyEnv"}},
        {"api_base", {"apiBase", "api_url", "apiUrl"}},
        {"domain", {"sandbox_domain", "sandboxDomain"}},
        {"sandbox_url", {"sandboxUrl"}},
        {"proxy_url", {"proxyUrl", "gateway", "gateway_url", "gatewayUrl"}},
        {"ca_file", {"caFile"}},
        {"template_id", {"templateID", "templateId", "template"}},
        {"timeout_secs", {"timeout", "sandbox_ttl_seconds", "sandboxTtlSeconds"}},
        {"secure", {}},
        {"allow_internet_access", {"allowInternetAccess"}},
        {"auto_pause", {"autoPause"}},
        {"auto_resume", {"autoResume"}},
        {"envd_port", {"envdPort"}},
        {"envd_scheme", {"envdScheme"}},
        {"envd_file_upload", {"envdFileUpload"}},
        {"username", {"user"}},
        {"workspace_root", {"workspaceRoot", "remoteWorkspaceRoot"}},
        {"home_dir", {"homeDir"}},
        {"temp_root", {"tempRoot"}},
        {"default_shell", {"defaultShell"}},
        {"strict", {}},
        {"metadata", {}},
        {"env_vars", {"envVars"}},
        {"network", {}},
        {"mcp", {}},
        {"volume_mounts", {"volumeMounts"}},
        {"http_timeout_seconds", {"httpTimeoutSeconds", "http_timeout_secs"}},
        {"default_exec_timeout_seconds", {"defaultExecTimeoutSeconds", "default_exec_timeout_secs"}},
        {"allow_private_endpoints", {"allowPrivateEndpoints"}},
    };
    return all;
}

Failure refused(const char *code, const QString &option)
{
    return Failure(Error{.kind = ErrorKind::InvalidRequest, .code = QLatin1String(code), .message = option});
}

/// Reads the options one by one. The first complaint stays; what is asked after it gives defaults.
class Reader
{
public:
    Reader(QJsonObject object, const EnvironmentReader &environment)
        : m_object(std::move(object))
        , m_environment(environment)
    {
        for (const Option &option : options()) {
            QStringList given;
            for (const char *spelling : QList<const char *>{option.name} + option.aliases) {
                const auto member = m_object.constFind(QLatin1String(spelling));
                if (member == m_object.constEnd())
                    continue;
                given << member.key();
                if (!member.value().isNull())
                    m_given.insert(QLatin1String(option.name), member.value());
            }
            if (given.size() > 1)
                complain("twice", given.join(QStringLiteral(", ")));
            for (const QString &spelling : std::as_const(given))
                m_object.remove(spelling);
        }
        if (!m_object.isEmpty())
            complain("unknown", displayText(m_object.begin().key(), 80));
    }

    const std::optional<Error> &error() const { return m_error; }
    QList<ImportedProfile::Line> takeLines() { return std::move(m_lines); }

    void complain(const char *code, const QString &option)
    {
        if (!m_error)
            m_error = refused(code, option).value();
    }

    bool has(const char *name) const { return m_given.contains(QLatin1String(name)); }

    /// The option as text, trimmed; blank counts as not given. Then the environment, then the default.
    QString text(const char *name, const QString &otherwise = {}, const char *variable = nullptr)
    {
        const QJsonValue value = given(name);
        if (!value.isString() && !value.isUndefined())
            complain("type", QLatin1String(name));
        QString result = value.toString().trimmed();
        Source source = Source::File;
        if (result.isEmpty() && variable) {
            result = QString::fromUtf8(m_environment(variable)).trimmed();
            source = Source::Environment;
        }
        if (result.isEmpty()) {
            result = otherwise;
            source = Source::Default;
        }
        line(name, result, source, source == Source::Environment ? QString::fromLatin1(variable) : QString());
        return result;
    }

    std::optional<bool> choice(const char *name, std::optional<bool> otherwise = {})
    {
        const QJsonValue value = given(name);
        if (!value.isBool() && !value.isUndefined())
            complain("type", QLatin1String(name));
        const auto result = value.isBool() ? std::optional(value.toBool()) : otherwise;
        line(name, result ? QLatin1String(*result ? "true" : "false") : QLatin1String(),
             value.isBool() ? Source::File : Source::Default);
        return result;
    }

    /// A whole number from `least` to `most`.
    std::optional<qint64> number(const char *name, qint64 least, qint64 most)
    {
        const QJsonValue value = given(name);
        if (value.isUndefined())
            return std::nullopt;
        const double number = value.toDouble(-1);
        if (!value.isDouble())
            complain("type", QLatin1String(name));
        else if (number != std::floor(number) || number < double(least) || number > double(most))
            complain("number", QLatin1String(name));
        else
            return qint64(number);
        return std::nullopt;
    }

    /// A path inside sandboxes, normalised. A blank one is no path.
    QString path(const char *name, const QString &otherwise)
    {
        const QJsonValue value = given(name);
        if (value.isUndefined()) {
            line(name, otherwise, Source::Default);
            return otherwise;
        }
        const auto path = normalised(value.toString().trimmed());
        if (!value.isString())
            complain("type", QLatin1String(name));
        else if (!path)
            complain("path", QLatin1String(name));
        const QString result = path.value_or(otherwise);
        line(name, result, Source::File);
        return result;
    }

    QMap<QString, QString> map(const char *name)
    {
        QMap<QString, QString> result;
        const QJsonValue value = given(name);
        if (!value.isObject() && !value.isUndefined())
            complain("type", QLatin1String(name));
        const QJsonObject object = value.toObject();
        for (auto entry = object.begin(); entry != object.end(); ++entry) {
            if (!entry.value().isString())
                complain("type", QLatin1String(name) + QLatin1Char('.') + displayText(entry.key(), 80));
            result.insert(entry.key(), entry.value().toString());
        }
        // The names only: any value may be a secret.
        line(name, result.keys().join(QStringLiteral(", ")), value.isObject() ? Source::File : Source::Default);
        return result;
    }

    QJsonValue raw(const char *name, QJsonValue::Type type)
    {
        const QJsonValue value = given(name);
        if (value.isUndefined()) {
            line(name, {}, Source::Default);
            return {};
        }
        if (value.type() != type)
            complain("type", QLatin1String(name));
        const QJsonObject shown = redacted(QJsonObject{{QLatin1String(name), value}}).toObject();
        line(name, QString::fromUtf8(QJsonDocument(shown).toJson(QJsonDocument::Compact)), Source::File);
        return value;
    }

    /// Understood, and of no use here.
    void unused(const char *name, QJsonValue::Type type)
    {
        if (!has(name))
            return;
        if (given(name).type() != type)
            complain("type", QLatin1String(name));
        line(name, {}, Source::NotUsed);
    }

    void line(const char *name, const QString &value, Source source, const QString &detail = {})
    {
        m_lines.append({QLatin1String(name), displayText(redactedText(value), longestShown), source, detail});
    }

    /// The line written last came from elsewhere after all.
    void replaceLine(const QString &value, Source source, const QString &detail)
    {
        m_lines.last().source = source;
        m_lines.last().detail = detail;
        relabel(value);
    }

    /// Changes the value of the line written last.
    void relabel(const QString &value) { m_lines.last().value = displayText(redactedText(value), longestShown); }

private:
    QJsonValue given(const char *name) const
    {
        return m_given.value(QLatin1String(name), QJsonValue(QJsonValue::Undefined));
    }

    static std::optional<QString> normalised(const QString &path)
    {
        if (!path.startsWith(u'/') || path.contains(QChar(0)) || !path.isValidUtf16())
            return std::nullopt;
        QStringList parts;
        for (const QString &part : path.split(u'/', Qt::SkipEmptyParts)) {
            if (part == QLatin1String("."))
                continue;
            if (part != QLatin1String(".."))
                parts << part;
            else if (parts.isEmpty())
                return std::nullopt; // it climbs above the root
            else
                parts.removeLast();
        }
        return QLatin1Char('/') + parts.join(u'/');
    }

    QJsonObject m_object;
    const EnvironmentReader &m_environment;
    QHash<QString, QJsonValue> m_given;
    QList<ImportedProfile::Line> m_lines;
    std::optional<Error> m_error;
};

/// An address option; `code` names what is wrong with it.
std::optional<QUrl> address(Reader &reader, const char *name, const QString &text)
{
    if (text.isEmpty())
        return std::nullopt;
    const auto url = parseServerUrl(text);
    if (!url) {
        reader.complain("url", QLatin1String(name));
        return std::nullopt;
    }
    return *url;
}

/// A host name without scheme or path, trailing dots off; nothing if it is none.
std::optional<QString> hostName(QString text)
{
    while (text.endsWith(u'.'))
        text.chop(1);
    static const QLatin1String forbidden[] = {QLatin1String("://"), QLatin1String("/"), QLatin1String("?"),
                                              QLatin1String("#"), QLatin1String("@")};
    const bool bad = text.isEmpty() || std::any_of(std::begin(forbidden), std::end(forbidden),
                                                   [&](QLatin1String part) { return text.contains(part); });
    QUrl url;
    url.setAuthority(text, QUrl::StrictMode);
    return bad || !url.isValid() || url.host().isEmpty() ? std::nullopt : std::optional(text);
}

void readKey(Reader &reader, ImportedProfile &result, const QJsonObject &given, const EnvironmentReader &environment)
{
    result.keyVariable = reader.text("api_key_env", QStringLiteral("E2B_API_KEY"));
    const QJsonValue value = given.value(QLatin1String("api_key"));
    if (!value.isString() && !value.isUndefined() && !value.isNull())
        reader.complain("type", QStringLiteral("api_key"));
    result.key = Secret(value.toString().trimmed().toUtf8());
    Source source = Source::File;
    if (result.key.isEmpty()) {
        result.key = Secret(environment(result.keyVariable.toUtf8().constData()).trimmed());
        source = result.key.isEmpty() ? Source::Default : Source::Environment;
    }
    reader.line("api_key", result.key.isEmpty() ? QString() : QString(redactedMark), source, result.keyVariable);
}

void readAddresses(Reader &reader, ConnectionProfile &profile, const EnvironmentReader &environment)
{
    // In official clients E2B_SANDBOX_URL is an address; one third-party client reads a domain from it.
    const QString sandboxVariable = QString::fromUtf8(environment("E2B_SANDBOX_URL")).trimmed();
    const bool isUrl = sandboxVariable.contains(QLatin1String("://"));

    profile.domain = reader.text("domain", {}, "E2B_DOMAIN");
    if (profile.domain.isEmpty() && !isUrl && !sandboxVariable.isEmpty()) {
        profile.domain = sandboxVariable;
        reader.replaceLine(sandboxVariable, Source::Environment, QStringLiteral("E2B_SANDBOX_URL"));
    }
    const bool defaultDomain = profile.domain.isEmpty();
    if (defaultDomain) {
        profile.domain = QStringLiteral("e2b.app");
    } else if (const auto host = hostName(profile.domain)) {
        profile.domain = *host;
    } else {
        reader.complain("domain", QStringLiteral("domain"));
    }
    reader.relabel(profile.domain);

    const QString base = reader.text("api_base", QStringLiteral("https://api.") + profile.domain, "E2B_API_URL");
    profile.apiUrl = address(reader, "api_base", base).value_or(QUrl());
    reader.relabel(profile.apiUrl.toString());
    if (profile.apiUrl == QUrl(QStringLiteral("https://api.e2b.app")))
        profile.kind = ConnectionProfile::Kind::E2bCloud;

    profile.sandboxUrl = address(reader, "sandbox_url", reader.text("sandbox_url"));
    if (!profile.sandboxUrl && isUrl) {
        profile.sandboxUrl = address(reader, "sandbox_url", sandboxVariable);
        reader.replaceLine(sandboxVariable, Source::Environment, QStringLiteral("E2B_SANDBOX_URL"));
    }
    QString gateway = reader.text("proxy_url");
    if (!gateway.isEmpty() && !gateway.contains(QLatin1String("://")))
        gateway.prepend(QLatin1String("http://")); // protocol/adapters.md 3.4
    profile.gateway = address(reader, "proxy_url", gateway);
    reader.relabel(gateway);
    profile.caFile = reader.text("ca_file");
}

void readSandboxes(Reader &reader, ConnectionProfile &profile)
{
    profile.defaultTemplate = reader.text("template_id", profile.defaultTemplate);
    const auto lifetime = reader.number("timeout_secs", 0, 10LL * 365 * 24 * 3600);
    if (lifetime.value_or(0) > 0)
        profile.lifetime = std::chrono::seconds(*lifetime);
    reader.line("timeout_secs", QString::number(profile.lifetime.count()), lifetime ? Source::File : Source::Default);
    profile.secure = reader.choice("secure", true).value_or(true);
    profile.allowInternetAccess = reader.choice("allow_internet_access");
    profile.autoPause = reader.choice("auto_pause");
    profile.autoResume = reader.choice("auto_resume");
}

void readEnvd(Reader &reader, ConnectionProfile &profile)
{
    const auto port = reader.number("envd_port", 1, 65535);
    profile.envdPort = int(port.value_or(profile.envdPort));
    reader.line("envd_port", QString::number(profile.envdPort), port ? Source::File : Source::Default);
    profile.envdScheme = reader.text("envd_scheme", QStringLiteral("https")).toLower();
    if (profile.envdScheme != QLatin1String("https") && profile.envdScheme != QLatin1String("http"))
        reader.complain("scheme", QStringLiteral("envd_scheme"));
    const QString upload = reader.text("envd_file_upload", QStringLiteral("raw")).toLower();
    profile.forceMultipart = upload == QLatin1String("multipart");
    if (!profile.forceMultipart && upload != QLatin1String("raw"))
        reader.complain("upload", QStringLiteral("envd_file_upload"));
    // Absent it is the one that servers expect who expect one; blank it is none (protocol/compat.md 3.5).
    profile.user = reader.text("username", reader.has("username") ? QString() : profile.user);
    profile.workspaceRoot = reader.path("workspace_root", profile.workspaceRoot);
    profile.homeDir = reader.path("home_dir", profile.homeDir);
    profile.tempRoot = reader.path("temp_root", profile.tempRoot);
    profile.shell = reader.text("default_shell", profile.shell);
    profile.strict = reader.choice("strict", false).value_or(false);
}

} // namespace

EnvironmentReader processEnvironment()
{
    return [](const char *name) { return qgetenv(name); };
}

Result<ImportedProfile> importProfile(const QByteArray &json, const EnvironmentReader &environment)
{
    // Qt reads objects and lists only, and a file may be no more than `null`.
    QJsonParseError parsed{};
    const auto document = QJsonDocument::fromJson('[' + json + ']', &parsed);
    if (parsed.error != QJsonParseError::NoError || document.array().size() != 1)
        return refused("not_json", parsed.errorString());
    if (!document.array().at(0).isObject() && !document.array().at(0).isNull())
        return refused("not_object", {});
    const QJsonObject object = document.array().at(0).toObject();

    ImportedProfile result;
    result.profile.id = QUuid::createUuid();
    Reader reader(object, environment);
    result.profile.name = reader.text("name");
    readKey(reader, result, object, environment);
    readAddresses(reader, result.profile, environment);
    readSandboxes(reader, result.profile);
    readEnvd(reader, result.profile);
    result.defaults.metadata = reader.map("metadata");
    result.defaults.envVars = reader.map("env_vars");
    result.defaults.network = reader.raw("network", QJsonValue::Object).toObject();
    result.defaults.mcp = reader.raw("mcp", QJsonValue::Object).toObject();
    result.defaults.volumeMounts = reader.raw("volume_mounts", QJsonValue::Array).toArray();
    // Each kind of call has a limit of its own here, and the person at the keyboard chooses the server.
    reader.unused("http_timeout_seconds", QJsonValue::Double);
    reader.unused("default_exec_timeout_seconds", QJsonValue::Double);
    reader.unused("allow_private_endpoints", QJsonValue::Bool);
    if (reader.error())
        return Failure(*reader.error());
    result.lines = reader.takeLines();
    return result;
}

QJsonObject exportProfile(const ConnectionProfile &profile)
{
    QJsonObject object{{QStringLiteral("name"), profile.name},
                       {QStringLiteral("api_key_env"), QStringLiteral("E2B_API_KEY")},
                       {QStringLiteral("api_base"), profile.apiUrl.toString(QUrl::FullyEncoded)},
                       {QStringLiteral("template_id"), profile.defaultTemplate},
                       {QStringLiteral("timeout_secs"), qint64(profile.lifetime.count())},
                       {QStringLiteral("secure"), profile.secure},
                       {QStringLiteral("envd_port"), profile.envdPort},
                       {QStringLiteral("username"), profile.user},
                       {QStringLiteral("workspace_root"), profile.workspaceRoot},
                       {QStringLiteral("home_dir"), profile.homeDir},
                       {QStringLiteral("temp_root"), profile.tempRoot},
                       {QStringLiteral("default_shell"), profile.shell}};
    const auto put = [&](const char *name, const QJsonValue &value, bool wanted) {
        if (wanted)
            object[QLatin1String(name)] = value;
    };
    const auto url = [](const std::optional<QUrl> &address) {
        return address ? QJsonValue(address->toString(QUrl::FullyEncoded)) : QJsonValue();
    };
    put("domain", profile.domain, !profile.domain.isEmpty());
    put("sandbox_url", url(profile.sandboxUrl), profile.sandboxUrl.has_value());
    put("proxy_url", url(profile.gateway), profile.gateway.has_value());
    put("ca_file", profile.caFile, !profile.caFile.isEmpty());
    const QString scheme = profile.envdScheme.isEmpty() ? profile.apiUrl.scheme() : profile.envdScheme;
    put("envd_scheme", scheme, !scheme.isEmpty());
    put("envd_file_upload", QStringLiteral("multipart"), profile.forceMultipart);
    put("strict", true, profile.strict);
    put("allow_internet_access", profile.allowInternetAccess.value_or(false), profile.allowInternetAccess.has_value());
    put("auto_pause", profile.autoPause.value_or(false), profile.autoPause.has_value());
    put("auto_resume", profile.autoResume.value_or(false), profile.autoResume.has_value());
    return object;
}

Result<CliAccount> readCliConfig(const QByteArray &json)
{
    QJsonParseError parsed{};
    const auto document = QJsonDocument::fromJson(json, &parsed);
    if (parsed.error != QJsonParseError::NoError)
        return refused("not_json", parsed.errorString());
    const QJsonObject object = document.object();
    const int version = object.value(QLatin1String("version")).toInt();
    const QString what = version == 1 ? QStringLiteral("team") : QStringLiteral("project");
    CliAccount account{.project = object.value(what + QLatin1String("Name")).toString(),
                       .key = Secret(object.value(what + QLatin1String("ApiKey")).toString().trimmed().toUtf8())};
    if ((version != 1 && version != 2) || account.key.isEmpty())
        return refused("cli_format", {});
    return account;
}

QString cliConfigPath()
{
    return QDir::homePath() + QStringLiteral("/.e2b/config.json");
}

} // namespace boxdeck::session
