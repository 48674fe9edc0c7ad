// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/standard_template.h"

#include "backend/api/control_answers.h"
#include "backend/core/logging.h"

namespace boxdeck::api {

using protocol::BuildStatus;
using protocol::TemplateId;
using protocol::TemplateSummary;

namespace {

constexpr int maxReconciliations = 5;

using Failures = QMap<TemplateId, Error>;

QString plainName(QString name)
{
    name = name.trimmed();
    while (name.startsWith(QLatin1Char('/')))
        name.remove(0, 1);
    while (name.endsWith(QLatin1Char('/')))
        name.chop(1);
    return name;
}

bool isUsable(const TemplateSummary &entry)
{
    return entry.buildStatus != BuildStatus::Error && entry.buildStatus != BuildStatus::Untagged;
}

/// The standard ones of the account.
Call<QList<TemplateSummary>> standardOnes(TemplatesClient client, const QString &name)
{
    return client.list().map([name](Result<QList<TemplateSummary>> all) {
        if (all)
            all->removeIf([&](const TemplateSummary &entry) { return !isStandard(entry, name); });
        return all;
    });
}

Call<TemplateSummary> build(TemplatesClient client, const StandardTemplate &wanted)
{
    const protocol::NewTemplate request{.name = plainName(wanted.name),
                                        // Without this tag the bare name would not resolve.
                                        .tags = {QStringLiteral("default")},
                                        .cpuCount = wanted.cpuCount,
                                        .memoryMB = wanted.memoryMB};
    return client.create(request).chain([client, wanted](Result<protocol::TemplateRequested> made) mutable {
        using Built = Call<TemplateSummary>;
        if (!made)
            return Built::settled(tl::unexpected(std::move(made.error())));
        return client.startBuild(made->templateId, made->buildId, wanted.recipe)
            .map([made, wanted](Result<void> started) -> Result<TemplateSummary> {
                if (!started)
                    return tl::unexpected(std::move(started.error()));
                TemplateSummary entry{.id = made->templateId,
                                      .names = made->names,
                                      .buildStatus = BuildStatus::Building,
                                      .rawStatus = QStringLiteral("building"),
                                      .cpuCount = wanted.cpuCount,
                                      .memoryMB = wanted.memoryMB,
                                      .isPublic = made->isPublic,
                                      .buildCount = 1};
                if (entry.names.isEmpty())
                    entry.names.append(plainName(wanted.name));
                return entry;
            });
    });
}

Call<Failures> removeFrom(TemplatesClient client, QList<TemplateId> ids, Failures failures)
{
    if (ids.isEmpty())
        return Call<Failures>::settled(std::move(failures));
    const TemplateId id = ids.takeFirst();
    return client.remove(id).chain([client, ids, id, failures](const Result<void> &removed) mutable {
        if (!removed) {
            qCInfo(lcApi) << "a superseded template stays:" << kindName(removed.error().kind);
            failures.insert(id, removed.error());
        }
        return removeFrom(client, ids, std::move(failures));
    });
}

} // namespace

bool isStandard(const TemplateSummary &entry, const QString &name)
{
    const QString wanted = plainName(name);
    if (wanted.isEmpty())
        return false;
    for (const QString &known : entry.names + entry.aliases) {
        const QString plain = plainName(known);
        if (plain.compare(wanted, Qt::CaseInsensitive) == 0 ||
            plain.section(QLatin1Char('/'), -1).compare(wanted, Qt::CaseInsensitive) == 0)
            return true;
    }
    return false;
}

Call<TemplateSummary> ensureStandardTemplate(TemplatesClient client, const StandardTemplate &wanted)
{
    if (plainName(wanted.name).isEmpty())
        return refused<TemplateSummary>(QStringLiteral("the standard template needs a name"));
    return standardOnes(client, wanted.name)
        .chain([client](Result<QList<TemplateSummary>> found) mutable {
            if (!found)
                return Call<QList<TemplateSummary>>::settled(std::move(found));
            return client.reconcileAll(std::move(*found), maxReconciliations);
        })
        .chain([client, wanted](Result<QList<TemplateSummary>> found) {
            using Ensured = Call<TemplateSummary>;
            if (!found) // not known to be missing: building one more would be a guess
                return Ensured::settled(tl::unexpected(std::move(found.error())));
            const auto good = std::find_if(found->begin(), found->end(), isUsable);
            return good != found->end() ? Ensured::settled(*good) : build(client, wanted);
        });
}

Call<TemplateSummary> replaceStandardTemplate(TemplatesClient client, const StandardTemplate &wanted)
{
    if (plainName(wanted.name).isEmpty())
        return refused<TemplateSummary>(QStringLiteral("the standard template needs a name"));
    return build(std::move(client), wanted);
}

Call<Failures> removeSuperseded(TemplatesClient client, const QString &name, const TemplateId &keep)
{
    if (isBlank(keep))
        return refused<Failures>(QStringLiteral("no template named to keep"));
    return standardOnes(client, name).chain([client, keep](Result<QList<TemplateSummary>> found) {
        if (!found)
            return Call<Failures>::settled(tl::unexpected(std::move(found.error())));
        QList<TemplateId> ids;
        for (const TemplateSummary &entry : *found) {
            if (entry.id != keep)
                ids.append(entry.id);
        }
        return removeFrom(client, ids, {});
    });
}

} // namespace boxdeck::api
