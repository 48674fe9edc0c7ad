// SPDX-License-Identifier: GPL-3.0-or-later
// Servers that differ on the control plane (protocol/compat.md section 2), each scripted as it answers. Which test
// holds which row is in tests/conformance/compat.md.
#include "tests/support/scripted_control.h"
#include "tests/support/waiting.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace boxdeck;
using namespace boxdeck::api;
using namespace boxdeck::net;
using namespace boxdeck::protocol;
using namespace boxdeck::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

class TestApiCompatControl : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void basesWithAndWithoutPrefix_data();
    void basesWithAndWithoutPrefix();
    void keysOfAnyShape_data();
    void keysOfAnyShape();
    void accessForms_data();
    void accessForms();
    void connectForms_data();
    void connectForms();
    void foreignIds_data();
    void foreignIds();
    void idsOfDotsNameNothing();
    void oddDetails();
    void anySuccessIsOne_data();
    void anySuccessIsOne();
    void unknownBuildIsTheSameEitherWay_data();
    void unknownBuildIsTheSameEitherWay();
    void defaultsAreNeverReliedOn();
    void strictServersGetOnlyWhatWasSet();
    void pauseSendsNothingItNeedNot();
    void olderAndNewerCreateAndConnect_data();
    void olderAndNewerCreateAndConnect();
    void serversWithoutConnectResume_data();
    void serversWithoutConnectResume();
    void missingSandboxIsNotAMissingConnect();
    void clocksOfServersDiffer_data();
    void clocksOfServersDiffer();
};

namespace {

const SandboxId i1{u"i1"_s};

} // namespace

void TestApiCompatControl::basesWithAndWithoutPrefix_data()
{
    QTest::addColumn<QByteArray>("base");
    QTest::addColumn<QByteArray>("path");
    QTest::newRow("nothing") << ""_ba
                             << "/sandboxes/i1"_ba;
    QTest::newRow("a slash") << "/"_ba
                             << "/sandboxes/i1"_ba;
    QTest::newRow("a prefix") << "/e2b/v1"_ba
                              << "/e2b/v1/sandboxes/i1"_ba;
    QTest::newRow("a prefix and a slash") << "/e2b/v1/"_ba
                                          << "/e2b/v1/sandboxes/i1"_ba;
    QTest::newRow("several slashes") << "/e2b//"_ba
                                     << "/e2b/sandboxes/i1"_ba;
    QTest::newRow("an encoded prefix") << "/a%2Fb/"_ba
                                       << "/a%2Fb/sandboxes/i1"_ba;
}

void TestApiCompatControl::basesWithAndWithoutPrefix()
{
    QFETCH(QByteArray, base);
    QFETCH(QByteArray, path);
    FaultServer server(Script::answer(200, R"({"sandboxID":"i1"})"));
    ControlOf client(server, base);
    QVERIFY(outcome(client.control.sandbox(i1)).has_value());
    QCOMPARE(server.requests().first().target, path);
}

void TestApiCompatControl::keysOfAnyShape_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::newRow("E2B") << "e2b_00112233445566778899aabbccddeeff00112233"_ba;
    QTest::newRow("free text") << "my token, with spaces"_ba;
    QTest::newRow("a JWT") << "eyJhbGciOiJub25lIn0.e30."_ba;
    QTest::newRow("none") << ""_ba;
}

void TestApiCompatControl::keysOfAnyShape()
{
    QFETCH(QByteArray, key);
    FaultServer server(Script::answer(200, "[]"));
    ControlOf client(server, {}, key);
    QVERIFY(outcome(client.control.probe()).has_value());
    bool sent = false;
    for (const auto &[name, value] : server.requests().first().headers)
        sent = sent || name.compare("x-api-key", Qt::CaseInsensitive) == 0;
    QCOMPARE(sent, !key.isEmpty());
    QCOMPARE(server.requests().first().header("X-API-Key"), key);
}

