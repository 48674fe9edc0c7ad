// SPDX-License-Identifier: GPL-3.0-or-later
// Everything the client does, against every way for it to go wrong. Each cell says what comes of it and how often the
// server was asked, so that nothing is done twice; and that the next call on the same client gets its own answer.
#include "tests/integration/hasty_client.h"
#include "tests/support/fault.h"
#include "tests/support/scripted_envd.h"
#include "tests/support/waiting.h"

#include <QTest>

using namespace boxdeck;
using namespace boxdeck::net;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

/// The slow server needs 20 of them: longer than every limit, but never silent for as long.
constexpr int slowPause = 150;

enum class Does { List, Create, Stream, Upload, Download, Watch, BuildRequest, BuildStart, BuildStatus };

const QList<std::pair<Does, const char *>> everything{
    {Does::List, "list"},
    {Does::Create, "create"},
    {Does::Stream, "stream"},
    {Does::Upload, "upload"},
    {Does::Download, "download"},
    {Does::Watch, "watch"},
    {Does::BuildRequest, "build"},
    {Does::BuildStart, "start of a build"},
    {Does::BuildStatus, "status of a build"},
};

/// What the server would say without the fault.
GoodAnswer rightAnswer(Does does)
{
    const HeaderList json{{"Content-Type", "application/json"}};
    const HeaderList envelopes{{"Content-Type", "application/connect+json"}};
    switch (does) {
    case Does::List:
        return GoodAnswer::counted(200, R"([{"sandboxID":"i1","state":"running"},{"sandboxID":"i2","state":"paused"}])",
                                   json);
    case Does::Create:
        return GoodAnswer::counted(201, R"({"sandboxID":"i9","templateID":"base","envdVersion":"0.6.13"})", json);
    case Does::Stream: {
        GoodAnswer good{.headers = envelopes, .pieces = {eventMessage(R"({"start":{"pid":7}})")}, .chunked = true};
        for (int i = 0; i < 20; ++i)
            good.pieces.append(outputMessage("line\n", "stdout"));
        good.pieces.append(eventMessage(R"({"end":{"exited":true,"status":"exit status 0"}})"));
        good.pieces.append(endOfStream());
        return good;
    }
    case Does::Upload:
        return GoodAnswer::counted(200, R"([{"name":"f","path":"/home/user/f","type":"file"}])", json);
    case Does::Download:
        return GoodAnswer::counted(200, content, {{"Content-Type", "application/octet-stream"}});
    case Does::Watch: {
        GoodAnswer good{.headers = envelopes, .pieces = {encodeEnvelope(R"({"start":{}})")}, .chunked = true};
        for (int i = 0; i < 20; ++i)
            good.pieces.append(encodeEnvelope(R"({"filesystem":{"name":"f","type":"EVENT_TYPE_WRITE"}})"));
        good.pieces.append(endOfStream());
        return good;
    }
    case Does::BuildRequest:
        return GoodAnswer::counted(202, R"({"templateID":"t1","buildID":"b1","names":["tools"],"tags":["default"]})",
                                   json);
    case Does::BuildStart:
        return GoodAnswer::counted(202, {}, json);
    case Does::BuildStatus:
        return GoodAnswer::counted(200, R"({"templateID":"t1","buildID":"b1","status":"building","logEntries":[
            {"timestamp":"2026-03-02T10:00:00Z","message":"one","level":"info"}]})",
                                   json);
    }
    return {};
}

QByteArray pathOf(Does does)
{
    switch (does) {
    case Does::List:
        return "/v2/sandboxes";
    case Does::Create:
        return "/sandboxes";
    case Does::Stream:
        return "/process.Process/Start";
    case Does::Upload:
    case Does::Download:
        return "/files";
    case Does::Watch:
        return "/filesystem.Filesystem/WatchDir";
    case Does::BuildRequest:
        return "/v3/templates";
    case Does::BuildStart:
        return "/v2/templates/t1/builds/b1";
    case Does::BuildStatus:
        return "/templates/t1/builds/b1/status";
    }
    return {};
}

/// How an attempt ended, in one shape for all of them.
struct Ending
{
    bool good = false;
    Error error;
    StreamEnd::Kind stream = StreamEnd::Kind::Finished; ///< of streams
    int events = 0;                                     ///< of streams: lines or changes
    std::optional<int> exitCode;                        ///< of the process
    QByteArray bytes;                                   ///< of the download
};

struct Expected
{
    bool good = false;
    ErrorKind kind = ErrorKind::Internal;
    Delivery delivery = Delivery::Unknown;
};

