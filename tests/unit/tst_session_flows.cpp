// SPDX-License-Identifier: GPL-3.0-or-later
// What a session does to sandboxes, request by request, against a server that answers as told.
#include "backend/session/session.h"
#include "tests/support/fault_server.h"
#include "tests/support/outcome.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QSignalSpy>
#include <QTest>

#include <chrono>
#include <mutex>

using namespace boxdeck;
using namespace boxdeck::session;
using namespace boxdeck::protocol;
using namespace std::chrono_literals;
using boxdeck::test::FaultServer;
using boxdeck::test::Outcome;
using boxdeck::test::RecordedRequest;
using boxdeck::test::Script;

namespace {

/// A server with one sandbox, "i1", whose state the test sets; shared with the server's threads.
struct World
{
    std::mutex mutex;
    QString state = QStringLiteral("running");
    QByteArray token = "envd-token";
    std::optional<QDateTime> endAt;
    QJsonObject metadata;
    bool listed = true;
    bool gone = false;
    qint64 skewSecs = 0;                                                    ///< the server's clock
    std::function<std::optional<Script>(const RecordedRequest &)> override; ///< runs with the mutex held
};

QByteArray httpDate(const QDateTime &time)
{
    return QLocale::c().toString(time.toUTC(), QStringLiteral("ddd, dd MMM yyyy HH:mm:ss 'GMT'")).toLatin1();
}

Script jsonAnswer(World &world, int status, const QByteArray &body)
{
    return Script::answer(status, body,
                          {{"Content-Type", "application/json"},
                           {"Date", httpDate(QDateTime::currentDateTimeUtc().addSecs(world.skewSecs))}});
}

QJsonObject sandboxJson(const World &world)
{
    QJsonObject object{{QStringLiteral("sandboxID"), QStringLiteral("i1")},
                       {QStringLiteral("templateID"), QStringLiteral("base")},
                       {QStringLiteral("clientID"), QStringLiteral("c")},
                       {QStringLiteral("state"), world.state},
                       {QStringLiteral("envdVersion"), QStringLiteral("0.6.4")},
                       {QStringLiteral("startedAt"), QStringLiteral("2030-01-02T03:04:05Z")},
                       {QStringLiteral("metadata"), world.metadata}};
    if (world.endAt)
        object[QStringLiteral("endAt")] = world.endAt->toUTC().toString(Qt::ISODateWithMs);
    return object;
}

Script answerTo(World &world, const RecordedRequest &request)
{
    const std::scoped_lock lock(world.mutex);
    if (world.override) {
        if (auto script = world.override(request))
            return *script;
    }
    const auto text = [](const QJsonObject &object) { return QJsonDocument(object).toJson(QJsonDocument::Compact); };
    const QByteArray path = request.path();
    const bool listing = path == "/v2/sandboxes" && request.method == "GET";
    if (listing)
        return jsonAnswer(world, 200, world.listed && !world.gone ? '[' + text(sandboxJson(world)) + ']' : "[]");
    if (path == "/templates")
        return jsonAnswer(world, 200, "[]");
    if (world.gone)
        return jsonAnswer(world, 404, R"({"code":404,"message":"sandbox not found"})");
    if (request.method == "DELETE") {
        world.gone = true;
        return Script::answer(204);
    }
    if (request.method == "GET") {
        QJsonObject detail = sandboxJson(world);
        if (!world.token.isEmpty())
            detail[QStringLiteral("envdAccessToken")] = QString::fromLatin1(world.token);
        return jsonAnswer(world, 200, text(detail));
    }
    const QJsonObject body = QJsonDocument::fromJson(request.body).object();
    const auto life = [&] { return body.value(QLatin1String("timeout")).toInteger(); };
    const QDateTime now = QDateTime::currentDateTimeUtc().addSecs(world.skewSecs);
    if (path.endsWith("/pause")) {
        world.state = QStringLiteral("paused");
        return Script::answer(204);
    }
    if (path.endsWith("/timeout")) {
        world.endAt = now.addSecs(life());
        return Script::answer(204);
    }
    world.state = QStringLiteral("running"); // create and connect
    world.endAt = now.addSecs(life());
    if (path.endsWith("sandboxes"))
        world.metadata = body.value(QLatin1String("metadata")).toObject();
    QJsonObject access = sandboxJson(world);
    access[QStringLiteral("envdAccessToken")] = QString::fromLatin1(world.token);
    access[QStringLiteral("trafficAccessToken")] = QStringLiteral("traffic");
    return jsonAnswer(world, 201, text(access));
}

const SandboxId i1{QStringLiteral("i1")};

} // namespace

