// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/builds/upload_store.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>

#include "backend/host/control_plane/api_error.h"
#include "backend/host/control_plane/data_folder.h"
#include "backend/host/control_plane/secret_compare.h"
#include "backend/host/sandbox/spawn.h"

namespace boxdeck::host {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostLinks = 10'000;
constexpr std::size_t secretDigits = 64;
constexpr std::size_t block = 1024 * 1024;
constexpr std::string_view partial = ".part-";

void writeAll(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t wrote = write(fd, bytes.data(), bytes.size());
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            throw std::system_error(errno, std::generic_category(), "storing the archive");
        bytes.remove_prefix(static_cast<std::size_t>(wrote));
    }
}

asio::awaitable<void> refuse(http::Exchange &exchange, int status, const std::string &message)
{
    const boost::json::object body{{"code", status}, {"message", message}};
    http::Headers headers{{"Content-Type", "application/json; charset=utf-8"}};
    co_await exchange.respond(status, std::move(headers), boost::json::serialize(body));
}

} // namespace

UploadStore::UploadStore(std::string folder, UploadLimits limits)
    : m_folder(std::move(folder))
    , m_limits(limits)
{
    fs::create_directories(m_folder);
    std::error_code ignored;
    for (const auto &entry : fs::directory_iterator(m_folder)) {
        if (entry.path().filename().string().find(partial) != std::string::npos)
            fs::remove(entry.path(), ignored);
    }
}

UploadStore::~UploadStore()
{
    m_disk.join();
}

bool UploadStore::contains(const std::string &hash) const
{
    std::error_code ignored;
    return fs::is_regular_file(m_folder + '/' + hash, ignored);
}

std::string UploadStore::use(const std::string &hash) const
{
    const std::string path = m_folder + '/' + hash;
    utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
    return path;
}

std::string UploadStore::makeLink(const std::string &hash)
{
    const auto now = std::chrono::steady_clock::now();
    std::erase_if(m_links, [now](const auto &link) { return link.second.until <= now; });
    if (m_links.size() >= mostLinks)
        throw ApiError(429, "there are too many open upload links; use them or wait until they expire");
    std::string secret = randomHex(secretDigits);
    m_links.emplace(secret, Link{.hash = hash, .until = now + linkLife});
    return std::string(linkPath) + secret;
}

std::optional<std::string> UploadStore::hashOf(const std::string &secret) const
{
    std::optional<std::string> hash;
    const auto now = std::chrono::steady_clock::now();
    for (const auto &[known, link] : m_links) {
        if (equalSecrets(known, secret) && link.until > now)
            hash = link.hash;
    }
    return hash;
}

void UploadStore::makeRoom(std::uint64_t wanted) const
{
    struct Kept
    {
        fs::path path;
        fs::file_time_type used;
        std::uint64_t size;
    };
    std::vector<Kept> kept;
    std::uint64_t total = wanted;
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(m_folder, error)) {
        if (!entry.is_regular_file(error))
            continue;
        total += entry.file_size(error);
        if (entry.path().filename().string().find(partial) == std::string::npos)
            kept.push_back({entry.path(), entry.last_write_time(error), entry.file_size(error)});
    }
    std::sort(kept.begin(), kept.end(), [](const Kept &left, const Kept &right) { return left.used < right.used; });
    for (const Kept &old : kept) {
        if (total <= m_limits.together)
            return;
        fs::remove(old.path, error);
        total -= std::min(total, old.size);
    }
}

asio::awaitable<bool> UploadStore::receive(http::Exchange &exchange, const std::string &part, std::uint64_t size)
{
    const Fd fd(open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!fd)
        throw std::system_error(errno, std::generic_category(), "storing the archive");
    std::string buffer(block, '\0');
    std::string_view piece;
    const auto take = [&]() -> asio::awaitable<void> {
        writeAll(fd.get(), piece);
        co_return;
    };
    std::uint64_t have = 0;
    for (;;) {
        const std::size_t got = co_await exchange.readSome(std::span(buffer));
        if (got == 0)
            break;
        have += got;
        piece = std::string_view(buffer).substr(0, got);
        co_await asio::co_spawn(m_disk, take, asio::use_awaitable);
    }
    bool kept = false;
    const auto settle = [&]() -> asio::awaitable<void> {
        kept = fsync(fd.get()) == 0;
        co_return;
    };
    co_await asio::co_spawn(m_disk, settle, asio::use_awaitable);
    co_return kept &&have == size;
}

asio::awaitable<void> UploadStore::serve(http::Exchange &exchange)
{
    const http::Request &request = exchange.request();
    const std::string secret = request.path.substr(std::min(linkPath.size(), request.path.size()));
    const auto hash = hashOf(secret);
    if (!hash) {
        co_await refuse(exchange, 403, "this upload link is unknown or has expired; ask for a new one");
        co_return;
    }
    if (request.method != "PUT") {
        co_await refuse(exchange, 405, "method " + request.method + " is not allowed here; PUT the archive");
        co_return;
    }
    const auto size = exchange.contentLength();
    if (!size || !request.headers.contains("Content-Length")) {
        co_await refuse(exchange, size ? 411 : 501, "an upload needs its exact Content-Length and no chunked coding");
        co_return;
    }
    if (*size == 0 || *size > m_limits.archive) {
        co_await refuse(exchange, *size == 0 ? 400 : 413,
                        "an archive has 1 byte to " + std::to_string(m_limits.archive / (1024 * 1024)) + " MiB");
        co_return;
    }
    makeRoom(*size);
    const std::string part = m_folder + '/' + *hash + std::string(partial) + randomHex(16);
    std::exception_ptr broken;
    std::string failure;
    int status = 500;
    try {
        const bool whole = co_await receive(exchange, part, *size);
        if (!whole)
            failure = "the archive did not arrive whole";
        else if (rename(part.c_str(), (m_folder + '/' + *hash).c_str()) != 0)
            failure = "the archive could not be stored";
    } catch (const boost::system::system_error &) {
        broken = std::current_exception();
    } catch (const std::system_error &error) {
        failure = error.what();
        status = error.code() == std::errc::no_space_on_device ? 507 : 500;
    } catch (const std::exception &error) {
        failure = error.what();
    }
    if (broken || !failure.empty())
        unlink(part.c_str());
    if (broken)
        std::rethrow_exception(broken);
    if (!failure.empty()) {
        co_await refuse(exchange, status, failure);
        co_return;
    }
    m_links.erase(secret);
    co_await exchange.respond(200, {});
}

} // namespace boxdeck::host
