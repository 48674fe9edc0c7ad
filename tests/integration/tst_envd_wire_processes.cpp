// SPDX-License-Identifier: GPL-3.0-or-later
// Processes and terminals as the protocol tells them, asked through Boxdeck's own client. See wire_sandbox.h for what
// is asked.
#include "tests/integration/wire_sandbox.h"
#include "tests/support/scripted_envd.h"

#include <QRandomGenerator>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::net;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

ProcessStart shell(const QString &line)
{
    return {.config = {.cmd = u"/bin/bash"_s, .args = {u"-l"_s, u"-c"_s, line}}};
}

} // namespace

class TestEnvdWireProcesses : public QObject, private WireSandbox
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY2(open(), qPrintable(failure())); }
    void cleanupTestCase() { close(); }

    void tellsOfItself();
    void commandsEndAsTheyDid_data();
    void commandsEndAsTheyDid();
    void environmentAndFolder();
    void startsThatAreRefused();
    void inputArrivesWholeAndEnds_data();
    void inputArrivesWholeAndEnds();
    void inputInTheLineIsTheSame_data();
    void inputInTheLineIsTheSame();
    void limitsKill();
    void tailOfTheOutputIsNeverMissing();
    void bothOutputsArriveWhole();
    void muchOutputArrivesWhole();
    void manyProcessesAtOnce();
    void processesAreListedAndFoundAgain();
    void endIsRememberedForAWhile();
    void signalsReachTheProcess();
    void inputOfTheWrongKindIsRefused();
    void terminalIsATerminal();
    void quietStreamsStayAlive();
};

void TestEnvdWireProcesses::tellsOfItself()
{
    QVERIFY(outcome(envd().health()).has_value());
    QCOMPARE(outcome(envd().pulse()).value(), Pulse::Alive);
    const auto metrics = outcome(envd().metrics());
    QVERIFY(metrics.has_value());
    QVERIFY(metrics->cpuCount > 0);
    QVERIFY(metrics->cpuUsedPercent >= 0 && metrics->cpuUsedPercent <= 100);
    QVERIFY(metrics->memoryTotal > 1'000'000 && metrics->memoryUsed > 0);
    QVERIFY(metrics->memoryUsed <= metrics->memoryTotal);
    QVERIFY(metrics->diskTotal.value_or(0) > 0 && metrics->diskUsed.has_value());
    QVERIFY(qAbs(metrics->time.secsTo(QDateTime::currentDateTimeUtc())) < 60);
    QVERIFY(outcome(envd().environment()).has_value());
}

void TestEnvdWireProcesses::commandsEndAsTheyDid_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("out");
    QTest::newRow("zero") << u"echo hi"_s << 0 << "hi\n"_ba;
    QTest::newRow("three") << u"echo hi; exit 3"_s << 3 << "hi\n"_ba;
    QTest::newRow("no end of line") << u"printf tail"_s << 0 << "tail"_ba;
    QTest::newRow("not found") << u"no-such-program-here"_s << 127 << ""_ba;
    QTest::newRow("not executable") << u"/etc/passwd"_s << 126 << ""_ba;
    QTest::newRow("child killed") << u"sh -c 'kill -9 $$'; exit $?"_s << 137 << ""_ba;
    QTest::newRow("bytes") << u"printf '\\000\\377\\r\\n'"_s << 0 << "\0\377\r\n"_ba;
    QTest::newRow("killed itself") << u"echo x; kill -9 $$"_s << -1 << "x\n"_ba;
    QTest::newRow("255") << u"exit 255"_s << 255 << ""_ba;
}

