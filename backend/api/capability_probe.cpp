// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/api/capability_rules.h"
#include "backend/core/display_text.h"
#include "backend/core/logging.h"

#include <QPointer>

#include <chrono>

using namespace std::chrono_literals;

namespace boxdeck::api {

namespace {

// Of the form that sandboxes and templates have, so that a server looks for it instead of refusing its form.
constexpr auto madeUpId = "i0000boxdeck0probe00";
constexpr auto madeUpCall = "boxdeck-probe";
// Nothing can be made of it, and any server that has the call complains about it.
constexpr auto cutJson = "{\"probe\":";

struct Step
{
    Feature feature;
    Ask ask;
    const char *method;
    QByteArray path;
    QByteArray query = {};
    QByteArray body = {};
    QByteArray comparedWith = {}; ///< path of a call that surely does not exist, for what names the made-up object
};

QList<Step> steps()
{
    const QByteArray sandbox = QByteArray("/sandboxes/") + madeUpId + '/';
    const QByteArray v2 = QByteArray("/v2/sandboxes/") + madeUpId + '/';
    const QByteArray aTemplate = QByteArray("/templates/") + madeUpId + '/';
    const auto one = QByteArrayLiteral("limit=1");
    return {
        {Feature::CreateV2, Ask::Post, "POST", "/v2/sandboxes", {}, cutJson},
        {Feature::Pause, Ask::Object, "POST", sandbox + "pause", {}, "{}", sandbox + madeUpCall},
        {Feature::Fork, Ask::Object, "POST", sandbox + "fork", {}, "{}", sandbox + madeUpCall},
        {Feature::NetworkUpdate, Ask::Object, "PUT", sandbox + "network", {}, "{}", sandbox + madeUpCall},
        {Feature::Metrics, Ask::Object, "GET", sandbox + "metrics", {}, {}, sandbox + madeUpCall},
        {Feature::BatchMetrics, Ask::Batch, "GET", "/sandboxes/metrics", QByteArray("sandbox_ids=") + madeUpId},
        {Feature::LogsV2, Ask::Object, "GET", v2 + "logs", one, {}, v2 + madeUpCall},
        {Feature::LogsV1, Ask::Object, "GET", sandbox + "logs", one, {}, sandbox + madeUpCall},
        {Feature::Snapshots, Ask::List, "GET", "/snapshots", one},
        {Feature::TemplatePages, Ask::List, "GET", "/v2/templates", one},
        {Feature::TemplateBuilds, Ask::Post, "POST", "/v3/templates", {}, cutJson},
        {Feature::TemplateTags, Ask::Object, "GET", aTemplate + "tags", {}, {}, aTemplate + madeUpCall},
        {Feature::Volumes, Ask::List, "GET", "/volumes"},
        {Feature::Secrets, Ask::List, "GET", "/secrets", one},
        {Feature::ApiKeys, Ask::List, "GET", "/api-keys"},
        {Feature::Nodes, Ask::List, "GET", "/nodes"},
    };
}

net::HttpRequest requestFor(const Endpoint &endpoint, const QByteArray &method, const QByteArray &path,
                            const QByteArray &query = {}, const QByteArray &body = {})
{
    net::HttpRequest request{.method = method, .url = joinUrl(endpoint.apiUrl, path, query)};
    request.followRedirects = true;
    request.body = body;
    request.mayRepeat = method == "GET";
    request.timeouts.firstByte = 15s;
    if (!endpoint.apiKey.isEmpty())
        request.headers.append({QByteArrayLiteral("X-API-Key"), endpoint.apiKey.reveal()});
    if (!body.isEmpty())
        request.headers.append({QByteArrayLiteral("Content-Type"), QByteArrayLiteral("application/json")});
    return request;
}

QString fingerprintOf(const net::HttpResponse &response)
{
    const QByteArray type = response.header("Content-Type").split(';').first().trimmed();
    QByteArray words;
    if (type == "text/plain")
        words = response.body.trimmed().left(40);
    const QByteArray text =
        response.header("Server") + '|' + QByteArray::number(response.status) + '|' + type + '|' + words;
    return displayText(QString::fromUtf8(text), 200);
}

/// What of an answer may differ between two calls that don't exist only because their names do is taken out.
QByteArray bare(const net::HttpResponse &response, const QByteArray &path)
{
    QByteArray text = response.body;
    text.replace(path, "PATH");
    text.replace(path.mid(path.lastIndexOf('/') + 1), "CALL");
    return QByteArray::number(response.status) + ' ' + text;
}

/// One probe. Lives until it has settled its promise or was cancelled.
class Prober : public QObject
{
public:
    Prober(net::HttpTransport &transport, Endpoint endpoint, const Clock &clock, Capabilities known,
           Promise<Capabilities> promise)
        : m_transport(transport)
        , m_endpoint(std::move(endpoint))
        , m_clock(clock)
        , m_result(std::move(known))
        , m_promise(std::move(promise))
        , m_steps(steps())
    {
        m_result.address = m_endpoint.apiUrl.toString(QUrl::FullyEncoded);
    }

