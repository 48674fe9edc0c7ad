// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include "backend/host/http/server.h"

namespace boxdeck::host {

namespace asio = boost::asio;

/// Sizes of what may be uploaded, in bytes.
struct UploadLimits
{
    std::uint64_t archive = 2ULL << 30;
    std::uint64_t together = 20ULL << 30; ///< the oldest go when all of them are more
};

/// The archives of COPY steps, each under its hash (which the host does not recompute: it is only a key), and the
/// links to put them there. A link holds no key but a secret of its own that expires.
class UploadStore
{
public:
    /// Path below which links lie; the rest of such a path is the secret.
    static constexpr std::string_view linkPath = "/boxdeck/uploads/";
    static constexpr std::chrono::hours linkLife{1};

    /// Keeps the archives in @p folder, which is made. Throws std::system_error.
    UploadStore(std::string folder, UploadLimits limits);
    ~UploadStore();
    UploadStore(const UploadStore &) = delete;
    UploadStore &operator=(const UploadStore &) = delete;

    bool contains(const std::string &hash) const;
    /// Path of an archive, and a note that it was used now.
    std::string use(const std::string &hash) const;
    /// A new link for a checked hash: the path to PUT to.
    std::string makeLink(const std::string &hash);

    /// Answers a request below linkPath: takes the archive of a PUT with an exact Content-Length. Throws only when the
    /// connection breaks.
    asio::awaitable<void> serve(http::Exchange &exchange);

private:
    struct Link
    {
        std::string hash;
        std::chrono::steady_clock::time_point until;
    };

    std::optional<std::string> hashOf(const std::string &secret) const;
    asio::awaitable<bool> receive(http::Exchange &exchange, const std::string &part, std::uint64_t size);
    void makeRoom(std::uint64_t wanted) const;

    std::string m_folder;
    UploadLimits m_limits;
    std::map<std::string, Link> m_links;
    asio::thread_pool m_disk{1}; ///< a big archive must not hold up the host while the disk takes it
};

} // namespace boxdeck::host
