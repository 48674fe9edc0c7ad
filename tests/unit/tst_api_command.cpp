// SPDX-License-Identifier: GPL-3.0-or-later
// One command to its end, against servers that tell it oddly or not at all.
#include "backend/api/command_run.h"
#include "tests/support/scripted_envd.h"
#include "tests/support/waiting.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::net;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

const QByteArray started = eventMessage(R"({"start":{"pid":512}})");

QByteArray ended(const QByteArray &members = R"("exited":true,"status":"exit status 0")")
{
    return eventMessage(R"({"end":{)" + members + "}}");
}

/// What Start was asked for.
QJsonObject startOf(const FaultServer &server)
{
    EnvelopeDecoder decoder;
    decoder.feed(server.requests().first().body);
    return QJsonDocument::fromJson((*decoder.next())->payload).object();
}

int callsOf(const FaultServer &server, const QByteArray &method)
{
    const auto all = server.requests();
    return static_cast<int>(std::count_if(all.begin(), all.end(), [&](const RecordedRequest &request) {
        return request.path() == "/process.Process/" + method;
    }));
}

} // namespace

class TestApiCommand : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nonsenseIsRefusedWithoutACall_data();
    void nonsenseIsRefusedWithoutACall();
    void wordsAreQuoted_data();
    void wordsAreQuoted();
    void startHasWhatWasAsked();
    void endsAreRead_data();
    void endsAreRead();
    void refusalsAreErrors_data();
    void refusalsAreErrors();
    void brokenStreamKeepsWhatCame_data();
    void brokenStreamKeepsWhatCame();
    void isSentOnceWhateverHappens();
    void limitKillsAndKeepsTheOutput();
    void limitBeforeTheStartKillsByTag();
    void killThatFailsIsNotToldAsDone();
    void deadlineOfTheServerIsALimit();
    void endInTheMomentOfTheLimitCounts();
    void inputGoesPieceByPieceAndEnds();
    void commandThatWantsNoInputStillEnds();
    void lostInputKillsTheCommand();
    void oldServersGetInputInTheLine_data();
    void oldServersGetInputInTheLine();
    void outputIsBounded();
    void droppedCallKills();
};

void TestApiCommand::nonsenseIsRefusedWithoutACall_data()
{
    QTest::addColumn<Command>("command");
    QTest::newRow("nothing") << Command{};
    QTest::newRow("blank line") << Command{.line = u" \n"_s};
    QTest::newRow("blank word") << Command{.words = {u" "_s, u"x"_s}};
    QTest::newRow("both") << Command{.line = u"ls"_s, .words = {u"ls"_s}};
    QTest::newRow("negative limit") << Command{.line = u"ls"_s, .limit = -1ms};
    QTest::newRow("no shell") << Command{.line = u"ls"_s, .shell = u" "_s};
}

void TestApiCommand::nonsenseIsRefusedWithoutACall()
{
    QFETCH(Command, command);
    FaultServer server(Script::answer(200));
    ScriptedSandbox sandbox(server);
    const auto run = outcome(runCommand(sandbox.envd.processes(), command));
    QVERIFY(!run);
    QCOMPARE(run.error().kind, ErrorKind::InvalidRequest);
    QCOMPARE(server.requestCount(), 0);
}

void TestApiCommand::wordsAreQuoted_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("line");
    QTest::newRow("plain") << QStringList{u"ls"_s, u"-la"_s, u"/a,b:c=d+e.f_g"_s} << u"ls -la /a,b:c=d+e.f_g"_s;
    QTest::newRow("empty") << QStringList{u"echo"_s, QString()} << u"echo ''"_s;
    QTest::newRow("quote") << QStringList{u"echo"_s, u"it's"_s} << uR"(echo 'it'\''s')"_s;
    QTest::newRow("everything a shell knows")
        << QStringList{u"echo"_s, u"$HOME `id` \"x\" \\ * ? ~ ; & | < > ( ) # !\n\t"_s}
        << u"echo '$HOME `id` \"x\" \\ * ? ~ ; & | < > ( ) # !\n\t'"_s;
    QTest::newRow("not ASCII") << QStringList{u"echo"_s, u"\u00e9"_s} << u"echo '\u00e9'"_s;
    QTest::newRow("no assignment") << QStringList{u"A=b"_s, u"C=d"_s} << u"'A=b' C=d"_s;
}

