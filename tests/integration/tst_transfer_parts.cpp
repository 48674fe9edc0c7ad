// SPDX-License-Identifier: GPL-3.0-or-later
// Large uploads that go in parts: what a cut costs, and what is left behind. A scripted server keeps the parts as a
// real one would, and loses connections as no real one can be asked to; a real one does the joining at the end.
#include "backend/core/clock.h"
#include "backend/transfer/transfer_engine.h"
#include "tests/support/fault_server.h"
#include "tests/support/real_host.h"
#include "tests/support/scripted_envd.h"
#include "tests/support/waiting.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMutex>
#include <QTemporaryDir>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::transfer;
using namespace Qt::StringLiterals;
using test::jsonBody;
using test::RecordedRequest;
using test::Script;

namespace {

constexpr qint64 partSize = 100'000;

QByteArray contentOf(qint64 size, int seed = 0)
{
    QByteArray bytes;
    for (qint64 i = 0; i < size; ++i)
        bytes.append(static_cast<char>(((i + seed) * 2654435761u) >> 13));
    return bytes;
}

/// A sandbox's files in memory, behind the calls an upload makes.
class MemoryFiles
{
public:
    Script serve(const RecordedRequest &request)
    {
        const QMutexLocker lock(&m_mutex);
        const QByteArray call = request.path().mid(request.path().lastIndexOf('/') + 1);
        const QByteArray named = jsonBody(request)["path"_L1].toString().toUtf8();
        if (call == "files") {
            m_files[uploaded(request)] = contentOf(request);
            return json("[{}]");
        }
        if (call == "Stat")
            return m_files.contains(named) ? entry(named) : missing();
        if (call == "Remove") {
            m_files.remove(named);
            return json("{}");
        }
        if (call == "Move") {
            const QByteArray to = jsonBody(request)["destination"_L1].toString().toUtf8();
            m_files[to] = m_files.take(jsonBody(request)["source"_L1].toString().toUtf8());
            return entry(to);
        }
        if (call == "compose") {
            QByteArray whole;
            const QJsonArray sources = jsonBody(request)["source_paths"_L1].toArray();
            for (const auto &source : sources) {
                if (!m_files.contains(source.toString().toUtf8()))
                    return Script::answer(404, R"({"code":404,"message":"source file not found"})");
                whole += m_files[source.toString().toUtf8()];
            }
            for (const auto &source : sources)
                m_files.remove(source.toString().toUtf8());
            m_files[jsonBody(request)["destination"_L1].toString().toUtf8()] = whole;
            return json("{}");
        }
        return Script::answer(404);
    }
    QMap<QByteArray, QByteArray> files() const
    {
        const QMutexLocker lock(&m_mutex);
        return m_files;
    }
    void forget(const QByteArray &nameEnd)
    {
        const QMutexLocker lock(&m_mutex);
        m_files.removeIf([&](const auto &file) { return file.key().endsWith(nameEnd); });
    }
    static QByteArray uploaded(const RecordedRequest &request)
    {
        QByteArray query = request.query().mid(request.query().indexOf("path=") + 5);
        query.truncate(query.indexOf('&') < 0 ? query.size() : query.indexOf('&'));
        return QByteArray::fromPercentEncoding(query);
    }

private:
    static Script json(const QByteArray &body) { return Script::answer(200, body); }
    static Script missing() { return Script::answer(404, R"({"code":"not_found","message":"no such file"})"); }
    Script entry(const QByteArray &path) const
    {
        return json(R"({"entry":{"type":"FILE_TYPE_FILE","name":")" + path.mid(path.lastIndexOf('/') + 1) +
                    R"(","path":")" + path + R"(","size":")" + QByteArray::number(m_files[path].size()) + R"("}})");
    }

    /// A form has its one part between the first blank line and the last boundary.
    static QByteArray contentOf(const RecordedRequest &request)
    {
        if (!request.header("Content-Type").startsWith("multipart/"))
            return request.body;
        const qsizetype begin = request.body.indexOf("\r\n\r\n") + 4;
        return request.body.mid(begin, request.body.lastIndexOf("\r\n--boxdeck-") - begin);
    }

    mutable QMutex m_mutex;
    QMap<QByteArray, QByteArray> m_files;
};

} // namespace

class TestTransferParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void smallFilesAndOldServersGetOneBody_data();
    void smallFilesAndOldServersGetOneBody();
    void afterACutOnlyTheMissingPartIsSentAgain();
    void aPartThatWentAwayIsSentAgain();
    void anotherSourceStartsFromZero();
    void aLostAnswerToTheJoiningIsLookedUp_data();
    void aLostAnswerToTheJoiningIsLookedUp();
    void withoutRoomForTwoItGoesAsOne();
    void cancelRemovesEveryPart();
    void aRealSandboxJoinsThem();

