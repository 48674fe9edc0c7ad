// SPDX-License-Identifier: GPL-3.0-or-later
// A create whose answer is lost: found again by its mark, or said to be unknown; and never sent a second time.
#include "backend/session/create_flow.h"
#include "tests/support/fault_server.h"
#include "tests/support/outcome.h"
#include "tests/support/waiting.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMutex>
#include <QTest>

#include <vector>

using namespace boxdeck;
using namespace boxdeck::protocol;
using namespace boxdeck::session;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

class TestSessionCreate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answerCutAtEveryByte_data();
    void answerCutAtEveryByte();
    void notSentIsTrueInABurst();
    void proxiesThatGaveUpWaiting_data();
    void proxiesThatGaveUpWaiting();
    void appearsInTheListLate();
    void listThatFailsMeanwhileIsAskedAgain();
    void anotherMarkIsNotTaken();
    void refusalsAreNotLookedFor_data();
    void refusalsAreNotLookedFor();
    void threeQuickCreatesUnderALimitAreThreeRequests_data();
    void threeQuickCreatesUnderALimitAreThreeRequests();
    void cancelEndsTheSearch();
};

namespace {

const QString markKey = u"boxdeck.create"_s;

/// A server that makes sandboxes and loses its answers; "cut" in the metadata says after how many bytes.
struct Server
{
    bool creates = true;    ///< before it loses the answer
    bool resets = false;    ///< the connection, instead of closing it
    int listsWithoutIt = 0; ///< that come before one that holds it
    int listsThatFail = 0;
    std::optional<Script> refusal;
    std::function<Script()> gaveUp; ///< what a proxy says after the create was done

    QMutex mutex;
    QJsonArray sandboxes;
    QMap<QString, int> marks; ///< how often each was asked for

    Script operator()(const RecordedRequest &request)
    {
        const QMutexLocker lock(&mutex);
        const auto text = [](const auto &json) { return QJsonDocument(json).toJson(QJsonDocument::Compact); };
        const QByteArray path = request.path();
        if (request.method == "POST") {
            const QJsonObject metadata = QJsonDocument::fromJson(request.body)["metadata"_L1].toObject();
            ++marks[metadata[markKey].toString()];
            if (refusal)
                return *refusal;
            const QString id = u"i"_s + metadata[u"cut"_s].toString();
            if (creates)
                sandboxes.append(
                    QJsonObject{{u"sandboxID"_s, id}, {u"state"_s, u"running"_s}, {u"metadata"_s, metadata}});
            if (gaveUp)
                return gaveUp();
            Script script;
            script.send(answer(id).left(metadata[u"cut"_s].toString().toInt()));
            return resets ? script.wait(5).reset() : script.close();
        }
        if (path == "/v2/sandboxes") {
            if (listsThatFail-- > 0)
                return Script::answer(503, "busy");
            return Script::answer(200, listsWithoutIt-- > 0 ? "[]" : text(sandboxes));
        }
        for (const QJsonValue &sandbox : std::as_const(sandboxes)) {
            if (path.endsWith('/' + sandbox["sandboxID"_L1].toString().toLatin1())) {
                QJsonObject detail = sandbox.toObject();
                detail[u"envdAccessToken"_s] = u"token of "_s + detail[u"sandboxID"_s].toString();
                return Script::answer(200, text(detail));
            }
        }
        return Script::answer(404, R"({"code":404,"message":"sandbox not found"})");
    }

    /// The bytes of the whole answer.
    static QByteArray answer(const QString &id)
    {
        const QByteArray body = R"({"sandboxID":")" + id.toLatin1() + R"(","envdVersion":"0.6.13"})";
        return "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: " +
               QByteArray::number(body.size()) + "\r\n\r\n" + body;
    }
};

/// A client of such a server.
struct Maker
{
    Server script;
    FaultServer server{[this](const RecordedRequest &request, int) { return script(request); }};
    net::HttpTransport transport{net::TransportOptions{.proxies = {}}};
    api::ControlPlaneClient client{transport, {.apiUrl = server.url(), .apiKey = Secret("k")}};

    Call<SandboxAccess> create(int cut, const Looks &looks)
    {
        NewSandbox wanted;
        wanted.metadata.insert(u"cut"_s, QString::number(cut));
        return createOnce(client, wanted, markKey, looks);
    }
    int posts() const
    {
        int count = 0;
        for (const RecordedRequest &request : server.requests())
            count += request.method == "POST" ? 1 : 0;
        return count;
    }
    int gets() const { return server.requestCount() - posts(); }
};

} // namespace

