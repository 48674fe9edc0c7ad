// SPDX-License-Identifier: GPL-3.0-or-later
// What makes, changes and ends sandboxes.
#include "backend/api/control_answers.h"
#include "backend/api/control_plane_client.h"
#include "backend/protocol/new_sandbox_check.h"
#include "backend/protocol/sandbox_codec.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace boxdeck::api {

using protocol::SandboxAccess;
using protocol::SandboxDetail;
using protocol::SandboxId;

namespace {

template <typename T> Call<T> noSandbox()
{
    return refused<T>(QStringLiteral("no sandbox named"));
}

template <typename T> Call<T> tooShort()
{
    return refused<T>(QStringLiteral("a sandbox lives at least one second"), QStringLiteral("bad_timeout"));
}

/// The access that connect and resume give, if it is about the right sandbox.
Result<SandboxAccess> accessOf(const net::HttpResponse &good, const SandboxId &asked)
{
    auto access = protocol::decodeSandboxAccess(good.body);
    // The old form of an id carries a client id behind a dash.
    if (access && access->id != asked && !asked.value.startsWith(access->id.value + QLatin1Char('-')))
        return tl::unexpected(Error{.kind = ErrorKind::Internal,
                                    .delivery = Delivery::Answered,
                                    .httpStatus = good.status,
                                    .code = QStringLiteral("bad_answer"),
                                    .message = QStringLiteral("the server answered about another sandbox")});
    return access;
}

} // namespace

Call<net::HttpResponse> ControlPlaneClient::postV1OrV2(LinkPtr link, const QByteArray &path, const QByteArray &body,
                                                       bool mayRepeat)
{
    const auto post = [link, mayRepeat](const QByteArray &where, const QByteArray &json) {
        net::HttpRequest request = link->jsonRequest("POST", where, json);
        request.mayRepeat = mayRepeat;
        return link->sendSafely(std::move(request));
    };
    const auto v2 = [post, path, body] {
        QJsonObject object = QJsonDocument::fromJson(body).object();
        object.remove(QLatin1String("secure")); // there every sandbox is
        return post("/v2" + path, QJsonDocument(object).toJson(QJsonDocument::Compact));
    };
    if (link->v2CreateOnly)
        return v2();
    return post(path, body).chain([link, v2](Result<net::HttpResponse> first) {
        // A server without the old form has done nothing yet. One that has it says the same to both.
        if (!first || !isMissingCall(first->status))
            return Call<net::HttpResponse>::settled(std::move(first));
        return v2().map([link, first](Result<net::HttpResponse> second) -> Result<net::HttpResponse> {
            if (second && isMissingCall(second->status))
                return first;
            if (second && second->isSuccess())
                link->v2CreateOnly = true;
            return second;
        });
    });
}

Call<SandboxAccess> ControlPlaneClient::create(const protocol::NewSandbox &sandbox)
{
    if (auto wrong = protocol::checkNewSandbox(sandbox))
        return Call<SandboxAccess>::settled(tl::unexpected(std::move(*wrong)));
    const QByteArray body = protocol::encodeNewSandbox(sandbox, m_link->endpoint.createDialect);
    return postV1OrV2(m_link, "/sandboxes", body, false)
        .map([asked = protocol::TemplateId{sandbox.templateId}](Result<net::HttpResponse> response) {
            return answer<SandboxAccess>(std::move(response), Operation::Create, [&](const QByteArray &json) {
                return asLost(protocol::decodeSandboxAccess(json, asked));
            });
        });
}

Call<SandboxAccess> ControlPlaneClient::connect(const SandboxId &id, std::chrono::seconds timeout,
                                                std::optional<bool> memory)
{
    if (isBlank(id))
        return noSandbox<SandboxAccess>();
    if (timeout < std::chrono::seconds(1)) // 0 would wake a paused sandbox and end it at once
        return tooShort<SandboxAccess>();
    // Only the detail tells whether a 404 means the call or the sandbox.
    const auto oldWay = [link = m_link, id, timeout, memory](const Result<SandboxAccess> &otherwise) {
        ControlPlaneClient client(link);
        return client.sandbox(id).chain([client, timeout, memory, otherwise](Result<SandboxDetail> detail) {
            if (!detail) {
                const Error error = otherwise ? detail.error() : otherwise.error();
                return Call<SandboxAccess>::settled(tl::unexpected(error));
            }
            client.m_link->resumeOnly = true;
            return connectTheOldWay(client, *detail, timeout, memory);
        });
    };
    if (m_link->resumeOnly)
        return oldWay(SandboxAccess());
    return postV1OrV2(m_link, sandboxPath(id, "/connect"), protocol::encodeTimeout(timeout, memory), true)
        .chain([id, oldWay](Result<net::HttpResponse> response) {
            const bool missing = response && isMissingCall(response->status);
            auto access = answer<SandboxAccess>(std::move(response), Operation::Connect,
                                                [&](const net::HttpResponse &good) { return accessOf(good, id); });
            return missing ? oldWay(access) : Call<SandboxAccess>::settled(std::move(access));
        });
}