void TestApiCompatControl::accessForms_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("good");
    QTest::newRow("201") << 201 << R"({"sandboxID":"i1","templateID":"t","envdVersion":"0.6.4"})"_ba << true;
    QTest::newRow("200") << 200 << R"({"sandboxID":"i1","templateID":"t"})"_ba << true;
    QTest::newRow("202 with an id") << 202 << R"({"sandboxID":"i1"})"_ba << true;
    QTest::newRow("202 without") << 202 << R"({"status":"pending"})"_ba << false;
    QTest::newRow("the id alone") << 201 << R"({"sandboxID":"i1"})"_ba << true;
    QTest::newRow("nulls") << 201
                           << R"({"sandboxID":"i1","templateID":null,"alias":null,"domain":null,"envdVersion":null,
                                  "envdAccessToken":null,"trafficAccessToken":null,"clientID":null})"_ba
                           << true;
    QTest::newRow("a version that is none") << 201 << R"({"sandboxID":"i1","envdVersion":"test"})"_ba << true;
    QTest::newRow("more than we know") << 201 << R"({"sandboxID":"i1","quota":{"left":3},"tags":[]})"_ba << true;
    QTest::newRow("a blank id") << 201 << R"({"sandboxID":"  "})"_ba << false;
}

void TestApiCompatControl::accessForms()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(bool, good);
    FaultServer server(Script::answer(status, body));
    ControlOf client(server);
    const auto created = outcome(client.control.create({.templateId = u"mine"_s}));
    QCOMPARE(created.has_value(), good);
    if (!good) {
        QCOMPARE(created.error().delivery, Delivery::Unknown);
        return;
    }
    QCOMPARE(created->id, i1);
    QVERIFY(created->templateId.value == u"t" || created->templateId.value == u"mine");
    QVERIFY(created->envdAccessToken.isEmpty()); // `secure` was ignored there: go on without the header
}

void TestApiCompatControl::connectForms_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<ErrorKind>("kind"); // Local: good
    QTest::newRow("200") << 200 << R"({"sandboxID":"i1"})"_ba << ErrorKind::Local;
    QTest::newRow("201") << 201 << R"({"sandboxID":"i1"})"_ba << ErrorKind::Local;
    QTest::newRow("invalid id") << 400 << R"({"code":400,"message":"Invalid sandbox ID"})"_ba << ErrorKind::NotFound;
    QTest::newRow("invalid id as text") << 400 << "invalid sandbox id"_ba << ErrorKind::NotFound;
    QTest::newRow("404 as a page") << 404 << "<html>not here</html>"_ba << ErrorKind::NotFound;
    QTest::newRow("404 as text") << 404 << "no such sandbox"_ba << ErrorKind::NotFound;
    QTest::newRow("code as text") << 404 << R"({"code":"404","message":"gone"})"_ba << ErrorKind::NotFound;
    QTest::newRow("error instead of message") << 409 << R"({"error":"is pausing"})"_ba << ErrorKind::Conflict;
    QTest::newRow("detail instead of message") << 409 << R"({"detail":"is pausing"})"_ba << ErrorKind::Conflict;
}

void TestApiCompatControl::connectForms()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(ErrorKind, kind);
    FaultServer server(Script::answer(status, body));
    ControlOf client(server);
    const auto connected = outcome(client.control.connect(i1, 60s));
    QCOMPARE(connected.has_value(), kind == ErrorKind::Local);
    if (connected) {
        QVERIFY(connected->envdAccessToken.isEmpty()); // told at create only: those are kept
        return;
    }
    QCOMPARE(connected.error().kind, kind);
    if (body.contains("is pausing"))
        QCOMPARE(connected.error().message, u"is pausing"_s);
}

void TestApiCompatControl::foreignIds_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QByteArray>("segment");
    QTest::newRow("a UUID") << u"0F8FAD5B-D9CB-469F-A165-70867728950E"_s << "0F8FAD5B-D9CB-469F-A165-70867728950E"_ba;
    QTest::newRow("upper case") << u"SBX_9"_s << "SBX_9"_ba;
    QTest::newRow("dashes") << u"my-sandbox-01"_s << "my-sandbox-01"_ba;
    QTest::newRow("with a namespace") << u"ns/sbx"_s << "ns%2Fsbx"_ba;
    QTest::newRow("a dot inside") << u"a..b"_s << "a..b"_ba;
}

void TestApiCompatControl::foreignIds()
{
    QFETCH(QString, id);
    QFETCH(QByteArray, segment);
    const QByteArray body = R"({"sandboxID":")" + id.toUtf8() + R"(","state":"running"})";
    FaultServer server([&](const RecordedRequest &request, int) {
        return request.path() == "/v2/sandboxes" ? Script::answer(200, '[' + body + ']') : Script::answer(200, body);
    });
    ControlOf client(server);
    const auto list = outcome(client.control.listAllSandboxes());
    QCOMPARE(list->first().id.value, id);
    const auto detail = outcome(client.control.sandbox(list->first().id));
    QVERIFY(detail.has_value());
    QCOMPARE(detail->id.value, id);
    QCOMPARE(server.requests().last().target, "/sandboxes/" + segment);
}

