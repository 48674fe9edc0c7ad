// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/templates_client.h"

#include "backend/api/control_answers.h"
#include "backend/api/template_paths.h"
#include "backend/protocol/template_build_codec.h"
#include "backend/protocol/template_codec.h"
#include "backend/protocol/template_reconcile.h"

namespace boxdeck::api {

using protocol::BuildId;
using protocol::BuildInfo;
using protocol::Page;
using protocol::TemplateDetail;
using protocol::TemplateId;
using protocol::TemplateSummary;

namespace {

template <typename T> Call<T> noTemplate()
{
    return refused<T>(QStringLiteral("no template named"));
}

Call<Page<TemplateSummary>> pageOf(const LinkPtr &link, const QString &nextToken, int limit)
{
    return askPage<TemplateSummary>(link, link->request("GET", "/v2/templates", pageQuery(limit, nextToken)),
                                    &protocol::decodeTemplateList);
}

Call<TemplateDetail> detailOf(const LinkPtr &link, const TemplateId &id, const QString &buildsToken, int limit)
{
    return ask<TemplateDetail>(link, link->request("GET", templatePath(id.value), pageQuery(limit, buildsToken)),
                               Operation::Other, [](const net::HttpResponse &good) {
                                   auto detail = protocol::decodeTemplateDetail(good.body);
                                   if (detail)
                                       detail->nextToken = QString::fromLatin1(good.header("X-Next-Token").trimmed());
                                   return detail;
                               });
}

Call<BuildInfo> infoOf(const LinkPtr &link, const TemplateId &id, const BuildId &build, const QByteArray &query)
{
    return ask<BuildInfo>(link, link->request("GET", buildPath(id, build, "/status"), query), Operation::BuildStatus,
                          &protocol::decodeBuildInfo);
}

Call<TemplateSummary> settle(const LinkPtr &link, const TemplateSummary &entry)
{
    using Settled = Call<TemplateSummary>;
    switch (protocol::unsettled(entry)) {
    case protocol::Unsettled::BuildInfo:
        return infoOf(link, entry.id, entry.buildId, "limit=0")
            .map([entry](const Result<BuildInfo> &info) -> Result<TemplateSummary> {
                return protocol::settledBy(entry, info);
            });
    case protocol::Unsettled::History:
        return detailOf(link, entry.id, {}, 100)
            .map([entry](const Result<TemplateDetail> &detail) -> Result<TemplateSummary> {
                return protocol::settledBy(entry, detail);
            });
    case protocol::Unsettled::Nothing:
        break;
    }
    return Settled::settled(entry);
}

Call<QList<TemplateSummary>> settleFrom(LinkPtr link, QList<TemplateSummary> entries, qsizetype from, int maxCalls)
{
    qsizetype at = from;
    while (at < entries.size() && protocol::unsettled(entries.at(at)) == protocol::Unsettled::Nothing)
        ++at;
    if (at >= entries.size() || maxCalls <= 0)
        return Call<QList<TemplateSummary>>::settled(std::move(entries));
    return settle(link, entries.at(at)).chain([link, entries, at, maxCalls](Result<TemplateSummary> entry) mutable {
        if (entry)
            entries[at] = std::move(*entry);
        return settleFrom(link, std::move(entries), at + 1, maxCalls - 1);
    });
}

} // namespace

TemplatesClient::TemplatesClient(LinkPtr link)
    : m_link(std::move(link))
{
}

Call<QList<TemplateSummary>> TemplatesClient::list()
{
    using List = QList<TemplateSummary>;
    const auto pages = [link = m_link] {
        return allPages<TemplateSummary>([link](const QString &token) { return pageOf(link, token, 100); });
    };
    if (m_link->v2TemplatesOnly)
        return pages();
    return m_link->send(m_link->request("GET", "/templates"))
        .chain([link = m_link, pages](Result<net::HttpResponse> response) {
            if (!response || !isMissingCall(response->status))
                return Call<List>::settled(
                    answer<List>(std::move(response), Operation::List, &protocol::decodeTemplateList));
            return pages().map([link](Result<List> all) {
                link->v2TemplatesOnly = link->v2TemplatesOnly || all.has_value();
                return all;
            });
        });
}

Call<Page<TemplateSummary>> TemplatesClient::page(const QString &nextToken, int limit)
{
    return pageOf(m_link, nextToken, limit);
}

Call<TemplateDetail> TemplatesClient::detail(const TemplateId &id, const QString &buildsToken, int limit)
{
    if (isBlank(id))
        return noTemplate<TemplateDetail>();
    return detailOf(m_link, id, buildsToken, limit);
}

Call<TemplateDetail> TemplatesClient::wholeDetail(const TemplateId &id)
{
    if (isBlank(id))
        return noTemplate<TemplateDetail>();
    auto whole = std::make_shared<TemplateDetail>();
    return allPages<protocol::TemplateBuild>([link = m_link, id, whole](const QString &token) {
               return detailOf(link, id, token, 100)
                   .map([whole, token](Result<TemplateDetail> part) -> Result<Page<protocol::TemplateBuild>> {
                       if (!part)
                           return tl::unexpected(std::move(part.error()));
                       Page<protocol::TemplateBuild> page{.items = part->builds, .nextToken = part->nextToken};
                       if (token.isEmpty())
                           *whole = std::move(*part);
                       return page;
                   });
           })
        .map([whole](Result<QList<protocol::TemplateBuild>> builds) -> Result<TemplateDetail> {
            if (!builds)
                return tl::unexpected(std::move(builds.error()));
            whole->builds = std::move(*builds);
            whole->nextToken.clear();
            return *whole;
        });
}

Call<TemplateSummary> TemplatesClient::reconcile(const TemplateSummary &entry)
{
    return settle(m_link, entry);
}

Call<QList<TemplateSummary>> TemplatesClient::reconcileAll(QList<TemplateSummary> entries, int maxCalls)
{
    return settleFrom(m_link, std::move(entries), 0, maxCalls);
}

Call<void> TemplatesClient::remove(const TemplateId &idOrName)
{
    if (isBlank(idOrName))
        return noTemplate<void>();
    return removeWith(m_link, m_link->request("DELETE", templatePath(idOrName.value)), Operation::DeleteTemplate);
}

Call<QStringList> TemplatesClient::setPublic(const TemplateId &id, bool isPublic)
{
    if (isBlank(id))
        return noTemplate<QStringList>();
    const auto patch = [link = m_link, id, isPublic](const QByteArray &version) {
        net::HttpRequest request =
            link->jsonRequest("PATCH", version + templatePath(id.value), protocol::encodeVisibility(isPublic));
        request.mayRepeat = true;
        return link->sendSafely(std::move(request));
    };
    const auto read = [](Result<net::HttpResponse> response) {
        return answer<QStringList>(std::move(response), Operation::Other, &protocol::decodeTemplateNames);
    };
    if (m_link->v1PatchOnly)
        return patch({}).map(read);
    return patch("/v2").chain([link = m_link, patch, read](Result<net::HttpResponse> first) {
        if (!first || !isMissingCall(first->status))
            return Call<QStringList>::settled(read(std::move(first)));
        return patch({}).map([link, read, first](Result<net::HttpResponse> second) {
            link->v1PatchOnly = link->v1PatchOnly || (second && second->isSuccess());
            // Where neither is there, the newer form's words are those people can look up.
            return read(second && isMissingCall(second->status) ? first : std::move(second));
        });
    });
}

Call<BuildId> TemplatesClient::assignTags(const QString &target, const QStringList &tags)
{
    if (target.trimmed().isEmpty() || tags.isEmpty())
        return refused<BuildId>(QStringLiteral("tags need a target"));
    net::HttpRequest request = m_link->jsonRequest("POST", "/templates/tags", protocol::encodeAssignTags(target, tags));
    return ask<BuildId>(m_link, std::move(request), Operation::Other, &protocol::decodeAssignedTags);
}

Call<void> TemplatesClient::removeTags(const QString &name, const QStringList &tags)
{
    if (name.trimmed().isEmpty() || tags.isEmpty() || name.contains(QLatin1Char(':')))
        return refused<void>(QStringLiteral("tags are removed from a name without one"));
    if (tags.contains(QLatin1String("default"), Qt::CaseInsensitive))
        return refused<void>(QStringLiteral("the tag default can't be removed"), QStringLiteral("default_tag"));
    return removeWith(m_link, m_link->jsonRequest("DELETE", "/templates/tags", protocol::encodeRemoveTags(name, tags)));
}

Call<QList<protocol::TemplateTag>> TemplatesClient::tags(const QString &idOrName)
{
    using Tags = QList<protocol::TemplateTag>;
    if (idOrName.trimmed().isEmpty())
        return noTemplate<Tags>();
    return ask<Tags>(m_link, m_link->request("GET", templatePath(idOrName, "/tags")), Operation::Other,
                     &protocol::decodeTemplateTags);
}

Call<protocol::TemplateAlias> TemplatesClient::lookUpName(const QString &name)
{
    using Alias = protocol::TemplateAlias;
    if (name.trimmed().isEmpty())
        return noTemplate<Alias>();
    return m_link->sendSafely(m_link->request("GET", "/templates/aliases/" + encodeSegment(name)))
        .map([](Result<net::HttpResponse> response) -> Result<Alias> {
            if (response && response->status == 404)
                return Alias{.owner = protocol::NameOwner::Nobody};
            if (response && response->status == 403)
                return Alias{.owner = protocol::NameOwner::SomebodyElse};
            return answer<Alias>(std::move(response), Operation::Other, &protocol::decodeTemplateAlias);
        });
}

} // namespace boxdeck::api
