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

class TestApiCompatLists : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void listForms_data();
    void listForms();
    void filtersThatAreIgnored();
    void tokensAreOpaque_data();
    void tokensAreOpaque();
    void cyclesOfTokensEnd();
    void metadataIsFilteredHereWhateverTheServerDecodes();
    void stateWords_data();
    void stateWords();
    void timesOfAnyForm_data();
    void timesOfAnyForm();
    void templateListForms_data();
    void templateListForms();
    void missingCallsAreUnsupported_data();
    void missingCallsAreUnsupported();
    void gatedFeaturesSayWhy_data();
    void gatedFeaturesSayWhy();
    void metricTimestamps_data();
    void metricTimestamps();
};

namespace {

const SandboxId i1{u"i1"_s};

QStringList idsOf(const Result<QList<SandboxSummary>> &list)
{
    QStringList ids;
    for (const SandboxSummary &item : list ? *list : QList<SandboxSummary>())
        ids.append(item.id.value);
    return ids;
}

} // namespace

void TestApiCompatLists::listForms_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("count"); // -1: can't be read
    QTest::newRow("array") << R"([{"sandboxID":"i1"}])"_ba << 1;
    QTest::newRow("null") << "null"_ba << 0;
    QTest::newRow("nothing at all") << ""_ba << -1;
    QTest::newRow("under a key") << R"({"sandboxes":[{"sandboxID":"i1"}]})"_ba << 1;
    QTest::newRow("under a key, with a count") << R"({"total":1,"items":[{"sandboxID":"i1"}]})"_ba << 1;
    QTest::newRow("under two keys") << R"({"a":[],"b":[]})"_ba << -1;
    QTest::newRow("an object without one") << R"({"ok":true})"_ba << -1;
    QTest::newRow("a page") << "<html></html>"_ba << -1;
}

void TestApiCompatLists::listForms()
{
    QFETCH(QByteArray, body);
    QFETCH(int, count);
    FaultServer server(Script::answer(200, body));
    ControlOf client(server);
    const auto list = outcome(client.control.listAllSandboxes());
    QCOMPARE(list ? int(list->size()) : -1, count);
    if (!list)
        QCOMPARE(list.error().kind, ErrorKind::Internal);
}

void TestApiCompatLists::filtersThatAreIgnored()
{
    FaultServer server(Script::answer(
        200, R"([{"sandboxID":"i1","state":"running","startedAt":"2026-03-02T10:00:00Z","metadata":{"team":"a"}},
                 {"sandboxID":"i2","state":"paused","startedAt":"2026-03-02T12:00:00Z","metadata":{"team":"a"}},
                 {"sandboxID":"i3","state":"running","startedAt":"2026-03-02T11:00:00Z","metadata":{"team":"b"}},
                 {"sandboxID":"i4","state":"running","startedAt":"2026-03-02T13:00:00Z","metadata":{"team":"a"}}])"));
    ControlOf client(server);
    const ListQuery teamA{.states = {SandboxState::Running}, .metadata = {{u"team"_s, u"a"_s}}};
    QCOMPARE(idsOf(outcome(client.control.listAllSandboxes(teamA))), (QStringList{u"i4"_s, u"i1"_s}));
    const ListQuery oldest{.limit = 1, .order = ListOrder::OldestFirst};
    QCOMPARE(idsOf(outcome(client.control.listAllSandboxes(oldest))),
             (QStringList{u"i1"_s, u"i3"_s, u"i2"_s, u"i4"_s}));
    QCOMPARE(server.requestCount(), 2); // no token, no more pages
}

void TestApiCompatLists::tokensAreOpaque_data()
{
    QTest::addColumn<QByteArray>("token");
    QTest::addColumn<QByteArray>("sent");
    QTest::newRow("padding") << "MjAyNg=="_ba
                             << "MjAyNg%3D%3D"_ba;
    QTest::newRow("dots and slashes") << "../a/b.c"_ba
                                      << "..%2Fa%2Fb.c"_ba;
    QTest::newRow("plus and ampersand") << "a+b&limit=1"_ba
                                        << "a%2Bb%26limit%3D1"_ba;
    QTest::newRow("already encoded") << "a%2Fb"_ba
                                     << "a%252Fb"_ba;
    QTest::newRow("a number") << "2"_ba
                              << "2"_ba;
}

void TestApiCompatLists::tokensAreOpaque()
{
    QFETCH(QByteArray, token);
    QFETCH(QByteArray, sent);
    FaultServer server([&](const RecordedRequest &request, int) {
        return request.query().contains("nextToken")
                   ? Script::answer(200, R"([{"sandboxID":"i2"}])")
                   : Script::answer(200, R"([{"sandboxID":"i1"}])", {{"X-Next-Token", token}});
    });
    ControlOf client(server);
    QCOMPARE(outcome(client.control.listAllSandboxes())->size(), 2);
    QVERIFY2(server.requests().last().query().split('&').contains("nextToken=" + sent),
             server.requests().last().query());
}

