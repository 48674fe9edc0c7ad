// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/connection_test.h"

#include "backend/net/proxy_environment.h"
#include "backend/session/pinned_ca.h"
#include "backend/session/session.h"

#include <QElapsedTimer>
#include <QHostInfo>
#include <QNetworkProxy>
#include <QPointer>
#include <QSslSocket>
#include <QTimer>

#include <algorithm>
#include <chrono>

using namespace std::chrono_literals;

namespace boxdeck::session {

namespace {

using Step = TestReport::Step;
using Verdict = TestReport::Verdict;

constexpr auto stepLimit = 10s;

Error stepError(ErrorKind kind, const char *code, const QString &message)
{
    return Error{.kind = kind, .code = QLatin1String(code), .message = message};
}

/// One test. Deletes itself when it is over or cancelled.
class Tester : public QObject
{
public:
    Tester(const ConnectionProfile &profile, const Secret &key, net::HttpTransport &transport,
           Promise<TestReport> promise)
        : m_profile(profile)
        , m_url(profile.apiUrl)
        , m_key(key)
        , m_transport(&transport)
        , m_promise(std::move(promise))
    {
        m_limit.setSingleShot(true);
        connect(&m_limit, &QTimer::timeout, this, [this] {
            end(Verdict::Failed, stepError(ErrorKind::Timeout, "timeout", QStringLiteral("no answer in 10 s")));
        });
    }

    void run()
    {
        if (!m_profile.caFile.isEmpty()) {
            begin(Step::CaFile);
            const auto tls = trustOnly(m_profile.caFile);
            if (!tls) {
                end(Verdict::Failed, tls.error());
                return;
            }
            m_tls = *tls;
            net::TransportOptions options;
            options.tls = *tls;
            m_transport = new net::HttpTransport(std::move(options), this);
            end(Verdict::Passed);
        }
        m_client = std::make_unique<api::ControlPlaneClient>(*m_transport, endpointOf(m_profile, m_key));
        const bool direct = net::ProxyEnvironment::fromProcess().proxyFor(m_url).type() == QNetworkProxy::NoProxy;
        if (direct) {
            lookUp();
            return;
        }
        // A proxy looks up names and opens connections; what we could find out here would say nothing.
        for (const Step step : {Step::Dns, Step::Tcp, Step::Tls})
            m_report.lines.append({.step = step, .verdict = Verdict::Skipped, .error = {}});
        list();
    }

private:
    void begin(Step step)
    {
        m_step = step;
        m_elapsed.start();
        m_limit.start(stepLimit);
    }

    /// Closes the current step; true if the test goes on.
    bool end(Verdict verdict, std::optional<Error> error = {})
    {
        m_limit.stop();
        m_report.lines.append(
            {.step = m_step, .verdict = verdict, .error = std::move(error), .milliseconds = m_elapsed.elapsed()});
        if (verdict == Verdict::Failed)
            finish();
        return verdict != Verdict::Failed;
    }

    void finish()
    {
        m_limit.stop();
        if (m_socket)
            m_socket->disconnect(this);
        m_promise.settle(m_report);
        deleteLater();
    }

    void lookUp()
    {
        begin(Step::Dns);
        QHostInfo::lookupHost(m_url.host(), this, [this](const QHostInfo &info) {
            if (m_step != Step::Dns || !m_limit.isActive())
                return;
            if (info.error() != QHostInfo::NoError || info.addresses().isEmpty())
                end(Verdict::Failed, stepError(ErrorKind::Unavailable, "dns", info.errorString()));
            else if (end(Verdict::Passed))
                dial();
        });
    }