void TestEnvdWireProcesses::commandsEndAsTheyDid()
{
    QFETCH(QString, line);
    QFETCH(int, code);
    QFETCH(QByteArray, out);
    const CommandRun ran = run(line);
    QCOMPARE(ran.end, CommandRun::End::Finished);
    QCOMPARE(ran.exitCode, std::optional(code));
    QCOMPARE(ran.out, out);
    QCOMPARE(ran.killed, code == -1);
    QVERIFY(!ran.err.contains("exit status"));

    // A program that is not there at all is told the same way: started, then 127.
    const Command words{.words = {u"no such program"_s, u"$x"_s}};
    const auto none = outcome(runCommand(envd().processes(), words));
    QCOMPARE(none->exitCode, std::optional(127));
    Heard heard(envd().processes().start({.config = {.cmd = u"no-such-program-here"_s}}));
    QTRY_COMPARE_WITH_TIMEOUT(heard.ends.size(), 1, patience);
    QVERIFY(heard.stream->pid().has_value());
    QCOMPARE(heard.exitCode(), std::optional(127));
    QVERIFY(!heard.errors.isEmpty());
}

void TestEnvdWireProcesses::environmentAndFolder()
{
    QCOMPARE(run(u"pwd"_s).out.trimmed(), home().bytes());
    QCOMPARE(run(u"pwd"_s, {.cwd = u"/tmp"_s}).out, "/tmp\n"_ba);
    QVERIFY(outcome(envd().filesystem().makeDir(in("sub"))).has_value());
    const QString below = QString::fromUtf8(in("sub").bytes().mid(home().bytes().size() + 1));
    QCOMPARE(run(u"pwd"_s, {.cwd = below}).out.trimmed(), in("sub").bytes());
    QCOMPARE(run(u"pwd"_s, {.cwd = u"~/"_s + below}).out.trimmed(), in("sub").bytes());
    const QMap<QString, QString> envs{{u"GREETING"_s, u"h\u00e9 \"$x\"\n;"_s}, {u"EMPTY"_s, QString()}};
    const CommandRun ran = run(u"printf '%s|%s|%s' \"$GREETING\" \"${EMPTY-unset}\" \"$USER\""_s, {.envs = envs});
    const QByteArray user = run(u"id -un"_s).out.trimmed();
    QCOMPARE(ran.out, "h\xc3\xa9 \"$x\"\n;||" + user);
    QVERIFY(!user.isEmpty());
    // The user of one call.
    QCOMPARE(run(u"id -un"_s, {.user = u"root"_s}).out, "root\n"_ba);
}