private:
    using Intercept = std::function<std::optional<Script>(const RecordedRequest &)>;
    void serve(const Intercept &before, const QString &version = u"0.6.13"_s);
    void write(const QByteArray &content) const;
    TransferId upload();
    bool ends(TransferId id, JobState state) const
    {
        return test::eventually([&] { return m_engine->info(id)->state == state; }, std::chrono::seconds(30));
    }
    /// How often each name's end was uploaded.
    QMap<QByteArray, int> uploads() const;
    int calls(const QByteArray &name) const;

    SystemClock m_clock;
    net::HttpTransport m_transport;
    std::unique_ptr<MemoryFiles> m_files;
    std::unique_ptr<test::FaultServer> m_server;
    std::unique_ptr<TransferEngine> m_engine;
    std::unique_ptr<QTemporaryDir> m_dir;
    EnvdSource m_source;
};

void TestTransferParts::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_files = std::make_unique<MemoryFiles>();
    m_engine = std::make_unique<TransferEngine>(
        m_clock, EngineOptions{.firstRetry = std::chrono::milliseconds(20), .parts = {partSize, true}});
}

void TestTransferParts::cleanup()
{
    m_engine.reset();
    m_server.reset();
}

void TestTransferParts::serve(const Intercept &before, const QString &version)
{
    m_server = std::make_unique<test::FaultServer>([this, before](const RecordedRequest &request, int) {
        if (const auto script = before ? before(request) : std::nullopt)
            return *script;
        return m_files->serve(request);
    });
    m_source = [this, version] {
        return Call<std::shared_ptr<api::Envd>>::settled(std::make_shared<api::Envd>(
            m_transport, api::targetOf({.sandboxUrl = m_server->url("")},
                                       protocol::SandboxAccess{.id = {u"sbx"_s}, .envdVersion = version})));
    };
}