void TestApiCommand::wordsAreQuoted()
{
    QFETCH(QStringList, words);
    QFETCH(QString, line);
    QCOMPARE(shellLine(words), line);
    // A real shell takes the line apart into the same words again.
    QProcess shell;
    shell.start(u"/bin/sh"_s, {u"-c"_s, u"printf '%s\\001' "_s + shellLine(words)});
    QVERIFY(shell.waitForFinished());
    QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), words.join(QChar(1)) + QChar(1));
}

void TestApiCommand::startHasWhatWasAsked()
{
    FaultServer server(stream(started + ended() + endOfStream()).lastChunk());
    ScriptedSandbox sandbox(server);
    const Command command{.words = {u"make"_s, u"all targets"_s},
                          .user = u"root"_s,
                          .cwd = u"/srv"_s,
                          .envs = {{u"CC"_s, u"gcc"_s}},
                          .limit = 2500ms};
    QVERIFY(outcome(runCommand(sandbox.envd.processes(), command))->succeeded());
    const QJsonObject start = startOf(server);
    const QJsonObject process = start["process"_L1].toObject();
    QCOMPARE(process["cmd"_L1].toString(), u"/bin/bash"_s);
    QCOMPARE(process["args"_L1].toArray(), QJsonArray({u"-l"_s, u"-c"_s, u"make 'all targets'"_s}));
    QCOMPARE(process["cwd"_L1].toString(), u"/srv"_s);
    QCOMPARE(process["envs"_L1].toObject(), QJsonObject({{u"CC"_s, u"gcc"_s}}));
    QVERIFY(start["tag"_L1].toString().startsWith(u"boxdeck-"));
    QCOMPARE(start["stdin"_L1], QJsonValue(false));
    const RecordedRequest request = server.requests().first();
    QCOMPARE(request.header("Authorization"), "Basic "_ba + "root:"_ba.toBase64());
    QCOMPARE(request.header("Connect-Timeout-Ms"), "12500"_ba);
    QVERIFY(request.header("Keepalive-Ping-Interval").toInt() > 0);

    FaultServer unlimited(stream(started + ended() + endOfStream()).lastChunk());
    ScriptedSandbox other(unlimited);
    const Command plain{.line = u"ls | wc"_s, .shell = u"/bin/sh"_s, .login = false, .limit = 0ms};
    QVERIFY(outcome(runCommand(other.envd.processes(), plain))->succeeded());
    QCOMPARE(startOf(unlimited)["process"_L1]["args"_L1].toArray(), QJsonArray({u"-c"_s, u"ls | wc"_s}));
    QVERIFY(unlimited.requests().first().header("Connect-Timeout-Ms").isEmpty());
}

