// SPDX-License-Identifier: GPL-3.0-or-later
// A terminal over a server that breaks off, delays and forgets.
#include "backend/terminal/terminal_session.h"
#include "backend/terminal/text_query.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fault_server.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMutex>
#include <QSignalSpy>
#include <QTest>
#include <QtEndian>

#include <algorithm>

using namespace boxdeck;
using namespace boxdeck::terminal;
using boxdeck::test::FaultServer;
using boxdeck::test::RecordedRequest;
using boxdeck::test::Script;

namespace {

QByteArray envelope(const QByteArray &json, unsigned char flags = 0)
{
    QByteArray bytes(5, '\0');
    bytes[0] = static_cast<char>(flags);
    qToBigEndian(static_cast<quint32>(json.size()), bytes.data() + 1);
    return bytes + json;
}

QByteArray startEvent(int pid)
{
    return envelope("{\"event\":{\"start\":{\"pid\":" + QByteArray::number(pid) + "}}}");
}

QByteArray dataEvent(const QByteArray &bytes)
{
    return envelope("{\"event\":{\"data\":{\"pty\":\"" + bytes.toBase64() + "\"}}}");
}

QByteArray endEvent(const QByteArray &members)
{
    return envelope("{\"event\":{\"end\":{" + members + "}}}");
}

Script stream()
{
    return Script::chunked(200, {{"Content-Type", "application/connect+json"}});
}

Script streamError(const QByteArray &code)
{
    return stream().chunk(envelope("{\"error\":{\"code\":\"" + code + "\",\"message\":\"scripted\"}}", 2)).lastChunk();
}

Script empty()
{
    return Script::answer(200, "{}", {{"Content-Type", "application/json"}});
}

QByteArray rpc(const RecordedRequest &request)
{
    return request.path().mid(request.path().lastIndexOf('/') + 1);
}

QJsonObject unary(const RecordedRequest &request)
{
    return QJsonDocument::fromJson(request.body).object();
}

QJsonObject streaming(const RecordedRequest &request)
{
    return QJsonDocument::fromJson(request.body.mid(5)).object();
}

/// A session on a scripted server.
struct Fixture
{
    using Answers = QMap<QByteArray, std::function<Script(int nth)>>; ///< by method name; nth counts per method

    explicit Fixture(const Answers &answers)
        : server([this, answers](const RecordedRequest &request, int) {
            const QByteArray method = rpc(request);
            int nth = 0;
            {
                const QMutexLocker locker(&mutex);
                nth = counts[method]++;
            }
            const auto answer = answers.value(method);
            return answer ? answer(nth) : empty();
        })
    {
        api::SandboxTarget target;
        target.id = protocol::SandboxId{QStringLiteral("sandbox")};
        target.base = server.url("/");
        target.user = QStringLiteral("user");
        envd = std::make_shared<api::Envd>(transport, target);
    }

    std::unique_ptr<TerminalSession> session(TerminalSession::Program program = {})
    {
        return std::make_unique<TerminalSession>(
            TerminalSession::Source{.envd =
                                        [this] {
                                            ++asked;
                                            if (refusal)
                                                return Call<std::shared_ptr<api::Envd>>::settled(
                                                    tl::unexpected(*refusal));
                                            return Call<std::shared_ptr<api::Envd>>::settled(envd);
                                        },
                                    .forget = [this] { ++forgotten; }},
            std::move(program), clock);
    }

    QList<RecordedRequest> of(const QByteArray &method) const
    {
        QList<RecordedRequest> found;
        for (const RecordedRequest &request : server.requests())
            if (rpc(request) == method)
                found.append(request);
        return found;
    }

    /// All input that the server was sent, in the order of its requests.
    QByteArray input() const
    {
        QByteArray bytes;
        for (const RecordedRequest &request : of("SendInput"))
            bytes +=
                QByteArray::fromBase64(unary(request).value(u"input").toObject().value(u"pty").toString().toLatin1());
        return bytes;
    }