Call<SandboxAccess> ControlPlaneClient::connectTheOldWay(ControlPlaneClient client, const SandboxDetail &detail,
                                                         std::chrono::seconds timeout, std::optional<bool> memory)
{
    if (detail.state != protocol::SandboxState::Running)
        return client.resume(detail.id, timeout, memory);
    SandboxAccess access{.id = detail.id,
                         .templateId = detail.templateId,
                         .alias = detail.alias,
                         .envdVersion = detail.envdVersion,
                         .domain = detail.domain,
                         .envdAccessToken = detail.envdAccessToken};
    const QDateTime wanted =
        QDateTime::currentDateTimeUtc().addMSecs(client.clockOffsetMs().value_or(0)).addSecs(timeout.count());
    if (!detail.endAt.isValid() || detail.endAt >= wanted) // connecting never moves an end earlier
        return Call<SandboxAccess>::settled(std::move(access));
    return client.setTimeout(detail.id, timeout).map([access](const Result<void> &set) -> Result<SandboxAccess> {
        if (!set)
            return tl::unexpected(set.error());
        return access;
    });
}

Call<SandboxAccess> ControlPlaneClient::resume(const SandboxId &id, std::chrono::seconds timeout,
                                               std::optional<bool> memory)
{
    if (isBlank(id))
        return noSandbox<SandboxAccess>();
    if (timeout < std::chrono::seconds(1))
        return tooShort<SandboxAccess>();
    return ask<SandboxAccess>(
        m_link, m_link->jsonRequest("POST", sandboxPath(id, "/resume"), protocol::encodeTimeout(timeout, memory)),
        Operation::Connect, [id](const net::HttpResponse &good) { return accessOf(good, id); });
}

Call<void> ControlPlaneClient::pause(const SandboxId &id, bool keepMemory)
{
    if (isBlank(id))
        return noSandbox<void>();
    // {} as the official client sends: not every server knows `memory`, and true is what all of them do.
    net::HttpRequest request =
        m_link->jsonRequest("POST", sandboxPath(id, "/pause"), protocol::encodePause(keepMemory));
    request.timeouts.firstByte = stateIsWritten;
    return tell(m_link, std::move(request), Operation::Get);
}

Call<void> ControlPlaneClient::kill(const SandboxId &id)
{
    if (isBlank(id))
        return noSandbox<void>();
    return removeWith(m_link, m_link->request("DELETE", sandboxPath(id)), Operation::Get);
}

Call<QList<protocol::ForkResult>> ControlPlaneClient::fork(const SandboxId &id, const protocol::ForkRequest &request)
{
    using Forks = QList<protocol::ForkResult>;
    if (isBlank(id))
        return noSandbox<Forks>();
    if (request.count < 1 || request.count > 100)
        return refused<Forks>(QStringLiteral("1 to 100 copies can be made at once"), QStringLiteral("bad_count"));
    if (request.timeout && *request.timeout < std::chrono::seconds(1))
        return tooShort<Forks>();
    net::HttpRequest post = m_link->jsonRequest("POST", sandboxPath(id, "/fork"), protocol::encodeFork(request));
    post.timeouts.firstByte = stateIsWritten;
    return ask<Forks>(m_link, std::move(post), Operation::Get,
                      [](const QByteArray &json) { return asLost(protocol::decodeForks(json)); });
}

Call<void> ControlPlaneClient::setTimeout(const SandboxId &id, std::chrono::seconds timeout)
{
    if (isBlank(id))
        return noSandbox<void>();
    if (timeout < std::chrono::seconds(1)) // 0 means "end it now"
        return tooShort<void>();
    net::HttpRequest request =
        m_link->jsonRequest("POST", sandboxPath(id, "/timeout"), protocol::encodeTimeout(timeout));
    request.mayRepeat = true;
    return tell(m_link, std::move(request), Operation::Get);
}

Call<void> ControlPlaneClient::refresh(const SandboxId &id, std::chrono::seconds duration)
{
    if (isBlank(id))
        return noSandbox<void>();
    if (duration < std::chrono::seconds(1) || duration > std::chrono::hours(1))
        return refused<void>(QStringLiteral("a refresh is one second to one hour"), QStringLiteral("bad_timeout"));
    net::HttpRequest request =
        m_link->jsonRequest("POST", sandboxPath(id, "/refreshes"), protocol::encodeRefresh(duration));
    request.mayRepeat = true;
    return tell(m_link, std::move(request), Operation::Get);
}

Call<void> ControlPlaneClient::updateNetwork(const SandboxId &id, const protocol::NetworkUpdate &rules)
{
    if (isBlank(id))
        return noSandbox<void>();
    if (auto wrong = protocol::checkEgress(rules))
        return Call<void>::settled(tl::unexpected(std::move(*wrong)));
    net::HttpRequest request =
        m_link->jsonRequest("PUT", sandboxPath(id, "/network"), protocol::encodeNetworkUpdate(rules));
    request.mayRepeat = true; // the same rules twice are the same rules
    return tell(m_link, std::move(request), Operation::Get);
}

} // namespace boxdeck::api