class TestSessionFlows : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void lookingNeverWakesAPausedSandbox();
    void carriesTheTokenOfASecureSandboxAndNoneOfAnOpenOne();
    void keepsTheDataPlaneWhileTheSandboxRuns();
    void findsASandboxWhoseCreateAnswerWasLost();
    void saysUnknownWhenALostCreateIsNotFound();
    void passesARefusalOnAndDoesNotRepeatIt_data();
    void passesARefusalOnAndDoesNotRepeatIt();
    void keepsTheTrafficTokenThatOnlyCreateTells();
    void pauseShowsWhatBecameOfTheSandbox_data();
    void pauseShowsWhatBecameOfTheSandbox();
    void resumeCarriesTheChosenLifetime();
    void extendCountsFromTheEndTheServerTells_data();
    void extendCountsFromTheEndTheServerTells();
    void extendNeverShortensNorWakes();
    void saysWhenTheServerKeepsTheOldEnd();
    void killNamesOneSandboxAndForgetsIt();
    void aFailureWithoutABodyChangesNothing();
    void followsItsServerToAnotherAddress();

private:
    QList<QByteArray> sent(const QByteArray &method) const;
    void load();

    std::shared_ptr<World> m_world;
    std::unique_ptr<FaultServer> m_server;
    std::unique_ptr<net::HttpTransport> m_transport;
    SystemClock m_clock;
    std::unique_ptr<Session> m_session;
};

void TestSessionFlows::init()
{
    m_world = std::make_shared<World>();
    m_server = std::make_unique<FaultServer>(
        [world = m_world](const RecordedRequest &request, int) { return answerTo(*world, request); });
    m_transport = std::make_unique<net::HttpTransport>();
    m_session =
        std::make_unique<Session>(ConnectionProfile::selfHosted(QStringLiteral("test"), m_server->url(QByteArray())),
                                  Secret("e2b_key"), *m_transport, m_clock);
}

void TestSessionFlows::cleanup()
{
    m_session.reset();
    m_transport.reset();
    m_server.reset();
}

QList<QByteArray> TestSessionFlows::sent(const QByteArray &method) const
{
    QList<QByteArray> targets;
    for (const RecordedRequest &request : m_server->requests()) {
        if (request.method == method)
            targets.append(request.path());
    }
    return targets;
}

void TestSessionFlows::load()
{
    m_session->sandboxes().setPace({.visible = 1h});
    m_session->sandboxes().start();
    QTRY_VERIFY(m_session->sandboxes().hasLoaded());
}

void TestSessionFlows::lookingNeverWakesAPausedSandbox()
{
    m_world->state = QStringLiteral("paused");
    m_session->start();
    QTRY_VERIFY(m_session->sandboxes().hasLoaded());
    for (int i = 0; i < 3; ++i) {
        Outcome envd(m_session->envd(i1));
        QTRY_VERIFY(envd.failed());
        QCOMPARE(envd.error().kind, ErrorKind::Conflict);
        QCOMPARE(envd.code(), QStringLiteral("paused"));
    }
    QCOMPARE(sent("POST"), QList<QByteArray>());
    QCOMPARE(m_session->sandboxes().find(i1)->state, SandboxState::Paused);
}

void TestSessionFlows::carriesTheTokenOfASecureSandboxAndNoneOfAnOpenOne()
{
    Outcome secure(m_session->envd(i1));
    QTRY_VERIFY(secure.ok());
    QCOMPARE(net::headerValue(secure.value()->target().headers(), "X-Access-Token"), QByteArray("envd-token"));

    m_session->forgetEnvd(i1);
    m_world->token.clear();
    Outcome open(m_session->envd(i1));
    QTRY_VERIFY(open.ok());
    for (const auto &[name, value] : open.value()->target().headers())
        QVERIFY2(name.compare("X-Access-Token", Qt::CaseInsensitive) != 0, "absent, not empty");
    QCOMPARE(sent("POST"), QList<QByteArray>());
}