    void run()
    {
        serverFingerprint(m_transport, m_endpoint).then(this, [this](const Result<QString> &fingerprint) {
            if (fingerprint)
                m_result.fingerprint = *fingerprint;
            askForList();
        });
    }

private:
    using Response = Result<net::HttpResponse>;

    void askForList()
    {
        m_transport.send(requestFor(m_endpoint, "GET", "/v2/sandboxes", "limit=1"))
            .then(this, [this](const Response &response) {
                // Without an answer here there is none to anything else.
                if (!takeList(Feature::SandboxPages, response))
                    return;
                if (!m_result.lacks(Feature::SandboxPages)) {
                    next();
                    return;
                }
                m_transport.send(requestFor(m_endpoint, "GET", "/sandboxes")).then(this, [this](const Response &old) {
                    if (takeList(Feature::SandboxListV1, old))
                        next();
                });
            });
    }

    /// False if the probe ends here.
    bool takeList(Feature feature, const Response &response)
    {
        if (!response) {
            giveUp(Why::NoAnswer);
            return false;
        }
        const Finding found = judge(Ask::List, *response, false);
        note(feature, found);
        if (found.why == Why::KeyRefused || found.why == Why::NoAnswer) {
            giveUp(found.why);
            return false;
        }
        return true;
    }

    void note(Feature feature, Finding found)
    {
        // "Can't tell" never takes away what an answer has told.
        if (found.support == Support::Unknown && m_result.of(feature).support != Support::Unknown)
            return;
        found.at = m_clock.now().toUTC();
        m_result.set(feature, found);
    }

    void next()
    {
        if (m_at == m_steps.size()) {
            note(Feature::Teams, {.why = Why::SideEffect});
            m_result.probedAt = m_clock.now().toUTC();
            finish();
            return;
        }
        const Step &step = m_steps.at(m_at++);
        m_transport.send(requestFor(m_endpoint, step.method, step.path, step.query, step.body))
            .then(this, [this, step](const Response &response) { take(step, response); });
    }

    void take(const Step &step, const Response &response)
    {
        if (!response) {
            note(step.feature, {.why = Why::NoAnswer});
            next();
            return;
        }
        if (response->status == 429) { // it was asked too often already
            giveUp(Why::NoAnswer);
            return;
        }
        const Finding found = judge(step.ask, *response, true);
        if (found.why != Why::NoObject || step.comparedWith.isEmpty()) {
            note(step.feature, found);
            next();
            return;
        }
        m_transport.send(requestFor(m_endpoint, step.method, step.comparedWith, step.query, step.body))
            .then(this, [this, step, found, said = *response](const Response &stranger) {
                Finding judged = found;
                // The server speaks otherwise of a call it does not have: it has this one.
                if (stranger && !stranger->isSuccess() && stranger->status < 500 &&
                    bare(*stranger, step.comparedWith) != bare(said, step.path)) {
                    judged.why = Why::Answered;
                    judged.support = supportOf(judged.why);
                }
                note(step.feature, judged);
                next();
            });
    }

    void giveUp(Why why)
    {
        for (const Feature feature : allFeatures()) {
            if (m_result.of(feature).why == Why::NotAsked)
                note(feature, {.why = why});
        }
        finish();
    }

    void finish()
    {
        m_promise.settle(std::move(m_result));
        deleteLater();
    }

    net::HttpTransport &m_transport;
    Endpoint m_endpoint;
    const Clock &m_clock;
    Capabilities m_result;
    Promise<Capabilities> m_promise;
    QList<Step> m_steps;
    qsizetype m_at = 0;
};

} // namespace

Call<QString> serverFingerprint(net::HttpTransport &transport, const Endpoint &endpoint)
{
    net::HttpRequest request{.url = joinUrl(endpoint.apiUrl, "/health")}; // needs no key, and gets none
    request.mayRepeat = true;
    request.timeouts.firstByte = 10s;
    request.maxBody = 64 * 1024;
    return transport.send(std::move(request)).map([](const Result<net::HttpResponse> &response) -> Result<QString> {
        if (!response)
            return tl::unexpected(response.error());
        return fingerprintOf(*response);
    });
}

Call<Capabilities> probeCapabilities(net::HttpTransport &transport, Endpoint endpoint, const Clock &clock,
                                     Capabilities known)
{
    Promise<Capabilities> promise;
    auto *prober = new Prober(transport, std::move(endpoint), clock, std::move(known), promise);
    promise.onAbort([prober = QPointer(prober)] {
        if (prober)
            prober->deleteLater();
    });
    prober->run();
    return promise.call();
}

} // namespace boxdeck::api
