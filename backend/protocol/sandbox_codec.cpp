// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/sandbox_codec.h"

#include "backend/protocol/decode.h"
#include "backend/protocol/json_write.h"
#include "backend/protocol/network_codec.h"

namespace boxdeck::protocol {

using namespace Qt::StringLiterals;

namespace {

void readSummary(const JsonReader &reader, SandboxSummary &into)
{
    into.id = {reader["sandboxID"_L1].mustText()};
    into.templateId = {reader["templateID"_L1].text()};
    into.alias = reader["alias"_L1].text();
    into.rawState = reader["state"_L1].text();
    into.state = sandboxState(into.rawState);
    into.startedAt = reader["startedAt"_L1].time();
    into.endAt = reader["endAt"_L1].time();
    into.cpuCount = reader["cpuCount"_L1].smallInt();
    into.memoryMB = reader["memoryMB"_L1].smallInt();
    into.diskSizeMB = reader["diskSizeMB"_L1].smallInt();
    into.metadata = reader["metadata"_L1].textMap();
    into.envdVersion = reader["envdVersion"_L1].text();
    into.volumeMounts = readVolumeMounts(reader["volumeMounts"_L1]);
}

SandboxSummary summaryOf(const JsonReader &reader)
{
    SandboxSummary summary;
    readSummary(reader, summary);
    return summary;
}

SandboxAccess accessOf(const JsonReader &reader)
{
    return {.id = {reader["sandboxID"_L1].mustText()},
            .templateId = {reader["templateID"_L1].text()},
            .alias = reader["alias"_L1].text(),
            .envdVersion = reader["envdVersion"_L1].text(),
            .domain = reader["domain"_L1].text().trimmed(),
            .envdAccessToken = Secret(reader["envdAccessToken"_L1].text().trimmed().toUtf8()),
            .trafficAccessToken = Secret(reader["trafficAccessToken"_L1].text().trimmed().toUtf8())};
}

/// Why one fork failed: the server made no sandbox and said so.
Error forkError(const JsonReader &reader)
{
    const int status = reader["code"_L1].isText() ? 0 : reader["code"_L1].smallInt();
    return {.kind = status == 503 || status == 429 ? ErrorKind::Capacity : ErrorKind::Unavailable,
            .delivery = Delivery::Answered,
            .httpStatus = status,
            .code = reader["error_code"_L1].text(),
            .message = reader["message"_L1].text()};
}

/// Members read above; whatever else a server tells is kept for those who know it.
const QStringList &knownMembers()
{
    static const QStringList known{
        QStringLiteral("sandboxID"),  QStringLiteral("templateID"),      QStringLiteral("alias"),
        QStringLiteral("clientID"),   QStringLiteral("state"),           QStringLiteral("startedAt"),
        QStringLiteral("endAt"),      QStringLiteral("cpuCount"),        QStringLiteral("memoryMB"),
        QStringLiteral("diskSizeMB"), QStringLiteral("metadata"),        QStringLiteral("envdVersion"),
        QStringLiteral("domain"),     QStringLiteral("envdAccessToken"), QStringLiteral("allowInternetAccess"),
        QStringLiteral("lifecycle"),  QStringLiteral("volumeMounts"),    QStringLiteral("trafficAccessToken")};
    return known;
}

} // namespace

SandboxState sandboxState(const QString &word)
{
    static const QMap<QString, SandboxState> words{
        {QStringLiteral("running"), SandboxState::Running},
        {QStringLiteral("available"), SandboxState::Running},
        {QStringLiteral("paused"), SandboxState::Paused},
        {QStringLiteral("pending"), SandboxState::Transitioning},
        {QStringLiteral("creating"), SandboxState::Transitioning},
        {QStringLiteral("provisioning"), SandboxState::Transitioning},
        {QStringLiteral("starting"), SandboxState::Transitioning},
        {QStringLiteral("pausing"), SandboxState::Transitioning},
        {QStringLiteral("resuming"), SandboxState::Transitioning},
        {QStringLiteral("killed"), SandboxState::Terminal},
        {QStringLiteral("killing"), SandboxState::Terminal},
        {QStringLiteral("stopped"), SandboxState::Terminal},
        {QStringLiteral("terminated"), SandboxState::Terminal},
        {QStringLiteral("deleted"), SandboxState::Terminal},
        {QStringLiteral("failed"), SandboxState::Terminal},
        {QStringLiteral("error"), SandboxState::Terminal},
    };
    return words.value(word.trimmed().toLower(), SandboxState::Unknown);
}

QString stateWord(SandboxState state)
{
    switch (state) {
    case SandboxState::Running:
        return QStringLiteral("running");
    case SandboxState::Paused:
        return QStringLiteral("paused");
    case SandboxState::Transitioning:
    case SandboxState::Terminal:
    case SandboxState::Unknown:
        break;
    }
    return {};
}

Result<QList<SandboxSummary>> decodeSandboxList(const QByteArray &json)
{
    return decodeList(json, summaryOf);
}

Result<SandboxDetail> decodeSandboxDetail(const QByteArray &json)
{
    const auto parsed = JsonReader::parse(json);
    if (!parsed)
        return tl::unexpected(parsed.error());
    const JsonReader &reader = *parsed;
    SandboxDetail detail;
    readSummary(reader, detail);
    detail.envdAccessToken = Secret(reader["envdAccessToken"_L1].text().trimmed().toUtf8());
    detail.domain = reader["domain"_L1].text().trimmed();
    if (const JsonReader internet = reader["allowInternetAccess"_L1]; !internet.isAbsent())
        detail.allowInternetAccess = internet.boolean();
    const JsonReader lifecycle = reader["lifecycle"_L1];
    detail.autoResume = lifecycle["autoResume"_L1].boolean();
    detail.onTimeout = lifecycle["onTimeout"_L1].text();
    detail.extras = reader.value().toObject();
    for (const QString &member : knownMembers())
        detail.extras.remove(member);
    detail.network = readNetwork(reader["network"_L1]);
    if (detail.network)
        detail.extras.remove("network"_L1);
    return reader.result(std::move(detail));
}

Result<SandboxAccess> decodeSandboxAccess(const QByteArray &json, const TemplateId &asked)
{
    auto access = decodeOne(json, accessOf);
    if (access && access->templateId.isEmpty())
        access->templateId = asked;
    return access;
}

Result<QList<ForkResult>> decodeForks(const QByteArray &json)
{
    return decodeList(json, [](const JsonReader &item) -> ForkResult {
        if (const JsonReader error = item["error"_L1]; error.isObject())
            return tl::unexpected(forkError(error));
        return accessOf(item["sandbox"_L1]);
    });
}

QByteArray encodeNewSandbox(const NewSandbox &sandbox, const CreateDialect &dialect)
{
    QJsonObject body{{u"templateID"_s, sandbox.templateId},
                     {u"timeout"_s, secondsOf(sandbox.timeout)},
                     {u"secure"_s, sandbox.secure}};
    if (dialect.lifecycleObject && (sandbox.autoPause || sandbox.autoResume)) {
        body.insert("lifecycle"_L1, QJsonObject{{u"onTimeout"_s, sandbox.autoPause ? u"pause"_s : u"kill"_s},
                                                {u"autoResume"_s, sandbox.autoResume}});
    } else {
        if (sandbox.autoPause)
            body.insert("autoPause"_L1, true);
        if (sandbox.autoResume && !dialect.plainFieldsOnly)
            body.insert("autoResume"_L1, QJsonObject{{u"enabled"_s, true}});
    }
    putSet(body, "allow_internet_access"_L1, sandbox.allowInternetAccess);
    putSet(body, "metadata"_L1, sandbox.metadata);
    putSet(body, "envVars"_L1, sandbox.envVars);
    if (!dialect.plainFieldsOnly) {
        putSet(body, "autoPauseMemory"_L1, sandbox.autoPauseMemory);
        if (sandbox.network)
            putSet(body, "network"_L1, networkObject(*sandbox.network));
    }
    if (!sandbox.volumeMounts.isEmpty())
        body.insert("volumeMounts"_L1, volumeMountArray(sandbox.volumeMounts));
    if (!sandbox.mcp.isEmpty())
        body.insert("mcp"_L1, QJsonDocument::fromJson(sandbox.mcp.reveal()).object());
    QJsonObject tokens;
    for (auto it = sandbox.iamTokens.begin(); it != sandbox.iamTokens.end(); ++it)
        tokens.insert(it.key(), QJsonObject{{u"audience"_s, it->audience}, {u"tokenType"_s, it->tokenType}});
    if (!tokens.isEmpty())
        body.insert("iam"_L1, QJsonObject{{u"tokens"_s, tokens}});
    return compact(body);
}

QByteArray encodeTimeout(std::chrono::seconds timeout, std::optional<bool> memory)
{
    QJsonObject body{{u"timeout"_s, secondsOf(timeout)}};
    putSet(body, "memory"_L1, memory);
    return compact(body);
}

QByteArray encodePause(bool keepMemory)
{
    return keepMemory ? QByteArrayLiteral("{}") : compact({{u"memory"_s, false}});
}

QByteArray encodeFork(const ForkRequest &request)
{
    QJsonObject body{{u"count"_s, request.count}};
    if (request.timeout)
        body.insert("timeout"_L1, secondsOf(*request.timeout));
    return compact(body);
}

QByteArray encodeRefresh(std::chrono::seconds duration)
{
    return compact({{u"duration"_s, secondsOf(duration)}});
}

QByteArray encodeNetworkUpdate(const NetworkUpdate &rules)
{
    QJsonObject body = egressObject(rules);
    putSet(body, "allow_internet_access"_L1, rules.allowInternetAccess);
    return compact(body);
}

} // namespace boxdeck::protocol
