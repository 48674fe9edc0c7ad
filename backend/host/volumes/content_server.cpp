// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/volumes/content_server.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <ctime>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/json.hpp>

#include "backend/host/http/json_text.h"
#include "backend/host/http/url.h"
#include "backend/host/volumes/volume_tree.h"

namespace boxdeck::host {

namespace {

namespace asio = boost::asio;
namespace json = boost::json;

constexpr int threads = 4; // disk waits block them; there are never many callers
constexpr std::size_t patchLimit = 64 * 1024;
constexpr std::size_t pieceSize = 256 * 1024;

std::string timeText(const timespec &time)
{
    std::tm parts{};
    gmtime_r(&time.tv_sec, &parts);
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%09ldZ", parts.tm_year + 1900,
                  parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, time.tv_nsec);
    return text.data();
}

void write(http::JsonWriter &out, const VolumeEntry &entry)
{
    out.beginObject();
    out.key("name").string(entry.name).key("type").string(entry.type).key("path").string(entry.path);
    out.key("size").number(entry.size).key("mode").number(entry.mode);
    out.key("uid").number(entry.uid).key("gid").number(entry.gid);
    out.key("atime").string(timeText(entry.atime)).key("mtime").string(timeText(entry.mtime));
    out.key("ctime").string(timeText(entry.ctime));
    if (entry.target)
        out.key("target").string(*entry.target);
    out.endObject();
}

asio::awaitable<void> sendJson(http::Exchange &exchange, int status, std::string body)
{
    http::Headers headers{{"Content-Type", "application/json; charset=utf-8"}};
    co_await exchange.respond(status, std::move(headers), std::move(body));
}

asio::awaitable<void> sendEntry(http::Exchange &exchange, int status, const VolumeEntry &entry)
{
    std::string body;
    http::JsonWriter out(body);
    write(out, entry);
    co_await sendJson(exchange, status, std::move(body));
}

class Parameters
{
public:
    explicit Parameters(const std::string &text)
    {
        auto parsed = http::Query::parse(text);
        if (!parsed)
            throw VolumeError(400, "invalid_request", "the query has a malformed percent sign");
        m_query = std::move(*parsed);
        for (const char *name : {"path", "depth", "uid", "gid", "mode", "force"}) {
            if (m_query.count(name) > 1)
                throw VolumeError(400, "invalid_request", std::string(name) + " was given more than once");
        }
    }

    VolumePath path() const { return readVolumePath(m_query.get("path").value_or("")); }

    std::optional<std::uint32_t> number(const char *name) const
    {
        const auto text = m_query.get(name);
        if (!text)
            return {};
        std::uint32_t value = 0;
        const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
        if (error != std::errc() || end != text->data() + text->size())
            throw VolumeError(400, "invalid_request", std::string(name) + " must be a whole number from 0 on");
        return value;
    }

    VolumeAttributes attributes() const { return {.uid = number("uid"), .gid = number("gid"), .mode = number("mode")}; }

    bool force() const
    {
        const std::string text = m_query.get("force").value_or("false");
        if (text != "true" && text != "false")
            throw VolumeError(400, "invalid_request", "force must be true or false");
        return text == "true";
    }

private:
    http::Query m_query;
};

VolumeAttributes readPatch(const std::string &body)
{
    boost::system::error_code error;
    const json::value value = json::parse(body, error);
    if (error || !value.is_object())
        throw VolumeError(400, "invalid_request", "the body must be a JSON object");
    VolumeAttributes wanted;
    for (const auto &[name, place] :
         {std::pair("uid", &wanted.uid), std::pair("gid", &wanted.gid), std::pair("mode", &wanted.mode)}) {
        const json::value *member = value.as_object().if_contains(name);
        if (member == nullptr)
            continue;
        boost::system::error_code wrong;
        const auto number = member->is_number() ? member->to_number<std::uint32_t>(wrong) : 0;
        if (!member->is_number() || wrong)
            throw VolumeError(400, "invalid_request", std::string(name) + " must be a whole number from 0 on");
        *place = number;
    }
    return wanted;
}

class ContentServer
{
public:
    ContentServer(asio::io_context &io, std::string folder, VolumeIds ids)
        : m_io(io)
        , m_folder(std::move(folder))
        , m_ids(ids)
    {
    }

    asio::awaitable<void> serve(http::Exchange &exchange)
    {
        std::optional<VolumeError> refusal;
        try {
            co_await route(exchange);
        } catch (const VolumeError &error) {
            if (exchange.started())
                throw;
            refusal = error;
        } catch (const http::BodyTooLarge &) {
            refusal.emplace(413, "invalid_request", "the body is too large");
        }
        if (refusal)
            co_await sendContentError(exchange, refusal->status(), refusal->code(), refusal->what());
    }

private:
    asio::awaitable<void> route(http::Exchange &exchange)
    {
        const http::Request &request = exchange.request();
        const auto target = readContentPath(request.path);
        if (!target)
            throw VolumeError(404, "not_found", "no such route");
        const VolumeTree tree(m_folder + '/' + target->volumeId, m_ids);
        const Parameters parameters(request.query);
        const VolumePath path = parameters.path();
        const std::string &method = request.method;
        if (target->what == ContentTarget::What::Path && method == "GET") {
            const VolumeEntry entry = tree.stat(path);
            co_await sendEntry(exchange, 200, entry);
        } else if (target->what == ContentTarget::What::Path && method == "PATCH") {
            const std::string body = co_await exchange.readBody(patchLimit);
            const VolumeEntry entry = tree.change(path, readPatch(body));
            co_await sendEntry(exchange, 200, entry);
        } else if (target->what == ContentTarget::What::Path && method == "DELETE") {
            tree.remove(path);
            co_await exchange.respond(204, {});
        } else if (target->what == ContentTarget::What::Dir && method == "GET") {
            co_await list(exchange, tree.list(path, parameters.number("depth").value_or(1)));
        } else if (target->what == ContentTarget::What::Dir && method == "POST") {
            const VolumeEntry entry = tree.makeFolder(path, parameters.attributes(), parameters.force());
            co_await sendEntry(exchange, 201, entry);
        } else if (target->what == ContentTarget::What::File && method == "GET") {
            co_await download(exchange, tree.openFile(path));
        } else if (target->what == ContentTarget::What::File && method == "PUT") {
            co_await upload(exchange, tree, path, parameters);
        } else {
            throw VolumeError(405, "method_not_allowed", "method " + method + " is not allowed here");
        }
    }