void TestApiCompatControl::idsOfDotsNameNothing()
{
    FaultServer server(Script::answer(204));
    ControlOf client(server, "/e2b/v1");
    for (const QString &dots : {u"."_s, u".."_s, u" .. "_s}) {
        QCOMPARE(outcome(client.control.kill({dots})).error().kind, ErrorKind::InvalidRequest);
        QCOMPARE(outcome(client.control.sandbox({dots})).error().kind, ErrorKind::InvalidRequest);
        QCOMPARE(outcome(client.control.templates().remove({dots})).error().kind, ErrorKind::InvalidRequest);
        QCOMPARE(outcome(client.control.snapshots().remove({dots})).error().kind, ErrorKind::InvalidRequest);
        QCOMPARE(outcome(client.control.volumes().remove({dots})).error().kind, ErrorKind::InvalidRequest);
    }
    QCOMPARE(server.requestCount(), 0);
}

void TestApiCompatControl::oddDetails()
{
    FaultServer server(Script::answer(200, R"({"sandboxID":"i1","state":"running","cpuCount":"2","memoryMB":512.0,
        "metadata":{"n":7,"b":true,"f":1.5,"o":{"a":[1]},"z":null,"t":"text"},"endAt":null,"startedAt":"",
        "envdVersion":"","volumeMounts":null,"network":{"unknown":{}},"lifecycle":null})"));
    ControlOf client(server);
    const auto detail = outcome(client.control.sandbox(i1));
    QVERIFY2(detail.has_value(), detail ? "" : qPrintable(detail.error().message));
    QCOMPARE(detail->cpuCount, 2);
    QCOMPARE(detail->memoryMB, 512);
    QVERIFY(!detail->endAt.isValid());
    QVERIFY(!detail->startedAt.isValid());
    QCOMPARE(detail->metadata.value(u"n"_s), u"7"_s);
    QCOMPARE(detail->metadata.value(u"b"_s), u"true"_s);
    QCOMPARE(detail->metadata.value(u"f"_s), u"1.5"_s);
    QCOMPARE(detail->metadata.value(u"t"_s), u"text"_s);
    QVERIFY(detail->metadata.value(u"o"_s).contains(u"[1]"_s));
}

void TestApiCompatControl::anySuccessIsOne_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("204") << 204 << ""_ba;
    QTest::newRow("200 without a body") << 200 << ""_ba;
    QTest::newRow("200 with an object") << 200 << R"({"status":"ok"})"_ba;
    QTest::newRow("202") << 202 << ""_ba;
    QTest::newRow("200 with text") << 200 << "OK"_ba;
}

void TestApiCompatControl::anySuccessIsOne()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    FaultServer server(Script::answer(status, body));
    ControlOf client(server);
    QVERIFY(outcome(client.control.kill(i1)).has_value());
    QVERIFY(outcome(client.control.pause(i1)).has_value());
    QVERIFY(outcome(client.control.setTimeout(i1, 60s)).has_value());
    QVERIFY(outcome(client.control.refresh(i1, 60s)).has_value());
    QVERIFY(outcome(client.control.updateNetwork(i1, {})).has_value());
    QVERIFY(outcome(client.control.health()).has_value());
    QVERIFY(outcome(client.control.teams().renameApiKey(u"k1"_s, u"name"_s)).has_value());
    QVERIFY(outcome(client.control.teams().removeApiKey(u"k1"_s)).has_value());
    QVERIFY(outcome(client.control.templates().remove({u"t1"_s})).has_value());
    QVERIFY(outcome(client.control.snapshots().remove({u"s1"_s})).has_value());
}

void TestApiCompatControl::unknownBuildIsTheSameEitherWay_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("404") << 404 << R"({"code":404,"message":"build not found"})"_ba;
    QTest::newRow("400") << 400 << R"({"code":400,"message":"build not found"})"_ba;
    QTest::newRow("404 as a page") << 404 << "<html></html>"_ba;
}

void TestApiCompatControl::unknownBuildIsTheSameEitherWay()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    FaultServer server(Script::answer(status, body));
    ControlOf client(server);
    const auto info = outcome(client.control.templates().buildInfo({u"t1"_s}, {u"b1"_s}));
    QVERIFY(!info);
    QCOMPARE(info.error().kind, ErrorKind::NotFound);
}