void TestSessionFlows::keepsTheDataPlaneWhileTheSandboxRuns()
{
    Outcome first(m_session->envd(i1));
    QTRY_VERIFY(first.ok());
    Outcome second(m_session->envd(i1));
    QTRY_VERIFY(second.ok());
    QCOMPARE(first.value(), second.value());
    QCOMPARE(sent("GET").size(), 1);

    Outcome paused(m_session->pause(i1));
    QTRY_VERIFY(paused.ok());
    Outcome third(m_session->envd(i1));
    QTRY_COMPARE(third.code(), QStringLiteral("paused"));
    QCOMPARE(first.value()->target().id, i1); // who still holds it may still use it
}

void TestSessionFlows::findsASandboxWhoseCreateAnswerWasLost()
{
    int creates = 0;
    m_world->override = [&](const RecordedRequest &request) -> std::optional<Script> {
        if (request.method != "POST")
            return std::nullopt;
        ++creates;
        m_world->metadata = QJsonDocument::fromJson(request.body).object().value(QLatin1String("metadata")).toObject();
        m_world->endAt = QDateTime::currentDateTimeUtc().addSecs(600);
        return Script().reset();
    };
    NewSandbox wanted;
    wanted.metadata.insert(QStringLiteral("team"), QStringLiteral("a"));
    Outcome created(m_session->create(wanted));
    QTRY_VERIFY_WITH_TIMEOUT(created.done(), 20000);
    QVERIFY2(created.ok(), qPrintable(created.error().message));
    QCOMPARE(created.value().id, i1);
    QCOMPARE(created.value().envdAccessToken.reveal(), QByteArray("envd-token"));
    QCOMPARE(creates, 1);
    QCOMPARE(m_world->metadata.value(QLatin1String("team")).toString(), QStringLiteral("a"));
}

void TestSessionFlows::saysUnknownWhenALostCreateIsNotFound()
{
    m_world->metadata = {{Session::createMark(), QStringLiteral("of another create")}};
    m_world->override = [](const RecordedRequest &request) -> std::optional<Script> {
        return request.method == "POST" ? std::optional(Script().close()) : std::nullopt;
    };
    Outcome created(m_session->create({}));
    QTRY_VERIFY_WITH_TIMEOUT(created.failed(), 30000);
    QCOMPARE(created.error().delivery, Delivery::Unknown);
    QCOMPARE(sent("POST").size(), 1);
}

void TestSessionFlows::passesARefusalOnAndDoesNotRepeatIt_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("retryAfter");
    QTest::addColumn<int>("kind");
    QTest::newRow("limit") << 429 << false << int(ErrorKind::Capacity);
    QTest::newRow("limit, with Retry-After") << 429 << true << int(ErrorKind::Capacity);
    QTest::newRow("no such template") << 404 << false << int(ErrorKind::InvalidRequest);
    QTest::newRow("wrong key") << 401 << false << int(ErrorKind::Authentication);
}

void TestSessionFlows::passesARefusalOnAndDoesNotRepeatIt()
{
    QFETCH(int, status);
    QFETCH(bool, retryAfter);
    QFETCH(int, kind);
    const QByteArray words = "you have reached the maximum number of concurrent E2B sandboxes (20)";
    m_world->override = [=](const RecordedRequest &request) -> std::optional<Script> {
        if (request.method != "POST")
            return std::nullopt;
        net::HeaderList headers{{"Content-Type", "application/json"}};
        if (retryAfter)
            headers.emplace_back("Retry-After", "7");
        return Script::answer(status, "{\"code\":" + QByteArray::number(status) + ",\"message\":\"" + words + "\"}",
                              headers);
    };
    const auto posts = status == 404 ? 2 : 1; // after a 404 the newer form of the call is tried
    for (int i = 1; i <= 3; ++i) {
        Outcome created(m_session->create({}));
        QTRY_VERIFY(created.failed());
        QCOMPARE(int(created.error().kind), kind);
        QCOMPARE(created.error().message, QString::fromLatin1(words));
        QCOMPARE(created.error().retryAfter.has_value(), retryAfter);
        QCOMPARE(sent("POST").size(), i * posts);
    }
    QVERIFY(!QTest::qWaitFor([&] { return sent("POST").size() > 3 * posts; }, 1500));
}

