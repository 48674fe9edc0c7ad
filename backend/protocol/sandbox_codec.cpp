// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/sandbox_codec.h"

#include "backend/protocol/json_reader.h"
#include "backend/protocol/list_reader.h"

#include <QJsonDocument>

namespace boxdeck::protocol {

namespace {

QLatin1String operator""_key(const char *text, size_t size)
{
    return QLatin1String(text, static_cast<qsizetype>(size));
}

void readSummary(const JsonReader &reader, SandboxSummary &into)
{
    into.id = {reader["sandboxID"_key].mustText()};
    into.templateId = {reader["templateID"_key].text()};
    into.alias = reader["alias"_key].text();
    into.rawState = reader["state"_key].text();
    into.state = sandboxState(into.rawState);
    into.startedAt = reader["startedAt"_key].time();
    into.endAt = reader["endAt"_key].time();
    into.cpuCount = reader["cpuCount"_key].smallInt();
    into.memoryMB = reader["memoryMB"_key].smallInt();
    into.diskSizeMB = reader["diskSizeMB"_key].smallInt();
    into.metadata = reader["metadata"_key].textMap();
    into.envdVersion = reader["envdVersion"_key].text();
}

QByteArray compact(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

QJsonObject objectOf(const QMap<QString, QString> &map)
{
    QJsonObject object;
    for (auto it = map.begin(); it != map.end(); ++it)
        object.insert(it.key(), it.value());
    return object;
}

/// Members read above; whatever else a server tells is kept for those who know it.
const QStringList &knownMembers()
{
    static const QStringList known{QStringLiteral("sandboxID"),
                                   QStringLiteral("templateID"),
                                   QStringLiteral("alias"),
                                   QStringLiteral("clientID"),
                                   QStringLiteral("state"),
                                   QStringLiteral("startedAt"),
                                   QStringLiteral("endAt"),
                                   QStringLiteral("cpuCount"),
                                   QStringLiteral("memoryMB"),
                                   QStringLiteral("diskSizeMB"),
                                   QStringLiteral("metadata"),
                                   QStringLiteral("envdVersion"),
                                   QStringLiteral("domain"),
                                   QStringLiteral("envdAccessToken"),
                                   QStringLiteral("allowInternetAccess"),
                                   QStringLiteral("lifecycle"),
                                   QStringLiteral("trafficAccessToken")};
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
    const auto reader = JsonReader::parse(json);
    if (!reader)
        return tl::unexpected(reader.error());
    const auto items = listItems(*reader);
    if (!items)
        return tl::unexpected(items.error());
    QList<SandboxSummary> list;
    list.reserve(items->size());
    for (const JsonReader &item : *items) {
        SandboxSummary summary;
        readSummary(item, summary);
        list.append(std::move(summary));
    }
    return reader->result(std::move(list));
}

Result<SandboxDetail> decodeSandboxDetail(const QByteArray &json)
{
    const auto parsed = JsonReader::parse(json);
    if (!parsed)
        return tl::unexpected(parsed.error());
    const JsonReader &reader = *parsed;
    SandboxDetail detail;
    readSummary(reader, detail);
    detail.envdAccessToken = Secret(reader["envdAccessToken"_key].text().trimmed().toUtf8());
    detail.domain = reader["domain"_key].text().trimmed();
    if (const JsonReader internet = reader["allowInternetAccess"_key]; !internet.isAbsent())
        detail.allowInternetAccess = internet.boolean();
    const JsonReader lifecycle = reader["lifecycle"_key];
    detail.autoResume = lifecycle["autoResume"_key].boolean();
    detail.onTimeout = lifecycle["onTimeout"_key].text();
    detail.extras = reader.value().toObject();
    for (const QString &member : knownMembers())
        detail.extras.remove(member);
    return reader.result(std::move(detail));
}

Result<SandboxAccess> decodeSandboxAccess(const QByteArray &json, const TemplateId &asked)
{
    const auto parsed = JsonReader::parse(json);
    if (!parsed)
        return tl::unexpected(parsed.error());
    const JsonReader &reader = *parsed;
    SandboxAccess access;
    access.id = {reader["sandboxID"_key].mustText()};
    access.templateId = {reader["templateID"_key].text()};
    if (access.templateId.isEmpty())
        access.templateId = asked;
    access.alias = reader["alias"_key].text();
    access.envdVersion = reader["envdVersion"_key].text();
    access.domain = reader["domain"_key].text().trimmed();
    access.envdAccessToken = Secret(reader["envdAccessToken"_key].text().trimmed().toUtf8());
    access.trafficAccessToken = Secret(reader["trafficAccessToken"_key].text().trimmed().toUtf8());
    return reader.result(std::move(access));
}

QByteArray encodeNewSandbox(const NewSandbox &sandbox)
{
    QJsonObject body{{QStringLiteral("templateID"), sandbox.templateId},
                     {QStringLiteral("timeout"), static_cast<qint64>(sandbox.timeout.count())},
                     {QStringLiteral("secure"), sandbox.secure}};
    if (sandbox.autoPause)
        body.insert(QStringLiteral("autoPause"), true);
    if (sandbox.autoResume)
        body.insert(QStringLiteral("autoResume"), QJsonObject{{QStringLiteral("enabled"), true}});
    if (sandbox.allowInternetAccess)
        body.insert(QStringLiteral("allow_internet_access"), *sandbox.allowInternetAccess);
    if (!sandbox.metadata.isEmpty())
        body.insert(QStringLiteral("metadata"), objectOf(sandbox.metadata));
    if (!sandbox.envVars.isEmpty())
        body.insert(QStringLiteral("envVars"), objectOf(sandbox.envVars));
    return compact(body);
}

QByteArray encodeTimeout(std::chrono::seconds timeout)
{
    return compact({{QStringLiteral("timeout"), static_cast<qint64>(timeout.count())}});
}

} // namespace boxdeck::protocol