void TestSessionCreate::answerCutAtEveryByte_data()
{
    QTest::addColumn<bool>("resets");
    QTest::addColumn<bool>("creates");
    QTest::newRow("closed, and it was made") << false << true;
    QTest::newRow("reset, and it was made") << true << true;
    QTest::newRow("closed, and it was not made") << false << false;
    QTest::newRow("reset, and it was not made") << true << false;
}

void TestSessionCreate::answerCutAtEveryByte()
{
    QFETCH(bool, resets);
    QFETCH(bool, creates);
    Maker maker;
    maker.script.resets = resets;
    maker.script.creates = creates;
    const int whole = int(Server::answer(u"i100"_s).size());
    // A few at once, as each waits for its look into the list; no more than there are connections.
    constexpr int atOnce = 6;
    for (int first = 0; first < whole; first += atOnce) {
        std::vector<std::unique_ptr<Outcome<SandboxAccess>>> made;
        for (int cut = first; cut < qMin(first + atOnce, whole); ++cut)
            made.push_back(std::make_unique<Outcome<SandboxAccess>>(maker.create(cut, {20ms, 20ms})));
        for (int cut = first; cut < qMin(first + atOnce, whole); ++cut) {
            Outcome<SandboxAccess> &one = *made.at(size_t(cut - first));
            QVERIFY(eventually([&] { return one.done(); }, 60s));
            const int length = int(Server::answer(u"i"_s + QString::number(cut)).size());
            const QByteArray where = "after " + QByteArray::number(cut) + " bytes";
            if (creates || cut >= length) {
                QVERIFY2(one.ok(), where + ": " + one.error().message.toUtf8());
                QCOMPARE(one.value().id.value, u"i"_s + QString::number(cut)); // its own, not another's
            } else {
                QVERIFY2(one.failed(), where);
                QVERIFY2(one.error().delivery == Delivery::Unknown, where);
                QVERIFY2(!provesGone(one.error().kind), where);
            }
        }
    }
    QCOMPARE(maker.script.marks.size(), whole);
    for (const int times : std::as_const(maker.script.marks))
        QCOMPARE(times, 1);
    QCOMPARE(maker.posts(), whole);
}

/// More creates than connections, all of which break: those that waited their turn fail too. Whatever says "not sent"
/// may be made again by the user, so it must be true.
void TestSessionCreate::notSentIsTrueInABurst()
{
    Maker maker;
    maker.script.creates = false;
    std::vector<std::unique_ptr<Outcome<SandboxAccess>>> made;
    for (int i = 0; i < 60; ++i)
        made.push_back(std::make_unique<Outcome<SandboxAccess>>(maker.create(i, {})));
    int unknown = 0;
    for (const auto &one : made) {
        QVERIFY(eventually([&] { return one->done(); }));
        QVERIFY(one->failed());
        unknown += one->error().delivery == Delivery::Unknown ? 1 : 0;
    }
    QVERIFY2(maker.posts() <= unknown,
             qPrintable(QString::number(maker.posts()) + u" of "_s + QString::number(unknown)));
    for (const int times : std::as_const(maker.script.marks))
        QCOMPARE(times, 1);
}

void TestSessionCreate::proxiesThatGaveUpWaiting_data()
{
    QTest::addColumn<Script>("answer");
    QTest::newRow("502") << Script::answer(502, "<html>Bad Gateway</html>");
    QTest::newRow("504") << Script::answer(504, "upstream timed out");
    QTest::newRow("504 of the placement")
        << Script::answer(504, R"({"code":504,"error_code":"sandbox_placement_timeout","message":"too slow"})");
    QTest::newRow("a page with 200") << Script::answer(200, "<html>Please sign in</html>");
    QTest::newRow("201 without an id") << Script::answer(201, "{}");
    QTest::newRow("204") << Script::answer(204);
    QTest::newRow("303 to somewhere") << Script::answer(303, {}, {{"Location", "/sandboxes/i7"}});
}

void TestSessionCreate::proxiesThatGaveUpWaiting()
{
    QFETCH(Script, answer);
    Maker maker;
    maker.script.gaveUp = [&] { return answer; };
    const auto found = outcome(maker.create(7, {10ms}));
    QVERIFY2(found.has_value(), found ? "" : qPrintable(found.error().message));
    QCOMPARE(found->id.value, u"i7"_s);
    QCOMPARE(found->envdAccessToken.reveal(), "token of i7"_ba);
    QCOMPARE(maker.posts(), 1);

    Maker none;
    none.script.creates = false;
    none.script.gaveUp = [&] { return answer; };
    const auto unknown = outcome(none.create(7, {10ms, 10ms}));
    QVERIFY(!unknown);
    QCOMPARE(unknown.error().delivery, Delivery::Unknown); // so nobody thinks that it is safe to repeat
    QCOMPARE(none.posts(), 1);
}

