// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/envd/settings.h"
#include "backend/host/http/server.h"
#include "backend/host/http/url.h"

#include <string>

namespace boxdeck::host::envd {

namespace asio = boost::asio;

/// GET and POST /files and POST /files/compose (protocol/envd.md sections 6 and 7). Who may do so has been checked by
/// the host.
class FilesRoutes
{
public:
    FilesRoutes(asio::any_io_executor blocking, const Settings &settings)
        : m_blocking(std::move(blocking))
        , m_settings(settings)
    {
    }

    /// Each answers the request; they throw HttpError to refuse.
    asio::awaitable<void> download(http::Exchange &exchange);
    asio::awaitable<void> upload(http::Exchange &exchange);
    asio::awaitable<void> compose(http::Exchange &exchange);

private:
    Account account(const std::optional<std::string> &name) const;
    asio::awaitable<void> sendCompressed(http::Exchange &exchange, int fd, http::Headers headers);

    asio::any_io_executor m_blocking;
    const Settings &m_settings;
};

/// The query of a /files request. Throws HttpError (400, text) when it is malformed or names a parameter twice.
http::Query filesQuery(const http::Request &request);

/// What a Range header asks of a representation of that size.
struct ByteRange
{
    enum class Kind { Whole, Part, Unsatisfiable };
    Kind kind = Kind::Whole;
    std::uint64_t first = 0;
    std::uint64_t length = 0;

    /// One range is served; several, or another unit, are answered with the whole file, as RFC 9110 allows.
    static ByteRange parse(std::string_view header, std::uint64_t size);
};

enum class Coding { Identity, Gzip, None };
/// The best coding an Accept-Encoding header allows; None when not even identity is acceptable.
Coding chooseCoding(std::optional<std::string_view> acceptEncoding);
/// Whether the header allows identity.
bool identityAllowed(std::optional<std::string_view> acceptEncoding);

} // namespace boxdeck::host::envd