void TestApiCompatControl::defaultsAreNeverReliedOn()
{
    FaultServer server(Script::answer(201, R"({"sandboxID":"i1"})"));
    ControlOf client(server);
    QVERIFY(outcome(client.control.create({})).has_value());
    const QJsonObject body = jsonBody(server.requests().first());
    QCOMPARE(body[u"timeout"_s].toInt(), 300);
    QCOMPARE(body[u"secure"_s].toBool(), true);
    QCOMPARE(body[u"templateID"_s].toString(), u"base"_s);
    QVERIFY(outcome(client.control.connect(i1, 900s)).has_value());
    QCOMPARE(jsonBody(server.requests().last())[u"timeout"_s].toInt(), 900);
}

void TestApiCompatControl::strictServersGetOnlyWhatWasSet()
{
    // 400 for every field it does not know, as one kind of server answers.
    const QStringList known{u"templateID"_s, u"timeout"_s, u"secure"_s, u"metadata"_s};
    FaultServer server([&](const RecordedRequest &request, int) {
        for (const QString &key : jsonBody(request).keys()) {
            if (!known.contains(key))
                return Script::answer(400, R"({"message":"unknown field ')" + key.toUtf8() + "'\"}");
        }
        return Script::answer(201, R"({"sandboxID":"i1"})");
    });
    ControlOf client(server);
    QVERIFY(outcome(client.control.create({})).has_value());
    QVERIFY(outcome(client.control.create({.metadata = {{u"a"_s, u"b"_s}}})).has_value());
    const auto refused = outcome(client.control.create({.autoPause = true}));
    QCOMPARE(refused.error().kind, ErrorKind::InvalidRequest);
    QVERIFY(refused.error().message.contains(u"autoPause"_s)); // so that the user knows what to leave out
}

void TestApiCompatControl::pauseSendsNothingItNeedNot()
{
    FaultServer server(Script::answer(204));
    ControlOf client(server);
    QVERIFY(outcome(client.control.pause(i1)).has_value());
    QVERIFY(outcome(client.control.pause(i1, false)).has_value());
    QVERIFY(jsonBody(server.requests().first()).isEmpty());
    QCOMPARE(jsonBody(server.requests().last())[u"memory"_s].toBool(true), false);
}

void TestApiCompatControl::olderAndNewerCreateAndConnect_data()
{
    QTest::addColumn<bool>("v1");
    QTest::addColumn<int>("missing");
    for (const int status : {404, 405, 410}) {
        QTest::addRow("only the old, %d", status) << true << status;
        QTest::addRow("only the new, %d", status) << false << status;
    }
}

void TestApiCompatControl::olderAndNewerCreateAndConnect()
{
    QFETCH(bool, v1);
    QFETCH(int, missing);
    FaultServer server([&](const RecordedRequest &request, int) {
        return request.path().startsWith("/v2/") == v1 ? Script::answer(missing, "")
                                                       : Script::answer(201, R"({"sandboxID":"i1"})");
    });
    ControlOf client(server);
    QVERIFY(outcome(client.control.create({})).has_value());
    QVERIFY(outcome(client.control.connect(i1, 60s)).has_value());
    const int extra = v1 ? 0 : 1; // asked once, then remembered
    QCOMPARE(server.requestCount(), 2 + extra);
    QCOMPARE(jsonBody(server.requests().at(extra))[u"timeout"_s].toInt(), 300);
    QCOMPARE(jsonBody(server.requests().at(extra)).contains(u"secure"_s), v1);
}

void TestApiCompatControl::serversWithoutConnectResume_data()
{
    QTest::addColumn<int>("missing");
    for (const int status : {404, 405, 410, 501})
        QTest::addRow("%d", status) << status;
}

