// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/capabilities.h"

#include "backend/api/capability_rules.h"

#include <array>

namespace boxdeck::api {

namespace {

struct Named
{
    Feature feature;
    const char *id;
};

constexpr std::array names{
    Named{Feature::SandboxPages, "sandboxPages"},
    Named{Feature::SandboxListV1, "sandboxListV1"},
    Named{Feature::CreateV2, "createV2"},
    Named{Feature::Pause, "pause"},
    Named{Feature::Fork, "fork"},
    Named{Feature::Snapshots, "snapshots"},
    Named{Feature::NetworkUpdate, "networkUpdate"},
    Named{Feature::Metrics, "metrics"},
    Named{Feature::BatchMetrics, "batchMetrics"},
    Named{Feature::LogsV2, "logsV2"},
    Named{Feature::LogsV1, "logsV1"},
    Named{Feature::Templates, "templates"},
    Named{Feature::TemplatePages, "templatePages"},
    Named{Feature::TemplateBuilds, "templateBuilds"},
    Named{Feature::TemplateTags, "templateTags"},
    Named{Feature::Volumes, "volumes"},
    Named{Feature::Secrets, "secrets"},
    Named{Feature::Teams, "teams"},
    Named{Feature::ApiKeys, "apiKeys"},
    Named{Feature::Nodes, "nodes"},
};

// Words, not numbers: the file outlives this version.
constexpr std::array whyWords{"notAsked", "sideEffect", "noAnswer", "keyRefused", "noObject",
                              "answered", "noSuchCall", "gated",    "otherLogin"};

Why whyOf(const QString &word)
{
    for (std::size_t i = 0; i < whyWords.size(); ++i) {
        if (word == QLatin1String(whyWords.at(i)))
            return Why(int(i));
    }
    return Why::NotAsked;
}

} // namespace

const QList<Feature> &allFeatures()
{
    static const QList<Feature> all = [] {
        QList<Feature> list;
        for (const Named &name : names)
            list.append(name.feature);
        return list;
    }();
    return all;
}

QString featureId(Feature feature)
{
    for (const Named &name : names) {
        if (name.feature == feature)
            return QLatin1String(name.id);
    }
    return {};
}

bool Capabilities::learn(const QByteArray &method, const QByteArray &path, const net::HttpResponse &response,
                         const QDateTime &now)
{
    const auto asked = featureOf(method, path);
    if (!asked)
        return false;
    const bool keyWorks =
        of(Feature::SandboxPages).support == Support::Yes || of(Feature::SandboxListV1).support == Support::Yes;
    Finding found = judge(asked->ask, response, keyWorks);
    if (found.support == Support::Unknown)
        return false;
    const Finding before = of(asked->feature);
    // A refusal that says why tells more than a bare yes, so the same verdict again changes nothing but the date.
    if (before.support == found.support && before.why == found.why)
        return false;
    found.at = now;
    set(asked->feature, found);
    return true;
}

QJsonObject Capabilities::toJson() const
{
    QJsonObject findings;
    for (auto entry = m_findings.begin(); entry != m_findings.end(); ++entry) {
        const Finding &finding = entry.value();
        QJsonObject object{{QStringLiteral("why"), QLatin1String(whyWords.at(std::size_t(finding.why)))},
                           {QStringLiteral("at"), finding.at.toString(Qt::ISODate)}};
        if (finding.httpStatus != 0)
            object[QLatin1String("status")] = finding.httpStatus;
        if (!finding.words.isEmpty())
            object[QLatin1String("words")] = finding.words;
        findings[featureId(entry.key())] = object;
    }
    return {{QStringLiteral("address"), address},
            {QStringLiteral("fingerprint"), fingerprint},
            {QStringLiteral("probedAt"), probedAt.toString(Qt::ISODate)},
            {QStringLiteral("findings"), findings}};
}

Capabilities Capabilities::fromJson(const QJsonObject &object)
{
    const auto time = [](const QJsonValue &value) {
        const auto parsed = QDateTime::fromString(value.toString(), Qt::ISODate);
        return parsed.isValid() ? parsed.toUTC() : QDateTime();
    };
    Capabilities result;
    result.address = object.value(QLatin1String("address")).toString();
    result.fingerprint = object.value(QLatin1String("fingerprint")).toString();
    result.probedAt = time(object.value(QLatin1String("probedAt")));
    const QJsonObject findings = object.value(QLatin1String("findings")).toObject();
    for (const Named &name : names) {
        const QJsonObject entry = findings.value(QLatin1String(name.id)).toObject();
        if (entry.isEmpty())
            continue;
        const Why why = whyOf(entry.value(QLatin1String("why")).toString());
        result.set(name.feature, {.support = supportOf(why),
                                  .why = why,
                                  .httpStatus = entry.value(QLatin1String("status")).toInt(),
                                  .words = entry.value(QLatin1String("words")).toString(),
                                  .at = time(entry.value(QLatin1String("at")))});
    }
    return result;
}

} // namespace boxdeck::api
