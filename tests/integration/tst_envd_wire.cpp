// SPDX-License-Identifier: GPL-3.0-or-later
// The data plane as the protocol tells it, asked through Boxdeck's own client. Runs against a sandbox of a boxdeck-host
// of its own, or against any envd: BOXDECK_ENVD_URL is its base address, BOXDECK_ENVD_USER an account in it (default
// `user`), BOXDECK_ENVD_TOKEN its access token, BOXDECK_ENVD_VERSION its version. Nothing here knows which it talks to.
#include "backend/api/command_run.h"
#include "tests/support/real_host.h"
#include "tests/support/scripted_envd.h"
#include "tests/support/waiting.h"

#include <QBuffer>
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

constexpr int patience = 20'000; // ms

ProcessStart shell(const QString &line)
{
    return {.config = {.cmd = u"/bin/bash"_s, .args = {u"-l"_s, u"-c"_s, line}}};
}

UploadSource sourceOf(const QByteArray &content)
{
    return {.open = [content]() -> std::unique_ptr<QIODevice> {
                auto buffer = std::make_unique<QBuffer>();
                buffer->setData(content);
                buffer->open(QIODevice::ReadOnly);
                return buffer;
            },
            .size = content.size()};
}

ErrorKind kindOf(const auto &result)
{
    return result ? ErrorKind::Local : result.error().kind; // Local: no call to a server fails like that
}

} // namespace

class TestEnvdWire : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();

    void tellsOfItself();
    void commandsEndAsTheyDid_data();
    void commandsEndAsTheyDid();
    void environmentAndFolder();
    void startsThatAreRefused();
    void inputArrivesWholeAndEnds_data();
    void inputArrivesWholeAndEnds();
    void limitsKill();
    void tailOfTheOutputIsNeverMissing();
    void bothOutputsArriveWhole();
    void processesAreListedAndFoundAgain();
    void endIsRememberedForAWhile();
    void signalsReachTheProcess();
    void inputOfTheWrongKindIsRefused();
    void terminalIsATerminal();
    void quietStreamsStayAlive();

    void filesOfBothForms_data();
    void filesOfBothForms();
    void overwritingKeepsTheMode();
    void filesThatCantBe();
    void downloadsFromTheMiddle();
    void metadataStaysWithAFile();
    void partsAreJoined();
    void foldersAndMoves();
    void linksAreTold();
    void foldersThatCantBe();

    void watchTellsEachChange_data();
    void watchTellsEachChange();
    void watchersAreAskedAndRemoved();

private:
    RemotePath in(const QByteArray &name) const { return m_folder.child(name).value(); }
    CommandRun run(const QString &line, Command command = {});
    Envd &envd() { return *m_envd; }

    std::unique_ptr<RealHost> m_host;
    std::unique_ptr<HttpTransport> m_transport;
    std::shared_ptr<Envd> m_envd;
    RemotePath m_home;
    RemotePath m_folder;
};

void TestEnvdWire::initTestCase()
{
    const QString url = qEnvironmentVariable("BOXDECK_ENVD_URL");
    if (url.isEmpty()) {
        m_host = std::make_unique<RealHost>();
        QVERIFY2(m_host->isUp(), qPrintable(m_host->failure()));
        m_envd = m_host->newSandbox();
        QVERIFY2(m_envd, qPrintable(m_host->failure()));
    } else {
        m_transport = std::make_unique<HttpTransport>();
        const QString user = qEnvironmentVariable("BOXDECK_ENVD_USER", u"user"_s);
        const QString version = qEnvironmentVariable("BOXDECK_ENVD_VERSION", u"0.6.13"_s);
        const SandboxAccess access{
            .id = {u"debug"_s}, .envdVersion = version, .envdAccessToken = Secret(qgetenv("BOXDECK_ENVD_TOKEN"))};
        m_envd = std::make_shared<Envd>(*m_transport, targetOf({.sandboxUrl = QUrl(url), .user = user}, access));
    }
    m_home = RemotePath::parse(run(u"printf %s \"$HOME\""_s).out).value();
    m_folder = m_home.child("wire-" + QByteArray::number(QRandomGenerator::global()->generate(), 16)).value();
    QVERIFY(outcome(envd().filesystem().makeDir(m_folder)).has_value());
}