void TestApiCommand::endsAreRead_data()
{
    QTest::addColumn<Script>("script");
    QTest::addColumn<std::optional<int>>("code");
    QTest::addColumn<QByteArray>("out");
    QTest::addColumn<QByteArray>("err");
    using Code = std::optional<int>;
    const auto whole = [](const QByteArray &bytes) { return stream(bytes + endOfStream()).lastChunk(); };
    const QByteArray hi = outputMessage("hi\n", "stdout");
    QTest::newRow("zero is left out") << whole(started + hi + ended(R"("exited":true)")) << Code(0) << "hi\n"_ba
                                      << ""_ba;
    QTest::newRow("three, and nothing is added to the error output")
        << whole(started + hi + ended(R"("exitCode":3,"exited":true,"status":"exit status 3","error":"exit status 3")"))
        << Code(3) << "hi\n"_ba
        << ""_ba;
    QTest::newRow("snake case") << whole(started + ended(R"("exit_code":4,"exited":true)")) << Code(4) << ""_ba
                                << ""_ba;
    QTest::newRow("only in words") << whole(started + ended(R"("status":"exit status 5")")) << Code(5) << ""_ba
                                   << ""_ba;
    QTest::newRow("only a signal") << whole(started + ended(R"("status":"signal: killed")")) << Code(-1) << ""_ba
                                   << ""_ba;
    QTest::newRow("nothing readable") << whole(started + ended(R"("status":"gone")")) << Code() << ""_ba
                                      << ""_ba;
    QTest::newRow("the server ends without an end") << whole(started + hi) << Code() << "hi\n"_ba
                                                    << ""_ba;
    QTest::newRow("both outputs in one event")
        << whole(started + eventMessage(R"({"data":{"stdout":"bw==","stderr":"ZQ=="}})") + ended()) << Code(0) << "o"_ba
        << "e"_ba;
    QTest::newRow("base64 without padding")
        << whole(started + eventMessage(R"({"data":{"stdout":"aGkhIQ"}})") + ended()) << Code(0) << "hi!!"_ba
        << ""_ba;
    QTest::newRow("terminal output counts as output")
        << whole(started + outputMessage("tty") + ended()) << Code(0) << "tty"_ba
        << ""_ba;
    QTest::newRow("no start") << whole(hi + ended()) << Code(0) << "hi\n"_ba
                              << ""_ba;
    QTest::newRow("an end envelope without payload")
        << stream(started + hi + ended() + endOfStream("")).lastChunk() << Code(0) << "hi\n"_ba
        << ""_ba;
    QTest::newRow("no end envelope") << stream(started + hi + ended()).lastChunk() << Code(0) << "hi\n"_ba
                                     << ""_ba;
    QTest::newRow("cut after the end") << stream(started + hi + ended()).close() << Code(0) << "hi\n"_ba
                                       << ""_ba;
    QTest::newRow("garbage after the end")
        << stream(started + hi + ended() + "\x07garbage").close() << Code(0) << "hi\n"_ba
        << ""_ba;
    QTest::newRow("one plain answer")
        << Script::answer(
               200, R"({"event":{"start":{"pid":5},"data":{"stdout":"aGkK"},"end":{"exitCode":2,"exited":true}}})")
        << Code(2) << "hi\n"_ba
        << ""_ba;
}

void TestApiCommand::endsAreRead()
{
    QFETCH(Script, script);
    QFETCH(std::optional<int>, code);
    QFETCH(QByteArray, out);
    QFETCH(QByteArray, err);
    FaultServer server(script);
    ScriptedSandbox sandbox(server);
    const auto run = outcome(runCommand(sandbox.envd.processes(), {.line = u"x"_s}));
    QVERIFY(run.has_value());
    QCOMPARE(run->end, CommandRun::End::Finished);
    QCOMPARE(run->exitCode, code);
    QCOMPARE(run->out, out);
    QCOMPARE(run->err, err);
    QCOMPARE(run->succeeded(), code == 0);
    QVERIFY(run->duration >= 0ms && run->duration < 20s);
}

void TestApiCommand::refusalsAreErrors_data()
{
    QTest::addColumn<Script>("script");
    QTest::addColumn<ErrorKind>("kind");
    QTest::newRow("folder")
        << stream(endOfStream(R"({"error":{"code":"invalid_argument","message":"cwd '/nope'"}})")).lastChunk()
        << ErrorKind::InvalidRequest;
    QTest::newRow("user")
        << stream(endOfStream(R"({"error":{"code":"unauthenticated","message":"invalid username"}})")).lastChunk()
        << ErrorKind::Authentication;
    QTest::newRow("token") << Script::answer(401, R"({"code":401,"message":"unauthorized access"})")
                           << ErrorKind::Authentication;
    QTest::newRow("not running") << Script::answer(502, R"({"sandboxId":"i1","message":"not found","code":502})")
                                 << ErrorKind::Unavailable;
    QTest::newRow("no such call") << Script::answer(404, "404 page not found") << ErrorKind::Unsupported;
}

void TestApiCommand::refusalsAreErrors()
{
    QFETCH(Script, script);
    QFETCH(ErrorKind, kind);
    FaultServer server(script);
    ScriptedSandbox sandbox(server);
    const auto run = outcome(runCommand(sandbox.envd.processes(), {.line = u"x"_s}));
    QVERIFY(!run);
    QCOMPARE(run.error().kind, kind);
    QCOMPARE(server.requestCount(), 1);
}

