// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/new_sandbox_check.h"

#include <QJsonDocument>
#include <QRegularExpression>
#include <QSet>

namespace boxdeck::protocol {

namespace {

Error refusal(const QString &code, const QString &message)
{
    return {.kind = ErrorKind::InvalidRequest, .code = code, .message = message};
}

/// Absolute, without ".", ".." or double slashes.
bool isCleanPath(const QString &path)
{
    if (!path.startsWith(QLatin1Char('/')) || path.contains(QChar(0)))
        return false;
    if (path == QLatin1String("/"))
        return true;
    for (const QString &part : path.mid(1).split(QLatin1Char('/'))) {
        if (part.isEmpty() || part == QLatin1String(".") || part == QLatin1String(".."))
            return false;
    }
    return true;
}

std::optional<Error> checkMounts(const QList<VolumeMount> &mounts)
{
    QSet<QString> paths;
    for (const VolumeMount &mount : mounts) {
        if (mount.name.trimmed().isEmpty() || !isCleanPath(mount.path) || paths.contains(mount.path))
            return refusal(QStringLiteral("bad_mount"),
                           QStringLiteral("a volume needs a name and an absolute path of its own: %1").arg(mount.path));
        paths.insert(mount.path);
    }
    return std::nullopt;
}

/// Limits of the reference server: 10 hosts, 20 headers each, names of 64 token characters, values of 2048.
std::optional<Error> checkRules(const QMap<QString, InjectedHeaders> &rules)
{
    static const QRegularExpression host(QStringLiteral(
        "^(\\*\\.)?([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\\.)*[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$"));
    static const QRegularExpression token(QStringLiteral("^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$"));
    const auto bad = [](const QString &message) { return refusal(QStringLiteral("bad_rules"), message); };
    if (rules.size() > 10)
        return bad(QStringLiteral("rules for more than 10 hosts"));
    for (auto it = rules.begin(); it != rules.end(); ++it) {
        if (it.key().size() > 128 || !host.match(it.key()).hasMatch())
            return bad(QStringLiteral("not a host name: %1").arg(it.key()));
        if (it.value().size() > 20)
            return bad(QStringLiteral("more than 20 headers for %1").arg(it.key()));
        for (auto header = it.value().begin(); header != it.value().end(); ++header) {
            if (!token.match(header.key()).hasMatch())
                return bad(QStringLiteral("not a header name: %1").arg(header.key()));
            const QByteArray &value = header.value().reveal();
            if (value.size() > 2048 || value.contains('\n') || value.contains('\r') || value.contains('\0'))
                return bad(QStringLiteral("the value of header %1 can't be sent").arg(header.key()));
        }
    }
    return std::nullopt;
}

} // namespace

bool isAddressRange(const QString &text)
{
    static const QRegularExpression v4(QStringLiteral("^\\d{1,3}(\\.\\d{1,3}){3}(/\\d{1,2})?$"));
    static const QRegularExpression v6(QStringLiteral("^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(/\\d{1,3})?$"));
    const QString trimmed = text.trimmed();
    return v4.match(trimmed).hasMatch() || v6.match(trimmed).hasMatch();
}

std::optional<Error> checkEgress(const EgressRules &rules)
{
    for (const QString &denied : rules.denyOut) {
        if (!isAddressRange(denied))
            return refusal(QStringLiteral("domain_denied"),
                           QStringLiteral("only addresses can be denied: %1").arg(denied));
    }
    for (const QString &allowed : rules.allowOut) {
        if (!isAddressRange(allowed) && !rules.denyOut.contains(QLatin1String("0.0.0.0/0")))
            return refusal(QStringLiteral("domains_need_deny_all"),
                           QStringLiteral("allowing %1 asks for 0.0.0.0/0 to be denied").arg(allowed));
    }
    if (rules.egressProxy) {
        const EgressProxy &proxy = *rules.egressProxy;
        if (!proxy.address.contains(QLatin1Char(':')) || proxy.username.toUtf8().size() > 255 ||
            proxy.password.reveal().size() > 255 || (proxy.username.isEmpty() && !proxy.password.isEmpty()))
            return refusal(QStringLiteral("bad_proxy"),
                           QStringLiteral("a proxy is host:port, and a password asks for a user"));
    }
    return checkRules(rules.rules);
}

std::optional<Error> checkNewSandbox(const NewSandbox &sandbox)
{
    if (sandbox.templateId.trimmed().isEmpty())
        return refusal(QStringLiteral("no_template"), QStringLiteral("no template named"));
    if (sandbox.timeout < std::chrono::seconds(1))
        return refusal(QStringLiteral("bad_timeout"), QStringLiteral("a sandbox lives at least one second"));
    if (sandbox.autoResume && !sandbox.autoPause)
        return refusal(QStringLiteral("auto_resume_without_pause"),
                       QStringLiteral("only a sandbox that pauses at its end can wake on traffic"));
    if (sandbox.autoPauseMemory == false && !sandbox.autoPause)
        return refusal(QStringLiteral("disk_only_without_pause"),
                       QStringLiteral("keeping only the disk asks for a pause at the end"));
    if (sandbox.autoPauseMemory == false && sandbox.autoResume)
        return refusal(QStringLiteral("disk_only_with_auto_resume"),
                       QStringLiteral("a sandbox of which only the disk is kept can't wake on traffic"));
    if (sandbox.network) {
        if (sandbox.network->allowPublicTraffic == false && !sandbox.secure)
            return refusal(QStringLiteral("private_needs_secure"),
                           QStringLiteral("closing the ports asks for a secure sandbox"));
        for (const int port : sandbox.network->httpsPorts) {
            if (port < 1 || port > 65535 || port == 49983)
                return refusal(QStringLiteral("bad_port"), QStringLiteral("not a port for HTTPS: %1").arg(port));
        }
        if (auto wrong = checkEgress(*sandbox.network))
            return wrong;
    }
    if (!sandbox.mcp.isEmpty() && !QJsonDocument::fromJson(sandbox.mcp.reveal()).isObject())
        return refusal(QStringLiteral("bad_mcp"), QStringLiteral("the MCP configuration is no JSON object"));
    if (sandbox.iamTokens.size() > 5)
        return refusal(QStringLiteral("too_many_tokens"), QStringLiteral("at most 5 identity tokens"));
    return checkMounts(sandbox.volumeMounts);
}

} // namespace boxdeck::protocol