Expected expected(Does does, Fault fault)
{
    switch (fault) {
    case Fault::Slow:
    case Fault::Replay:
        return {.good = true};
    case Fault::Limited:
        return {.kind = ErrorKind::Capacity, .delivery = Delivery::Answered};
    case Fault::Outage:
        return {.kind = ErrorKind::Unavailable, .delivery = Delivery::Answered};
    case Fault::Stall:
        return {.kind = ErrorKind::Timeout};
    case Fault::Garbage:
        // QNetworkAccessManager takes what is no HTTP for a lost connection, so the reads on it can't tell.
        if (does == Does::List || does == Does::BuildStatus)
            return {.kind = ErrorKind::Unavailable};
        return {.kind = ErrorKind::Internal};
    case Fault::Cut:
    case Fault::Reset:
    case Fault::HalfClose:
        break;
    }
    return {.kind = ErrorKind::Unavailable};
}

template <typename T> Ending endingOf(const Result<T> &result)
{
    return {.good = result.has_value(), .error = result ? Error() : result.error()};
}

Ending endingOf(const StreamEnd &end)
{
    return {.good = end.kind == StreamEnd::Kind::Finished, .error = end.error, .stream = end.kind};
}

Ending tryStream(HastyClient &client)
{
    Heard heard(client.envd.processes().start({.config = {.cmd = u"yes"_s}}));
    if (!eventually([&] { return !heard.ends.isEmpty(); }, 20s))
        return {};
    QTest::qWait(30); // what is behind the end would have been told by now
    Ending ending = endingOf(heard.ends.first());
    ending.events = int(heard.text.count('\n'));
    ending.exitCode = heard.exitCode();
    if (heard.ends.size() != 1)
        ending.good = false;
    return ending;
}

Ending tryWatch(HastyClient &client)
{
    const auto watch = client.envd.filesystem().watch(path("/home/user"), false);
    std::optional<StreamEnd> end;
    int changes = 0;
    QObject::connect(watch.get(), &api::WatchStream::ended, watch.get(), [&](const StreamEnd &e) { end = e; });
    QObject::connect(watch.get(), &api::WatchStream::event, watch.get(),
                     [&](const WatchEvent &event) { changes += event.kind == WatchEvent::Kind::Write ? 1 : 0; });
    if (!eventually([&] { return end.has_value(); }, 20s))
        return {};
    QTest::qWait(30); // a change behind the end would have been told by now
    Ending ending = endingOf(*end);
    ending.events = changes;
    return ending;
}

Ending tryDownload(HastyClient &client)
{
    const auto bytes = client.envd.files().download(path("/home/user/f"));
    Ending ending;
    bool over = false;
    QObject::connect(bytes.get(), &ByteStream::readyRead, bytes.get(),
                     [&] { ending.bytes += bytes->read(bytes->available()); });
    QObject::connect(bytes.get(), &ByteStream::finished, bytes.get(), [&] {
        ending.bytes += bytes->read(bytes->available());
        ending.good = true;
        over = true;
    });
    QObject::connect(bytes.get(), &ByteStream::failed, bytes.get(), [&](const Error &error) {
        ending.error = error;
        over = true;
    });
    eventually([&] { return over; }, 20s);
    return ending;
}

Ending attempt(Does does, HastyClient &client)
{
    switch (does) {
    case Does::List:
        return endingOf(outcome(client.control.listAllSandboxes()));
    case Does::Create:
        return endingOf(outcome(client.control.create({})));
    case Does::Upload:
        return endingOf(outcome(client.envd.files().writeSmall(path("/home/user/f"), content)));
    case Does::Stream:
        return tryStream(client);
    case Does::Watch:
        return tryWatch(client);
    case Does::Download:
        return tryDownload(client);
    case Does::BuildRequest:
        return endingOf(outcome(client.control.templates().create({.name = u"tools"_s})));
    case Does::BuildStart:
        return endingOf(outcome(client.control.templates().startBuild({u"t1"_s}, {u"b1"_s}, {.fromImage = u"a"_s})));
    case Does::BuildStatus:
        return endingOf(outcome(client.control.templates().buildInfo({u"t1"_s}, {u"b1"_s})));
    }
    return {};
}

/// For the calls made to see that nothing of the fault is left: each answer names its question.
Script ownAnswer(const RecordedRequest &request)
{
    const QByteArray id = request.path().mid(request.path().lastIndexOf('/') + 1);
    return Script::answer(200, R"({"sandboxID":")" + id + R"(","state":"running"})");
}

} // namespace

class TestFaultMatrix : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cells_data();
    void cells();
    void uploadsCutInTheirBody_data();
    void uploadsCutInTheirBody();
};

void TestFaultMatrix::cells_data()
{
    QTest::addColumn<Does>("does");
    QTest::addColumn<Fault>("fault");
    QTest::addColumn<At>("at");
    for (const auto &[does, name] : everything) {
        for (const Fault fault : allFaults) {
            const bool anywhere =
                fault == Fault::Cut || fault == Fault::Stall || fault == Fault::Reset || fault == Fault::HalfClose;
            if (!anywhere || !rightAnswer(does).pieces.isEmpty()) // an answer without a body has no middle
                QTest::addRow("%s, %s", name, qPrintable(faultName(fault))) << does << fault << At::Middle;
            if (anywhere)
                QTest::addRow("%s, %s before an answer", name, qPrintable(faultName(fault)))
                    << does << fault << At::Start;
        }
    }
}