    QMutex mutex;
    QMap<QByteArray, int> counts;
    test::FakeClock clock;
    std::optional<Error> refusal;
    int asked = 0;
    int forgotten = 0;
    net::HttpTransport transport;
    FaultServer server;
    std::shared_ptr<api::Envd> envd;
};

QString screenText(const TerminalSession &session)
{
    return allText(session.emulator().screen());
}

SessionState stateOf(const TerminalSession &session)
{
    return session.status().state;
}

Script running(int)
{
    return stream().chunk(startEvent(42)).chunk(dataEvent("$ ")).stall();
}

} // namespace

class TestTerminalSession : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startsAShellInUtf8();
    void theUsersEnvironmentWins();
    void aCutStreamIsBrokenOffNotDone_data();
    void aCutStreamIsBrokenOffNotDone();
    void reattachesByPidAndSaysWhatWasMissed();
    void exitCodeZeroMayBeLeftOut_data();
    void exitCodeZeroMayBeLeftOut();
    void exitCountsEvenIfTheStreamThenBreaks();
    void aProcessThatIsGoneIsLostAndEnterOpensAnother();
    void keysKeepTheirOrderBehindSlowAnswers();
    void inputIsBytesInBase64();
    void keysTypedBeforeThePromptAreKept();
    void inputThatMayHaveArrivedIsNotSentAgain();
    void inputCaughtByABreakIsReported();
    void everyAttachmentTellsTheSize();
    void aResizeIsToldOnceItHasSettled();
    void nothingComesAfterDetaching();
    void aPausedSandboxIsLeftAlone();
    void aSandboxThatEndsEndsTheTerminal();
    void repliesOfTheTerminalGoToTheProgram();
    void floodsAreHeldBack();
    void charactersSplitOverEnvelopesAreWhole();
    void killEndsTheShellWithSigkill();
};

void TestTerminalSession::startsAShellInUtf8()
{
    Fixture f({{"Start", running}});
    auto session = f.session();
    session->resize(43, 132);
    session->start();
    QTRY_COMPARE(stateOf(*session), SessionState::Running);
    QCOMPARE(session->pid(), 42U);
    QTRY_COMPARE(screenText(*session), QStringLiteral("$"));
    const QJsonObject request = streaming(f.of("Start").first());
    const QJsonObject process = request.value(u"process").toObject();
    QCOMPARE(process.value(u"cmd").toString(), QStringLiteral("/bin/bash"));
    QCOMPARE(process.value(u"args").toArray(), QJsonArray({QStringLiteral("-i"), QStringLiteral("-l")}));
    const QJsonObject envs = process.value(u"envs").toObject();
    QCOMPARE(envs.value(u"TERM").toString(), QStringLiteral("xterm-256color"));
    QCOMPARE(envs.value(u"LANG").toString(), QStringLiteral("C.UTF-8"));
    QCOMPARE(envs.value(u"LC_ALL").toString(), QStringLiteral("C.UTF-8"));
    const QJsonObject size = request.value(u"pty").toObject().value(u"size").toObject();
    QCOMPARE(size.value(u"cols").toInt(), 132);
    QCOMPARE(size.value(u"rows").toInt(), 43);
}

void TestTerminalSession::theUsersEnvironmentWins()
{
    Fixture f({{"Start", running}});
    auto session = f.session({.envs = {{QStringLiteral("LANG"), QStringLiteral("de_DE.UTF-8")}},
                              .cwd = RemotePath::parse(QByteArray("/srv")).value()});
    session->start();
    QTRY_COMPARE(stateOf(*session), SessionState::Running);
    const QJsonObject process = streaming(f.of("Start").first()).value(u"process").toObject();
    QCOMPARE(process.value(u"envs").toObject().value(u"LANG").toString(), QStringLiteral("de_DE.UTF-8"));
    QCOMPARE(process.value(u"cwd").toString(), QStringLiteral("/srv"));
}

void TestTerminalSession::aCutStreamIsBrokenOffNotDone_data()
{
    QTest::addColumn<QByteArray>("tail");
    QTest::newRow("after data") << QByteArray();
    QTest::newRow("in the end envelope") << envelope("{}", 2).left(3);
    QTest::newRow("in a data envelope") << dataEvent("never").left(9);
}