void TestEnvdWire::cleanupTestCase()
{
    if (m_envd && !m_folder.isRoot())
        (void)outcome(envd().filesystem().remove(m_folder));
    m_envd.reset();
    m_host.reset();
}

CommandRun TestEnvdWire::run(const QString &line, Command command)
{
    command.line = line;
    auto run = outcome(runCommand(envd().processes(), command), 120s);
    if (!run)
        qWarning("%s: %s", qPrintable(run.error().code), qPrintable(run.error().message));
    return run.value_or(CommandRun{.end = CommandRun::End::Interrupted});
}

void TestEnvdWire::tellsOfItself()
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

void TestEnvdWire::commandsEndAsTheyDid_data()
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

void TestEnvdWire::commandsEndAsTheyDid()
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

void TestEnvdWire::environmentAndFolder()
{
    QCOMPARE(run(u"pwd"_s).out.trimmed(), m_home.bytes());
    QCOMPARE(run(u"pwd"_s, {.cwd = u"/tmp"_s}).out, "/tmp\n"_ba);
    QVERIFY(outcome(envd().filesystem().makeDir(in("sub"))).has_value());
    const QString below = QString::fromUtf8(in("sub").bytes().mid(m_home.bytes().size() + 1));
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

void TestEnvdWire::startsThatAreRefused()
{
    const auto kind = [&](const Command &command) { return kindOf(outcome(runCommand(envd().processes(), command))); };
    QCOMPARE(kind({.line = u"true"_s, .cwd = u"/no/such/folder"_s}), ErrorKind::InvalidRequest);
    QCOMPARE(kind({.line = u"true"_s, .cwd = u"/etc/passwd"_s}), ErrorKind::InvalidRequest);
    QCOMPARE(kind({.line = u"true"_s, .user = u"nobody-of-that-name"_s}), ErrorKind::Authentication);
}

void TestEnvdWire::inputArrivesWholeAndEnds_data()
{
    QTest::addColumn<qsizetype>("size");
    QTest::newRow("none") << qsizetype(0);
    QTest::newRow("one byte") << qsizetype(1);
    QTest::newRow("a pipe and more") << qsizetype(300'001);
}

void TestEnvdWire::inputArrivesWholeAndEnds()
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

void TestEnvdWire::limitsKill()
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

void TestEnvdWire::tailOfTheOutputIsNeverMissing()
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

void TestEnvdWire::bothOutputsArriveWhole()
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

void TestEnvdWire::processesAreListedAndFoundAgain()
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

void TestEnvdWire::endIsRememberedForAWhile()
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

void TestEnvdWire::signalsReachTheProcess()
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

void TestEnvdWire::inputOfTheWrongKindIsRefused()
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

void TestEnvdWire::terminalIsATerminal()
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

void TestEnvdWire::quietStreamsStayAlive()
{
    Heard heard(envd().processes().start({.config = {.cmd = u"sleep"_s, .args = {u"1000"_s}}}));
    const auto isAlive = [](const ProcessEvent &e) { return std::holds_alternative<KeepAlive>(e); };
    // The interval the client asks for, and a little.
    QTRY_VERIFY_WITH_TIMEOUT(std::any_of(heard.events.begin(), heard.events.end(), isAlive), 25'000);
    QVERIFY(std::holds_alternative<ProcessStarted>(heard.events.first()));
    QVERIFY(outcome(envd().processes().signal(*heard.stream->pid(), ProcessSignal::Kill)).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(heard.ends.size(), 1, patience);
}

void TestEnvdWire::filesOfBothForms_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("plain") << "plain.txt"_ba
                           << "hello\n"_ba;
    QTest::newRow("empty") << "empty"_ba
                           << ""_ba;
    QTest::newRow("binary") << "b\"in\\ +&?=%20;\n"_ba
                            << "\0\r\n--x\xff"_ba;
    QTest::newRow("not ASCII, 3 MB") << QString(60, QChar(0x6f22)).toUtf8() << QByteArray(3'000'000, 'z');
}

void TestEnvdWire::filesOfBothForms()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, content);
    SandboxTarget target = envd().target();
    for (const bool form : {false, true}) {
        target.forceMultipart = form;
        HttpTransport transport;
        Envd one(transport, target);
        const RemotePath file = in("deep").child(form ? "form" : "raw")->child(name).value();
        QVERIFY(outcome(one.files().writeSmall(file, content)).has_value());
        QVERIFY(outcome(one.files().readSmall(file, 10'000'000)).value() == content);
        const auto entry = outcome(one.filesystem().stat(file));
        QCOMPARE(entry->size, content.size());
        QCOMPARE(entry->type, FileType::File);
        QCOMPARE(entry->name, name);
        QCOMPARE(entry->path, file);
        QCOMPARE(entry->owner, envd().target().user);
        QVERIFY(!entry->isSymlink());
        const auto listed = outcome(one.filesystem().list(file.parent()));
        QVERIFY(std::any_of(listed->begin(), listed->end(), [&](const EntryInfo &e) { return e.name == name; }));
    }
}

void TestEnvdWire::overwritingKeepsTheMode()
{
    const RemotePath file = in("mode");
    QVERIFY(outcome(envd().files().writeSmall(file, "long content")).has_value());
    QVERIFY(run(u"chmod 750 "_s + shellWord(file.toString())).succeeded());
    QVERIFY(outcome(envd().files().writeSmall(file, "short")).has_value());
    QCOMPARE(outcome(envd().files().readSmall(file, 100)).value(), "short"_ba);
    QCOMPARE(outcome(envd().filesystem().stat(file))->mode, 0750u);
    QCOMPARE(outcome(envd().filesystem().stat(file))->permissions, u"-rwxr-x---"_s);
}

void TestEnvdWire::filesThatCantBe()
{
    EnvdFilesClient &files = envd().files();
    QVERIFY(outcome(files.writeSmall(in("file"), "x")).has_value());
    QCOMPARE(kindOf(outcome(files.readSmall(in("none"), 10))), ErrorKind::NotFound);
    QCOMPARE(kindOf(outcome(files.readSmall(m_folder, 10))), ErrorKind::InvalidRequest);
    QCOMPARE(kindOf(outcome(files.writeSmall(m_folder, "x"))), ErrorKind::InvalidRequest);
    QVERIFY(!outcome(files.writeSmall(in("file").child("below").value(), "x")));
    QVERIFY(!outcome(files.readSmall(in("file").child("below").value(), 10)));
}

void TestEnvdWire::downloadsFromTheMiddle()
{
    QVERIFY(outcome(envd().files().writeSmall(in("range"), "hello world")).has_value());
    const auto fetch = [&](qint64 offset, int &status) {
        const auto stream = envd().files().download(in("range"), offset);
        bool over = false;
        connect(stream.get(), &ByteStream::head, this, [&](int code, const HeaderList &) { status = code; });
        connect(stream.get(), &ByteStream::finished, this, [&] { over = true; });
        connect(stream.get(), &ByteStream::failed, this, [&](const Error &error) {
            status = error.httpStatus;
            over = true;
        });
        if (!eventually([&] { return over; }))
            return "no end"_ba;
        return stream->read(100);
    };
    int status = 0;
    QCOMPARE(fetch(6, status), "world"_ba);
    QCOMPARE(status, 206);
    QCOMPARE(fetch(0, status), "hello world"_ba);
    QCOMPARE(status, 200);
    (void)fetch(500, status);
    QCOMPARE(status, 416);
}

void TestEnvdWire::metadataStaysWithAFile()
{
    const RemotePath file = in("noted");
    if (!envd().target().envdVersion.mayHave(EnvdFeature::FileMetadata))
        return;
    QVERIFY(outcome(envd().files().upload(file, sourceOf("x"), {}, {{u"Origin"_s, u"demo 1"_s}, {u"b"_s, u"2"_s}}))
                .has_value());
    const QMap<QString, QString> noted{{u"origin"_s, u"demo 1"_s}, {u"b"_s, u"2"_s}};
    QCOMPARE(outcome(envd().filesystem().stat(file))->metadata, noted);
    // The next upload's set replaces it, also an empty one.
    QVERIFY(outcome(envd().files().upload(file, sourceOf("y"), {}, {{u"c"_s, u"3"_s}})).has_value());
    QCOMPARE(outcome(envd().filesystem().stat(file))->metadata, (QMap<QString, QString>{{u"c"_s, u"3"_s}}));
    QVERIFY(outcome(envd().files().upload(file, sourceOf("z"))).has_value());
    QVERIFY(outcome(envd().filesystem().stat(file))->metadata.isEmpty());
}

void TestEnvdWire::partsAreJoined()
{
    EnvdFilesClient &files = envd().files();
    QByteArray whole;
    QList<RemotePath> parts;
    for (int i = 0; i < 3; ++i) {
        const QByteArray content(100'000 + i, static_cast<char>('a' + i));
        parts << in("part" + QByteArray::number(i));
        QVERIFY(outcome(files.writeSmall(parts.last(), content)).has_value());
        whole += content;
    }
    const RemotePath target = in("new folder").child("whole").value();
    const auto joined = outcome(files.compose(parts, target));
    QVERIFY2(joined.has_value(), joined ? "" : qPrintable(joined.error().message));
    QVERIFY(outcome(files.readSmall(target, 1'000'000)).value() == whole);
    QCOMPARE(outcome(envd().filesystem().stat(target))->owner, envd().target().user);
    for (const RemotePath &part : parts)
        QCOMPARE(kindOf(outcome(envd().filesystem().stat(part))), ErrorKind::NotFound);
    QCOMPARE(kindOf(outcome(files.compose(parts, target))), ErrorKind::NotFound);
    QVERIFY(outcome(files.readSmall(target, 1'000'000)).value() == whole); // untouched
    QCOMPARE(kindOf(outcome(files.compose({m_folder}, target))), ErrorKind::InvalidRequest);
}

void TestEnvdWire::foldersAndMoves()
{
    EnvdFilesystemClient &files = envd().filesystem();
    const RemotePath top = in("tree");
    QCOMPARE(outcome(files.makeDir(top.child("a")->child("b").value()))->path, top.child("a")->child("b").value());
    QCOMPARE(outcome(files.makeDir(top)).error().code, u"already_exists"_s);
    QVERIFY(outcome(envd().files().writeSmall(top.child("f").value(), "1")).has_value());
    QVERIFY(outcome(envd().files().writeSmall(top.child("g").value(), "22")).has_value());
    QCOMPARE(kindOf(outcome(files.makeDir(top.child("f").value()))), ErrorKind::InvalidRequest);
    QCOMPARE(outcome(files.list(top))->size(), 3);
    QCOMPARE(outcome(files.list(top, 2))->size(), 4);
    // Over a file silently, never into a folder; parents are made.
    QCOMPARE(outcome(files.move(top.child("f").value(), top.child("g").value()))->size, 1);
    QVERIFY(!outcome(files.move(top.child("g").value(), top.child("a").value())));
    QVERIFY(outcome(files.move(top.child("g").value(), top.child("n")->child("h").value())).has_value());
    QCOMPARE(kindOf(outcome(files.move(top.child("g").value(), top.child("x").value()))), ErrorKind::NotFound);
    QVERIFY(outcome(files.remove(top)).has_value());
    QCOMPARE(kindOf(outcome(files.stat(top))), ErrorKind::NotFound);
    QVERIFY(outcome(files.remove(top)).has_value());
}

void TestEnvdWire::linksAreTold()
{
    const RemotePath top = in("links");
    QVERIFY(outcome(envd().filesystem().makeDir(top)).has_value());
    QVERIFY(run(u"mkdir d; echo x > f; ln -s /nowhere broken; ln -s d todir; ln -s f tofile; mkfifo pipe; "
                "touch -d '2024-02-03 04:05:06Z' f; chmod 640 f"_s,
                {.cwd = top.toString()})
                .succeeded());
    QMap<QByteArray, EntryInfo> by;
    const auto entries = outcome(envd().filesystem().list(top));
    QVERIFY(entries.has_value());
    for (const EntryInfo &entry : *entries)
        by.insert(entry.name, entry);
    QCOMPARE(by.keys(), QList<QByteArray>({"broken", "d", "f", "pipe", "todir", "tofile"}));
    QVERIFY(by["todir"].isSymlink() && by["todir"].isDirectory());
    QVERIFY(by["tofile"].isSymlink() && by["tofile"].type == FileType::File);
    QCOMPARE(*by["todir"].symlinkTarget, top.child("d")->bytes());
    QVERIFY(by["broken"].isSymlink() && by["broken"].type == FileType::Unknown);
    QCOMPARE(*by["broken"].symlinkTarget, top.child("broken")->bytes());
    QVERIFY(!by["pipe"].isSymlink() && by["pipe"].type == FileType::Unknown);
    QCOMPARE(by["f"].mode, 0640u);
    QCOMPARE(by["f"].modified, QDateTime::fromString(u"2024-02-03T04:05:06Z"_s, Qt::ISODate));
    QVERIFY(by["d"].permissions.startsWith(u'd') && by["todir"].permissions.startsWith(u'L'));
    QVERIFY(outcome(envd().filesystem().stat(top.child("broken").value())).has_value());
}

void TestEnvdWire::foldersThatCantBe()
{
    EnvdFilesystemClient &files = envd().filesystem();
    QVERIFY(outcome(envd().files().writeSmall(in("plain"), "x")).has_value());
    QCOMPARE(kindOf(outcome(files.list(in("none")))), ErrorKind::NotFound);
    QCOMPARE(kindOf(outcome(files.list(in("plain")))), ErrorKind::InvalidRequest);
    QCOMPARE(kindOf(outcome(files.stat(in("none")))), ErrorKind::NotFound);
    QCOMPARE(kindOf(outcome(files.stat(in("plain").child("below").value()))), ErrorKind::Internal);
    QCOMPARE(kindOf(outcome(files.makeDir(in("plain").child("below").value()))), ErrorKind::Internal);
    QCOMPARE(kindOf(outcome(files.list(in("plain").child("below").value()))), ErrorKind::Internal);
    for (const auto &[folder, kind] :
         {std::pair(in("none"), ErrorKind::NotFound), std::pair(in("plain"), ErrorKind::InvalidRequest)}) {
        const auto watch = files.watch(folder, false);
        std::optional<StreamEnd> end;
        connect(watch.get(), &WatchStream::ended, this, [&](const StreamEnd &e) { end = e; });
        QTRY_VERIFY_WITH_TIMEOUT(end, patience);
        QCOMPARE(end->kind, StreamEnd::Kind::Failed);
        QCOMPARE(end->error.kind, kind);
        QCOMPARE(kindOf(outcome(files.createWatcher(folder, {}))), kind);
    }
}

void TestEnvdWire::watchTellsEachChange_data()
{
    QTest::addColumn<bool>("recursive");
    QTest::newRow("one folder") << false;
    QTest::newRow("with those below") << true;
}

void TestEnvdWire::watchTellsEachChange()
{
    QFETCH(bool, recursive);
    const RemotePath folder = in(recursive ? "watched deep" : "watched");
    QVERIFY(outcome(envd().filesystem().makeDir(folder.child("sub").value())).has_value());
    const auto watch = envd().filesystem().watch(folder, recursive);
    QList<WatchEvent> events;
    connect(watch.get(), &WatchStream::event, this, [&](const WatchEvent &e) { events << e; });
    connect(watch.get(), &WatchStream::ended, this, [&](const StreamEnd &e) { QFAIL(qPrintable(e.error.message)); });
    QTRY_VERIFY_WITH_TIMEOUT(!events.isEmpty(), patience);
    QCOMPARE(events.first().kind, WatchEvent::Kind::Started);
    const auto saw = [&](WatchEvent::Kind kind, const QByteArray &name) {
        return std::any_of(events.begin(), events.end(),
                           [&](const WatchEvent &e) { return e.kind == kind && e.name == name; });
    };
    const auto at = [&](const QString &line) { return run(line, {.cwd = folder.toString()}).succeeded(); };
    using Kind = WatchEvent::Kind;
    QVERIFY(at(u"echo x > a"_s));
    QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Create, "a") && saw(Kind::Write, "a"), patience);
    QVERIFY(at(u"chmod 600 a"_s));
    QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Chmod, "a"), patience);
    QVERIFY(at(u"mv a b"_s));
    QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Rename, "a") && saw(Kind::Create, "b"), patience);
    QVERIFY(at(u"rm b"_s));
    QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Remove, "b"), patience);
    const auto created = std::find_if(events.begin(), events.end(), [](const WatchEvent &e) {
        return e.kind == Kind::Create && e.name == "b" && e.entry;
    });
    QVERIFY(created != events.end());
    QCOMPARE(created->entry->path, folder.child("b").value());

    QVERIFY(at(u"echo x > sub/deep"_s));
    if (recursive) {
        QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Create, "sub/deep"), patience);
        QVERIFY(at(u"mkdir fresh"_s));
        QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Create, "fresh"), patience);
        QTest::qWait(300); // a folder is followed from a moment after it was made
        QVERIFY(at(u"echo x > fresh/er"_s));
        QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Create, "fresh/er"), patience);
    } else {
        QVERIFY(at(u"echo x > after"_s));
        QTRY_VERIFY_WITH_TIMEOUT(saw(Kind::Create, "after"), patience);
        QVERIFY(!saw(Kind::Create, "sub/deep") && !saw(Kind::Create, "deep"));
    }
}

