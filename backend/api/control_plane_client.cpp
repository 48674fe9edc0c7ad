// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/control_plane_client.h"

#include "backend/api/decode_job.h"
#include "backend/api/retry.h"
#include "backend/core/clock.h"
#include "backend/core/logging.h"
#include "backend/protocol/sandbox_codec.h"
#include "backend/protocol/template_codec.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>

#include <cstdlib>

namespace boxdeck::api {

using protocol::ListQuery;
using protocol::Page;
using protocol::SandboxAccess;
using protocol::SandboxDetail;
using protocol::SandboxId;
using protocol::SandboxSummary;

namespace {

constexpr int maxPages = 1000;

template <typename T> Call<T> refused(const QString &message)
{
    return Call<T>::settled(tl::unexpected(
        Error{.kind = ErrorKind::InvalidRequest, .code = QStringLiteral("bad_request"), .message = message}));
}

/// The path of one sandbox. Blank ids are refused before: they would name the whole collection.
QByteArray sandboxPath(const SandboxId &id, const QByteArray &rest = {})
{
    return "/sandboxes/" + encodeSegment(id.value) + rest;
}

bool isMissingCall(int status)
{
    return status == 404 || status == 405 || status == 410;
}

/// An answer as T, or its error.
template <typename T, typename Decode>
Result<T> answer(Result<net::HttpResponse> response, Operation operation, Decode decode)
{
    if (!response)
        return tl::unexpected(std::move(response.error()));
    if (!response->isSuccess())
        return tl::unexpected(controlError(*response, operation));
    return decode(*response);
}

Result<void> done(Result<net::HttpResponse> response, Operation operation)
{
    return answer<void>(std::move(response), operation, [](const net::HttpResponse &) { return Result<void>(); });
}

void keepAsked(QList<SandboxSummary> &items, const ListQuery &query)
{
    if (query.states.isEmpty())
        return;
    items.removeIf([&](const SandboxSummary &item) { return !query.states.contains(item.state); });
}

} // namespace

struct ControlPlaneClient::Listing
{
    ListQuery query;
    QList<SandboxSummary> items;
    QSet<QString> tokens;
    int pages = 0;
};

net::HttpRequest ControlPlaneClient::Shared::request(const QByteArray &method, const QByteArray &path,
                                                     const QByteArray &query) const
{
    net::HttpRequest request{.method = method, .url = joinUrl(endpoint.apiUrl, path, query)};
    request.mayRepeat = method == "GET" || method == "DELETE";
    request.followRedirects = true; // some frameworks add or take a slash at the end
    if (!endpoint.apiKey.isEmpty())
        request.headers.emplace_back("X-API-Key", endpoint.apiKey.reveal());
    request.timeouts.firstByte = std::chrono::seconds(75); // servers give a handler 70 s
    return request;
}

void ControlPlaneClient::Shared::noteDate(const net::HttpResponse &response)
{
    const QDateTime date = net::httpDate(response.header("Date"));
    if (!date.isValid())
        return;
    // The header is cut to seconds, and was written some time before it arrived.
    constexpr qint64 unsureMs = 1500;
    const qint64 offset = SystemClock().now().msecsTo(date) + 500;
    if (std::abs(offset - clockOffsetMs.value_or(0)) >= unsureMs)
        clockOffsetMs = std::abs(offset) < unsureMs ? 0 : offset;
    else if (!clockOffsetMs)
        clockOffsetMs = 0;
}

ControlPlaneClient::ControlPlaneClient(net::HttpTransport &transport, Endpoint endpoint)
    : m_shared(std::make_shared<Shared>(Shared{.transport = transport, .endpoint = std::move(endpoint)}))
{
}

Call<Page<SandboxSummary>> ControlPlaneClient::listSandboxes(ListQuery query)
{
    return listPage(m_shared, std::move(query));
}

Call<Page<SandboxSummary>> ControlPlaneClient::listPage(SharedPtr shared, ListQuery query)
{
    if (shared->v1ListOnly)
        return listV1(shared, std::move(query));
    QStringList states;
    for (const protocol::SandboxState state : query.states) {
        if (const QString word = protocol::stateWord(state); !word.isEmpty())
            states.append(word);
    }
    if (states.isEmpty() && !query.states.isEmpty())
        return Call<Page<SandboxSummary>>::settled(Page<SandboxSummary>{});
    // One comma-joined value: a repeated parameter is 400.
    QByteArray text = "limit=" + QByteArray::number(qBound(1, query.limit, 100));
    if (!states.isEmpty())
        text += "&state=" + states.join(QLatin1Char(',')).toLatin1();
    if (!query.nextToken.isEmpty())
        text += "&nextToken=" + encodeSegment(query.nextToken);

    net::HttpRequest request = shared->request("GET", "/v2/sandboxes", text);
    // Who polls asks again soon, and wants to know now. A page in the middle would cost all before it.
    auto sent = query.nextToken.isEmpty() ? shared->transport.send(std::move(request))
                                          : sendRepeatedly(shared->transport, std::move(request));
    return std::move(sent).chain([shared, query](Result<net::HttpResponse> response) mutable {
        if (response)
            shared->noteDate(*response);
        if (response && isMissingCall(response->status) && query.nextToken.isEmpty())
            return listV1(shared, std::move(query));
        auto page = answer<Page<SandboxSummary>>(
            std::move(response), Operation::List, [&](const net::HttpResponse &good) -> Result<Page<SandboxSummary>> {
                auto items = protocol::decodeSandboxList(good.body);
                if (!items)
                    return tl::unexpected(std::move(items.error()));
                Page<SandboxSummary> result{.items = std::move(*items),
                                            .nextToken = QString::fromLatin1(good.header("X-Next-Token"))};
                bool counted = false;
                const int running = good.header("X-Total-Running").toInt(&counted);
                if (counted)
                    result.totalRunning = running;
                keepAsked(result.items, query);
                return result;
            });
        return Call<Page<SandboxSummary>>::settled(std::move(page));
    });
}

Call<Page<SandboxSummary>> ControlPlaneClient::listV1(SharedPtr shared, ListQuery query)
{
    return shared->transport.send(shared->request("GET", "/sandboxes"))
        .map([shared, query](Result<net::HttpResponse> response) {
            return answer<Page<SandboxSummary>>(std::move(response), Operation::List,
                                                [&](const net::HttpResponse &good) -> Result<Page<SandboxSummary>> {
                                                    auto items = protocol::decodeSandboxList(good.body);
                                                    if (!items)
                                                        return tl::unexpected(std::move(items.error()));
                                                    if (!shared->v1ListOnly)
                                                        qCInfo(lcApi)
                                                            << "the server has only the old list of sandboxes";
                                                    shared->v1ListOnly = true;
                                                    // The old list holds running ones and may leave the word out.
                                                    for (SandboxSummary &item : *items) {
                                                        if (item.rawState.isEmpty())
                                                            item.state = protocol::SandboxState::Running;
                                                    }
                                                    keepAsked(*items, query);
                                                    return Page<SandboxSummary>{.items = std::move(*items)};
                                                });
        });
}

Call<QList<SandboxSummary>> ControlPlaneClient::listAllSandboxes()
{
    return listRest(m_shared, Listing{});
}

Call<QList<SandboxSummary>> ControlPlaneClient::listRest(SharedPtr shared, Listing listing)
{
    return listPage(shared, listing.query).chain([shared, listing](Result<Page<SandboxSummary>> page) mutable {
        using All = Call<QList<SandboxSummary>>;
        if (!page)
            return All::settled(tl::unexpected(std::move(page.error())));
        listing.items += page->items;
        if (page->nextToken.isEmpty())
            return All::settled(std::move(listing.items));
        if (listing.tokens.contains(page->nextToken) || ++listing.pages >= maxPages)
            return All::settled(tl::unexpected(Error{.kind = ErrorKind::Internal,
                                                     .delivery = Delivery::Answered,
                                                     .code = QStringLiteral("bad_paging"),
                                                     .message = QStringLiteral("the pages of the list never end")}));
        listing.tokens.insert(page->nextToken);
        listing.query.nextToken = page->nextToken;
        return listRest(shared, std::move(listing));
    });
}

Call<SandboxDetail> ControlPlaneClient::sandbox(const SandboxId &id)
{
    if (id.value.trimmed().isEmpty())
        return refused<SandboxDetail>(QStringLiteral("no sandbox named"));
    return sendRepeatedly(m_shared->transport, m_shared->request("GET", sandboxPath(id)))
        .map([shared = m_shared](Result<net::HttpResponse> response) {
            if (response)
                shared->noteDate(*response);
            return answer<SandboxDetail>(std::move(response), Operation::Get, [](const net::HttpResponse &good) {
                return protocol::decodeSandboxDetail(good.body);
            });
        });
}

Call<net::HttpResponse> ControlPlaneClient::postV1OrV2(SharedPtr shared, const QByteArray &path, const QByteArray &body,
                                                       bool mayRepeat)
{
    const auto send = [shared, mayRepeat](net::HttpRequest request) {
        return mayRepeat ? sendRepeatedly(shared->transport, std::move(request))
                         : shared->transport.send(std::move(request));
    };
    const auto v2 = [shared, path, body, send] {
        QJsonObject object = QJsonDocument::fromJson(body).object();
        object.remove(QLatin1String("secure")); // there every sandbox is
        net::HttpRequest request = shared->request("POST", "/v2" + path);
        request.body = QJsonDocument(object).toJson(QJsonDocument::Compact);
        return send(std::move(request));
    };
    if (shared->v2CreateOnly)
        return v2();
    net::HttpRequest request = shared->request("POST", path);
    request.body = body;
    return send(std::move(request)).chain([shared, v2](Result<net::HttpResponse> first) {
        // A server without the old form has done nothing yet. One that has it says the same to both.
        if (!first || !isMissingCall(first->status))
            return Call<net::HttpResponse>::settled(std::move(first));
        return v2().map([shared, first](Result<net::HttpResponse> second) -> Result<net::HttpResponse> {
            if (second && isMissingCall(second->status))
                return first;
            if (second && second->isSuccess())
                shared->v2CreateOnly = true;
            return second;
        });
    });
}

Call<SandboxAccess> ControlPlaneClient::create(const protocol::NewSandbox &sandbox)
{
    if (sandbox.templateId.trimmed().isEmpty())
        return refused<SandboxAccess>(QStringLiteral("no template named"));
    if (sandbox.timeout < std::chrono::seconds(1))
        return refused<SandboxAccess>(QStringLiteral("a sandbox lives at least one second"));
    return postV1OrV2(m_shared, "/sandboxes", protocol::encodeNewSandbox(sandbox), false)
        .map([asked = protocol::TemplateId{sandbox.templateId}](Result<net::HttpResponse> response) {
            return answer<SandboxAccess>(std::move(response), Operation::Create,
                                         [&](const net::HttpResponse &good) -> Result<SandboxAccess> {
                                             auto access = protocol::decodeSandboxAccess(good.body, asked);
                                             // It said yes, but not to what: there may be a sandbox now, so look for it
                                             // as if the answer were lost.
                                             if (!access)
                                                 access.error().delivery = Delivery::Unknown;
                                             return access;
                                         });
        });
}

Call<SandboxAccess> ControlPlaneClient::connect(const SandboxId &id, std::chrono::seconds timeout)
{
    if (id.value.trimmed().isEmpty())
        return refused<SandboxAccess>(QStringLiteral("no sandbox named"));
    if (timeout < std::chrono::seconds(1)) // 0 would wake a paused sandbox and end it at once
        return refused<SandboxAccess>(QStringLiteral("a sandbox lives at least one second"));
    return postV1OrV2(m_shared, sandboxPath(id, "/connect"), protocol::encodeTimeout(timeout), true)
        .map([id](Result<net::HttpResponse> response) {
            return answer<SandboxAccess>(
                std::move(response), Operation::Connect, [&](const net::HttpResponse &good) -> Result<SandboxAccess> {
                    auto access = protocol::decodeSandboxAccess(good.body);
                    // The old form of an id carries a client id behind a dash.
                    if (access && access->id != id && !id.value.startsWith(access->id.value + QLatin1Char('-')))
                        return tl::unexpected(
                            Error{.kind = ErrorKind::Internal,
                                  .delivery = Delivery::Answered,
                                  .httpStatus = good.status,
                                  .code = QStringLiteral("bad_answer"),
                                  .message = QStringLiteral("the server answered about another sandbox")});
                    return access;
                });
        });
}

Call<void> ControlPlaneClient::pause(const SandboxId &id)
{
    if (id.value.trimmed().isEmpty())
        return refused<void>(QStringLiteral("no sandbox named"));
    net::HttpRequest request = m_shared->request("POST", sandboxPath(id, "/pause"));
    request.body = "{}"; // as the official client; a body also keeps the stack from sending it again
    request.timeouts.firstByte = std::chrono::minutes(3); // memory is written out before the answer
    return m_shared->transport.send(std::move(request)).map([](Result<net::HttpResponse> response) {
        return done(std::move(response), Operation::Get);
    });
}

Call<void> ControlPlaneClient::kill(const SandboxId &id)
{
    if (id.value.trimmed().isEmpty())
        return refused<void>(QStringLiteral("no sandbox named"));
    return sendRepeatedly(m_shared->transport, m_shared->request("DELETE", sandboxPath(id)))
        .map([](Result<net::HttpResponse> response) -> Result<void> {
            Result<void> result = done(std::move(response), Operation::Get);
            if (!result && provesGone(result.error().kind))
                return {};
            return result;
        });
}

Call<void> ControlPlaneClient::setTimeout(const SandboxId &id, std::chrono::seconds timeout)
{
    if (id.value.trimmed().isEmpty())
        return refused<void>(QStringLiteral("no sandbox named"));
    if (timeout < std::chrono::seconds(1)) // 0 means "end it now"
        return refused<void>(QStringLiteral("a sandbox lives at least one second"));
    net::HttpRequest request = m_shared->request("POST", sandboxPath(id, "/timeout"));
    request.body = protocol::encodeTimeout(timeout);
    return sendRepeatedly(m_shared->transport, std::move(request)).map([](Result<net::HttpResponse> response) {
        return done(std::move(response), Operation::Get);
    });
}

Call<QList<protocol::TemplateSummary>> ControlPlaneClient::listTemplates()
{
    using List = QList<protocol::TemplateSummary>;
    const auto read = [](Result<net::HttpResponse> response) {
        return answer<List>(std::move(response), Operation::List,
                            [](const net::HttpResponse &good) { return protocol::decodeTemplateList(good.body); });
    };
    // The old list holds everything in one answer and is what every known server has; the new one is paged.
    return m_shared->transport.send(m_shared->request("GET", "/templates"))
        .chain([shared = m_shared, read](Result<net::HttpResponse> response) {
            if (!response || !isMissingCall(response->status))
                return Call<List>::settled(read(std::move(response)));
            return shared->transport.send(shared->request("GET", "/v2/templates", "limit=100")).map(read);
        });
}

Call<void> ControlPlaneClient::health()
{
    net::HttpRequest request = m_shared->request("GET", "/health");
    request.headers.clear();
    request.timeouts.firstByte = std::chrono::seconds(10);
    return m_shared->transport.send(std::move(request)).map([](Result<net::HttpResponse> response) {
        return done(std::move(response), Operation::List);
    });
}

Call<void> ControlPlaneClient::probe()
{
    return listSandboxes({.limit = 1}).map([](Result<Page<SandboxSummary>> page) -> Result<void> {
        if (!page)
            return tl::unexpected(std::move(page.error()));
        return {};
    });
}

} // namespace boxdeck::api
