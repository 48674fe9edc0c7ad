// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include <boost/asio/any_io_executor.hpp>

namespace boxdeck::host::envd {

/// What the files of this sandbox take on the disk: its root is a folder of a file system that it shares with others,
/// so the kernel keeps no count, and somebody has to look. Looking is done on another executor and never takes more
/// than a fiftieth of the time. Files that were deleted but are still open are not seen. Used from one thread.
class DiskUsage
{
public:
    explicit DiskUsage(boost::asio::any_io_executor worker);
    ~DiskUsage(); ///< tells a walk under way to stop; does not wait for it

    DiskUsage(const DiskUsage &) = delete;
    DiskUsage &operator=(const DiskUsage &) = delete;

    /// Bytes at the last walk, and begins another one if it is time; nothing before the first is over.
    std::optional<std::uint64_t> read();

private:
    struct Shared;
    boost::asio::any_io_executor m_worker;
    std::shared_ptr<Shared> m_shared;
    std::chrono::steady_clock::time_point m_next;
};

/// Bytes that everything below @p folder takes, on its own file system, each file once; follows no link. Gives up when
/// @p stop becomes true, with nothing. What can't be looked into (too deep, gone meanwhile) counts nothing.
std::optional<std::uint64_t> measureTree(const char *folder, const std::function<bool()> &stop);

} // namespace boxdeck::host::envd
