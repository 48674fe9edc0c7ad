// SPDX-License-Identifier: GPL-3.0-or-later
// Following a build through everything that may happen to its polls.
#include "backend/api/build_watch.h"
#include "tests/support/scripted_control.h"
#include "tests/support/waiting.h"

#include <QSignalSpy>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

constexpr BuildWatch::Pace quick{.interval = 5ms, .maxBackoff = 20ms, .patience = 60s};

QByteArray entry(int nth, int second = -1)
{
    return R"({"timestamp":"2026-03-02T10:00:)" + QByteArray::number(10 + (second < 0 ? nth : second)) +
           R"(Z","message":"line )" + QByteArray::number(nth) + R"(","level":"info"})";
}

Script status(const QByteArray &word, const QByteArrayList &entries = {}, const QByteArray &reason = {})
{
    return Script::answer(200, R"({"templateID":"t","buildID":"b","status":")" + word + R"(","logEntries":[)" +
                                   entries.join(',') + ']' + (reason.isEmpty() ? "" : R"(,"reason":)" + reason) + '}');
}

struct Watched
{
    explicit Watched(FaultServer::Handler handler, const BuildWatch::Pace &pace = quick)
        : scripted(std::move(handler))
        , watch(scripted.control.templates(), {u"t"_s}, {u"b"_s}, pace)
        , ended(&watch, &BuildWatch::ended)
        , interrupted(&watch, &BuildWatch::interrupted)
        , grown(&watch, &BuildWatch::logGrown)
    {
    }
    QStringList lines() const
    {
        QStringList list;
        for (const LogEntry &line : watch.log())
            list.append(line.message);
        return list;
    }
    bool waitForEnd()
    {
        return eventually([this] { return !ended.isEmpty(); }, 20s);
    }

    ScriptedControl scripted;
    BuildWatch watch;
    QSignalSpy ended;
    QSignalSpy interrupted;
    QSignalSpy grown;
};

} // namespace

class TestApiBuildWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void droppedPollsEndNothing();
    void longOutageIsLostContactAndNotAFailure();
    void errorStatusGivesItsReasonAtOnce();
    void buildThatIsGone_data();
    void buildThatIsGone();
    void refusedKeyEndsIt();
    void retryAfterIsObeyed();
    void lastLinesAreFetched();
    void samePageAgainAddsNothing();
    void linesOfTwoSourcesAreInOrder();
    void nothingComesAfterItsDeath();
};

void TestApiBuildWatch::droppedPollsEndNothing()
{
    Watched build([](const RecordedRequest &request, int nth) {
        switch (nth) {
        case 0:
            return status("building", {entry(0)});
        case 1:
            return Script().reset();
        case 2:
            return Script::answer(503, "busy");
        case 3:
            return Script::answer(504, R"({"code":504,"message":"timeout"})");
        case 4:
            return Script::answer(200, "<html>a proxy</html>");
        case 5:
            return status("building", {entry(1), entry(2), entry(3)});
        default:
            return request.query().contains("logsOffset=4") ? status("ready") : Script::answer(400);
        }
    });
    QVERIFY(build.waitForEnd());
    QCOMPARE(build.watch.end(), BuildWatch::End::Ready);
    QCOMPARE(build.lines(), (QStringList{u"line 0"_s, u"line 1"_s, u"line 2"_s, u"line 3"_s}));
    // The stack itself sends a read again that a kept connection lost: the reset may not show.
    QVERIFY(build.interrupted.size() == 3 || build.interrupted.size() == 4);
    QCOMPARE(build.ended.size(), 1);
    QVERIFY(!build.watch.error());
    QCOMPARE(build.scripted.line(0), "GET /templates/t/builds/b/status?logsOffset=0&limit=100"_ba);
    QCOMPARE(build.scripted.line(1), "GET /templates/t/builds/b/status?logsOffset=1&limit=100"_ba);
}

void TestApiBuildWatch::longOutageIsLostContactAndNotAFailure()
{
    Watched build([](const RecordedRequest &, int nth) { return nth == 0 ? status("building") : Script().close(); },
                  {.interval = 5ms, .maxBackoff = 20ms, .patience = 150ms});
    QVERIFY(build.waitForEnd());
    QCOMPARE(build.watch.end(), BuildWatch::End::LostContact);
    QCOMPARE(build.watch.status(), BuildStatus::Building);
    QVERIFY(build.watch.error().has_value());
    QVERIFY(build.interrupted.size() > 1);
}

