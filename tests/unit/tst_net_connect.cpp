// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/net/connect_error.h"
#include "backend/net/connect_stream.h"

#include <QSignalSpy>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::net;
using namespace Qt::StringLiterals;

namespace {

QByteArray endEnvelope(const QByteArray &payload = "{}")
{
    QByteArray bytes = encodeEnvelope(payload);
    bytes[0] = 2;
    return bytes;
}

/// A byte stream the test plays.
class PlayedStream : public ByteStream
{
    Q_OBJECT

public:
    void give(const QByteArray &bytes)
    {
        m_bytes += bytes;
        Q_EMIT readyRead();
    }
    QByteArray read(qint64 max) override
    {
        const QByteArray bytes = m_bytes.left(max);
        m_bytes.remove(0, bytes.size());
        return bytes;
    }
    qint64 available() const override { return m_bytes.size(); }
    void abort() override { aborted = true; }

    bool aborted = false;

private:
    QByteArray m_bytes;
};

struct Played
{
    explicit Played(std::chrono::milliseconds silence = {})
        : bytes(new PlayedStream)
        , stream(std::unique_ptr<ByteStream>(bytes), silence)
    {
        QObject::connect(&stream, &ConnectStream::message, &stream, [this](const QByteArray &m) { messages << m; });
        QObject::connect(&stream, &ConnectStream::ended, &stream, [this](const StreamEnd &e) { ends << e; });
    }

    PlayedStream *bytes;
    ConnectStream stream;
    QList<QByteArray> messages;
    QList<StreamEnd> ends;
};

} // namespace

class TestNetConnect : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void decoderIsIndifferentToCuts();
    void decoderRefuses_data();
    void decoderRefuses();
    void decoderStopsAtTheEnd();
    void streamEndings_data();
    void streamEndings();
    void endedComesOnceAndLast();
    void plainAnswerIsOneMessage();
    void nothingIsDeliveredAfterClose();
    void deletingTheStreamInsideAMessageIsFine();
    void pauseHoldsMessagesAndBytes();
    void silenceBreaksOff();
    void silenceDoesNotCountWhilePaused();
    void errorsAreMapped_data();
    void errorsAreMapped();
    void messagesOfBodies_data();
    void messagesOfBodies();
};

void TestNetConnect::decoderIsIndifferentToCuts()
{
    const QByteArray bytes =
        encodeEnvelope("{\"a\":1}") + encodeEnvelope("") + encodeEnvelope(QByteArray(300, 'x')) + endEnvelope("{}");
    const QList<Envelope> expected{{false, "{\"a\":1}"}, {false, ""}, {false, QByteArray(300, 'x')}, {true, "{}"}};
    for (qsizetype step = 1; step <= bytes.size(); step = step < 8 ? step + 1 : step * 2) {
        EnvelopeDecoder decoder;
        QList<Envelope> got;
        for (qsizetype at = 0; at < bytes.size(); at += step) {
            decoder.feed(bytes.mid(at, step));
            while (auto envelope = decoder.next().value())
                got.append(*envelope);
        }
        QVERIFY2(got == expected, QByteArray::number(step).constData());
        QVERIFY(decoder.atEnd() && decoder.isEmpty());
    }
}

void TestNetConnect::decoderRefuses_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("compressed") << QByteArray("\x01\0\0\0\x02{}", 7);
    QTest::newRow("compressed end") << QByteArray("\x03\0\0\0\x02{}", 7);
    QTest::newRow("unknown flag") << QByteArray("\x80\0\0\0\x02{}", 7);
    QTest::newRow("too long, before it is there") << QByteArray("\0\xff\xff\xff\xff", 5);
    QTest::newRow("one too long") << QByteArray("\0\0\0\x04\x01", 5);
}

void TestNetConnect::decoderRefuses()
{
    QFETCH(QByteArray, bytes);
    EnvelopeDecoder decoder(1024);
    decoder.feed(bytes);
    for (int i = 0; i < 2; ++i) {
        const auto envelope = decoder.next();
        QVERIFY(!envelope);
        QCOMPARE(envelope.error().code, u"bad_stream"_s);
    }
    QVERIFY(decoder.isEmpty());
}

