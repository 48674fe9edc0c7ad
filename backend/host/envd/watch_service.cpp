// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/watch_service.h"

#include "backend/host/envd/entry_info.h"
#include "backend/host/envd/paths.h"
#include "backend/host/envd/rpc_error.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <cerrno>
#include <random>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <system_error>

namespace boxdeck::host::envd {

using boost::system::error_code;
using Clock = std::chrono::steady_clock;

namespace {

// What a reader that has stopped reading may cost.
constexpr std::size_t inboxLimit = 200'000;

std::string_view typeName(ChangeEvent::Type type)
{
    switch (type) {
    case ChangeEvent::Type::Create:
        return "EVENT_TYPE_CREATE";
    case ChangeEvent::Type::Write:
        return "EVENT_TYPE_WRITE";
    case ChangeEvent::Type::Remove:
        return "EVENT_TYPE_REMOVE";
    case ChangeEvent::Type::Rename:
        return "EVENT_TYPE_RENAME";
    case ChangeEvent::Type::Chmod:
        return "EVENT_TYPE_CHMOD";
    }
    return "EVENT_TYPE_UNSPECIFIED";
}

std::string eventJson(const std::string &root, const ChangeEvent &event, bool withEntry)
{
    std::string json;
    http::JsonWriter out(json);
    out.beginObject().key("name").string(event.name).key("type").string(typeName(event.type));
    const bool exists = event.type == ChangeEvent::Type::Create || event.type == ChangeEvent::Type::Write ||
                        event.type == ChangeEvent::Type::Chmod;
    if (withEntry && exists) {
        const std::string path = joinPath(root, event.name);
        struct stat info = {};
        // It may be gone again: the event is told without its entry then.
        if (::lstat(path.c_str(), &info) == 0) {
            const Accounts accounts = Accounts::load();
            out.key("entry");
            EntryWriter(accounts).write(out, path, path, baseName(path), info);
        }
    }
    out.endObject();
    return json;
}

bool onNetworkMount(const std::string &path)
{
    constexpr std::array<unsigned, 5> magics{0x6969, 0xFF534D42, 0x517B, 0xFE534D42, 0x65735546};
    struct statfs info = {};
    if (::statfs(path.c_str(), &info) != 0)
        return false;
    return std::find(magics.begin(), magics.end(), static_cast<unsigned>(info.f_type)) != magics.end();
}

std::string watcherId()
{
    constexpr std::string_view letters = "0123456789abcdefghijklmnopqrstuvwxyz";
    std::random_device random;
    std::string id = "w";
    for (int i = 0; i < 20; ++i)
        id.push_back(letters[random() % letters.size()]);
    return id;
}

RpcError noSuchWatcher(const std::string &id)
{
    return {Code::NotFound, "watcher with id " + id + " not found"};
}

} // namespace

void WatchService::addTo(RpcRouter &router)
{
    const std::string service = "/filesystem.Filesystem/";
    router.addServerStream(service + "WatchDir",
                           [this](EventStream &stream, const Message &request, const CallOptions &options) {
                               return watchDirectory(stream, request, options);
                           });
    router.addUnary(
        service + "CreateWatcher",
        [this](http::Exchange &exchange, const Message &request, const CallOptions &) -> asio::awaitable<std::string> {
            const auto inbox = co_await open(exchange, request);
            const std::string id = watcherId();
            m_polled[id] = inbox;
            co_return R"({"watcherId":")" + id + R"("})";
        });
    router.addUnary(
        service + "GetWatcherEvents",
        [this](http::Exchange &, const Message &request, const CallOptions &) -> asio::awaitable<std::string> {
            co_return takeEvents(request.string("watcherId"));
        });
    router.addUnary(
        service + "RemoveWatcher",
        [this](http::Exchange &, const Message &request, const CallOptions &) -> asio::awaitable<std::string> {
            const std::string id = request.string("watcherId");
            if (m_polled.erase(id) == 0)
                throw noSuchWatcher(id);
            co_return "{}";
        });
}

asio::awaitable<std::shared_ptr<WatchService::Inbox>> WatchService::open(http::Exchange &exchange,
                                                                         const Message &request)
{
    const auto account = accountFor(exchange.request().headers.get("Authorization"), m_settings, Accounts::load());
    std::string root;
    try {
        root = expandPath(request.string("path"), account.home, m_settings.defaultDirectory);
    } catch (const std::invalid_argument &error) {
        throw RpcError(Code::InvalidArgument, error.what());
    }
    struct stat info = {};
    if (::stat(root.c_str(), &info) != 0) {
        if (errno == ENOENT)
            throw RpcError(Code::NotFound, "path " + root + " not found: " + errnoText(ENOENT));
        throw RpcError(Code::Internal, "error statting path " + root + ": " + errnoText(errno));
    }
    if (!S_ISDIR(info.st_mode))
        throw RpcError(Code::InvalidArgument, "path " + root + " not a directory");
    if (!request.boolean("allowNetworkMounts") && onNetworkMount(root))
        throw RpcError(Code::InvalidArgument, "cannot watch path on network filesystem: " + root);

    const auto inbox = std::make_shared<Inbox>(m_io);
    const bool withEntry = request.boolean("includeEntry");
    const auto fail = [weak = std::weak_ptr(inbox)](const std::string &why) {
        if (const auto to = weak.lock()) {
            to->failure.emplace(Code::Internal, "watcher error: " + why);
            to->wake.cancel();
        }
    };
    const auto changed = [weak = std::weak_ptr(inbox), root, withEntry, fail](const ChangeEvent &event) {
        const auto to = weak.lock();
        if (!to || to->failure)
            return;
        if (to->events.size() >= inboxLimit) {
            to->events.clear();
            fail("events were not taken for too long");
            return;
        }
        to->events.push_back(eventJson(root, event, withEntry));
        to->wake.cancel();
    };
    try {
        std::function<void(const ChangeEvent &)> onChange = changed;
        std::function<void(const std::string &)> onBroken = fail;
        const bool recursive = request.boolean("recursive");
        inbox->watch = co_await m_watcher.watch(root, recursive, std::move(onChange), std::move(onBroken));
    } catch (const std::system_error &error) {
        const bool limit = error.code().value() == ENOSPC || error.code().value() == EMFILE;
        throw RpcError(Code::Internal, "error adding path " + root + " to watcher: " +
                                           (limit ? "this computer's limit of inotify watches is reached"
                                                  : errnoText(error.code().value())));
    }
    co_return inbox;
}

asio::awaitable<void> WatchService::watchDirectory(EventStream &stream, const Message &request,
                                                   const CallOptions &options)
{
    http::Exchange &exchange = stream.exchange();
    const auto inbox = co_await open(exchange, request);
    std::optional<Clock::time_point> deadline;
    if (options.timeout)
        deadline = Clock::now() + *options.timeout;
    co_await stream.send(R"({"start":{}})");
    exchange.onPeerGone([inbox] { inbox->wake.cancel(); });

    auto lastSent = Clock::now();
    while (!exchange.peerGone()) {
        if (deadline && Clock::now() >= *deadline)
            throw RpcError(Code::DeadlineExceeded, "context deadline exceeded");
        if (!inbox->events.empty()) {
            std::string batch;
            for (int i = 0; i < 500 && !inbox->events.empty(); ++i) {
                const std::string json = R"({"filesystem":)" + inbox->events.front() + "}";
                inbox->events.pop_front();
                appendEnvelopeHead(batch, 0, json.size());
                batch += json;
            }
            const std::string_view pieces[] = {batch};
            co_await stream.sendEnvelopes(pieces);
            lastSent = Clock::now();
            continue;
        }
        if (inbox->failure)
            throw RpcError(*inbox->failure);
        if (Clock::now() >= lastSent + options.keepalive) {
            co_await stream.send(R"({"keepalive":{}})");
            lastSent = Clock::now();
            continue;
        }
        auto until = lastSent + options.keepalive;
        if (deadline)
            until = std::min(until, *deadline);
        inbox->wake.expires_at(until);
        error_code ec;
        co_await inbox->wake.async_wait(asio::redirect_error(asio::use_awaitable, ec));
    }
}

std::string WatchService::takeEvents(const std::string &id)
{
    const auto found = m_polled.find(id);
    if (found == m_polled.end())
        throw noSuchWatcher(id);
    Inbox &inbox = *found->second;
    if (inbox.failure)
        throw RpcError(*inbox.failure);
    std::string json;
    http::JsonWriter out(json);
    out.beginObject();
    if (!inbox.events.empty()) {
        out.key("events").beginArray();
        for (const std::string &event : inbox.events)
            out.raw(event);
        out.endArray();
        inbox.events.clear();
    }
    out.endObject();
    return json;
}

} // namespace boxdeck::host::envd