void TestApiCompatLists::cyclesOfTokensEnd()
{
    for (const int length : {1, 2, 5}) {
        FaultServer server([&](const RecordedRequest &, int nth) {
            return Script::answer(200, "[]", {{"X-Next-Token", QByteArray::number(nth % length)}});
        });
        ControlOf client(server);
        const auto list = outcome(client.control.listAllSandboxes());
        QVERIFY(!list);
        QCOMPARE(list.error().kind, ErrorKind::Internal);
        QCOMPARE(list.error().code, u"bad_paging"_s);
        QCOMPARE(server.requestCount(), length + 1);
    }
}

void TestApiCompatLists::metadataIsFilteredHereWhateverTheServerDecodes()
{
    // It decodes what it gets a different number of times and gives too much; plain values are right for all of them.
    FaultServer server(Script::answer(200, R"([{"sandboxID":"i1","metadata":{"team":"a b&c=d%20"}},
                                              {"sandboxID":"i2","metadata":{"team":"a b"}},{"sandboxID":"i3"}])"));
    ControlOf client(server);
    QCOMPARE(idsOf(outcome(client.control.listAllSandboxes({.metadata = {{u"team"_s, u"a b&c=d%20"_s}}}))),
             QStringList{u"i1"_s});
    QVERIFY2(!server.requests().last().query().contains("metadata"), server.requests().last().query());
    QVERIFY(outcome(client.control.listAllSandboxes({.metadata = {{u"team"_s, u"ci-17"_s}}}))->isEmpty());
    QVERIFY2(server.requests().last().query().contains("metadata=team%3Dci-17"), server.requests().last().query());
}

void TestApiCompatLists::stateWords_data()
{
    QTest::addColumn<QByteArray>("word");
    QTest::addColumn<SandboxState>("state");
    QTest::newRow("running") << "running"_ba << SandboxState::Running;
    QTest::newRow("available") << "available"_ba << SandboxState::Running;
    QTest::newRow("capitals and blanks") << " RUNNING "_ba << SandboxState::Running;
    QTest::newRow("paused") << "Paused"_ba << SandboxState::Paused;
    for (const QByteArray &word :
         {"pending"_ba, "creating"_ba, "provisioning"_ba, "starting"_ba, "pausing"_ba, "resuming"_ba})
        QTest::newRow(word.constData()) << word << SandboxState::Transitioning;
    for (const QByteArray &word : {"killed"_ba, "stopped"_ba, "terminated"_ba, "deleted"_ba, "failed"_ba, "error"_ba})
        QTest::newRow(word.constData()) << word << SandboxState::Terminal;
    QTest::newRow("another") << "hibernating"_ba << SandboxState::Unknown;
}

void TestApiCompatLists::stateWords()
{
    QFETCH(QByteArray, word);
    QFETCH(SandboxState, state);
    FaultServer server(Script::answer(200, R"([{"sandboxID":"i1","state":")" + word + R"("}])"));
    ControlOf client(server);
    const auto list = outcome(client.control.listAllSandboxes());
    QCOMPARE(list->size(), 1); // still there, still the user's
    QCOMPARE(list->first().state, state);
    QCOMPARE(list->first().rawState.trimmed(), QString::fromLatin1(word.trimmed()));
}

void TestApiCompatLists::timesOfAnyForm_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("utc"); // empty: invalid
    QTest::newRow("UTC") << "\"2026-03-02T10:11:12Z\""_ba << u"2026-03-02T10:11:12Z"_s;
    QTest::newRow("nanoseconds") << "\"2026-03-02T10:11:12.123456789Z\""_ba << u"2026-03-02T10:11:12Z"_s;
    QTest::newRow("an offset") << "\"2026-03-02T12:11:12+02:00\""_ba << u"2026-03-02T10:11:12Z"_s;
    QTest::newRow("no zone") << "\"2026-03-02T10:11:12\""_ba << u"2026-03-02T10:11:12Z"_s;
    QTest::newRow("missing") << "null"_ba << QString();
    QTest::newRow("empty") << "\"\""_ba << QString();
    QTest::newRow("words") << "\"soon\""_ba << QString();
}

void TestApiCompatLists::timesOfAnyForm()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, utc);
    FaultServer server(Script::answer(200, R"([{"sandboxID":"i1","state":"running","endAt":)" + text + "}]"));
    ControlOf client(server);
    const auto list = outcome(client.control.listAllSandboxes());
    QVERIFY2(list.has_value(), list ? "" : qPrintable(list.error().message));
    const QDateTime end = list->first().endAt;
    QCOMPARE(end.isValid() ? end.toUTC().toString(u"yyyy-MM-ddTHH:mm:ssZ"_s) : QString(), utc);
}

