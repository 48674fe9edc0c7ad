// SPDX-License-Identifier: GPL-3.0-or-later
// The clients of both planes against a real boxdeck-host, its sandboxes, processes and files.
#include "backend/api/control_plane_client.h"
#include "backend/api/envd.h"
#include "tests/support/host_process.h"
#include "tests/support/remote_paths.h"
#include "tests/support/waiting.h"

#include <QCryptographicHash>
#include <QSignalSpy>
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

/// What a process stream said.
struct Heard
{
    explicit Heard(std::unique_ptr<ProcessStream> opened)
        : stream(std::move(opened))
    {
        QObject::connect(stream.get(), &ProcessStream::event, stream.get(), [this](const ProcessEvent &e) {
            if (const auto *output = std::get_if<ProcessOutput>(&e))
                (output->stream == ProcessOutput::Stream::Stderr ? errors : text) += output->data;
        });
        QObject::connect(stream.get(), &ProcessStream::ended, stream.get(), [this](const StreamEnd &e) { end = e; });
    }
    std::optional<int> exitCode() const { return stream->exit() ? stream->exit()->exitCode : std::nullopt; }

    std::unique_ptr<ProcessStream> stream;
    QByteArray text;
    QByteArray errors;
    std::optional<StreamEnd> end;
};

} // namespace

class TestApiHost : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();

    void controlPlaneLivesThroughASandbox();
    void wrongKeyIsNamed();
    void unknownTemplateIsInvalid();
    void pausedSandboxIsNotWokenByLooking();
    void attachingNeverShortensALife();
    void insecureSandboxNeedsNoToken();
    void secureSandboxRefusesWithoutItsToken();

    void filesGoUpAndDownByteForByte_data();
    void filesGoUpAndDownByteForByte();
    void bothUploadFormsWriteTheSame();
    void oddNamesAreKept_data();
    void oddNamesAreKept();
    void downloadGoesOnFromAnOffset();
    void filesystemCalls();
    void folderIsWatched();

    void exitCodesAndOutput_data();
    void exitCodesAndOutput();
    void terminalHasItsSize();
    void inputArrivesAsBytes();
    void signalsAndReattaching();
    void pausedReaderLosesNothing();
    void manyStreamsStarveNothing();

    void killedHostIsNoticed();

private:
    Envd &envd() { return *m_envd; }
    SandboxAccess create(const NewSandbox &sandbox = {});
    QByteArray run(const QString &line);

    std::unique_ptr<HostProcess> m_host;
    std::unique_ptr<HttpTransport> m_transport;
    std::unique_ptr<ControlPlaneClient> m_control;
    SandboxAccess m_access;
    std::unique_ptr<Envd> m_envd;
};

void TestApiHost::initTestCase()
{
    m_host = std::make_unique<HostProcess>();
    QVERIFY2(m_host->start(), qPrintable(m_host->failure()));
    m_transport = std::make_unique<HttpTransport>();
    m_control = std::make_unique<ControlPlaneClient>(*m_transport, m_host->endpoint());
    m_access = create();
    QVERIFY(!m_access.id.isEmpty());
    m_envd = std::make_unique<Envd>(*m_transport, targetOf(m_host->endpoint(), m_access));
}

void TestApiHost::cleanupTestCase()
{
    m_envd.reset();
    m_control.reset();
    m_transport.reset();
    m_host.reset();
}

SandboxAccess TestApiHost::create(const NewSandbox &sandbox)
{
    auto created = outcome(m_control->create(sandbox), 60s);
    if (!created)
        qWarning("%s: %s", qPrintable(created.error().code), qPrintable(created.error().message));
    return created.value_or(SandboxAccess{});
}

QByteArray TestApiHost::run(const QString &line)
{
    Heard heard(envd().processes().start(shell(line)));
    if (!QTest::qWaitFor([&] { return heard.end.has_value(); }, patience))
        return "no end";
    return heard.text;
}

