// SPDX-License-Identifier: GPL-3.0-or-later
// How templates are built: the calls of protocol/lifecycle.md section 7.
#include "backend/api/control_answers.h"
#include "backend/api/template_paths.h"
#include "backend/api/templates_client.h"
#include "backend/protocol/logs_codec.h"
#include "backend/protocol/template_build_codec.h"

#include <QRegularExpression>

namespace boxdeck::api {

using protocol::BuildId;
using protocol::BuildInfo;
using protocol::LayerUpload;
using protocol::LogEntry;
using protocol::TemplateId;
using protocol::TemplateRequested;

namespace {

constexpr int linesPerCall = 100;
constexpr std::chrono::hours layerTime{1};

template <typename T> Call<T> noBuild()
{
    return refused<T>(QStringLiteral("no build named"));
}

QByteArray linesQuery(int limit, std::optional<protocol::LogLevel> level)
{
    QByteArray query = "limit=" + QByteArray::number(qBound(0, limit, linesPerCall));
    if (level)
        addParameter(query, "level", protocol::levelWord(*level));
    return query;
}

} // namespace

Call<TemplateRequested> TemplatesClient::create(const protocol::NewTemplate &wanted)
{
    if (wanted.name.trimmed().isEmpty() || wanted.name.size() > 128)
        return refused<TemplateRequested>(QStringLiteral("a template needs a name of at most 128 characters"),
                                          QStringLiteral("bad_name"));
    const auto read = [](Result<net::HttpResponse> response) {
        return answer<TemplateRequested>(std::move(response), Operation::Build, [](const QByteArray &json) {
            return asLost(protocol::decodeTemplateRequested(json));
        });
    };
    return m_link->send(m_link->jsonRequest("POST", "/v3/templates", protocol::encodeNewTemplate(wanted)))
        .chain([link = m_link, wanted, read](Result<net::HttpResponse> first) {
            // The older form knows no tags but "default": what asks for others can't be said in it.
            const bool fits = !wanted.name.contains(QLatin1Char(':')) &&
                              (wanted.tags.isEmpty() || wanted.tags == QStringList{QStringLiteral("default")});
            if (!first || !isMissingCall(first->status) || !fits)
                return Call<TemplateRequested>::settled(read(std::move(first)));
            return link->send(link->jsonRequest("POST", "/v2/templates", protocol::encodeNewTemplateV2(wanted)))
                .map([read, first](Result<net::HttpResponse> second) {
                    return read(second && isMissingCall(second->status) ? first : std::move(second));
                });
        });
}

Call<LayerUpload> TemplatesClient::layer(const TemplateId &id, const QString &hash)
{
    static const QRegularExpression shape(QStringLiteral("^[0-9a-f]{64}$"));
    if (isBlank(id) || !shape.match(hash).hasMatch())
        return refused<LayerUpload>(QStringLiteral("a layer is named by 64 hex digits"), QStringLiteral("bad_hash"));
    return ask<LayerUpload>(m_link, m_link->request("GET", templatePath(id.value, "/files/" + hash.toLatin1())),
                            Operation::Other, &protocol::decodeLayerUpload);
}

Call<void> TemplatesClient::uploadLayer(const LayerUpload &target, net::UploadSource archive,
                                        std::function<void(qint64, qint64)> progress)
{
    if (target.url.isEmpty())
        return refused<void>(QStringLiteral("nowhere to send the layer to"));
    net::HttpRequest put{.method = "PUT", .url = target.url, .mayRepeat = true, .lane = net::Lane::Bulk};
    // Storage signs the content type, too: none but the one it asks for.
    put.headers.emplace_back("Content-Type", QByteArray());
    put.headers += target.headers;
    put.upload = std::move(archive);
    put.progress = std::move(progress);
    put.timeouts.firstByte = std::chrono::minutes(5);
    put.timeouts.total = layerTime;
    return tell(m_link, std::move(put));
}

Call<void> TemplatesClient::startBuild(const TemplateId &id, const BuildId &build, const protocol::BuildStart &start)
{
    if (isBlank(id) || isBlank(build))
        return noBuild<void>();
    if (start.fromImage.trimmed().isEmpty() == start.fromTemplate.trimmed().isEmpty())
        return refused<void>(QStringLiteral("a build starts from an image or from a template"),
                             QStringLiteral("bad_source"));
    for (const protocol::BuildStep &step : start.steps) {
        if (step.type == protocol::BuildStep::Type::Copy && step.filesHash.isEmpty())
            return refused<void>(QStringLiteral("a COPY step needs the hash of its files"), QStringLiteral("bad_hash"));
    }
    return tell(m_link, m_link->jsonRequest("POST", "/v2" + buildPath(id, build), protocol::encodeBuildStart(start)),
                Operation::Build);
}

Call<BuildInfo> TemplatesClient::buildInfo(const TemplateId &id, const BuildId &build, int logsOffset, int limit,
                                           std::optional<protocol::LogLevel> level)
{
    if (isBlank(id) || isBlank(build))
        return noBuild<BuildInfo>();
    const QByteArray query = "logsOffset=" + QByteArray::number(qMax(0, logsOffset)) + '&' + linesQuery(limit, level);
    // Once: a BuildWatch asks again by itself.
    return m_link->send(m_link->request("GET", buildPath(id, build, "/status"), query))
        .map([](Result<net::HttpResponse> response) {
            return answer<BuildInfo>(std::move(response), Operation::BuildStatus, &protocol::decodeBuildInfo);
        });
}

Call<QList<LogEntry>> TemplatesClient::buildLogs(const TemplateId &id, const BuildId &build,
                                                 const protocol::LogQuery &query)
{
    if (isBlank(id) || isBlank(build))
        return noBuild<QList<LogEntry>>();
    QByteArray text = linesQuery(query.limit, query.level);
    text += query.direction == protocol::LogDirection::Forward ? "&direction=forward" : "&direction=backward";
    if (query.cursor.isValid())
        text += "&cursor=" + QByteArray::number(query.cursor.toMSecsSinceEpoch());
    return ask<QList<LogEntry>>(m_link, m_link->request("GET", buildPath(id, build, "/logs"), text),
                                Operation::BuildStatus, [query](const QByteArray &json) {
                                    auto entries = protocol::decodeLogs(json);
                                    if (entries)
                                        protocol::applyLogQuery(*entries, query);
                                    return entries;
                                });
}

} // namespace boxdeck::api