void TestTransferParts::write(const QByteArray &content) const
{
    QFile file(m_dir->filePath(u"up"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

TransferId TestTransferParts::upload()
{
    return m_engine->upload(m_source, {m_dir->filePath(u"up"_s)}, RemotePath::parse(QByteArray("/home/user")).value());
}

QMap<QByteArray, int> TestTransferParts::uploads() const
{
    QMap<QByteArray, int> counts;
    for (const RecordedRequest &request : m_server->requests()) {
        if (request.path() == "/files") {
            const QByteArray name = MemoryFiles::uploaded(request);
            ++counts[name.mid(name.lastIndexOf('.') + 1)];
        }
    }
    return counts;
}

int TestTransferParts::calls(const QByteArray &name) const
{
    const auto all = m_server->requests();
    return static_cast<int>(std::count_if(
        all.begin(), all.end(), [&](const RecordedRequest &request) { return request.path().endsWith('/' + name); }));
}

void TestTransferParts::smallFilesAndOldServersGetOneBody_data()
{
    QTest::addColumn<qint64>("size");
    QTest::addColumn<QString>("version");
    QTest::addColumn<int>("parts");
    QTest::newRow("as large as a part") << partSize << u"0.6.13"_s << 0;
    QTest::newRow("a byte more") << partSize + 1 << u"0.6.13"_s << 2;
    QTest::newRow("just has it") << 3 * partSize << u"0.5.5"_s << 3;
    QTest::newRow("too old") << 3 * partSize << u"0.5.4"_s << 0;
    QTest::newRow("unknown") << 3 * partSize << u"test"_s << 0;
}

void TestTransferParts::smallFilesAndOldServersGetOneBody()
{
    QFETCH(qint64, size);
    QFETCH(QString, version);
    QFETCH(int, parts);
    serve({}, version);
    write(contentOf(size));
    const TransferId id = upload();
    QVERIFY(ends(id, JobState::Done));
    QCOMPARE(calls("compose"), parts > 0 ? 1 : 0);
    QCOMPARE(calls("files"), qMax(1, parts));
    QVERIFY(m_files->files().value("/home/user/up") == contentOf(size));
    QCOMPARE(m_files->files().size(), 1);
    QCOMPARE(m_engine->info(id)->bytesDone, size);
}

void TestTransferParts::afterACutOnlyTheMissingPartIsSentAgain()
{
    std::atomic<int> cuts = 0;
    serve([&](const RecordedRequest &request) -> std::optional<Script> {
        if (request.path() == "/files" && MemoryFiles::uploaded(request).endsWith(".3") && cuts++ < 2)
            return Script().reset();
        return std::nullopt;
    });
    const QByteArray content = contentOf(5 * partSize + 17);
    write(content);
    const TransferId id = upload();
    QVERIFY(ends(id, JobState::Done));
    QVERIFY(m_files->files().value("/home/user/up") == content);
    QCOMPARE(m_files->files().size(), 1);
    QCOMPARE(uploads(), (QMap<QByteArray, int>{{"1", 1}, {"2", 1}, {"3", 3}, {"4", 1}, {"5", 1}, {"6", 1}}));
    QCOMPARE(calls("compose"), 1);
}

void TestTransferParts::aPartThatWentAwayIsSentAgain()
{
    std::atomic<int> cuts = 0;
    serve([&](const RecordedRequest &request) -> std::optional<Script> {
        if (request.path() == "/files" && MemoryFiles::uploaded(request).endsWith(".3") && cuts++ < 1) {
            m_files->forget(".1");
            return Script().reset();
        }
        return std::nullopt;
    });
    const QByteArray content = contentOf(4 * partSize);
    write(content);
    QVERIFY(ends(upload(), JobState::Done));
    QVERIFY(m_files->files().value("/home/user/up") == content);
    QCOMPARE(uploads(), (QMap<QByteArray, int>{{"1", 2}, {"2", 1}, {"3", 2}, {"4", 1}}));
}

void TestTransferParts::anotherSourceStartsFromZero()
{
    std::atomic<int> cuts = 0;
    serve([&](const RecordedRequest &request) -> std::optional<Script> {
        if (request.path() == "/files" && MemoryFiles::uploaded(request).endsWith(".3") && cuts++ < 2) {
            QFile::remove(m_dir->filePath(u"up"_s)); // the open one is still whole, so the first repetition goes on
            write(contentOf(2 * partSize + 5, 7));   // shorter, and another
            return Script().reset();
        }
        return std::nullopt;
    });
    write(contentOf(4 * partSize));
    QVERIFY(ends(upload(), JobState::Done));
    QVERIFY(m_files->files().value("/home/user/up") == contentOf(2 * partSize + 5, 7));
    QCOMPARE(m_files->files().size(), 1);
}

void TestTransferParts::aLostAnswerToTheJoiningIsLookedUp_data()
{
    QTest::addColumn<bool>("happened");
    QTest::newRow("it happened") << true;
    QTest::newRow("it did not") << false;
}

void TestTransferParts::aLostAnswerToTheJoiningIsLookedUp()
{
    QFETCH(bool, happened);
    std::atomic<bool> lost = false;
    serve([&](const RecordedRequest &request) -> std::optional<Script> {
        if (request.path().endsWith("/compose") && !lost.exchange(true)) {
            if (happened)
                (void)m_files->serve(request);
            return Script().reset();
        }
        return std::nullopt;
    });
    const QByteArray content = contentOf(3 * partSize);
    write(content);
    QVERIFY(ends(upload(), JobState::Done));
    QVERIFY(m_files->files().value("/home/user/up") == content);
    QCOMPARE(m_files->files().size(), 1);
    QCOMPARE(calls("compose"), happened ? 1 : 2);
    QCOMPARE(calls("files"), 3);
}

void TestTransferParts::withoutRoomForTwoItGoesAsOne()
{
    serve([&](const RecordedRequest &request) -> std::optional<Script> {
        if (request.path().endsWith("/compose"))
            return Script::answer(507, R"({"code":507,"message":"not enough disk space available"})");
        return std::nullopt;
    });
    const QByteArray content = contentOf(3 * partSize);
    write(content);
    QVERIFY(ends(upload(), JobState::Done));
    QVERIFY(m_files->files().value("/home/user/up") == content);
    QCOMPARE(m_files->files().size(), 1);
    QCOMPARE(calls("files"), 4);
    QCOMPARE(calls("compose"), 1);
}

void TestTransferParts::cancelRemovesEveryPart()
{
    std::atomic<bool> reached = false;
    serve([&](const RecordedRequest &request) -> std::optional<Script> {
        if (request.path() == "/files" && MemoryFiles::uploaded(request).endsWith(".3")) {
            reached = true;
            return Script().stall();
        }
        return std::nullopt;
    });
    write(contentOf(4 * partSize));
    const TransferId id = upload();
    QVERIFY(test::eventually([&] { return reached.load(); }));
    QCOMPARE(m_files->files().size(), 2);
    m_engine->cancel(id);
    QVERIFY(test::eventually([&] { return m_files->files().isEmpty(); }));
}

void TestTransferParts::aRealSandboxJoinsThem()
{
    test::RealHost host;
    QVERIFY2(host.isUp(), qPrintable(host.failure()));
    const auto envd = host.newSandbox();
    QVERIFY2(envd, qPrintable(host.failure()));
    m_source = [envd] { return Call<std::shared_ptr<api::Envd>>::settled(envd); };
    const QByteArray content = contentOf(7 * partSize + 1);
    write(content);
    QVERIFY(ends(upload(), JobState::Done));
    const auto folder = RemotePath::parse(QByteArray("/home/user")).value();
    QVERIFY(test::outcome(envd->files().readSmall(folder.child("up").value(), 10'000'000)).value() == content);
    QCOMPARE(host.run(*envd, u"ls -A /home/user | grep -c boxdeck || true"_s).value_or("?"), "0\n"_ba);
}

QTEST_GUILESS_MAIN(TestTransferParts)
#include "tst_transfer_parts.moc"