void TestApiHost::controlPlaneLivesThroughASandbox()
{
    QVERIFY(outcome(m_control->health()).has_value());
    QVERIFY(outcome(m_control->probe()).has_value());
    const auto templates = outcome(m_control->listTemplates());
    QVERIFY(templates.has_value());
    QVERIFY(std::any_of(templates->begin(), templates->end(),
                        [](const TemplateSummary &t) { return t.displayName().endsWith(u"base"); }));

    const SandboxAccess access = create({.timeout = 600s, .metadata = {{u"owner"_s, u"ci 17 & co"_s}}});
    const auto detail = outcome(m_control->sandbox(access.id));
    QVERIFY(detail.has_value());
    QCOMPARE(detail->state, SandboxState::Running);
    QCOMPARE(detail->metadata.value(u"owner"_s), u"ci 17 & co"_s);
    QVERIFY(detail->envdAccessToken == access.envdAccessToken);
    QVERIFY(EnvdVersion(detail->envdVersion).isKnown());
    const auto left = QDateTime::currentDateTimeUtc().secsTo(detail->endAt);
    QVERIFY2(left > 590 && left <= 601, QByteArray::number(left).constData());

    const auto running = outcome(m_control->listSandboxes({.states = {SandboxState::Running}}));
    QVERIFY(std::any_of(running->items.begin(), running->items.end(),
                        [&](const SandboxSummary &item) { return item.id == access.id; }));
    QVERIFY(running->totalRunning.value_or(0) >= 2);
    // Page by page: each once.
    ListQuery query{.limit = 1};
    QList<SandboxId> seen;
    do {
        const auto page = outcome(m_control->listSandboxes(query));
        QVERIFY(page.has_value());
        for (const SandboxSummary &item : page->items) {
            QVERIFY(!seen.contains(item.id));
            seen << item.id;
        }
        query.nextToken = page->nextToken;
    } while (!query.nextToken.isEmpty());
    QVERIFY(seen.contains(access.id));

    QVERIFY(outcome(m_control->setTimeout(access.id, 120s)).has_value());
    QVERIFY(outcome(m_control->sandbox(access.id))->endAt < detail->endAt);
    QVERIFY(outcome(m_control->kill(access.id)).has_value());
    QVERIFY(outcome(m_control->kill(access.id)).has_value()); // gone already
    QCOMPARE(outcome(m_control->sandbox(access.id)).error().kind, ErrorKind::NotFound);
    QCOMPARE(outcome(m_control->connect(access.id, 60s)).error().kind, ErrorKind::NotFound);
}

void TestApiHost::wrongKeyIsNamed()
{
    Endpoint wrong = m_host->endpoint();
    wrong.apiKey = Secret("e2b_0000000000000000000000000000000000000000");
    ControlPlaneClient control(*m_transport, wrong);
    QCOMPARE(outcome(control.probe()).error().kind, ErrorKind::Authentication);
    QCOMPARE(outcome(control.create({})).error().kind, ErrorKind::Authentication);
    wrong.apiKey = {};
    ControlPlaneClient keyless(*m_transport, wrong);
    QCOMPARE(outcome(keyless.probe()).error().kind, ErrorKind::Authentication);
    QVERIFY(outcome(keyless.health()).has_value());
}

void TestApiHost::unknownTemplateIsInvalid()
{
    const auto created = outcome(m_control->create({.templateId = u"no-such-template"_s}));
    QVERIFY(!created);
    QCOMPARE(created.error().kind, ErrorKind::InvalidRequest);
    QVERIFY2(created.error().message.contains(u"no-such-template"), qPrintable(created.error().message));
}

