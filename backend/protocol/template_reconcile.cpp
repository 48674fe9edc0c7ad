// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/template_reconcile.h"

#include <algorithm>

namespace boxdeck::protocol {

Unsettled unsettled(const TemplateSummary &entry)
{
    if (entry.buildStatus != BuildStatus::Building && entry.buildStatus != BuildStatus::Waiting)
        return Unsettled::Nothing;
    if (!entry.buildId.isEmpty())
        return Unsettled::BuildInfo;
    // "building" is about a build tagged default, which will be usable; "waiting" also stands for no such build at all.
    return entry.buildStatus == BuildStatus::Waiting && entry.buildCount > 0 ? Unsettled::History : Unsettled::Nothing;
}

TemplateSummary settledBy(TemplateSummary entry, const Result<BuildInfo> &build)
{
    if (!build || (build->status != BuildStatus::Ready && build->status != BuildStatus::Error))
        return entry;
    entry.buildStatus = build->status;
    if (build->status == BuildStatus::Error)
        entry.reason = build->reason.message;
    return entry;
}

TemplateSummary settledBy(TemplateSummary entry, const Result<TemplateDetail> &history)
{
    if (!history)
        return entry;
    const bool succeeded = std::any_of(history->builds.begin(), history->builds.end(),
                                       [](const TemplateBuild &build) { return build.status == BuildStatus::Ready; });
    if (succeeded)
        entry.buildStatus = BuildStatus::Untagged;
    return entry;
}

} // namespace boxdeck::protocol