void TestApiCompatLists::templateListForms_data()
{
    QTest::addColumn<QByteArray>("entry");
    QTest::addColumn<QString>("name");
    QTest::addColumn<BuildStatus>("status");
    QTest::newRow("names") << R"({"templateID":"t1","names":["acme/tools"],"aliases":["old"],"buildStatus":"ready"})"_ba
                           << u"acme/tools"_s << BuildStatus::Ready;
    QTest::newRow("aliases alone") << R"({"templateID":"t1","aliases":["tools"],"buildStatus":"READY"})"_ba
                                   << u"tools"_s << BuildStatus::Ready;
    QTest::newRow("an image alone") << R"({"templateID":"t1","image":"docker.io/a:1","status":"SUCCESS"})"_ba
                                    << u"docker.io/a:1"_s << BuildStatus::Ready;
    QTest::newRow("the id alone") << R"({"templateID":"t1","buildStatus":"queued"})"_ba << u"t1"_s
                                  << BuildStatus::Waiting;
    QTest::newRow("failed, in other words")
        << R"({"templateID":"t1","names":null,"buildStatus":"Cancelled"})"_ba << u"t1"_s << BuildStatus::Error;
    QTest::newRow("a word nobody knows")
        << R"({"templateID":"t1","buildStatus":"baking","cpuCount":0,"envdVersion":""})"_ba << u"t1"_s
        << BuildStatus::Other;
}

void TestApiCompatLists::templateListForms()
{
    QFETCH(QByteArray, entry);
    QFETCH(QString, name);
    QFETCH(BuildStatus, status);
    FaultServer server(Script::answer(200, '[' + entry + ']'));
    ControlOf client(server);
    const auto list = outcome(client.control.listTemplates());
    QVERIFY2(list.has_value(), list ? "" : qPrintable(list.error().message));
    QCOMPARE(list->first().displayName(), name);
    QCOMPARE(list->first().buildStatus, status);
}

void TestApiCompatLists::missingCallsAreUnsupported_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("404 of a router") << 404 << "404 page not found"_ba;
    QTest::newRow("404 as JSON") << 404 << R"({"detail":"Not Found"})"_ba;
    QTest::newRow("405") << 405 << ""_ba;
    QTest::newRow("501") << 501 << R"({"message":"not implemented"})"_ba;
}

/// Of lists, which name no object: nothing can be missing but the call.
void TestApiCompatLists::missingCallsAreUnsupported()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    FaultServer server(Script::answer(status, body));
    ControlOf client(server);
    QCOMPARE(outcome(client.control.listAllSandboxes()).error().kind, ErrorKind::Unsupported);
    QCOMPARE(outcome(client.control.listTemplates()).error().kind, ErrorKind::Unsupported);
    QCOMPARE(outcome(client.control.snapshots().list()).error().kind, ErrorKind::Unsupported);
    QCOMPARE(outcome(client.control.volumes().list()).error().kind, ErrorKind::Unsupported);
    QCOMPARE(outcome(client.control.secrets().list()).error().kind, ErrorKind::Unsupported);
    QCOMPARE(outcome(client.control.teams().list()).error().kind, ErrorKind::Unsupported);
    QCOMPARE(outcome(client.control.teams().apiKeys()).error().kind, ErrorKind::Unsupported);
    QCOMPARE(outcome(client.control.admin().nodes()).error().kind, ErrorKind::Unsupported);
    QCOMPARE(outcome(client.control.telemetry().latest({i1})).error().kind, ErrorKind::Unsupported);
}

void TestApiCompatLists::gatedFeaturesSayWhy_data()
{
    QTest::addColumn<int>("status");
    QTest::newRow("400") << 400;
    QTest::newRow("403") << 403;
}

void TestApiCompatLists::gatedFeaturesSayWhy()
{
    QFETCH(int, status);
    FaultServer server(Script::answer(status, R"({"message":"volumes are not enabled for this team"})"));
    ControlOf client(server);
    const auto list = outcome(client.control.volumes().list());
    QVERIFY(!list);
    QCOMPARE(list.error().message, u"volumes are not enabled for this team"_s);
    QVERIFY(!provesGone(list.error().kind));
    QCOMPARE(server.requestCount(), 1); // asking again changes nothing
}

void TestApiCompatLists::metricTimestamps_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::newRow("both") << R"("timestamp":"2026-03-02T10:12:00Z","timestampUnix":1772446320)"_ba;
    QTest::newRow("text alone") << R"("timestamp":"2026-03-02T10:12:00Z")"_ba;
    QTest::newRow("number alone") << R"("timestampUnix":1772446320)"_ba;
    QTest::newRow("number as text") << R"("timestampUnix":"1772446320")"_ba;
}

void TestApiCompatLists::metricTimestamps()
{
    QFETCH(QByteArray, members);
    FaultServer server(
        Script::answer(200, R"([{"cpuCount":2,"cpuUsedPct":12.5,"memUsed":"104857600",)" + members + "}]"));
    ControlOf client(server);
    const auto metrics = outcome(client.control.telemetry().metrics(i1));
    QVERIFY2(metrics.has_value(), metrics ? "" : qPrintable(metrics.error().message));
    QCOMPARE(metrics->size(), 1);
    QCOMPARE(metrics->first().at.toSecsSinceEpoch(), 1772446320);
    QCOMPARE(metrics->first().memUsed, 104857600);
}

QTEST_GUILESS_MAIN(TestApiCompatLists)
#include "tst_api_compat_lists.moc"
