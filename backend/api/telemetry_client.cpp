// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/telemetry_client.h"

#include "backend/api/control_answers.h"
#include "backend/core/logging.h"
#include "backend/protocol/logs_codec.h"
#include "backend/protocol/metrics_codec.h"

namespace boxdeck::api {

using protocol::LatestMetrics;
using protocol::LogEntry;
using protocol::LogQuery;
using protocol::SandboxId;
using protocol::SandboxMetric;

namespace {

constexpr qsizetype idsPerCall = 100;
constexpr int linesPerCall = 1000;

Call<LatestMetrics> latestOf(LinkPtr link, QStringList ids, LatestMetrics sofar)
{
    if (ids.isEmpty())
        return Call<LatestMetrics>::settled(std::move(sofar));
    QByteArrayList asked;
    for (const QString &id : ids.mid(0, idsPerCall))
        asked.append(encodeSegment(id));
    const QStringList rest = ids.mid(idsPerCall);
    return ask<LatestMetrics>(link, link->request("GET", "/sandboxes/metrics", "sandbox_ids=" + asked.join(',')),
                              Operation::List, &protocol::decodeLatestMetrics)
        .chain([link, rest, sofar](Result<LatestMetrics> part) mutable {
            if (!part)
                return Call<LatestMetrics>::settled(std::move(part));
            sofar.insert(*part);
            return latestOf(link, rest, std::move(sofar));
        });
}

QByteArray logQuery(const LogQuery &query)
{
    QByteArray text = "limit=" + QByteArray::number(qBound(1, query.limit, linesPerCall));
    text += query.direction == protocol::LogDirection::Forward ? "&direction=forward" : "&direction=backward";
    if (query.cursor.isValid())
        text += "&cursor=" + QByteArray::number(query.cursor.toMSecsSinceEpoch());
    if (query.level)
        addParameter(text, "level", protocol::levelWord(*query.level));
    if (!query.search.isEmpty())
        addParameter(text, "search", query.search.left(256));
    return text;
}

Result<QList<LogEntry>> readLogs(const QByteArray &json, const LogQuery &query)
{
    auto entries = protocol::decodeLogs(json);
    if (entries)
        protocol::applyLogQuery(*entries, query);
    return entries;
}

Call<QList<LogEntry>> oldLogs(const LinkPtr &link, const SandboxId &sandbox, const LogQuery &query)
{
    // It gives the oldest lines from a moment on, and knows no level and no search: what is asked for is found here.
    QByteArray text = "limit=" + QByteArray::number(linesPerCall);
    if (query.cursor.isValid() && query.direction == protocol::LogDirection::Forward)
        text += "&start=" + QByteArray::number(query.cursor.toMSecsSinceEpoch());
    return ask<QList<LogEntry>>(link, link->request("GET", sandboxPath(sandbox, "/logs"), text), Operation::Get,
                                [link, query](const QByteArray &json) {
                                    if (!link->v1LogsOnly)
                                        qCInfo(lcApi) << "the server has only the old logs";
                                    link->v1LogsOnly = true;
                                    return readLogs(json, query);
                                });
}

} // namespace

TelemetryClient::TelemetryClient(LinkPtr link)
    : m_link(std::move(link))
{
}

Call<QList<SandboxMetric>> TelemetryClient::metrics(const SandboxId &sandbox, const protocol::TimeWindow &window)
{
    using Samples = QList<SandboxMetric>;
    if (isBlank(sandbox))
        return refused<Samples>(QStringLiteral("no sandbox named"));
    return ask<Samples>(m_link, m_link->request("GET", sandboxPath(sandbox, "/metrics"), protocol::windowQuery(window)),
                        Operation::Get, [window](const QByteArray &json) {
                            auto samples = protocol::decodeMetrics(json);
                            if (samples)
                                samples->removeIf([&](const SandboxMetric &s) { return !window.contains(s.at); });
                            return samples;
                        });
}

Call<LatestMetrics> TelemetryClient::latest(const QList<SandboxId> &sandboxes)
{
    QStringList ids;
    for (const SandboxId &id : sandboxes) {
        if (!isBlank(id))
            ids.append(id.value);
    }
    ids.removeDuplicates();
    return latestOf(m_link, ids, {});
}

Call<QList<LogEntry>> TelemetryClient::logs(const SandboxId &sandbox, const LogQuery &query)
{
    using Lines = QList<LogEntry>;
    if (isBlank(sandbox))
        return refused<Lines>(QStringLiteral("no sandbox named"));
    if (m_link->v1LogsOnly)
        return oldLogs(m_link, sandbox, query);
    return m_link->sendSafely(m_link->request("GET", "/v2" + sandboxPath(sandbox, "/logs"), logQuery(query)))
        .chain([link = m_link, sandbox, query](Result<net::HttpResponse> response) {
            if (response && isMissingCall(response->status))
                return oldLogs(link, sandbox, query);
            return Call<Lines>::settled(answer<Lines>(std::move(response), Operation::Get,
                                                      [&](const QByteArray &json) { return readLogs(json, query); }));
        });
}

} // namespace boxdeck::api