void TestNetConnect::decoderStopsAtTheEnd()
{
    EnvelopeDecoder decoder;
    decoder.feed(endEnvelope() + "\xff\xff\xff\xff\xff\xff");
    QVERIFY(decoder.next().value()->isEnd);
    QVERIFY(!decoder.next().value());
    decoder.feed("more");
    QVERIFY(decoder.isEmpty());
}

void TestNetConnect::streamEndings_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("messages");
    QTest::addColumn<StreamEnd::Kind>("kind");
    QTest::addColumn<QString>("code");
    const QByteArray message = encodeEnvelope("{\"event\":{}}");
    using Kind = StreamEnd::Kind;
    QTest::newRow("end frame") << message + endEnvelope() << 1 << Kind::Finished << QString();
    QTest::newRow("end frame without payload") << message + endEnvelope("") << 1 << Kind::Finished << QString();
    QTest::newRow("end frame with null error") << endEnvelope(R"({"error":null})") << 0 << Kind::Finished << QString();
    QTest::newRow("end frame with an error")
        << message + endEnvelope(R"({"error":{"code":"not_found","message":"no such process"}})") << 1 << Kind::Failed
        << u"not_found"_s;
    QTest::newRow("closed after a message") << message << 1 << Kind::BrokenOff << u"closed"_s;
    QTest::newRow("closed at once") << QByteArray() << 0 << Kind::BrokenOff << u"closed"_s;
    QTest::newRow("end frame cut after 3 bytes")
        << message + endEnvelope().left(3) << 1 << Kind::BrokenOff << u"closed"_s;
    QTest::newRow("end frame cut in its payload")
        << message + endEnvelope().left(6) << 1 << Kind::BrokenOff << u"closed"_s;
    QTest::newRow("garbage") << QByteArray("HTTP/1.1 200 OK\r\n") << 0 << Kind::BrokenOff << u"bad_stream"_s;
}

void TestNetConnect::streamEndings()
{
    QFETCH(QByteArray, bytes);
    QFETCH(int, messages);
    QFETCH(StreamEnd::Kind, kind);
    QFETCH(QString, code);
    Played played;
    Q_EMIT played.bytes->head(200, {});
    for (char c : bytes)
        played.bytes->give(QByteArray(1, c));
    Q_EMIT played.bytes->finished();
    QCOMPARE(played.messages.size(), messages);
    QCOMPARE(played.ends.size(), 1);
    QCOMPARE(played.ends.first().kind, kind);
    QCOMPARE(played.ends.first().error.code, code);
    QVERIFY(played.bytes->aborted);
}

void TestNetConnect::endedComesOnceAndLast()
{
    Played played;
    QStringList order;
    connect(&played.stream, &ConnectStream::message, this, [&] { order << u"message"_s; });
    connect(&played.stream, &ConnectStream::ended, this, [&] { order << u"ended"_s; });
    played.bytes->give(encodeEnvelope("{}") + endEnvelope() + encodeEnvelope("{}"));
    Q_EMIT played.bytes->finished();
    Q_EMIT played.bytes->failed({});
    QCOMPARE(order, QStringList({u"message"_s, u"ended"_s}));
}

void TestNetConnect::plainAnswerIsOneMessage()
{
    Played played;
    played.bytes->give(" {\"event\":{\"end\":");
    played.bytes->give("{\"exited\":true}}}");
    QVERIFY(played.messages.isEmpty());
    Q_EMIT played.bytes->finished();
    QCOMPARE(played.messages, QList<QByteArray>{" {\"event\":{\"end\":{\"exited\":true}}}"});
    QCOMPARE(played.ends.first().kind, StreamEnd::Kind::Finished);

    Played refused;
    refused.bytes->give(R"({"code":"unauthenticated","message":"no user specified"})");
    Q_EMIT refused.bytes->finished();
    QVERIFY(refused.messages.isEmpty());
    QCOMPARE(refused.ends.first().kind, StreamEnd::Kind::Failed);
    QCOMPARE(refused.ends.first().error.kind, ErrorKind::Authentication);
}