void TestTerminalSession::aCutStreamIsBrokenOffNotDone()
{
    QFETCH(QByteArray, tail);
    Fixture f({{"Start",
                [tail](int) {
                    Script script = stream().chunk(startEvent(42)).chunk(dataEvent("half done"));
                    if (!tail.isEmpty())
                        script.chunk(tail);
                    return script.close();
                }},
               {"Connect", [](int) { return Script::answer(503, "later"); }}});
    auto session = f.session();
    session->start();
    QTRY_COMPARE(stateOf(*session), SessionState::Broken);
    QVERIFY(!session->status().exit);
    QVERIFY(session->status().missed);
    QVERIFY(session->status().nextTry.isValid());
    QCOMPARE(screenText(*session), QStringLiteral("half done"));
    QVERIFY(!session->write("x"));
}

void TestTerminalSession::reattachesByPidAndSaysWhatWasMissed()
{
    Fixture f({{"Start", [](int) { return stream().chunk(startEvent(42)).chunk(dataEvent("before ")).close(); }},
               {"Connect", [](int) { return stream().chunk(startEvent(42)).chunk(dataEvent("after")).stall(); }}});
    auto session = f.session();
    const QDateTime begin = f.clock.time;
    connect(session.get(), &TerminalSession::statusChanged, session.get(), [&] {
        if (stateOf(*session) == SessionState::Broken)
            f.clock.time = begin.addSecs(7);
    });
    session->start();
    QTRY_COMPARE(screenText(*session), QStringLiteral("before after"));
    QCOMPARE(stateOf(*session), SessionState::Running);
    QCOMPARE(streaming(f.of("Connect").first()).value(u"process").toObject().value(u"pid").toInt(), 42);
    QVERIFY(session->status().missed == (MissedOutput{begin, begin.addSecs(7)}));
    session->acknowledgeMissed();
    QVERIFY(!session->status().missed);
    QCOMPARE(f.of("Start").size(), 1);
}

void TestTerminalSession::exitCodeZeroMayBeLeftOut_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<int>("code");
    QTest::newRow("left out") << QByteArray("\"exited\":true,\"status\":\"exit status 0\"") << 0;
    QTest::newRow("written") << QByteArray("\"exitCode\":0,\"exited\":true") << 0;
    QTest::newRow("three") << QByteArray("\"exitCode\":3,\"exited\":true,\"status\":\"exit status 3\"") << 3;
}

void TestTerminalSession::exitCodeZeroMayBeLeftOut()
{
    QFETCH(QByteArray, members);
    Fixture f({{"Start", [members](int) {
                    return stream().chunk(startEvent(42)).chunk(endEvent(members)).chunk(envelope("{}", 2)).lastChunk();
                }}});
    auto session = f.session();
    session->start();
    QTRY_COMPARE(stateOf(*session), SessionState::Exited);
    QTEST(session->status().exit->exitCode.value_or(-99), "code");
    QVERIFY(session->status().exit->exited);
    QVERIFY(!session->pid());
}

void TestTerminalSession::exitCountsEvenIfTheStreamThenBreaks()
{
    Fixture f({{"Start", [](int) {
                    return stream()
                        .chunk(startEvent(42))
                        .chunk(dataEvent("bye \xe2"))
                        .chunk(endEvent("\"exited\":true"))
                        .close();
                }}});
    auto session = f.session();
    QSignalSpy changes(session.get(), &TerminalSession::statusChanged);
    session->start();
    QTRY_COMPARE(stateOf(*session), SessionState::Exited);
    // The last byte was half a character: shown as such, once.
    QCOMPARE(screenText(*session), QStringLiteral("bye \ufffd"));
    const auto before = changes.size();
    QTRY_COMPARE(f.server.openConnections(), 0);
    QCOMPARE(changes.size(), before);
    QCOMPARE(stateOf(*session), SessionState::Exited);
}

