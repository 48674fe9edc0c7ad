// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/files_routes.h"

#include "backend/host/envd/content_type.h"
#include "backend/host/envd/gzip.h"
#include "backend/host/envd/offload.h"
#include "backend/host/envd/paths.h"
#include "backend/host/envd/rpc_error.h"
#include "backend/host/envd/unique_fd.h"
#include "backend/host/http/response_head.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <vector>

namespace boxdeck::host::envd {

namespace {

// Files under /proc and /sys have no size of their own; this much of one is served.
constexpr std::size_t unsizedLimit = 4 * 1024 * 1024;

struct OpenFile
{
    UniqueFd fd;
    std::uint64_t size = 0;
    std::int64_t modified = 0;
    std::string beginning;
    bool unsized = false;
};

std::string readUnsized(int fd, const std::string &path)
{
    std::string content;
    std::array<char, 16 * 1024> block;
    while (content.size() < unsizedLimit) {
        const ssize_t n = ::read(fd, block.data(), block.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            throw HttpError(500, "error reading file '" + path + "': " + errnoText(errno));
        if (n == 0)
            break;
        content.append(block.data(), static_cast<std::size_t>(n));
    }
    return content;
}

OpenFile openForReading(const std::string &path)
{
    struct stat info = {};
    if (::stat(path.c_str(), &info) != 0) {
        if (errno == ENOENT)
            throw HttpError(404, "path '" + path + "' does not exist");
        throw HttpError(500, "error checking if path exists '" + path + "': " + errnoText(errno));
    }
    if (S_ISDIR(info.st_mode))
        throw HttpError(400, "path '" + path + "' is a directory");
    if (!S_ISREG(info.st_mode))
        throw HttpError(400, "path '" + path + "' is not a regular file");
    OpenFile file;
    // Without waiting: a pipe that has taken the file's place would hold the thread for ever.
    file.fd.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file.fd || ::fstat(file.fd.get(), &info) != 0 || !S_ISREG(info.st_mode))
        throw HttpError(500, "error opening file '" + path + "': " + errnoText(errno));
    file.size = static_cast<std::uint64_t>(info.st_size);
    file.modified = info.st_mtime;
    if (file.size == 0) {
        file.beginning = readUnsized(file.fd.get(), path);
        file.unsized = !file.beginning.empty();
        file.size = file.beginning.size();
    } else {
        std::array<char, 512> block{};
        const ssize_t n = ::pread(file.fd.get(), block.data(), block.size(), 0);
        file.beginning.assign(block.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    }
    return file;
}

// If-Range names the version that a part must belong to; files have no entity tags here, only a date can match.
bool rangeApplies(const http::Headers &request, const std::string &lastModified)
{
    const auto condition = request.get("If-Range");
    return !condition || *condition == lastModified;
}

bool notModified(const http::Headers &request, std::int64_t modified)
{
    const auto since = request.get("If-Modified-Since");
    if (!since || request.contains("If-None-Match"))
        return false;
    const auto time = http::parseHttpDate(*since);
    return time && modified <= *time;
}

} // namespace

asio::awaitable<void> FilesRoutes::download(http::Exchange &exchange)
{
    const http::Headers &request = exchange.request().headers;
    const http::Query query = filesQuery(exchange.request());
    const Account user = account(query.get("username"));
    std::string path;
    try {
        path = expandPath(query.get("path").value_or(std::string()), user.home, m_settings.defaultDirectory);
    } catch (const std::invalid_argument &error) {
        throw HttpError(400, std::string("error expanding and resolving path: ") + error.what());
    }
    const auto open = [&path] { return openForReading(path); };
    const OpenFile file = co_await offload(m_blocking, open);

    const auto accept = request.get("Accept-Encoding");
    Coding coding = chooseCoding(accept);
    if (coding == Coding::None)
        throw HttpError(406, "error parsing Accept-Encoding: no acceptable encoding found");
    const bool conditional = request.contains("Range") || request.contains("If-Modified-Since") ||
                             request.contains("If-None-Match") || request.contains("If-Range");
    if (conditional) {
        if (!identityAllowed(accept))
            throw HttpError(406, "identity encoding not acceptable for Range or conditional request");
        coding = Coding::Identity;
    }
    if (file.unsized)
        coding = identityAllowed(accept) ? Coding::Identity : coding;

    http::Headers headers;
    const std::string byName = contentTypeByName(path);
    headers.add("Content-Disposition", inlineDisposition(baseName(path)));
    headers.add("Vary", "Accept-Encoding");
    if (coding == Coding::Gzip) {
        headers.add("Content-Encoding", "gzip");
        headers.add("Content-Type", byName.empty() ? "application/octet-stream" : byName);
        co_await sendCompressed(exchange, file.fd.get(), std::move(headers));
        co_return;
    }
    const std::string lastModified = http::httpDate(file.modified);
    headers.add("Last-Modified", lastModified);
    if (notModified(request, file.modified)) {
        co_await exchange.respond(304, std::move(headers));
        co_return;
    }
    headers.add("Accept-Ranges", "bytes");
    headers.add("Content-Type",
                byName.empty() ? contentTypeByContent(std::string_view(file.beginning).substr(0, 512)) : byName);
    ByteRange range{.length = file.size};
    if (const auto header = request.get("Range"); header && rangeApplies(request, lastModified))
        range = ByteRange::parse(*header, file.size);
    if (range.kind == ByteRange::Kind::Unsatisfiable) {
        http::Headers refusal;
        refusal.add("Content-Range", "bytes */" + std::to_string(file.size));
        refusal.add("Content-Type", "text/plain; charset=utf-8");
        std::string text = "invalid range: failed to overlap\n";
        co_await exchange.respond(416, std::move(refusal), std::move(text));
        co_return;
    }
    const bool part = range.kind == ByteRange::Kind::Part;
    if (part) {
        headers.add("Content-Range", "bytes " + std::to_string(range.first) + "-" +
                                         std::to_string(range.first + range.length - 1) + "/" +
                                         std::to_string(file.size));
    }
    headers.add("Content-Length", std::to_string(range.length));
    const int status = part ? 206 : 200;
    co_await exchange.startStream(status, std::move(headers));
    if (file.unsized)
        co_await exchange.write(std::string_view(file.beginning).substr(range.first, range.length));
    else if (range.length > 0)
        co_await exchange.sendFile(file.fd.get(), range.first, range.length, m_blocking);
    co_await exchange.finish();
}

asio::awaitable<void> FilesRoutes::sendCompressed(http::Exchange &exchange, int fd, http::Headers headers)
{
    co_await exchange.startStream(200, std::move(headers));
    GzipWriter gzip;
    std::vector<char> block(256 * 1024);
    std::uint64_t offset = 0;
    for (bool last = false; !last;) {
        const auto compress = [&] {
            const ssize_t n = ::pread(fd, block.data(), block.size(), static_cast<off_t>(offset));
            if (n < 0)
                throw std::runtime_error("error reading file");
            last = n == 0;
            offset += static_cast<std::uint64_t>(n);
            return gzip.feed(std::string_view(block.data(), static_cast<std::size_t>(n)), last);
        };
        const std::string piece = co_await offload(m_blocking, compress);
        co_await exchange.write(piece);
    }
    co_await exchange.finish();
}

} // namespace boxdeck::host::envd