void TestNetConnect::nothingIsDeliveredAfterClose()
{
    Played played;
    connect(&played.stream, &ConnectStream::message, this, [&] { played.stream.close(); });
    played.bytes->give(encodeEnvelope("1") + encodeEnvelope("2") + endEnvelope());
    Q_EMIT played.bytes->readyRead();
    Q_EMIT played.bytes->finished();
    QCOMPARE(played.messages.size(), 1);
    QVERIFY(played.ends.isEmpty());
    QVERIFY(played.bytes->aborted);
}

void TestNetConnect::deletingTheStreamInsideAMessageIsFine()
{
    auto *bytes = new PlayedStream;
    auto *stream = new ConnectStream(std::unique_ptr<ByteStream>(bytes));
    int messages = 0;
    connect(stream, &ConnectStream::message, this, [&] {
        ++messages;
        // The byte stream goes with it while it is still emitting; a real one survives this, so must the decoder.
        stream->deleteLater();
        stream->close();
    });
    bytes->give(encodeEnvelope("1") + encodeEnvelope("2"));
    QCoreApplication::sendPostedEvents(stream, QEvent::DeferredDelete);
    QCOMPARE(messages, 1);
}

void TestNetConnect::pauseHoldsMessagesAndBytes()
{
    Played played;
    connect(&played.stream, &ConnectStream::message, this, [&] { played.stream.pause(); });
    played.bytes->give(encodeEnvelope("1") + encodeEnvelope("2") + endEnvelope());
    QCOMPARE(played.messages.size(), 1);
    played.bytes->give(QByteArray(100, 'x'));
    QCOMPARE(played.bytes->available(), 100); // left in the socket
    Q_EMIT played.bytes->finished();
    QCOMPARE(played.messages.size(), 1);
    QVERIFY(played.ends.isEmpty());
    played.stream.resume();
    QCOMPARE(played.messages.size(), 1); // never from inside resume()
    QTRY_COMPARE(played.messages.size(), 2);
    played.stream.resume();
    QTRY_COMPARE(played.ends.size(), 1);
    QCOMPARE(played.ends.first().kind, StreamEnd::Kind::Finished);
}

void TestNetConnect::silenceBreaksOff()
{
    Played played(std::chrono::milliseconds(60));
    Q_EMIT played.bytes->head(200, {});
    played.bytes->give(encodeEnvelope("1"));
    QTRY_COMPARE_WITH_TIMEOUT(played.ends.size(), 1, 5000);
    QCOMPARE(played.ends.first().kind, StreamEnd::Kind::BrokenOff);
    QCOMPARE(played.ends.first().error.code, u"silent"_s);
    QCOMPARE(played.ends.first().error.kind, ErrorKind::Timeout);
}

void TestNetConnect::silenceDoesNotCountWhilePaused()
{
    Played played(std::chrono::milliseconds(30));
    Q_EMIT played.bytes->head(200, {});
    played.bytes->give(encodeEnvelope("1"));
    played.stream.pause();
    QTest::qWait(120); // four times the limit: nothing may happen
    QVERIFY(played.ends.isEmpty());
    played.stream.resume();
    QTRY_COMPARE_WITH_TIMEOUT(played.ends.size(), 1, 5000);
}