void TestEnvdWire::watchersAreAskedAndRemoved()
{
    EnvdFilesystemClient &files = envd().filesystem();
    QVERIFY(outcome(files.makeDir(in("polled"))).has_value());
    const auto id = outcome(files.createWatcher(in("polled"), {.includeEntry = true}));
    QVERIFY(id.has_value() && !id->isEmpty());
    QVERIFY(outcome(envd().files().writeSmall(in("polled").child("f").value(), "x")).has_value());
    QList<WatchEvent> events;
    const auto saw = [&] {
        events += outcome(files.watcherEvents(*id)).value_or(QList<WatchEvent>());
        return std::any_of(events.begin(), events.end(),
                           [](const WatchEvent &e) { return e.kind == WatchEvent::Kind::Create && e.name == "f"; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(saw(), patience);
    // What was taken is gone.
    QTRY_VERIFY_WITH_TIMEOUT(outcome(files.watcherEvents(*id))->isEmpty(), patience);
    QVERIFY(outcome(files.removeWatcher(*id)).has_value());
    QCOMPARE(kindOf(outcome(files.watcherEvents(*id))), ErrorKind::NotFound);
    QVERIFY(outcome(files.removeWatcher(*id)).has_value());
}

QTEST_GUILESS_MAIN(TestEnvdWire)
#include "tst_envd_wire.moc"
