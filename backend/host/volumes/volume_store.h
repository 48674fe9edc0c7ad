// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include "backend/host/control_plane/record.h"
#include "backend/host/sandbox/uid_range.h"

namespace boxdeck::host {

namespace asio = boost::asio;

/// A folder that outlives sandboxes and may be mounted into several at once.
struct Volume
{
    std::string id; ///< UUID text
    std::string name;
    TimePoint createdAt;
};

/// The volumes of this host, each in FOLDER/<id>: volume.json (written last, so a volume is whole or not there), and
/// data/ with its files, which belong to the ids of sandboxes. Runs on one thread; throws ApiError.
class VolumeStore
{
public:
    /// @p folder and @p trash must exist and lie on one file system.
    VolumeStore(asio::io_context &io, std::string folder, std::string trash, std::optional<UidRange> range);

    /// Finds the volumes of an earlier run; what was not completed goes. Call once, at the start.
    void restore();

    /// Oldest first.
    std::vector<Volume> list() const;
    /// Throws 404.
    Volume get(const std::string &id) const;
    bool contains(const std::string &id) const { return m_volumes.contains(id); }
    std::optional<Volume> findByName(const std::string &name) const;
    /// 400 for a name that is not `[a-zA-Z0-9_-]+` or that there is already.
    asio::awaitable<Volume> create(std::string name);
    /// The name is free at once. Throws 404. The caller has made sure that nobody mounts it.
    asio::awaitable<void> remove(std::string id);

    const std::string &folder() const { return m_folder; }
    const std::optional<UidRange> &range() const { return m_range; }

private:
    void restoreOne(const std::string &id);

    asio::io_context &m_io;
    std::string m_folder;
    std::string m_trash;
    std::optional<UidRange> m_range;
    std::map<std::string, Volume> m_volumes;
    std::set<std::string> m_makingNames; ///< names of volumes that are just being made
};

} // namespace boxdeck::host