void TestNetConnect::errorsAreMapped_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("code");
    const auto row = [](const char *name, int status, const char *body, ErrorKind kind, const char *code) {
        QTest::newRow(name) << status << QByteArray(body) << kind << QString::fromLatin1(code);
    };
    using K = ErrorKind;
    row("connect code wins over the status", 412, R"({"code":"not_found","message":"x"})", K::NotFound, "not_found");
    row("canceled", 408, R"({"code":"canceled"})", K::Timeout, "canceled");
    row("deadline", 504, R"({"code":"deadline_exceeded"})", K::Timeout, "deadline_exceeded");
    row("unavailable", 503, R"({"code":"unavailable"})", K::Unavailable, "unavailable");
    row("unauthenticated", 401, R"({"code":"unauthenticated"})", K::Authentication, "unauthenticated");
    row("denied", 403, R"({"code":"permission_denied"})", K::Authentication, "permission_denied");
    row("exhausted", 429, R"({"code":"resource_exhausted"})", K::Capacity, "resource_exhausted");
    row("argument", 400, R"({"code":"invalid_argument"})", K::InvalidRequest, "invalid_argument");
    row("range", 400, R"({"code":"out_of_range"})", K::InvalidRequest, "out_of_range");
    row("exists", 409, R"({"code":"already_exists"})", K::Conflict, "already_exists");
    row("aborted", 409, R"({"code":"aborted"})", K::Conflict, "aborted");
    row("precondition", 400, R"({"code":"failed_precondition"})", K::Conflict, "failed_precondition");
    row("unimplemented", 501, R"({"code":"unimplemented"})", K::Unsupported, "unimplemented");
    row("internal", 500, R"({"code":"internal"})", K::Internal, "internal");
    row("data loss", 500, R"({"code":"data_loss"})", K::Internal, "data_loss");
    row("unknown", 500, R"({"code":"unknown"})", K::Internal, "unknown");
    row("token refused", 401, R"({"code":401,"message":"unauthorized access"})", K::Authentication,
        "http_unauthenticated");
    row("numeric code wins over the status", 200, R"({"code":429,"message":"x"})", K::Capacity,
        "http_resource_exhausted");
    row("proxy: not running", 502, R"({"sandboxId":"i1","message":"The sandbox was not found","code":502})",
        K::Unavailable, "http_bad_gateway");
    row("proxy: node unreachable", 502, "Failed to route request to sandbox", K::Unavailable, "http_unavailable");
    row("no such RPC is not a missing file", 404, "404 page not found", K::Unsupported, "http_not_found");
    row("wrong method", 405, "", K::Unsupported, "http_unknown");
    row("content type", 415, "", K::Unsupported, "http_unknown");
    row("full", 413, "", K::Capacity, "http_resource_exhausted");
    row("teapot", 418, "", K::Internal, "http_unknown");
    row("text code nobody knows", 400, R"({"code":"odd"})", K::InvalidRequest, "http_invalid_argument");
}

void TestNetConnect::errorsAreMapped()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, code);
    const Error error = connectErrorOf(HttpResponse{.status = status, .headers = {{"Retry-After", "7"}}, .body = body});
    QCOMPARE(error.kind, kind);
    QCOMPARE(error.code, code);
    QCOMPARE(error.httpStatus, status);
    QCOMPARE(error.delivery, Delivery::Answered);
    QVERIFY(error.retryAfter == std::chrono::seconds(7));
    QVERIFY(!error.message.isEmpty());
}

void TestNetConnect::messagesOfBodies_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("message");
    QTest::newRow("message") << 400 << R"({"message":" bad "})"_ba << u"bad"_s;
    QTest::newRow("error") << 400 << R"({"error":"bad"})"_ba << u"bad"_s;
    QTest::newRow("nested error") << 400 << R"({"error":{"message":"bad"}})"_ba << u"bad"_s;
    QTest::newRow("detail") << 400 << R"({"detail":"bad"})"_ba << u"bad"_s;
    QTest::newRow("text") << 404 << "id not found\n"_ba << u"id not found"_s;
    QTest::newRow("empty") << 500 << ""_ba << u"HTTP 500 Internal Server Error"_s;
    QTest::newRow("html") << 502 << "<html><h1>502</h1></html>"_ba << u"HTTP 502 Bad Gateway"_s;
    QTest::newRow("empty object") << 599 << "{}"_ba << u"HTTP 599"_s;
    QTest::newRow("endless") << 500 << QByteArray(100'000, 'x') << QString(2000, u'x');
}

void TestNetConnect::messagesOfBodies()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QString, message);
    QCOMPARE(messageOfBody(status, body), message);
}

QTEST_GUILESS_MAIN(TestNetConnect)
#include "tst_net_connect.moc"
