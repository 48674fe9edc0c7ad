// SPDX-License-Identifier: GPL-3.0-or-later
// Transfers against a server that does what a real one can't be asked for: cuts, lies, no ranges, a full disk.
#include "backend/core/clock.h"
#include "backend/transfer/download_task.h"
#include "backend/transfer/transfer_engine.h"
#include "tests/support/fault_server.h"
#include "tests/support/waiting.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMutex>
#include <QTemporaryDir>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::transfer;
using test::RecordedRequest;
using test::Script;

class TestTransferFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void headsAreRead_data();
    void headsAreRead();

    void aShortDownloadIsNotKept();
    void aCutDownloadGoesOnWithARange();
    void aServerWithoutRangesStartsOver();
    void anotherVersionOfTheFileStartsOver();
    void aRangeThatWasNotAskedForIsRefused();
    void aFullDiskThereEndsTheUpload();
    void anUploadThatIsNotAllThereIsNotMoved();
    void anUnknownMoveIsReconciled();
    void aWrongTokenEndsItAtOnce();
    void aSandboxThatEndsMeanwhileEndsTheTransfer();

private:
    void serve(test::FaultServer::Handler handler);
    QString local(const QString &name) const { return m_dir->filePath(name); }
    QByteArray read(const QString &name) const;
    void write(const QString &name, const QByteArray &content) const;
    TransferId download(qint64 size);
    TransferId upload(const QByteArray &content);
    bool ends(TransferId id, JobState state) const
    {
        return test::eventually([&] { return m_engine->info(id)->state == state; }, std::chrono::seconds(30));
    }
    QList<QByteArray> calls() const;
    static Script statAnswer(const QByteArray &request, qint64 size);
    static Script notFound();

    SystemClock m_clock;
    net::HttpTransport m_transport;
    std::unique_ptr<test::FaultServer> m_server;
    std::unique_ptr<TransferEngine> m_engine;
    std::unique_ptr<QTemporaryDir> m_dir;
    EnvdSource m_source;
};

namespace {

const QByteArray content = [] {
    QByteArray bytes;
    for (int i = 0; i < 200000; ++i)
        bytes += QByteArray::number(i) + '\n';
    return bytes;
}();

qint64 rangeStart(const RecordedRequest &request)
{
    const QByteArray range = request.header("Range");
    return range.isEmpty() ? 0 : range.mid(6, range.indexOf('-') - 6).toLongLong();
}

/// A head that announces `total` bytes from `offset` on; the body follows by send().
Script head(qint64 offset, qint64 total, const char *modified)
{
    QByteArray text = offset > 0 ? "HTTP/1.1 206 Partial Content\r\n" : "HTTP/1.1 200 OK\r\n";
    text += "Content-Length: " + QByteArray::number(total - offset) + "\r\nLast-Modified: " + modified + "\r\n";
    if (offset > 0)
        text += "Content-Range: bytes " + QByteArray::number(offset) + '-' + QByteArray::number(total - 1) + '/' +
                QByteArray::number(total) + "\r\n";
    return Script().send(text + "\r\n");
}

constexpr auto monday = "Mon, 02 Nov 2026 10:00:00 GMT";
constexpr auto tuesday = "Tue, 03 Nov 2026 10:00:00 GMT";

} // namespace

void TestTransferFaults::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_engine = std::make_unique<TransferEngine>(m_clock, EngineOptions{.firstRetry = std::chrono::milliseconds(20)});
}

void TestTransferFaults::cleanup()
{
    m_engine.reset();
    m_server.reset();
}

void TestTransferFaults::serve(test::FaultServer::Handler handler)
{
    m_server = std::make_unique<test::FaultServer>(std::move(handler));
    m_source = [this] {
        api::SandboxTarget target;
        target.id = {QStringLiteral("sbx")};
        target.base = m_server->url("");
        target.user = QStringLiteral("user");
        return Call<std::shared_ptr<api::Envd>>::settled(std::make_shared<api::Envd>(m_transport, target));
    };
}