    static asio::awaitable<void> list(http::Exchange &exchange, std::vector<VolumeEntry> entries)
    {
        std::string body;
        http::JsonWriter out(body);
        out.beginArray();
        for (const VolumeEntry &entry : entries)
            write(out, entry);
        out.endArray();
        co_await sendJson(exchange, 200, std::move(body));
    }

    asio::awaitable<void> download(http::Exchange &exchange, Fd file)
    {
        struct stat info
        {
        };
        if (fstat(file.get(), &info) != 0)
            throw VolumeError::of(errno, "the file");
        http::Headers headers{{"Content-Type", "application/octet-stream"},
                              {"X-Content-Type-Options", "nosniff"},
                              {"Content-Length", std::to_string(info.st_size)}};
        co_await exchange.startStream(200, std::move(headers));
        co_await exchange.sendFile(file.get(), 0, static_cast<std::uint64_t>(info.st_size), m_io.get_executor());
        co_await exchange.finish();
    }

    static asio::awaitable<void> upload(http::Exchange &exchange, const VolumeTree &tree, const VolumePath &path,
                                        const Parameters &parameters)
    {
        const VolumeAttributes wanted = parameters.attributes();
        const bool force = parameters.force();
        VolumeTree::Upload upload = tree.beginUpload(path, force);
        std::vector<char> piece(pieceSize);
        for (;;) {
            const std::size_t got = co_await exchange.readSome(piece);
            if (got == 0)
                break;
            for (std::size_t done = 0; done < got;) {
                const ssize_t wrote = ::write(upload.fd(), piece.data() + done, got - done);
                if (wrote < 0 && errno == EINTR)
                    continue;
                if (wrote < 0)
                    throw VolumeError::of(errno, "writing the file");
                done += static_cast<std::size_t>(wrote);
            }
        }
        const VolumeEntry entry = tree.finishUpload(std::move(upload), path, wanted, force);
        co_await sendEntry(exchange, 201, entry);
    }

    asio::io_context &m_io;
    std::string m_folder;
    VolumeIds m_ids;
};

// What a bug in here could reach is then the volumes and nothing else of this computer. An ordinary user without a
// range has no power to do it.
std::string shutIn(const std::string &folder)
{
    return chdir(folder.c_str()) == 0 && chroot(".") == 0 ? std::string() : folder;
}

} // namespace

bool isContentPath(std::string_view path)
{
    return path == "/volumecontent" || path.starts_with("/volumecontent/");
}

std::optional<ContentTarget> readContentPath(std::string_view path)
{
    constexpr std::string_view prefix = "/volumecontent/";
    constexpr std::size_t idSize = 36;
    if (!path.starts_with(prefix))
        return {};
    path.remove_prefix(prefix.size());
    ContentTarget target{.volumeId = std::string(path.substr(0, std::min(path.find('/'), path.size())))};
    path.remove_prefix(target.volumeId.size());
    if (target.volumeId.size() != idSize || target.volumeId.find_first_not_of("0123456789abcdef-") != std::string::npos)
        return {};
    if (path == "/dir")
        target.what = ContentTarget::What::Dir;
    else if (path == "/file")
        target.what = ContentTarget::What::File;
    else if (path != "/path")
        return {};
    return target;
}

asio::awaitable<void> sendContentError(http::Exchange &exchange, int status, std::string code, std::string message)
{
    std::string body;
    http::JsonWriter(body).beginObject().key("code").string(code).key("message").string(message).endObject();
    co_await sendJson(exchange, status, std::move(body));
}

void runContentServer(const std::string &folder, const std::optional<UidRange> &range, int listenFd, int leashFd)
{
    std::signal(SIGPIPE, SIG_IGN);
    if (range) {
        enterUidRange(*range, {.keepOwnIds = true});
        becomeRangeRoot();
    }
    umask(0);
    const std::string inside = shutIn(folder);
    asio::io_context io(threads);
    ContentServer content(io, inside, {.count = range ? range->count : 0});
    http::Server server(io, [&content](http::Exchange &exchange) { return content.serve(exchange); });
    server.adopt(listenFd);
    asio::posix::stream_descriptor leash(io, leashFd);
    char byte = 0;
    leash.async_read_some(asio::buffer(&byte, 1), [&io](boost::system::error_code, std::size_t) { io.stop(); });
    std::vector<std::jthread> workers;
    for (int i = 1; i < threads; ++i)
        workers.emplace_back([&io] { io.run(); });
    io.run();
}

} // namespace boxdeck::host
