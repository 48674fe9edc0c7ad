// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/api/templates_client.h"

namespace boxdeck::api {

/// The one template a team starts its sandboxes from, known by a fixed name (protocol/adapters.md section 11).
struct StandardTemplate
{
    QString name;
    protocol::BuildStart recipe; ///< usually fromImage alone
    int cpuCount = 2;
    int memoryMB = 2048; ///< MiB

    bool operator==(const StandardTemplate &) const = default;
};

/// True if one of its names or aliases is that name: in any case, slashes at the ends aside, with or without the
/// team's namespace before it.
bool isStandard(const protocol::TemplateSummary &entry, const QString &name);

/// The first standard template that did not fail (protocol/adapters.md 11.5), its status reconciled; else a build is
/// started and told as Building. Never starts a second build for one that runs.
Call<protocol::TemplateSummary> ensureStandardTemplate(TemplatesClient client, const StandardTemplate &wanted);

/// Always starts a build. What was there stays until removeSuperseded().
Call<protocol::TemplateSummary> replaceStandardTemplate(TemplatesClient client, const StandardTemplate &wanted);

/// Deletes all standard templates but `keep` (blank: InvalidRequest, without a call). Those that are gone already do
/// not count; the errors of others by id, none if all went.
Call<QMap<protocol::TemplateId, Error>> removeSuperseded(TemplatesClient client, const QString &name,
                                                         const protocol::TemplateId &keep);

} // namespace boxdeck::api