void TestTerminalSession::aProcessThatIsGoneIsLostAndEnterOpensAnother()
{
    Fixture f({{"Start",
                [](int nth) {
                    return nth == 0
                               ? stream().chunk(startEvent(42)).chunk(dataEvent("old\x1b[?1049h\x1b[?1003h")).close()
                               : stream().chunk(startEvent(43)).chunk(dataEvent("new")).stall();
                }},
               {"Connect", [](int) { return streamError("not_found"); }}});
    auto session = f.session();
    session->start();
    QTRY_COMPARE(stateOf(*session), SessionState::Lost);
    QVERIFY(!session->pid());
    QVERIFY(session->status().missed);
    QCOMPARE(f.of("Start").size(), 1);
    session->proceed();
    QTRY_COMPARE(stateOf(*session), SessionState::Running);
    QCOMPARE(session->pid(), 43U);
    QTRY_COMPARE(screenText(*session), QStringLiteral("old\nnew"));
    QVERIFY(session->emulator().modes() == Modes());
}

void TestTerminalSession::keysKeepTheirOrderBehindSlowAnswers()
{
    static constexpr int Delays[] = {300, 0, 200, 0};
    Fixture f({{"Start", running}, {"SendInput", [](int nth) {
                                        return Script()
                                            .wait(Delays[nth % 4])
                                            .send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                                                  "Content-Length: 2\r\n\r\n{}");
                                    }}});
    auto session = f.session();
    session->start();
    QTRY_COMPARE(stateOf(*session), SessionState::Running);
    QByteArray typed;
    const auto type = [&](const QByteArray &bytes) {
        typed += bytes;
        QVERIFY(session->write(bytes));
    };
    for (const char key : QByteArray("which is also"))
        type(QByteArray(1, key));
    QByteArray paste;
    for (int i = 0; paste.size() < 64 * 1024; ++i)
        paste += QByteArray::number(i) + ' ';
    type(paste);
    for (const char key : QByteArray(" the r"))
        type(QByteArray(1, key));
    QTRY_COMPARE_WITH_TIMEOUT(f.input().size(), typed.size(), 10'000);
    QCOMPARE(f.input(), typed);
    QVERIFY(f.of("SendInput").size() < 8); // what waits is joined
    // A second one in flight would need a second connection for unary calls.
    QSet<int> connections;
    for (const RecordedRequest &request : f.of("SendInput"))
        connections.insert(request.connection);
    QCOMPARE(connections.size(), 1);
}

void TestTerminalSession::inputIsBytesInBase64()
{
    Fixture f({{"Start", running}});
    auto session = f.session();
    session->start();
    QTRY_COMPARE(stateOf(*session), SessionState::Running);
    const QByteArray bytes = QByteArray("exit") + "echo hi\r" + "\xf0\x9f\x98\x80" + "\x03" + "\xff";
    QVERIFY(session->write(bytes));
    QTRY_COMPARE(f.input(), bytes);
    QCOMPARE(unary(f.of("SendInput").first()).value(u"process").toObject().value(u"pid").toInt(), 42);
}

void TestTerminalSession::keysTypedBeforeThePromptAreKept()
{
    Fixture f({{"Start", [](int) {
                    return Script()
                        .wait(200)
                        .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
                              "Content-Type: application/connect+json\r\n\r\n")
                        .chunk(startEvent(42))
                        .stall();
                }}});
    auto session = f.session();
    session->start();
    QVERIFY(session->write("ls"));
    QVERIFY(session->write("\r"));
    QTRY_COMPARE(f.input(), QByteArray("ls\r"));
}