void TestEnvdWireProcesses::startsThatAreRefused()
{
    const auto kind = [&](const Command &command) { return kindOf(outcome(runCommand(envd().processes(), command))); };
    QCOMPARE(kind({.line = u"true"_s, .cwd = u"/no/such/folder"_s}), ErrorKind::InvalidRequest);
    QCOMPARE(kind({.line = u"true"_s, .cwd = u"/etc/passwd"_s}), ErrorKind::InvalidRequest);
    QCOMPARE(kind({.line = u"true"_s, .user = u"nobody-of-that-name"_s}), ErrorKind::Authentication);
    QCOMPARE(kind({.line = u"true #"_s + QString(200'000, u'x')}), ErrorKind::InvalidRequest);
}

void TestEnvdWireProcesses::inputArrivesWholeAndEnds_data()
{
    QTest::addColumn<qsizetype>("size");
    QTest::newRow("none") << qsizetype(0);
    QTest::newRow("one byte") << qsizetype(1);
    QTest::newRow("a pipe and more") << qsizetype(300'001);
}

void TestEnvdWireProcesses::inputArrivesWholeAndEnds()
{
    QFETCH(qsizetype, size);
    QByteArray input;
    for (qsizetype i = 0; i < size; ++i)
        input.append(static_cast<char>((static_cast<quint64>(i) * 2654435761u) >> 13));
    const CommandRun ran = run(u"cat"_s, {.input = input});
    QVERIFY(ran.succeeded());
    QVERIFY(ran.out == input);

    // The same as one stream.
    Heard heard(envd().processes().start({.config = {.cmd = u"cat"_s}, .openStdin = true}));
    QTRY_VERIFY_WITH_TIMEOUT(heard.stream->pid(), patience);
    const quint32 pid = *heard.stream->pid();
    const auto sent = outcome(envd().processes().streamInput(pid, InputKind::Stdin, input));
    QVERIFY2(sent.has_value(), sent ? "" : qPrintable(sent.error().message));
    QVERIFY(outcome(envd().processes().closeStdin(pid)).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(heard.ends.size(), 1, patience);
    QVERIFY(heard.text == input);
    QCOMPARE(heard.exitCode(), std::optional(0));
}

void TestEnvdWireProcesses::inputInTheLineIsTheSame_data()
{
    QTest::addColumn<QString>("version");
    QTest::newRow("known to be too old") << u"0.5.1"_s;
    QTest::newRow("unknown") << u"test"_s;
}

void TestEnvdWireProcesses::inputInTheLineIsTheSame()
{
    QFETCH(QString, version);
    SandboxTarget target = envd().target();
    target.envdVersion = EnvdVersion(version);
    HttpTransport transport;
    Envd old(transport, target);
    QByteArray input = "first\n\0\xff 'quoted' $HOME\nBOXDECK_INPUT\n"_ba;
    for (int i = 0; i < 40'000; ++i)
        input.append(static_cast<char>(i % 256));
    const auto ran = outcome(runCommand(old.processes(), {.line = u"cat; exit 6"_s, .input = input}));
    QVERIFY(ran.has_value());
    QVERIFY(ran->out == input);
    QCOMPARE(ran->exitCode, std::optional(6));
    QVERIFY(ran->err.isEmpty());
}

void TestEnvdWireProcesses::limitsKill()
{
    const CommandRun ran = run(u"echo before; sleep 1000"_s, {.limit = 500ms});
    QCOMPARE(ran.end, CommandRun::End::TimeLimit);
    QVERIFY(ran.killed);
    QCOMPARE(ran.exitCode, std::optional(-1));
    QCOMPARE(ran.out, "before\n"_ba);
    QVERIFY(ran.duration >= 500ms && ran.duration < 10s);

    // The sandbox's own deadline: even without anybody attached.
    auto stream = envd().processes().start(shell(u"sleep 1000"_s), 700ms);
    Heard heard(std::move(stream));
    QTRY_VERIFY_WITH_TIMEOUT(heard.stream->pid(), patience);
    const quint32 pid = *heard.stream->pid();
    QTRY_COMPARE_WITH_TIMEOUT(heard.ends.size(), 1, patience);
    if (!heard.stream->exit())
        QCOMPARE(heard.ends.first().error.code, u"deadline_exceeded"_s);
    const auto isListed = [&] {
        const auto all = outcome(envd().processes().list());
        return all && std::any_of(all->begin(), all->end(), [&](const ProcessInfo &p) { return p.pid == pid; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(!isListed(), patience);
}

void TestEnvdWireProcesses::tailOfTheOutputIsNeverMissing()
{
    QByteArray lines;
    for (int i = 1; i <= 20'000; ++i)
        lines += QByteArray::number(i) + '\n';
    for (int i = 0; i < 200; ++i) {
        Heard heard(envd().processes().start(
            {.config = {.cmd = u"/bin/sh"_s, .args = {u"-c"_s, u"seq 1 20000; printf last"_s}}}));
        QVERIFY(eventually([&] { return !heard.ends.isEmpty(); }, 30s));
        QVERIFY2(heard.text == lines + "last", qPrintable(u"run %1: %2 bytes"_s.arg(i).arg(heard.text.size())));
        QCOMPARE(heard.ends.size(), 1);
        QCOMPARE(heard.ends.first().kind, StreamEnd::Kind::Finished);
        const auto isEnd = [](const ProcessEvent &e) { return std::holds_alternative<ProcessEnded>(e); };
        QCOMPARE(std::count_if(heard.events.begin(), heard.events.end(), isEnd), 1);
        QVERIFY(isEnd(heard.events.last()));
    }
}

void TestEnvdWireProcesses::bothOutputsArriveWhole()
{
    const CommandRun ran = run(u"for i in $(seq 1 3000); do echo out $i; echo err $i >&2; done"_s);
    QVERIFY(ran.succeeded());
    QCOMPARE(ran.out.count('\n'), 3000);
    QCOMPARE(ran.err.count('\n'), 3000);
    QVERIFY(ran.out.endsWith("out 3000\n") && ran.err.endsWith("err 3000\n"));
    // A child that keeps the output open holds up the end, one that does not is left running.
    const CommandRun detached = run(u"sleep 20 >/dev/null 2>&1 & echo done"_s);
    QVERIFY(detached.succeeded());
    QVERIFY(detached.duration < 10s);
}

void TestEnvdWireProcesses::muchOutputArrivesWhole()
{
    const CommandRun ran = run(u"head -c 50000000 /dev/zero | tr '\\0' 'x'; echo; echo end"_s);
    QVERIFY(ran.succeeded());
    QCOMPARE(ran.out.size(), 50'000'005);
    QVERIFY(!ran.outCut && ran.out.endsWith("x\nend\n"));
}

void TestEnvdWireProcesses::manyProcessesAtOnce()
{
    std::vector<std::unique_ptr<Heard>> all;
    for (int i = 0; i < 40; ++i)
        all.push_back(
            std::make_unique<Heard>(envd().processes().start(shell(u"read -r x; echo %1; exit %1"_s.arg(i)))));
    for (size_t i = 0; i < all.size(); ++i) {
        QTRY_COMPARE_WITH_TIMEOUT(all[i]->ends.size(), 1, patience);
        QCOMPARE(all[i]->exitCode(), std::optional(static_cast<int>(i)));
        QCOMPARE(all[i]->text, QByteArray::number(static_cast<int>(i)) + '\n');
    }
}

void TestEnvdWireProcesses::processesAreListedAndFoundAgain()
{
    const QString tag = u"wire-"_s + QString::number(QRandomGenerator::global()->generate(), 16);
    ProcessStart start = shell(u"read -r line; echo got $line; sleep 1000"_s);
    start.tag = tag;
    start.openStdin = true;
    start.config.envs = {{u"A"_s, u"b"_s}};
    start.config.cwd = u"/tmp"_s;
    Heard first(envd().processes().start(start));
    QTRY_VERIFY_WITH_TIMEOUT(first.stream->pid(), patience);
    const quint32 pid = *first.stream->pid();
    first.stream->close();

    const auto all = outcome(envd().processes().list());
    QVERIFY(all.has_value());
    const auto mine = std::find_if(all->begin(), all->end(), [&](const ProcessInfo &p) { return p.pid == pid; });
    QVERIFY(mine != all->end());
    QCOMPARE(mine->tag, tag);
    QCOMPARE(mine->config.args, start.config.args);
    QCOMPARE(mine->config.envs, start.config.envs);
    QCOMPARE(mine->config.cwd, start.config.cwd);

    Heard byPid(envd().processes().connect(pid));
    QTRY_COMPARE_WITH_TIMEOUT(byPid.stream->pid(), std::optional(pid), patience);
    Heard byTag(envd().processes().connect(ProcessSelector::byTag(tag)));
    QTRY_COMPARE_WITH_TIMEOUT(byTag.stream->pid(), std::optional(pid), patience);
    QVERIFY(outcome(envd().processes().sendInput(ProcessSelector::byTag(tag), InputKind::Stdin, "you\n")).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(byPid.text, "got you\n"_ba, patience);
    QTRY_COMPARE_WITH_TIMEOUT(byTag.text, "got you\n"_ba, patience);
    QVERIFY(outcome(envd().processes().signal(pid, ProcessSignal::Kill)).has_value());
    QTRY_VERIFY_WITH_TIMEOUT(!byPid.ends.isEmpty() && !byTag.ends.isEmpty(), patience);
    QCOMPARE(byPid.exitCode(), std::optional(-1));
    QCOMPARE(byTag.exitCode(), std::optional(-1));
    QVERIFY(!byPid.stream->exit()->exited);
    QCOMPARE(byPid.stream->exit()->status, u"signal: killed"_s);
}

void TestEnvdWireProcesses::endIsRememberedForAWhile()
{
    Heard first(envd().processes().start(shell(u"exit 9"_s)));
    QTRY_COMPARE_WITH_TIMEOUT(first.ends.size(), 1, patience);
    Heard again(envd().processes().connect(first.stream->pid().value()));
    QTRY_COMPARE_WITH_TIMEOUT(again.ends.size(), 1, patience);
    QCOMPARE(again.ends.first().kind, StreamEnd::Kind::Finished);
    QCOMPARE(again.stream->pid(), first.stream->pid());
    QCOMPARE(again.exitCode(), std::optional(9));
    Heard unknown(envd().processes().connect(4'000'000));
    QTRY_COMPARE_WITH_TIMEOUT(unknown.ends.size(), 1, patience);
    QCOMPARE(unknown.ends.first().error.code, u"not_found"_s);
}

void TestEnvdWireProcesses::signalsReachTheProcess()
{
    Heard term(
        envd().processes().start(shell(u"trap 'echo bye; exit 5' TERM; echo up; while :; do sleep 0.1; done"_s)));
    QTRY_COMPARE_WITH_TIMEOUT(term.text, "up\n"_ba, patience);
    QVERIFY(outcome(envd().processes().signal(*term.stream->pid(), ProcessSignal::Term)).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(term.ends.size(), 1, patience);
    QCOMPARE(term.exitCode(), std::optional(5));

    Heard plain(envd().processes().start({.config = {.cmd = u"sleep"_s, .args = {u"1000"_s}}}));
    QTRY_VERIFY_WITH_TIMEOUT(plain.stream->pid(), patience);
    QVERIFY(outcome(envd().processes().signal(*plain.stream->pid(), ProcessSignal::Term)).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(plain.ends.size(), 1, patience);
    QCOMPARE(plain.exitCode(), std::optional(-1));
    QCOMPARE(plain.stream->exit()->status, u"signal: terminated"_s);
    QCOMPARE(kindOf(outcome(envd().processes().signal(4'000'000, ProcessSignal::Kill))), ErrorKind::NotFound);
}

void TestEnvdWireProcesses::inputOfTheWrongKindIsRefused()
{
    EnvdProcessClient &processes = envd().processes();
    Heard plain(processes.start({.config = {.cmd = u"cat"_s}, .openStdin = true}));
    Heard mute(processes.start({.config = {.cmd = u"sleep"_s, .args = {u"1000"_s}}}));
    ProcessStart inPty = shell(u"cat"_s);
    inPty.pty = PtySize{80, 24};
    Heard pty(processes.start(inPty));
    QTRY_VERIFY_WITH_TIMEOUT(plain.stream->pid() && mute.stream->pid() && pty.stream->pid(), patience);
    const quint32 plainPid = *plain.stream->pid();
    const quint32 mutePid = *mute.stream->pid();
    const quint32 ptyPid = *pty.stream->pid();
    QCOMPARE(kindOf(outcome(processes.sendInput(plainPid, InputKind::Pty, "x"))), ErrorKind::Internal);
    QCOMPARE(kindOf(outcome(processes.sendInput(ptyPid, InputKind::Stdin, "x"))), ErrorKind::Internal);
    QCOMPARE(kindOf(outcome(processes.sendInput(mutePid, InputKind::Stdin, "x"))), ErrorKind::Internal);
    QCOMPARE(kindOf(outcome(processes.resize(plainPid, {80, 24}))), ErrorKind::Internal);
    QCOMPARE(outcome(processes.closeStdin(ptyPid)).error().code, u"unknown"_s);
    QVERIFY(outcome(processes.closeStdin(plainPid)).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(plain.exitCode(), std::optional(0), patience);
    for (const auto &unknown : {ProcessSelector(4'000'000), ProcessSelector::byTag(u"no-such-tag"_s)}) {
        QCOMPARE(kindOf(outcome(processes.sendInput(unknown, InputKind::Stdin, "x"))), ErrorKind::NotFound);
        QCOMPARE(kindOf(outcome(processes.closeStdin(unknown))), ErrorKind::NotFound);
        QCOMPARE(kindOf(outcome(processes.resize(unknown, {80, 24}))), ErrorKind::NotFound);
        QVERIFY(!outcome(processes.streamInput(unknown, InputKind::Stdin, "x")));
    }
    for (const quint32 pid : {mutePid, ptyPid})
        QVERIFY(outcome(processes.signal(pid, ProcessSignal::Kill)).has_value());
    QTRY_VERIFY_WITH_TIMEOUT(!mute.ends.isEmpty() && !pty.ends.isEmpty(), patience);
}

void TestEnvdWireProcesses::terminalIsATerminal()
{
    ProcessStart start = shell(u"tty; stty size; read -r line; stty size; echo \"<$line>\"; cat; echo end"_s);
    start.pty = PtySize{132, 43};
    Heard heard(envd().processes().start(start));
    QTRY_VERIFY_WITH_TIMEOUT(heard.text.contains("43 132"), patience);
    QVERIFY(heard.text.contains("/dev/pts/"));
    const quint32 pid = *heard.stream->pid();
    QVERIFY(outcome(envd().processes().resize(pid, {100, 30})).has_value());
    QVERIFY(outcome(envd().processes().sendInput(pid, InputKind::Pty, "h\xc3\xa9llo\r")).has_value());
    QTRY_VERIFY_WITH_TIMEOUT(heard.text.contains("<h\xc3\xa9llo>"), patience);
    QVERIFY(heard.text.contains("30 100"));
    QVERIFY(outcome(envd().processes().sendInput(pid, InputKind::Pty, "\x04")).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(heard.ends.size(), 1, patience);
    QVERIFY(heard.text.endsWith("end\r\n"));
    QVERIFY(heard.errors.isEmpty());
    QCOMPARE(heard.exitCode(), std::optional(0));
    const auto isPty = [](const ProcessEvent &e) {
        const auto *out = std::get_if<ProcessOutput>(&e);
        return !out || out->stream == ProcessOutput::Stream::Pty;
    };
    QVERIFY(std::all_of(heard.events.begin(), heard.events.end(), isPty));

    ProcessStart endless = shell(u"sleep 1000"_s);
    endless.pty = PtySize{80, 24};
    Heard interrupted(envd().processes().start(endless));
    QTRY_VERIFY_WITH_TIMEOUT(interrupted.stream->pid(), patience);
    QTest::qWait(300); // the shell has to have set up its terminal before the key means anything
    QVERIFY(outcome(envd().processes().sendInput(*interrupted.stream->pid(), InputKind::Pty, "\x03")).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(interrupted.ends.size(), 1, patience);
    QVERIFY(interrupted.exitCode() != 0);
}

void TestEnvdWireProcesses::quietStreamsStayAlive()
{
    Heard heard(envd().processes().start({.config = {.cmd = u"sleep"_s, .args = {u"1000"_s}}}));
    const auto isAlive = [](const ProcessEvent &e) { return std::holds_alternative<KeepAlive>(e); };
    // The interval the client asks for, and a little.
    QTRY_VERIFY_WITH_TIMEOUT(std::any_of(heard.events.begin(), heard.events.end(), isAlive), 25'000);
    QVERIFY(std::holds_alternative<ProcessStarted>(heard.events.first()));
    QVERIFY(outcome(envd().processes().signal(*heard.stream->pid(), ProcessSignal::Kill)).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(heard.ends.size(), 1, patience);
}

QTEST_GUILESS_MAIN(TestEnvdWireProcesses)
#include "tst_envd_wire_processes.moc"