void TestApiBuildWatch::errorStatusGivesItsReasonAtOnce()
{
    Watched build([](const RecordedRequest &, int nth) {
        if (nth == 0)
            return status("building", {entry(0)});
        return nth == 1 ? status("error", {entry(1)}, R"({"message":"exit status 1","step":"2"})")
                        : Script::answer(503);
    });
    QVERIFY(build.waitForEnd());
    QCOMPARE(build.watch.end(), BuildWatch::End::Failed);
    QCOMPARE(build.watch.reason().message, u"exit status 1"_s);
    QCOMPARE(build.watch.reason().step, u"2"_s);
    QCOMPARE(build.lines().size(), 2);
    QCOMPARE(build.scripted.server.requestCount(), 3);
}

void TestApiBuildWatch::buildThatIsGone_data()
{
    QTest::addColumn<int>("code");
    QTest::newRow("404") << 404;
    QTest::newRow("400") << 400;
}

void TestApiBuildWatch::buildThatIsGone()
{
    QFETCH(int, code);
    Watched build(
        [code](const RecordedRequest &, int) { return Script::answer(code, R"({"message":"Build 'b' not found"})"); });
    QVERIFY(build.waitForEnd());
    QCOMPARE(build.watch.end(), BuildWatch::End::NoSuchBuild);
    QCOMPARE(build.scripted.server.requestCount(), 1);
}

void TestApiBuildWatch::refusedKeyEndsIt()
{
    Watched build([](const RecordedRequest &, int) { return Script::answer(401, R"({"message":"Invalid API key"})"); });
    QVERIFY(build.waitForEnd());
    QCOMPARE(build.watch.end(), BuildWatch::End::Refused);
    QCOMPARE(build.watch.error()->message, u"Invalid API key"_s);
}

void TestApiBuildWatch::retryAfterIsObeyed()
{
    QElapsedTimer since;
    Watched build([](const RecordedRequest &, int nth) {
        return nth == 0 ? Script::answer(429, "slow down", {{"Retry-After", "1"}}) : status("ready");
    });
    since.start();
    QVERIFY(build.waitForEnd());
    QVERIFY2(since.elapsed() >= 950, qPrintable(QString::number(since.elapsed())));
    QCOMPARE(build.watch.end(), BuildWatch::End::Ready);
}

void TestApiBuildWatch::lastLinesAreFetched()
{
    // 250 lines, a page of 100, all there when the status is ready.
    Watched build([](const RecordedRequest &request, int) {
        QByteArrayList page;
        const int offset = request.query().split('&').first().mid(qstrlen("logsOffset=")).toInt();
        for (int i = offset; i < qMin(250, offset + 100); ++i)
            page.append(entry(i, 7));
        return status("ready", page);
    });
    QVERIFY(build.waitForEnd());
    QCOMPARE(build.lines().size(), 250);
    QCOMPARE(build.lines().last(), u"line 249"_s);
    QCOMPARE(build.scripted.server.requestCount(), 4);
}

void TestApiBuildWatch::samePageAgainAddsNothing()
{
    Watched build([](const RecordedRequest &, int nth) {
        return status(nth < 3 ? "building" : "ready", {entry(0), entry(0), entry(1)});
    });
    QVERIFY(build.waitForEnd());
    QCOMPARE(build.lines(), (QStringList{u"line 0"_s, u"line 0"_s, u"line 1"_s}));
    QCOMPARE(build.grown.size(), 1);
}

void TestApiBuildWatch::linesOfTwoSourcesAreInOrder()
{
    Watched build([](const RecordedRequest &, int nth) {
        switch (nth) {
        case 0:
            return status("building", {entry(0), entry(2), entry(4)});
        case 1:
            return status("building", {entry(1), entry(3), entry(4), entry(5)});
        default:
            return status("ready");
        }
    });
    QVERIFY(build.waitForEnd());
    QCOMPARE(build.lines(),
             (QStringList{u"line 0"_s, u"line 1"_s, u"line 2"_s, u"line 3"_s, u"line 4"_s, u"line 5"_s}));
    QCOMPARE(build.grown.value(1).value(0).toInt(), 1);
}

void TestApiBuildWatch::nothingComesAfterItsDeath()
{
    ScriptedControl scripted([](const RecordedRequest &, int) { return status("building"); });
    int heard = 0;
    {
        BuildWatch watch(scripted.control.templates(), {u"t"_s}, {u"b"_s}, quick);
        connect(&watch, &BuildWatch::statusChanged, this, [&heard] { ++heard; });
        QVERIFY(eventually([&] { return heard > 0; }, 10s));
    }
    const int asked = scripted.server.requestCount();
    QTest::qWait(100); // twenty polls would fit
    QVERIFY(scripted.server.requestCount() <= asked + 1);
    QCOMPARE(heard, 1);
}

QTEST_GUILESS_MAIN(TestApiBuildWatch)
#include "tst_api_build_watch.moc"