void TestTerminalSession::inputThatMayHaveArrivedIsNotSentAgain()
{
    Fixture f(
        {{"Start", running}, {"SendInput", [](int nth) { return nth == 0 ? Script().wait(50).reset() : empty(); }}});
    auto session = f.session();
    QSignalSpy lost(session.get(), &TerminalSession::inputLost);
    session->start();
    QTRY_COMPARE(stateOf(*session), SessionState::Running);
    QVERIFY(session->write("rm x"));
    QVERIFY(session->write("y\r")); // waits behind it, and must not run without it
    QTRY_COMPARE(lost.size(), 1);
    QCOMPARE(lost.first().at(1).value<qsizetype>(), 4);
    QCOMPARE(lost.first().at(2).value<qsizetype>(), 2);
    QVERIFY(session->write("ok"));
    QTRY_COMPARE(f.of("SendInput").size(), 2);
    QCOMPARE(f.input(), QByteArray("rm xok"));
}

void TestTerminalSession::inputCaughtByABreakIsReported()
{
    Fixture f({{"Start", running}, {"Connect", running}, {"SendInput", [](int) { return Script().stall(); }}});
    auto session = f.session();
    QSignalSpy lost(session.get(), &TerminalSession::inputLost);
    session->start();
    QTRY_COMPARE(stateOf(*session), SessionState::Running);
    QVERIFY(session->write("abc"));
    QVERIFY(session->write("de"));
    QTRY_COMPARE(f.of("SendInput").size(), 1);
    session->sandboxStateChanged(protocol::SandboxState::Paused);
    QCOMPARE(lost.size(), 1);
    QCOMPARE(lost.first().at(1).value<qsizetype>(), 3); // may have arrived
    QCOMPARE(lost.first().at(2).value<qsizetype>(), 2);
    session->sandboxStateChanged(protocol::SandboxState::Running);
    QTRY_COMPARE(stateOf(*session), SessionState::Running);
    QCOMPARE(f.input(), QByteArray("abc"));
}

void TestTerminalSession::everyAttachmentTellsTheSize()
{
    Fixture f({{"Start", [](int) { return stream().chunk(startEvent(42)).close(); }},
               {"Connect", [](int) { return stream().chunk(startEvent(42)).stall(); }}});
    auto session = f.session();
    session->resize(30, 100);
    session->start();
    QTRY_COMPARE(f.of("Update").size(), 1);
    const QJsonObject size = unary(f.of("Update").first()).value(u"pty").toObject().value(u"size").toObject();
    QCOMPARE(size.value(u"cols").toInt(), 100);
    QCOMPARE(size.value(u"rows").toInt(), 30);
}

void TestTerminalSession::aResizeIsToldOnceItHasSettled()
{
    Fixture f({{"Start", running}});
    auto session = f.session();
    session->start();
    QTRY_COMPARE(stateOf(*session), SessionState::Running);
    for (int columns = 81; columns <= 120; ++columns)
        session->resize(24, columns);
    QTRY_VERIFY(!f.of("Update").isEmpty());
    const auto last = [&] {
        return unary(f.of("Update").last()).value(u"pty").toObject().value(u"size").toObject().value(u"cols").toInt();
    };
    QTRY_COMPARE(last(), 120);
    QVERIFY(f.of("Update").size() <= 2);
}

