// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/retry.h"

#include "backend/api/errors.h"
#include "backend/core/logging.h"

#include <QPointer>
#include <QRandomGenerator>
#include <QTimer>

#include <algorithm>

namespace boxdeck::api {

namespace {

using std::chrono::milliseconds;

Call<void> realPause(milliseconds pause)
{
    Promise<void> promise;
    auto *timer = new QTimer;
    timer->setSingleShot(true);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, promise] {
        timer->deleteLater();
        promise.settle({});
    });
    promise.onAbort([timer] { timer->deleteLater(); });
    timer->start(pause);
    return promise.call();
}

Call<net::HttpResponse> sendNth(int attempt, const QPointer<net::HttpTransport> &transport,
                                const net::HttpRequest &request, const RetryPolicy &policy, const Pauses &pauses)
{
    if (!transport) // went while we waited
        return Call<net::HttpResponse>::settled(tl::unexpected(Error{
            .kind = ErrorKind::Unavailable, .code = QStringLiteral("closed"), .message = QStringLiteral("ended")}));
    return transport->send(request).chain([=](Result<net::HttpResponse> response) {
        using Answer = Call<net::HttpResponse>;
        if (response && response->isSuccess())
            return Answer::settled(std::move(response));
        const Error error = response ? controlError(*response, Operation::Other) : response.error();
        const auto delay = policy.delayBefore(attempt + 1, error, throwDice(pauses));
        if (!delay)
            return Answer::settled(std::move(response));
        qCInfo(lcApi) << "trying again in" << delay->count() << "ms:" << kindName(error.kind);
        return waitFor(*delay, pauses).chain([=](const Result<void> &) {
            return sendNth(attempt + 1, transport, request, policy, pauses);
        });
    });
}

} // namespace

Call<void> waitFor(milliseconds pause, const Pauses &pauses)
{
    return pauses.wait ? pauses.wait(pause) : realPause(pause);
}

double throwDice(const Pauses &pauses)
{
    return pauses.dice ? pauses.dice() : QRandomGenerator::global()->generateDouble();
}

std::optional<milliseconds> RetryPolicy::delayBefore(int attempt, const Error &error, double dice) const
{
    if (attempt > attempts || !mayPassSoon(error))
        return std::nullopt;
    milliseconds delay = first;
    for (int i = 2; i < attempt && delay < longest; ++i)
        delay *= 2;
    delay = std::min(delay, longest);
    delay = milliseconds(qint64(double(delay.count()) * (1.0 - jitter + 2.0 * jitter * dice)));
    if (!error.retryAfter)
        return delay;
    if (*error.retryAfter > patience)
        return std::nullopt;
    // Those who were refused together must not come back together.
    return std::max<milliseconds>(delay, *error.retryAfter + milliseconds(qint64(double(first.count()) * dice)));
}

bool mayPassSoon(const Error &error)
{
    switch (error.kind) {
    case ErrorKind::Unavailable:
        // These are about how we are set up, and stay.
        return error.code != QLatin1String("tls") && error.code != QLatin1String("proxy") &&
               error.code != QLatin1String("host_not_found");
    case ErrorKind::Timeout:
        return error.delivery == Delivery::Answered; // a limit of ours was long enough already
    case ErrorKind::Capacity:
        return error.httpStatus == 429 && error.retryAfter.has_value();
    default:
        return false;
    }
}

Call<net::HttpResponse> sendRepeatedly(net::HttpTransport &transport, net::HttpRequest request,
                                       const RetryPolicy &policy, const Pauses &pauses)
{
    request.mayRepeat = true;
    request.ownConnection = false;
    return sendNth(1, QPointer(&transport), request, policy, pauses);
}

} // namespace boxdeck::api