void TestApiCommand::brokenStreamKeepsWhatCame_data()
{
    QTest::addColumn<Script>("script");
    QTest::addColumn<QByteArray>("out");
    const QByteArray some = started + outputMessage("so far", "stdout") + outputMessage("oops", "stderr");
    QTest::newRow("closed") << stream(some).close() << "so far"_ba;
    QTest::newRow("reset") << stream(some).wait(50).reset() << "so far"_ba;
    QTest::newRow("ended without the end envelope") << stream(some).lastChunk() << "so far"_ba;
    QTest::newRow("cut in an envelope") << stream(some + ended().left(9)).lastChunk() << "so far"_ba;
    QTest::newRow("broken in the sandbox")
        << stream(some + endOfStream(R"({"error":{"code":"canceled","message":"x"}})")).lastChunk() << "so far"_ba;
    QTest::newRow("not even a head") << Script().close() << ""_ba;
    QTest::newRow("unreadable") << stream(some + eventMessage(R"({"data":{"stdout":"!!"}})")).lastChunk()
                                << "so far"_ba;
}

void TestApiCommand::brokenStreamKeepsWhatCame()
{
    QFETCH(Script, script);
    QFETCH(QByteArray, out);
    FaultServer server(script);
    ScriptedSandbox sandbox(server);
    const auto run = outcome(runCommand(sandbox.envd.processes(), {.line = u"x"_s}));
    QVERIFY(run.has_value());
    QCOMPARE(run->end, CommandRun::End::Interrupted);
    QCOMPARE(run->out, out);
    QCOMPARE(run->err, out.isEmpty() ? ""_ba : "oops"_ba);
    QVERIFY(!run->exitCode && !run->killed && !run->succeeded());
    QVERIFY(!run->error.code.isEmpty());
}

void TestApiCommand::isSentOnceWhateverHappens()
{
    for (const Script &script : {Script().close(), stream(started).reset(), Script::answer(503)}) {
        FaultServer server(script);
        ScriptedSandbox sandbox(server);
        (void)outcome(runCommand(sandbox.envd.processes(), {.line = u"rm x"_s}));
        QTest::qWait(100); // a repetition would come at once
        QCOMPARE(callsOf(server, "Start"), 1);
    }
}

void TestApiCommand::limitKillsAndKeepsTheOutput()
{
    FaultServer server([](const RecordedRequest &request, int) {
        if (request.path().endsWith("/Start"))
            return stream(started + outputMessage("working", "stdout"))
                .wait(400)
                .chunk(outputMessage("last words", "stdout") + ended(R"("exitCode":-1,"status":"signal: killed")") +
                       endOfStream())
                .lastChunk();
        return Script::answer(200, "{}");
    });
    ScriptedSandbox sandbox(server);
    const auto run = outcome(runCommand(sandbox.envd.processes(), {.line = u"sleep 100"_s, .limit = 100ms}));
    QVERIFY(run.has_value());
    QCOMPARE(run->end, CommandRun::End::TimeLimit);
    QVERIFY(run->killed);
    QCOMPARE(run->exitCode, std::optional(-1));
    QCOMPARE(run->out, "workinglast words"_ba);
    QVERIFY(run->duration >= 100ms);
    QCOMPARE(jsonBody(server.requests().last())["signal"_L1].toString(), u"SIGNAL_SIGKILL"_s);
    QCOMPARE(jsonBody(server.requests().last())["process"_L1]["pid"_L1].toInt(), 512);
    QCOMPARE(server.requestCount(), 2);
}

void TestApiCommand::limitBeforeTheStartKillsByTag()
{
    FaultServer server([](const RecordedRequest &request, int) {
        return request.path().endsWith("/Start") ? Script::chunked().wait(300).close() : Script::answer(200, "{}");
    });
    ScriptedSandbox sandbox(server);
    const auto run = outcome(runCommand(sandbox.envd.processes(), {.line = u"sleep 100"_s, .limit = 50ms}));
    QCOMPARE(run->end, CommandRun::End::TimeLimit);
    QVERIFY(run->killed);
    QCOMPARE(jsonBody(server.requests().last())["process"_L1]["tag"_L1].toString(),
             startOf(server)["tag"_L1].toString());
}

