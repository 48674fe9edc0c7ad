// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include "backend/host/sandbox/uid_range.h"

namespace boxdeck::host {

namespace asio = boost::asio;

/// Root file systems kept as they were, in FOLDER/<id>/root. All copying is done by the helper process inside the uid
/// range: owners, modes, times, links (hard ones too), sparse files and extended attributes are kept, blocks are
/// shared where the file system can. Nobody ever writes to a layer again. Runs on one thread; throws ContainerError.
class LayerStore
{
public:
    /// @p folder and @p trash must exist and lie on one file system.
    LayerStore(asio::io_context &io, std::string folder, std::string trash, std::optional<UidRange> range);

    /// Finds the layers of an earlier run; what was not completed goes. Call once, at the start.
    void restore();
    /// Throws away all layers but those of @p used: what a crash left between a layer and what was to need it. Call
    /// after everybody who keeps layer ids has read them.
    void sweep(const std::set<std::string> &used);

    /// Copies a root folder, whose processes must stand still, into a new layer on the disk; gives its id.
    asio::awaitable<std::string> capture(std::string rootFolder);
    /// Reads the root file system in a folder or tar archive of this computer into a new layer. For what is refused see
    /// importRoot().
    asio::awaitable<std::string> importFrom(std::string path);
    /// Copies a layer into an existing, empty folder. @p hostname becomes the name of its sandbox; empty leaves it.
    asio::awaitable<void> materialize(std::string layerId, std::string rootFolder, std::string hostname = {});
    /// Moves a layer to @p folder, which must not exist: its files are in @p folder/root then. The layer is no more,
    /// even if this fails. For one that was captured for this alone.
    asio::awaitable<void> moveTo(std::string layerId, std::string folder, std::string hostname);
    /// A pinned layer is not removed, whoever asks: images stay whatever becomes of what was built from them.
    void pin(const std::string &layerId) { m_pinned.insert(layerId); }
    void unpin(const std::string &layerId) { m_pinned.erase(layerId); }
    /// Returns when its files are gone, or at once while somebody is still copying it: who began gets it whole, and the
    /// last one clears up. Harmless for an unknown one.
    asio::awaitable<void> remove(std::string layerId);

    bool contains(const std::string &layerId) const { return m_layers.contains(layerId); }
    /// Bytes its files take on the disk, 0 for an unknown one.
    std::int64_t bytes(const std::string &layerId) const;
    /// The folder of its files, for reading; only valid for one that is contained.
    std::string rootOf(const std::string &layerId) const { return m_folder + '/' + layerId + "/root"; }

private:
    std::string trashed(const std::string &layerId) const;
    std::string begin() const;
    std::optional<std::int64_t> recordedBytes(const std::string &layerId) const;
    asio::awaitable<void> unpack(std::string path, std::string layerId);
    asio::awaitable<std::string> fill(std::string layerId, std::vector<std::string> helper);

    asio::io_context &m_io;
    std::string m_folder;
    std::string m_trash;
    std::optional<UidRange> m_range;
    std::set<std::string> m_pinned;
    std::map<std::string, int> m_reading;         ///< id -> how many are copying it
    std::set<std::string> m_condemned;            ///< to be removed when nobody copies it any more
    std::map<std::string, std::int64_t> m_layers; ///< id -> bytes
};

} // namespace boxdeck::host
