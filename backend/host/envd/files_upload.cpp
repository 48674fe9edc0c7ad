// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/files_routes.h"

#include "backend/host/envd/compose.h"
#include "backend/host/envd/message.h"
#include "backend/host/envd/offload.h"
#include "backend/host/envd/rpc_error.h"
#include "backend/host/envd/upload.h"

#include <array>
#include <vector>

namespace boxdeck::host::envd {

namespace {

constexpr std::size_t pieceSize = 512 * 1024;

// Fills the buffer; less than its size only at the end of the body.
asio::awaitable<std::size_t> fill(http::Exchange &exchange, std::span<char> buffer)
{
    std::size_t have = 0;
    while (have < buffer.size()) {
        const std::size_t n = co_await exchange.readSome(buffer.subspan(have));
        if (n == 0)
            break;
        have += n;
    }
    co_return have;
}

bool checkedGzip(const http::Headers &headers)
{
    const auto coding = headers.get("Content-Encoding");
    if (!coding || coding->empty() || http::equalIgnoringCase(*coding, "identity"))
        return false;
    if (http::equalIgnoringCase(*coding, "gzip"))
        return true;
    throw HttpError(400, "error decompressing request body: unsupported Content-Encoding: " + std::string(*coding) +
                             ", supported: [gzip]");
}

http::Headers jsonType()
{
    http::Headers headers;
    headers.add("Content-Type", "application/json");
    return headers;
}

} // namespace

Account FilesRoutes::account(const std::optional<std::string> &name) const
{
    const std::string wanted = name.value_or(m_settings.defaultUser);
    if (!name && wanted.empty())
        throw HttpError(400, "username not provided");
    if (auto found = Accounts::load().find(wanted))
        return *found;
    throw HttpError(401, "error looking up user '" + wanted + "': user: unknown user " + wanted);
}

asio::awaitable<void> FilesRoutes::upload(http::Exchange &exchange)
{
    const http::Headers &headers = exchange.request().headers;
    const http::Query query = filesQuery(exchange.request());
    UploadPlan plan{.defaultDirectory = m_settings.defaultDirectory,
                    .path = query.get("path"),
                    .contentType = std::string(headers.get("Content-Type").value_or(std::string_view())),
                    .gzip = checkedGzip(headers),
                    .contentLength = exchange.contentLength()};
    plan.account = account(query.get("username"));
    plan.metadata = uploadMetadata(headers.fields());

    // Two buffers: while the disk takes one, the network fills the other.
    const auto begin = [&plan] { return std::make_shared<Upload>(std::move(plan)); };
    const std::shared_ptr<Upload> upload = co_await offload(m_blocking, begin);
    std::vector<char> current(pieceSize);
    std::vector<char> other(pieceSize);
    BackgroundTask writing(exchange.executor());
    std::size_t have = co_await fill(exchange, current);
    while (have == pieceSize) {
        writing.start(m_blocking, [&] { upload->feed(std::string_view(current.data(), pieceSize)); });
        std::exception_ptr cut;
        try {
            have = co_await fill(exchange, other);
        } catch (...) {
            cut = std::current_exception();
        }
        std::exception_ptr failure = co_await writing.wait();
        if (failure)
            std::rethrow_exception(failure);
        if (cut)
            std::rethrow_exception(cut);
        std::swap(current, other);
    }
    const auto end = [&] {
        if (have > 0)
            upload->feed(std::string_view(current.data(), have));
        return upload->finish();
    };
    std::string answer = co_await offload(m_blocking, end);
    http::Headers answerHeaders = jsonType();
    co_await exchange.respond(200, std::move(answerHeaders), std::move(answer));
}

asio::awaitable<void> FilesRoutes::compose(http::Exchange &exchange)
{
    ComposePlan plan;
    std::optional<std::string> user;
    try {
        const std::string body = co_await exchange.readBody(4 * 1024 * 1024);
        const Message message = Message::parse(body);
        plan.sources = message.strings("sourcePaths");
        plan.destination = message.string("destination");
        user = message.optionalString("username");
    } catch (const RpcError &error) {
        throw HttpError(400, std::string("invalid request body: ") + error.what());
    } catch (const http::BodyTooLarge &error) {
        throw HttpError(400, error.what());
    }
    if (plan.sources.empty())
        throw HttpError(400, "source_paths must not be empty");
    if (plan.destination.empty())
        throw HttpError(400, "destination is required");
    plan.account = account(user);
    plan.defaultDirectory = m_settings.defaultDirectory;
    const auto work = [&plan] { return composeFiles(plan); };
    std::string answer = co_await offload(m_blocking, work);
    http::Headers answerHeaders = jsonType();
    co_await exchange.respond(200, std::move(answerHeaders), std::move(answer));
}

} // namespace boxdeck::host::envd