void TestApiCommand::killThatFailsIsNotToldAsDone()
{
    FaultServer server([](const RecordedRequest &request, int) {
        return request.path().endsWith("/Start") ? stream(started).wait(300).close() : Script::answer(503);
    });
    ScriptedSandbox sandbox(server);
    const auto run = outcome(runCommand(sandbox.envd.processes(), {.line = u"sleep 100"_s, .limit = 50ms}));
    QCOMPARE(run->end, CommandRun::End::TimeLimit);
    QVERIFY(!run->killed);
    QVERIFY(!run->exitCode);
}

void TestApiCommand::deadlineOfTheServerIsALimit()
{
    FaultServer server(stream(started + outputMessage("so far", "stdout") +
                              endOfStream(R"({"error":{"code":"deadline_exceeded","message":"over"}})"))
                           .lastChunk());
    ScriptedSandbox sandbox(server);
    const auto run = outcome(runCommand(sandbox.envd.processes(), {.line = u"x"_s}));
    QCOMPARE(run->end, CommandRun::End::TimeLimit);
    QVERIFY(run->killed);
    QCOMPARE(run->out, "so far"_ba);
}

void TestApiCommand::endInTheMomentOfTheLimitCounts()
{
    FaultServer server([](const RecordedRequest &request, int) {
        return request.path().endsWith("/Start")
                   ? stream(started).wait(200).chunk(ended(R"("exitCode":7,"exited":true)") + endOfStream()).lastChunk()
                   : Script::answer(404, R"({"code":"not_found","message":"process with pid 512 not found"})");
    });
    ScriptedSandbox sandbox(server);
    const auto run = outcome(runCommand(sandbox.envd.processes(), {.line = u"x"_s, .limit = 50ms}));
    QCOMPARE(run->end, CommandRun::End::Finished);
    QCOMPARE(run->exitCode, std::optional(7));
    QVERIFY(!run->killed);
}

