// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/capability_rules.h"

#include "backend/api/errors.h"
#include "backend/core/display_text.h"

namespace boxdeck::api {

namespace {

constexpr qsizetype longestWords = 300; // characters kept of what a server says

bool isMissing(int status)
{
    return status == 404 || status == 405 || status == 410 || status == 501;
}

std::optional<Asked> sandboxFeature(const QByteArray &method, const QByteArray &last, bool v2)
{
    struct Row
    {
        const char *method;
        const char *last;
        bool v2;
        Feature feature;
    };
    static constexpr Row rows[] = {
        {"GET", "metrics", false, Feature::Metrics},      {"GET", "logs", false, Feature::LogsV1},
        {"GET", "logs", true, Feature::LogsV2},           {"POST", "fork", false, Feature::Fork},
        {"POST", "pause", false, Feature::Pause},         {"PUT", "network", false, Feature::NetworkUpdate},
        {"POST", "snapshots", false, Feature::Snapshots},
    };
    for (const Row &row : rows) {
        if (method == row.method && last == row.last && v2 == row.v2)
            return Asked{row.feature, Ask::Object};
    }
    return std::nullopt;
}

std::optional<Asked> topFeature(const QByteArray &method, const QByteArray &path)
{
    struct Row
    {
        const char *method;
        const char *path;
        Asked asked;
    };
    static constexpr Row rows[] = {
        {"GET", "/v2/sandboxes", {Feature::SandboxPages, Ask::List}},
        {"GET", "/sandboxes", {Feature::SandboxListV1, Ask::List}},
        {"GET", "/sandboxes/metrics", {Feature::BatchMetrics, Ask::Batch}},
        // Its 404 may be about the template.
        {"POST", "/v2/sandboxes", {Feature::CreateV2, Ask::Object}},
        {"GET", "/snapshots", {Feature::Snapshots, Ask::List}},
        {"GET", "/templates", {Feature::Templates, Ask::List}},
        {"GET", "/v2/templates", {Feature::TemplatePages, Ask::List}},
        {"POST", "/v3/templates", {Feature::TemplateBuilds, Ask::Post}},
        {"POST", "/templates/tags", {Feature::TemplateTags, Ask::Object}},
        {"GET", "/volumes", {Feature::Volumes, Ask::List}},
        {"GET", "/secrets", {Feature::Secrets, Ask::List}},
        {"GET", "/teams", {Feature::Teams, Ask::List}},
        {"GET", "/api-keys", {Feature::ApiKeys, Ask::List}},
        {"GET", "/nodes", {Feature::Nodes, Ask::List}},
    };
    for (const Row &row : rows) {
        if (method == row.method && path == row.path)
            return row.asked;
    }
    return std::nullopt;
}

Finding finding(Why why, const net::HttpResponse &response, bool withWords = false)
{
    Finding result{.support = supportOf(why), .why = why, .httpStatus = response.status};
    if (withWords)
        result.words = displayText(controlError(response, Operation::Other).message, longestWords);
    return result;
}

} // namespace

Support supportOf(Why why)
{
    switch (why) {
    case Why::Answered:
        return Support::Yes;
    case Why::NoSuchCall:
    case Why::Gated:
    case Why::OtherLogin:
        return Support::No;
    case Why::NotAsked:
    case Why::SideEffect:
    case Why::NoAnswer:
    case Why::KeyRefused:
    case Why::NoObject:
        break;
    }
    return Support::Unknown;
}

std::optional<Asked> featureOf(const QByteArray &method, const QByteArray &path)
{
    if (const auto top = topFeature(method, path))
        return top;
    const QList<QByteArray> parts = path.mid(1).split('/');
    if (parts.size() == 3 && parts.at(0) == "sandboxes")
        return sandboxFeature(method, parts.at(2), false);
    if (parts.size() == 4 && parts.at(0) == "v2" && parts.at(1) == "sandboxes")
        return sandboxFeature(method, parts.at(3), true);
    if (parts.size() == 3 && parts.at(0) == "templates" && parts.at(2) == "tags")
        return Asked{Feature::TemplateTags, Ask::Object};
    return std::nullopt;
}

Finding judge(Ask ask, const net::HttpResponse &response, bool keyWorks)
{
    const int status = response.status;
    if (response.isSuccess())
        return finding(Why::Answered, response);
    if (status == 405 || status == 501)
        return finding(Why::NoSuchCall, response, status == 501); // 501: what is not configured there
    if (status == 401)
        return finding(keyWorks ? Why::OtherLogin : Why::KeyRefused, response, keyWorks);
    if (status == 429 || status >= 500)
        return finding(Why::NoAnswer, response);
    switch (ask) {
    case Ask::List:
        if (isMissing(status))
            return finding(Why::NoSuchCall, response);
        // Behind a plan or a feature flag (protocol/compat.md 2.36).
        if (status == 400 || status == 403)
            return finding(Why::Gated, response, true);
        break;
    case Ask::Batch:
        if (isMissing(status) || controlError(response, Operation::Get).kind == ErrorKind::NotFound)
            return finding(Why::NoSuchCall, response);
        break;
    case Ask::Post:
        if (isMissing(status))
            return finding(Why::NoSuchCall, response);
        if (status == 403)
            return finding(Why::Gated, response, true);
        if (status == 400 || status == 415 || status == 422)
            return finding(Why::Answered, response);
        break;
    case Ask::Object:
        break;
    }
    return finding(Why::NoObject, response);
}

} // namespace boxdeck::api