void TestApiHost::pausedSandboxIsNotWokenByLooking()
{
    const SandboxAccess access = create({.timeout = 600s});
    Envd envd(*m_transport, targetOf(m_host->endpoint(), access));
    QVERIFY(outcome(m_control->pause(access.id)).has_value());
    QCOMPARE(outcome(m_control->pause(access.id)).error().kind, ErrorKind::Conflict);
    QCOMPARE(outcome(m_control->sandbox(access.id))->state, SandboxState::Paused);
    QVERIFY(outcome(m_control->listAllSandboxes()).has_value());
    QCOMPARE(outcome(envd.pulse()).value(), Pulse::Gone);
    QCOMPARE(outcome(envd.filesystem().list(path("/home/user"))).error().code, u"http_bad_gateway"_s);
    Heard heard(envd.processes().start(shell(u"true"_s)));
    QTRY_VERIFY_WITH_TIMEOUT(heard.end, patience);
    QCOMPARE(heard.end->kind, StreamEnd::Kind::Failed);
    QCOMPARE(outcome(m_control->sandbox(access.id))->state, SandboxState::Paused);

    const auto resumed = outcome(m_control->connect(access.id, 1800s), 60s);
    QVERIFY(resumed.has_value());
    QVERIFY(resumed->envdAccessToken == access.envdAccessToken);
    QCOMPARE(outcome(m_control->sandbox(access.id))->state, SandboxState::Running);
    QTRY_COMPARE_WITH_TIMEOUT(outcome(envd.pulse()).value(), Pulse::Alive, patience);
    const auto left = QDateTime::currentDateTimeUtc().secsTo(outcome(m_control->sandbox(access.id))->endAt);
    QVERIFY2(left > 1700, QByteArray::number(left).constData());
    QVERIFY(outcome(m_control->kill(access.id)).has_value());
}

void TestApiHost::attachingNeverShortensALife()
{
    const SandboxAccess access = create({.timeout = 600s});
    const QDateTime before = outcome(m_control->sandbox(access.id))->endAt;
    QVERIFY(outcome(m_control->connect(access.id, 60s)).has_value());
    QCOMPARE(outcome(m_control->sandbox(access.id))->endAt, before);
    QVERIFY(outcome(m_control->connect(access.id, 900s)).has_value());
    QVERIFY(outcome(m_control->sandbox(access.id))->endAt > before);
    QVERIFY(outcome(m_control->kill(access.id)).has_value());
}

void TestApiHost::insecureSandboxNeedsNoToken()
{
    const SandboxAccess access = create({.secure = false});
    QVERIFY(access.envdAccessToken.isEmpty());
    Envd envd(*m_transport, targetOf(m_host->endpoint(), access));
    QVERIFY(outcome(envd.filesystem().list(path("/home/user"))).has_value());
    QVERIFY(outcome(m_control->kill(access.id)).has_value());
}