void TestApiCommand::inputGoesPieceByPieceAndEnds()
{
    std::atomic<bool> closed = false;
    FaultServer server([&](const RecordedRequest &request, int) {
        if (request.path().endsWith("/Start")) {
            // Ends once the input did.
            return stream(started).wait(500).chunk(ended() + endOfStream()).lastChunk();
        }
        closed = closed || request.path().endsWith("/CloseStdin");
        return Script::answer(200, "{}");
    });
    ScriptedSandbox sandbox(server);
    QByteArray input;
    for (int i = 0; i < 150'000; ++i)
        input.append(static_cast<char>(i % 251));
    const auto run = outcome(runCommand(sandbox.envd.processes(), {.line = u"cat"_s, .input = input}));
    QVERIFY(run->succeeded());
    QCOMPARE(startOf(server)["stdin"_L1], QJsonValue(true));
    QByteArray got;
    for (const RecordedRequest &request : server.requests()) {
        if (request.path().endsWith("/SendInput"))
            got += QByteArray::fromBase64(jsonBody(request)["input"_L1]["stdin"_L1].toString().toLatin1());
    }
    QVERIFY(got == input);
    QCOMPARE(callsOf(server, "SendInput"), 3);
    QCOMPARE(callsOf(server, "CloseStdin"), 1);
    QVERIFY(server.requests().last().path().endsWith("/CloseStdin"));
}

void TestApiCommand::commandThatWantsNoInputStillEnds()
{
    FaultServer server([](const RecordedRequest &request, int) {
        return request.path().endsWith("/Start")
                   ? stream(started).wait(200).chunk(ended() + endOfStream()).lastChunk()
                   : Script::answer(500, R"({"code":"internal","message":"broken pipe"})");
    });
    ScriptedSandbox sandbox(server);
    const auto run = outcome(runCommand(sandbox.envd.processes(), {.line = u"true"_s, .input = "much"_ba}));
    QVERIFY(run->succeeded());
    QCOMPARE(callsOf(server, "SendInput"), 1);
}

void TestApiCommand::lostInputKillsTheCommand()
{
    FaultServer server([](const RecordedRequest &request, int) {
        if (request.path().endsWith("/Start"))
            return stream(started)
                .wait(300)
                .chunk(ended(R"("exitCode":-1,"status":"signal: killed")") + endOfStream())
                .lastChunk();
        return request.path().endsWith("/SendInput") ? Script().close() : Script::answer(200, "{}");
    });
    ScriptedSandbox sandbox(server);
    const auto run = outcome(runCommand(sandbox.envd.processes(), {.line = u"sh"_s, .input = "rm -r a b"_ba}));
    QCOMPARE(run->end, CommandRun::End::Interrupted);
    QVERIFY(run->killed);
    QCOMPARE(callsOf(server, "SendInput"), 1);
    QCOMPARE(callsOf(server, "CloseStdin"), 0);
    QCOMPARE(callsOf(server, "SendSignal"), 1);
}

void TestApiCommand::oldServersGetInputInTheLine_data()
{
    QTest::addColumn<QString>("version");
    QTest::newRow("old") << u"0.5.1"_s;
    QTest::newRow("unknown") << u"test"_s;
}

void TestApiCommand::oldServersGetInputInTheLine()
{
    QFETCH(QString, version);
    FaultServer server(stream(started + ended() + endOfStream()).lastChunk());
    ScriptedSandbox sandbox(server, version);
    const QByteArray input = "no end\0of line, 'BOXDECK_INPUT'\nBOXDECK_INPUT\nx"_ba;
    const QString line = u"od -An -c | tr -d ' \\n'; printf '%s' \"$A\""_s;
    QVERIFY(outcome(runCommand(sandbox.envd.processes(), {.line = line, .login = false, .input = input}))->succeeded());
    QCOMPARE(server.requestCount(), 1);
    QCOMPARE(startOf(server)["stdin"_L1], QJsonValue(false));
    // What was asked for, run by a real shell, reads exactly the input.
    QProcess real;
    const QJsonObject process = startOf(server)["process"_L1].toObject();
    real.start(process["cmd"_L1].toString(), process["args"_L1].toVariant().toStringList());
    QVERIFY(real.waitForFinished());
    QProcess direct;
    direct.start(u"/bin/bash"_s, {u"-c"_s, line});
    direct.write(input);
    direct.closeWriteChannel();
    QVERIFY(direct.waitForFinished());
    QCOMPARE(real.readAllStandardOutput(), direct.readAllStandardOutput());
    QCOMPARE(real.exitCode(), 0);

    const auto large = outcome(runCommand(sandbox.envd.processes(), {.line = line, .input = QByteArray(65537, 'x')}));
    QCOMPARE(large.error().kind, ErrorKind::Unsupported);
    QCOMPARE(server.requestCount(), 1);
}

void TestApiCommand::outputIsBounded()
{
    FaultServer server(stream(started + outputMessage(QByteArray(1000, 'x'), "stdout") +
                              outputMessage(QByteArray(10, 'y'), "stdout") + outputMessage("e", "stderr") + ended() +
                              endOfStream())
                           .lastChunk());
    ScriptedSandbox sandbox(server);
    const auto run = outcome(runCommand(sandbox.envd.processes(), {.line = u"yes"_s, .maxOutput = 1004}));
    QCOMPARE(run->out, QByteArray(1000, 'x') + "yyyy");
    QVERIFY(run->outCut && !run->errCut);
    QCOMPARE(run->exitCode, std::optional(0));
}

void TestApiCommand::droppedCallKills()
{
    FaultServer server([](const RecordedRequest &request, int) {
        return request.path().endsWith("/Start") ? stream(started).stall() : Script::answer(200, "{}");
    });
    ScriptedSandbox sandbox(server);
    {
        QObject owner;
        runCommand(sandbox.envd.processes(), {.line = u"sleep 1000"_s}).then(&owner, [](const Result<CommandRun> &) {
            QFAIL("nobody waits any more");
        });
        QTRY_COMPARE(server.requestCount(), 1);
        QTest::qWait(50); // the start event arrives
    }
    QTRY_COMPARE(callsOf(server, "SendSignal"), 1);
    QTRY_COMPARE(server.openConnections(), 1); // of the kill; the stream's is closed
}

QTEST_GUILESS_MAIN(TestApiCommand)
#include "tst_api_command.moc"
