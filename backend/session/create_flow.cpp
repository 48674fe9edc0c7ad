// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/create_flow.h"

#include "backend/core/logging.h"

#include <QPointer>
#include <QTimer>
#include <QUuid>

#include <chrono>
#include <memory>

using namespace std::chrono_literals;

namespace boxdeck::session {

using protocol::NewSandbox;
using protocol::SandboxAccess;
using protocol::SandboxDetail;
using protocol::SandboxId;
using protocol::SandboxSummary;

namespace {

/// True if the sandbox may exist although the answer was an error: it never came, or a proxy or the placement of the
/// reference server gave up waiting (504 sandbox_placement_timeout).
bool isUnknown(const Error &error)
{
    return error.delivery == Delivery::Unknown || error.httpStatus == 502 || error.httpStatus == 504;
}

SandboxAccess accessOf(const SandboxDetail &detail)
{
    return {.id = detail.id,
            .templateId = detail.templateId,
            .alias = detail.alias,
            .envdVersion = detail.envdVersion,
            .domain = detail.domain,
            .envdAccessToken = detail.envdAccessToken};
}

/// Looks for the sandbox with the mark. Lives until it has settled its promise or was cancelled.
class Search : public QObject
{
public:
    Search(api::ControlPlaneClient client, QString key, QString mark, Looks looks, Error cause,
           Promise<SandboxAccess> promise)
        : m_client(std::move(client))
        , m_key(std::move(key))
        , m_mark(std::move(mark))
        , m_looks(std::move(looks))
        , m_cause(std::move(cause))
        , m_promise(std::move(promise))
    {
    }

    void next()
    {
        if (m_looks.isEmpty()) {
            m_cause.delivery = Delivery::Unknown;
            finish(Failure(m_cause));
            return;
        }
        QTimer::singleShot(m_looks.takeFirst(), this, [this] { look(); });
    }

private:
    void look()
    {
        m_client.listAllSandboxes().then(this, [this](const Result<QList<SandboxSummary>> &list) {
            for (const SandboxSummary &sandbox : list ? *list : QList<SandboxSummary>()) {
                if (sandbox.metadata.value(m_key) == m_mark) {
                    fetch(sandbox.id);
                    return;
                }
            }
            next();
        });
    }

    void fetch(const SandboxId &id)
    {
        m_client.sandbox(id).then(this, [this](const Result<SandboxDetail> &detail) {
            if (detail)
                finish(accessOf(*detail));
            else
                next();
        });
    }

    void finish(Result<SandboxAccess> result)
    {
        m_promise.settle(std::move(result));
        deleteLater();
    }

    api::ControlPlaneClient m_client;
    QString m_key;
    QString m_mark;
    Looks m_looks; ///< still to come
    Error m_cause;
    Promise<SandboxAccess> m_promise;
};

} // namespace

Looks usualLooks()
{
    return {300ms, 1200ms, 3000ms, 5000ms, 5500ms};
}

Call<SandboxAccess> createOnce(api::ControlPlaneClient &client, NewSandbox wanted, const QString &markKey,
                               const Looks &looks)
{
    const QString mark = QUuid::createUuid().toString(QUuid::WithoutBraces);
    wanted.metadata.insert(markKey, mark);
    return client.create(wanted).chain(
        [client, markKey, mark, looks](Result<SandboxAccess> created) -> Call<SandboxAccess> {
            if (created || !isUnknown(created.error()))
                return Call<SandboxAccess>::settled(std::move(created));
            qCWarning(lcSession) << "the answer to a create was lost; looking for the sandbox in the list";
            Promise<SandboxAccess> promise;
            auto *search = new Search(client, markKey, mark, looks, created.error(), promise);
            promise.onAbort([search = QPointer(search)] {
                if (search)
                    search->deleteLater();
            });
            search->next();
            return promise.call();
        });
}

} // namespace boxdeck::session
