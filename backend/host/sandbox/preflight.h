// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <boost/asio/io_context.hpp>

#include "backend/host/sandbox/container.h"

namespace boxdeck::host {

/// What was found out about isolation on this computer.
struct Preflight
{
    IsolationSettings settings;
    std::string refusal; ///< why there can be no sandboxes and what to install or change; empty if there can
    std::string warning; ///< what is only half there; may be empty
};

/// Finds bubblewrap and a range of user ids and really tries both, in @p folder. Runs @p io until it knows. @p boundTo
/// is what the files of existing sandboxes belong to (the text of idsText), empty if there are none: their owners
/// cannot change, so only those ids will do.
Preflight checkIsolation(asio::io_context &io, const std::string &envd, const std::string &folder,
                         const std::string &boundTo);

/// Names the ids that files of sandboxes belong to with these settings.
std::string idsText(const IsolationSettings &settings);

/// The sentence that tells what to do when bubblewrap does not work here, from what it said.
std::string isolationAdvice(const std::string &said);

} // namespace boxdeck::host