void TestSessionCreate::appearsInTheListLate()
{
    Maker maker;
    maker.script.listsWithoutIt = 2;
    QVERIFY(outcome(maker.create(0, {10ms, 10ms, 10ms})).has_value());
    maker.script.listsWithoutIt = 2;
    QVERIFY(!outcome(maker.create(1, {10ms, 10ms})));
}

void TestSessionCreate::listThatFailsMeanwhileIsAskedAgain()
{
    Maker maker;
    maker.script.listsThatFail = 2;
    QVERIFY(outcome(maker.create(0, {10ms, 10ms, 10ms})).has_value());
    QCOMPARE(maker.posts(), 1);
}

void TestSessionCreate::anotherMarkIsNotTaken()
{
    Maker maker;
    maker.script.creates = false;
    maker.script.sandboxes = {
        QJsonObject{{u"sandboxID"_s, u"other"_s}, {u"metadata"_s, QJsonObject{{markKey, u"m"_s}}}},
        QJsonObject{{u"sandboxID"_s, u"none"_s}}};
    const auto unknown = outcome(maker.create(0, {10ms}));
    QVERIFY(!unknown);
    QCOMPARE(unknown.error().delivery, Delivery::Unknown);
}

void TestSessionCreate::refusalsAreNotLookedFor_data()
{
    QTest::addColumn<int>("status");
    for (const int status : {400, 401, 403, 404, 409, 413, 422, 429, 500, 503, 507})
        QTest::addRow("%d", status) << status;
}

void TestSessionCreate::refusalsAreNotLookedFor()
{
    QFETCH(int, status);
    Maker maker;
    maker.script.refusal = Script::answer(status, R"({"message":"no"})");
    const auto refused = outcome(maker.create(0, {1ms}));
    QVERIFY(!refused);
    QCOMPARE(refused.error().delivery, Delivery::Answered);
    QCOMPARE(refused.error().message, u"no"_s);
    // A server that has neither form of the call is asked for both.
    QCOMPARE(maker.posts(), status == 404 ? 2 : 1);
    QCOMPARE(maker.gets(), 0);
}

void TestSessionCreate::threeQuickCreatesUnderALimitAreThreeRequests_data()
{
    QTest::addColumn<bool>("retryAfter");
    QTest::newRow("with Retry-After") << true;
    QTest::newRow("without") << false;
}

void TestSessionCreate::threeQuickCreatesUnderALimitAreThreeRequests()
{
    QFETCH(bool, retryAfter);
    const QString words = u"you have reached the maximum number of concurrent sandboxes (20). Contact us to raise it"_s;
    net::HeaderList headers{{"Content-Type", "application/json"}};
    if (retryAfter)
        headers.emplace_back("Retry-After", "7");
    Maker maker;
    maker.script.refusal = Script::answer(429, R"({"code":429,"message":")" + words.toUtf8() + "\"}", headers);
    std::vector<std::unique_ptr<Outcome<SandboxAccess>>> pressed;
    for (int i = 0; i < 3; ++i)
        pressed.push_back(std::make_unique<Outcome<SandboxAccess>>(maker.create(i, usualLooks())));
    for (const auto &one : pressed) {
        QTRY_VERIFY(one->failed());
        QCOMPARE(one->error().kind, ErrorKind::Capacity);
        QCOMPARE(one->error().message, words);
        QCOMPARE(one->error().retryAfter.has_value(), retryAfter);
    }
    QTest::qWait(500); // a repetition of ours would come within 240 ms
    QCOMPARE(maker.server.requestCount(), 3);
}

void TestSessionCreate::cancelEndsTheSearch()
{
    Maker maker;
    maker.script.creates = false;
    {
        Outcome searching(maker.create(0, Looks(50, 20ms)));
        QTRY_VERIFY(maker.gets() > 1);
    }
    QTest::qWait(60); // what is in flight
    const int before = maker.server.requestCount();
    QTest::qWait(200); // ten looks
    QCOMPARE(maker.server.requestCount(), before);
}

QTEST_GUILESS_MAIN(TestSessionCreate)
#include "tst_session_create.moc"