void TestSessionFlows::keepsTheTrafficTokenThatOnlyCreateTells()
{
    Outcome created(m_session->create({}));
    QTRY_VERIFY(created.ok());
    for (int i = 0; i < 2; ++i) {
        Outcome envd(m_session->envd(i1));
        QTRY_VERIFY(envd.ok());
        QCOMPARE(envd.value()->target().trafficAccessToken.reveal(), QByteArray("traffic"));
        m_session->forgetEnvd(i1); // the second time it is made from the detail
    }
}

void TestSessionFlows::pauseShowsWhatBecameOfTheSandbox_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("then"); // state in the detail; "gone": 404
    QTest::addColumn<bool>("ok");
    QTest::newRow("paused already") << 409 << QStringLiteral("paused") << true;
    QTest::newRow("busy") << 409 << QStringLiteral("running") << false;
    QTest::newRow("node busy") << 503 << QStringLiteral("running") << false;
    QTest::newRow("lost") << 500 << QStringLiteral("gone") << false;
}

void TestSessionFlows::pauseShowsWhatBecameOfTheSandbox()
{
    QFETCH(int, status);
    QFETCH(QString, then);
    QFETCH(bool, ok);
    load();
    m_world->override = [=, this](const RecordedRequest &request) -> std::optional<Script> {
        if (request.method != "POST")
            return std::nullopt;
        m_world->gone = then == QLatin1String("gone");
        m_world->state = then;
        return Script::answer(status);
    };
    Outcome paused(m_session->pause(i1));
    QTRY_VERIFY(paused.done());
    QCOMPARE(paused.ok(), ok);
    const auto now = m_session->sandboxes().find(i1);
    QCOMPARE(now.has_value(), then != QLatin1String("gone"));
    if (now)
        QCOMPARE(now->rawState, then);
}

void TestSessionFlows::resumeCarriesTheChosenLifetime()
{
    m_world->state = QStringLiteral("paused");
    load();
    Outcome resumed(m_session->resume(i1, 1800s));
    QTRY_VERIFY(resumed.ok());
    QCOMPARE(sent("POST"), QList<QByteArray>{"/sandboxes/i1/connect"});
    for (const RecordedRequest &request : m_server->requests()) {
        if (request.method == "POST")
            QCOMPARE(QJsonDocument::fromJson(request.body)[QLatin1String("timeout")].toInt(), 1800);
    }
    // The new end is shown without waiting for the next list.
    QTRY_COMPARE(m_session->sandboxes().find(i1)->state, SandboxState::Running);
    const auto left = m_session->sandboxes().secondsLeft(*m_session->sandboxes().find(i1));
    QVERIFY(left && *left > 1790 && *left <= 1801);
}

void TestSessionFlows::extendCountsFromTheEndTheServerTells_data()
{
    QTest::addColumn<qint64>("skewSecs");
    QTest::newRow("clocks agree") << qint64(0);
    QTest::newRow("the server is an hour ahead") << qint64(3600);
    QTest::newRow("the server is a day behind") << qint64(-86400);
}

void TestSessionFlows::extendCountsFromTheEndTheServerTells()
{
    QFETCH(qint64, skewSecs);
    m_world->skewSecs = skewSecs;
    const QDateTime end = QDateTime::currentDateTimeUtc().addSecs(skewSecs + 1500); // 25 minutes left
    m_world->endAt = end;
    load();
    Outcome extended(m_session->extend(i1, 900s));
    QTRY_VERIFY2(extended.done(), qPrintable(extended.code()));
    QVERIFY2(extended.ok(), qPrintable(extended.code()));
    const qint64 gained = end.secsTo(extended.value());
    QVERIFY2(gained >= 899 && gained <= 903, qPrintable(QString::number(gained)));
    QCOMPARE(m_session->sandboxes().find(i1)->endAt, extended.value());
    QCOMPARE(sent("POST"), QList<QByteArray>{"/sandboxes/i1/timeout"});
}