void TestApiCompatControl::serversWithoutConnectResume()
{
    QFETCH(int, missing);
    const QByteArray soon = QDateTime::currentDateTimeUtc().addSecs(30).toString(Qt::ISODate).toLatin1();
    const QByteArray late = QDateTime::currentDateTimeUtc().addSecs(7200).toString(Qt::ISODate).toLatin1();
    const QMap<QByteArray, Script> answers{
        {"GET /sandboxes/i1", Script::answer(200, R"({"sandboxID":"i1","state":"paused"})")},
        {"POST /sandboxes/i1/resume", Script::answer(201, R"({"sandboxID":"i1","envdAccessToken":"fresh"})")},
        {"GET /sandboxes/soon", Script::answer(200, R"({"sandboxID":"soon","state":"running","envdAccessToken":"s",)"
                                                    R"("endAt":")" +
                                                        soon + R"("})")},
        {"POST /sandboxes/soon/timeout", Script::answer(204, "")},
        {"GET /sandboxes/late", Script::answer(200, R"({"sandboxID":"late","state":"running","envdAccessToken":"l",)"
                                                    R"("endAt":")" +
                                                        late + R"("})")},
    };
    FaultServer server([&](const RecordedRequest &request, int) {
        return answers.value(request.method + ' ' + request.path(), Script::answer(missing, "no such route"));
    });
    ControlOf client(server);
    auto lines = [&server, seen = 0]() mutable {
        QByteArrayList list;
        for (; seen < server.requestCount(); ++seen)
            list << server.requests().at(seen).method + ' ' + server.requests().at(seen).path();
        return list;
    };

    const auto resumed = outcome(client.control.connect(i1, 60s));
    QVERIFY(resumed.has_value());
    QCOMPARE(resumed->envdAccessToken, Secret("fresh"));
    QCOMPARE(lines(), (QByteArrayList{"POST /sandboxes/i1/connect", "POST /v2/sandboxes/i1/connect",
                                      "GET /sandboxes/i1", "POST /sandboxes/i1/resume"}));
    QCOMPARE(jsonBody(server.requests().last())[u"timeout"_s].toInt(), 60);

    // Remembered: nobody is asked for connect again.
    const auto lengthened = outcome(client.control.connect({u"soon"_s}, 60s));
    QVERIFY(lengthened.has_value());
    QCOMPARE(lengthened->envdAccessToken, Secret("s"));
    QCOMPARE(lines(), (QByteArrayList{"GET /sandboxes/soon", "POST /sandboxes/soon/timeout"}));

    const auto leftAlone = outcome(client.control.connect({u"late"_s}, 60s));
    QVERIFY(leftAlone.has_value());
    QCOMPARE(leftAlone->envdAccessToken, Secret("l"));
    QCOMPARE(lines(), QByteArrayList{"GET /sandboxes/late"});

    QCOMPARE(outcome(client.control.connect({u"gone"_s}, 60s)).has_value(), false);
}

void TestApiCompatControl::missingSandboxIsNotAMissingConnect()
{
    FaultServer server([](const RecordedRequest &request, int) {
        return request.path().contains("/i1") ? Script::answer(404, R"({"code":404,"message":"sandbox not found"})")
                                              : Script::answer(200, R"({"sandboxID":"i2"})");
    });
    ControlOf client(server);
    const auto gone = outcome(client.control.connect(i1, 60s));
    QVERIFY(!gone);
    QCOMPARE(gone.error().kind, ErrorKind::NotFound);
    for (const RecordedRequest &request : server.requests())
        QVERIFY2(!request.target.contains("resume"), request.target);
    const int before = server.requestCount();
    QVERIFY(outcome(client.control.connect({u"i2"_s}, 60s)).has_value());
    QCOMPARE(server.requestCount(), before + 1); // connect still comes first
    QCOMPARE(server.requests().last().path(), "/sandboxes/i2/connect"_ba);
}

void TestApiCompatControl::clocksOfServersDiffer_data()
{
    QTest::addColumn<qint64>("skew");
    QTest::newRow("an hour ahead") << qint64(3600);
    QTest::newRow("a day behind") << qint64(-86400);
    QTest::newRow("none") << qint64(0);
}

void TestApiCompatControl::clocksOfServersDiffer()
{
    QFETCH(qint64, skew);
    FaultServer server([&](const RecordedRequest &, int) {
        const QDateTime now = QDateTime::currentDateTimeUtc().addSecs(skew);
        return Script::answer(200, "[]",
                              {{"Date", QLocale::c().toString(now, u"ddd, dd MMM yyyy HH:mm:ss 'GMT'"_s).toLatin1()}});
    });
    ControlOf client(server);
    QVERIFY(!client.control.clockOffsetMs());
    QVERIFY(outcome(client.control.listAllSandboxes()).has_value());
    QVERIFY(client.control.clockOffsetMs().has_value());
    QVERIFY2(qAbs(*client.control.clockOffsetMs() - skew * 1000) < 3000,
             qPrintable(QString::number(*client.control.clockOffsetMs())));
}

QTEST_GUILESS_MAIN(TestApiCompatControl)
#include "tst_api_compat_control.moc"
