// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <boost/json/value.hpp>

#include "backend/host/control_plane/record.h"

namespace boxdeck::host {

/// Reads `volumeMounts` of a create request: names and paths, the ids still empty. Throws ApiError 400 for a path that
/// is not absolute and clean, that is given twice or lies below another one, or over which a sandbox cannot work.
std::vector<VolumeMount> readVolumeMounts(const boost::json::value &value);

} // namespace boxdeck::host