QByteArray TestTransferFaults::read(const QString &name) const
{
    QFile file(local(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(no file)");
}

void TestTransferFaults::write(const QString &name, const QByteArray &bytes) const
{
    QFile file(local(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

TransferId TestTransferFaults::download(qint64 size)
{
    protocol::EntryInfo entry{.name = "f", .type = protocol::FileType::File, .size = size};
    entry.path = RemotePath::parse(QByteArray("/home/user/f")).value();
    return m_engine->download(m_source, {entry}, m_dir->path());
}

TransferId TestTransferFaults::upload(const QByteArray &bytes)
{
    write(QStringLiteral("up"), bytes);
    return m_engine->upload(m_source, {local(QStringLiteral("up"))},
                            RemotePath::parse(QByteArray("/home/user")).value());
}

QList<QByteArray> TestTransferFaults::calls() const
{
    QList<QByteArray> all;
    for (const RecordedRequest &request : m_server->requests())
        all.append(request.path().mid(request.path().lastIndexOf('/') + 1));
    return all;
}

Script TestTransferFaults::statAnswer(const QByteArray &request, qint64 size)
{
    const QString path = QJsonDocument::fromJson(request).object().value(QLatin1String("path")).toString();
    const QJsonObject entry{{QStringLiteral("name"), path.section(QLatin1Char('/'), -1)},
                            {QStringLiteral("path"), path},
                            {QStringLiteral("type"), QStringLiteral("FILE_TYPE_FILE")},
                            {QStringLiteral("size"), QString::number(size)},
                            {QStringLiteral("mode"), 0644},
                            {QStringLiteral("permissions"), QStringLiteral("-rw-r--r--")}};
    return Script::answer(200, QJsonDocument(QJsonObject{{QStringLiteral("entry"), entry}}).toJson(),
                          {{"Content-Type", "application/json"}});
}

Script TestTransferFaults::notFound()
{
    return Script::answer(404, R"({"code":"not_found","message":"file not found"})",
                          {{"Content-Type", "application/json"}});
}

void TestTransferFaults::headsAreRead_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("range");
    QTest::addColumn<QByteArray>("length");
    QTest::addColumn<bool>("good");
    QTest::addColumn<qint64>("offset");
    QTest::addColumn<qint64>("total"); // -1: not told
    QTest::newRow("whole") << 200 << QByteArray() << QByteArray("17") << true << qint64(0) << qint64(17);
    QTest::newRow("chunked") << 200 << QByteArray() << QByteArray() << true << qint64(0) << qint64(-1);
    QTest::newRow("part") << 206 << QByteArray("bytes 5-16/17") << QByteArray("12") << true << qint64(5) << qint64(17);
    QTest::newRow("part of unknown") << 206 << QByteArray("bytes 5-16/*") << QByteArray("12") << true << qint64(5)
                                     << qint64(-1);
    QTest::newRow("stops early") << 206 << QByteArray("bytes 5-9/17") << QByteArray("5") << false << qint64(0)
                                 << qint64(0);
    QTest::newRow("no range") << 206 << QByteArray() << QByteArray("5") << false << qint64(0) << qint64(0);
    QTest::newRow("nonsense") << 206 << QByteArray("bytes x-y/z") << QByteArray("5") << false << qint64(0) << qint64(0);
    QTest::newRow("backwards") << 206 << QByteArray("bytes 9-5/17") << QByteArray("5") << false << qint64(0)
                               << qint64(0);
}

void TestTransferFaults::headsAreRead()
{
    QFETCH(int, status);
    QFETCH(QByteArray, range);
    QFETCH(QByteArray, length);
    QFETCH(bool, good);
    QFETCH(qint64, offset);
    QFETCH(qint64, total);
    net::HeaderList headers;
    if (!range.isEmpty())
        headers.append({"content-range", range});
    if (!length.isEmpty())
        headers.append({"Content-Length", length});
    const auto read = readDownloadHead(status, headers);
    QCOMPARE(read.has_value(), good);
    if (good) {
        QCOMPARE(read->offset, offset);
        QCOMPARE(read->total.value_or(-1), total);
    }
}

void TestTransferFaults::aShortDownloadIsNotKept()
{
    // Always cut at the same place: no progress, so the tries are bounded.
    serve([](const RecordedRequest &request, int) {
        const qint64 start = rangeStart(request);
        constexpr qint64 cut = 1000000;
        return head(start, content.size(), monday).send(content.mid(start, qMax<qint64>(0, cut - start))).close();
    });
    write(QStringLiteral("f"), "an earlier good file");
    const TransferId id = download(content.size());
    QVERIFY(ends(id, JobState::Conflict));
    m_engine->resolveConflict(id, ConflictChoice::Overwrite, false);
    QVERIFY(ends(id, JobState::Failed));
    QCOMPARE(read(QStringLiteral("f")), QByteArray("an earlier good file"));
    QTRY_COMPARE(QDir(m_dir->path()).entryList(QDir::Files | QDir::Hidden), QStringList{QStringLiteral("f")});
    QVERIFY(m_server->requestCount() <= 10);
    QVERIFY(nextState(m_engine->info(id)->state, JobEvent::Retry)); // it can be tried again
}

void TestTransferFaults::aCutDownloadGoesOnWithARange()
{
    serve([](const RecordedRequest &request, int nth) {
        const qint64 start = rangeStart(request);
        Script script = head(start, content.size(), monday);
        if (nth == 0)
            return script.send(content.left(700000)).reset();
        if (nth == 1)
            return script.send(content.mid(start, 100000)).close();
        return script.send(content.mid(start));
    });
    const TransferId id = download(content.size());
    QVERIFY(ends(id, JobState::Done));
    QVERIFY(read(QStringLiteral("f")) == content);
    QCOMPARE(m_server->requestCount(), 3);
    QVERIFY(rangeStart(m_server->requests().at(2)) > 0);
}

void TestTransferFaults::aServerWithoutRangesStartsOver()
{
    serve([](const RecordedRequest &, int nth) {
        Script script = head(0, content.size(), monday);
        return nth == 0 ? script.send(content.left(700000)).close() : script.send(content);
    });
    const TransferId id = download(content.size());
    QVERIFY(ends(id, JobState::Done));
    QVERIFY(read(QStringLiteral("f")) == content);
}

void TestTransferFaults::anotherVersionOfTheFileStartsOver()
{
    const QByteArray second = QByteArray(content).replace('1', 'x');
    serve([second](const RecordedRequest &request, int nth) {
        const qint64 start = rangeStart(request);
        if (nth == 0)
            return head(0, content.size(), monday).send(content.left(700000)).close();
        return head(start, second.size(), tuesday).send(second.mid(start));
    });
    const TransferId id = download(content.size());
    QVERIFY(ends(id, JobState::Done));
    QVERIFY(read(QStringLiteral("f")) == second); // never a mixture
    QCOMPARE(m_server->requestCount(), 3);
}

void TestTransferFaults::aRangeThatWasNotAskedForIsRefused()
{
    serve([](const RecordedRequest &, int) { return head(500, content.size(), monday).send(content.mid(500)); });
    const TransferId id = download(content.size());
    QVERIFY(ends(id, JobState::Failed));
    QCOMPARE(read(QStringLiteral("f")), QByteArray("(no file)"));
}

void TestTransferFaults::aFullDiskThereEndsTheUpload()
{
    serve([](const RecordedRequest &request, int) {
        if (request.path().endsWith("/Stat"))
            return notFound();
        if (request.path().endsWith("/files"))
            return Script::answer(507, R"({"code":507,"message":"not enough disk space available"})");
        return Script::answer(200, "{}", {{"Content-Type", "application/json"}});
    });
    const TransferId id = upload("content");
    QVERIFY(ends(id, JobState::Failed));
    QCOMPARE(m_engine->info(id)->error->httpStatus, 507);
    // What may have been written is removed, and nothing is moved to the real name.
    QVERIFY(test::eventually([&] { return calls().contains("Remove"); }));
    QVERIFY(!calls().contains("Move"));
    QCOMPARE(calls().count("files"), 1); // a full disk does not empty itself
    for (const RecordedRequest &request : m_server->requests()) {
        if (request.path().endsWith("/files"))
            QVERIFY(request.query().contains(".boxdeck-"));
    }
}

void TestTransferFaults::anUploadThatIsNotAllThereIsNotMoved()
{
    serve([](const RecordedRequest &request, int) {
        if (request.path().endsWith("/Stat"))
            return request.body.contains(".boxdeck-") ? statAnswer(request.body, 3) : notFound();
        if (request.path().endsWith("/files"))
            return Script::answer(200, R"([{"name":"up","path":"/home/user/up","type":"file"}])");
        return Script::answer(200, "{}", {{"Content-Type", "application/json"}});
    });
    const TransferId id = upload("content");
    QVERIFY(ends(id, JobState::Failed));
    QCOMPARE(m_engine->info(id)->error->code, QString(code::shortBody));
    QVERIFY(!calls().contains("Move"));
    QVERIFY(calls().count("files") > 1); // it was tried again, a bounded number of times
    QVERIFY(calls().count("files") <= 8);
}

void TestTransferFaults::anUnknownMoveIsReconciled()
{
    // The move happens, but its answer is lost.
    auto moved = std::make_shared<std::atomic_bool>(false);
    serve([moved](const RecordedRequest &request, int) {
        if (request.path().endsWith("/Stat")) {
            const bool temporary = request.body.contains(".boxdeck-");
            return temporary == !moved->load() ? statAnswer(request.body, 7) : notFound();
        }
        if (request.path().endsWith("/Move")) {
            moved->store(true);
            return Script().reset();
        }
        if (request.path().endsWith("/files"))
            return Script::answer(200, R"([{"name":"up","path":"/home/user/up","type":"file"}])");
        return Script::answer(200, "{}", {{"Content-Type", "application/json"}});
    });
    const TransferId id = upload("content");
    QVERIFY(ends(id, JobState::Done));
    QCOMPARE(calls().count("Move"), 1);
    QCOMPARE(calls().count("files"), 1);
}

void TestTransferFaults::aWrongTokenEndsItAtOnce()
{
    serve([](const RecordedRequest &, int) {
        return Script::answer(401, R"({"code":401,"message":"unauthorized access"})",
                              {{"Content-Type", "application/json"}});
    });
    const TransferId id = upload("content");
    QVERIFY(ends(id, JobState::Failed));
    QCOMPARE(m_engine->info(id)->error->kind, ErrorKind::Authentication);
    QVERIFY(m_server->requestCount() <= 2);
}

void TestTransferFaults::aSandboxThatEndsMeanwhileEndsTheTransfer()
{
    serve([](const RecordedRequest &, int) {
        return head(0, content.size(), monday).send(content.left(700000)).wait(20).reset();
    });
    // Asked again after the break, the control plane says that there is no such sandbox any more.
    int asked = 0;
    m_source = [this, &asked, there = m_source] {
        if (asked++ == 0)
            return there();
        return Call<std::shared_ptr<api::Envd>>::settled(
            tl::unexpected(Error{.kind = ErrorKind::NotFound,
                                 .delivery = Delivery::Answered,
                                 .httpStatus = 404,
                                 .message = QStringLiteral("sandbox not found")}));
    };
    const TransferId id = download(content.size());
    QVERIFY(ends(id, JobState::Failed));
    QCOMPARE(m_engine->info(id)->error->kind, ErrorKind::NotFound);
    QCOMPARE(m_server->requestCount(), 1);
    QVERIFY(asked <= 3);
    QVERIFY(!QFile::exists(local(QStringLiteral("f"))));
}

QTEST_GUILESS_MAIN(TestTransferFaults)
#include "tst_transfer_faults.moc"
