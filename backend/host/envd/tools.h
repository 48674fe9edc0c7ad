// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace boxdeck::host::envd {

/// What a template build does inside its container besides running the author's commands, so that it works in any
/// image and can reach nothing but the sandbox: `boxdeck-envd --tool NAME key=value …`, run as root (as `user` where
/// there is no root). Prints what the host asked for, or a sentence to stderr. Gives the exit code.
///
/// - `place`: writes the CopyFrames of `stream` (deleted afterwards) to `target`; see placeTool().
/// - `account`: makes the account `name` if it is missing, and prints the name of that account.
/// - `folder`: makes `path` if it is missing, owned by `owner`, and prints it with its links resolved.
int runTool(const std::vector<std::string> &words);

} // namespace boxdeck::host::envd
