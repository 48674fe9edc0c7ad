// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/template_build_codec.h"

#include "backend/protocol/decode.h"
#include "backend/protocol/json_write.h"
#include "backend/protocol/logs_codec.h"

namespace boxdeck::protocol {

using namespace Qt::StringLiterals;

namespace {

TemplateBuild readBuild(const JsonReader &reader)
{
    const QString status = reader["status"_L1].text();
    return {.id = {reader["buildID"_L1].mustText()},
            .status = buildStatus(status),
            .rawStatus = status,
            .createdAt = reader["createdAt"_L1].time(),
            .updatedAt = reader["updatedAt"_L1].time(),
            .finishedAt = reader["finishedAt"_L1].time(),
            .cpuCount = reader["cpuCount"_L1].smallInt(),
            .memoryMB = reader["memoryMB"_L1].smallInt(),
            .diskSizeMB = reader["diskSizeMB"_L1].smallInt(),
            .envdVersion = reader["envdVersion"_L1].text()};
}

BuildReason readReason(const JsonReader &reader)
{
    if (!reader.isObject()) // some servers give a bare sentence
        return {.message = reader.isText() ? reader.text() : QString()};
    return {.message = reader["message"_L1].text(),
            .step = reader["step"_L1].text(),
            .logEntries = readList(reader["logEntries"_L1], readLogEntry)};
}

QString typeWord(BuildStep::Type type)
{
    switch (type) {
    case BuildStep::Type::Run:
        return u"RUN"_s;
    case BuildStep::Type::Copy:
        return u"COPY"_s;
    case BuildStep::Type::Env:
        return u"ENV"_s;
    case BuildStep::Type::Workdir:
        return u"WORKDIR"_s;
    case BuildStep::Type::User:
        return u"USER"_s;
    }
    return {};
}

QString revealed(const Secret &secret)
{
    return QString::fromUtf8(secret.reveal());
}

QJsonObject registryObject(const ImageRegistry &registry)
{
    if (const auto *aws = std::get_if<AwsRegistry>(&registry))
        return {{u"type"_s, u"aws"_s},
                {u"awsAccessKeyId"_s, revealed(aws->accessKeyId)},
                {u"awsSecretAccessKey"_s, revealed(aws->secretAccessKey)},
                {u"awsRegion"_s, aws->region}};
    if (const auto *gcp = std::get_if<GcpRegistry>(&registry))
        return {{u"type"_s, u"gcp"_s}, {u"serviceAccountJson"_s, revealed(gcp->serviceAccountJson)}};
    if (const auto *general = std::get_if<GeneralRegistry>(&registry))
        return {{u"type"_s, u"registry"_s},
                {u"username"_s, general->username},
                {u"password"_s, revealed(general->password)}};
    return {};
}

} // namespace

BuildStep BuildStep::run(const QString &command, const QString &user)
{
    return {.type = Type::Run, .args = user.isEmpty() ? QStringList{command} : QStringList{command, user}};
}

BuildStep BuildStep::copy(const QString &source, const QString &destination, const QString &filesHash,
                          const QString &owner, const QString &mode)
{
    return {.type = Type::Copy, .args = {source, destination, owner, mode}, .filesHash = filesHash};
}

BuildStep BuildStep::env(const QList<std::pair<QString, QString>> &variables)
{
    BuildStep step{.type = Type::Env};
    for (const auto &[name, value] : variables)
        step.args << name << value; // never NAME=VALUE: an odd number of arguments is a build error
    return step;
}

BuildStep BuildStep::workdir(const QString &path)
{
    return {.type = Type::Workdir, .args = {path}};
}

BuildStep BuildStep::user(const QString &name, bool passwordlessSudo)
{
    return {.type = Type::User, .args = passwordlessSudo ? QStringList{name, u"true"_s} : QStringList{name}};
}

Result<TemplateDetail> decodeTemplateDetail(const QByteArray &json)
{
    return decodeOne(json, [](const JsonReader &reader) {
        return TemplateDetail{.id = {reader["templateID"_L1].mustText()},
                              .isPublic = reader["public"_L1].boolean(),
                              .names = reader["names"_L1].texts(),
                              .aliases = reader["aliases"_L1].texts(),
                              .createdAt = reader["createdAt"_L1].time(),
                              .updatedAt = reader["updatedAt"_L1].time(),
                              .lastSpawnedAt = reader["lastSpawnedAt"_L1].time(),
                              .spawnCount = reader["spawnCount"_L1].integer(),
                              .builds = readList(reader["builds"_L1], readBuild)};
    });
}

Result<TemplateRequested> decodeTemplateRequested(const QByteArray &json)
{
    return decodeOne(json, [](const JsonReader &reader) {
        TemplateRequested requested{.templateId = {reader["templateID"_L1].mustText()},
                                    .buildId = {reader["buildID"_L1].mustText()},
                                    .isPublic = reader["public"_L1].boolean(),
                                    .names = reader["names"_L1].texts(),
                                    .tags = reader["tags"_L1].texts()};
        if (requested.names.isEmpty())
            requested.names = reader["aliases"_L1].texts();
        return requested;
    });
}

Result<BuildInfo> decodeBuildInfo(const QByteArray &json)
{
    return decodeOne(json, [](const JsonReader &reader) {
        const QString status = reader["status"_L1].mustText();
        BuildInfo info{.templateId = {reader["templateID"_L1].text()},
                       .buildId = {reader["buildID"_L1].text()},
                       .status = buildStatus(status),
                       .rawStatus = status,
                       .logEntries = readList(reader["logEntries"_L1], readLogEntry),
                       .reason = readReason(reader["reason"_L1])};
        if (info.logEntries.isEmpty()) // builds of the oldest form
            info.logEntries = readList(reader["logs"_L1], readLogEntry);
        return info;
    });
}

Result<LayerUpload> decodeLayerUpload(const QByteArray &json)
{
    return decodeOne(json, [](const JsonReader &reader) {
        LayerUpload upload{.present = reader["present"_L1].boolean(),
                           .url = QUrl::fromEncoded(reader["url"_L1].text().trimmed().toUtf8())};
        if (!upload.present && (upload.url.host().isEmpty() || !upload.url.isValid()))
            reader["url"_L1].problem(u"missing"_s);
        const QMap<QString, QString> headers = reader["headers"_L1].textMap();
        for (auto it = headers.begin(); it != headers.end(); ++it) {
            // The real length counts; a host of its own would lead the request elsewhere.
            if (it.key().compare("content-length"_L1, Qt::CaseInsensitive) != 0 &&
                it.key().compare("host"_L1, Qt::CaseInsensitive) != 0)
                upload.headers.emplaceBack(it.key().toLatin1(), it.value().toLatin1());
        }
        return upload;
    });
}

Result<QList<TemplateTag>> decodeTemplateTags(const QByteArray &json)
{
    return decodeList(json, [](const JsonReader &reader) {
        return TemplateTag{.tag = reader["tag"_L1].mustText(),
                           .buildId = {reader["buildID"_L1].text()},
                           .createdAt = reader["createdAt"_L1].time()};
    });
}

Result<BuildId> decodeAssignedTags(const QByteArray &json)
{
    return decodeOne(json, [](const JsonReader &reader) { return BuildId{reader["buildID"_L1].text()}; });
}

Result<TemplateAlias> decodeTemplateAlias(const QByteArray &json)
{
    return decodeOne(json, [](const JsonReader &reader) {
        return TemplateAlias{.owner = NameOwner::Us,
                             .templateId = {reader["templateID"_L1].mustText()},
                             .isPublic = reader["public"_L1].boolean()};
    });
}

Result<QStringList> decodeTemplateNames(const QByteArray &json)
{
    if (json.trimmed().isEmpty())
        return QStringList();
    return decodeOne(json, [](const JsonReader &reader) { return reader["names"_L1].texts(); });
}

QByteArray encodeNewTemplate(const NewTemplate &wanted)
{
    QJsonObject body{{u"name"_s, wanted.name}};
    putSet(body, "tags"_L1, wanted.tags);
    putSet(body, "cpuCount"_L1, wanted.cpuCount);
    putSet(body, "memoryMB"_L1, wanted.memoryMB);
    putSet(body, "minFreeDiskMb"_L1, wanted.minFreeDiskMB);
    return compact(body);
}

QByteArray encodeNewTemplateV2(const NewTemplate &wanted)
{
    QJsonObject body{{u"alias"_s, wanted.name}};
    putSet(body, "cpuCount"_L1, wanted.cpuCount);
    putSet(body, "memoryMB"_L1, wanted.memoryMB);
    return compact(body);
}

QByteArray encodeBuildStart(const BuildStart &start)
{
    QJsonObject body;
    putSet(body, "fromImage"_L1, start.fromImage);
    putSet(body, "fromTemplate"_L1, start.fromTemplate);
    putSet(body, "fromImageRegistry"_L1, registryObject(start.registry));
    if (start.force)
        body.insert("force"_L1, true);
    QJsonArray steps;
    for (const BuildStep &step : start.steps) {
        QJsonObject object{{u"type"_s, typeWord(step.type)},
                           {u"args"_s, QJsonArray::fromStringList(step.args)},
                           {u"force"_s, step.force}};
        putSet(object, "filesHash"_L1, step.filesHash);
        steps.append(object);
    }
    if (!steps.isEmpty())
        body.insert("steps"_L1, steps);
    putSet(body, "startCmd"_L1, start.startCmd);
    putSet(body, "readyCmd"_L1, start.readyCmd);
    return compact(body);
}

QByteArray encodeVisibility(bool isPublic)
{
    return compact({{u"public"_s, isPublic}});
}

QByteArray encodeAssignTags(const QString &target, const QStringList &tags)
{
    return compact({{u"target"_s, target}, {u"tags"_s, QJsonArray::fromStringList(tags)}});
}

QByteArray encodeRemoveTags(const QString &name, const QStringList &tags)
{
    return compact({{u"name"_s, name}, {u"tags"_s, QJsonArray::fromStringList(tags)}});
}

} // namespace boxdeck::protocol
