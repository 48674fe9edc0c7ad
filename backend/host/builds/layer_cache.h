// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "backend/host/control_plane/record.h"

namespace boxdeck::host {

/// Where the steps of a template have come to: the files, and what the next step begins with.
struct BuildState
{
    std::string layerId; ///< empty = the built-in layout
    TemplateConfig config;

    bool operator==(const BuildState &) const = default;
};

/// Which key a step has: everything its result depends on, with the key of the step before.
std::string stepKey(const std::string &before, const std::vector<std::string> &parts);

/// What steps that ran before left, by their keys, one durable file each. Its layers are its own business: after every
/// change it names those that nothing needs any more.
class LayerCache
{
public:
    struct Entry
    {
        BuildState state;
        TimePoint usedAt;
    };

    /// @p folder is made. Throws std::system_error.
    explicit LayerCache(std::string folder);

    /// Reads what is there; entries whose layer @p hasLayer does not know go.
    void restore(const std::function<bool(const std::string &layerId)> &hasLayer);
    /// The state after the step with that key, and a note that it was used now.
    std::optional<BuildState> find(const std::string &key);
    void store(const std::string &key, const BuildState &state);
    void drop(const std::string &key);
    std::set<std::string> layers() const;
    /// Keys, the longest unused first.
    std::vector<std::string> oldestFirst() const;
    const std::map<std::string, Entry> &entries() const { return m_entries; }

private:
    std::string m_folder;
    std::map<std::string, Entry> m_entries;
};

} // namespace boxdeck::host