void TestFaultMatrix::cells()
{
    QFETCH(Does, does);
    QFETCH(Fault, fault);
    QFETCH(At, at);
    const GoodAnswer good = rightAnswer(does);
    FaultServer server([&](const RecordedRequest &request, int) {
        if (request.path() == pathOf(does))
            return withFault(fault, at, good, slowPause);
        return ownAnswer(request);
    });
    HastyClient client(server);
    const Ending ending = attempt(does, client);

    const Expected wanted = expected(does, fault);
    QVERIFY2(ending.good == wanted.good, qPrintable(ending.error.code + u": "_s + ending.error.message));
    if (!wanted.good) {
        QVERIFY2(ending.error.kind == wanted.kind, kindName(ending.error.kind).data());
        QCOMPARE(ending.error.delivery, wanted.delivery);
        QVERIFY(!ending.error.message.isEmpty());
        if (fault == Fault::Limited)
            QVERIFY(ending.error.retryAfter == 1s);
    }
    if (does == Does::Stream || does == Does::Watch) {
        // An answer that says why is Failed; everything else is BrokenOff, which offers to attach again.
        const bool answered = wanted.delivery == Delivery::Answered;
        if (!wanted.good)
            QCOMPARE(ending.stream, answered ? StreamEnd::Kind::Failed : StreamEnd::Kind::BrokenOff);
        // What had come stays, once each; and only an end event is an exit.
        const bool some = !wanted.good && !answered && fault != Fault::Garbage && at == At::Middle;
        QVERIFY2(wanted.good ? ending.events == 20
                 : some      ? ending.events > 0 && ending.events < 20
                             : !ending.events,
                 qPrintable(QString::number(ending.events)));
        if (does == Does::Stream)
            QCOMPARE(ending.exitCode, wanted.good ? std::optional(0) : std::nullopt);
    }
    if (does == Does::Download && wanted.good)
        QVERIFY(ending.bytes == content);

    // How often it was asked. Only reads on QNetworkAccessManager may have been asked again, by the stack.
    QTest::qWait(50); // a repetition of the stack would have come by now
    int asked = 0;
    for (const RecordedRequest &request : server.requests())
        asked += request.path() == pathOf(does) ? 1 : 0;
    if ((does == Does::List || does == Does::BuildStatus) && wanted.delivery == Delivery::Unknown && !wanted.good)
        QVERIFY2(asked >= 1 && asked <= 4, qPrintable(QString::number(asked)));
    else
        QCOMPARE(asked, 1);

    // Nothing of it may reach the next calls of the same client, on whatever connection.
    for (const QString &id : {u"ia"_s, u"ib"_s}) {
        const auto next = outcome(client.control.sandbox({id}));
        QVERIFY2(next.has_value(), next ? "" : qPrintable(next.error().message));
        QCOMPARE(next->id.value, id);
    }
}

void TestFaultMatrix::uploadsCutInTheirBody_data()
{
    QTest::addColumn<Fault>("fault");
    for (const Fault fault : allFaults)
        QTest::newRow(qPrintable(faultName(fault))) << fault;
}

/// The fault comes while the body is still on its way.
void TestFaultMatrix::uploadsCutInTheirBody()
{
    QFETCH(Fault, fault);
    const QByteArray large(40 * 1024 * 1024, 'x');
    FaultServer server(
        [&](const RecordedRequest &, int) { return withFault(fault, At::Start, rightAnswer(Does::Upload), 20); });
    if (fault == Fault::Slow)
        server.paceBodies(large.size() / 20, slowPause);
    else if (fault != Fault::Replay)
        server.answerInBodiesAfter(1024 * 1024);
    HastyClient client(server);
    const auto written = outcome(client.envd.files().writeSmall(path("/home/user/f"), large), 60s);
    const Expected wanted = expected(Does::Upload, fault);
    QVERIFY2(written.has_value() == wanted.good, written ? "written" : qPrintable(written.error().message));
    if (!wanted.good) {
        // The unread rest of the body resets the connection, before or after the garbage was read.
        const bool reset = fault == Fault::Garbage && written.error().kind == ErrorKind::Unavailable;
        QVERIFY2(written.error().kind == wanted.kind || reset,
                 qPrintable(kindName(written.error().kind) + u" "_s + written.error().code));
        QCOMPARE(written.error().delivery, wanted.delivery);
    }
    QTest::qWait(50); // a repetition of the stack would have come by now
    QCOMPARE(server.requestCount(), 1);
    if (wanted.good)
        QVERIFY(server.requests().first().body == large);
}

QTEST_GUILESS_MAIN(TestFaultMatrix)
#include "tst_fault_matrix.moc"