void TestSessionFlows::extendNeverShortensNorWakes()
{
    load();
    Outcome nothing(m_session->extend(i1, 0s));
    QTRY_COMPARE(nothing.error().kind, ErrorKind::InvalidRequest);
    Outcome less(m_session->extend(i1, -60s));
    QTRY_COMPARE(less.error().kind, ErrorKind::InvalidRequest);
    Outcome endless(m_session->extend(i1, 60s)); // it has no end
    QTRY_VERIFY(endless.ok());
    QVERIFY(!endless.value().isValid());
    m_world->state = QStringLiteral("paused");
    Outcome paused(m_session->extend(i1, 60s));
    QTRY_COMPARE(paused.code(), QStringLiteral("paused"));
    m_world->gone = true;
    Outcome gone(m_session->extend(i1, 60s));
    QTRY_COMPARE(gone.error().kind, ErrorKind::NotFound);
    QCOMPARE(sent("POST"), QList<QByteArray>());
}

void TestSessionFlows::saysWhenTheServerKeepsTheOldEnd()
{
    const QDateTime end = QDateTime::currentDateTimeUtc().addSecs(60);
    m_world->endAt = end;
    m_world->override = [](const RecordedRequest &request) -> std::optional<Script> {
        return request.method == "POST" ? std::optional(Script::answer(204)) : std::nullopt; // capped in silence
    };
    Outcome extended(m_session->extend(i1, 900s));
    QTRY_VERIFY(extended.failed());
    QCOMPARE(extended.error().kind, ErrorKind::Capacity);
    QCOMPARE(extended.code(), QStringLiteral("lifetime_limit"));
}

void TestSessionFlows::killNamesOneSandboxAndForgetsIt()
{
    load();
    QSignalSpy removed(&m_session->sandboxes(), &SandboxStore::removed);
    Outcome killed(m_session->kill(i1));
    QTRY_VERIFY(killed.ok());
    QCOMPARE(sent("DELETE"), QList<QByteArray>{"/sandboxes/i1"});
    QCOMPARE(removed.count(), 1);
    QVERIFY(!m_session->sandboxes().find(i1));
    Outcome twice(m_session->kill(i1));
    QTRY_VERIFY(twice.ok());
}

void TestSessionFlows::aFailureWithoutABodyChangesNothing()
{
    load();
    m_world->override = [](const RecordedRequest &request) -> std::optional<Script> {
        return request.method == "GET" ? std::nullopt : std::optional(Script::answer(500));
    };
    Outcome killed(m_session->kill(i1));
    Outcome paused(m_session->pause(i1));
    Outcome created(m_session->create({}));
    Outcome resumed(m_session->resume(i1, 60s));
    QTRY_VERIFY(killed.failed() && paused.failed() && created.failed() && resumed.failed());
    QCOMPARE(killed.error().httpStatus, 500);
    QCOMPARE(m_session->sandboxes().find(i1)->state, SandboxState::Running);
    QCOMPARE(m_session->sandboxes().items().size(), 1);
}

void TestSessionFlows::followsItsServerToAnotherAddress()
{
    load();
    Outcome before(m_session->envd(i1));
    QTRY_VERIFY(before.ok());
    auto world = std::make_shared<World>();
    world->token = "new-token";
    FaultServer other([world](const RecordedRequest &request, int) { return answerTo(*world, request); });
    QSignalSpy moved(m_session.get(), &Session::endpointChanged);
    ConnectionProfile profile = m_session->profile();
    profile.apiUrl = other.url(QByteArray());
    m_session->reconnect(profile, Secret("e2b_other"));
    QCOMPARE(moved.count(), 1);
    Outcome after(m_session->envd(i1));
    QTRY_VERIFY(after.ok());
    QCOMPARE(after.value()->target().envdAccessToken.reveal(), QByteArray("new-token"));
    QTRY_VERIFY(other.requestCount() >= 2); // the list, too
    for (const RecordedRequest &request : other.requests())
        QCOMPARE(request.header("X-API-Key"), QByteArray("e2b_other"));
}

QTEST_GUILESS_MAIN(TestSessionFlows)
#include "tst_session_flows.moc"
