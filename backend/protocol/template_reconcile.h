// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/protocol/template_build.h"

namespace boxdeck::protocol {

// What a template list entry really means (protocol/lifecycle.md section 8): a list shows the newest build with the
// tag "default", whether or not an older one can be used and whether or not there ever will be one.

/// The one further question that settles an entry.
enum class Unsettled {
    Nothing,   ///< the entry can be taken as it is
    BuildInfo, ///< pending, with a build that boots: how is that one doing?
    History,   ///< waiting, without one, though builds exist: did one succeed under another tag?
};

Unsettled unsettled(const TemplateSummary &entry);

/// The entry with the status of the build it names, if that has ended; else as it was.
TemplateSummary settledBy(TemplateSummary entry, const Result<BuildInfo> &build);
/// Untagged, if a build in the history is ready: waiting never makes it usable. Else as it was.
TemplateSummary settledBy(TemplateSummary entry, const Result<TemplateDetail> &history);

} // namespace boxdeck::protocol
