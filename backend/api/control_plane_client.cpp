// SPDX-License-Identifier: GPL-3.0-or-later
// Lists and details of sandboxes; what changes them is in sandbox_calls.cpp.
#include "backend/api/control_plane_client.h"

#include "backend/api/control_answers.h"
#include "backend/core/logging.h"
#include "backend/protocol/list_filter.h"
#include "backend/protocol/sandbox_codec.h"

namespace boxdeck::api {

using protocol::ListQuery;
using protocol::Page;
using protocol::SandboxDetail;
using protocol::SandboxId;
using protocol::SandboxSummary;

ControlPlaneClient::ControlPlaneClient(net::HttpTransport &transport, Endpoint endpoint)
    : m_link(std::make_shared<ControlLink>(ControlLink{.transport = transport, .endpoint = std::move(endpoint)}))
{
}

Call<Page<SandboxSummary>> ControlPlaneClient::listSandboxes(ListQuery query)
{
    return listPage(m_link, std::move(query));
}

Call<Page<SandboxSummary>> ControlPlaneClient::listPage(LinkPtr link, ListQuery query)
{
    if (link->v1ListOnly)
        return listV1(link, std::move(query));
    QStringList states;
    for (const protocol::SandboxState state : query.states) {
        if (const QString word = protocol::stateWord(state); !word.isEmpty())
            states.append(word);
    }
    if (states.isEmpty() && !query.states.isEmpty())
        return Call<Page<SandboxSummary>>::settled(Page<SandboxSummary>{});
    QByteArray text = pageQuery(query.limit, query.nextToken);
    // One comma-joined value: a repeated parameter is 400.
    if (!states.isEmpty())
        text += "&state=" + states.join(QLatin1Char(',')).toLatin1();
    if (const QByteArray filter = protocol::metadataFilter(query.metadata, query.sending); !filter.isEmpty())
        text += "&metadata=" + filter;
    if (query.order == protocol::ListOrder::OldestFirst)
        text += "&order=asc";
    if (query.startedAfter.isValid())
        addParameter(text, "startedAfter", query.startedAfter.toUTC().toString(Qt::ISODateWithMs));
    if (!query.templateName.isEmpty())
        addParameter(text, "template", query.templateName);

    net::HttpRequest request = link->request("GET", "/v2/sandboxes", text);
    // Who polls asks again soon, and wants to know now. A page in the middle would cost all before it.
    auto sent = query.nextToken.isEmpty() ? link->send(std::move(request)) : link->sendSafely(std::move(request));
    return std::move(sent).chain([link, query](Result<net::HttpResponse> response) mutable {
        if (response)
            link->noteDate(*response);
        if (response && isMissingCall(response->status) && query.nextToken.isEmpty())
            return listV1(link, std::move(query));
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
                protocol::applyQuery(result.items, query);
                return result;
            });
        return Call<Page<SandboxSummary>>::settled(std::move(page));
    });
}

Call<Page<SandboxSummary>> ControlPlaneClient::listV1(LinkPtr link, ListQuery query)
{
    QByteArray text;
    if (const QByteArray filter = protocol::metadataFilter(query.metadata, query.sending); !filter.isEmpty())
        text = "metadata=" + filter;
    const auto read = [link, query](const QByteArray &json) -> Result<Page<SandboxSummary>> {
        auto items = protocol::decodeSandboxList(json);
        if (!items)
            return tl::unexpected(std::move(items.error()));
        if (!link->v1ListOnly)
            qCInfo(lcApi) << "the server has only the old list of sandboxes";
        link->v1ListOnly = true;
        // The old list holds running ones and may leave the word out.
        for (SandboxSummary &item : *items) {
            if (item.rawState.isEmpty())
                item.state = protocol::SandboxState::Running;
        }
        protocol::applyQuery(*items, query);
        return Page<SandboxSummary>{.items = std::move(*items)};
    };
    return link->send(link->request("GET", "/sandboxes", text)).map([read](Result<net::HttpResponse> response) {
        return answer<Page<SandboxSummary>>(std::move(response), Operation::List, read);
    });
}

Call<QList<SandboxSummary>> ControlPlaneClient::listAllSandboxes(ListQuery query)
{
    return allPages<SandboxSummary>([link = m_link, query](const QString &token) {
               ListQuery next = query;
               next.nextToken = token;
               return listPage(link, std::move(next));
           })
        .map([query](Result<QList<SandboxSummary>> all) -> Result<QList<SandboxSummary>> {
            // Pages of a server that knows no order are in order only each by itself.
            if (all)
                protocol::applyQuery(*all, query);
            return all;
        });
}

Call<SandboxDetail> ControlPlaneClient::sandbox(const SandboxId &id)
{
    if (isBlank(id))
        return refused<SandboxDetail>(QStringLiteral("no sandbox named"));
    return m_link->sendSafely(m_link->request("GET", sandboxPath(id)))
        .map([link = m_link](Result<net::HttpResponse> response) {
            if (response)
                link->noteDate(*response);
            return answer<SandboxDetail>(std::move(response), Operation::Get, &protocol::decodeSandboxDetail);
        });
}

Call<void> ControlPlaneClient::health()
{
    net::HttpRequest request = m_link->request("GET", "/health");
    request.headers.clear();
    request.timeouts.firstByte = std::chrono::seconds(10);
    return m_link->send(std::move(request)).map([](Result<net::HttpResponse> response) {
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