    void dial()
    {
        begin(Step::Tcp);
        const bool tls = m_url.scheme() == QLatin1String("https");
        m_socket = new QSslSocket(this);
        if (m_tls)
            m_socket->setSslConfiguration(*m_tls);
        m_socket->setProxy(QNetworkProxy::NoProxy);
        connect(m_socket, &QSslSocket::errorOccurred, this, [this](QAbstractSocket::SocketError) {
            const bool handshake = m_step == Step::Tls;
            end(Verdict::Failed, stepError(ErrorKind::Unavailable, handshake ? "tls" : "tcp", m_socket->errorString()));
        });
        connect(m_socket, &QSslSocket::connected, this, [this, tls] {
            if (!end(Verdict::Passed))
                return;
            begin(Step::Tls);
            if (tls)
                m_socket->startClientEncryption();
            else if (end(Verdict::Skipped))
                list();
        });
        connect(m_socket, &QSslSocket::sslErrors, this, [this](const QList<QSslError> &errors) {
            m_socket->disconnect(this); // the handshake fails right after, with less to say
            end(Verdict::Failed, stepError(ErrorKind::Unavailable, "tls", errors.value(0).errorString()));
        });
        connect(m_socket, &QSslSocket::encrypted, this, [this] {
            if (end(Verdict::Passed))
                list();
        });
        m_socket->setPeerVerifyName(m_url.host());
        m_socket->connectToHost(m_url.host(), quint16(m_url.port(tls ? 443 : 80)));
    }

    // One request answers both: a refused key is told apart from an answer that is no list.
    void list()
    {
        if (m_socket)
            m_socket->disconnect(this);
        begin(Step::Key);
        m_client->probe().then(this, [this](const Result<void> &answer) {
            if (answer) {
                end(Verdict::Passed);
                m_step = Step::Listing;
                end(Verdict::Passed);
                reachSandboxes();
                return;
            }
            const Error &error = answer.error();
            if (error.kind != ErrorKind::Authentication) {
                // Whether the key is right was never asked by a server that is none.
                m_report.lines.append({.step = Step::Key, .verdict = Verdict::Skipped, .error = {}});
                m_step = Step::Listing;
            }
            end(Verdict::Failed, error);
        });
    }

    void reachSandboxes()
    {
        begin(Step::Sandboxes);
        const bool known = m_profile.sandboxUrl || m_profile.gateway || !m_profile.domain.isEmpty();
        if (!known) { // the server tells the domain when a sandbox is made
            end(Verdict::Skipped);
            finish();
            return;
        }
        protocol::SandboxAccess nobody;
        nobody.id.value = QStringLiteral("i0000boxdeck0probe00");
        const auto target = api::targetOf(endpointOf(m_profile, Secret()), nobody);
        net::HttpRequest request{.url = target.url("/health")};
        request.headers = target.headers();
        request.gateway = target.gateway;
        request.mayRepeat = true;
        m_transport->send(std::move(request)).then(this, [this](const Result<net::HttpResponse> &answer) {
            if (!answer)
                end(Verdict::Failed, answer.error());
            else if (end(Verdict::Passed))
                finish();
        });
    }

    ConnectionProfile m_profile;
    QUrl m_url;
    Secret m_key;
    std::optional<QSslConfiguration> m_tls;
    net::HttpTransport *m_transport; // a child, if the account has a CA of its own
    std::unique_ptr<api::ControlPlaneClient> m_client;
    Promise<TestReport> m_promise;
    TestReport m_report;
    Step m_step = Step::Dns;
    QElapsedTimer m_elapsed;
    QTimer m_limit;
    QSslSocket *m_socket = nullptr;
};

} // namespace

bool TestReport::passed() const
{
    return !failure() && !lines.isEmpty() && lines.last().step == Step::Sandboxes;
}

std::optional<TestReport::Line> TestReport::failure() const
{
    const auto at =
        std::find_if(lines.begin(), lines.end(), [](const Line &line) { return line.verdict == Verdict::Failed; });
    return at == lines.end() ? std::nullopt : std::optional(*at);
}

Call<TestReport> testConnection(const ConnectionProfile &profile, const Secret &key, net::HttpTransport &transport)
{
    Promise<TestReport> promise;
    auto *tester = new Tester(profile, key, transport, promise);
    promise.onAbort([tester = QPointer(tester)] {
        if (tester)
            tester->deleteLater();
    });
    tester->run();
    return promise.call();
}

} // namespace boxdeck::session
