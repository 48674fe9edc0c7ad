// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boxdeck::host {

/// Body of POST /v3/templates and its older forms, checked.
struct TemplateRequest
{
    std::string name;              ///< as sent: [namespace/]name[:tag]
    std::vector<std::string> tags; ///< as sent
    std::int32_t cpuCount = 2;
    std::int32_t memoryMb = 1024;
};

/// One step of a template, as sent.
struct BuildStep
{
    std::string type; ///< upper case
    std::vector<std::string> args;
    std::string filesHash;
    bool force = false;
};

/// Body of POST /v2/templates/{id}/builds/{id}: what to build.
struct BuildStart
{
    std::string fromImage;
    std::string fromTemplate;
    bool hasRegistry = false;
    bool force = false;
    std::vector<BuildStep> steps;
    std::string startCmd;
    std::string readyCmd;
    /// What is wrong with the body as a whole (both or neither base, an unknown registry): it answers 500 and leaves
    /// the build in `error`, as the reference does. Empty when it is sound.
    std::string fault;
};

/// Each reads a body; throws ApiError 400 for what is no JSON of the right shape.
TemplateRequest readTemplateRequest(std::string_view body, int version);
BuildStart readBuildStart(std::string_view body);

/// 64 hexadecimal characters, in lower case; nothing for anything else. It becomes a file name.
std::optional<std::string> readFilesHash(std::string_view text);

/// The pairs of an ENV or ARG step: `[k1, v1, k2, v2]`; `K=V` texts where the count is odd (protocol/compat.md,
/// section 5). Throws std::runtime_error with the reason the build fails for.
std::vector<std::pair<std::string, std::string>> environmentPairs(const BuildStep &step);

/// How large the variables of a template may be together, in bytes: a sandbox's own need room beside them.
constexpr std::size_t mostVariables = 64UL * 1024;

/// Replaces `$NAME` and `${NAME}` (also `${NAME:-word}`) in @p value; names that are not in @p variables become empty.
/// Nothing else is: no command runs. Throws std::runtime_error when it becomes longer than mostVariables.
std::string expandVariables(std::string_view value, const std::map<std::string, std::string> &variables);

} // namespace boxdeck::host