void TestApiHost::secureSandboxRefusesWithoutItsToken()
{
    QVERIFY(!m_access.envdAccessToken.isEmpty());
    // As after a restart of the app: the token comes with the detail.
    const auto detail = outcome(m_control->sandbox(m_access.id));
    Envd again(*m_transport, targetOf(m_host->endpoint(), *detail));
    QVERIFY(outcome(again.filesystem().list(path("/home/user"))).has_value());

    SandboxTarget target = targetOf(m_host->endpoint(), m_access);
    target.envdAccessToken = Secret("4b1d0f6e");
    Envd wrong(*m_transport, target);
    QCOMPARE(outcome(wrong.filesystem().list(path("/"))).error().kind, ErrorKind::Authentication);
    QCOMPARE(outcome(wrong.files().readSmall(path("/etc/passwd"), 10'000)).error().kind, ErrorKind::Authentication);
    target.envdAccessToken = {};
    Envd none(*m_transport, target);
    QCOMPARE(outcome(none.processes().list()).error().kind, ErrorKind::Authentication);
    Heard heard(none.processes().start(shell(u"true"_s)));
    QTRY_VERIFY_WITH_TIMEOUT(heard.end, patience);
    QCOMPARE(heard.end->error.kind, ErrorKind::Authentication);
}

void TestApiHost::filesGoUpAndDownByteForByte_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("binary") << "\x89PNG\x00\xff\xfe\n"_ba;
    QByteArray large;
    for (int i = 0; i < 9'000'001; ++i)
        large.append(static_cast<char>((i * 2654435761u) >> 13));
    QTest::newRow("9 MB") << large;
    QTest::newRow("zeros, very compressible") << QByteArray(20'000'000, '\0');
}

void TestApiHost::filesGoUpAndDownByteForByte()
{
    QFETCH(QByteArray, content);
    const RemotePath file = path("/home/user/bytes/deep/file.bin");
    QVERIFY(outcome(envd().files().writeSmall(file, content), 60s).has_value());
    const auto read = outcome(envd().files().readSmall(file, 100'000'000), 60s);
    QVERIFY2(read.has_value(), read ? "" : qPrintable(read.error().message));
    QVERIFY(*read == content);
    QCOMPARE(outcome(envd().filesystem().stat(file))->size, content.size());
    QVERIFY(outcome(envd().filesystem().remove(path("/home/user/bytes"))).has_value());
}

void TestApiHost::bothUploadFormsWriteTheSame()
{
    const QByteArray content = "\r\n--boundary\r\n\x00\xff"_ba + QByteArray(300'000, 'x');
    SandboxTarget target = targetOf(m_host->endpoint(), m_access);
    for (const bool multipart : {false, true}) {
        target.forceMultipart = multipart;
        Envd one(*m_transport, target);
        const RemotePath file = path(multipart ? "/tmp/form.bin" : "/tmp/raw.bin");
        QVERIFY(outcome(one.files().writeSmall(file, content)).has_value());
        QVERIFY(outcome(one.files().readSmall(file, 1'000'000)).value() == content);
        QCOMPARE(outcome(one.filesystem().stat(file))->owner, u"user"_s);
    }
}

void TestApiHost::oddNamesAreKept_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("quote") << "re\"port.txt"_ba;
    QTest::newRow("backslash at the end") << "end\\"_ba;
    QTest::newRow("line feed") << "a\nb"_ba;
    QTest::newRow("semicolon") << "semi;x=1"_ba;
    QTest::newRow("hash, percent and brackets") << "a#b [1] 100%.txt"_ba;
    QTest::newRow("literal escapes") << "report%20name.txt"_ba;
    QTest::newRow("looks like dots") << "%2e%2e"_ba;
    QTest::newRow("plus") << "caf\xc3\xa9 +1.txt"_ba;
    QTest::newRow("ampersand") << "x&y=z?.txt"_ba;
    QTest::newRow("leading dash and space") << "- x "_ba;
    QTest::newRow("80 CJK characters") << QString(80, QChar(0x6f22)).toUtf8();
}

void TestApiHost::oddNamesAreKept()
{
    QFETCH(QByteArray, name);
    const RemotePath folder = path("/home/user/odd");
    const RemotePath file = folder.child(name).value();
    SandboxTarget target = targetOf(m_host->endpoint(), m_access);
    for (const bool multipart : {false, true}) {
        target.forceMultipart = multipart;
        Envd one(*m_transport, target);
        QVERIFY(outcome(one.files().writeSmall(file, name)).has_value());
        const auto entries = outcome(one.filesystem().list(folder));
        QVERIFY(entries.has_value());
        QCOMPARE(entries->size(), 1);
        QCOMPARE(entries->first().name, name);
        QVERIFY(entries->first().isDirectChildOf(folder));
        QCOMPARE(outcome(one.files().readSmall(file, 1000)).value(), name);
        const RemotePath moved = folder.child("moved " + name).value();
        QCOMPARE(outcome(one.filesystem().move(file, moved))->path, moved);
        QVERIFY(outcome(one.filesystem().remove(moved)).has_value());
        QCOMPARE(outcome(one.filesystem().stat(file)).error().kind, ErrorKind::NotFound);
    }
}

void TestApiHost::downloadGoesOnFromAnOffset()
{
    const RemotePath file = path("/tmp/offset.txt");
    QVERIFY(outcome(envd().files().writeSmall(file, "hello world")).has_value());
    const auto stream = envd().files().download(file, 6);
    int status = 0;
    bool finished = false;
    connect(stream.get(), &ByteStream::head, this, [&](int code, const HeaderList &) { status = code; });
    connect(stream.get(), &ByteStream::finished, this, [&] { finished = true; });
    QTRY_VERIFY(finished);
    QCOMPARE(status, 206);
    QCOMPARE(stream->read(100), "world"_ba);
    QCOMPARE(outcome(envd().files().readSmall(path("/tmp"), 100)).error().kind, ErrorKind::InvalidRequest);
    QCOMPARE(outcome(envd().files().readSmall(path("/tmp/none"), 100)).error().kind, ErrorKind::NotFound);
}

void TestApiHost::filesystemCalls()
{
    EnvdFilesystemClient &files = envd().filesystem();
    const RemotePath folder = path("/home/user/calls");
    QVERIFY(outcome(files.makeDir(path("/home/user/calls/a/b"))).has_value());
    const auto again = outcome(files.makeDir(folder));
    QCOMPARE(again.error().code, u"already_exists"_s);
    QCOMPARE(
        run(u"cd calls && ln -s /nowhere broken && ln -s a link && mkfifo pipe && touch -d '2024-02-03 04:05:06Z' a/t"
            "&& chmod 640 a/t && echo ok"_s),
        "ok\n"_ba);
    const auto entries = outcome(files.list(folder));
    QVERIFY(entries.has_value());
    QMap<QByteArray, EntryInfo> byName;
    for (const EntryInfo &entry : *entries)
        byName.insert(entry.name, entry);
    QCOMPARE(byName.keys(), QList<QByteArray>({"a", "broken", "link", "pipe"}));
    QVERIFY(byName["a"].isDirectory() && !byName["a"].isSymlink());
    QVERIFY(byName["link"].isDirectory() && byName["link"].isSymlink());
    QCOMPARE(*byName["link"].symlinkTarget, "/home/user/calls/a"_ba);
    QVERIFY(byName["broken"].type == FileType::Unknown && byName["broken"].isSymlink());
    QCOMPARE(byName["pipe"].type, FileType::Unknown);
    const auto file = outcome(files.stat(path("/home/user/calls/a/t")));
    QCOMPARE(file->mode, 0640u);
    QCOMPARE(file->modified, QDateTime::fromString(u"2024-02-03T04:05:06Z"_s, Qt::ISODate));
    QCOMPARE(outcome(files.list(folder, 3))->size(), 6);
    QCOMPARE(outcome(files.list(path("/home/user/calls/a/t"))).error().kind, ErrorKind::InvalidRequest);
    QCOMPARE(outcome(files.list(path("/home/user/none"))).error().kind, ErrorKind::NotFound);
    QCOMPARE(outcome(files.move(path("/home/user/none"), path("/home/user/x"))).error().kind, ErrorKind::NotFound);
    QVERIFY(outcome(files.remove(folder)).has_value());
    QVERIFY(outcome(files.remove(folder)).has_value());
}

void TestApiHost::folderIsWatched()
{
    QVERIFY(outcome(envd().filesystem().makeDir(path("/home/user/watched"))).has_value());
    const auto watch = envd().filesystem().watch(path("/home/user/watched"), false);
    QList<WatchEvent> events;
    std::optional<StreamEnd> end;
    connect(watch.get(), &WatchStream::event, this, [&](const WatchEvent &e) { events << e; });
    connect(watch.get(), &WatchStream::ended, this, [&](const StreamEnd &e) { end = e; });
    QTRY_VERIFY_WITH_TIMEOUT(!events.isEmpty(), patience);
    QCOMPARE(events.first().kind, WatchEvent::Kind::Started);
    QVERIFY(outcome(envd().files().writeSmall(path("/home/user/watched/new"), "x")).has_value());
    const auto saw = [&](WatchEvent::Kind kind) {
        return std::any_of(events.begin(), events.end(),
                           [&](const WatchEvent &e) { return e.kind == kind && e.name == "new"; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(saw(WatchEvent::Kind::Create), patience);
    QVERIFY(outcome(envd().filesystem().remove(path("/home/user/watched/new"))).has_value());
    QTRY_VERIFY_WITH_TIMEOUT(saw(WatchEvent::Kind::Remove), patience);
    QVERIFY(!end);

    const auto missing = envd().filesystem().watch(path("/home/user/none"), false);
    connect(missing.get(), &WatchStream::ended, this, [&](const StreamEnd &e) { end = e; });
    QTRY_VERIFY_WITH_TIMEOUT(end, patience);
    QCOMPARE(end->kind, StreamEnd::Kind::Failed);
    QCOMPARE(end->error.kind, ErrorKind::NotFound);
}

void TestApiHost::exitCodesAndOutput_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("code");
    QTest::newRow("good") << u"echo hi"_s << "hi\n"_ba << 0;
    QTest::newRow("three") << u"echo hi; exit 3"_s << "hi\n"_ba << 3;
    QTest::newRow("no end of line") << u"printf tail"_s << "tail"_ba << 0;
    QTest::newRow("not found") << u"no-such-program"_s << ""_ba << 127;
    QTest::newRow("killed child") << u"sh -c 'kill -9 $$'; exit $?"_s << ""_ba << 137;
}

void TestApiHost::exitCodesAndOutput()
{
    QFETCH(QString, line);
    QFETCH(QByteArray, text);
    QFETCH(int, code);
    Heard heard(envd().processes().start(shell(line)));
    QTRY_VERIFY_WITH_TIMEOUT(heard.end, patience);
    QCOMPARE(heard.end->kind, StreamEnd::Kind::Finished);
    QCOMPARE(heard.text, text);
    QCOMPARE(heard.exitCode(), std::optional(code));
    QVERIFY(heard.stream->pid().value_or(0) > 0);
}

void TestApiHost::terminalHasItsSize()
{
    ProcessStart start = shell(u"stty size; read -r line; stty size"_s);
    start.pty = PtySize{132, 43};
    Heard heard(envd().processes().start(start));
    QTRY_VERIFY_WITH_TIMEOUT(heard.text.contains("43 132"), patience);
    const quint32 pid = heard.stream->pid().value();
    QVERIFY(outcome(envd().processes().resize(pid, {100, 30})).has_value());
    QVERIFY(outcome(envd().processes().sendInput(pid, InputKind::Pty, "\r")).has_value());
    QTRY_VERIFY_WITH_TIMEOUT(heard.text.contains("30 100"), patience);
    QTRY_VERIFY_WITH_TIMEOUT(heard.end, patience);
    QCOMPARE(heard.exitCode(), std::optional(0));
}

void TestApiHost::inputArrivesAsBytes()
{
    ProcessStart start{.config = {.cmd = u"od"_s, .args = {u"-An"_s, u"-tx1"_s, u"-v"_s}}, .openStdin = true};
    Heard heard(envd().processes().start(start));
    QTRY_VERIFY_WITH_TIMEOUT(heard.stream->pid(), patience);
    const quint32 pid = *heard.stream->pid();
    for (const QByteArray &bytes : {"exit"_ba, "\xf0\x9f\x98\x80"_ba, "\x03"_ba, "\xff"_ba, QByteArray("\0", 1)})
        QVERIFY(outcome(envd().processes().sendInput(pid, InputKind::Stdin, bytes)).has_value());
    QVERIFY(outcome(envd().processes().closeStdin(pid)).has_value());
    QTRY_VERIFY_WITH_TIMEOUT(heard.end, patience);
    QCOMPARE(heard.text.simplified(), "65 78 69 74 f0 9f 98 80 03 ff 00"_ba);
    QVERIFY(!outcome(envd().processes().sendInput(pid, InputKind::Stdin, "late")));
}

void TestApiHost::signalsAndReattaching()
{
    Heard first(envd().processes().start(shell(u"echo first; read -r x < /dev/zero; sleep 1000"_s)));
    QTRY_VERIFY_WITH_TIMEOUT(first.stream->pid(), patience);
    const quint32 pid = *first.stream->pid();
    first.stream->close();
    first.stream.reset();

    const auto listed = outcome(envd().processes().list());
    QVERIFY(std::any_of(listed->begin(), listed->end(), [&](const ProcessInfo &info) { return info.pid == pid; }));
    Heard again(envd().processes().connect(pid));
    QTRY_COMPARE_WITH_TIMEOUT(again.stream->pid(), std::optional(pid), patience);
    QVERIFY(outcome(envd().processes().signal(pid, ProcessSignal::Kill)).has_value());
    QTRY_VERIFY_WITH_TIMEOUT(again.end, patience);
    QVERIFY(again.stream->exit());
    QVERIFY(!again.stream->exit()->exited);
    QCOMPARE(again.exitCode(), std::optional(-1));

    Heard unknown(envd().processes().connect(4'000'000));
    QTRY_VERIFY_WITH_TIMEOUT(unknown.end, patience);
    QCOMPARE(unknown.end->kind, StreamEnd::Kind::Failed);
    QCOMPARE(unknown.end->error.kind, ErrorKind::NotFound);
    QCOMPARE(outcome(envd().processes().signal(4'000'000, ProcessSignal::Kill)).error().kind, ErrorKind::NotFound);
}

void TestApiHost::pausedReaderLosesNothing()
{
    Heard heard(envd().processes().start(shell(u"seq 1 2000000"_s)));
    QTRY_VERIFY_WITH_TIMEOUT(heard.text.size() > 100'000, patience);
    heard.stream->pause();
    const qsizetype held = heard.text.size();
    QTest::qWait(500); // the process is held back meanwhile, for less than the host's patience
    QCOMPARE(heard.text.size(), held);
    heard.stream->resume();
    QTRY_VERIFY_WITH_TIMEOUT(heard.end, 3 * patience);
    QCOMPARE(heard.end->kind, StreamEnd::Kind::Finished);
    QVERIFY(heard.text.endsWith("\n2000000\n"));
    QCOMPARE(heard.text.count('\n'), 2'000'000);
}

void TestApiHost::manyStreamsStarveNothing()
{
    std::vector<std::unique_ptr<Heard>> terminals;
    for (int i = 0; i < 8; ++i)
        terminals.push_back(std::make_unique<Heard>(envd().processes().start(shell(u"echo up; sleep 100"_s))));
    std::vector<std::unique_ptr<WatchStream>> watches;
    for (int i = 0; i < 2; ++i)
        watches.push_back(envd().filesystem().watch(path("/home/user"), false));
    for (const auto &terminal : terminals)
        QTRY_COMPARE_WITH_TIMEOUT(terminal->text, "up\n"_ba, patience);
    QVERIFY(outcome(m_control->listAllSandboxes(), 2s).has_value());
    QVERIFY(outcome(envd().files().writeSmall(path("/tmp/small"), "x"), 2s).has_value());
    for (const auto &terminal : terminals)
        QVERIFY(
            outcome(envd().processes().signal(terminal->stream->pid().value(), ProcessSignal::Kill), 2s).has_value());
}

void TestApiHost::killedHostIsNoticed()
{
    Heard terminal(envd().processes().start(shell(u"echo up; sleep 1000"_s)));
    QTRY_COMPARE_WITH_TIMEOUT(terminal.text, "up\n"_ba, patience);
    Heard busy(envd().processes().start(shell(u"yes"_s)));
    QTRY_VERIFY_WITH_TIMEOUT(busy.text.size() > 1'000'000, patience);
    m_host->kill();
    QTRY_VERIFY_WITH_TIMEOUT(terminal.end, 5000);
    QCOMPARE(terminal.end->kind, StreamEnd::Kind::BrokenOff);
    QTRY_VERIFY_WITH_TIMEOUT(busy.end, 5000);
    QCOMPARE(busy.end->kind, StreamEnd::Kind::BrokenOff);
    QCOMPARE(outcome(m_control->probe()).error().kind, ErrorKind::Unavailable);

    QVERIFY2(m_host->start(), qPrintable(m_host->failure()));
    const auto all = outcome(m_control->listAllSandboxes());
    QVERIFY(all.has_value());
    QVERIFY(std::any_of(all->begin(), all->end(), [&](const SandboxSummary &item) { return item.id == m_access.id; }));
    // Its processes are lost with the host, its files are not.
    QTRY_COMPARE_WITH_TIMEOUT(outcome(envd().pulse()).value(), Pulse::Alive, patience);
    Heard lost(envd().processes().connect(terminal.stream->pid().value()));
    QTRY_VERIFY_WITH_TIMEOUT(lost.end, patience);
    QCOMPARE(lost.end->error.kind, ErrorKind::NotFound);
    QCOMPARE(outcome(envd().files().readSmall(path("/tmp/small"), 10)).value(), "x"_ba);
}

QTEST_GUILESS_MAIN(TestApiHost)
#include "tst_api_host.moc"