void TestTerminalSession::nothingComesAfterDetaching()
{
    Fixture f({{"Start", [](int) {
                    return stream()
                        .chunk(startEvent(42))
                        .repeat(QByteArray::number(dataEvent("x").size(), 16) + "\r\n" + dataEvent("x") + "\r\n",
                                10'000, 1)
                        .stall();
                }}});
    auto session = f.session();
    session->start();
    QTRY_VERIFY(screenText(*session).size() > 5);
    QElapsedTimer timer;
    timer.start();
    session->detach();
    QVERIFY(timer.elapsed() < 100);
    QSignalSpy updates(session.get(), &TerminalSession::updated);
    const QString text = screenText(*session);
    QTRY_COMPARE(f.server.openConnections(), 0);
    QCOMPARE(updates.size(), 0);
    QCOMPARE(screenText(*session), text);
    QVERIFY(f.of("SendSignal").isEmpty()); // the process itself keeps running
}

void TestTerminalSession::aPausedSandboxIsLeftAlone()
{
    Fixture f({{"Start", running}, {"Connect", running}});
    f.refusal = Error{.kind = ErrorKind::Conflict, .delivery = Delivery::Answered, .code = QStringLiteral("paused")};
    auto session = f.session();
    session->start();
    QTRY_COMPARE(stateOf(*session), SessionState::Paused);
    QCOMPARE(f.server.requestCount(), 0);
    f.refusal.reset();
    session->sandboxStateChanged(protocol::SandboxState::Running);
    QTRY_COMPARE(stateOf(*session), SessionState::Running);
    // Paused under a running shell: the same process is attached to afterwards.
    f.refusal = Error{.kind = ErrorKind::Conflict, .delivery = Delivery::Answered, .code = QStringLiteral("paused")};
    session->sandboxStateChanged(protocol::SandboxState::Paused);
    QCOMPARE(stateOf(*session), SessionState::Paused);
    QTRY_COMPARE(f.server.openConnections(), 0);
    f.refusal.reset();
    session->sandboxStateChanged(protocol::SandboxState::Running);
    QTRY_COMPARE(stateOf(*session), SessionState::Running);
    QCOMPARE(f.of("Connect").size(), 1);
    QCOMPARE(f.of("Start").size(), 1);
}

void TestTerminalSession::aSandboxThatEndsEndsTheTerminal()
{
    Fixture f({{"Start", running}});
    auto session = f.session();
    session->start();
    QTRY_COMPARE(screenText(*session), QStringLiteral("$"));
    session->sandboxStateChanged(protocol::SandboxState::Terminal);
    QCOMPARE(stateOf(*session), SessionState::Gone);
    QTRY_COMPARE(f.server.openConnections(), 0);
    QCOMPARE(screenText(*session), QStringLiteral("$"));
    QVERIFY(!session->write("x"));
}

void TestTerminalSession::repliesOfTheTerminalGoToTheProgram()
{
    Fixture f(
        {{"Start", [](int) { return stream().chunk(startEvent(42)).chunk(dataEvent("ab\x1b[6n\x1b[21t")).stall(); }}});
    auto session = f.session();
    session->start();
    QTRY_COMPARE(f.input(), QByteArray("\x1b[1;3R"));
}

void TestTerminalSession::floodsAreHeldBack()
{
    // 256 MiB, if it were let in.
    const QByteArray block = dataEvent(QByteArray(16 * 1024, 'y'));
    const QByteArray piece = QByteArray::number(block.size(), 16) + "\r\n" + block + "\r\n";
    Fixture f({{"Start", [piece](int) { return stream().chunk(startEvent(42)).repeat(piece, 16 * 1024, 0).stall(); }}});
    auto session = f.session();
    session->start();
    QTRY_COMPARE(stateOf(*session), SessionState::Running);
    QVERIFY(session->write("\x03"));
    // The key gets through while output floods in.
    QTRY_COMPARE_WITH_TIMEOUT(f.input(), QByteArray("\x03"), 1000);
    session->detach();
}

void TestTerminalSession::charactersSplitOverEnvelopesAreWhole()
{
    const QByteArray text = QStringLiteral("\U0001f600\u4f60\u2500").toUtf8();
    Fixture f({{"Start", [text](int) {
                    Script script = stream().chunk(startEvent(42));
                    for (const char byte : text)
                        script.chunk(dataEvent(QByteArray(1, byte)));
                    return script.stall();
                }}});
    auto session = f.session();
    session->start();
    QTRY_COMPARE(screenText(*session), QString::fromUtf8(text));
}

void TestTerminalSession::killEndsTheShellWithSigkill()
{
    Fixture f({{"Start", running}});
    auto session = f.session();
    session->start();
    QTRY_COMPARE(stateOf(*session), SessionState::Running);
    bool done = false;
    session->kill().then(this, [&done](const Result<void> &result) { done = result.has_value(); });
    QTRY_VERIFY(done);
    QCOMPARE(unary(f.of("SendSignal").first()).value(u"signal").toString(), QStringLiteral("SIGNAL_SIGKILL"));
}

QTEST_GUILESS_MAIN(TestTerminalSession)
#include "tst_terminal_session.moc"
