// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "backend/host/control_plane/answers.h"
#include "backend/host/images/stored_template.h"

namespace boxdeck::host {

/// The schemas of protocol/control-plane.md, section 9, of the same names. Sizes of builds are what was asked for, or
/// this computer's where nothing was; the disk is always this computer's.
boost::json::object toTemplate(const StoredTemplate &stored, const Machine &machine);
/// @p builds is the page to show.
boost::json::object toTemplateWithBuilds(const StoredTemplate &stored, const std::vector<const TemplateBuild *> &builds,
                                         const Machine &machine);
boost::json::object toTemplateBuild(const TemplateBuild &build, const Machine &machine);
/// `names` and `aliases` of a template: one each, or none.
boost::json::array namesOf(const StoredTemplate &stored);
boost::json::array aliasesOf(const StoredTemplate &stored);

} // namespace boxdeck::host
